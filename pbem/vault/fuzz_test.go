package vault

import (
	"reflect"
	"strings"
	"testing"

	"starpost/engine/dice"
)

// FuzzSettings checks that no game.toml panics, and that an accepted one is written and read back
// unchanged.
func FuzzSettings(f *testing.F) {
	s := settings()
	s.Format, s.SecretSHA256 = Format, dice.Commit(dice.FromSeed(1))
	data, err := s.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(strings.Replace(string(data), "[mail]", "seed = 5\n[mail]", 1))
	f.Add("format = 1\nid = \"x\"\n[[captain]]\nname = 3")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSettings([]byte(text), "game.toml")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "game.toml") {
				t.Errorf("the file is not named: %v", err)
			}
			return
		}
		again, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseSettings(again, "game.toml")
		if err != nil {
			t.Fatalf("%v in\n%s", err, again)
		}
		if len(s.Mail.Remind) == 0 && len(back.Mail.Remind) == 0 {
			s.Mail.Remind, back.Mail.Remind = nil, nil
		}
		if !reflect.DeepEqual(s, back) {
			t.Errorf("%+v becomes %+v", s, back)
		}
	})
}
