package sfb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

const houseMelee = `
format = 1
name = "melee"
title = "Melee"
rules = "sfb-house"
last_turn = 9
bounds = {columns = 30, rows = 30}
side = [{id = "a"}, {id = "b"}, {id = "c"}, {id = "d"}]
ship = [
  {name = "Hood", side = "a", class = "federation-ca", hex = "1012", heading = "A", repair = {shields = [0, 24, 0, 20, 0, 24], lab = 5, ph-1 = 0}, state = {speed = 8, capacitors = 4}},
  {name = "Allo", side = "a", class = "gorn-ca", hex = "1113", heading = "A", repair = {shields = [0, 0, 0, 0, 0, 0]}, state = {speed = 8, plasma-a = 2}},
  {name = "Gurkan", side = "b", class = "klingon-f5", hex = "1010", heading = "D", repair = {shields = [0, 1, 0, 1, 0, 1], warp-left = 5}, state = {capacitors = 3}},
  {name = "Fang", side = "b", class = "kzinti-cs", hex = "1210", heading = "E", repair = {shields = [0, 0, 5, 0, 0, 0]}},
  {name = "Aquila", side = "c", class = "romulan-we", hex = "1111", heading = "D", repair = {shields = [0, 2, 0, 2, 0, 2]}, state = {cloaked = 1, capacitors = 4}},
  {name = "Raider", side = "d", class = "orion-cr", hex = "0911", heading = "C", repair = {warp-left = 9}, state = {capacitors = 6}},
]
`

// drawnOrders returns random orders for a ship: most can be carried out, some not.
func drawnOrders(r *rand.Rand, g *engine.Game, id engine.ShipID) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	ship := func() string {
		names := []string{"nearest"}
		for _, s := range g.Ships {
			if s.ID != id && !s.Small() {
				names = append(names, s.Name)
			}
		}
		return pick(names...)
	}
	b.WriteString("power\n")
	say("speed %s", pick("0", "1", "2", "2.5"))
	for range r.IntN(5) {
		say("%s", pick("cloak", "tractor 3", "transporter 1", "scotty lab", "scotty ph-1 warp", "arm all", "phasers 2", "batteries 1", "repair 1:1", "fire-control off", "overload warp"))
	}
	for phase := 1; phase <= 4; phase++ {
		fmt.Fprintf(&b, "phase %d\n", phase)
		for craft := 1; phase == 1 && craft < 6; craft++ { // later in a turn there may be more of them
			say("shuttle b%d %s", craft, pick("to 1010", "study "+ship(), "send Hood", "receive Gurkan", "retrieve"))
		}
		for range r.IntN(6) {
			on := pick("", fmt.Sprintf(" on %d", 2*phase-r.IntN(2)))
			at := hex.At(8+r.IntN(8), 8+r.IntN(8)).Label()
			say("%s", pick(
				fmt.Sprintf("tractor %s with %d%s", ship(), 1+r.IntN(9), on), fmt.Sprintf("raid %s %s%s", ship(), pick("lab", "warp", "auxiliary", "ph-1", "transporter", "tractor"), on),
				"raid "+ship()+" lab steal"+on, fmt.Sprintf("board %s with %d%s", ship(), 1+r.IntN(3), on), "cloak "+pick("on", "off"), "fire all blind"+on, "fire all at "+ship()+on,
				"fire phasers at "+ship()+" aimed 5"+on, "launch drone-1 plasma-a at "+ship()+on, "move "+pick("F", "L", "R F"), "pursue "+ship()+" to 0", "hard "+pick("L", "RR"), "speed "+pick("2", "2.5", "1"), "brake"+on, "arm photon-a"+on, "labs 1"+on,
				"probe to "+at+" study "+ship()+on, "shuttle to "+at+on, "disengage when impulse > 15",
			))
		}
	}
	return b.String() + "standing\n  reinforce struck up to 2\n  choose shield " + pick("strongest", "weakest", "3") + "\n"
}

