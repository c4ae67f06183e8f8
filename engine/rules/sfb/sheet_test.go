package sfb

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// TestShipsOfAGameHaveWeaponsWithRules: a valid sheet is rejected for a game if its rules cannot fire the weapons, or
// if several weapons are in one bank.
func TestShipsOfAGameHaveWeaponsWithRules(t *testing.T) {
	own := "name = \"own\"\nshields = \"1 1 1 1 1 1\"\nturn_mode = \"1 to 16\"\n[banks]\nphasers = \"2 phaser-1 FA\"\nfusion = \"1 fusion FA\"\n"
	classes, err := sheet.Classes(map[string][]byte{"ships/own.toml": []byte(own)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules(cadet(), classes)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"cadet-klingon":    nil,
		"cadet-federation": nil,
		"cadet-romulan":    nil,
		"own":              {"2 weapons in one bank, phasers", "has no rules: fusion, a fusion beam"},
	} {
		_, problems := r.Commission(engine.ShipEntry{Class: name})
		if len(problems) != len(want) {
			t.Errorf("%s: %v, want %q", name, problems, want)
			continue
		}
		for i, p := range problems {
			if !strings.Contains(p.Message, want[i]) || p.Hint == "" {
				t.Errorf("%s: %+v, want %q", name, p, want[i])
			}
		}
	}
}
