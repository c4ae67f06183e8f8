package rulesets_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"starpost/cmd/rulesets"
	"starpost/engine/family"
	"starpost/pbem/fault"
)

// set returns a rule set with only a name.
func set(name string) family.RuleSet { return family.RuleSet{Name: name} }

func TestNamesOfRuleSetsAndScenariosAreUnique(t *testing.T) {
	if err := rulesets.Check(rulesets.Families()); err != nil {
		t.Errorf("the program's own list: %v", err)
	}
	scenario := fstest.MapFS{"scenarios/duel.toml": {Data: []byte("format = 1")}}
	one := family.Family{Name: "one", Sets: []family.RuleSet{set("a"), set("b")}, Scenarios: scenario}
	for _, test := range []struct {
		name string
		list []family.Family
		want []string // parts of the error; none for a valid list
	}{
		{"apart", []family.Family{one, {Name: "two", Sets: []family.RuleSet{set("c")}}}, nil},
		{"a rule set twice", []family.Family{one, {Name: "two", Sets: []family.RuleSet{set("b")}}}, []string{`one and two both have a rule set "b"`}},
		{"a rule set twice in one family", []family.Family{{Name: "two", Sets: []family.RuleSet{set("c"), set("c")}}}, []string{`two and two both have a rule set "c"`}},
		{"a scenario twice", []family.Family{one, {Name: "two", Scenarios: scenario}}, []string{`both have a scenario "duel"`}},
		{"both", []family.Family{one, one}, []string{`rule set "a"`, `rule set "b"`, `scenario "duel"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := rulesets.Check(test.list)
			if (err == nil) != (len(test.want) == 0) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want %q in it", err, part)
				}
			}
			if err != nil && !strings.Contains(fault.Hint(err), "another name") {
				t.Errorf("got hint %q, want the way out", fault.Hint(err))
			}
		})
	}
}