// TestAnyDealingsMakeALawfulTurn: whatever ships order, a turn equals its events, is the same in rounds and at once,
// and reveals no secrets.
func TestAnyDealingsMakeALawfulTurn(t *testing.T) {
	rules := houseRules(t)
	sc, diags := scenario.Parse([]byte(houseMelee))
	if sc == nil {
		t.Fatal(diags)
	}
	seen := map[string]int{}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		g, diags := sc.NewGame(rules, "g", nil)
		if g == nil {
			t.Fatal(diags)
		}
		for range 3 {
			var sheets []engine.Sheet
			said := ""
			for _, id := range g.InFight() {
				text := drawnOrders(r, g, id)
				said += string(id) + "\n" + text
				blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders g turn %d ship %s\n%s#end\n", g.Turn+1, id, text)), rules.Language)
				sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
			}
			after, events, err := enginetest.Resolve(rules, g, sheets, dice.FromSeed(seed))
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, said)
			}
			if err := enginetest.CheckSecrets(rules, after, events, func(s *engine.Ship) { hideSecrets(after, s) }); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := alikeInRounds(rules, g, sheets, events, dice.FromSeed(seed)); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, said)
			}
			for _, e := range events {
				seen[e.Type.Name]++
			}
			if g = after; g.Result != nil {
				break
			}
		}
	}
	for _, of := range rules.Events.Sorted() { // this battle is in the open
		if kind := of.Name; seen[kind] == 0 && !of.Has(engine.InPlace) && !slices.Contains([]string{"burst", "blowout", "strain", "brake", "arm", "lit", "course", "hurt", "retrieve"}, kind) {
			t.Errorf("no turn had an event %s", kind)
		}
	}
}

// hideSecrets changes what only a ship's captain knows, and everything about a hidden ship.
func hideSecrets(g *engine.Game, s *engine.Ship) {
	sys := state.Of(s)
	if s.Small() { // who launched it knows all of it
		return
	}
	sys.Purse, sys.Charged = map[string]int{"tractor": 7}, sys.Charged+1
	sys.Learn("hood", 5)
	sys.Pool, sys.Reserve, sys.Batteries = sys.Pool+7, sys.Reserve+2, 0
	sys.Freed++
	if b := house(); play.Hidden(&b, g, s) {
		s.Hex, sys.Speed, sys.Parties = s.Hex.Step(hex.C), sys.Speed+1, sys.Parties+1
	}
}

// inRounds returns a sheet in which the orders for each round up to one come when that round is due.
func inRounds(sheet engine.Sheet, upto int) engine.Sheet {
	part := func(keep func(orders.Group) bool) *orders.Block {
		b := *sheet.Block
		b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g orders.Group) bool { return !keep(g) })
		return &b
	}
	cut := engine.Sheet{Ship: sheet.Ship, Block: part(func(g orders.Group) bool { return g.Name != "phase" || g.N == 1 })}
	for k := 2; k <= upto; k++ {
		cut.Later = append(cut.Later, engine.Reply{Block: part(func(g orders.Group) bool { return g.Name == "phase" && g.N == k })})
	}
	return cut
}

// alikeInRounds plays a turn round by round, each with the orders for its phase.
func alikeInRounds(r *engine.Rules, g *engine.Game, sheets []engine.Sheet, whole []engine.Event, secret dice.Secret) error {
	cut := make([]engine.Sheet, len(sheets))
	for i := range sheets {
		cut[i] = inRounds(sheets[i], r.Rounds())
	}
	_, events, err := engine.ResolveRounds(r, g, cut, engine.RoundLimit{Upto: r.Rounds()}, secret)
	if err != nil {
		return err
	}
	// Rejections are reported when orders come in, and so at different places.
	bodies := func(all []engine.Event) (out []engine.Event) {
		for _, e := range all {
			switch e.Body.(type) {
			case *engine.Skip, *state.StandingSet:
			default:
				e.Seq = 0
				out = append(out, e)
			}
		}
		return out
	}
	want, err := engine.EncodeEvents(bodies(whole))
	if err != nil {
		return err
	}
	got, err := engine.EncodeEvents(bodies(events))
	if err == nil && string(want) != string(got) {
		err = fmt.Errorf("the turn in rounds differs: %s", enginetest.Difference(want, got))
	}
	return err
}
