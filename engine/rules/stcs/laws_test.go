package stcs

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/enginetest"
	"starpost/engine/hex"
	"starpost/orders"
)

// TestLawsOfBattle plays made-up battles and examines every turn of them.
func TestLawsOfBattle(t *testing.T) {
	fewChecks(t, "25")
	rapid.Check(t, lawsOfBattle(t))
}

// fewChecks lets rapid make fewer checks in a test, unless it was told how many. A
// made-up battle is dear under the race detector; the fuzzers make more.
func fewChecks(t *testing.T, checks string) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f == nil || f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(checks); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Value.Set(f.DefValue); err != nil {
			t.Error(err)
		}
	})
}

// FuzzLawsOfBattle looks for battles that break them.
func FuzzLawsOfBattle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfBattle(f))) }

func lawsOfBattle(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	lib, err := Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r := basicRules(tb)
	return func(t *rapid.T) {
		g := drawGame(t, r, lib)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		var events []engine.Event
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			if g.Result != nil {
				return
			}
			checkOffers(t, r, g, events)
			var sheets []engine.Sheet
			for _, id := range g.Due() {
				sheets = append(sheets, drawSheet(t, r, viewOf(t, r, g, events, id), id))
			}
			after, es, err := enginetest.Resolve(r, g, sheets, secret)
			if err != nil {
				t.Fatalf("turn %d: %v\n%s", g.Turn+1, err, sheetTexts(sheets))
			}
			if err := checkFacts(lib, g, after, es); err != nil {
				t.Fatalf("turn %d: %v\n%s", g.Turn+1, err, sheetTexts(sheets))
			}
			if err := enginetest.CheckSecrets(r, after, es, blur); err != nil {
				t.Fatalf("turn %d: %v", g.Turn+1, err)
			}
			checkOtherFire(t, r, g, sheets, es, secret)
			g, events = after, es
		}
	}
}

func viewOf(tb rapid.TB, r *engine.Rules, g *engine.Game, events []engine.Event, id string) *engine.View {
	v, err := engine.BuildView(r, g, events, engine.Viewer{Ships: []string{id}, Focus: id})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func sheetTexts(sheets []engine.Sheet) string {
	var b strings.Builder
	for _, s := range sheets {
		if s.Block == nil {
			fmt.Fprintf(&b, "%s: %s\n", s.Ship, s.Policy)
			continue
		}
		b.WriteString(orders.Format(*s.Block))
	}
	return b.String()
}

// checkOffers examines what every captain is offered: the template and a
// robot's orders are read and checked without an error.
func checkOffers(t *rapid.T, r *engine.Rules, g *engine.Game, events []engine.Event) {
	for _, id := range g.Due() {
		v := viewOf(t, r, g, events, id)
		s, _ := v.Ship(id)
		for what, text := range map[string]string{"template": r.Template(v, id), "robot": r.Robot(v, id)} {
			text = fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", g.ID, g.Turn+1, s.Name, text)
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Fatalf("turn %d, %s:\n%s\n%v", g.Turn+1, what, text, diags)
			}
			if c := r.Check(v, id, blocks[0]); orders.HasErrors(c.Diagnostics) {
				t.Fatalf("turn %d, %s:\n%s\n%v", g.Turn+1, what, text, c.Diagnostics)
			}
		}
	}
}

