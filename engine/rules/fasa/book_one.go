package fasa

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
	"starpost/orders"
)

// bookOneRules returns Book One of the Starship Combat Simulator as a rule set over a library
// of ships and weapons.
func bookOneRules(lib *tables.Library) (*engine.Rules, error) { return bookOne().rules(lib) }

// bookOne is Book One (scs 1 to 4). It extends no other book; all its differences from the
// Basic Course are in this file.
func bookOne() course {
	return course{Book: rulebook.Book{
		Name:    "book-one",
		Version: "2",
		Title:   "Starship Combat Simulator, Book One",
		Sources: []string{
			"STII:SCS, Book One: Basic Starship Tactics",
			"ships, weapons and charts: see the source of each table (starpost ships --json); movement ratios are a third of theirs",
		},
		Scheme: ship.Scheme{
			Split: tactical.Split{{0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 1, 0, 1, 0}, {1, 0, 1, 0, 1}, {1, 1, 0, 1, 1}},
			Most:  20, Ring: 1,
		},
		Ratio:   third,
		Sure:    robot.Odds{Plain: []int{90, 80, 70, 50, 10}},
		Offers:  []int{90, 80, 70, 70, 50},
		Cites:   cites.BookOne(),
		Options: map[string][]string{rulebook.OptionDeclared: {rulebook.DeclaredTargets, rulebook.DeclaredFire}},
		Opens:   firstBattle,
		Advice: []string{
			"no shield comes back before the next turn: keep some points for the sides beside the bow",
			"a weapon has one shot in the five phases: wait for a good one",
			"what is not armed now cannot fire this turn",
		},
		Captain: (*robot.Rules).Plain,
		Dark:    true,
		Later:   laterBooks(basicCourse, advancedCourse, graduateCourse, commandCourse),
		Sequence: rulebook.Sequence{
			Opening: []rulebook.Stage{
				{Name: "power allocation", Step: "power", Run: play.Allocate},
				{Name: "leaving", Step: "power", Run: play.Leave},
				{Name: "tactical advantage", Step: "advantage", Run: play.Advantage},
			},
			Each: []rulebook.Stage{
				{Name: "movement", Step: "movement", Run: play.Move},
				{Name: "fire", Step: "fire", Run: play.Fire},
			},
		},
		FireRules: rulebook.FireRules{
			Battery: []func(*rulebook.Rules, *rulebook.Salvo){play.Declare, play.Shoot, play.TakeDamage, giveUp, play.Surrender},
			Kinds:   []rulebook.Gunnery{play.Beams(), play.Missiles()},
			AsOne:   true,
		},
		DamageRules: rulebook.DamageRules{
			Locate:  simpleTable,
			Effects: play.SimpleEffects(),
			Vain:    func(*rulebook.DamageResolver) string { return "the hit is disregarded" },
		},
		Movement: rulebook.Movement{Words: []string{"F", "FL", "FR", "L", "R", "H"}, Steps: []string{"F", "FL", "FR", "L", "R", "H"}},
	}}
}

// third converts a ratio of the catalogue to this book's power units: a third of it, in lowest
// terms.
func third(r tactical.Ratio) tactical.Ratio {
	a, b := r.A, 3*r.B
	for n := b; n > 1; n-- {
		if a%n == 0 && b%n == 0 {
			return tactical.Ratio{A: a / n, B: b / n}
		}
	}
	return tactical.Ratio{A: a, B: b}
}

// simpleTable is the one table of Book One.
func simpleTable(l *rulebook.Rules, w rulebook.DamageBlock) rulebook.Place {
	return rulebook.Place{Table: "simple", Location: l.Simple[w.Roll]}
}

// giveUp takes ships without superstructure or power out of the fight, after all shots of the
// phase have taken effect: they must surrender.
func giveUp(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	for _, s := range ship.Fighting(t.Game) {
		switch sys := ship.Of(s); {
		case sys.Superstructure <= 0:
			play.Shift(t, s.ID, t.Because(play.RuinOf(t, s.ID)...).Out(s, engine.Surrendered, "her superstructure gave way: she must surrender", nil, l.Cite(cites.SuperstructureHits, cites.Crippling)...))
		case sys.Power <= 0:
			play.Shift(t, s.ID, t.Because(play.RuinOf(t, s.ID)...).Out(s, engine.Surrendered, "no power is left: she must surrender", nil, l.Cite(cites.EngineHits, cites.Crippling)...))
		}
	}
}

