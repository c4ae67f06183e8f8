package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
)

// chosen is what can be clicked for a ship.
type chosen struct {
	OK      bool     `json:"ok"`
	Steps   []step   `json:"steps"`
	Step    int      `json:"step"` // the one that reach and targets are for
	Reach   []reach  `json:"reach"`
	Targets []target `json:"targets"`
	Power   []slider `json:"power"`
	Lists   []list   `json:"lists"`
}

// step is a part of the turn with its own orders.
type step struct {
	Title string `json:"title"`
	Line  int    `json:"line"` // of its heading; 0 if there is none yet
}

// reach is a place that the ship can reach in the step, and the orders for it.
type reach struct {
	Hex     string `json:"hex"`
	Heading string `json:"heading"`
	Cost    int    `json:"cost"`
	Text    string `json:"text"`
}

// target is a possible target. Shots are those at the requested one, or else at the nearest.
type target struct {
	Ship  engine.ShipID `json:"ship"`
	Hex   string        `json:"hex"`
	Range int           `json:"range"`
	Shots []shot        `json:"shots"`
}

// shot is fire of a weapon at a target.
type shot struct {
	Bank   string `json:"bank"`
	Arc    bool   `json:"arc"`
	On     bool   `json:"on,omitempty"` // it is ordered: the text undoes it
	Chance string `json:"chance"`
	Why    string `json:"why"`
	Text   string `json:"text"`
}

// slider is a number in an order.
type slider struct {
	Name  string `json:"name"`
	Min   int    `json:"min"`
	Max   int    `json:"max"`
	Step  int    `json:"step"`
	Cost  int    `json:"cost"` // power that the order takes; 0 if others share its line
	Value int    `json:"value"`
	Line  int    `json:"line"`
}

// list is the orders of one kind; it has no items until it is open.
type list struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Items []item `json:"items"`
}

type item struct {
	Label string `json:"label"`
	Help  string `json:"help"`
	Ends  string `json:"ends,omitempty"` // see orders.Verb: ask before sending
	On    bool   `json:"on,omitempty"`   // it is ordered: the text removes it
	Why   string `json:"why,omitempty"`
	Text  string `json:"text"`
}

const phaseSection, powerSection, standingSection = "phase", "power", "standing"

// chooser finds the choices for the set of one ship.
type chooser struct {
	desk  *Desk
	page  *page
	set   orderset.Set
	rules engine.Chooser // nil if the game's rules have none
	ship  *engine.ShipView
	base  int // number of mistakes in the set
	phase int // the chosen phase; 0 for none
}

// chooser returns the chooser for the set of a ship in the text, the one on a line if there are several. Without a set,
// the ship's template is added below the text.
func (d *Desk) chooser(r request) (*chooser, error) {
	s, ok := d.view.Ship(r.Ship)
	if !ok || !s.Own {
		return nil, refuse("choose one of your ships", "you command no ship %q", r.Ship)
	}
	text := r.Text
	raw, found := d.setOf(text, s, r.Line)
	if !found {
		block := d.template(s)
		if block == "" {
			return nil, refuse("", "%s needs no orders this time", s.Name)
		}
		if text = strings.TrimRight(text, "\n"); text != "" {
			text += "\n\n"
		}
		text += block
		if raw, found = d.setOf(text, s, 0); !found {
			return nil, refuse("end it with #end", "the set above that of %s has no end", s.Name)
		}
	}
	c := &chooser{desk: d, page: newPage(d.game.Rules.Language, text, raw), ship: s}
	c.set = c.look(change{})
	c.base = mistakes(c.set)
	if c.set.View == nil {
		return nil, refuse("see the remarks on the set", "the set for %s cannot be used", s.Name)
	}
	if choose := d.game.Rules.Choose; choose != nil {
		c.rules = choose(c.set.View, s.ID, c.set.Block)
	}
	return c, nil
}

// setOf returns the set of a ship in a text.
func (d *Desk) setOf(text string, s *engine.ShipView, line int) (raw orders.Raw, found bool) {
	raws, _ := orders.Scan([]byte(text))
	for _, o := range raws {
		if !slices.ContainsFunc([]string{s.Name, string(s.ID), s.Short}, func(n string) bool { return strings.EqualFold(n, o.Head.Name) }) || strings.EqualFold(o.Head.Kind, "captain") {
			continue
		}
		if on := o.Start.Line <= line && line <= o.End.Line; !found || on {
			raw, found = o, true
		}
	}
	return raw, found
}

