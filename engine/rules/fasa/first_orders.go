package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/tactical"
	"starpost/orders"
)

// firstOrders returns a commented example of orders for a ship's first turn: those of a plain
// robot captain against an enemy in sight, or this book's own example, with remarks on what
// the lines mean and what else can be ordered.
func firstOrders(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active || v.Due > 1 || v.DueRound() > 1 {
		return nil
	}
	foe := v.Nearest(s)
	set := verbs.FirstTurn(l, v, s, sys)
	if len(set) == 0 && foe != nil && !sys.Hidden() {
		set = plain(l, v, id)
	}
	if !beginsWithPower(set) { // the robot would leave the battle
		power := l.Offered(sys, l.Scaled(sys))
		power.Points = l.MovementPoints(sys, sys.Design.Move.Cost(power.Points)) // all points that the power gives
		set = slices.Concat(ship.PowerOrders(sys, power), verbs.DefaultPhases(l, v, s, sys, power))
	}
	set = withoutEmptyPhases(set)
	set.Append(verbs.Offers{Rules: l}.OfferStanding(v, s, sys, sys.Standing))
	if post := v.Viewer.Post; post != ship.PostCaptain || len(s.Crew) > 0 {
		set = sayFinal(v, id, postOrders(l, v, id, set))
	} else {
		explain(l, set, sys)
	}
	return family.Teach(l.Self, v, id, set, firstRemarks(l, sys, foe))
}

func beginsWithPower(set orders.Set) bool { return len(set) > 0 && set[0].Name == "power" }

// plain returns a plain robot captain's orders for the turn, or for its first phase where each phase has its own
// orders, without standing orders.
func plain(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	set := robotRules(l).Plain(v, id)
	for i, p := range set {
		if p.Name == "standing" || v.Rounds > 0 && p.Name == "phase" && p.N == 2 { // it is due later
			return set[:i:i]
		}
	}
	return set
}

// offered returns last turn's settings as an order set. If they arm nothing while a plain robot captain would fire this
// turn, it returns the robot's set instead, so that a player who sends the offer back unchanged can shoot.
func offered(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	last := verbs.Offers{Rules: l}.Template(v, id)
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active || v.DueRound() > 1 || sys.Alloc.Available == 0 || last.Has("power", "arm") ||
		v.Nearest(s) == nil || sys.Hidden() || sys.Outpost() || rulebook.KeepsStation(sys.Standing) {
		return last
	}
	set := plain(l, v, id)
	if !beginsWithPower(set) || !set.Has("power", "arm") {
		return last
	}
	set = withoutEmptyPhases(set)
	set.Append(verbs.Offers{Rules: l}.OfferStanding(v, s, sys, sys.Standing))
	if !family.Takes(l.Self, v, id, set) {
		return last
	}
	return set
}

// withoutEmptyPhases drops headings of phases without orders.
func withoutEmptyPhases(set orders.Set) (out orders.Set) {
	for _, p := range set {
		if p.Name != "phase" || len(p.Orders) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// explain adds a note to orders of power for movement and shields that have none.
func explain(l *rulebook.Rules, set orders.Set, sys *ship.State) {
	power, _ := set.Under("power", 0)
	for i := range power {
		switch o := &power[i]; {
		case o.Note != "":
		case o.Verb() == "move" && len(o.Words) == 2:
			if n, err := strconv.Atoi(o.Words[1]); err == nil && n > 0 {
				points := l.MovementPoints(sys, n)
				o.Note = fmt.Sprintf("%d points at %s: %s", points, sys.Design.Move, tactical.JoinInts(l.Split.Points(points)))
			}
		case o.Verb() == "shields":
			sum := 0
			for _, w := range o.Words[1:] {
				_, n, _ := strings.Cut(w, ":")
				points, _ := strconv.Atoi(n)
				sum += points
			}
			o.Note = fmt.Sprintf("%s%d power at %s", shown(set), sys.Design.Shield.Cost(sum), sys.Design.Shield)
		}
	}
}

// shown names the first shield that an order set shows; "" for none.
func shown(set orders.Set) string {
	for _, p := range set {
		for _, o := range p.Orders {
			if i := slices.Index(o.Words, "showing"); i >= 0 && i+1 < len(o.Words) {
				return o.Words[i+1] + " is shown; "
			}
		}
	}
	return ""
}

// firstRemarks returns remarks to put beside the first orders, the most useful first.
func firstRemarks(l *rulebook.Rules, sys *ship.State, foe *engine.ShipView) []family.Remark {
	var out []family.Remark
	say := func(under string, n int, why string, order ...any) {
		out = append(out, family.Remark{Under: under, N: n, Order: orders.Say(order...), Why: why})
	}
	who := "nearest"
	if foe != nil {
		who = foe.Name
		for _, bank := range sys.Banks {
			if l.Usable(&bank) && !ship.AllDestroyed(&bank) {
				say("phase", 2, "one bank, once near", "fire", bank.ID, "at", who, "when range <= 8")
			}
		}
	} else {
		say("phase", 2, "once one is in sight", "fire all at", who, "when range <= 8")
	}
	say("phase", 1, "where you want to go", "move F L")
	say("phase", 1, "where you want to go", "move L")
	say("phase", l.Split.Phases(), "once close", "face", who, "with", l.Ahead(), "when range <= 4")
	say("phase", 1, "after a hit: away", "flee", who, "when damaged")
	say("phase", 1, "after a hit: stay", "move H when damaged")
	if len(sys.Banks) > 1 {
		say("standing", 0, "hit first", "lose beams", sys.Banks[0].ID)
	}
	say("", 0, "what a skill can do", "skill power to weapons")
	say("", 0, "what a skill can do", "skill reduce 6")
	say("", 0, "goes into my dice", "luck the owl flies at noon")
	say("", 0, "needs no more time", "final")
	say("", 0, "not before the deadline", "wait")
	return out
}
