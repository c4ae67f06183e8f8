package stcs

import (
	"fmt"
	"strings"

	"starpost/engine"
)

// present puts a view into words, tables and overlays.
func (l *course) present(v *engine.View) engine.Presentation {
	n := &narrator{v: v}
	for i := range v.Events {
		n.entry(i)
	}
	n.flushMove()
	p := engine.Presentation{Phases: n.chapters, Shots: n.shots, Marks: map[string]engine.Overlay{}}
	p.Panels = append(p.Panels, v.GoalsPanel())
	for _, s := range v.Ships {
		if sys, ok := s.System.(*System); ok && (s.Own || v.Viewer.All) {
			p.Panels = append(p.Panels, l.shipPanels(v, s, sys)...)
			p.Marks[s.ID] = l.overlay(sys)
		}
	}
	p.Panels = append(p.Panels, l.othersPanel(v))
	for _, s := range v.Ships {
		if sys, ok := s.System.(*System); ok && s.Own && v.Result == nil && s.Status == engine.Active {
			p.Panels = append(p.Panels, l.optionPanels(v, s, sys)...)
		}
	}
	return p
}

// narrator tells the events of a view in order. Moves of one ship in a phase
// become one line; a volley's shots and what they did to shields become one
// line and its details.
type narrator struct {
	v        *engine.View
	chapters []engine.Chapter
	moves    []*engine.Move
	phase    int // of the moves
	cite     string
	shots    []engine.Shot
	told     int // entries before this index are told already
}

func (n *narrator) line(depth int, cite, format string, args ...any) {
	c := &n.chapters[len(n.chapters)-1]
	c.Lines = append(c.Lines, engine.Line{Depth: depth, Text: fmt.Sprintf(format, args...), Cite: cite})
}

func (n *narrator) chapter(e engine.Entry) {
	title := "Power and advantage"
	switch {
	case e.Phase > 0:
		title = fmt.Sprintf("Phase %d", e.Phase)
	case e.Step == "end":
		title = "End of the turn"
	}
	if len(n.chapters) == 0 || n.chapters[len(n.chapters)-1].Title != title {
		n.chapters = append(n.chapters, engine.Chapter{Title: title})
	}
}

func (n *narrator) entry(i int) {
	e := n.v.Events[i]
	if i < n.told {
		return
	}
	m, isMove := e.Body.(*engine.Move)
	if isMove && len(n.moves) > 0 && (n.phase != e.Phase || n.moves[0].Ship != m.Ship || n.moves[0].Reactive != m.Reactive) || !isMove {
		n.flushMove()
	}
	n.chapter(e)
	cite := engine.Cite(e.Rule)
	if isMove {
		n.moves = append(n.moves, m)
		n.phase, n.cite = e.Phase, cite
		return
	}
	if line, ok := n.v.Tell(e); ok {
		n.line(0, line.Cite, "%s", line.Text)
		return
	}
	switch b := e.Body.(type) {
	case *PowerSet:
		n.power(b, cite)
	case *Advantage:
		n.advantage(i, b, cite)
	case *Fire:
		n.volley(i, b, cite)
	case *Damage:
		n.damage(b, cite)
	case *Shed:
		n.line(0, cite, "%s gives less power than was allotted: %d of %d kept", n.v.Name(b.Ship), b.Power.After, b.Power.Before)
		for _, d := range b.Detail {
			n.line(1, "", "%s", d)
		}
	case *Repower:
		n.repower(b, cite)
	}
}

func (n *narrator) flushMove() {
	if len(n.moves) == 0 {
		return
	}
	first, last := n.moves[0], n.moves[len(n.moves)-1]
	var words []string
	for _, m := range n.moves {
		words = append(words, m.Word)
	}
	name := n.v.Name(first.Ship)
	how := strings.Join(words, " ")
	if first.Reactive != "" {
		how = first.Reactive + " = " + how
	}
	switch {
	case first.From == last.To:
		n.line(0, n.cite, "%s holds at %s, heading %s (%s)", name, last.To.Hex.Label(), last.To.Heading, how)
	case first.From.Heading == last.To.Heading:
		n.line(0, n.cite, "%s moves %s -> %s, heading %s (%s)", name, first.From.Hex.Label(), last.To.Hex.Label(), last.To.Heading, how)
	default:
		n.line(0, n.cite, "%s moves %s -> %s, heading %s to %s (%s)", name, first.From.Hex.Label(), last.To.Hex.Label(), first.From.Heading, last.To.Heading, how)
	}
	n.moves = nil
}

func (n *narrator) power(b *PowerSet, cite string) {
	moves := fmt.Sprintf("%s: %s", movementPoints(b.Points), joinInts(b.Split))
	if b.ShieldPoints == nil {
		n.line(0, cite, "%s has %s", n.v.Name(b.Ship), moves)
		return
	}
	n.line(0, cite, "%s: %d power: %d to movement, %d to shields, %d to weapons, %d unused; %s",
		n.v.Name(b.Ship), b.Available, b.Movement, b.Shields, b.Weapons, b.Unused, moves)
}

