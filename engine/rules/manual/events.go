package manual

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
)

// none stands for the rules in rows of this family, which need none.
type none struct{}

type told[T any] = family.Told[*narrator, none, *T]

// events are the rule set's events, and its words for events defined elsewhere.
var events = family.ListEvents(
	family.Own("ordered", told[Ordered]{Tell: func(n *narrator, b *Ordered, cite string) {
		n.line(0, cite, "The orders of %s:", n.v.Name(b.Ship))
		for _, l := range b.Lines {
			n.line(1, "", "%s", l)
		}
	}}),
	family.Own("told", told[Told]{Tell: (*narrator).told, Unknown: func(_ none, b *Told, _ *dark.Observer) (engine.Body, []string) {
		return b, nil // the referee's words for a captain: one of them may be a ship's name
	}}),
	family.Own("part", told[Part]{
		Tell:  func(n *narrator, b *Part, _ string) { n.open(b.Title) },
		Alone: func(_ none, _ *engine.View, b *Part) string { return "Another part of the report: " + b.Title },
	}),
	family.Own("mark", told[Mark]{Tell: func(n *narrator, b *Mark, cite string) { n.line(0, cite, "%s", markWords(n.v, b)) }}),
	family.Own("sight", told[sighted]{Tell: func(n *narrator, b *sighted, cite string) {
		how := "is out of"
		if b.Seen {
			how = "comes into"
		}
		n.line(0, cite, "%s %s sight of %s", b.Name, how, n.v.Name(b.By))
	}}),
	family.Own("shot", told[Shot]{Tell: (*narrator).shot, Unknown: shotInTheDark}),
	family.Own("shot-seen", told[shotSeen]{Tell: func(n *narrator, b *shotSeen, cite string) { n.shot((*Shot)(b), cite) }}, engine.InPlace),
	family.Own("enter", told[Enter]{Tell: func(n *narrator, b *Enter, cite string) {
		n.line(0, cite, "%s enters at %s, heading %s", n.v.Name(b.Ship), b.To.Hex.Label(), b.To.Heading)
	}}),
	family.Own("pace", told[pace]{}),
	family.Own("probe", told[probeLaunch]{Hers: true, Tell: func(n *narrator, b *probeLaunch, cite string) {
		n.line(0, cite, "%s launches a probe, %s", n.v.Name(b.Ship), b.Craft)
	}}),
	family.Also(told[engine.Roll]{
		Tell: func(n *narrator, b *engine.Roll, cite string) {
			_, name, _ := strings.Cut(b.Name.String(), ".")
			n.line(0, cite, "Die %s (%s): %d", name, b.Dice, b.Value)
		},
		Unknown: func(_ none, b *engine.Roll, to *dark.Observer) (engine.Body, []string) { return to.Retell(b), nil },
	}),
	family.Also(told[engine.Charted]{Tell: (*narrator).charted}),
	family.Also(told[engine.Absent]{Tell: func(n *narrator, b *engine.Absent, cite string) {
		n.line(0, cite, "No orders came for %s: the referee acted for her", n.v.Name(b.Ship))
	}}),
	family.Also(told[engine.Skip]{Tell: func(n *narrator, b *engine.Skip, cite string) { // a line of a filing made impossible by a later ruling
		if b.Ship != "" {
			n.line(0, cite, "%s could not carry out %q: %s", n.v.Name(b.Ship), b.Order, b.Reason)
			return
		}
		n.line(0, cite, "Line %d of the filing could no longer be played: %s", b.Line, b.Reason)
	}}),
	family.Also(told[engine.Talk]{Tell: func(*narrator, *engine.Talk, string) {}}), // the report has a separate place for messages
)
