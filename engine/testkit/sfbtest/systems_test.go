package sfbtest_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/sfbtest"
	"starpost/orders"
)

// fewFleets is the number of battles that use all systems.
const fewFleets = 6

// fleetShips has two sides of all navies close together, some damaged, so that actions needing a lowered shield or an
// adjacent ship are possible from the first turn.
const fleetShips = `
format = 1
name = "fleets"
title = "Fleets"
rules = "sfb-house"
last_turn = 6
bounds = {columns = 30, rows = 30}
side = [{id = "a"}, {id = "b"}]
victory = [{side = "a", when = "drive-off"}, {side = "b", when = "drive-off"}]
ship = [
  {name = "Gekko", side = "a", class = "gorn-ca", hex = "1012", heading = "C", state = {speed = 8, capacitors = 2, plasma-a = 2}},
  {name = "Tegu", side = "a", class = "gorn-dd", hex = "1013", heading = "B", state = {speed = 8, capacitors = 2}, repair = {shields = [0, 0, 5, 5, 5, 0]}},
  {name = "Whisker", side = "a", class = "kzinti-cs", hex = "1117", heading = "C", state = {speed = 8, capacitors = 2}},
  {name = "Hood", side = "a", class = "federation-ca", hex = "1218", heading = "B", state = {speed = 8, photon-a = 2, capacitors = 2}},
  {name = "Claw", side = "a", class = "kzinti-ff", hex = "1118", heading = "C", state = {speed = 8, capacitors = 2}},
  {name = "Kite", side = "b", class = "tholian-pc", hex = "1412", heading = "E", state = {speed = 8, capacitors = 2}},
  {name = "Facet", side = "b", class = "tholian-pc", hex = "1413", heading = "F", state = {speed = 8, capacitors = 2}, repair = {shields = [0, 3, 3, 3, 3, 0]}},
  {name = "Riskadh", side = "b", class = "klingon-d7", hex = "1516", heading = "E", state = {speed = 8, capacitors = 2}, repair = {shields = [0, 0, 9, 9, 9, 0]}},
  {name = "Aquila", side = "b", class = "romulan-kr", hex = "1517", heading = "F", state = {speed = 8, plasma-a = 2, capacitors = 2}},
  {name = "Corsair", side = "b", class = "orion-cr", hex = "1618", heading = "F", state = {speed = 8, capacitors = 2}},
]
`

// driver gives orders that robots do not: it adds lines to a robot's set where they are valid.
type driver struct {
	rules  *engine.Rules
	rng    *rand.Rand
	boards bool // board the weakest enemy, with all parties
}

// weakest is the ship that a side boards, by side.
var weakest = map[string]string{"a": "Facet", "b": "Tegu"}

func (d *driver) pick(words ...string) string { return words[d.rng.IntN(len(words))] }

// set is an order set being built, by sections.
type set struct {
	d    *driver
	v    *engine.View
	ship *engine.ShipView
	text string
}

// wrong reports whether a text has mistakes.
func (s *set) wrong(text string) bool {
	blocks, diags := orders.Parse(fmt.Appendf(nil, "#orders %s turn %d ship %s\n%s\n#end\n", s.v.Game, s.v.Due, s.ship.Name, text), s.d.rules.Language)
	return len(blocks) != 1 || orders.HasErrors(diags) || orders.HasErrors(s.d.rules.Check(s.v, s.ship.ID, blocks[0]).Diagnostics)
}

// try puts lines at the beginning of a section, each if the set stays valid.
func (s *set) try(section string, lines ...string) {
	for _, line := range lines {
		head := section + "\n"
		text := s.text
		if !strings.HasPrefix(text, head) && !strings.Contains(text, "\n"+head) {
			text = "power\n" + head + strings.TrimPrefix(text, "power\n") // the old lines follow below
			if section != "power" {
				text = s.text
				at := strings.Index(text, "standing\n")
				at = max(at, 0)
				text = text[:at] + head + text[at:]
			}
		}
		at := strings.Index("\n"+text, "\n"+head) + len(head)
		if text = text[:at] + "  " + line + "\n" + text[at:]; !s.wrong(text) {
			s.text = text
		}
	}
}

