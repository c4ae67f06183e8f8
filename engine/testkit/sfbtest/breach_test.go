package sfbtest_test

import (
	"testing"

	"starpost/engine/rules/sfb/state"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/sfbtest"
)

// TestLawsNoticeBreaches changes one event of a battle at a time; Check must find it.
func TestLawsNoticeBreaches(t *testing.T) {
	var turns []robots.Turn
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sc, diags := scenario.Parse(files["encounter"])
	if sc == nil {
		t.Fatal(diags)
	}
	if _, err := robots.Battle(cadetRules(t), sc, "breach", dice.FromSeed(1), func(turn robots.Turn) error {
		turns = append(turns, turn)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	sc, _ = scenario.Parse([]byte(melee))
	for _, secret := range []uint64{1, 2, 3, 4, 5, 6} { // drones that reach a cloaked ship
		if _, err := robots.Battle(cadetRules(t), sc, "breach", dice.FromSeed(secret), func(turn robots.Turn) error {
			turns = append(turns, turn)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	noticed(t, turns, map[string]func(engine.Body) engine.Body{
		"energy from nothing":      as(func(b *state.Energy) { b.Reinforce[0] += 3 }),
		"a photon armed at once":   as(func(b *state.Energy) { b.Arm = map[string]int{"photon-a": 2}; b.Hold = nil }),
		"another speed":            as(func(b *state.Speed) { b.Speed++ }),
		"a move too far":           as(func(b *engine.Move) { b.To.Hex = b.To.Hex.Step(b.To.Heading) }),
		"a shot that does more":    as(func(b *state.Fire) { b.Points++; b.Hit = true }),
		"a shot from elsewhere":    as(func(b *state.Fire) { b.Range++ }),
		"another shield":           as(func(b *state.Fire) { b.Shield = b.Shield%6 + 3 }),
		"a volley that loses some": as(func(b *state.Struck) { b.Points-- }),
		"a shield that holds":      as(func(b *state.Struck) { b.Inside, b.After = 0, b.Before }),
		"another column":           as(func(b *state.Damage) { b.Roll = b.Roll%6 + 1 }),
		"a box that grows":         as(func(b *state.Damage) { b.After += 2 }),
		"a drone that lives on":    as(func(b *state.Strike) { b.Points = 12 }),
		"a cloak for nothing":      as(func(b *state.Speed) { b.Cloaked = !b.Cloaked }),
		"a cloak of another ship":  as(func(b *state.Energy) { b.Cloak += 6 }),
		"a shot as at a cloak":     as(func(b *state.Fire) { b.Counts = 2*b.Range + 5 }),
		"all through a cloak": func(b engine.Body) engine.Body {
			if s, ok := b.(*state.Strike); ok && s.Roll > 0 {
				c := *s
				c.Points = 6
				return &c
			}
			return nil
		},
		"a ship that sinks early": as(func(b *state.Struck) { b.Inside++; b.Points++ }),
	})
}

// TestLawsOfTheHouseRulesNoticeBreaches does the same for the house rules.
func TestLawsOfTheHouseRulesNoticeBreaches(t *testing.T) {
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	var turns []robots.Turn
	for _, name := range []string{"house-duel", "drone-raid"} {
		sc, diags := scenario.Parse(files[name])
		if sc == nil {
			t.Fatal(diags)
		}
		if _, err := robots.Battle(rulesOf(t, sc.Rules), sc, "breach", dice.FromSeed(1), func(turn robots.Turn) error {
			turns = append(turns, turn)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	noticed(t, turns, map[string]func(engine.Body) engine.Body{
		"energy from nothing":      as(func(b *state.Energy) { b.Reinforce[0] += 3 }),
		"phasers out of the pool":  as(func(b *state.Drawn) { b.Pool++; b.Energy++ }),
		"a stop from 2":            as(func(b *state.Speed) { b.Speed = 0 }),
		"needs that are not paid":  as(func(b *state.Energy) { b.Needs = 0 }),
		"a fuller pool":            as(func(b *state.Pool) { b.Left += 60 }),
		"a sixth speed":            as(func(b *state.Speed) { b.Speed = 12 }),
		"two steps at once":        as(func(b *state.Speed) { b.Speed = 24 }),
		"a move too far":           as(func(b *engine.Move) { b.To.Hex = b.To.Hex.Step(b.To.Heading) }),
		"a shot that does more":    as(func(b *state.Fire) { b.Points++ }),
		"a shot from elsewhere":    as(func(b *state.Fire) { b.Range++ }),
		"another shield":           as(func(b *state.Fire) { b.Shield = b.Shield%6 + 1 }),
		"a volley that loses some": as(func(b *state.Struck) { b.Points-- }),
		"a shield that holds": func(b engine.Body) engine.Body {
			if s, ok := b.(*state.Struck); ok && s.After < s.Before {
				c := *s
				c.Inside, c.After = 0, c.Before
				return &c
			}
			return nil
		},
		"a point more inside":     as(func(b *state.Struck) { b.Inside++; b.Points++ }),
		"a box that grows":        as(func(b *state.Damage) { b.After = b.Before + 1 }),
		"a box fewer":             as(func(b *state.Damage) { b.After++ }),
		"a ship that sinks early": as(func(b *state.Damage) { b.Bank = "" }),
		"a drone that does more":  as(func(b *state.Strike) { b.Points++ }),
	})
}

// noticed changes one event of some turns at a time, the first that a breach applies to; Check must find it.
func noticed(t *testing.T, turns []robots.Turn, breaches map[string]func(engine.Body) engine.Body) {
	t.Helper()
	for name, breach := range breaches {
		t.Run(name, func(t *testing.T) {
			for _, turn := range turns {
				for i, e := range turn.Events {
					e.Body = breach(e.Body)
					if e.Body == nil {
						continue
					}
					events := append(append([]engine.Event{}, turn.Events[:i]...), e)
					if sfbtest.Check(turn.Before, append(events, turn.Events[i+1:]...)) == nil {
						t.Fatalf("turn %d, event %d passes: %+v", turn.After.Turn, e.Seq, e.Body)
					}
					return
				}
			}
			t.Fatal("the battle has no such event")
		})
	}
}

// as makes a breach for bodies of one type; it returns nil for others.
func as[T any, P interface {
	*T
	engine.Body
}](change func(*T)) func(engine.Body) engine.Body {
	return func(b engine.Body) engine.Body {
		p, ok := b.(P)
		if !ok {
			return nil
		}
		c := *p
		change(&c)
		return P(&c)
	}
}
