package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
)

// Teller is a book with the texts of its events.
type Teller struct {
	*rulebook.Rules
	Events family.Events[*Narrator, *rulebook.Rules]
}

// Narrator tells the events of a view in order. It combines the moves of one ship in a phase into
// one line, and the shots of a volley with the shield hits they cause into one line and its
// details.
type Narrator struct {
	l        *rulebook.Rules
	events   family.Events[*Narrator, *rulebook.Rules]
	View     *engine.View
	chapters []engine.Chapter
	text     strings.Builder // all lines, cut apart at the end
	ends     []int           // the end of each line in text
	moves    []*engine.Move
	moved    int      // the number of the first of moves
	phase    int      // the phase of moves
	rule     []string // the rules of moves
	shots    []engine.Shot
	told     int // entries before this index have been told
	at       int // the number of the current entry
	cited    []string
	cite     string // the citation of cited
}

// Present returns a view in words, tables and overlays.
func (l *Teller) Present(v *engine.View) engine.Presentation {
	v = plainly(v)
	n := &Narrator{l: l.Rules, events: l.Events, View: v}
	for i := range v.Events {
		n.entry(i)
	}
	n.flushMove()
	p := engine.Presentation{Phases: n.finish(), Shots: n.shots, Marks: Marks(l.Rules, v)}
	if v.Round == 0 { // reports in the middle of a turn are short
		p.Panels = append(p.Panels, v.GoalsPanel())
	}
	for _, s := range v.Ships {
		if sys, ok := s.System.(*ship.State); ok && !s.Kind.Small() && (s.Own || v.Viewer.All) {
			own := shipPanels(l.Rules, v, s, sys)
			for _, part := range l.Parts {
				own = append(own, part.Panels(l.Rules, v, s, sys)...)
			}
			p.Panels = append(p.Panels, panelsFor(l.Rules, v, s, sys, own, true)...)
		}
	}
	if v.Dark {
		p.Panels = append(append(append(p.Panels, dark.InstrumentPanels(v)...), darkPanel(l.Rules, v)), v.Sheets...)
	} else {
		p.Panels = append(p.Panels, othersPanel(l.Rules, v))
	}
	if v.Turn == 0 && v.Due == 1 && v.Round == 0 && v.Dark {
		p.Panels = append(p.Panels, darkAdvice(v))
	}
	if v.Turn == 0 && v.Due == 1 && v.Round == 0 && len(l.Advice) > 0 {
		p.Panels = append(p.Panels, engine.Panel{Key: "advice", Title: "For your first turn", Notes: l.Advice})
	}
	for _, s := range v.Ships {
		if sys, ok := s.System.(*ship.State); ok && s.Own && v.Result == nil && s.Status == engine.Active && v.Round == 0 {
			p.Panels = append(p.Panels, panelsFor(l.Rules, v, s, sys, optionPanels(l.Rules, v, s, sys), false)...)
		}
	}
	return p
}

// Marks returns the overlays of the map, by ship.
func Marks(l *rulebook.Rules, v *engine.View) map[engine.ShipID]engine.Overlay {
	marks := make(map[engine.ShipID]engine.Overlay, len(v.Ships))
	for _, s := range v.Ships {
		if sys, ok := s.System.(*ship.State); ok && !s.Kind.Small() && (s.Own || v.Viewer.All) {
			o := overlay(l, sys)
			if held, captain := heldBy(v, s); !captain { // an officer's map shows no more than the panels
				if !slices.Contains(held, ship.PostScience) {
					o.Shields = nil
				}
				if !slices.Contains(held, ship.PostWeapons) {
					o.Arcs = nil
				}
			}
			marks[s.ID] = o
		} else if rulebook.StandsStill(s) {
			marks[s.ID] = engine.Overlay{Fixed: true}
		} else if k, ok := s.System.(*ship.Public); ok && k.Cloaked {
			marks[s.ID] = engine.Overlay{Cloaked: true}
		}
	}
	return marks
}

// Line adds a sentence, given in parts. All sentences share one string, since a report of twenty
// ships has hundreds.
func (n *Narrator) Line(depth int, cite string, parts ...string) {
	if n.text.Len() == 0 {
		n.text.Grow(48 * len(n.View.Events))
	}
	for _, p := range parts {
		n.text.WriteString(p)
	}
	n.ends = append(n.ends, n.text.Len())
	c := &n.chapters[len(n.chapters)-1]
	l := engine.Line{Depth: depth, Cite: cite}
	if depth == 0 {
		l.N = n.at
	}
	c.Lines = append(c.Lines, l)
}

// finish gives each line its text.
func (n *Narrator) finish() []engine.Chapter {
	text, start, k := n.text.String(), 0, 0
	for i := range n.chapters {
		lines := n.chapters[i].Lines
		for j := range lines {
			lines[j].Text = text[start:n.ends[k]]
			start = n.ends[k]
			k++
		}
	}
	return n.chapters
}

// citation formats a citation of rules, and caches it since consecutive events mostly cite the same.
func (n *Narrator) citation(rules []string) string {
	if !slices.Equal(rules, n.cited) {
		n.cited, n.cite = rules, engine.Cite(rules)
	}
	return n.cite
}