// template returns an initial set for a ship.
func (d *Desk) template(s *engine.ShipView) string {
	for _, seat := range d.view.Viewer.SeatsOn(s.ID) {
		if !d.view.IsFree(seat) && d.view.Due > 0 && d.game.Rules.Commands(&engine.Ship{Status: s.Status}) {
			return report.OrderBlock(d.view, s, seat.Post, "", report.Offered(d.game.Rules, d.view.From(seat), s.ID, true))
		}
	}
	return ""
}

// look checks the set alone after a change.
func (c *chooser) look(of change) orderset.Set {
	if read := c.desk.game.Check([]byte(c.page.set(of)), c.desk.view.Viewer.Captain); len(read.Sets) > 0 {
		return read.Sets[0]
	}
	return orderset.Set{}
}

func mistakes(s orderset.Set) (n int) {
	for _, g := range s.Diagnostics {
		if g.Severity == orders.Error {
			n++
		}
	}
	return n
}

// fault returns a mistake that a change adds to the set; nil for none.
func (c *chooser) fault(s orderset.Set) *orders.Diagnostic {
	if mistakes(s) <= c.base {
		return nil
	}
	for i, g := range s.Diagnostics {
		known := func(o orders.Diagnostic) bool { return o.Code == g.Code && o.Message == g.Message }
		if g.Severity == orders.Error && !slices.ContainsFunc(c.set.Diagnostics, known) {
			return &s.Diagnostics[i]
		}
	}
	return &s.Diagnostics[0]
}

// choices returns what can be clicked for a ship.
func (d *Desk) choices(r request) (any, error) {
	c, err := d.chooser(r)
	if err != nil {
		return nil, err
	}
	out := chosen{OK: true, Reach: []reach{}, Targets: []target{}, Power: []slider{}, Lists: []list{}}
	var phases []int
	out.Steps, phases = c.steps()
	if len(phases) > 0 {
		out.Step = c.step(out.Steps, r)
		c.phase = phases[out.Step]
		out.Reach, out.Targets = c.reach(), c.targets(r.Target)
	}
	out.Power = c.sliders()
	out.Lists = c.lists(r.Line, r.Open, out.Power)
	return out, nil
}

// steps returns the phases that take orders, and their numbers.
func (c *chooser) steps() (out []step, phases []int) {
	out = []step{}
	for _, s := range c.page.lang.Sections {
		if !s.Numbered || s.Name != phaseSection {
			continue
		}
		for n := max(1, c.set.View.DueRound()); n <= s.Max; n++ {
			g, _ := c.page.block.Group(s.Name, n)
			out, phases = append(out, step{fmt.Sprintf("Phase %d", n), g.Pos.Line}), append(phases, n)
		}
	}
	return out, phases
}

// step returns the requested step: by number, or the one above a line.
func (c *chooser) step(all []step, r request) (at int) {
	if r.Line == 0 {
		return min(max(0, r.Step), len(all)-1)
	}
	for i, s := range all {
		if s.Line > 0 && s.Line <= r.Line && (all[at].Line == 0 || s.Line > all[at].Line) {
			at = i
		}
	}
	return at
}

// inPhase returns the orders of the phase that satisfy a test.
func (c *chooser) inPhase(test func(orders.Statement) bool) (out []orders.Statement) {
	g, _ := c.page.block.Group(phaseSection, c.phase)
	for _, st := range g.Statements {
		if test(st) {
			out = append(out, st)
		}
	}
	return out
}

// plainly reports whether an order moves the ship unconditionally.
func plainly(st orders.Statement) bool { return st.When == nil && family.Steers(st) }