func (n *narrator) advantage(i int, b *Advantage, cite string) {
	var rolls []string
	for _, e := range n.v.Events[:i] {
		if r, ok := e.Body.(*engine.Roll); ok {
			if _, who, isAdv := strings.Cut(r.Name, ".advantage."); isAdv {
				id, again, _ := strings.Cut(who, ".")
				text := fmt.Sprintf("%s %d", n.v.Name(id), r.Value)
				if again != "" {
					text += " (again)"
				}
				rolls = append(rolls, text)
			}
		}
	}
	best := n.v.Name(b.Order[len(b.Order)-1])
	if len(b.Order) == 2 {
		n.line(0, cite, "Tactical advantage: %s: %s has it", strings.Join(rolls, ", "), best)
		return
	}
	var names []string
	for _, id := range b.Order {
		names = append(names, n.v.Name(id))
	}
	n.line(0, cite, "Tactical advantage, worst to best: %s", strings.Join(names, ", "))
	n.line(1, "", "dice: %s", strings.Join(rolls, ", "))
}

// volley tells all shots of one roll, from entry i on.
func (n *narrator) volley(i int, f *Fire, cite string) {
	var shots []*Fire
	var hits []*ShieldHit
	for ; i < len(n.v.Events); i++ {
		switch b := n.v.Events[i].Body.(type) {
		case *Fire:
			if b.Named != f.Named {
				goto done
			}
			shots = append(shots, b)
		case *ShieldHit:
			if b.From != f.Ship || b.Weapon != f.Weapon {
				goto done
			}
			hits = append(hits, b)
		default:
			goto done
		}
	}
done:
	n.told = i
	verdict := "miss"
	if f.Hit {
		verdict = fmt.Sprintf("hit on shield %d", f.Shield)
	}
	weapon := f.Weapon
	if len(shots) == 1 && n.mounts(f) > 1 {
		weapon = fmt.Sprintf("%s-%d", f.Weapon, f.Mount)
	}
	n.line(0, cite, "%s fires %s (%s%s) at %s: range %d, chart %s, needs %d, rolled %d: %s",
		n.v.Name(f.Ship), weapon, count(len(shots)), f.Family, n.v.Name(f.Target), f.Range, f.Chart, f.Need, f.Roll, verdict)
	n.shots = append(n.shots, engine.Shot{Phase: n.v.Events[n.told-1].Phase, From: f.Ship, To: f.Target, Hit: f.Hit, Label: weapon})
	if f.Hit && len(hits) == 0 && f.Damage > 0 {
		n.line(1, "", "strikes with %s; what it did there you cannot know", damageWords(shots))
	}
	for k, h := range hits {
		text := ""
		if k < len(shots) {
			text = damageWords(shots[k:k+1]) + ": "
		}
		switch {
		case h.Absorbed == 0:
			text += fmt.Sprintf("shield %d is down, %s", h.Shield, goThrough("all ", h.Through))
		case h.Through == 0:
			text += fmt.Sprintf("shield %d takes all, %d of %d left", h.Shield, h.After, h.Before)
		default:
			text += fmt.Sprintf("shield %d takes %d and is gone, %s", h.Shield, h.Absorbed, goThrough("", h.Through))
		}
		n.line(1, "stcs 4.6", "%s", text)
	}
}

// mounts is how many mounts the bank of a shot has, as far as the viewer knows.
func (n *narrator) mounts(f *Fire) int {
	if s, ok := n.v.Ship(f.Ship); ok {
		if sys, isOwn := s.System.(*System); isOwn {
			if b, found := sys.bank(f.Weapon); found {
				return len(b.Mounts)
			}
		}
	}
	return f.Mount
}

func goThrough(all string, n int) string {
	if n == 1 {
		return "1 goes through"
	}
	return fmt.Sprintf("%s%d go through", all, n)
}

func count(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "two x "
	case 3:
		return "three x "
	}
	return fmt.Sprintf("%d x ", n)
}

func damageWords(shots []*Fire) string {
	var parts []string
	for _, s := range shots {
		if s.Bonus > 0 {
			parts = append(parts, fmt.Sprintf("%d+%d points", s.Base, s.Bonus))
		} else {
			parts = append(parts, fmt.Sprintf("%d points", s.Base))
		}
	}
	return strings.Join(parts, " and ")
}

func (n *narrator) damage(b *Damage, cite string) {
	var did []string
	if b.Shield != nil {
		did = append(did, b.Shield.Name+" damaged")
	}
	if b.Lost != nil {
		did = append(did, b.Lost.Name+" destroyed")
	}
	if b.Power != nil {
		did = append(did, fmt.Sprintf("power %d to %d", b.Power.Before, b.Power.After))
	}
	if b.Superstructure != nil {
		did = append(did, fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After))
	}
	if b.Sensors != nil {
		did = append(did, "no fire in the next fire phase")
	}
	text := strings.Join(did, ", ")
	if b.Note != "" {
		text += " (" + b.Note + ")"
	}
	n.line(0, cite, "%s takes %d from %s of %s: die %d, %s: %s", n.v.Name(b.Ship), b.Points, b.Weapon, n.v.Name(b.From), b.Roll, b.Location, text)
}

func (n *narrator) repower(b *Repower, cite string) {
	var parts []string
	for i, c := range b.Shields {
		if c.Before != c.After {
			parts = append(parts, fmt.Sprintf("%d from %d to %d", i+1, c.Before, c.After))
		}
	}
	n.line(0, cite, "%s powers shields again: %s", n.v.Name(b.Ship), strings.Join(parts, ", "))
}