// orders returns a ship's orders for a turn.
func (d *driver) orders(v *engine.View, id engine.ShipID) string {
	me, _ := v.Ship(id)
	s := &set{d: d, v: v, ship: me, text: d.rules.Robot(v, id).String()}
	if s.wrong(s.text) {
		return s.text // mistakes by robots alone are tested elsewhere
	}
	if d.rng.IntN(4) > 0 { // her own power orders, line by line, with the rest kept for the moment of need
		own := *s
		own.text = "power\n  speed " + d.pick("0", "1", "2", "2") + "\n"
		if !own.wrong(own.text) {
			own.try("power", "phasers 2", "arm all", "hold heavy", fmt.Sprintf("tractor %d", 2+d.rng.IntN(5)), fmt.Sprintf("transporter %d", 1+d.rng.IntN(2)), "labs 1")
			for _, w := range []string{"plasma-a", "plasma-b", "photon-a", "disr-a"} {
				own.try("power", d.pick("arm ", "hold ")+w)
			}
			_, rest, _ := strings.Cut(s.text, "\nphase ")
			if joined := own.text + "phase " + rest; rest != "" && !own.wrong(joined) {
				s.text = joined
			}
		}
	}
	var mates, foes []*engine.ShipView
	for _, o := range v.Ships {
		switch {
		case o.ID == id || o.Hex == nil || o.Status != engine.Active || o.Kind != engine.KindShip:
		case o.Side == me.Side:
			mates = append(mates, o)
		default:
			foes = append(foes, o)
		}
	}
	if len(foes) == 0 {
		return s.text
	}
	slices.SortStableFunc(foes, func(a, b *engine.ShipView) int {
		return cmp.Compare(hex.Distance(*me.Hex, *a.Hex), hex.Distance(*me.Hex, *b.Hex))
	})
	near := d.rng.IntN(3) > 0
	for phase := 1; phase <= 4; phase++ {
		section, on := fmt.Sprintf("phase %d", phase), fmt.Sprintf(" on %d", 2*phase-1+d.rng.IntN(2))
		foe := foes[min(d.rng.IntN(3), len(foes)-1)]
		switch weak := slices.IndexFunc(foes, func(o *engine.ShipView) bool { return o.Name == weakest[me.Side] }); {
		case weak >= 0 && d.boards:
			foe = foes[weak]
			s.try(section, "board "+foe.Name+" with "+d.pick("3", "5", "6")+on, "pursue "+foe.Name+" to 1")
		case near:
			s.try(section, "pursue "+foes[0].Name+" to "+d.pick("0", "1"))
		}
		s.try(section, d.pick(
			fmt.Sprintf("tractor %s with %d%s", foes[0].Name, 1+d.rng.IntN(8), d.pick("", on)), fmt.Sprintf("board %s with %d%s", foe.Name, 1+d.rng.IntN(8), d.pick("", on)),
			fmt.Sprintf("raid %s %s%s", foe.Name, d.pick("lab", "hull", "phaser", "warp-left", "shuttle"), d.pick("", on)), fmt.Sprintf("raid %s lab steal%s", foe.Name, d.pick("", on))))
		s.try(section, d.pick("launch plasma-a at "+foe.Name, "launch plasma-b at "+foe.Name+on, "fire plasma-a at "+foe.Name, "fire plasma-b at "+foe.Name+on))
		for _, n := range []string{"1", "2"} {
			s.try(section, fmt.Sprintf("fire cannon-%s along %s%s%s%s", n, row(d, *me.Hex, *foe.Hex), d.pick("", " split 4 3 1", " split 2 1", " split 12"), d.pick("", " from pool reserve", " from capacitors batteries", " from reserve"), d.pick("", on)))
		}
		if d.rng.IntN(3) == 0 {
			s.try(section, d.pick(fmt.Sprintf("probe to %s study %s%s", foe.Hex.Label(), foe.Name, d.pick("", on)), "probe to "+foe.Hex.Label()+on, "hard "+d.pick("L", "RR", "LLL")+on, "brake"+on))
			s.try(section, "shuttle to "+beside(d, v, *me.Hex).Label()+d.pick("", on))
		}
		for _, craft := range v.Ships {
			if craft.Parent != id || craft.Kind != engine.KindShuttle || craft.Status != engine.Active {
				continue
			}
			other := me
			if len(mates) > 0 && d.rng.IntN(2) == 0 {
				other = mates[d.rng.IntN(len(mates))]
			}
			s.try(section, "shuttle "+craft.Name+" "+d.pick("study "+foe.Name, "receive "+other.Name, "send "+other.Name, "retrieve", "to "+me.Hex.Label(), "study "+foe.Name))
			if d.rng.IntN(3) == 0 { // she picks it up
				s.try(section, "shuttle "+craft.Name+" retrieve", "course "+craft.Hex.Label())
			}
		}
	}
	return s.text
}

