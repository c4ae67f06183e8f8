package turn_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/stcs"
	"starpost/pbem/post"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// newThree makes the game of three against three by the Advanced Course.
func newThree(tb testing.TB, cadence string) *vault.Game {
	tb.Helper()
	all, err := stcs.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	scenario := engine.ForRules(all["three-on-three"], "stcs-advanced")
	seed, dir := uint64(3), filepath.Join(tb.TempDir(), "three")
	_, err = turn.Create(dir, courses(), turn.Setup{
		Scenario: scenario, ID: "three", Mail: vault.DefaultMail(), Cadence: cadence, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0), Compose: post.Render},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(dir, courses())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestCrippledShipsMayHaveOrders: nobody waits for the orders of a crippled ship, but her
// captain is offered some, and what he sends is carried out and can be verified.
func TestCrippledShipsMayHaveOrders(t *testing.T) {
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		t.Run(cadence, func(t *testing.T) {
			g := newThree(t, cadence)
			resolve := func() *turn.Outcome {
				out, err := turn.Resolve(g, turn.Options{Missing: vault.Robot, Now: noon(1), Compose: post.Render, Keep: true})
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			var hulk *engine.Ship
			var out *turn.Outcome
			for n := 0; hulk == nil; n++ {
				if out = resolve(); out.State.Result != nil || n > 60 {
					t.Fatal("the battle is over and no ship was crippled")
				}
				if i := slices.IndexFunc(out.State.Ships, func(s *engine.Ship) bool { return s.Status == engine.Crippled }); i >= 0 {
					hulk = out.State.Ships[i]
				}
			}
			p, err := turn.Load(g)
			if err != nil {
				t.Fatal(err)
			}
			at := p.DueStage()
			head := fmt.Sprintf("#orders three turn %d", at.Turn)
			if at.Round > 0 {
				head += fmt.Sprintf(" phase %d", at.Round)
			}
			head += " ship " + hulk.Name
			offered, err := p.Template(hulk.Captain, false)
			if err != nil || !bytes.Contains([]byte(offered), []byte(head+"\n")) {
				t.Errorf("%s is not offered %q (%v):\n%s", hulk.Captain, head, err, offered)
			}
			read := p.Check([]byte(fmt.Sprintf("%s\nself-destruct %d\n#end\n", head, max(1, at.Round))))
			if len(read.Sets) != 1 || !read.Sets[0].OK() {
				t.Fatalf("%v", read)
			}
			unasked := func() bool {
				ready, err := p.Ready()
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(ready.Ships, func(s turn.ShipState) bool { return s.ID == hulk.ID })
				return i >= 0 && ready.Ships[i].Unasked
			}
			if unasked() {
				t.Error("orders of a crippled ship are in before any were sent")
			}
			if err := g.PutStageOrders(at, hulk.Name, []byte(read.Sets[0].Text), noon(1)); err != nil {
				t.Fatal(err)
			}
			if !unasked() {
				t.Error("the orders of the crippled ship are not in")
			}
			out = resolve()
			if s, _ := out.State.Ship(hulk.ID); s.Status != engine.Destroyed {
				t.Errorf("%s is %s, not destroyed", hulk.Name, s.Status)
			}
			holds(t, g)
		})
	}
}
