package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
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
			p.Panels = append(p.Panels, before(l.Rules, v, s, sys, own, true)...)
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
			p.Panels = append(p.Panels, before(l.Rules, v, s, sys, optionPanels(l.Rules, v, s, sys), false)...)
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

// volley tells all shots of one roll, beginning with the current entry.
func (n *Narrator) volley(f *ship.Fire, cite string) {
	var fewShots [4]*ship.Fire
	var fewHits [4]*ship.ShieldHit
	shots, hits := fewShots[:0], fewHits[:0]
	i := n.at - 1
	for ; i < len(n.View.Events); i++ {
		switch b := n.View.Events[i].Body.(type) {
		case *ship.Fire:
			if b.Named != f.Named {
				goto done
			}
			shots = append(shots, b)
		case *ship.ShieldHit:
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
	switch {
	case f.Hit && f.Shield == 0: // in the dark the firer may not know the shield
		verdict = "hit"
	case f.Hit:
		shield := strconv.Itoa(f.Shield)
		for _, s := range shots[1:] { // one shot of a bank may be evaded
			if other := strconv.Itoa(s.Shield); !strings.Contains(shield, other) {
				shield += " and " + other
			}
		}
		verdict = "hit on shield " + shield
		if f.Graze {
			verdict = "grazes shield " + shield
		}
	}
	weapon := f.Weapon
	if len(shots) == 1 && n.mounts(f) > 1 {
		weapon += "-" + strconv.Itoa(f.Mount)
	}
	n.Line(0, cite, n.View.Name(f.Ship), " fires ", weapon, " (", count(len(shots)), f.Family, ") at ", n.seenAs(f.Target),
		": range ", strconv.Itoa(f.Range), ", chart ", f.Chart, n.took(f), ": ", verdict)
	n.shots = append(n.shots, engine.Shot{Phase: n.View.Events[n.told-1].Phase, From: f.Ship, To: f.Target, Hit: f.Hit, Label: weapon, Roll: f.Roll, Points: struckPoints(shots, hits)})
	if mods := rulebook.ModifierWords(f.Modifiers); mods != "" && len(f.Rules) > 0 {
		n.Line(1, n.citation(f.Rules), fmt.Sprintf("chart number %d%s", f.Number, mods))
	}
	if f.Hit && len(hits) == 0 && f.Damage > 0 {
		n.Line(1, "", "hits for ", damageWords(shots), "; damage unknown")
	}
	for k, h := range hits {
		text := ""
		switch {
		case h.Mount == 0 && len(shots) > 1: // by the bank as a whole
			text = struckWords(shots, h) + ": "
		case k < len(shots):
			text = struckWords(shots[k:k+1], h) + ": "
		}
		n.Line(1, n.citation(n.l.Cite(cites.ShieldDamage)), text+shieldWords(h))
	}
}

// struckPoints returns the points with which shots of one roll struck: as they were fired, or, to a viewer who does not
// know that, as they arrived.
func struckPoints(shots []*ship.Fire, hits []*ship.ShieldHit) int {
	fired, struck := 0, 0
	for _, s := range shots {
		if s.Hit {
			fired += s.Damage
		}
	}
	for _, h := range hits {
		struck += h.Absorbed + h.Through
	}
	return max(fired, struck)
}

// took returns the number that a shot needed and the dice, if the viewer knows them.
func (n *Narrator) took(f *ship.Fire) string {
	if f.Roll == 0 {
		return ""
	}
	return ", " + rulebook.TriedWords(f.Need, nil, f.Roll, rulebook.SlimRoll{Slim: f.Slim, Second: f.Second})
}

// struckWords returns the damage of shots to a viewer who knows how the weapon was armed, or only
// what arrived.
func struckWords(shots []*ship.Fire, h *ship.ShieldHit) string {
	f := shots[0]
	if f.Base > 0 {
		return damageWords(shots)
	}
	text := fmt.Sprintf("%d points", h.Absorbed+h.Through)
	if f.Evaded {
		text += ", halved by evasion"
	}
	return text
}

// shieldWords returns in words what a shield absorbed.
func shieldWords(h *ship.ShieldHit) string {
	switch {
	case h.Absorbed == 0:
		return fmt.Sprintf("shield %d is down, %s", h.Shield, goThrough("all ", h.Through))
	case h.Through > 0:
		return fmt.Sprintf("shield %d takes %d and is gone, %s", h.Shield, h.Absorbed, goThrough("", h.Through))
	case h.Before > 0:
		return fmt.Sprintf("shield %d takes all, %d of %d left", h.Shield, h.After, h.Before)
	}
	return fmt.Sprintf("shield %d takes all", h.Shield)
}

// mounts returns the number of mounts in the bank of a shot, as far as the viewer knows.
func (n *Narrator) mounts(f *ship.Fire) int {
	if s, ok := n.View.Ship(f.Ship); ok {
		if sys, isOwn := s.System.(*ship.State); isOwn {
			if b, found := sys.Bank(f.Weapon); found {
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

func damageWords(shots []*ship.Fire) string {
	var parts []string
	for _, s := range shots {
		switch {
		case s.Evaded:
			parts = append(parts, fmt.Sprintf("%d points, halved to %d by evading", s.Base+s.Bonus, s.Damage))
		case s.Bonus > 0:
			parts = append(parts, fmt.Sprintf("%d+%d points", s.Base, s.Bonus))
		default:
			parts = append(parts, fmt.Sprintf("%d points", s.Base))
		}
	}
	return strings.Join(parts, " and ")
}

func (n *Narrator) damage(b *ship.Damage, cite string) {
	var did []string
	if b.Shield != nil {
		did = append(did, b.Shield.Name+" damaged")
	}
	if b.Lost != nil {
		did = append(did, b.Lost.Name+" "+b.Lost.After)
	}
	if b.Power != nil {
		did = append(did, fmt.Sprintf("power %d to %d", b.Power.Before, b.Power.After))
	}
	did = append(did, engineWords(b.Engines)...)
	if b.Superstructure != nil {
		did = append(did, fmt.Sprintf("superstructure %d to %d", b.Superstructure.Before, b.Superstructure.After))
	}
	if b.Sensors != nil {
		did = append(did, "no fire in the next fire phase")
	}
	if slices.ContainsFunc(b.Tracks, func(m ship.Marked) bool { return m.System == ship.NameSensors }) {
		did = append(did, "sensors damaged: no fire, no lock and no warping out until repaired")
	}
	for _, name := range b.Down {
		did = append(did, ship.GridTitle(name)+" damaged")
	}
	if b.Casualties != nil {
		did = append(did, "casualties "+perCent(b.Casualties.Before)+" to "+perCent(b.Casualties.After))
	}
	text := strings.Join(did, ", ")
	if b.Note != "" {
		text += " (" + b.Note + ")"
	}
	if text != "" {
		text = ": " + text
	}
	by := b.Weapon
	if b.From != "" { // otherwise it was no ship
		by += " of " + n.View.Name(b.From)
	}
	n.Line(0, cite, fmt.Sprintf("%s takes %d from %s: die %d, %s%s", n.View.Name(b.Ship), b.Points, by, b.Roll, rulebook.LocationWords(b), text))
}

func (n *Narrator) repower(b *ship.Repower, cite string) {
	var parts []string
	for i, c := range b.Shields {
		if c.Before != c.After {
			parts = append(parts, fmt.Sprintf("%d from %d to %d", i+1, c.Before, c.After))
		}
	}
	n.Line(0, cite, n.View.Name(b.Ship), " powers shields again: ", strings.Join(parts, ", "))
}

// perCent returns tenths of a per cent as a percentage.
func perCent(tenths int) string {
	if tenths%10 == 0 {
		return strconv.Itoa(tenths/10) + "%"
	}
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}
