package stcs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Version of the Basic Course as programmed here; it is frozen into each game.
const Version = "1"

// OptionBanks is the game option of stcs 4.4: one roll for a bank, or one for each mount.
const (
	OptionBanks = "banks"
	BanksOne    = "one"
	BanksEach   = "each"
)

// course is a rule set's tables and language, which its phases use.
type course struct {
	*Library
	language *orders.Language
}

// Basic is the Basic Course as a rule set over a library of ships and weapons.
func Basic(lib *Library) (*engine.Rules, error) {
	l := &course{Library: lib, language: basicLanguage()}
	if err := l.language.Validate(); err != nil {
		return nil, fmt.Errorf("language of stcs-basic: %w", err)
	}
	l.language = l.language.Compiled()
	return &engine.Rules{
		Name: "stcs-basic", Version: Version, Title: "Starship Tactical Combat Simulator, Basic Course",
		Sources: []string{
			"STCS rules, Basic Course; STII:SCS, Book One, where its text is lost",
			"ships, weapons and charts: see the source of each table (starpost ships --json)",
		},
		Phases: l.basicPhases(), Language: l.language, Bodies: bodies(),
		Commission: l.commission, DecodeSystem: decodeSystem,
		Options: map[string][]string{OptionBanks: {BanksOne, BanksEach}},
		Public:  public, Check: l.check, Template: l.template, Robot: l.robot, Present: l.present,
	}, nil
}

// Public is what everybody knows of a ship's systems: how far it may move.
type Public struct {
	Points int   `json:"points"`
	Split  []int `json:"split"`
}

func public(s *engine.Ship) any {
	a := of(s).Alloc
	return &Public{Points: a.Points, Split: a.Split}
}

// commission makes a ship of a design, in the state of repair that the scenario
// gives: superstructure and power left, generators damaged, weapons lost.
func (l *course) commission(e engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
	d, err := l.Design(e.Class)
	if err != nil {
		p := engine.Problem{Key: "class", Message: err.Error(), Hint: "see: starpost ships"}
		return engine.Commissioned{}, []engine.Problem{p}
	}
	sys := &System{
		Design: Frame{
			Name: d.Name, Title: d.Title, Power: d.Power(), Superstructure: d.Superstructure,
			Move: d.Move, Shield: d.Shield, MaxShield: d.MaxShield,
		},
		Power: d.Power(), Superstructure: d.Superstructure,
		Shields: make([]Shield, 6), Alloc: Alloc{Split: make([]int, Phases)}, Standing: defaultStanding(),
	}
	var problems []engine.Problem
	for _, bd := range d.Banks {
		w, err := l.Mounted(bd)
		if err != nil {
			problems = append(problems, engine.Problem{Key: "class", Message: err.Error()})
			continue
		}
		sys.Banks = append(sys.Banks, Bank{
			ID: bd.ID, Type: w.Name, Kind: w.Kind, Family: w.Title, Chart: w.Chart, Max: w.MaxPower, Arm: w.Arm,
			Damage: w.Damage, Bands: slices.Clone(w.Bands), Arcs: slices.Clone(bd.Arcs), Mounts: make([]Mount, bd.Mounts),
		})
	}
	problems = append(problems, repair(sys, e.Repair)...)
	title := d.Title
	return engine.Commissioned{System: sys, Title: title, Value: d.Power() / 10}, problems
}

// repair sets the state of repair at the start.
func repair(sys *System, state map[string]any) []engine.Problem {
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
				bad(key, "such as shields_down = [4, 5]", "shields_down must be a list of shield numbers 1 to 6")
			}
		case "weapons_lost":
			list, ok := value.([]any)
			if !ok {
				bad(key, `such as weapons_lost = ["bank-a-1"]`, "weapons_lost must be a list of weapons")
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

func lose(sys *System, name string) bool {
	found := false
	for i := range sys.Banks {
		b := &sys.Banks[i]
		for m := range b.Mounts {
			if b.ID == name || mountName(b, m) == name {
				b.Mounts[m].Destroyed, found = true, true
			}
		}
	}
	return found
}

func mountNames(sys *System) []string {
	var out []string
	for i := range sys.Banks {
		for m := range sys.Banks[i].Mounts {
			out = append(out, mountName(&sys.Banks[i], m))
		}
	}
	return out
}
