package forecast

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Own returns an own ship of a view with its systems.
func Own(v *engine.View, id engine.ShipID) (*engine.ShipView, *state.System, bool) {
	s, ok := v.Ship(id)
	if !ok {
		return nil, nil, false
	}
	sys, ok := s.System.(*state.System)
	return s, sys, ok && s.Hex != nil
}

// Check diagnoses an order set by what its captain may know, and says what each line would do if the other ships
// stayed where they are.
func Check(l *rulebook.Rules, v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
	s, sys, ok := Own(v, id)
	if !ok {
		s = nil
	}
	if refused := family.Refuse(s, ok && s.Status == engine.Active, &b, "E117", "E129", "speed 0"); refused != nil {
		return engine.Checked{Diagnostics: refused}
	}
	round := max(1, v.DueRound())
	f := foresee(l, v, s, sys, &b)
	p, out := f.p, f.out
	if round == 1 {
		out.Summary = append(out.Summary, play.EnergyWords(l, &p.Energy))
		out.Power = engine.Power{Have: p.Energy.Available + p.Energy.Batteries, Uses: tactical.Uses(p.Spent)}
		f.hardPool()
	} else if _, given := b.Group("phase", round); !given {
		f.warn(b.Start, "W131", fmt.Sprintf("write phase %d, and its orders below it", round),
			"there are no orders for phase %d, which is due: those you sent earlier this turn apply, or else the ship goes ahead", round)
	}
	out.Path = append(out.Path, engine.Step{At: f.ship.Ship.Stands()})
	for phase := round; phase <= l.Rounds; phase++ {
		f.phase(phase)
	}
	end := f.ship.Ship.Stands()
	if f.ship.System().Speed > 0 || len(out.Path) > 1 {
		out.Summary = append(out.Summary, fmt.Sprintf("plotted course ends at %s heading %s, if no other ship moves", end.Hex.Label(), end.Heading))
	}
	if v.Bounds != nil && !v.Bounds.Contains(end.Hex) {
		f.warn(b.Start, "W128", "leaving the map means leaving the battle", "the plotted course leaves the map at %s", end.Hex.Label())
	}
	orders.Sort(out.Diagnostics)
	return *out
}

// foresee starts following an order set.
func foresee(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, b *orders.Block) *forecast {
	p := l.Compile(&rulebook.Compiler{ID: s.ID, Side: s.Side, Sys: sys, Names: rulebook.KnownOf(v.Ships), Sides: v.Sides, Block: b, Tell: true, Round: max(1, v.DueRound()), At: s.Hex, Dark: v.Dark, Files: s.Files, Code: v.Code})
	return follow(l, v, s, sys, &p, &engine.Checked{Diagnostics: p.Diags, Effects: p.Effects}, b.Start)
}

// follow starts following a plan.
func follow(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, p *rulebook.Plan, out *engine.Checked, start orders.Pos) *forecast {
	f := &forecast{l: l, v: v, s: s, start: start, sys: sys, p: p, out: out}
	f.ship = play.Rehearse(l, v, s, sys, p, play.Watch{Hex: f.hex, Refused: f.refused})
	return f
}

// Chooses returns a function that lists what else could be written in an order set.
func Chooses(l *rulebook.Rules) func(*engine.View, engine.ShipID, orders.Block) engine.Chooser {
	return func(v *engine.View, id engine.ShipID, b orders.Block) engine.Chooser {
		s, sys, ok := Own(v, id)
		if !ok || s.Status != engine.Active {
			return nil
		}
		return foresee(l, v, s, sys, &b)
	}
}

// Names implements [engine.Chooser].
func (f *forecast) Names(placeholder string) (out []string) {
	switch placeholder {
	case "SHIELD":
		return []string{"1", "2", "3", "4", "5", "6"}
	case "WEAPON", "RACK":
		for i := range f.sys.Weapons {
			b := f.sys.Bank(i)
			if flies := b.Kind.Rack() || len(f.l.Charts[b.Kind].Warheads) > 0; b.Left > 0 && flies == (placeholder == "RACK") {
				out = append(out, b.Name)
			}
		}
	}
	return out
}

