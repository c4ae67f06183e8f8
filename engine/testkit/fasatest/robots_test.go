package fasatest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/fasatest"
)

// errEnough ends a battle after enough turns.
var errEnough = errors.New("enough turns")

// TestRobotsKeepTheLaws has robots fight every scenario and checks each turn.
func TestRobotsKeepTheLaws(t *testing.T) {
	lib, courses := allCourses(t)
	scenarios, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range scenarios {
		t.Run(name, func(t *testing.T) {
			sc, diags := scenario.Parse(data)
			if sc == nil {
				t.Fatal(diags)
			}
			r, ok := courses[sc.Rules]
			if !ok {
				t.Skip("another rule set")
			}
			_, err := robots.Battle(r, sc, "game", dice.FromSeed(7), func(turn robots.Turn) error {
				if err := enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events); err != nil {
					return err
				}
				if err := fasatest.Check(lib, r, turn.Before, turn.After, turn.Events); err != nil || turn.After.Turn < 8 {
					return err
				}
				return errEnough
			})
			if err != nil && !errors.Is(err, errEnough) {
				t.Fatal(err)
			}
		})
	}
}

// TestPostsSeeTheirPanelsAlone: the panels of others change no byte of an officer's view, offered orders or robot
// orders, and the view has no rolls of others.
func TestPostsSeeTheirPanelsAlone(t *testing.T) {
	_, courses := allCourses(t)
	r := courses["stcs-command"]
	for name, crew := range map[string]map[string]string{
		"a post each":      {"engineer": "Bob", "helm": "Cleo", "science": "Dan", "weapons": "Eve"},
		"two in one hand":  {"engineer": "Bob", "helm": "Cleo", "science": "Bob"},
		"vacant and alone": {"helm": "Cleo"},
	} {
		t.Run(name, func(t *testing.T) {
			g := battleOf(t, r, "big-bad-wolf")
			for _, s := range g.Ships {
				s.Crew = map[string]engine.CaptainName{}
				for post, officer := range crew {
					s.Crew[post] = engine.CaptainName(s.Name + " " + officer)
				}
			}
			_, err := robots.Fight(r, g, dice.FromSeed(3), func(turn robots.Turn) error {
				if turn.After.Turn > 3 {
					return errEnough
				}
				if err := enginetest.CheckPosts(r, turn.After, turn.Events, fasatest.BlurPanels); err != nil {
					return err
				}
				if err := enginetest.CheckSecrets(r, turn.After, turn.Events, fasatest.Blur); err != nil {
					return err
				}
				for _, c := range turn.After.Captains() {
					seen, err := enginetest.Seen(r, turn.After, turn.Events, c)
					if err != nil {
						return err
					}
					for _, e := range turn.Events {
						b, ok := e.Body.(*ship.Skilled)
						if !ok || slices.Contains(c.Seats, engine.Seat{Ship: b.Ship}) || b.Post == ship.PostHelm || b.Post == ship.PostWeapons {
							continue
						}
						roll := fmt.Sprintf("t%d.crew.%s.%s", e.Turn, b.Ship, b.What)
						if !slices.Contains(c.Seats, engine.Seat{Ship: b.Ship, Post: b.Post}) && strings.Contains(string(seen), roll) {
							return fmt.Errorf("%s sees the roll %s", c.Name, roll)
						}
					}
				}
				return nil
			})
			if err != nil && !errors.Is(err, errEnough) {
				t.Fatal(err)
			}
		})
	}
}

// allCourses makes every course with the built-in tables.
func allCourses(tb testing.TB) (*tables.Library, map[string]*engine.Rules) {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]*engine.Rules{}
	for name, course := range fasa.Courses() {
		if out[name], err = course(lib); err != nil {
			tb.Fatal(err)
		}
	}
	return lib, out
}

// battleOf returns a scenario as a game of a course.
func battleOf(tb testing.TB, r *engine.Rules, name string) *engine.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := scenario.Parse(all[name])
	if sc == nil {
		tb.Fatal(diags)
	}
	sc.Rules = r.Name
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return g
}
