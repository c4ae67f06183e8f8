package console

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"starpost/pbem/referee"
)

// Trace prints the causes and effects of an event.
func Trace(w io.Writer, t *referee.Trace) {
	fmt.Fprintf(w, "%s, turn %d, event %d", t.Game, t.Turn, t.Event)
	if t.Revision > 1 {
		fmt.Fprintf(w, ", revision %d", t.Revision)
	}
	fmt.Fprintln(w)
	if t.Version != "" {
		fmt.Fprintf(w, "played by version %s of the rule set; worded as in this program's version\n", t.Version)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Seen)) {
		fmt.Fprintf(w, "in the report of %s it is %d.%d\n", name, t.Turn, t.Seen[name])
	}
	if len(t.Seen) == 0 {
		fmt.Fprintln(w, "no captain sees it")
	}
	heading(w, "Ordered by")
	if len(t.Orders) == 0 && t.Unexplained == "" {
		fmt.Fprintln(w, "no one: it follows from the rules alone")
	}
	if t.Unexplained != "" {
		fmt.Fprintf(w, "not known, as the turn cannot be played again: %s\n", t.Unexplained)
	}
	for _, o := range t.Orders {
		fmt.Fprintln(w, orderLine(o))
	}
	if len(t.Before) > 0 {
		heading(w, "Causes")
		for _, l := range t.Before {
			showLink(w, l)
		}
	}
	heading(w, "The event")
	showLink(w, t.Link)
	if len(t.After) > 0 || len(t.Later) > 0 {
		heading(w, "Consequences")
	}
	for _, l := range t.After {
		showLink(w, l)
	}
	for _, l := range t.Later {
		fmt.Fprintf(w, "later: %s\n", l)
	}
}

func showLink(w io.Writer, l referee.Link) {
	showEvent(w, l.Told)
	for _, d := range l.Dice {
		fmt.Fprintf(w, "       die %s %s: %d\n", d.Dice, d.Name, d.Value)
	}
	for _, y := range l.Why {
		fmt.Fprintf(w, "       %s\n", y)
	}
}

func orderLine(o referee.OrderLine) string {
	line := fmt.Sprintf("%s:%d: %s", o.File, o.Line, o.Text)
	switch {
	case o.Policy != "":
		line += " (no orders came: written by the " + o.Policy + ")"
	case o.Mail != nil:
		line += " (mail " + mailName(o.Mail)
		if o.Proof != "" {
			line += ", proof: " + o.Proof
		}
		line += ")"
	}
	return line
}