// reach returns the places that can be reached in the phase. Orders with conditions stay.
func (c *chooser) reach() []reach {
	out := []reach{}
	if c.rules == nil {
		return out
	}
	moves := c.inPhase(plainly)
	if by, ok := c.page.write(phaseSection, c.phase, moves, "move "+c.page.lang.Params["WORD"].Choices[0]); !ok || c.fault(c.look(by)) != nil {
		return out // another officer steers
	}
	for _, o := range c.rules.Reach(c.phase) {
		var words []string
		if len(o.Words) > 0 {
			words = []string{"move " + strings.Join(o.Words, " ")}
		}
		if by, ok := c.page.write(phaseSection, c.phase, moves, words...); ok && (len(words) > 0 || c.fault(c.look(by)) == nil) {
			out = append(out, reach{o.At.Hex.Label(), o.At.Heading.String(), o.Cost, c.page.whole(by)})
		}
	}
	return out
}

// foes returns the ships and craft of others on the map, nearest first.
func (c *chooser) foes() (out []*engine.ShipView) {
	for _, s := range c.set.View.Ships {
		if s.Hex != nil && s.Status == engine.Active && s.Side != c.ship.Side && !s.Own {
			out = append(out, s)
		}
	}
	if at := c.ship.Hex; at != nil {
		slices.SortStableFunc(out, func(a, b *engine.ShipView) int {
			return cmp.Compare(hex.Distance(*at, *a.Hex), hex.Distance(*at, *b.Hex))
		})
	}
	return out
}

const fire = "fire"

// targets returns the ships that can be fired at in the phase, with the shots at the one that is aimed at. An officer
// who cannot fire gets none.
func (c *chooser) targets(aim engine.ShipID) []target {
	out := []target{}
	weapons, foes := c.names("WEAPON"), c.foes()
	if len(weapons) == 0 || len(foes) == 0 {
		return out
	}
	aimed := max(0, slices.IndexFunc(foes, func(s *engine.ShipView) bool { return s.ID == aim }))
	for i, foe := range foes {
		t := target{Ship: foe.ID, Hex: foe.Hex.Label(), Shots: []shot{}}
		at := c.ship.Stands()
		for _, step := range c.set.Checked.Path {
			if step.Phase <= c.phase {
				at = step.At
			}
		}
		t.Range = hex.Distance(at.Hex, *foe.Hex)
		if i == aimed {
			for _, w := range append([]string{"all"}, weapons...) {
				if s, ok := c.shot(w, foe); ok {
					t.Shots = append(t.Shots, s)
				}
			}
			if !c.captains() && !slices.ContainsFunc(t.Shots, func(s shot) bool { return s.Text != "" }) {
				return []target{}
			}
		}
		out = append(out, t)
	}
	return out
}

// shot returns the fire of a weapon at a ship; it also arms an unarmed weapon if that allows the shot.
func (c *chooser) shot(weapon string, foe *engine.ShipView) (shot, bool) {
	s := shot{Bank: weapon}
	if by, when, on := c.takeBack(weapon, foe); on {
		c.aim(&s, c.set, weapon, foe)
		s.On, s.Why, s.Text = true, when, c.page.whole(by)
		if g := c.fault(c.look(by)); g != nil {
			s.Why, s.Text = g.Message, ""
		}
		return s, true
	}
	by, ok := c.page.write(phaseSection, c.phase, nil, fmt.Sprintf("%s %s at %s", fire, weapon, foe.Name))
	if !ok {
		return s, false
	}
	read := c.look(by)
	if g := c.fault(read); g != nil {
		s.Why = g.Message
	} else {
		c.aim(&s, read, weapon, foe)
		s.Text = c.page.whole(by)
	}
	if s.Chance == "" && weapon != "all" {
		if armed, ok := c.armed(weapon, by); ok {
			with := shot{Bank: weapon, Text: c.page.whole(armed)}
			if c.aim(&with, c.look(armed), weapon, foe); with.Chance != "" {
				with.Chance += ", and arms it"
				return with, true
			}
		}
	}
	return s, true
}

// armed extends a change to arm a weapon with the maximum that it takes and that is left.
func (c *chooser) armed(weapon string, by change) (change, bool) {
	if c.set.View.DueRound() > 1 {
		return by, false
	}
	if g, _ := c.page.block.Group(powerSection, 0); slices.ContainsFunc(g.All("arm"), func(st orders.Statement) bool {
		return slices.ContainsFunc(st.Args, func(a orders.Arg) bool { return strings.EqualFold(a.Text, weapon) })
	}) {
		return by, false
	}
	takes := func(text string) (change, bool) {
		arm, ok := c.page.write(powerSection, 0, nil, text)
		both := by.and(arm)
		return both, ok && c.fault(c.look(both)) == nil
	}
	if both, ok := takes("arm " + weapon); ok {
		return both, true
	}
	best, can := by, false
	for n := 1; n <= mostArmed; n++ {
		both, ok := takes("arm " + weapon + " " + strconv.Itoa(n))
		if !ok {
			break
		}
		best, can = both, true
	}
	return best, can
}

