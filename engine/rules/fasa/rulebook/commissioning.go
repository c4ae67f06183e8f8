package rulebook

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Bad records a mistake in the state that a scenario gives.
func (k *Commissioning) Bad(key, hint, format string, args ...any) {
	k.problems = append(k.problems, engine.Problem{Key: key, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Number takes a number from least to most from the state; usual if it is not given.
func (k *Commissioning) Number(key string, least, most, usual int) int {
	k.Known = append(k.Known, key)
	value, given := k.State[key]
	if !given {
		return usual
	}
	n, ok := value.(int64)
	if !ok || n < int64(least) || n > int64(most) {
		k.Bad(key, "", "%s must be from %d to %d", key, least, most)
		return usual
	}
	return int(n)
}

// leftovers reports the keys that no part has taken.
func (k *Commissioning) leftovers() {
	for _, key := range slices.Sorted(maps.Keys(k.State)) {
		if slices.Contains(k.Known, key) {
			continue
		}
		hint := "in this rule set a ship has no state beyond its repair"
		if len(k.Known) > 0 {
			hint = "known: " + strings.Join(slices.Sorted(slices.Values(k.Known)), ", ")
		}
		if near := orders.Suggest(key, k.Known); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		k.Bad(key, hint, "unknown key %q in state", key)
	}
}

// Commission makes a ship of a design, with the state and repair that the scenario gives:
// superstructure and power left, generators damaged, weapons lost (stcs 1.1, 5.2).
func (l *Rules) Commission(e engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
	d, err := l.DesignOf(e.Class, e.Title)
	if err != nil {
		p := engine.Problem{Key: "class", Message: err.Error(), Hint: "see: starpost ships"}
		return engine.Commissioned{}, []engine.Problem{p}
	}
	sys := &ship.State{
		Design: ship.Frame{
			Name: d.Name, Title: d.Title, Power: d.Power(), Superstructure: d.Superstructure,
			Move: l.Ratio(d.Move), Shield: d.Shield, MaxShield: d.MaxShield, Assumed: d.Assumed,
		},
		Power: d.Power(), Superstructure: d.Superstructure,
		Shields: make([]ship.Shield, 6), Alloc: ship.Alloc{Split: make([]int, l.Split.Phases())}, Standing: ship.DefaultStanding(),
	}
	if d.ArcsFrom == "assumed" {
		sys.Design.Assumed = append(sys.Design.Assumed, "arcs")
	}
	k := &Commissioning{Rules: l, Design: d, Sys: sys, State: e.State, Options: e.Options}
	for _, bd := range d.Banks {
		w, err := l.Mounted(bd)
		if err != nil {
			k.Bad("class", "", "%s", err)
			continue
		}
		sys.Banks = append(sys.Banks, ship.Bank{
			ID: bd.ID, Type: w.Name, Kind: w.Kind, Family: w.Title, Chart: w.Chart, Max: w.MaxPower, Arm: w.Arm,
			Damage: w.Damage, Bands: slices.Clone(w.Bands), Plasma: slices.Clone(w.Plasma), Arcs: slices.Clone(bd.Arcs), Mounts: make([]ship.Mount, bd.Mounts),
		})
	}
	for i := range sys.Banks {
		if b := &sys.Banks[i]; !l.Usable(b) {
			b.Plasma = nil
		}
	}
	k.problems = append(k.problems, repair(sys, e.Repair)...)
	for _, p := range l.Parts {
		p.Commission(k)
	}
	if d.Outpost && !k.outposts {
		k.Bad("class", "see: starpost ships", "%s is an outpost; %s is for ships only", d.Name, l.Title)
	}
	k.leftovers()
	return engine.Commissioned{System: sys, Title: d.Title, Value: d.Power() / 10}, k.problems
}

// repair applies the scenario's repair table to a new ship.
func repair(sys *ship.State, state map[string]any) []engine.Problem {
	var out []engine.Problem
	bad := func(key, hint, format string, args ...any) {
		out = append(out, engine.Problem{Key: key, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	known := []string{"power", "shields_down", "superstructure", "weapons_lost"}
	for _, key := range slices.Sorted(maps.Keys(state)) {
		value := state[key]
		switch key {
		case "superstructure", "power":
			top := cmp.Or(map[string]int{"superstructure": sys.Superstructure, "power": sys.Power}[key], 1)
			n, ok := value.(int64)
			if !ok || n < 1 || n > int64(top) {
				bad(key, "", "%s in repair must be from 1 to %d", key, top)
				continue
			}
			if key == "power" {
				sys.Power = int(n)
			} else {
				sys.Superstructure = int(n)
			}
		case "shields_down":
			list, ok := value.([]any)
			for _, v := range list {
				n, isInt := v.(int64)
				if ok = ok && isInt && n >= 1 && n <= 6; ok {
					sys.Shields[n-1].Down = true
				}
			}
			if !ok {
				bad(key, "for example shields_down = [4, 5]", "shields_down must be a list of shield numbers 1 to 6")
			}
		case "weapons_lost":
			list, ok := value.([]any)
			if !ok {
				bad(key, `for example weapons_lost = ["bank-a-1"]`, "weapons_lost must be a list of weapons")
			}
			for _, v := range list {
				if name, isText := v.(string); !isText || !lose(sys, name) {
					bad(key, "weapons: "+strings.Join(mountNames(sys), ", "), "there is no weapon %v to lose", v)
				}
			}
		default:
			hint := "known: " + strings.Join(known, ", ")
			if near := orders.Suggest(key, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			bad(key, hint, "unknown key %q in repair", key)
		}
	}
	return out
}

func lose(sys *ship.State, name string) bool {
	found := false
	for i := range sys.Banks {
		b := &sys.Banks[i]
		for m := range b.Mounts {
			if b.ID == name || ship.MountName(b, m) == name {
				b.Mounts[m].Destroyed, found = true, true
			}
		}
	}
	return found
}

func mountNames(sys *ship.State) []string {
	var out []string
	for i := range sys.Banks {
		for m := range sys.Banks[i].Mounts {
			out = append(out, ship.MountName(&sys.Banks[i], m))
		}
	}
	return out
}

// makeDecoy makes a decoy of a ship: she has no crew, and her weapons are dummies. The dummies stay in place, so
// that a hit does what it would do to a ship of the class that she imitates.
func makeDecoy(s *engine.Ship) {
	sys := ship.Of(s)
	sys.Put(&ship.Decoy{})
	for i := range sys.Banks {
		sys.Banks[i].Max, sys.Banks[i].Arm = 0, 0
	}
	if sys.Has(ship.NameSensors) {
		sys.Sensors().Crew = 0
	}
}