// Reach implements [engine.Chooser]: the ship moves as many hexes as her speed allows, with the turns that she can
// make.
func (f *forecast) Reach(phase int) []engine.Reached {
	from := max(1, f.v.DueRound())
	if phase < from || phase > f.l.Rounds {
		return nil
	}
	way := follow(f.l, f.v, f.s, f.sys, f.p, new(engine.Checked), f.start)
	for n := from; n < phase; n++ {
		way.phase(n)
	}
	open := *f.v // without edges and obstacles, so that she moves all hexes of the phase
	open.Bounds, open.Terrain = nil, nil
	free := follow(f.l, &open, f.s, f.sys, f.p, new(engine.Checked), f.start)
	for n := from; n <= phase; n++ {
		free.phase(n)
	}
	space := steering.SpaceOf(f.v.Bounds, f.l.Ground, slices.Values(f.v.Terrain))
	return space.Reach(steering.Motion{At: way.ship.Ship.Stands(), Straight: way.ship.System().Straight}, free.modes)
}

// forecast follows a plan as if all other ships stayed where they are.
type forecast struct {
	l       *rulebook.Rules
	v       *engine.View
	s       *engine.ShipView
	sys     *state.System // as she is now
	p       *rulebook.Plan
	out     *engine.Checked
	start   orders.Pos // of the set
	ship    *play.Rehearsal
	unsure  bool         // a conditional order may or may not have moved the ship
	phasers map[int]bool // phasers with an order to fire
	met     bool         // an obstacle was met, and reported
	braking int          // the line of the order to brake that she follows

	// In the phase that is followed:
	no, impulse int
	moves       []moved // by order; the last one is without an order
	modes       []int   // the turn mode at each hex
}

// moved is what an order has moved the ship in a phase.
type moved struct {
	from, to engine.Place
	words    []string
}

func (f *forecast) warn(pos orders.Pos, code, hint, format string, args ...any) {
	f.add(orders.Warning, pos, code, hint, format, args...)
}

// fail reports an order that certainly cannot be carried out.
func (f *forecast) fail(pos orders.Pos, code, hint, format string, args ...any) {
	f.add(orders.Error, pos, code, hint, format, args...)
}

func (f *forecast) add(severity orders.Severity, pos orders.Pos, code, hint, format string, args ...any) {
	f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
		Pos: pos, Severity: severity, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...),
	})
}

func (f *forecast) say(line int, text string) {
	f.out.Effects = append(f.out.Effects, engine.Effect{Line: line, Text: text})
}

// target returns the present position of an order's target.
func (f *forecast) target(id engine.ShipID) (*engine.ShipView, bool) {
	if id != rulebook.NearestEnemy {
		t, ok := f.v.Ship(id)
		return t, ok && t.Hex != nil
	}
	there := *f.s
	there.Hex = &f.ship.Ship.Hex
	t := f.v.Nearest(&there)
	return t, t != nil
}

// phase follows a phase.
func (f *forecast) phase(n int) {
	p := &f.p.Phases[n-1]
	f.no, f.modes, f.moves = n, nil, make([]moved, len(p.Moves)+1)
	f.unsure = f.unsure || slices.ContainsFunc(p.Brakes, func(o rulebook.LeaveOrder) bool { return o.When != nil }) ||
		slices.ContainsFunc(p.Speeds, func(o rulebook.SpeedOrder) bool { return o.When != nil })
	first, last := f.l.Span(n)
	for f.impulse = first; f.impulse <= last && f.ship.Ship.Status == engine.Active; f.impulse++ {
		before := f.ship.System().Braking
		f.ship.Impulse(f.impulse)
		f.brakes(before)
		if at := f.ship.Ship.Stands(); len(f.out.Path) > 0 && at != f.out.Path[len(f.out.Path)-1].At { // turned where she is
			f.out.Path = append(f.out.Path, engine.Step{Phase: f.impulse, At: at})
		}
	}
	for k := range p.Moves {
		f.tell(k)
	}
	for _, o := range p.Fires {
		if !o.Standing || o.On > 0 || n == f.l.Rounds { // report standing orders once
			f.fire(o)
		}
	}
}

// brakes follows the stop of a ship that brakes.
func (f *forecast) brakes(before int) {
	switch now := f.ship.System().Braking; {
	case before == 0 && now > 0:
		i := slices.IndexFunc(f.ship.Plan.Phases[f.no-1].Brakes, func(o rulebook.LeaveOrder) bool { return o.On == 0 || o.On == f.impulse })
		f.braking = f.ship.Plan.Phases[f.no-1].Brakes[i].Line
	case before > 0 && now < 0 && f.braking > 0: // by an order of this set
		f.say(f.braking, fmt.Sprintf("she stops in impulse %d at %s", f.impulse, f.ship.Ship.Hex.Label()))
	}
}

