package compose_test

import (
	"net/url"
	"strings"
	"testing"

	"starpost/engine/rules/fasa"
	"starpost/pbem/compose"
)

// aView returns the data of some report, and a robot's orders for it.
func aView(t *testing.T) (view []byte, text string) {
	t.Helper()
	battles(t, fasa.Family(), "stcs-basic", 1, func(_ *testing.T, s seat) { view, text = s.view, s.text })
	if view == nil {
		t.Fatal("no battle was played")
	}
	return view, text
}

// TestMailBringsTheOrders checks that the mail holds the text unchanged. The URL that opens it has only the recipient
// and the subject, and the text if it is short and has no key. An invalid address is never used.
func TestMailBringsTheOrders(t *testing.T) {
	view, _ := aView(t)
	const head = "#orders game turn 1 ship X"
	text := head + "\npower\n  move 8 ; 100% & more?\n#end"
	for _, test := range []struct {
		to, text           string
		link, whole, keyed bool
	}{
		{"robot+wolf@example.org", text, true, true, false},
		{"robot@example.org", text + strings.Repeat("\n; a remark", 200), true, false, false},
		{"robot@example.org", strings.Replace(text, head, head+" key 7K4Q-92FM", 1), true, false, true},
		{"robot@example.org", strings.Replace(text, head, head+" KEY=7k4q 92fm", 1), true, false, true},
		{"robot@example.org", strings.Replace(text, head, head+" key mistyped", 1), true, false, true},
		{"robot@example.org", "key 7K4Q-92FM\n" + text, true, false, true},
		{"robot@example.org", text + "\n; \u212aey 7K4Q-92FM", true, false, true},
		{"robot@example.org", text + "\n; to robot+wolf-7K4Q-92FM@example.org", true, false, true},
		{"", text, false, false, false},
		{"robot@example.org?bcc=all@example.org", text, false, false, false},
		{"a@b\r\nBcc: c@d", text, false, false, false},
		{"robot", text, false, false, false},
	} {
		d := compose.New(families())
		ask(t, d, map[string]any{"do": "open", "view": string(view), "to": test.to})
		a := ask(t, d, map[string]any{"do": "mail", "text": test.text})
		if !a.OK || strings.TrimSpace(a.Body) != test.text || (a.Mailto != "") != test.link || a.Whole != test.whole || a.Keyed != test.keyed {
			t.Errorf("%q: got %+v", test.to, a)
			continue
		}
		if !test.link {
			continue
		}
		u, err := url.Parse(a.Mailto)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.PathUnescape(u.Opaque)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if test.whole {
			want = a.Body
		}
		if body := strings.ReplaceAll(u.Query().Get("body"), "\r\n", "\n"); to != test.to || body != want || u.Query().Get("subject") == "" {
			t.Errorf("%s opens a mail to %q with %q", a.Mailto, to, body)
		}
		if low := strings.ToLower(a.Mailto); strings.Contains(low, "7k4q") || strings.Contains(low, "mistyped") {
			t.Errorf("a key is in %s", a.Mailto)
		}
	}
}
