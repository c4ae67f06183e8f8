package sfbtest_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/sfbtest"
	"starpost/orders"
)

const melee = `
format = 1
name = "melee"
title = "Melee"
rules = "sfb-cadet"
bounds = {columns = 24, rows = 24}
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Aquila", side = "b", class = "cadet-romulan", hex = "0810", heading = "C", state = {speed = 8, plasma-a = 2, capacitors = 2}},
  {name = "Late", side = "a", class = "cadet-klingon", hex = "1212", heading = "F", arrives = 2},
  {name = "Hood", side = "a", class = "cadet-federation", hex = "1010", heading = "D", state = {speed = 8, photon-a = 2, capacitors = 3}},
  {name = "Riskadh", side = "b", class = "cadet-klingon", hex = "1014", heading = "A", state = {speed = 8, capacitors = 4}},
  {name = "Kang", side = "b", class = "cadet-klingon", hex = "1310", heading = "E", repair = {shields = [3, 2, 0, 0, 0, 2], fore = 0, warp-left = 1}},
]
`

func rulesOf(tb testing.TB, name string) *engine.Rules {
	tb.Helper()
	sets := sfb.Family().Sets
	i := slices.IndexFunc(sets, func(s family.RuleSet) bool { return s.Name == name })
	r, err := sets[i].Rules(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func cadetRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	return rulesOf(tb, "sfb-cadet")
}

var (
	battles = flag.Int("battles", enginetest.Fewer(12), "how many battles of robots TestSoak plays")
	dark    = flag.Bool("dark", false, "play all of them in the dark")
)

// soakOptions are the game options of the battles by the house rules, in turn.
var soakOptions = []map[string]string{nil, {"damage": "kinds", "cannon": "on"}, {"damage": "single"}}

// TestSoak has robots play the scenarios: battles end, and every turn is correct.
func TestSoak(t *testing.T) {
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(files))
	wins := map[string]int{}
	for i := range *battles {
		name := names[i%len(names)]
		if *dark && !bytes.Contains(files[name], []byte("[blind]")) {
			files[name] = append(slices.Clip(files[name]), "\n[blind]\n"...)
		}
		sc, diags := scenario.Parse(files[name])
		if sc == nil {
			t.Fatal(diags)
		}
		r := rulesOf(t, sc.Rules)
		if sc.Rules != "sfb-cadet" {
			sc.Options = soakOptions[i/len(names)%len(soakOptions)]
		}
		g, err := robots.Battle(r, sc, "soak", dice.FromSeed(uint64(i)), func(turn robots.Turn) error {
			if i < len(names) {
				if err := enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events); err != nil {
					return err
				}
			}
			return sfbtest.Check(turn.Before, turn.Events)
		})
		if err != nil {
			t.Fatalf("%s, battle %d: %v", name, i, err)
		}
		wins[name+": "+g.Result.Side]++
	}
	t.Log(wins)
}

