package engine

import (
	"fmt"
	"strings"
)

// Telling is a [Body] that puts itself into a sentence, by the names of a view.
type Telling interface{ Words(v *View) string }

// Tell puts an entry of the core's own kinds into a sentence. It reports false
// for the rule set's kinds, and for rolls, which the rule set tells with what
// they were for.
func (v *View) Tell(e Entry) (Line, bool) {
	line := Line{Cite: Cite(e.Rule)}
	switch b := e.Body.(type) {
	case *Skip:
		line.Text = fmt.Sprintf("%s, not done: %s: %s", v.Name(b.Ship), strings.ReplaceAll(b.Order, "\n", " "), b.Reason)
	case *Out:
		switch b.Why {
		case Left:
			line.Text = v.Name(b.Ship) + " has left the battle"
		case Surrendered:
			line.Text = v.Name(b.Ship) + " surrenders"
		default:
			line.Text = fmt.Sprintf("%s is %s", v.Name(b.Ship), b.Why)
		}
		if b.How != "" {
			line.Text += ": " + b.How
		}
	case *Arrive:
		line.Text = fmt.Sprintf("%s arrives at %s, heading %s", v.Name(b.Ship), b.To.Hex.Label(), b.To.Heading)
	case *Score:
		line.Text = fmt.Sprintf("%s: %d points (%s)", v.SideName(b.Side), b.Points, b.Why)
	case *Won:
		line.Text = v.Result.Describe(v.SideName)
	case *Luck:
		line.Text = fmt.Sprintf("%s wished for luck: %q went into the dice", v.seatName(b.Ship, b.Post), b.Words)
	case *Talk:
		line.Text = fmt.Sprintf("%s %s: %s", v.seatName(b.Ship, b.Post), b.How(v, b.To), strings.Join(b.Lines(), " / "))
	case *Absent:
		who := v.seatName(b.Ship, b.Post)
		line.Text = fmt.Sprintf("no orders came for %s: %s", who, b.Policy)
		if b.Policy == PolicyStanding {
			line.Text = "no orders came for " + who + ": the standing orders were used"
		}
	case *Relieved:
		who := v.seatName(b.Ship, b.Post)
		line.Text = who + " is relieved: the captain gives the orders from the next turn on"
		if b.Back {
			line.Text = who + " gives the orders of the post again from the next turn on"
		}
	case *RulesChanged:
		line.Text = fmt.Sprintf("from this turn on the game is played by version %s of rule set %s, so far by version %s", b.Version, b.Rules, b.From)
	case *Quiet:
		line.Text = "nothing happens: no ship is in the fight yet"
	case Telling:
		line.Text = b.Words(v)
	default:
		return line, false
	}
	return line, true
}

// Cite joins citations for the end of a line.
func Cite(rules []string) string { return strings.Join(rules, ", ") }
