package compose_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"starpost/engine/rules/manual"
	"starpost/pbem/compose"
)

// TestRehearse checks that the tables name each ship and how she acts, and that the same orders
// give the same tables.
func TestRehearse(t *testing.T) {
	view, text := aView(t)
	d := opened(t, view)
	var other string
	for _, s := range ask(t, d, map[string]any{"do": "open", "view": string(view)}).Ships {
		if !s.Own {
			other = s.ID
		}
	}
	played := func(by, orders string) (titles []string, data []byte) {
		t.Helper()
		request, err := json.Marshal(map[string]any{"do": "rehearse", "text": text, "others": []map[string]string{{"ship": other, "by": by, "text": orders}}})
		if err != nil {
			t.Fatal(err)
		}
		data = d.Answer(request)
		var a struct {
			OK     bool
			Error  string
			Panels []struct {
				Title         string
				Notes         []string
				Columns, Rows json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &a); err != nil || !a.OK {
			t.Fatalf("%v, %s", err, a.Error)
		}
		for _, p := range a.Panels {
			titles = append(titles, p.Title)
		}
		return titles, data
	}
	for by, want := range map[string]string{"robot": ": a robot", "keep": ": course kept, nothing fired", "orders": ": orders that you wrote"} {
		titles, data := played(by, "power\n  move 0\n")
		if !slices.ContainsFunc(titles, func(s string) bool { return strings.HasSuffix(s, want) }) || !slices.ContainsFunc(titles, func(s string) bool { return strings.HasSuffix(s, ": your orders") }) {
			t.Errorf("%s: tables of %q", by, titles)
		}
		if _, again := played(by, "power\n  move 0\n"); !bytes.Equal(data, again) {
			t.Errorf("%s: another answer to the same request", by)
		}
	}
	for _, test := range []struct{ text, by, orders, want string }{
		{text: strings.Replace(text, "#end", "mvoe F\n#end", 1), want: "the orders have mistakes"},
		{text: "", want: "the orders have mistakes"},
		{text: text, by: "orders", orders: "power\n  mvoe 3\n", want: "line 2: "},
		{text: text, by: "magic", want: "magic"},
	} {
		a := ask(t, d, map[string]any{"do": "rehearse", "text": test.text, "others": []map[string]string{{"ship": other, "by": test.by, "text": test.orders}}})
		if test.by == "" {
			a = ask(t, d, map[string]any{"do": "rehearse", "text": test.text})
		}
		if a.OK || !strings.Contains(a.Error, test.want) || a.Hint == "" {
			t.Errorf("%+v: got %v, %q, %q", test, a.OK, a.Error, a.Hint)
		}
	}
}

// TestRehearseWithAReferee checks that a game that people decide cannot be played.
func TestRehearseWithAReferee(t *testing.T) {
	var d *compose.Desk
	var text string
	battles(t, manual.Family(), manual.Name, 1, func(t *testing.T, s seat) {
		t.Helper()
		d, text = opened(t, s.view), strings.Replace(s.text, "#end", "go north\n#end", 1)
	})
	if a := ask(t, d, map[string]any{"do": "rehearse", "text": text}); a.OK || !strings.Contains(a.Error, "referee") {
		t.Errorf("got %v, %q", a.OK, a.Error)
	}
}
