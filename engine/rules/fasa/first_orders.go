package fasa

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/tactical"
)

// firstOrders is what a teacher would have a captain send for a ship's first turn: what a
// plain captain orders against an enemy in sight, in this book's own words if it has some, and
// remarks on what the lines mean and what else may be said.
func firstOrders(l *rulebook.Rules, v *engine.View, id engine.ShipID) string {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active || v.Due > 1 || v.DueRound() > 1 {
		return ""
	}
	foe := v.Nearest(s)
	text := verbs.FirstTurn(l, v, s, sys)
	if text == "" && foe != nil && !sys.Hidden() {
		text = plain(l, v, id)
	}
	if !strings.HasPrefix(text, "power\n") { // the captain would leave the battle
		var b strings.Builder
		set := l.Offered(sys, l.Scaled(sys))
		set.Points = l.MovementPoints(sys, sys.Design.Move.Cost(set.Points)) // all that the power gives
		ship.WritePower(&b, sys, set)
		text = b.String() + verbs.DefaultPhases(l, v, s, sys, set)
	}
	var b strings.Builder
	b.WriteString(withoutEmptyPhases(text))
	verbs.Offers{Rules: l}.OfferStanding(&b, v, s, sys, sys.Standing)
	text = b.String()
	if post := v.Viewer.Post; post != ship.PostCaptain || len(s.Crew) > 0 {
		text = sayFinal(v, id, postOrders(l, v, id, text))
	} else {
		text = explained(l, text, sys)
	}
	return family.Teach(l.Self, v, id, text, firstRemarks(l, sys, foe))
}

// plain is what a plain captain orders of a ship for the turn, or for its first phase where each has orders of its own;
// standing orders are left out.
func plain(l *rulebook.Rules, v *engine.View, id engine.ShipID) string {
	text, _, _ := strings.Cut(robotRules(l).Plain(v, id), "standing\n")
	if v.Rounds > 0 {
		text, _, _ = strings.Cut(text, "phase 2\n") // the other phases are due later
	}
	return text
}

// offered is last turn's settings as an order set. If they arm nothing, and a plain captain would fire this turn, it is
// the plain captain's set instead, so that a player who sends the offer back unchanged can shoot.
func offered(l *rulebook.Rules, v *engine.View, id engine.ShipID) string {
	const arms = "\n  arm "
	last := verbs.Offers{Rules: l}.Template(v, id)
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil || s.Status != engine.Active || v.DueRound() > 1 || sys.Alloc.Available == 0 || strings.Contains(last, arms) ||
		v.Nearest(s) == nil || sys.Hidden() || sys.Outpost() || rulebook.KeepsStation(sys.Standing) {
		return last
	}
	text := plain(l, v, id)
	if !strings.HasPrefix(text, "power\n") || !strings.Contains(text, arms) {
		return last
	}
	var b strings.Builder
	b.WriteString(withoutEmptyPhases(text))
	verbs.Offers{Rules: l}.OfferStanding(&b, v, s, sys, sys.Standing)
	if text = b.String(); !family.Takes(l.Self, v, id, text) {
		return last
	}
	return text
}

// withoutEmptyPhases leaves out headings of phases that no order stands under.
func withoutEmptyPhases(text string) string {
	var b strings.Builder
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines[:len(lines)-1] {
		if !strings.HasPrefix(line, "phase ") || strings.HasPrefix(lines[i+1], " ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// noteColumn is where the words behind a line begin.
const noteColumn = 23

// explained is an order set with a word behind the lines of power for movement and shields
// that have none.
func explained(l *rulebook.Rules, text string, sys *ship.State) string {
	shown := ""
	if _, after, ok := strings.Cut(text, " showing "); ok {
		shown = after[:1] + " is shown; "
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		note := ""
		switch words := strings.Fields(line); {
		case strings.Contains(line, ";") || !strings.HasPrefix(line, "  "):
		case words[0] == "move" && len(words) == 2:
			if n, err := strconv.Atoi(words[1]); err == nil && n > 0 {
				points := l.MovementPoints(sys, n)
				note = fmt.Sprintf("%d points at %s: %s", points, sys.Design.Move, tactical.JoinInts(l.Split.Points(points)))
			}
		case words[0] == "shields":
			sum := 0
			for _, w := range words[1:] {
				_, n, _ := strings.Cut(w, ":")
				points, _ := strconv.Atoi(n)
				sum += points
			}
			note = fmt.Sprintf("%s%d power at %s", shown, sys.Design.Shield.Cost(sum), sys.Design.Shield)
		}
		if note != "" {
			line = fmt.Sprintf("%-*s ; %s", noteColumn, line, note)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// firstRemarks are what may be said beside the first orders, the most useful first.
func firstRemarks(l *rulebook.Rules, sys *ship.State, foe *engine.ShipView) []family.Remark {
	var out []family.Remark
	say := func(under, why, order string, args ...any) {
		out = append(out, family.Remark{Under: under, Order: fmt.Sprintf(order, args...), Why: why})
	}
	last := fmt.Sprintf("phase %d", l.Split.Phases())
	who := "nearest"
	if foe != nil {
		who = foe.Name
		for _, bank := range sys.Banks {
			if l.Usable(&bank) && !ship.AllDestroyed(&bank) {
				say("phase 2", "one bank, once near", "fire %s at %s when range <= 8", bank.ID, who)
			}
		}
	} else {
		say("phase 2", "once one is in sight", "fire all at %s when range <= 8", who)
	}
	say("phase 1", "where you want to go", "move F L")
	say("phase 1", "where you want to go", "move L")
	say(last, "once close", "face %s with %d when range <= 4", who, l.Ahead())
	say("phase 1", "after a hit: away", "flee %s when damaged", who)
	say("phase 1", "after a hit: stay", "move H when damaged")
	if len(sys.Banks) > 1 {
		say("standing", "hit first", "lose beams %s", sys.Banks[0].ID)
	}
	say("", "what a skill can do", "skill power to weapons")
	say("", "what a skill can do", "skill reduce 6")
	say("", "goes into my dice", "luck the owl flies at noon")
	say("", "needs no more time", "final")
	say("", "not before the deadline", "wait")
	return out
}
