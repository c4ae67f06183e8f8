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
	"starpost/engine/rules/sfb/sheet"
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
	out.Path = append(out.Path, engine.Step{At: f.At})
	for phase := round; phase <= l.Rounds; phase++ {
		f.phase(phase)
	}
	if f.speed > 0 || len(out.Path) > 1 {
		out.Summary = append(out.Summary, fmt.Sprintf("plotted course ends at %s heading %s, if no other ship moves", f.At.Hex.Label(), f.At.Heading))
	}
	if v.Bounds != nil && !v.Bounds.Contains(f.At.Hex) {
		f.warn(b.Start, "W128", "leaving the map means leaving the battle", "the plotted course leaves the map at %s", f.At.Hex.Label())
	}
	orders.Sort(out.Diagnostics)
	return *out
}

// foresee starts following an order set.
func foresee(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, b *orders.Block) *forecast {
	round := max(1, v.DueRound())
	p := l.Compile(&rulebook.Compiler{ID: s.ID, Side: s.Side, Sys: sys, Names: rulebook.KnownOf(v.Ships), Sides: v.Sides, Block: b, Tell: true, Round: round, At: s.Hex, Dark: v.Dark, Files: s.Files, Code: v.Code})
	f := &forecast{
		l: l, v: v, s: s, start: b.Start, sys: sys, p: &p, out: &engine.Checked{Diagnostics: p.Diags, Effects: p.Effects}, Motion: steering.Motion{At: s.Stands(), Straight: sys.Straight},
		speed: p.Energy.Speed, space: steering.SpaceOf(v.Bounds, l.Ground, slices.Values(v.Terrain)), rate: map[int]int{}, pool: p.Pool * sheet.MoveParts,
	}
	if round > 1 {
		f.speed, f.pool = sys.Speed, sys.Pool
	}
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
	way := *f
	way.out, way.rate, way.phasers = new(engine.Checked), map[int]int{}, nil
	for n := from; n < phase; n++ {
		way.phase(n)
	}
	var modes []int
	for _, i := range way.impulses(phase) {
		modes = append(modes, f.sys.StraightAt(way.rate[i]))
	}
	return way.space.Reach(way.Motion, modes)
}

// forecast follows a plan as if all other ships stayed where they are.
type forecast struct {
	l   *rulebook.Rules
	v   *engine.View
	s   *engine.ShipView
	sys *state.System
	p   *rulebook.Plan
	out *engine.Checked
	steering.Motion
	speed   int
	rate    map[int]int                  // the speed in each impulse
	pool    int                          // movement energy left, in 60ths
	hard    map[int][]rulebook.MoveOrder // high energy turns of the phase, by impulse
	unsure  bool                         // a conditional order may or may not have moved the ship
	phasers map[int]bool                 // phasers with an order to fire
	space   *steering.Space
	met     bool       // an obstacle was met, and reported
	start   orders.Pos // of the set
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
	there.Hex = &f.At.Hex
	t := f.v.Nearest(&there)
	return t, t != nil
}

func (f *forecast) phase(n int) {
	impulses := f.impulses(n)
	left := impulses
	f.hard = map[int][]rulebook.MoveOrder{}
	for _, m := range f.p.Phases[n-1].Moves {
		if m.Verb == rulebook.VerbHard && m.On > 0 && m.When == nil {
			f.hard[m.On] = append(f.hard[m.On], m)
		}
	}
	for _, m := range f.p.Phases[n-1].Moves {
		if len(left) == 0 {
			if (m.Verb == "move" || m.Verb == rulebook.VerbHard && m.On == 0) && m.When == nil && !f.unsure {
				f.warn(orders.Pos{Line: m.Line, Col: 1}, "W215", fmt.Sprintf("phase %d has %s at speed %s", n, phrase.Hexes(len(impulses)), play.SpeedWord(&f.l.Book, f.speed)), "there are no hexes left for this")
			}
			continue
		}
		left = f.move(n, m, left, len(impulses))
	}
	for _, i := range left {
		f.hardOn(i)
		mode := f.sys.StraightAt(f.rate[i])
		f.step(f.space.Onward(f.At, f.Straight >= mode), mode, i)
	}
	for _, o := range f.p.Phases[n-1].Fires {
		if !o.Standing || o.On > 0 || n == f.l.Rounds { // report standing orders once
			f.fire(o)
		}
	}
}

