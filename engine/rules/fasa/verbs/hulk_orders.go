package verbs

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// A ship without superstructure or power is crippled (ruling D24): for the rest of the battle
// she neither moves nor fires. If the course allows it her crew carries on: it repairs her
// superstructure and engines, and surrenders or self-destructs if ordered.

// hulkVerbs returns the orders that a crippled ship can carry out, by section.
func hulkVerbs() map[string][]string {
	return map[string][]string{
		"":         {"break", "final", "wait", "luck", "message", "relay", "report", "say", "self-destruct", "skill", "surrender"},
		"power":    {"bonus"},
		"standing": {"bonus"},
	}
}

// HulkOrders returns the part of an order set that a crippled ship can carry out, and the orders
// that she cannot.
func HulkOrders(b *orders.Block) (kept *orders.Block, idle []orders.Statement) {
	can := hulkVerbs()
	out := *b
	out.Groups = slices.Clone(b.Groups)
	for i, g := range b.Groups {
		out.Groups[i].Statements = nil
		for _, st := range g.Statements {
			if slices.Contains(can[g.Name], st.Verb) {
				out.Groups[i].Statements = append(out.Groups[i].Statements, st)
			} else {
				idle = append(idle, st)
			}
		}
	}
	return &out, idle
}

// CheckHulk checks the order set of a crippled ship.
func CheckHulk(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, b *orders.Block) engine.Checked {
	kept, idle := HulkOrders(b)
	var p rulebook.Plan
	if round := v.DueRound(); round > 1 {
		p = CompileRound(l, round, InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rulebook.RosterOfView(v.Ships), v.Sides, kept, true)
	} else {
		p = l.CompileFirst(1, s.ID, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, kept, true)
	}
	out := engine.Checked{Diagnostics: p.Diags, Effects: p.Effects, Summary: []string{s.Name + " is crippled: she neither moves nor fires, and has no shields"}}
	for _, st := range idle {
		out.Diagnostics = append(out.Diagnostics, orders.Diagnostic{
			Pos: st.Pos, Severity: orders.Warning, Code: "W133", Hint: "leave it out",
			Message: fmt.Sprintf("%s is crippled: %s is skipped", s.Name, st.Verb),
		})
	}
	out.Diagnostics = append(out.Diagnostics, TakenBack(l, v, sys, b)...)
	orders.Sort(out.Diagnostics)
	return out
}

// HulkNote tells a captain what a crippled ship can still do.
func HulkNote(l *rulebook.Rules, v *engine.View) string {
	note := "crippled: she neither moves nor fires for the rest of the battle, and has no shields"
	if v.Dark {
		note += "; her sensors find nothing"
	}
	if l.Hulks && v.Due > 0 {
		note += "; she needs no orders, but her crew carries out " + map[bool]string{true: "skill", false: "bonus"}[len(l.Posts) > 0] + ", self-destruct and surrender"
	}
	return note
}

// StructureWords returns the points of a ship's superstructure in words.
func StructureWords(sys *ship.State) string {
	if sys.Superstructure < 0 {
		return fmt.Sprintf("%d below 0,", -sys.Superstructure)
	}
	return strconv.Itoa(sys.Superstructure)
}

// Unmoved returns why an outpost cannot be given an order (stcs 17.3); "" if it can.
func Unmoved(sys *ship.State, section string, st orders.Statement) string {
	if !sys.Outpost() {
		return ""
	}
	switch st.Verb {
	case "move":
		if a := slices.Concat(st.All("POWER"), st.All("POINTS")); section == "power" && len(a) == 1 && a[0].Num == 0 {
			return "" // the order says explicitly that nothing is done
		}
		return "an outpost does not move"
	case "pursue", "flee", "circle", "course":
		return "an outpost does not move"
	case "face", "tactical":
		return "an outpost does not turn: its three arcs cover all directions"
	case "evade":
		if _, turns := st.Arg("HAND"); turns {
			return "an outpost cannot evade"
		}
	case "warp":
		return "an outpost has no warp drive"
	case "follow":
		if a, named := st.Arg("SHIP"); named && a.Text != rulebook.FollowNone {
			return "an outpost has no warp drive and cannot follow"
		}
	case "bonus":
		if section == "power" && st.Form == bonusToMovement {
			return "an outpost has no use for power to movement"
		}
	}
	return ""
}

// bonusToMovement is the form of a bonus order that gives power to movement.
const bonusToMovement = 2
