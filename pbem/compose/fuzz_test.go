package compose_test

import (
	"encoding/json"
	"testing"

	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/pbem/compose"
)

// FuzzAnswer checks that for any request, view and text, the answer is JSON that is valid or says what is wrong.
func FuzzAnswer(f *testing.F) {
	wolf, orders := beginning(f, fasa.Family(), "stcs-command", "big-bad-wolf")
	duel, house := beginning(f, sfb.Family(), "sfb-house", "house-duel")
	for _, do := range []string{"check", "choices", "set", "mail", "rehearse", "open", "fly"} {
		f.Add(wolf, []byte(`{"do":"`+do+`","ship":"hood","name":"move","value":5,"step":1,"times":2}`), orders)
		f.Add(duel, []byte(`{"do":"`+do+`","line":3,"value":-1,"others":[{"ship":"x","by":"orders","text":"#end"}]}`), house)
	}
	f.Add([]byte(`{"format":2,"rules":"stcs-basic","version":"3","ships":[null]}`), []byte(`{"do":"check"`), "#orders")
	f.Fuzz(func(t *testing.T, view, request []byte, text string) {
		d := compose.New(families())
		open, err := json.Marshal(map[string]any{"do": "open", "view": string(view), "text": text})
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]any{}
		if json.Unmarshal(request, &asked) == nil {
			asked["text"] = text
			if request, err = json.Marshal(asked); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range [][]byte{request, open, request, open} {
			var a struct {
				OK    *bool
				Error string
			}
			answer := d.Answer(r)
			if err := json.Unmarshal(answer, &a); err != nil || a.OK == nil || *a.OK == (a.Error != "") {
				t.Fatalf("%s\nis answered %v: %.500s", r, err, answer)
			}
		}
	})
}