// mostArmed limits the power for arming a weapon by a click.
const mostArmed = 20

// aim fills in a shot from checked orders.
func (c *chooser) aim(s *shot, read orderset.Set, weapon string, foe *engine.ShipView) {
	line := 0
	g, _ := read.Block.Group(phaseSection, c.phase)
	for _, st := range g.All(fire) {
		if names(st, weapon, foe) {
			line = st.Pos.Line
		}
	}
	var chances []string
	for _, a := range read.Checked.Aimed {
		if a.Line != line || a.Target != foe.ID || weapon != "all" && !strings.EqualFold(weapon, a.Weapon) && !strings.HasPrefix(a.Weapon, weapon+"-") {
			continue
		}
		switch {
		case a.Why != "":
			if weapon != "all" {
				s.Why = a.Why
			}
		case weapon != "all":
			s.Arc, s.Chance = true, a.Chance
		default:
			s.Arc = true
			chances = append(chances, a.Weapon+" "+a.Chance)
		}
	}
	if s.Arc {
		s.Why = ""
	}
	s.Chance += strings.Join(chances, ", ")
	for _, g := range read.Diagnostics {
		if !s.Arc && s.Why == "" && g.Pos.Line == line {
			s.Why = g.Message
		}
	}
}

// names reports whether an order fires a weapon at a ship.
func names(st orders.Statement, weapon string, foe *engine.ShipView) bool {
	to, _ := st.Arg("SHIP")
	return (strings.EqualFold(to.Text, foe.Name) || strings.EqualFold(to.Text, string(foe.ID))) &&
		slices.ContainsFunc(st.All("WEAPON"), func(a orders.Arg) bool { return strings.EqualFold(a.Text, weapon) })
}

// takeBack returns the change that removes a weapon from an order of the phase to fire at a ship, and the order's
// condition.
func (c *chooser) takeBack(weapon string, foe *engine.ShipView) (by change, when string, ok bool) {
	for _, st := range c.inPhase(func(st orders.Statement) bool { return st.Verb == fire && names(st, weapon, foe) }) {
		if st.When != nil {
			when = "when " + st.When.String()
		}
		if len(st.All("WEAPON")) == 1 {
			by, ok = c.page.write(phaseSection, c.phase, []orders.Statement{st})
			return by, when, ok
		}
		at := slices.IndexFunc(st.Words, func(w string) bool { return strings.EqualFold(w, weapon) })
		if at < 0 {
			continue
		}
		left := st
		left.Words = slices.Delete(slices.Clone(st.Words), at, at+1)
		by, ok = c.page.write(phaseSection, c.phase, []orders.Statement{st}, said(left))
		return by, when, ok
	}
	return by, "", false
}

// said returns a statement on one line.
func said(st orders.Statement) string {
	text := strings.Join(st.Words, " ")
	if st.When != nil {
		text += " when " + st.When.String()
	}
	return text
}

// names returns the parts of the ship that a placeholder can stand for.
func (c *chooser) names(placeholder string) []string {
	if c.rules == nil {
		return nil
	}
	return c.rules.Names(placeholder)
}

// values returns what a placeholder can stand for; nil if that is unlimited.
func (c *chooser) values(placeholder string) (out []string) {
	if names := c.names(placeholder); len(names) > 0 {
		return names
	}
	p := c.page.lang.Params[placeholder]
	switch {
	case placeholder == "SHIP":
		for _, s := range c.foes() {
			out = append(out, s.Name)
		}
	case placeholder == "RANGE":
		for n := 2; n <= 10; n += 2 {
			out = append(out, strconv.Itoa(n))
		}
	case len(p.Choices) > 0 && placeholder != "WORD":
		return p.Choices
	}
	return out
}
