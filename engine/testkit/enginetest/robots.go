package enginetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

// checkMailed checks that views survive being mailed: every captain's view of a turn survives JSON unchanged, and
// robots give the same orders with either.
func checkMailed(r *engine.Rules, g *engine.Game, events []engine.Event) error {
	builder := engine.NewViewBuilder(r, g, events)
	all := []engine.Viewer{{}}
	if g.Turn <= 1 || g.Result != nil {
		all = append(all, engine.Viewer{All: true})
	}
	for _, c := range g.Captains() {
		own, err := viewers(r, g, c)
		if err != nil {
			return err
		}
		all = append(all, own...)
	}
	for _, who := range all {
		v, err := builder.View(who)
		if err != nil {
			return err
		}
		if err := namesLists(v); err != nil {
			return err
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		mailed, err := engine.DecodeView(data, r)
		if err != nil {
			return fmt.Errorf("view of %+v: %w", who, err)
		}
		if err := same(fmt.Sprintf("the view of %+v read back", who), data, func() ([]byte, error) { return json.Marshal(mailed) }); err != nil {
			return err
		}
		if r.Robot == nil || who.Focus == "" {
			continue
		}
		if want, got := r.Robot(v, who.Focus).String(), r.Robot(mailed, who.Focus).String(); want != got {
			return fmt.Errorf("the robot of %s orders otherwise by mail:\n%s", engine.Seat{Ship: who.Focus, Post: who.Post}, Difference([]byte(want), []byte(got)))
		}
	}
	return nil
}

// namesLists checks that a viewer of all captains' lists is told whose each entry is.
func namesLists(v *engine.View) error {
	for _, e := range v.Events {
		var of engine.ShipID
		switch b := e.Body.(type) {
		case *dark.SensorContact:
			of = b.Ship
		case *dark.ChartEntry:
			of = b.Ship
		case *dark.Overheard:
			of = b.Ship
		default:
			continue
		}
		words := e.Body.(engine.Telling).Sentence(v)
		if strings.HasPrefix(words, v.Name(of)) != v.Viewer.All || v.Viewer.All && strings.Contains(words, "your") {
			return fmt.Errorf("of the list of %s a viewer who sees everything, or her captain, is told: %s", of, words)
		}
	}
	return nil
}

// shortBattle is how many turns are played under rule sets that a scenario is not made for.
const shortBattle = 2

// RobotsByMail has robots play the scenarios of a family: to the end by their own rule sets, for some turns by all
// others of the family that can play them, in the open and in the dark, with officers if there are posts. It runs
// [checkMailed] after each turn. Under the race detector it plays one battle in [Share].
func RobotsByMail(t *testing.T, f family.Family) {
	t.Helper()
	files, err := f.ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	battles := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, set := range f.Sets {
			for _, dark := range []bool{false, true} {
				if battles++; battles%Share != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/dark=%v", name, set.Name, dark), func(t *testing.T) {
					t.Parallel()
					sc, diags := scenario.Parse(files[name])
					if sc == nil {
						t.Fatal(diags)
					}
					turns := shortBattle
					if sc.Rules == set.Name && dark == (sc.Blind != nil) {
						turns = robots.Longest
					}
					if dark && sc.Blind == nil {
						sc, diags = scenario.Parse(append(bytes.Clone(files[name]), "\n[blind]\n"...))
					}
					if sc == nil || dark != (sc.Blind != nil) {
						t.Skip("it cannot be played so", diags)
					}
					sc.Rules = set.Name
					byMail(t, set, sc, turns)
				})
			}
		}
	}
}

// byMail plays a battle of [RobotsByMail], for at most the given number of turns.
func byMail(t *testing.T, set family.RuleSet, sc *scenario.Scenario, turns int) {
	t.Helper()
	r, err := set.Rules(nil)
	if err != nil {
		t.Fatal(err)
	}
	g, diags := sc.Drawn(dice.FromSeed(1), "mail").NewGame(r, "mail", nil)
	if g == nil || len(diags) > 0 || r.Robot == nil {
		t.Skip("it cannot be played by these rules", diags)
	}
	for _, s := range g.Ships {
		for _, post := range r.Posts() {
			if post != "" && !s.Small() {
				if s.Crew == nil {
					s.Crew = map[string]engine.CaptainName{}
				}
				s.Crew[post] = engine.CaptainName(s.Name + " " + post)
			}
		}
	}
	if err := checkMailed(r, g, nil); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough turns")
	_, err = robots.Fight(r, g, dice.FromSeed(1), func(turn robots.Turn) error {
		if err := checkMailed(r, turn.After, turn.Events); err != nil || turn.After.Turn < turns {
			return err
		}
		return enough
	})
	if err != nil && !errors.Is(err, enough) {
		t.Fatal(err)
	}
}

// RobotsTellWhatTheyFind plays two turns of a game in the dark with robots commanding Hood, who finds an enemy in the
// first turn, and her mate Kongo, who does not. Hood must report the enemy and Kongo go there; if ships cannot hear
// each other, Hood must send nothing.
func RobotsTellWhatTheyFind(t *testing.T, r *engine.Rules, g *engine.Game) {
	t.Helper()
	enough := errors.New("enough turns")
	said, told := 0, 0
	var at hex.Hex
	var away []int // Kongo, as the first turn and the second end
	_, err := robots.Fight(r, g, dice.FromSeed(1), func(turn robots.Turn) error {
		for _, e := range turn.Events {
			switch b := e.Body.(type) {
			case *engine.Talk:
				said++
			case *engine.Skip:
				if strings.Contains(b.Order, "report") {
					t.Errorf("%s, %s: %s", r.Name, g.Blind.Talk, b.Reason)
				}
			case *dark.SensorContact:
				if b.Told == "hood" && turn.After.Turn == 1 {
					at, told = b.At, told+1
				}
			}
		}
		kongo, _ := turn.After.Ship("kongo")
		if away = append(away, hex.Distance(kongo.Hex, at)); len(away) == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	if g.Blind.Talk == "none" {
		if said > 0 {
			t.Errorf("%s: %d times something is said that no one hears", r.Name, said)
		}
		return
	}
	if told != 1 || away[1] >= away[0] {
		t.Errorf("%s: told %d times of %s, Kongo goes from %d to %d hexes away", r.Name, told, at.Label(), away[0], away[1])
	}
}
