package sfb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/steering"
)

// present puts a view into words, tables and overlays.
func (l *rulebook) present(v *engine.View) engine.Presentation {
	n := &narrator{l: l, v: v}
	for i := range v.Events {
		n.entry(i)
	}
	n.flush()
	p := engine.Presentation{Phases: n.chapters, Shots: n.shots, Marks: l.marks(v)}
	if v.Round == 0 { // reports in the middle of a turn are short
		p.Panels = append(p.Panels, v.GoalsPanel())
	}
	for _, s := range v.Ships {
		if sys, ok := s.System.(*System); ok && s.Kind == engine.KindShip && (s.Own || v.Viewer.All) {
			p.Panels = append(p.Panels, l.shipPanels(v, s, sys)...)
		}
	}
	p.Panels = append(append(append(p.Panels, l.darkPanels(v)...), v.Sheets...), l.othersPanels(v)...)
	if v.Turn == 0 && v.Due == 1 && v.Round == 0 && len(l.Advice) > 0 {
		p.Panels = append(p.Panels, engine.Panel{Key: "advice", Title: "For your first turn", Notes: l.advice(v)})
	}
	return p
}

// marks are the overlays of the map, by ship.
func (l *rulebook) marks(v *engine.View) map[engine.ShipID]engine.Overlay {
	marks := map[engine.ShipID]engine.Overlay{}
	for _, s := range v.Ships {
		known, ok := openOf(s)
		switch {
		case ok && known.Flight != nil:
			marks[s.ID] = engine.Overlay{Small: true, Note: flightNote(v, s, known.Flight)}
		case ok && cloakSeen(s, known):
			marks[s.ID] = engine.Overlay{Cloaked: true}
		}
		for _, p := range l.parts() {
			if p.mark == nil || !ok || known.Flight != nil {
				continue
			}
			if note := p.mark(v, known); note != "" {
				o := marks[s.ID]
				o.Note = note
				marks[s.ID] = o
			}
		}
		sys, ok := s.System.(*System)
		if !ok || s.Kind != engine.KindShip || !s.Own && !v.Viewer.All {
			continue
		}
		o := marks[s.ID]
		for i, sh := range sys.Sheet.Shields {
			o.Shields = append(o.Shields, engine.ShieldMark{Number: i + 1, Side: i, Now: sh.Left, Max: sh.All, Down: sh.Left == 0})
		}
		for w := range sys.Weapons {
			b := sys.bank(w)
			_, fires := l.Charts[b.Kind]
			chart := l.chart(sys, b.Kind)
			if b.Left == 0 || !fires {
				continue
			}
			for _, a := range b.Arcs.Runs() {
				o.Arcs = append(o.Arcs, engine.ArcMark{Name: b.Name, From: a[0], To: a[1], Reach: chart.reach(b)})
			}
		}
		marks[s.ID] = o
	}
	return marks
}

// flightNote is what the list of the map says of a small craft.
func flightNote(v *engine.View, s *engine.ShipView, f *Flight) string {
	switch {
	case f.Kind.Cannon():
		return points(f.Damage)
	case f.Target != "":
		return "seeks " + v.Name(f.Target)
	}
	if sys, ok := s.System.(*System); ok && (f.Kind == sheet.Probe || f.Kind == sheet.Shuttle) {
		return "goes to " + sys.Course.Label()
	}
	return s.Title
}

// cloakSeen tells whether a ship of a view is cloaked.
func cloakSeen(s *engine.ShipView, known Open) bool {
	return known.Cloaked && s.Status == engine.Active
}

// narrator tells the events of a view in order. Moves that follow each other become one
// line for each ship; a volley's points become details of one line.
type narrator struct {
	l        *rulebook
	v        *engine.View
	chapters []engine.Chapter
	moves    []movesOf
	shots    []engine.Shot
	at       int // the number of the entry that is told
}

// movesOf are moves of a ship that become one line.
type movesOf struct {
	ship                engine.ShipID
	words, reactive     string
	number, first, last int
	from, to            engine.Place
	cite                string
}

func (n *narrator) chapter(e *engine.Entry) {
	title := "Energy and speeds"
	switch {
	case e.Phase > 0:
		phase := n.l.phaseOf(e.Phase)
		first, last := n.l.span(phase)
		title = fmt.Sprintf("Phase %d (impulses %d to %d)", phase, first, last)
	case e.Step == "repair" || e.Step == "end":
		title = "End of the turn"
	}
	if len(n.chapters) == 0 || n.chapters[len(n.chapters)-1].Title != title {
		n.flush()
		n.chapters = append(n.chapters, engine.Chapter{Title: title})
	}
}