// checkOtherFire takes one ship's fire away and sees that no other roll changes.
func checkOtherFire(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, events []engine.Event, secret dice.Secret) {
	i := rapid.IntRange(0, len(sheets)).Draw(t, "whose fire")
	if i == len(sheets) || sheets[i].Block == nil {
		return
	}
	quiet := *sheets[i].Block
	quiet.Groups = slices.Clone(quiet.Groups)
	for k, grp := range quiet.Groups {
		quiet.Groups[k].Statements = slices.DeleteFunc(slices.Clone(grp.Statements), func(s orders.Statement) bool { return s.Verb == "fire" })
	}
	other := slices.Clone(sheets)
	other[i].Block = &quiet
	_, es, err := engine.Resolve(r, g, other, secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckDice(events, es); err != nil {
		t.Fatal(err)
	}
}

// checkFacts follows a turn event by event and examines what the rules promise.
func checkFacts(lib *Library, before, after *engine.Game, events []engine.Event) error {
	f := &facts{lib: lib, g: before.Clone(), moves: map[string]int{}, fired: map[string]bool{}, owed: map[string]int{}}
	for _, e := range events {
		if err := f.before(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Body.Type(), err)
		}
		if err := engine.Apply(f.g, e); err != nil {
			return err
		}
		if err := f.after(e); err != nil {
			return fmt.Errorf("after event %d (%s): %w", e.Seq, e.Body.Type(), err)
		}
	}
	for what, n := range f.owed {
		if n != 0 {
			return fmt.Errorf("%s: %d points went through and did no damage", what, n)
		}
	}
	for _, s := range before.Ships {
		was, is := of(s), of(mustShip(after, s.ID))
		if is.Power > was.Power || is.Superstructure > was.Superstructure {
			return fmt.Errorf("%s was repaired", s.ID)
		}
		for i := range was.Shields {
			if was.Shields[i].Down && !is.Shields[i].Down {
				return fmt.Errorf("%s: generator %d was repaired", s.ID, i+1)
			}
		}
		for i := range was.Banks {
			for m := range was.Banks[i].Mounts {
				if was.Banks[i].Mounts[m].Destroyed && !is.Banks[i].Mounts[m].Destroyed {
					return fmt.Errorf("%s: %s was repaired", s.ID, mountName(&was.Banks[i], m))
				}
			}
		}
	}
	return nil
}

func mustShip(g *engine.Game, id string) *engine.Ship {
	s, _ := g.Ship(id)
	return s
}

type facts struct {
	lib   *Library
	g     *engine.Game
	moves map[string]int  // ship and phase to points moved
	fired map[string]bool // ship, bank and mount
	owed  map[string]int  // hits that went through and have done no damage yet
	last  *Fire
}

func (f *facts) before(e engine.Event) error {
	switch b := e.Body.(type) {
	case *engine.Move:
		s := mustShip(f.g, b.Ship)
		f.moves[fmt.Sprintf("%s %d", b.Ship, e.Phase)] += b.Cost
		if s.Status != engine.Active {
			return fmt.Errorf("%s moves, but is %s", b.Ship, s.Status)
		}
		if d := hex.Distance(b.From.Hex, b.To.Hex); d > 2 {
			return fmt.Errorf("%s jumps %d hexes", b.Ship, d)
		}
	case *Declare:
		s, target := mustShip(f.g, b.Ship), mustShip(f.g, b.Target)
		bank, _ := of(s).bank(b.Weapon)
		for _, m := range b.Mounts {
			key := fmt.Sprintf("%s %s %d", b.Ship, b.Weapon, m)
			mt := bank.Mounts[m-1]
			switch {
			case f.fired[key] || mt.Fired:
				return fmt.Errorf("%s fires twice", key)
			case mt.Armed == 0 || mt.Destroyed:
				return fmt.Errorf("%s fires, but is %+v", key, mt)
			case s.Status != engine.Active:
				return fmt.Errorf("%s fires, but is %s", b.Ship, s.Status)
			case s.Hex == target.Hex || b.Ship == b.Target:
				return fmt.Errorf("%s fires into its own hex", b.Ship)
			case !target.Status.OnMap():
				return fmt.Errorf("%s fires at %s, which is %s", b.Ship, b.Target, target.Status)
			case of(s).NoFire == firePhase(e.Turn, e.Phase):
				return fmt.Errorf("%s fires without sensors", b.Ship)
			}
			f.fired[key] = true
		}
	case *Fire:
		return f.fire(b)
	case *ShieldHit:
		if b.Absorbed+b.Through != f.last.Damage || b.Ship != f.last.Target || b.Shield != f.last.Shield {
			return fmt.Errorf("a hit of %d: %d absorbed, %d through", f.last.Damage, b.Absorbed, b.Through)
		}
		if mustShip(f.g, b.Ship).Status == engine.Active && b.Before-b.Absorbed != b.After || b.After < 0 {
			return fmt.Errorf("shield %d less %d is %d", b.Before, b.Absorbed, b.After)
		}
		if b.Through > 0 && b.After > 0 {
			return fmt.Errorf("%d go through a shield that holds %d", b.Through, b.After)
		}
		f.owed[hitKey(b.From, b.Weapon, b.Mount)] += b.Through
	case *Damage:
		key := hitKey(b.From, b.Weapon, b.Mount)
		if f.owed[key] != b.Points || b.Points < 1 {
			return fmt.Errorf("%d points of damage, %d went through", b.Points, f.owed[key])
		}
		f.owed[key] = 0
		return accounted(b)
	}
	return nil
}