// impulses returns the impulses of a phase in which the ship moves, one for each hex that her speed allows and her
// pool pays for.
func (f *forecast) impulses(n int) (out []int) {
	first, last := f.l.Span(n)
	done := map[int]bool{}
	for i := first; i <= last; i++ {
		for k, o := range f.p.Phases[n-1].Speeds {
			if done[k] || o.On > 0 && o.On != i {
				continue
			}
			done[k] = true
			if o.When != nil {
				f.unsure = true
			} else if from := f.l.Quantum(f.speed); rulebook.MayFollow(from, o.To) {
				f.speed = f.l.Quanta[o.To].Hexes
				break
			} else if !f.unsure {
				f.fail(orders.Pos{Line: o.Line, Col: 1}, "E201", f.l.NextStep(from, o.To), "in impulse %d the change to speed %s is too large, so she keeps %s", i, f.l.Quanta[o.To].Word, f.l.Quanta[from].Word)
			}
		}
		f.rate[i] = f.speed
		for range f.l.Moves(f.speed, i) {
			if f.l.Quanta != nil {
				if f.pool < f.sys.HexCost() {
					break
				}
				f.pool -= f.sys.HexCost()
			}
			out = append(out, i)
		}
	}
	return out
}

// move follows one movement order, and returns the impulses that are left for others.
func (f *forecast) move(phase int, m rulebook.MoveOrder, left []int, all int) []int {
	if m.Verb == rulebook.VerbHard {
		f.unsure = f.unsure || m.When != nil
		if !play.Timed(&m) {
			f.turnHard(m)
		}
		return left
	}
	if _, ok := f.target(m.Target); m.Target != "" && !ok {
		return left
	}
	from, note, words := f.At, "", []string(nil)
	f.unsure = f.unsure || m.When != nil
	if m.Verb == "move" && len(m.Words) > len(left) && !f.unsure {
		f.warn(orders.Pos{Line: m.Line, Col: 1}, "W215", fmt.Sprintf("phase %d has %s at speed %s", phase, phrase.Hexes(all), play.SpeedWord(&f.l.Book, f.speed)), "%d of these words are not used", len(m.Words)-len(left))
	}
	for k := 0; len(left) > 0 && (m.Verb != "move" || k < len(m.Words)); k++ {
		f.hardOn(left[0])
		mode, moved, word := f.sys.StraightAt(f.rate[left[0]]), f.Straight, ""
		if m.Verb == "move" {
			word = m.Words[k]
		} else {
			target := engine.Place{Hex: m.At}
			if foe, ok := f.target(m.Target); ok {
				target = foe.Stands()
			}
			word = steering.Steer(play.Wish(&m), f.At, target, moved >= mode, f.space)
		}
		went := f.step(word, mode, left[0])
		switch {
		case went == word || f.unsure:
		case mode >= state.NoTurns:
			f.warn(m.WordAt[k], "W210", "it becomes F", "%s, word %d: %s", word, k+1, rulebook.Uncontrolled)
		default:
			f.warn(m.WordAt[k], "W210", "it becomes F", "%s, word %d: by then she has moved %d of the %s straight that her turn mode requires", word, k+1, moved, phrase.Hexes(mode))
		}
		words, left = append(words, went), left[1:]
	}
	if m.Verb != "move" {
		note = ", as things stand: " + strings.Join(words, " ")
	}
	if m.When != nil {
		note += ", if the condition holds then"
	}
	if m.Standing {
		note += fmt.Sprintf(", in phase %d", phase)
	}
	f.say(m.Line, from.Hex.Label()+" "+from.Heading.String()+" to "+f.At.Hex.Label()+" "+f.At.Heading.String()+note)
	return left
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
	need := rulebook.PoolEnergy(f.speed+n*f.l.Hard.Hexes, f.sys.HexCost())
	if n > 0 && need > f.p.Pool {
		f.warn(orders.Pos{Line: line, Col: 1}, "W217", fmt.Sprintf("speed %s pool %d pays for all", play.SpeedWord(&f.l.Book, f.speed), need),
			"%s and %s take more than the pool of %d energy: hexes it cannot pay for are not moved", phrase.Hexes(f.speed), phrase.Counted(n, "hard turn", "hard turns"), f.p.Pool)
	}
}

// turnHard follows a high energy turn, assuming nothing breaks.
func (f *forecast) turnHard(m rulebook.MoveOrder) {
	f.pool -= f.l.Hard.Hexes * f.sys.HexCost()
	f.At.Heading, f.Straight = f.At.Heading.Turn(m.Sides), 0
}

// hardOn follows the high energy turns of an impulse, before its first hex.
func (f *forecast) hardOn(impulse int) {
	for _, m := range f.hard[impulse] {
		f.turnHard(m)
	}
	delete(f.hard, impulse)
}

// step follows one hex of movement, and returns the word used.
func (f *forecast) step(word string, mode, impulse int) (went string) {
	if b := f.space.Bounds; b != nil && !b.Contains(f.At.Hex) {
		return word // she has left the map
	}
	went, barred := f.Go(word, mode, f.space)
	if to := steering.Step(f.At, went); barred {
		if !f.unsure && !f.met {
			f.warn(f.start, "W219", "turn away before it", "the plotted course leads into a %s at %s: she stops in front of it, and uses up the hexes", f.space.Closed[to.Hex], to.Hex.Label())
		}
		f.met = true
	}
	f.out.Path = append(f.out.Path, engine.Step{Phase: impulse, At: f.At})
	return went
}