// drawOrders makes up orders, sensible or not.
func drawOrders(t *rapid.T, g *engine.Game, ship engine.ShipID) string {
	n := func(most int) int { return rapid.IntRange(0, most).Draw(t, "n") }
	pick := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	names := []string{"nearest", "Hood"}
	for _, s := range g.Ships {
		names = append(names, s.Name)
	}
	weapon := func() string {
		return pick("all", "phasers", "heavy", "ph-1", "ph-2", "ph-4", "photon-a", "photon", "disruptor-a", "disruptor", "drone-1", "plasma-a", "warp")
	}
	when := func() string {
		return pick("", "", fmt.Sprintf(" when range <= %d", n(6)), " when damaged or not impulse < 4", fmt.Sprintf(" when facing = %d", n(7)), " when drones > 0", " when cloaked",
			fmt.Sprintf(" when shield %d of %s < 5", 1+n(5), pick(names...)))
	}
	var b strings.Builder
	b.WriteString("power\n")
	fmt.Fprintf(&b, "  speed %d\n", n(18))
	for range n(4) {
		fmt.Fprintf(&b, "  %s\n", pick("arm "+weapon(), "hold "+weapon(), "arm "+weapon(), fmt.Sprintf("reinforce %d:%d %d:%d", n(7), n(5), n(6), n(3)), fmt.Sprintf("reinforce all %d", n(4))))
	}
	for _, once := range []string{"phasers", "batteries", "recharge"} {
		if n(2) > 0 {
			fmt.Fprintf(&b, "  %s %d\n", once, n(4))
		}
	}
	if n(2) == 0 {
		fmt.Fprintf(&b, "  repair %d:%d\n", n(6), n(3))
	}
	if n(3) == 0 {
		b.WriteString("  cloak\n")
	}
	for phase := 1; phase <= 4; phase++ {
		fmt.Fprintf(&b, "phase %d\n", phase)
		for range n(2) {
			b.WriteString("  " + pick("move F L R"+when(), "move L L L L L", "pursue "+pick(names...)+" to 2"+when(), "flee "+pick(names...), "face "+pick(names...)+" with 3", "course 1111"+when()) + "\n")
		}
		for range n(2) {
			b.WriteString("  " + pick("fire "+weapon()+" at "+pick(names...)+when(), fmt.Sprintf("fire %s %s at %s on %d", weapon(), weapon(), pick(names...), n(17)), "launch drone at "+pick(names...)+when(), "launch plasma-a at "+pick(names...)+when()) + "\n")
		}
		if n(30) == 0 {
			b.WriteString("  disengage" + when() + "\n")
		}
	}
	if n(60) == 0 {
		b.WriteString("surrender when damaged\n")
	}
	b.WriteString("standing\n")
	for range n(2) {
		b.WriteString("  " + pick("lose hull aft", "lose weapons ph-1 drone", "lose engines warp:3", "guard phasers within 3", "guard none") + "\n")
	}
	b.WriteString("  choose shield " + pick("weakest", "strongest", "3") + "\n")
	return b.String()
}

func blockOf(t *rapid.T, r *engine.Rules, g *engine.Game, ship engine.ShipID, text string) *orders.Block {
	blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders g turn %d ship %s\n%s\n#end\n", g.Turn+1, ship, text)), r.Language)
	if len(blocks) != 1 {
		t.Fatalf("no block: %s", text)
	}
	return &blocks[0]
}

const houseMelee = `
format = 1
name = "melee"
title = "Melee"
rules = "sfb-house"
bounds = {columns = 24, rows = 24}
terrain = [{kind = "moon", hexes = ["1111", "0912"]}]
options = {cannon = "on"}
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Aquila", side = "b", class = "romulan-kr", hex = "0810", heading = "C", state = {speed = 8, plasma-a = 2, capacitors = 2}},
  {name = "Late", side = "a", class = "kzinti-cs", hex = "1212", heading = "F", arrives = 2},
  {name = "Hood", side = "a", class = "federation-ca", hex = "1010", heading = "D", state = {speed = 8, photon-a = 2, capacitors = 3}},
  {name = "Riskadh", side = "b", class = "klingon-d7", hex = "1012", heading = "A", state = {speed = 16, capacitors = 4}},
  {name = "Kang", side = "b", class = "klingon-f5", hex = "1110", heading = "E", repair = {shields = [3, 2, 0, 0, 0, 2], fore = 0, warp-left = 1}},
]
`