func (n *narrator) line(depth int, rule []string, format string, args ...any) {
	c := &n.chapters[len(n.chapters)-1]
	l := engine.Line{Depth: depth, Text: fmt.Sprintf(format, args...)}
	if depth == 0 {
		l.Cite, l.N = engine.Cite(rule), n.at
	}
	c.Lines = append(c.Lines, l)
}

func (n *narrator) entry(i int) {
	e := &n.v.Events[i]
	n.chapter(e)
	switch b := e.Body.(type) {
	case *engine.Move:
		n.move(e, b)
		return
	case *engine.Roll, *Helm, *meeting, *StandingSet, *engine.Talk, *dark.Wake:
		return // told with what came of them, or elsewhere
	}
	n.flush()
	n.at = e.N
	name := n.v.Name
	on := ""
	if e.Phase > 0 {
		on = fmt.Sprintf("Impulse %d: ", e.Phase)
	}
	switch b := e.Body.(type) {
	case *engine.Absent:
		n.absent(i, b)
	case *Energy:
		n.line(0, e.Rule, "%s, %s", name(b.Ship), n.l.energyWords(b))
		if len(b.Arm)+len(b.Hold)+len(b.Over) > 0 {
			n.line(1, nil, "%s", strings.Join(n.l.armingWords(n.v, b), ", "))
		}
	case *Speed:
		under := ""
		if b.Cloaked {
			under = ", cloaked"
		}
		if b.Down {
			under += ", her shields down"
		}
		turns := hexes(b.Mode) + " straight before a turn"
		if b.Mode >= noTurns {
			turns = "straight on, " + uncontrolled
		}
		n.line(0, e.Rule, "%s goes %s: %s%s", name(b.Ship), n.l.speedWord(b.Speed), turns, under)
	case *Order:
		names := make([]string, len(b.Order))
		for i, id := range b.Order {
			names[i] = name(id)
		}
		n.line(0, e.Rule, "Order of moving: %s%s", strings.Join(names, ", "), n.thrown(i))
	case *brake:
		if b.Left < 0 {
			n.line(0, e.Rule, "%s%s stops for the rest of the turn", on, name(b.Ship))
		} else {
			n.line(0, e.Rule, "%s%s brakes: she moves in %s more", on, name(b.Ship), counted(b.Left, "impulse", "impulses"))
		}
	case *Pool:
		if b.Freed > 0 {
			n.line(0, e.Rule, "%shalf of the movement energy of %s that is left goes to the reserve, for any task: %d", on, name(b.Ship), b.Freed)
		}
	case *reinforced:
		n.line(0, e.Rule, "%s%s puts %s on shield %d, which is about to be struck: %d in reserve and %d in the batteries are left", on, name(b.Ship), points(b.Points), b.Shield, b.Reserve, b.Batteries)
	case *HardTurn:
		n.line(0, e.Rule, "%s%s turns hard, %s, heading %s", on, name(b.Ship), b.Word, b.Heading)
	case *Facing:
		n.line(0, e.Rule, "%s%s turns where she is, heading %s", on, name(b.Ship), b.Heading)
	case *Launch:
		n.line(0, e.Rule, "%s%s launches %s from %s at %s, heading %s", on, name(b.Ship), b.Drone, b.Weapon, name(b.Target), b.At.Heading)
	case *Strike:
		switch {
		case b.Shield == 0:
			n.line(0, e.Rule, "%s%s hits %s with %s", on, name(b.Ship), name(b.Target), points(b.Points))
		case b.Roll > 0 && b.Points == 0:
			n.line(0, e.Rule, "%s%s misses %s, who is cloaked: die %d, %d or less misses", on, name(b.Ship), name(b.Target), b.Roll, n.l.Cloak.Miss)
		case b.Roll > 0:
			n.line(0, e.Rule, "%s%s strikes shield %d of %s, who is cloaked, with half, %s: die %d, more than %d", on, name(b.Ship), b.Shield, name(b.Target), points(b.Points), b.Roll, n.l.Cloak.Miss)
		default:
			n.line(0, e.Rule, "%s%s strikes shield %d of %s with %s", on, name(b.Ship), b.Shield, name(b.Target), points(b.Points))
		}
		n.shots = append(n.shots, engine.Shot{Phase: e.Phase, From: b.Ship, To: b.Target, Hit: b.Points > 0, Label: string(b.Ship)})
	case *Fire:
		n.fire(e, b, on)
	case *blowout:
		n.line(0, e.Rule, "%s%s of %s blows out: its own die is %d", on, b.Bank, name(b.Ship), b.Roll)
	case *Hurt:
		if b.After == 0 {
			n.line(0, e.Rule, "%s%s is shot down", on, name(b.Ship))
		} else {
			n.line(0, e.Rule, "%s%s takes %s, %d left", on, name(b.Ship), points(b.Before-b.After), b.After)
		}
	case *Struck:
		n.line(0, e.Rule, "%sshield %d of %s takes a volley of %s: %s", on, b.Shield, name(b.Ship), points(b.Points), struckWords(b))
	case *Damage:
		n.line(1, nil, "%s", n.damageWords(b))
	case *Mend:
		n.line(0, e.Rule, "%s mends shield %d from %d to %d", name(b.Ship), b.Shield, b.Before, b.After)
	case *lapse:
		if b.Recharge > 0 {
			n.line(0, e.Rule, "%s puts %d into the batteries", name(b.Ship), b.Recharge)
		}
		if len(b.Weapons) > 0 {
			n.line(0, e.Rule, "%s loses the charge of %s, unfired", name(b.Ship), strings.Join(b.Weapons, ", "))
		}
	default:
		if n.seen(e, on) {
			return
		}
		if text, ok := n.l.partWords(n.v, b); ok {
			n.line(0, e.Rule, "%s%s", on, text)
		} else if l, ok := n.v.Tell(*e); ok {
			n.line(0, e.Rule, "%s%s", on, l.Text)
		}
	}
}

