package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/dice"
)

// TestEventHeadsMatchTheirTags compares the handwritten encoding with encoding/json and the tags of eventHead, for
// any strings.
func TestEventHeadsMatchTheirTags(t *testing.T) {
	rules := &Rules{Events: ListEvents(EventOf[bare]("bare"))}
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "stcs 4.1", "<&>", "\u2028\x7f\"\\", "ü", "\xff"}))
	seats := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Seat {
		return Seat{ShipID(text.Draw(t, "ship")), text.Draw(t, "post")}
	}), 0, 3)
	ids := rapid.SliceOfN(rapid.Map(text, func(s string) ShipID { return ShipID(s) }), 0, 3)
	list := rapid.OneOf(rapid.Just([]string(nil)), rapid.SliceOfN(text, 0, 3))
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SampledFrom([]Body{&Talk{Ship: "hood", Text: []string{"<b>"}}, &Score{}, &Roll{Name: NameRoll("t1.x"), Dice: dice.D6, Value: 3}, &Luck{}, &bare{}}).Draw(t, "body")
		of := rules.TypeOf(body)
		e := Event{
			Seq: rapid.Int().Draw(t, "seq"), Turn: rapid.Int().Draw(t, "turn"), Phase: rapid.Int().Draw(t, "phase"),
			Step: text.Draw(t, "step"), Rule: list.Draw(t, "rule"), Type: of, Body: body,
			See: See{Whole: seats.Draw(t, "whole"), Rest: rapid.Bool().Draw(t, "rest"), Also: list.Draw(t, "also"), Among: ids.Draw(t, "among")},
		}
		got, err := e.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		head := eventHead{Seq: e.Seq, Turn: e.Turn, Phase: e.Phase, Step: e.Step, Type: of.Name, Rule: e.Rule, See: &seen{Whole: e.See.Whole, Rest: e.See.Rest, Also: e.See.Also, Among: e.See.Among}}
		if want := joined(t, head, body); string(got) != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		entry := Entry{N: e.Seq, Phase: e.Phase, Step: e.Step, Rule: e.Rule, Type: of, Body: body}
		want := joined(t, struct {
			N     int      `json:"n"`
			Phase int      `json:"phase"`
			Step  string   `json:"step"`
			Type  string   `json:"type"`
			Rule  []string `json:"rule"`
		}{entry.N, entry.Phase, entry.Step, of.Name, entry.Rule}, body)
		if got, err := entry.MarshalJSON(); err != nil || string(got) != want {
			t.Fatalf("got  %s, %v\nwant %s", got, err, want)
		}
		if again, err := DecodeEvent(got, rules); err != nil || again.Seq != e.Seq || !reflect.DeepEqual(again.Body, body) {
			t.Fatalf("read back as %+v, %v", again, err)
		}
	})
}

// bare is a body without fields.
type bare struct{}

// joined returns head and body as one object, encoded by encoding/json.
func joined(t *rapid.T, head, body any) string {
	t.Helper()
	h, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) == "{}" {
		return string(h)
	}
	return string(h[:len(h)-1]) + "," + string(b[1:])
}

// Reading one value leaves no trace in the next one, whatever was wrong with the first.
func TestReadJSONStartsAfresh(t *testing.T) {
	type value struct{ A, B string }
	for range 3 {
		for _, c := range []struct{ data, want, problem string }{
			{`{"A":"one","B":"two"}`, "{one two}", ""},
			{`{"A":"three"}` + "\n", "{three }", ""},
			{`{"A":"four","C":1}`, "", `"C"`},
			{`{"A":"five"} {"A":"six"}`, "", "more after the value"},
			{`{"A":"sev`, "", "unexpected EOF"},
			{`{"B":"eight"}`, "{ eight}", ""},
		} {
			var v value
			err := ReadJSON([]byte(c.data), &v)
			if c.problem == "" && (err != nil || fmt.Sprint(v) != c.want) || c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
				t.Errorf("%s: got %v, %v, want %s%s", c.data, v, err, c.want, c.problem)
			}
		}
	}
}