// firstBattle returns the order set offered for a ship's first turn, good enough to send back
// unchanged: close to six hexes from the nearest enemy with the shields towards it up; of the
// weapons ahead the surest fires when near, and all the others in the last phase.
func firstBattle(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) orders.Set {
	foe := v.Nearest(s)
	if _, runs := v.WayOut(s.ID); runs || foe == nil {
		return nil
	}
	set, first := firstPower(l, sys)
	last, shares := l.Split.Phases(), l.Split.Points(set.Points)
	out := explainedPower(l, sys, set)
	for n := 1; n <= last; n++ {
		if n > 1 && v.Rounds > 0 {
			break // the other phases are due later
		}
		switch {
		case shares[n-1] > 0 && n == last:
			out.Say("phase", n, "pursue", foe.Name, "to 6 showing", l.Ahead())
		case shares[n-1] > 0:
			out.Say("phase", n, "pursue", foe.Name, "to 6")
		}
		switch {
		case n == last-1 && first != "":
			out.Say("phase", n, "fire", first, "at", foe.Name, robot.AtOdds(70))
		case n == last && len(set.Armed) > 0:
			out.Say("phase", n, "fire all at", foe.Name, robot.AtOdds(50))
		}
	}
	return out
}

// explainedPower returns the power section of an order set, with a note on what each line takes.
func explainedPower(l *rulebook.Rules, sys *ship.State, set ship.Settings) orders.Set {
	out := ship.PowerOrders(sys, set)
	for i := range out[0].Orders {
		switch o := &out[0].Orders[i]; o.Verb() {
		case "move":
			o.Words = append(o.Words[:1], strconv.Itoa(set.Points), "points")
			o.Note = fmt.Sprintf("%d power at %s: %s", sys.Design.Move.Cost(set.Points), sys.Design.Move, tactical.JoinInts(l.Split.Points(set.Points)))
		case "shields":
			o.Note = fmt.Sprintf("%d is ahead; %d power at %s", l.Ahead(), sys.Design.Shield.Cost(tactical.Sum(set.Shields)), sys.Design.Shield)
		}
	}
	return out
}

// firstPower splits the power of a first turn: up to four tenths to movement, a quarter to
// the three shields ahead, the rest to missiles and beams that bear ahead, beginning with
// those that bear nowhere else. It returns the first bank of beams too.
func firstPower(l *rulebook.Rules, sys *ship.State) (set ship.Settings, first string) {
	set = ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}, Points: l.MovementPoints(sys, sys.Power*4/10)}
	points := min(sys.Design.Shield.Points(sys.Power/4), 3*sys.Design.MaxShield)
	for i, n := range l.Foremost()[:3] {
		share := points * 3 / 11 // of the shields beside the bow
		if i == 0 {
			share = min(points-2*share, sys.Design.MaxShield)
		}
		if !sys.Shields[n-1].Down {
			set.Shields[n-1] = min(share, sys.Design.MaxShield)
		}
	}
	var beams []int
	for i := range sys.Banks {
		switch b := &sys.Banks[i]; {
		case !slices.Contains(b.Arcs, "f") || !l.Usable(b) || ship.AllDestroyed(b):
		case b.AnyPower():
			beams = append(beams, i)
		case set.Cost(sys)+b.Arm*len(b.Mounts) <= sys.Power:
			armAll(sys, &set, i, b.Arm)
		}
	}
	slices.SortStableFunc(beams, func(a, b int) int { return len(sys.Banks[a].Arcs) - len(sys.Banks[b].Arcs) })
	mounts := 0
	for n, i := range beams { // as many banks as get three points a mount
		mounts += len(sys.Banks[i].Mounts)
		if left := sys.Power - set.Cost(sys); left < 3*mounts {
			mounts, beams = mounts-len(sys.Banks[i].Mounts), beams[:n]
			break
		}
	}
	for n, i := range beams {
		b, left := &sys.Banks[i], sys.Power-set.Cost(sys)
		each := left / mounts
		if n == 0 && each*mounts+len(b.Mounts) <= left {
			each++
		}
		armAll(sys, &set, i, min(each, b.Max))
		if n == 0 && tactical.Sum(set.Armed[i]) > 0 {
			first = b.ID
		}
		mounts -= len(b.Mounts)
	}
	return l.Offered(sys, set), first
}

// armAll arms each working mount of a bank with the same power.
func armAll(sys *ship.State, set *ship.Settings, bank, each int) {
	armed := make([]int, len(sys.Banks[bank].Mounts))
	for m, mount := range sys.Banks[bank].Mounts {
		if !mount.Destroyed {
			armed[m] = each
		}
	}
	if tactical.Sum(armed) > 0 {
		set.Armed[bank] = armed
	}
}
