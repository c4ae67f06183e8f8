package engine

import (
	"fmt"
	"strings"
)

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
	case *outSeen:
		line.Text = v.Name(b.Ship) + " is " + string(b.Why)
		if b.Why == Left {
			line.Text = v.Name(b.Ship) + " has left the battle"
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
	case *relay:
		line.Text = b.words(v)
	case *passedOn:
		line.Text = b.words(v)
	case *Overheard:
		line.Text = strings.TrimSuffix(fmt.Sprintf("%s, %s: %s", b.Who(v), b.How(), strings.Join(b.Text, " / ")), ": ")
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
	case *SensorContact:
		line.Text = b.Words(v)
	case *ChartEntry:
		line.Text = b.Words()
	case *Spotted:
		line.Text = b.Words(v)
	case *LabWork:
		line.Text = b.Words(v)
	case *SheetDrawn:
		line.Text = fmt.Sprintf("%s draws the sheet of %s: it stands among the sheets", v.Name(b.Ship), v.Name(b.What))
	case *codeTaken:
		line.Text = fmt.Sprintf("%s has %s talk by code book %d from the next turn on", v.Name(b.Ship), v.SideName(b.Side), b.Book)
	case *Nature:
		line.Text = fmt.Sprintf("%s learns of a weapon of %s: %s", v.Name(b.Ship), v.Name(b.What), b.Text)
	case *Quiet:
		line.Text = "nothing happens: no ship is in the fight yet"
	case *Ruled:
		line.Text = "ruling of " + b.By + ": " + b.Words(v.Name)
	default:
		return line, false
	}
	return line, true
}

// Describe says a result in words.
func (r *Result) Describe(sideName func(id string) string) string {
	if r == nil {
		return ""
	}
	if r.Draw {
		return "The battle is a draw: " + r.Why
	}
	return "Victory: " + sideName(r.Side) + " (" + r.Why + ")"
}

// Cite joins citations for the end of a line.
func Cite(rules []string) string { return strings.Join(rules, ", ") }