// row returns the row of hexes that leads most directly from one hex to another.
func row(d *driver, from, to hex.Hex) string {
	if p, apart := hex.Bearing(from, to); apart {
		return hex.Heading((int(p) + 2) / 4 % 6).String()
	}
	return d.pick("A", "B", "C", "D", "E", "F")
}

// beside returns a hex next to another, on the map.
func beside(d *driver, v *engine.View, at hex.Hex) hex.Hex {
	if to := at.StepN(hex.Heading(d.rng.IntN(6)), 1+d.rng.IntN(2)); v.Bounds == nil || v.Bounds.Contains(to) {
		return to
	}
	return at
}

// used counts a turn's uses of each system.
func used(count map[string]int, options map[string]string, g *engine.Game, events []engine.Event) {
	class := func(id engine.ShipID) string {
		if s, ok := g.Ship(id); ok {
			return s.System.(*state.System).Sheet.Class
		}
		return ""
	}
	plasma := map[engine.ShipID]string{} // the class of each torpedo's ship
	for _, s := range g.Ships {
		if s.Kind == engine.KindPlasma {
			plasma[s.ID] = class(s.Parent)
		}
	}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *state.Beam:
			count["tractor"]++
			if b.Caught {
				count["tractor holds"]++
			}
		case *state.Release:
			count["tractor lets go"]++
		case *state.Raid:
			count["raid"]++
			if b.Steal {
				count["raid to steal"]++
			}
		case *state.Transport:
			if !b.Raid {
				count["boarding parties sent"]++
			}
		case *state.Fight:
			count["boarding fight"]++
		case *engine.Out:
			if s, ok := g.Ship(b.Ship); ok && !s.Small() && b.Why == engine.Surrendered {
				count["captured"]++
			}
		case *state.CraftLaunch:
			if b.Flight.Kind == sheet.Shuttle {
				count["shuttle"]++
			} else {
				count["probe"]++
			}
		case *state.Study:
			count[map[string]string{"probe": "probe gathers", "study": "shuttle gathers", "receive": "shuttle receives", "send": "shuttle sends"}[b.How]]++
		case *state.CraftBack:
			count["shuttle retrieved"]++
		case *state.Burst:
			count["cannon "+string(b.Flight.Kind)]++
		case *state.Strike:
			if s, ok := g.Ship(b.Ship); ok && s.Kind == engine.KindShot {
				count["cannon strikes"]++
			}
		case *state.Launch:
			if c := class(b.Ship); b.Flight.Kind != "" {
				count["plasma of "+c]++
			}
		case *state.Fire:
			if s, ok := g.Ship(b.Ship); ok {
				sheet := s.System.(*state.System).Sheet
				if i := sheet.Bank(b.Weapon); i >= 0 && strings.HasPrefix(string(sheet.Banks[i].Kind), "plasma") {
					count["plasma of "+class(b.Ship)]++
				}
			}
		case *state.Damage:
			count["damage "+cmp.Or(options["damage"], "bank")]++
		}
	}
}

// fleetBattle plays the i-th battle of fleets to its end; look checks each turn and gets its orders.
func fleetBattle(t *testing.T, i int, look func(r *engine.Rules, options map[string]string, turn robots.Turn, said string)) {
	t.Helper()
	r, text := rulesOf(t, "sfb-house"), fleetShips
	if i%4 == 3 {
		text += "[blind]\n"
	}
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	sc.Options = []map[string]string{{"damage": "kinds", "cannon": "on"}, {"damage": "single"}, {"cannon": "on"}}[i%3]
	g, diags := sc.NewGame(r, "fleets", nil)
	if g == nil {
		t.Fatal(diags)
	}
	d := &driver{r, rand.New(rand.NewPCG(uint64(i), 12)), i%2 == 0}
	var told []engine.Event
	for g.Result == nil {
		var sheets []engine.Sheet
		var said strings.Builder
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			v, err := engine.BuildView(r, g, told, g.Viewer(s))
			if err != nil {
				t.Fatal(err)
			}
			text := d.orders(v, id)
			fmt.Fprintf(&said, "%s\n%s\n", id, text)
			blocks, _ := orders.Parse(fmt.Appendf(nil, "#orders g turn %d ship %s\n%s\n#end\n", g.Turn+1, s.Name, text), r.Language)
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(uint64(i)))
		if err != nil {
			t.Fatalf("battle %d, turn %d: %v\n%s", i, g.Turn+1, err, said.String())
		}
		look(r, sc.Options, robots.Turn{Before: g, After: after, Events: events}, said.String())
		if g, told = after, events; g.Turn > sc.LastTurn {
			t.Fatalf("battle %d does not end", i)
		}
	}
}