func hitKey(ship, weapon string, mount int) string {
	return fmt.Sprintf("%s %s %d", ship, weapon, mount)
}

func (f *facts) fire(b *Fire) error {
	s, target := mustShip(f.g, b.Ship), mustShip(f.g, b.Target)
	bank, _ := of(s).bank(b.Weapon)
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	p, _ := hex.Bearing(s.Hex, target.Hex)
	inArc := slices.ContainsFunc(bank.Arcs, func(name string) bool {
		return slices.ContainsFunc(f.lib.Arcs[name], func(a hex.Arc) bool { return a.Contains(p.Relative(at.Heading)) })
	})
	need := f.lib.ToHit(bank.Chart, b.Range)
	f.last = b
	switch {
	case b.Range != hex.Distance(s.Hex, target.Hex):
		return fmt.Errorf("range %d", b.Range)
	case !inArc:
		return fmt.Errorf("%s of %s does not bear on %s", b.Weapon, b.Ship, b.Target)
	case b.Need != need || need == 0 || b.Hit != (b.Roll <= need):
		return fmt.Errorf("needs %d, chart says %d, rolled %d, hit %v", b.Need, need, b.Roll, b.Hit)
	case !b.Hit && (b.Damage != 0 || b.Shield != 0):
		return fmt.Errorf("a miss with damage")
	case b.Hit && bank.Kind == Beam && (b.Base != bank.Mounts[b.Mount-1].Armed || b.Base > bank.Max || b.Damage != b.Base+bank.bonus(b.Range)):
		return fmt.Errorf("beam of %d with base %d gives %d", bank.Mounts[b.Mount-1].Armed, b.Base, b.Damage)
	case b.Hit && bank.Kind == Missile && (b.Damage != bank.Damage || b.Bonus != 0):
		return fmt.Errorf("missile of %d gives %d", bank.Damage, b.Damage)
	}
	return nil
}

// accounted says where every point of a hit went.
func accounted(b *Damage) error {
	power, structure := 0, 0
	if b.Power != nil {
		power = b.Power.Before - b.Power.After
	}
	if b.Superstructure != nil {
		structure = b.Superstructure.Before - b.Superstructure.After
	}
	whole := b.Shield != nil || b.Lost != nil // a thing is lost, whatever the points
	wantPower, wantStructure := 0, 0
	switch {
	case whole:
	case b.Location == atEngine:
		wantPower = b.Points
	case b.Location == atSuperstructure:
		wantStructure = b.Points
	case b.Location == atSensors && b.Sensors != nil:
		wantPower, wantStructure = b.Points/2, b.Points-b.Points/2
	default:
		wantStructure = (b.Points + 1) / 2
	}
	if b.Power != nil {
		wantPower = min(wantPower, b.Power.Before)
	}
	if power != wantPower || structure != wantStructure {
		return fmt.Errorf("%d points at the %s: %d power and %d superstructure, expected %d and %d",
			b.Points, b.Location, power, structure, wantPower, wantStructure)
	}
	return nil
}