// drawHouseOrders makes up orders for the house rules.
func drawHouseOrders(t *rapid.T, g *engine.Game, ship engine.ShipID) string {
	n := func(most int) int { return rapid.IntRange(0, most).Draw(t, "n") }
	pick := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	names := []string{"nearest", "Hood"}
	for _, s := range g.Ships {
		names = append(names, s.Name)
	}
	weapon := func() string {
		return pick("all", "phasers", "heavy", "ph-1", "ph-3", "photon-a", "photon", "disr-a", "disruptor", "drone-1", "plasma-a", "warp")
	}
	speed := func() string { return pick("0", "1", "2", "2.5", "3") }
	when := func() string {
		return pick("", "", fmt.Sprintf(" when range <= %d", n(6)), " when damaged or not impulse < 4", " when drones > 0", " when cloaked")
	}
	var b strings.Builder
	b.WriteString("power\n  speed " + speed())
	if n(2) == 0 {
		fmt.Fprintf(&b, " pool %d", n(30))
	}
	b.WriteString("\n")
	for range n(4) {
		fmt.Fprintf(&b, "  %s\n", pick("arm "+weapon(), "hold "+weapon(), "arm "+weapon()+" overload", fmt.Sprintf("reinforce %d:%d", n(7), n(5)), fmt.Sprintf("reinforce all %d", n(4))))
	}
	for _, once := range []string{"phasers", "batteries", "recharge", "tractor", "transporter"} {
		if n(3) == 0 {
			fmt.Fprintf(&b, "  %s %d\n", once, n(6))
		}
	}
	for _, once := range []string{"cloak", "shields down", "fire-control off", "repair 1:1"} {
		if n(5) == 0 {
			b.WriteString("  " + once + "\n")
		}
	}
	for phase := 1; phase <= 4; phase++ {
		fmt.Fprintf(&b, "phase %d\n", phase)
		on := fmt.Sprintf(" on %d", 2*phase-1+n(1))
		for range n(2) {
			b.WriteString("  " + pick("move F L R"+when(), "pursue "+pick(names...)+" to 0"+when(), "flee "+pick(names...), "face "+pick(names...)+" with 3", "course 1111"+when(), "hard LL"+when(), "hard R"+on, "speed "+speed()+on, "speed "+speed()+when(), "brake"+on) + "\n")
		}
		for range n(3) {
			b.WriteString("  " + pick("fire "+weapon()+" at "+pick(names...)+when(), "fire ph-1 at "+pick(names...)+" aimed 8"+when(), "fire "+weapon()+" blind"+on, "launch drone at "+pick(names...)+when(), "launch plasma-a at "+pick(names...)+when(),
				"fire cannon along "+pick("A", "B", "E")+pick("", " split 3 1", " split 5 4 3", " split 9 9")+on, "fire cannon-1 along C split 1 1 1 1"+when(), "tractor "+pick(names...)+" with 6"+when(), "raid "+pick(names...)+" lab", "board "+pick(names...)+" with 2", "cloak on", "cloak off") + "\n")
		}
		if n(30) == 0 {
			b.WriteString("  disengage" + when() + "\n")
		}
	}
	b.WriteString("standing\n")
	for range n(2) {
		b.WriteString("  " + pick("lose hull aft", "guard phasers within 3", "reinforce struck up to 4", "reinforce shield 1 up to 6 when damaged") + "\n")
	}
	b.WriteString("  choose shield " + pick("weakest", "strongest", "3") + "\n")
	return b.String()
}

// TestAnyOrdersMakeALawfulTurn plays random orders for some turns: each turn is correct, reveals no secrets, and is
// the same when played in rounds, and the orders offered next are valid.
func TestAnyOrdersMakeALawfulTurn(t *testing.T) {
	for _, game := range []struct {
		rules, scenario string
		checks          int
		draw            func(*rapid.T, *engine.Game, engine.ShipID) string
	}{
		{"sfb-cadet", melee, 12, drawOrders},
		{"sfb-house", houseMelee, 8, drawHouseOrders},
	} {
		t.Run(game.rules, func(t *testing.T) {
			anyOrders(t, rulesOf(t, game.rules), game.scenario, game.checks, game.draw)
		})
	}
}