// TestSoakSystems plays battles by the house rules with orders for systems that robots do not use: battles end, every
// turn is correct, and each system is actually used.
func TestSoakSystems(t *testing.T) {
	count := map[string]int{}
	for i := range max(fewFleets, *battles/4) {
		fleetBattle(t, i, func(r *engine.Rules, options map[string]string, turn robots.Turn, said string) {
			err := sfbtest.Check(turn.Before, turn.Events)
			if err == nil && i < 2 {
				if err = enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events); err == nil && turn.After.Blind == nil {
					err = enginetest.CheckSecrets(r, turn.After, turn.Events, sfbtest.Blur)
				}
			}
			if err != nil {
				t.Fatalf("battle %d, turn %d: %v\n%s", i, turn.After.Turn, err, said)
			}
			used(count, options, turn.After, turn.Events)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%6d %s", count[name], name)
	}
	for _, name := range systems {
		if count[name] == 0 {
			t.Errorf("%s was never used", name)
		}
	}
}

// TestLawsOfDealingsNoticeBreaches changes one event of battles of fleets at a time; Check must find it.
func TestLawsOfDealingsNoticeBreaches(t *testing.T) {
	var turns []robots.Turn
	for i := range 4 {
		fleetBattle(t, i, func(_ *engine.Rules, _ map[string]string, turn robots.Turn, _ string) { turns = append(turns, turn) })
	}
	gathered := func(how string, change func(*state.Study)) func(engine.Body) engine.Body {
		return func(b engine.Body) engine.Body {
			if s, ok := b.(*state.Study); !ok || s.How != how {
				return nil
			}
			return as(change)(b)
		}
	}
	noticed(t, turns, map[string]func(engine.Body) engine.Body{
		"a beam that takes off more":   as(func(b *state.Beam) { b.Slows++ }),
		"a beam that catches for less": as(func(b *state.Beam) { b.Caught = !b.Caught }),
		"a beam on who is far":         as(func(b *state.Beam) { b.Target = "gekko"; b.Ship = "corsair" }),
		"parties of nowhere":           as(func(b *state.Transport) { b.Parties += 20 }),
		"a shield that stays up": func(b engine.Body) engine.Body {
			if s, ok := b.(*state.Transport); !ok || s.Lowers == 0 {
				return nil
			}
			return as(func(b *state.Transport) { b.Lowers = 0 })(b)
		},
		"a raid that takes two boxes":    as(func(b *state.Raid) { b.After -= 1 + b.Before - b.After }),
		"a party that comes back":        as(func(b *state.Raid) { b.Back = !b.Back }),
		"defenders that rise":            as(func(b *state.Fight) { b.Defenders++ }),
		"boarders that fall for nothing": as(func(b *state.Fight) { b.Fallen++ }),
		"a probe from elsewhere":         as(func(b *state.CraftLaunch) { b.At.Hex = b.At.Hex.Step(0) }),
		"a shuttle taken back from afar": as(func(b *state.CraftBack) { b.Craft, b.Ship = engine.ShipID("nothing"), "hood" }),
		"a probe that learns more":       gathered("probe", func(b *state.Study) { b.Points++ }),
		"a probe that sees farther":      gathered("probe", func(b *state.Study) { b.Range++ }),
		"a shuttle that learns more":     gathered("study", func(b *state.Study) { b.Points++ }),
		"a shuttle that holds more":      gathered("receive", func(b *state.Study) { b.Points += 10 }),
		"data of another shuttle":        gathered("send", func(b *state.Study) { b.From = b.Ship }),
		"a cannon with more points":      as(func(b *state.Burst) { b.Flight.Damage += 12 }),
	})
}

// systems are the systems that a soak must use.
var systems = []string{
	"tractor", "tractor holds", "tractor lets go", "raid", "raid to steal", "boarding parties sent", "boarding fight", "captured",
	"probe", "probe gathers", "shuttle", "shuttle gathers", "shuttle receives", "shuttle sends", "shuttle retrieved",
	"cannon cannon-primary", "cannon cannon-tertiary", "cannon strikes", "plasma of gorn-ca", "plasma of gorn-dd", "plasma of tholian-pc", "damage kinds", "damage single", "damage bank",
}
