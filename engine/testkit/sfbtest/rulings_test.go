package sfbtest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/sfbtest"
)

// TestRuledBattlesReplayAndTellNoSecret has a referee rule on boxes, energy, places and drones in battles between
// robots: the turn replays, reveals no secrets, and the battle continues.
func TestRuledBattlesReplayAndTellNoSecret(t *testing.T) {
	for rules, text := range map[string]string{"sfb-cadet": melee, "sfb-house": houseMelee} {
		t.Run(rules, func(t *testing.T) { ruledBattles(t, rulesOf(t, rules), text) })
	}
}

func ruledBattles(t *testing.T, r *engine.Rules, text string) {
	t.Helper()
	luck := rand.New(rand.NewPCG(3, 4))
	taken := map[string]int{}
	for battle := range 4 {
		sc, diags := scenario.Parse([]byte(text))
		if sc == nil {
			t.Fatal(diags)
		}
		g, diags := sc.NewGame(r, "ruled", nil)
		if g == nil {
			t.Fatal(diags)
		}
		var events []engine.Event
		for g.Result == nil && g.Turn < 5 {
			sheets, err := robots.Orders(r, g, events)
			if err != nil {
				t.Fatal(err)
			}
			s := g.Ships[luck.IntN(len(g.Ships))]
			fields := s.System.(ruling.Editable).Fields()
			f := fields[luck.IntN(len(fields))]
			what := []string{
				fmt.Sprintf("set %s %s %d", s.Name, f.Name, f.Floor+luck.IntN(f.Ceiling-f.Floor+1)), fmt.Sprintf("damage %s %s 1", s.Name, f.Name),
				fmt.Sprintf("repair %s all", s.Name), "kill " + s.Name, "revive " + s.Name, fmt.Sprintf("move %s %02d%02d B", s.Name, 10+luck.IntN(9), 10+luck.IntN(9)),
			}[luck.IntN(6)]
			one := ruling.Ruling{By: "Rita", At: "2026-03-01T20:00:00Z", Why: "a mistake of mine", What: what, Force: true, Before: luck.IntN(2) == 0}
			after, es, err := enginetest.Resolve(ruling.Upon(r, []ruling.Ruling{one}), g, sheets, dice.FromSeed(uint64(battle)))
			if bad, refused := errors.AsType[*ruling.Error](err); refused && bad.Problem != "" {
				after, es, err = enginetest.Resolve(r, g, sheets, dice.FromSeed(uint64(battle)))
			} else {
				verb, _, _ := strings.Cut(what, " ")
				taken[verb]++
			}
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if err := enginetest.CheckSecrets(r, after, es, sfbtest.Blur); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			g, events = after, es
		}
	}
	t.Log(taken)
}

// TestRulingsKnowBoxesAndDrones sets everything that a referee may set of a ship and of a drone.
func TestRulingsKnowBoxesAndDrones(t *testing.T) {
	for rules, text := range map[string]string{"sfb-cadet": melee, "sfb-house": houseMelee} {
		t.Run(rules, func(t *testing.T) { rulingsKnow(t, rulesOf(t, rules), text) })
	}
}

func rulingsKnow(t *testing.T, r *engine.Rules, text string) {
	t.Helper()
	sc, _ := scenario.Parse([]byte(text))
	g, diags := sc.NewGame(r, "ruled", nil)
	if g == nil {
		t.Fatal(diags)
	}
	for _, s := range g.Ships {
		sys := s.System.(ruling.Editable)
		for _, f := range sys.Fields() {
			if err := sys.Set(f.Name, strconv.Itoa(f.Low)); err != nil {
				t.Errorf("%s of %s: %v", f.Name, s.Name, err)
			}
		}
		for _, f := range sys.Fields() {
			if f.Now != strconv.Itoa(f.Low) {
				t.Errorf("%s of %s is %s, not %d", f.Name, s.Name, f.Now, f.Low)
			}
		}
		for _, bad := range [][2]string{{"shield-7", "1"}, {"mast", "1"}, {"ph-1", "-1"}, {"ph-1", "many"}, {"ph-1.armed.x", "1"}} {
			if sys.Set(bad[0], bad[1]) == nil {
				t.Errorf("%s can be set to %s", bad[0], bad[1])
			}
		}
	}
}
