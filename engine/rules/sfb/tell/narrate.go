package tell

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
)

// Told is what is said about events of a type, in one row.
type Told[T any] = family.Told[*narrator, *rulebook.Rules, *T]

// Event is such a row with its type. The rows of a part's events are with the part, all others in [EventsOf].
type Event = family.Event[*narrator, *rulebook.Rules]

// Teller is a book with the words for its events.
type Teller struct {
	*rulebook.Rules
	Events family.Events[*narrator, *rulebook.Rules]
}

// Says returns a row's Tell function that describes an event in a sentence, after the impulse.
func Says[T any](words func(l *rulebook.Rules, v *engine.View, b *T) string) func(*narrator, *T, string) {
	return func(n *narrator, b *T, cite string) { n.line(0, cite, "%s%s", n.on(), words(n.l, n.v, b)) }
}

// because returns an explanation that is the same for all events of a type.
func because[T any](why string) func(*rulebook.Rules, *engine.Story, int, *T) []string {
	return func(*rulebook.Rules, *engine.Story, int, *T) []string { return []string{why} }
}

// narrator describes the events of a view in order. Consecutive moves become one line for each ship; the points of a
// volley become details of one line.
type narrator struct {
	l        *rulebook.Rules
	events   family.Events[*narrator, *rulebook.Rules]
	v        *engine.View
	chapters []engine.Chapter
	moves    []movesOf
	shots    []engine.Shot
	at       int // the number of the current entry
	phase    int // ... and its impulse; 0 if none
}

// on names the impulse of the current entry.
func (n *narrator) on() string {
	if n.phase == 0 {
		return ""
	}
	return fmt.Sprintf("Impulse %d: ", n.phase)
}

// movesOf is a ship's moves that become one line.
type movesOf struct {
	ship                engine.ShipID
	words, reactive     string
	number, first, last int
	from, to            engine.Place
	cite                string
}

func (n *narrator) line(depth int, cite, format string, args ...any) {
	c := &n.chapters[len(n.chapters)-1]
	l := engine.Line{Depth: depth, Text: fmt.Sprintf(format, args...)}
	if depth == 0 {
		l.Cite, l.N = cite, n.at
	}
	c.Lines = append(c.Lines, l)
}

func (n *narrator) chapter(e *engine.Entry) {
	title := "Energy and speeds"
	switch {
	case e.Phase > 0:
		phase := n.l.PhaseOf(e.Phase)
		first, last := n.l.Span(phase)
		title = fmt.Sprintf("Phase %d (impulses %d to %d)", phase, first, last)
	case e.Step == "repair" || e.Step == "end":
		title = "End of the turn"
	}
	if len(n.chapters) == 0 || n.chapters[len(n.chapters)-1].Title != title {
		n.flush()
		n.chapters = append(n.chapters, engine.Chapter{Title: title})
	}
}

func (n *narrator) entry(i int) {
	e := &n.v.Events[i]
	n.chapter(e)
	switch b := e.Body.(type) {
	case *engine.Move:
		n.move(e, b)
		return
	case *engine.Roll, *state.Helm, *state.Meeting, *state.StandingSet, *engine.Talk, *dark.Wake:
		return // described with their results, or elsewhere
	}
	n.flush()
	n.at, n.phase = e.N, e.Phase
	if cite := engine.Cite(e.Rule); !n.events.Tell(n, e.Body, cite) {
		if l, ok := n.v.Tell(*e); ok {
			n.line(0, cite, "%s%s", n.on(), l.Text)
		}
	}
}

// absent says once for all phases of a turn that no orders came.
func (n *narrator) absent(b *engine.Absent, cite string) {
	i := n.at - 1
	var phases []string
	for k, e := range n.v.Events {
		if o, ok := e.Body.(*engine.Absent); ok && *o == *b {
			if k < i {
				return
			}
			phases = append(phases, strconv.Itoa(n.l.PhaseOf(max(1, e.Phase))))
		}
	}
	l, _ := n.v.Tell(n.v.Events[i])
	if len(phases) > 1 {
		l.Text = strings.Replace(l.Text, ":", " in phases "+strings.Join(phases, ", ")+":", 1)
	}
	n.line(0, cite, "%s", l.Text)
}

// move adds a move to those of its ship.
func (n *narrator) move(e *engine.Entry, b *engine.Move) {
	for i := range n.moves {
		if m := &n.moves[i]; m.ship == b.Ship && m.reactive == b.Reactive {
			m.words, m.last, m.to = m.words+" "+b.Word, e.Phase, b.To
			return
		}
	}
	n.moves = append(n.moves, movesOf{b.Ship, b.Word, b.Reactive, e.N, e.Phase, e.Phase, b.From, b.To, engine.Cite(e.Rule)})
}

func (n *narrator) flush() {
	for _, m := range n.moves {
		when := fmt.Sprintf("Impulse %d", m.first)
		if m.last > m.first {
			when = fmt.Sprintf("Impulses %d to %d", m.first, m.last)
		}
		words := m.words
		if m.reactive != "" {
			words = m.reactive + " = " + words
		}
		heading := "heading " + m.to.Heading.String()
		if m.from.Heading != m.to.Heading {
			heading = "heading " + m.from.Heading.String() + " to " + m.to.Heading.String()
		}
		n.at = m.number
		n.line(0, m.cite, "%s: %s moves %s -> %s, %s (%s)", when, n.v.Name(m.ship), m.from.Hex.Label(), m.to.Hex.Label(), heading, words)
	}
	n.moves = nil
}

