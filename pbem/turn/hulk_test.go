package turn_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// newThree creates the game of three against three by the Advanced Course.
func newThree(tb testing.TB, cadence string) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	return newBattle(tb, scenario.ForRules(all["three-on-three"], "stcs-advanced"), "three", cadence, 3)
}

func newBattle(tb testing.TB, scenario []byte, id, cadence string, seed uint64) *vault.Game {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), id)
	_, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario, ID: id, Mail: vault.DefaultMail(), Cadence: cadence, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestCrippledShipsMayHaveOrders: the turn does not wait for the orders of a crippled ship, but her
// captain is offered some, and orders that are sent are carried out and can be verified.
func TestCrippledShipsMayHaveOrders(t *testing.T) {
	enginetest.Sequential(t)
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		t.Run(cadence, func(t *testing.T) {
			g := newThree(t, cadence)
			resolve := func() *turn.Outcome {
				out, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(1), Keep: true})
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
				i := slices.IndexFunc(ready.Ships, func(s turn.ShipState) bool { return s.Seat == engine.Seat{Ship: hulk.ID} })
				return i >= 0 && ready.Ships[i].Unasked
			}
			if unasked() {
				t.Error("orders of a crippled ship are in before any were sent")
			}
			if err := g.Orders.Put(at, hulk.Name, []byte(read.Sets[0].Text), noon(1)); err != nil {
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

// TestRobotsCommandCrippledShips: the robot destroys an outpost of its own that another one beside
// it has crippled. One with a captain is left to the captain.
func TestRobotsCommandCrippledShips(t *testing.T) {
	enginetest.Sequential(t)
	const text = `format = 1
name = "eyries"
title = "Eyries"
rules = "stcs-graduate"
side = [{id = "a"}, {id = "b"}]
[[ship]]
name = "Keep"
side = "a"
captain = "Ann"
class = "aviary-3"
hex = "1010"
heading = "A"
repair = { superstructure = 1, shields_down = [1, 2, 3, 4, 5, 6] }
[[ship]]
name = "Far"
side = "a"
captain = "Bea"
class = "aviary-3"
hex = "3030"
heading = "A"
[[ship]]
name = "Rook"
side = "b"
captain = "Cay"
class = "aviary-3"
hex = "1011"
heading = "A"
repair = { power = 20 }
`
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		for _, who := range []string{"vacant", "robot", "captain"} {
			t.Run(cadence+", "+who, func(t *testing.T) {
				for seed := range uint64(60) {
					g := newBattle(t, []byte(text), "eyries", cadence, seed)
					switch who {
					case "vacant":
						noted(t, g, journal.Resign, "Ann", 0, journal.ResignData{})
					case "captain":
						if err := g.Orders.Put(load(t, g).DueStage(), "Keep", []byte("#orders eyries turn 1 ship Keep\nwait\n#end\n"), noon(0)); err != nil {
							t.Fatal(err)
						}
					}
					out := resolve(t, g, vault.PolicyRobot)
					if keep, _ := out.State.Ship("keep"); keep.Status != engine.Crippled {
						continue
					}
					out = resolve(t, g, vault.PolicyRobot)
					blown := slices.ContainsFunc(out.Events, func(e engine.Event) bool {
						b, ok := e.Body.(*ship.Explode)
						return ok && b.Ship == "keep" && b.Ordered
					})
					if blown != (who != "captain") {
						t.Errorf("seed %d: blown up by her own crew: %t", seed, blown)
					}
					holds(t, g)
					return
				}
				t.Fatal("the outpost was never crippled")
			})
		}
	}
}
