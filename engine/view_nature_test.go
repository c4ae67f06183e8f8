package engine

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// TestNoKeyStandsTwiceInAView: what events are numbered by in a view is no key of a body too, and each is read as it was.
func TestNoKeyStandsTwiceInAView(t *testing.T) {
	rules := &Rules{}
	want := Entry{N: 5, Rule: []string{"house 12.23"}, Body: &Nature{Ship: "hood", What: "c01", N: 2, Text: "a phaser"}}
	data, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(data, []byte(`"n":`)) != 1 || !bytes.HasPrefix(data, []byte(`{"n":5,`)) {
		t.Errorf("an entry is %s", data)
	}
	if got, err := decodeEntry(data, 5, rules); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read as %+v, %v", got, err)
	}
	e := Event{Seq: 1, Turn: 1, Rule: want.Rule, Body: want.Body}
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeEvent(data, rules); err != nil || !reflect.DeepEqual(got.Body, e.Body) {
		t.Errorf("of a file read as %+v, %v", got, err)
	}
	for kind, body := range coreBodies() {
		for _, f := range OpenFields(body()) {
			for _, head := range []string{"n", "phase", "step", "type", "rule"} {
				if f.Name == head && kind != "nature" {
					t.Errorf("%s has a field %s, as each entry of a view", kind, f.Name)
				}
			}
		}
	}
}