func (f *facts) after(e engine.Event) error {
	if b, ok := e.Body.(*PowerSet); ok {
		if err := f.allocation(b); err != nil {
			return err
		}
	}
	if b, ok := e.Body.(*Shed); ok && b.Power.After > b.Power.Before {
		return fmt.Errorf("%s sheds power and has more", b.Ship)
	}
	// The points of a phase are used up when its fire begins.
	if e.Step == "fire" {
		for _, s := range f.g.Ships {
			key := fmt.Sprintf("%s %d", s.ID, e.Phase)
			if _, seen := f.fired["moved "+key]; seen {
				continue
			}
			f.fired["moved "+key] = true
			if want := of(s).Alloc.Split[e.Phase-1]; s.Status == engine.Active && of(s).Alloc.Available > 0 && f.moves[key] != want {
				if _, isShed := e.Body.(*Shed); !isShed {
					return fmt.Errorf("%s moved %d points in phase %d, not %d", s.ID, f.moves[key], e.Phase, want)
				}
			}
		}
	}
	for _, s := range f.g.Ships {
		sys := of(s)
		for i, sh := range sys.Shields {
			if sh.Now < 0 || sh.Now > sh.Set || sh.Set > sys.Design.MaxShield || sh.Down && (sh.Now != 0 || sh.Set != 0) {
				return fmt.Errorf("%s: shield %d is %+v", s.ID, i+1, sh)
			}
		}
		if sys.Power < 0 || sys.Alloc.Points != sum(sys.Alloc.Split) {
			return fmt.Errorf("%s: power %d, %+v", s.ID, sys.Power, sys.Alloc)
		}
	}
	return nil
}

func (f *facts) allocation(b *PowerSet) error {
	sys := of(mustShip(f.g, b.Ship))
	armed := 0
	for i := range sys.Banks {
		for _, m := range sys.Banks[i].Mounts {
			armed += m.Armed
		}
	}
	switch {
	case b.Movement+b.Shields+b.Weapons+b.Unused != b.Available || b.Available != sys.Power || b.Unused < 0:
		return fmt.Errorf("%s: %d + %d + %d + %d unused of %d", b.Ship, b.Movement, b.Shields, b.Weapons, b.Unused, sys.Power)
	case b.Points != sys.Design.Move.Points(b.Movement) || !slices.Equal(b.Split, Split(b.Points)):
		return fmt.Errorf("%s: %d points for %d power at %s", b.Ship, b.Points, b.Movement, sys.Design.Move)
	case b.Shields != sys.Design.Shield.Cost(sum(b.ShieldPoints)):
		return fmt.Errorf("%s: %v for %d power at %s", b.Ship, b.ShieldPoints, b.Shields, sys.Design.Shield)
	case armed != b.Weapons:
		return fmt.Errorf("%s: %d armed for %d power", b.Ship, armed, b.Weapons)
	}
	return nil
}

// TestUnseenSettingsAreUnseen plays the same turn twice, the enemy with other
// settings that do nothing visible: what the captain sees is the same.
func TestUnseenSettingsAreUnseen(t *testing.T) {
	r := basicRules(t)
	g := scenarioGame(t, r, "big-bad-wolf")
	rapid.Check(t, func(t *rapid.T) {
		var seen [][]byte
		for range 2 {
			var b strings.Builder
			fmt.Fprintf(&b, "power\n move %d\n shields %d:%d\n arm bank-a %d %d\n", rapid.IntRange(8, 11).Draw(t, "move"), rapid.IntRange(1, 6).Draw(t, "shield"), rapid.IntRange(0, 15).Draw(t, "points"),
				rapid.IntRange(0, 5).Draw(t, "arm"), rapid.IntRange(0, 5).Draw(t, "arm"))
			fmt.Fprintf(&b, "phase 1\n move F\n fire all at Hood when range < %d\nphase 3\n %s\n", rapid.IntRange(0, 5).Draw(t, "when"),
				rapid.SampledFrom([]string{"move F", "course 1103", "move F when not targeted"}).Draw(t, "way"))
			fmt.Fprintf(&b, "standing\n choose shield %d\n missing %s\n", rapid.IntRange(1, 6).Draw(t, "choose"), rapid.SampledFrom([]string{"hold", "repeat"}).Draw(t, "missing"))
			blocks, diags := orders.Parse([]byte("#orders game turn 1 ship Riskadh\n"+b.String()+"#end\n"), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Fatal(diags)
			}
			after, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "hood", Block: &orders.Block{}}, {Ship: "riskadh", Block: &blocks[0]}}, dice.FromSeed(3))
			if err != nil {
				t.Fatal(err)
			}
			out, err := enginetest.Seen(r, after, events, engine.Captain{Name: "Hood", Ships: []string{"hood"}})
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, out)
		}
		if !bytes.Equal(seen[0], seen[1]) {
			t.Fatalf("Hood sees a difference:\n%s", enginetest.Difference(seen[0], seen[1]))
		}
	})
}