// absent tells once for all phases of a turn that no orders came.
func (n *narrator) absent(i int, b *engine.Absent) {
	var phases []string
	for k, e := range n.v.Events {
		if o, ok := e.Body.(*engine.Absent); ok && *o == *b {
			if k < i {
				return
			}
			phases = append(phases, itoa(n.l.phaseOf(max(1, e.Phase))))
		}
	}
	l, _ := n.v.Tell(n.v.Events[i])
	if len(phases) > 1 {
		l.Text = strings.Replace(l.Text, ":", " in phases "+strings.Join(phases, ", ")+":", 1)
	}
	n.line(0, n.v.Events[i].Rule, "%s", l.Text)
}

func points(n int) string { return counted(n, "point", "points") }

func hexes(n int) string { return counted(n, "hex", "hexes") }

// counted is a number of things in words.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
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
		n.line(0, nil, "%s: %s moves %s -> %s, %s (%s)", when, n.v.Name(m.ship), m.from.Hex.Label(), m.to.Hex.Label(), heading, words)
		n.chapters[len(n.chapters)-1].Lines[len(n.chapters[len(n.chapters)-1].Lines)-1].Cite = m.cite
	}
	n.moves = nil
}

// thrown are the dice for the order of moving that stand before entry i.
func (n *narrator) thrown(i int) string {
	var parts []string
	for k := range i {
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

// armingWords tell what is armed and held.
func (l *rulebook) armingWords(v *engine.View, b *Energy) []string {
	var out []string
	s, _ := v.Ship(b.Ship)
	sys, own := s.System.(*System)
	for _, name := range slices.Sorted(maps.Keys(b.Arm)) {
		text := name + " armed"
		if own {
			if w := sys.weapon(name); w >= 0 && b.Arm[name] < l.Charts[sys.bank(w).Kind].Turns {
				text = fmt.Sprintf("%s has %d of %d turns of arming", name, b.Arm[name], l.Charts[sys.bank(w).Kind].Turns)
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

func (n *narrator) fire(e *engine.Entry, b *Fire, on string) {
	if b.Blind {
		did := "nothing is told of it"
		switch {
		case b.Hit && b.Target != "":
			did = fmt.Sprintf("it hits %s, range %d counts as %d: %s on shield %d", n.v.Name(b.Target), b.Range, b.Counts, points(b.Points), b.Shield)
		case b.Hit:
			did = "it has hit something"
		}
		n.line(0, e.Rule, "%s%s fires %s blind, die %d: %s", on, n.v.Name(b.Ship), b.Weapon, b.Roll, did)
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
		did = fmt.Sprintf("a hit on shield %d, %s", b.Shield, beamWords(n.l.Charts[b.Kind].Beam))
	case b.Hit && b.Shield > 0:
		did = fmt.Sprintf("%s on shield %d", points(b.Points), b.Shield)
	case b.Hit:
		did = points(b.Points)
	case b.Need > 0:
		did = "a miss"
	}
	rng := itoa(b.Range)
	switch {
	case b.Counts == b.Range+b.Scanner && b.Scanner > 0:
		rng += fmt.Sprintf(" counts as %d by her scanner", b.Counts)
	case b.Counts > 0 && b.Scanner > 0:
		rng += fmt.Sprintf(" counts as %d by her scanner, and since the target is cloaked", b.Counts)
	case b.Counts > 0:
		rng += fmt.Sprintf(" counts as %d, the target is cloaked", b.Counts)
	}
	weapon := b.Weapon
	if b.Aimed > 0 {
		did += fmt.Sprintf(", aimed at row %d", b.Aimed)
	}
	if b.Over > 0 {
		weapon += " overloaded"
		did += fmt.Sprintf("; its own die is %d", b.Own)
	}
	n.line(0, e.Rule, "%s%s fires %s at %s: range %s, %s: %s", on, n.v.Name(b.Ship), weapon, n.v.Name(b.Target), rng, took, did)
	n.shots = append(n.shots, engine.Shot{Phase: e.Phase, From: b.Ship, To: b.Target, Hit: b.Hit, Label: b.Weapon, Roll: b.Roll})
}

// struckWords tell what stopped a volley.
func struckWords(b *Struck) string {
	var parts []string
	if b.AllRound > 0 {
		parts = append(parts, fmt.Sprintf("reinforcement all round stops %d", b.AllRound))
	}
	if b.Reinforce > 0 {
		parts = append(parts, fmt.Sprintf("reinforcement stops %d", b.Reinforce))
	}
	switch took := b.Before - b.After; {
	case b.Down || b.Before == 0 && b.Inside > 0:
		parts = append(parts, "the shield is down")
	case took > 0 && b.After == 0:
		parts = append(parts, fmt.Sprintf("its last %s gone", counted(took, "box is", "boxes are")))
	case took > 0:
		parts = append(parts, fmt.Sprintf("%d of %d boxes are left", b.After, b.Before))
	}
	if b.Inside > 0 {
		parts = append(parts, fmt.Sprintf("%s inside", points(b.Inside)))
	}
	return strings.Join(parts, ", ")
}

// damageWords tell of one point inside.
func (n *narrator) damageWords(b *Damage) string {
	text := fmt.Sprintf("die %d: ", b.Roll)
	switch {
	case b.Aimed && b.Half:
		text = fmt.Sprintf("aimed at row %d, half of what got inside: ", b.Roll)
	case b.Aimed:
		text = fmt.Sprintf("aimed at row %d: ", b.Roll)
	case b.Roll == 0:
		text = "before all else: "
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

// where is where a ship is, in words.
func where(s *engine.ShipView) string {
	if s.Hex == nil {
		return "not on the map"
	}
	return fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
}

// shipPanels are the sheet and the weapons of an own ship.
func (l *rulebook) shipPanels(v *engine.View, s *engine.ShipView, sys *System) []engine.Panel {
	ship := engine.Panel{Key: "ship-" + string(s.ID), Title: fmt.Sprintf("%s (%s), %s", s.Title, s.Short, s.Class)}
	ship.Notes = append(ship.Notes,
		fmt.Sprintf("%s, %s, speed %s, %s moved straight", where(s), s.Status, l.speedWord(sys.Speed), hexes(sys.Straight)),
		fmt.Sprintf("%d energy a turn (%d of the warp engines), batteries %d of %d, capacitors %s of %s",
			sys.Sheet.Power(), sys.Sheet.Count(sheet.Warp).Left, sys.Batteries, sys.Sheet.Count(sheet.Battery).Left, sheet.Fraction(sys.charge()*sheet.MoveParts/2), sys.chargeWords(2*sys.phasers())),
		fmt.Sprintf("next turn's speed is at most %s; turn mode: %s", l.nextMost(sys), l.modeWords(&sys.Sheet)))
	if l.Quanta != nil {
		ship.Notes = append(ship.Notes, fmt.Sprintf("a hex takes %s energy; %s left in the pool, %d energy in reserve", sheet.Fraction(sys.hexCost()), sheet.Fraction(sys.Pool), sys.Reserve))
	}
	if sys.Sheet.Cloak > 0 {
		ship.Notes = append(ship.Notes, fmt.Sprintf("cloak: %d energy a turn; %s", sys.Sheet.Cloak, cloakWords(sys.Cloaked)))
	}
	for _, p := range l.parts() {
		if p.sheet != nil {
			ship.Notes = append(ship.Notes, p.sheet(l, v, sys)...)
		}
	}
	ship.Notes = append(ship.Notes, dark.LabWords(s, v)...)
	if s.Status == engine.Waiting {
		ship.Notes = append(ship.Notes, fmt.Sprintf("arrives for turn %d", s.Arrives))
	}
	if s.Hex != nil {
		ship.Notes = append(ship.Notes, l.life(&sys.Sheet))
	}
	if v.Turn == 0 && v.Round == 0 && l.Quanta != nil {
		ship.Notes = append(ship.Notes, sourceWords(sys.Sheet.Class)...)
	}
	ship.Boxes = l.boxRows(&sys.Sheet)
	for i, n := range sys.Reinforce {
		if n > 0 {
			ship.Boxes[i].Note = fmt.Sprintf("and %d more by reinforcement", n)
		}
	}
	weapons := engine.Panel{
		Key: "weapons-" + string(s.ID), Title: s.Name + ": weapons",
		Columns: []engine.Column{{Name: "weapon"}, {Name: "kind"}, {Name: "arc"}, {Name: "state"}, {Name: "may fire"}},
	}
	for w := range sys.Weapons {
		b := sys.bank(w)
		arc := b.Arcs.String()
		if b.Kind == sheet.DroneRack || b.Arcs == 0 {
			arc = "-"
		}
		weapons.Rows = append(weapons.Rows, []string{b.Name, b.Kind.Title(), arc, l.weaponState(sys, w), l.ready(v, sys, w)})
	}
	if l.Reserve && sys.charge() < 2*sys.phasers() {
		note := fmt.Sprintf("the capacitors have %s energy, and all phasers take %d", sheet.Fraction(sys.charge()*sheet.MoveParts/2), sys.phasers())
		switch {
		case v.DueRound() < 2:
			note += ": phasers N under power fills them; with phasers reserve what they lack comes from the reserve, then from the batteries"
		case sys.Draws:
			note += ": what they lack as a phaser fires comes from the reserve, then from the batteries"
		}
		weapons.Notes = append(weapons.Notes, note)
	}
	out := []engine.Panel{ship, weapons}
	if p := l.optionsPanel(v, s, sys); len(p.Rows) > 0 {
		out = append(out, p)
	}
	return out
}

// sourceWords tell where the figures of a built-in sheet come from, and how sure they are.
func sourceWords(class string) []string {
	all, err := sheet.Classes(nil)
	if c, ok := all[class]; err == nil && ok && len(c.Sources) > 0 {
		parts := make([]string, len(c.Sources))
		for i, s := range c.Sources {
			parts[i] = fmt.Sprintf("%s (confidence %s)", s.Source, s.Confidence)
		}
		return []string{"her figures: " + strings.Join(parts, "; ")}
	}
	return nil
}

func cloakWords(on bool) string {
	if on {
		return "she is cloaked"
	}
	return "she is not cloaked"
}

// nextMost is the highest speed of the next turn.
func (l *rulebook) nextMost(sys *System) string {
	energy := sys.Sheet.Count(sheet.Warp).Left + min(l.ImpulseHexes, sys.Sheet.Count(sheet.Impulse).Left)
	if l.Quanta == nil {
		return itoa(min(l.fastest(sys.Speed), energy))
	}
	word, _, _ := strings.Cut(l.affordable(sys, l.MaxSpeed, energy, func(int, int) {}), " ")
	return word
}

func (l *rulebook) modeWords(s *sheet.Sheet) string {
	parts := make([]string, len(s.TurnMode))
	for i, t := range s.TurnMode {
		parts[i] = fmt.Sprintf("%d to speed %s", t.Moves, l.speedWord(t.Speed))
	}
	return strings.Join(parts, ", ")
}

// weaponState is how a weapon is, in words.
func (l *rulebook) weaponState(sys *System, w int) string {
	b, weapon := sys.bank(w), &sys.Weapons[w]
	chart := l.Charts[b.Kind]
	switch {
	case b.Left == 0:
		return "destroyed"
	case b.Kind == sheet.DroneRack:
		return fmt.Sprintf("%d drones", weapon.Drones)
	case b.Kind.Cannon():
		return fmt.Sprintf("fires %s along a row", points(chart.Shot.Points))
	case chart.Turns == 0 && weapon.Over > 0:
		return "overloaded for this turn"
	case chart.Turns == 0:
		return "fires from the capacitors"
	case weapon.Armed >= chart.Turns && weapon.Over > 0:
		return fmt.Sprintf("armed, overloaded with %d", weapon.Over)
	case weapon.Armed >= chart.Turns:
		return "armed"
	case weapon.Armed > 0:
		return fmt.Sprintf("%d of %d turns of arming", weapon.Armed, chart.Turns)
	}
	return "empty"
}

// ready is when a weapon may fire next.
func (l *rulebook) ready(v *engine.View, sys *System, w int) string {
	fired := sys.Weapons[w].Fired
	switch {
	case sys.bank(w).Left == 0:
		return "-"
	case sys.Weapons[w].Armed < l.Charts[sys.bank(w).Kind].Turns || sys.bank(w).Kind == sheet.DroneRack && sys.Weapons[w].Drones == 0:
		return "-"
	case fired.Turn > 0 && fired.Turn == v.Due:
		return fmt.Sprintf("next turn (fired on impulse %d)", fired.Impulse)
	}
	when := "now"
	if i := (fired.Turn-v.Due)*l.Impulses + fired.Impulse + l.Again; fired.Turn > 0 && i > 1 {
		when = fmt.Sprintf("from impulse %d", i)
	}
	switch short := sys.bank(w).Kind.Shot() - sys.charge(); { // a note tells more
	case !l.Reserve || short <= 0:
		return when
	case v.DueRound() < 2:
		return when + ", if paid"
	case !sys.Draws:
	case 2*sys.Reserve >= short:
		return when + ", reserve"
	case 2*(sys.Reserve+sys.Batteries) >= short:
		return when + ", battery"
	}
	return "no energy"
}

// optionsPanel tells what the weapons of a ship do at the enemies in sight, from where
// she is now.
func (l *rulebook) optionsPanel(v *engine.View, s *engine.ShipView, sys *System) engine.Panel {
	p := engine.Panel{
		Key: "options-" + string(s.ID), Title: s.Name + ": fire as the ships are now",
		Columns: []engine.Column{{Name: "target"}, {Name: "range", Right: true}, {Name: "shield", Right: true}, {Name: "weapons: points by die 1 to 6, or what hits"}},
	}
	if v.Result != nil || s.Status != engine.Active || s.Hex == nil || v.Round > 0 {
		return p
	}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Hex == nil || o.Status != engine.Active || o.Sight != engine.Seen {
			continue
		}
		rng := hex.Distance(at.Hex, *o.Hex)
		var can []string
		for w := range sys.Weapons {
			b := sys.bank(w)
			if _, text := l.shotWords(sys, w, l.Charts[b.Kind].Turns, sys.Weapons[w].Over, at, o, rng); text != "" {
				can = append(can, b.Name+" "+text)
			}
		}
		shield := "-"
		if side, apart := steering.Facing(o.Stands(), at.Hex); apart && o.Kind == engine.KindShip && o.Heading != nil {
			shield = itoa(side + 1)
		}
		if len(can) > 0 {
			p.Rows = append(p.Rows, []string{o.Name, itoa(rng), shield, strings.Join(can, ", ")})
		}
	}
	return p
}

// mostSheets is how many sheets of others are drawn box by box; more are told in words.
const mostSheets = 3

// flightTitle heads the table of what flies.
func (l *rulebook) flightTitle() string {
	if cannonPart.has(&l.Book) {
		return "Drones, plasma and shots in flight"
	}
	return "Drones and plasma in flight"
}

// othersPanels are the ships of others with their sheets, and all drones in flight.
func (l *rulebook) othersPanels(v *engine.View) []engine.Panel {
	ships := engine.Panel{
		Key: "others", Title: "Other ships in sight",
		Columns: []engine.Column{{Name: "ship"}, {Name: "class"}, {Name: "side"}, {Name: "state"}, {Name: "hex"}, {Name: "hdg"}, {Name: "range", Right: true}, {Name: "bearing"}, {Name: "speed", Right: true}},
	}
	flight := engine.Panel{
		Key: "drones", Title: l.flightTitle(),
		Columns: []engine.Column{{Name: "name"}, {Name: "what"}, {Name: "seeks"}, {Name: "hex"}, {Name: "hdg"}, {Name: "to go", Right: true}, {Name: "does", Right: true}, {Name: "killed by", Right: true}, {Name: "flies on", Right: true}},
	}
	var sheets []engine.Panel
	for _, s := range v.Ships {
		known, ok := openOf(s)
		if !ok {
			continue
		}
		at, heading, away := "-", "-", "-"
		if s.Hex != nil {
			at, heading = s.Hex.Label(), s.Heading.String()
			if v.Viewer.Focus != "" {
				away = itoa(s.Range)
			}
		}
		switch f := known.Flight; {
		case f != nil && s.Status == engine.Active && s.Hex != nil:
			if f.Kind == sheet.Probe || f.Kind == sheet.Shuttle {
				flight.Rows = append(flight.Rows, l.craftRow(s, f))
				continue
			}
			target, toGo := v.Name(f.Target), "-"
			if t, ok := v.Ship(f.Target); ok && t.Hex != nil {
				toGo = itoa(hex.Distance(*s.Hex, *t.Hex))
			}
			if f.Kind.Cannon() {
				flight.Rows = append(flight.Rows, []string{s.Name, s.Title, "-", at, heading, "-", itoa(f.Damage), "-", itoa(l.Charts[f.Kind].Shot.Life - l.impulsesSince(v, f))})
				continue
			}
			does, kills, life := l.inFlight(v, f)
			flight.Rows = append(flight.Rows, []string{s.Name, s.Title, target, at, heading, toGo, itoa(does), itoa(kills), itoa(life)})
		case f != nil || s.Own || v.Viewer.All:
		default:
			bearing := s.Bearing
			if bearing == "" {
				bearing = "-"
			}
			state := string(s.Status)
			if cloakSeen(s, known) {
				state += ", cloaked"
			}
			ships.Rows = append(ships.Rows, []string{fmt.Sprintf("%s (%s)", s.Name, s.Short), s.Class, v.SideName(s.Side), state, at, heading, away, bearing, l.speedWord(known.Speed)})
			ships.Notes = append(ships.Notes, s.Name+": "+l.sheetWords(&known.Sheet))
			p := l.sheetOf(&known.Sheet)
			p.Key, p.Title = "sheet-"+string(s.ID), fmt.Sprintf("%s (%s): her sheet", s.Name, s.Short)
			sheets = append(sheets, p)
		}
	}
	var out []engine.Panel
	if len(sheets) <= mostSheets {
		ships.Notes = nil // they are drawn
	} else {
		sheets = nil
	}
	if v.Dark { // they are on the list of contacts
		ships.Title, ships.Columns, ships.Rows = "Sheets of other ships", nil, nil
	}
	if len(ships.Rows)+len(ships.Notes) > 0 {
		out = append(out, ships)
	}
	out = append(out, sheets...)
	if len(flight.Rows) > 0 {
		out = append(out, flight)
	}
	return out
}

// craftRow is a probe or a shuttle in the list of what flies; where it goes, and what it holds,
// its captain alone sees.
func (l *rulebook) craftRow(s *engine.ShipView, f *Flight) []string {
	row := []string{s.Name, s.Title, "-", s.Hex.Label(), s.Heading.String(), "-", "-", itoa(f.Points), "-"}
	if sys, ok := s.System.(*System); ok {
		row[2], row[5] = "to "+sys.Course.Label(), itoa(hex.Distance(*s.Hex, sys.Course))
		if f.Kind == sheet.Shuttle {
			row[6] = fmt.Sprintf("holds %d", l.Research.Hold-l.room(sys))
		}
	}
	return row
}

// impulsesSince is how long a drone, torpedo or shot has flown when a view was made.
func (l *rulebook) impulsesSince(v *engine.View, f *Flight) int {
	_, now := l.span(l.Rounds)
	if v.Round > 0 {
		_, now = l.span(v.Round)
	}
	return (v.Turn-f.Launched.Turn)*l.Impulses + now - f.Launched.Impulse
}

// inFlight is what a drone or torpedo would do in the next impulse, what damage kills it,
// for plasma by phasers, and how many impulses it flies on.
func (l *rulebook) inFlight(v *engine.View, f *Flight) (does, kills, left int) {
	age := l.impulsesSince(v, f)
	if f.Kind == "" {
		return f.Damage, f.Points, l.Drone.Life - age
	}
	chart := l.Charts[f.Kind]
	flown, pace := l.flown(f, age), l.flown(f, 1)
	does = l.does(f, flown+1)
	return does, 2*does - f.Points%2, (chart.Warheads[len(chart.Warheads)-1].Upto - flown + pace - 1) / pace
}

// life tells it where blocks of damage pass what a ship has none left of: the boxes of excess
// damage decide, and others may be left.
func (l *rulebook) life(s *sheet.Sheet) string {
	if l.Block == nil {
		return s.Life()
	}
	var in sheet.Boxes
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind != sheet.Security && b.Kind != sheet.Excess {
			in.All, in.Left = in.All+b.All, in.Left+b.Left
		}
	}
	ex := s.In(sheet.ExcessBoxes)
	return fmt.Sprintf("%d of %d boxes inside and %d of %d of excess damage are left: the point after the last of those destroys her", in.Left, in.All, ex.Left, ex.All)
}

// sheetOf is the sheet of another ship, as far as it is known: her boxes, and what weapons she has.
func (l *rulebook) sheetOf(s *sheet.Sheet) engine.Panel {
	p := engine.Panel{Notes: []string{l.life(s)}, Boxes: l.boxRows(s)}
	if text := weaponWords(s); l.Block != nil && text != "" {
		p.Notes = append(p.Notes, text)
	}
	return p
}

// weaponWords tells the weapons of a sheet, those of one kind and arcs together. A row of boxes has
// no room for that.
func weaponWords(s *sheet.Sheet) string {
	var groups, names []string
	what := func(b *sheet.Bank) string { return strings.TrimSpace(b.Kind.Title() + " " + b.Arcs.String()) }
	for i := range s.Banks {
		b := &s.Banks[i]
		if b.Kind.Category() != sheet.WeaponBoxes {
			continue
		}
		names = append(names, b.Name)
		if i+1 == len(s.Banks) || s.Banks[i+1].Kind != b.Kind || s.Banks[i+1].Arcs != b.Arcs {
			groups, names = append(groups, strings.Join(names, " ")+": "+what(b)), nil
		}
	}
	if len(groups) == 0 {
		return ""
	}
	return strings.Join(groups, "; ")
}

// boxRows is a sheet as rows of boxes. Blocks of damage find every box of a ship but those of
// security, and tracks tell what their boxes stand for.
func (l *rulebook) boxRows(s *sheet.Sheet) []engine.BoxRow {
	if l.Block == nil {
		return s.Rows()
	}
	rows := s.RowsBy(func(k sheet.Kind) sheet.Category {
		switch c := k.Category(); {
		case k == sheet.StarDrive:
			return sheet.EngineBoxes
		case c == sheet.NoCategory && k != sheet.Security:
			return sheet.OtherBoxes
		default:
			return c
		}
	})
	for i := range rows {
		if at := s.Bank(rows[i].Name); at >= 0 && len(s.Banks[at].Track) > 0 {
			n, _ := s.Rating(s.Banks[at].Kind)
			rows[i].Note = "stands at " + itoa(n)
		}
	}
	return rows
}

// sheetWords is a sheet in a paragraph.
func (l *rulebook) sheetWords(s *sheet.Sheet) string {
	parts := []string{"shields " + strings.Join(shieldNumbers(s), " ")}
	for _, b := range s.Banks {
		if b.Kind.Category() == sheet.NoCategory && l.Block == nil {
			continue
		}
		parts = append(parts, b.Name+" "+b.Boxes.String())
	}
	return strings.Join(parts, ", ")
}

func shieldNumbers(s *sheet.Sheet) []string {
	out := make([]string, len(s.Shields))
	for i, sh := range s.Shields {
		out[i] = itoa(sh.Left)
	}
	return out
}
