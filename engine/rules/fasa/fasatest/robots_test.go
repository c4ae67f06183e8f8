package fasatest_test

import (
	"errors"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/fasatest"
	"starpost/engine/rules/fasa/tables"
)

// errEnough ends a battle that was looked at for long enough.
var errEnough = errors.New("enough turns")

// TestRobotsKeepTheLaws lets robots fight every scenario and examines each turn.
func TestRobotsKeepTheLaws(t *testing.T) {
	lib, courses := allCourses(t)
	scenarios, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range scenarios {
		t.Run(name, func(t *testing.T) {
			sc, diags := engine.ParseScenario(data)
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

// allCourses makes every course over the built-in tables.
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

// battleOf is a scenario as a game of a course.
func battleOf(tb testing.TB, r *engine.Rules, name string) *engine.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	sc, diags := engine.ParseScenario(all[name])
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
