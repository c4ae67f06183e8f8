// Package rulesets lists the families of rules that the programs of this module play: starpost, and the composer in a
// browser.
package rulesets

import (
	"errors"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/pbem/fault"
)

// Families returns the list. No other file of the programs names a family or a rule set.
func Families() []family.Family {
	return []family.Family{fasa.Family(), sfb.Family(), manual.Family()}
}

// Check returns an error if two families use the same name for a rule set or a scenario, because one would
// hide the other.
func Check(list []family.Family) error {
	var errs []error
	owner := map[string]string{}
	claim := func(what, name, family string) {
		key := what + " " + name
		if other, taken := owner[key]; taken {
			errs = append(errs, fault.New("this program was built wrong: give one of them another name, or take a family out of the list of package rulesets",
				"the families of rules %s and %s both have a %s %q", other, family, what, name))
		}
		owner[key] = family
	}
	for _, f := range list {
		for _, s := range f.Sets {
			claim("rule set", s.Name, f.Name)
		}
		names, err := f.ScenarioNames()
		if err != nil {
			errs = append(errs, err)
		}
		for _, name := range names {
			claim("scenario", name, f.Name)
		}
	}
	return errors.Join(errs...)
}