func anyOrders(t *testing.T, r *engine.Rules, text string, checks int, draw func(*rapid.T, *engine.Game, engine.ShipID) string) {
	t.Helper()
	enginetest.FewChecks(t, checks)
	rapid.Check(t, func(t *rapid.T) {
		sc, _ := scenario.Parse([]byte(text))
		g, diags := sc.NewGame(r, "g", nil)
		if g == nil {
			t.Fatal(diags)
		}
		secret := dice.FromSeed(rapid.Uint64().Draw(t, "secret"))
		for range 3 {
			var sheets []engine.Sheet
			var said strings.Builder
			for _, id := range g.InFight() {
				text := draw(t, g, id)
				s := engine.Sheet{Ship: id, Block: blockOf(t, r, g, id, text)}
				if rapid.IntRange(0, 8).Draw(t, "silent") == 0 {
					s.Block, s.Policy = nil, engine.PolicyStanding
				}
				fmt.Fprintf(&said, "%s\n%s\n", id, text)
				sheets = append(sheets, s)
			}
			after, events, err := enginetest.Resolve(r, g, sheets, secret)
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			if err := sfbtest.Check(g, events); err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			if err := enginetest.CheckSecrets(r, after, events, sfbtest.Blur); err != nil {
				t.Fatal(err)
			}
			sameInRounds(t, r, g, sheets, secret)
			for _, id := range after.InFight() {
				s, _ := after.Ship(id)
				v, err := engine.BuildView(r, after, events, after.Viewer(s))
				if err != nil {
					t.Fatal(err)
				}
				for i := range v.Events {
					r.Words(v, i)
				}
				for _, offer := range []string{r.Template(v, id).String(), r.Robot(v, id).String()} {
					if ds := r.Check(v, id, *blockOf(t, r, after, id, offer)).Diagnostics; orders.HasErrors(ds) {
						t.Fatalf("%s is offered\n%s\n%v", id, offer, ds)
					}
				}
			}
			if after.Result != nil {
				return
			}
			g = after
		}
	})
}

// sameInRounds plays a turn in rounds, with each phase's orders given when it is due. Sets with mistakes, which are
// reported when a set is read, are replaced by a robot's.
func sameInRounds(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, secret dice.Secret) {
	sheets = slices.Clone(sheets)
	for i, s := range sheets {
		ship, _ := g.Ship(s.Ship)
		v, err := engine.BuildView(r, g, nil, g.Viewer(ship))
		if err != nil {
			t.Fatal(err)
		}
		if s.Block != nil && orders.HasErrors(r.Check(v, s.Ship, *s.Block).Diagnostics) {
			sheets[i].Block = blockOf(t, r, g, s.Ship, r.Robot(v, s.Ship).String())
		}
	}
	_, whole, err := engine.Resolve(r, g, sheets, secret)
	if err != nil {
		t.Fatal(err)
	}
	cut := slices.Clone(sheets)
	for i := range cut {
		if cut[i].Block == nil {
			continue
		}
		part := func(keep func(orders.Group) bool) *orders.Block {
			b := *sheets[i].Block
			b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g orders.Group) bool { return !keep(g) })
			return &b
		}
		cut[i].Block = part(func(g orders.Group) bool { return g.Name != "phase" || g.N == 1 })
		for k := 2; k <= r.Rounds(); k++ {
			cut[i].Later = append(cut[i].Later, engine.Reply{Block: part(func(g orders.Group) bool { return g.Name == "phase" && g.N == k || g.Name == "" })})
		}
	}
	var told []engine.Event
	for k := 1; k <= r.Rounds(); k++ {
		upto := slices.Clone(cut)
		for i := range upto {
			upto[i].Later = upto[i].Later[:min(k-1, len(upto[i].Later))]
		}
		after, events, err := engine.ResolveRounds(r, g, upto, engine.RoundLimit{Upto: k, Told: told}, secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := enginetest.CheckSecrets(r, after, events[len(told):], sfbtest.Blur); err != nil {
			t.Fatal(err)
		}
		told = events
		if after.Result != nil {
			break
		}
	}
	plain := func(events []engine.Event) []byte {
		kept := slices.DeleteFunc(slices.Clone(events), func(e engine.Event) bool { _, is := e.Body.(*state.StandingSet); return is })
		for i := range kept {
			kept[i].Seq = 0
		}
		data, err := engine.EncodeEvents(kept)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if want, got := plain(whole), plain(told); !bytes.Equal(want, got) {
		t.Fatalf("in rounds: %s", enginetest.Difference(want, got))
	}
}