// thrown describes the dice for the order of movement that precede the current entry.
func (n *narrator) thrown() string {
	var parts []string
	for k := range n.at - 1 {
		if r, ok := n.v.Events[k].Body.(*engine.Roll); ok {
			if _, who, is := strings.Cut(r.Name.String(), ".order."); is {
				id, _, _ := strings.Cut(who, ".")
				parts = append(parts, fmt.Sprintf("%s %d", n.v.Name(engine.ShipID(id)), r.Value))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (dice: " + strings.Join(parts, ", ") + ")"
}

// armingWords says what is armed and held.
func armingWords(l *rulebook.Rules, v *engine.View, b *state.Energy) []string {
	var out []string
	s, _ := v.Ship(b.Ship)
	sys, own := s.System.(*state.System)
	for _, name := range slices.Sorted(maps.Keys(b.Arm)) {
		text := name + " armed"
		if own {
			if w := sys.Weapon(name); w >= 0 && b.Arm[name] < l.Charts[sys.Bank(w).Kind].Turns {
				text = fmt.Sprintf("%s has %d of %d turns of arming", name, b.Arm[name], l.Charts[sys.Bank(w).Kind].Turns)
			}
		}
		if b.Over[name] > 0 {
			text += fmt.Sprintf(", overloaded with %d", b.Over[name])
		}
		out = append(out, text)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Over)) {
		if _, too := b.Arm[name]; !too {
			out = append(out, name+" overloaded for this turn")
		}
	}
	for _, name := range b.Hold {
		out = append(out, name+" held")
	}
	return out
}

func (n *narrator) fire(b *state.Fire, cite string) {
	on := n.on()
	if b.Blind {
		did := "no result is reported"
		switch {
		case b.Hit && b.Target != "":
			did = fmt.Sprintf("it hits %s, range %d counts as %d: %s on shield %d", n.v.Name(b.Target), b.Range, b.Counts, phrase.Points(b.Points), b.Shield)
		case b.Hit:
			did = "it has hit something"
		}
		n.line(0, cite, "%s%s fires %s blind, die %d: %s", on, n.v.Name(b.Ship), b.Weapon, b.Roll, did)
		return
	}
	took := fmt.Sprintf("die %d", b.Roll)
	if b.More > 0 {
		took += fmt.Sprintf("+%d", b.More)
	}
	if b.Need > 0 {
		took = fmt.Sprintf("needs %d or less, %s", b.Need, took)
	}
	did := "nothing"
	switch {
	case b.Hit && b.Shield > 0 && n.l.Charts[b.Kind].Beam.Shield > 0:
		did = fmt.Sprintf("a hit on shield %d, %s", b.Shield, play.BeamWords(n.l.Charts[b.Kind].Beam))
	case b.Hit && b.Shield > 0:
		did = fmt.Sprintf("%s on shield %d", phrase.Points(b.Points), b.Shield)
	case b.Hit:
		did = phrase.Points(b.Points)
	case b.Need > 0:
		did = "a miss"
	}
	rng := strconv.Itoa(b.Range)
	switch {
	case b.Counts == b.Range+b.Scanner && b.Scanner > 0:
		rng += fmt.Sprintf(" counts as %d because of her scanner", b.Counts)
	case b.Counts > 0 && b.Scanner > 0:
		rng += fmt.Sprintf(" counts as %d because of her scanner and the target's cloak", b.Counts)
	case b.Counts > 0:
		rng += fmt.Sprintf(" counts as %d because the target is cloaked", b.Counts)
	}
	weapon := b.Weapon
	if b.Aimed > 0 {
		did += fmt.Sprintf(", aimed at row %d", b.Aimed)
	}
	if b.Over > 0 {
		weapon += " overloaded"
		did += fmt.Sprintf("; its own die is %d", b.Own)
	}
	n.line(0, cite, "%s%s fires %s at %s: range %s, %s: %s", on, n.v.Name(b.Ship), weapon, n.v.Name(b.Target), rng, took, did)
	n.shots = append(n.shots, engine.Shot{Phase: n.phase, From: b.Ship, To: b.Target, Hit: b.Hit, Label: b.Weapon, Roll: b.Roll, Points: b.Points})
}

// struckWords says what stopped a volley.
func struckWords(b *state.Struck) string {
	var parts []string
	if b.AllRound > 0 {
		parts = append(parts, fmt.Sprintf("general reinforcement stops %d", b.AllRound))
	}
	if b.Reinforce > 0 {
		parts = append(parts, fmt.Sprintf("reinforcement stops %d", b.Reinforce))
	}
	switch took := b.Before - b.After; {
	case b.Down || b.Before == 0 && b.Inside > 0:
		parts = append(parts, "the shield is down")
	case took > 0 && b.After == 0:
		parts = append(parts, fmt.Sprintf("its last %s gone", phrase.Counted(took, "box is", "boxes are")))
	case took > 0:
		parts = append(parts, fmt.Sprintf("%d of %d boxes are left", b.After, b.Before))
	}
	if b.Inside > 0 {
		parts = append(parts, fmt.Sprintf("%s inside", phrase.Points(b.Inside)))
	}
	return strings.Join(parts, ", ")
}

// damageWords describes one point inside.
func damageWords(b *state.Damage) string {
	text := fmt.Sprintf("die %d: ", b.Roll)
	switch {
	case b.Aimed && b.Half:
		text = fmt.Sprintf("aimed at row %d, half of what got inside: ", b.Roll)
	case b.Aimed:
		text = fmt.Sprintf("aimed at row %d: ", b.Roll)
	case b.Roll == 0:
		text = "first: "
	}
	for _, c := range b.Passed {
		text += "no " + string(c) + " left, "
	}
	if b.Bank == "" {
		return text + "no excess damage box is left"
	}
	text += string(b.Category)
	if string(b.Category) != b.Bank {
		text += ": " + b.Bank
	}
	return fmt.Sprintf("%s, %d to %d", text, b.Before, b.After)
}