// refused reports a change of speed that does not follow the present speed.
func (f *forecast) refused(o *rulebook.SpeedOrder, from int) {
	if !f.unsure {
		f.fail(orders.Pos{Line: o.Line, Col: 1}, "E201", f.l.NextStep(from, o.To), "in impulse %d the change to speed %s is too large, so she keeps %s", f.impulse, f.l.Quanta[o.To].Word, f.l.Quanta[from].Word)
	}
}

// hex follows a hex of movement.
func (f *forecast) hex(h play.Hex) {
	moves, carried := f.p.Phases[f.no-1].Moves, f.ship.Plan.Phases[f.no-1].Moves
	k := 0
	for k < len(carried) && h.Order != &carried[k] {
		k++
	}
	f.unsure = f.unsure || slices.ContainsFunc(moves[:min(k+1, len(moves))], func(m rulebook.MoveOrder) bool { return m.When != nil })
	did := &f.moves[k]
	if did.words == nil {
		did.from = f.ship.Ship.Stands()
	}
	did.words, did.to, f.modes = append(did.words, h.Went), h.At, append(f.modes, h.Mode)
	if h.Went != h.Word && !f.unsure {
		n, why := len(did.words), rulebook.Uncontrolled
		if h.Mode < state.NoTurns {
			why = fmt.Sprintf("by then she has moved %d of the %s straight that her turn mode requires", h.Straight, phrase.Hexes(h.Mode))
		}
		f.warn(moves[k].WordAt[n-1], "W210", "it becomes F", "%s, word %d: %s", h.Word, n, why)
	}
	if h.Obstacle != "" {
		if !f.unsure && !f.met {
			f.warn(f.start, "W219", "turn away before it", "the plotted course leads into a %s at %s: she stops in front of it, and uses up the hexes", h.Obstacle, steering.Step(h.At, h.Went).Hex.Label())
		}
		f.met = true
	}
	f.out.Path = append(f.out.Path, engine.Step{Phase: f.impulse, At: h.At})
}

// tell says what a movement order of the phase has done.
func (f *forecast) tell(k int) {
	m, did := &f.p.Phases[f.no-1].Moves[k], &f.moves[k]
	hexes := fmt.Sprintf("phase %d has %s at speed %s", f.no, phrase.Hexes(len(f.modes)), play.SpeedWord(&f.l.Book, f.ship.System().Speed))
	later := slices.ContainsFunc(f.moves[k+1:], func(o moved) bool { return len(o.words) > 0 })
	switch {
	case f.unsure || m.When != nil || f.ship.Ship.Status != engine.Active:
	case m.Verb == "move" && len(did.words) == 0, m.Verb == rulebook.VerbHard && m.On == 0 && !later && f.ship.System().Braking >= 0:
		f.warn(orders.Pos{Line: m.Line, Col: 1}, "W215", hexes, "there are no hexes left for this")
	case m.Verb == "move" && len(did.words) < len(m.Words):
		f.warn(orders.Pos{Line: m.Line, Col: 1}, "W215", hexes, "%d of these words are not used", len(m.Words)-len(did.words))
	}
	if len(did.words) == 0 {
		return
	}
	note := ""
	if m.Verb != "move" {
		note = ", as things stand: " + strings.Join(did.words, " ")
	}
	if m.When != nil {
		note += ", if the condition holds then"
	}
	if m.Standing {
		note += fmt.Sprintf(", in phase %d", f.no)
	}
	f.say(m.Line, did.from.Hex.Label()+" "+did.from.Heading.String()+" to "+did.to.Hex.Label()+" "+did.to.Heading.String()+note)
}

// hardPool warns if the pool pays for fewer hexes than the ordered speed and high energy turns take.
func (f *forecast) hardPool() {
	n, line := 0, 0
	for _, p := range f.p.Phases {
		if len(p.Speeds) > 0 {
			return
		}
		for _, m := range p.Moves {
			if m.Verb == rulebook.VerbHard && m.When == nil {
				n, line = n+1, m.Line
			}
		}
	}
	speed := f.p.Energy.Speed
	need := rulebook.PoolEnergy(speed+n*f.l.Hard.Hexes, f.sys.HexCost())
	if n > 0 && need > f.p.Pool {
		f.warn(orders.Pos{Line: line, Col: 1}, "W217", fmt.Sprintf("speed %s pool %d pays for all", play.SpeedWord(&f.l.Book, speed), need),
			"%s and %s take more than the pool of %d energy: hexes it cannot pay for are not moved", phrase.Hexes(speed), phrase.Counted(n, "hard turn", "hard turns"), f.p.Pool)
	}
}