func (n *Narrator) chapter(e *engine.Entry) {
	title := "Power and advantage"
	switch {
	case e.Phase > 0:
		title = "Phase " + strconv.Itoa(e.Phase)
	case e.Step == "end":
		title = "End of the turn"
	}
	if len(n.chapters) == 0 || n.chapters[len(n.chapters)-1].Title != title {
		n.chapters = append(n.chapters, engine.Chapter{Title: title, Lines: make([]engine.Line, 0, 32)})
	}
}

func (n *Narrator) entry(i int) {
	if i < n.told {
		return
	}
	e := &n.View.Events[i]
	m, isMove := e.Body.(*engine.Move)
	if isMove && len(n.moves) > 0 && (n.phase != e.Phase || n.moves[0].Ship != m.Ship || n.moves[0].Reactive != m.Reactive) || !isMove {
		n.flushMove()
	}
	n.chapter(e)
	if isMove {
		if n.moves = append(n.moves, m); len(n.moves) == 1 {
			n.moved = e.N
		}
		n.phase, n.rule = e.Phase, e.Rule
		return
	}
	n.at = e.N
	if cite := n.citation(e.Rule); !n.events.Tell(n, e.Body, cite) {
		if line, ok := n.View.Tell(*e); ok {
			n.Line(0, line.Cite, line.Text)
		}
	}
}

func (n *Narrator) flushMove() {
	if len(n.moves) == 0 {
		return
	}
	first, last := n.moves[0], n.moves[len(n.moves)-1]
	words := first.Word
	for _, m := range n.moves[1:] {
		words += " " + m.Word
	}
	if first.Reactive != "" {
		words = first.Reactive + " = " + words
	}
	n.at = n.moved
	name, at, heading, cite := n.View.Name(first.Ship), last.To.Hex.Label(), last.To.Heading.String(), n.citation(n.rule)
	switch {
	case first.From == last.To:
		n.Line(0, cite, name, " holds at ", at, ", heading ", heading, " (", words, ")")
	case first.From.Heading == last.To.Heading:
		n.Line(0, cite, name, " moves ", first.From.Hex.Label(), " -> ", at, ", heading ", heading, " (", words, ")")
	default:
		n.Line(0, cite, name, " moves ", first.From.Hex.Label(), " -> ", at, ", heading ", first.From.Heading.String(), " to ", heading, " (", words, ")")
	}
	n.moves = n.moves[:0]
}

func (n *Narrator) power(b *ship.PowerSet, cite string) {
	points, split := words.MovementPoints(b.Points), tactical.JoinInts(b.Split)
	if s, ok := n.View.Ship(b.Ship); ok && s.Own {
		if held, captain := heldBy(n.View, s); !captain {
			n.Line(0, cite, n.View.Name(b.Ship), ": ", powerAt(b, held), "; ", points, ": ", split)
			return
		}
	}
	if b.ShieldPoints == nil {
		n.Line(0, cite, n.View.Name(b.Ship), " has ", points, ": ", split)
		return
	}
	if b.Available == 0 { // with no power she would be out of the fight
		n.Line(0, cite, n.View.Name(b.Ship), " is crippled: her engines produce no power")
		return
	}
	n.Line(0, cite, fmt.Sprintf("%s: %d power: %d to movement, %d to shields, %d to weapons, %s%d unused; %s: %s",
		n.View.Name(b.Ship), b.Available, b.Movement, b.Shields, b.Weapons, cloakShare(b.Cloak)+labsShare(b.Labs), b.Unused, points, split))
}

func (n *Narrator) advantage(b *ship.Advantage, cite string) {
	i := n.at - 1
	for k := range i { // a viewer of the whole order needs no partial ones
		whole, ok := n.View.Events[k].Body.(*ship.Advantage)
		if ok && !slices.ContainsFunc(b.Order, func(id engine.ShipID) bool { return !slices.Contains(whole.Order, id) }) {
			return
		}
	}
	rolls := map[engine.ShipID]string{} // by ship: its roll, with any rolls after ties appended
	for k := range i {
		r, ok := n.View.Events[k].Body.(*engine.Roll)
		if !ok {
			continue
		}
		_, who, ok := strings.Cut(r.Name.String(), ".advantage.")
		if !ok {
			continue
		}
		id, _, again := strings.Cut(who, ".")
		value := strconv.Itoa(r.Value)
		if again {
			value = rolls[engine.ShipID(id)] + " then " + value
		}
		rolls[engine.ShipID(id)] = value
	}
	thrown := func(id engine.ShipID) string {
		if dice := rolls[id]; dice != "" {
			return n.View.Name(id) + " " + dice
		}
		return n.View.Name(id)
	}
	if len(b.Order) == 2 {
		how := b.How // used if no dice were rolled
		if ids := slices.Sorted(slices.Values(b.Order)); len(rolls) > 0 {
			how = thrown(ids[0]) + ", " + thrown(ids[1])
		}
		n.Line(0, cite, "Tactical advantage: ", how, ": ", n.View.Name(b.Order[1]), " has it")
		return
	}
	var names []string
	for _, id := range b.Order {
		names = append(names, thrown(id))
	}
	n.Line(0, cite, "Tactical advantage, worst to best: ", strings.Join(names, ", "))
}
