package dark_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
)

// TestNoKeyStandsTwiceInAView: in a view, the key for numbers of events is not also a key of a body, and each is
// read back.
func TestNoKeyStandsTwiceInAView(t *testing.T) {
	rules := &engine.Rules{Name: "any", Extension: &dark.Extension{}}
	want := engine.Entry{N: 1, Rule: []string{"house 12.23"}, Type: rules.TypeOf(&dark.Nature{}), Body: &dark.Nature{Ship: "hood", What: "c01", N: 2, Text: "a phaser"}}
	data, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(data, []byte(`"n":`)) != 1 || !bytes.HasPrefix(data, []byte(`{"n":1,`)) {
		t.Errorf("an entry is %s", data)
	}
	view, err := json.Marshal(&engine.View{Format: engine.Format, Rules: rules.Name, Events: []engine.Entry{want}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := engine.DecodeView(view, rules); err != nil || !reflect.DeepEqual(got.Events[0], want) {
		t.Errorf("read as %+v, %v", got, err)
	}
	e := engine.Event{Seq: 1, Turn: 1, Rule: want.Rule, Type: want.Type, Body: want.Body}
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	if got, err := engine.DecodeEvent(data, rules); err != nil || !reflect.DeepEqual(got.Body, e.Body) {
		t.Errorf("of a file read as %+v, %v", got, err)
	}
	for _, events := range rules.AllEvents() {
		for _, of := range events.Sorted() {
			for _, f := range of.OpenFields() {
				if slices.Contains([]string{"n", "phase", "step", "type", "rule"}, f.Name) && of.Name != "nature" {
					t.Errorf("%s has a field %s, as each entry of a view", of.Name, f.Name)
				}
			}
		}
	}
}
