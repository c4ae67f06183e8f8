package play

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// WhyTractor explains the effect of a tractor beam.
func WhyTractor(_ *rulebook.Rules, s *engine.Story, _ int, b *state.Beam) []string {
	return []string{
		fmt.Sprintf("%s has moved %s this turn, of %s in all; a hex costs her %s energy, so %d energy takes off %s", s.Name(b.Target), phrase.Hexes(b.Moved), phrase.Hexes(b.Hexes), sheet.Fraction(b.Cost), b.Energy, phrase.Hexes(b.Slows)),
		map[bool]string{true: "that is more than all of them: she is caught", false: fmt.Sprintf("she stops after %d, or at once if she has moved that far", b.Hexes-b.Slows)}[b.Caught],
	}
}

// BreakdownWords describes a breakdown of engines.
func BreakdownWords(_ *rulebook.Rules, v *engine.View, b *state.Breakdown) string {
	if !b.Broken {
		return fmt.Sprintf("the engines of %s hold: die %d, less than %d", v.Name(b.Ship), b.Roll, b.Need)
	}
	return fmt.Sprintf("%s breaks down: die %d, %d or more; she stops for the turn, and loses %s", v.Name(b.Ship), b.Roll, b.Need, phrase.Losses(b.Lost))
}

// ReadTractor reads an order for a tractor beam.
func ReadTractor(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	e, _ := st.Arg("ENERGY")
	a.N = e.Num
	switch {
	case c.Sys.Sheet.Count(sheet.Tractor).Left == 0:
		c.Fail(st.Pos, "E240", "leave it out", "this ship has no tractor beam left")
	case a.N < 1:
		c.Fail(e.Pos, "E241", "1 or more", "a tractor beam takes energy")
	case c.Tell && a.N > beamEnergy(c):
		hint := strconv.Itoa(beamEnergy(c)) + " at most"
		if c.Round < 2 {
			hint += ", or spend less on other things"
		}
		c.Fail(e.Pos, "E241", hint, "%d energy wanted for a tractor beam; with what is set aside, in reserve and in the batteries there are %d", a.N, beamEnergy(c))
	default:
		return within(c, a, st, c.Book.TractorRange, "a tractor beam")
	}
	return false
}

// beamEnergy returns the most energy available for a tractor beam this turn: what is set aside, the reserve, the
// batteries, and what braking would return from the pool.
func beamEnergy(c *rulebook.Compiler) int {
	pool, purse, kept := c.Sys.Pool/sheet.MoveParts, c.Sys.Purse, c.Sys.Reserve+c.Sys.Batteries
	if e := &c.Plan.Energy; c.Round < 2 {
		pool, purse, kept = c.Plan.Pool, e.Purse, e.Unused+e.Before-e.Batteries
	}
	if c.Sys.Brakes {
		kept += pool / 2
	}
	return kept + purse[rulebook.VerbTractor]
}

// BeamEnergy returns the most energy available for a tractor beam with the given power orders.
func BeamEnergy(l *rulebook.Rules, sys *state.System, round int, power orders.Set) int {
	c := &rulebook.Compiler{Sys: sys, Block: Plain(l, power), Round: round}
	l.Compile(c)
	return beamEnergy(c)
}

// within reports an order for a ship too far away to come within range in time, and returns false; otherwise it
// states the present range.
func within(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement, most int, what string) bool {
	i := slices.IndexFunc(c.Names, func(k rulebook.Known) bool { return k.ID == a.Target })
	if !c.Tell || i < 0 || c.Names[i].At == nil || c.At == nil {
		return true
	}
	away := hex.Distance(*c.At, *c.Names[i].At)
	on := a.On
	if on == 0 {
		on = c.Book.Impulses
	}
	if fly := 2 * c.Book.MaxSpeed * on / c.Book.Impulses; away-fly > most {
		arg, _ := st.Arg("SHIP")
		c.Fail(arg.Pos, "E242", "come closer first", "%s is %s away: %s reaches %d, and no speed brings her so near by impulse %d", c.Names[i].Name, phrase.Hexes(away), what, most, on)
		return false
	}
	c.Effect(st.Pos.Line, "%s is %s away now; %s reaches %d", c.Names[i].Name, phrase.Hexes(away), what, most)
	return true
}

// Tractor puts a beam on a ship, or says why it cannot.
func Tractor(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *rulebook.Act) string {
	sys, other := state.Of(s), state.Of(target)
	switch rng := hex.Distance(s.Hex, target.Hex); {
	case rng > l.TractorRange:
		return fmt.Sprintf("%s is %s away, and a tractor beam reaches %d", target.Name, phrase.Hexes(rng), l.TractorRange)
	case state.Cloaked(s):
		return shipCloaked
	case sys.Sheet.Count(sheet.Tractor).Left <= sys.Beams:
		return "no tractor beam is free"
	case other.Held != "":
		return "a tractor beam holds her already"
	case !pay(l, t, s, rulebook.VerbTractor, a.N, t.Ordered(s.ID, a.Line, a.Text)):
		return fmt.Sprintf("there is too little energy left: it takes %d", a.N)
	}
	beam(l, t, s, target, a)
	return ""
}

// beam computes the effect of a tractor beam's energy on a ship (house 71.61).
func beam(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *rulebook.Act) {
	sys, h := state.Of(target), memo(t).helm(target)
	cost := sys.HexCost()
	b := &state.Beam{Ship: s.ID, Target: target.ID, Energy: a.N, Cost: cost, Mode: sys.Sheet.TurnMode, Moved: h.moved, Hexes: h.moved, Slows: a.N * sheet.MoveParts / cost}
	if target.Status == engine.Active {
		for i := t.Phase.No + 1; i <= l.Impulses; i++ {
			b.Hexes += l.Moves(sys.Speed, i)
		}
		if sys.Limit > 0 {
			b.Hexes = min(b.Hexes, sys.Limit-1)
		}
	}
	b.Caught = b.Hexes < b.Slows
	again := sys.Held == s.ID
	moving := sys.Speed > 0 && !again
	hit := t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(b, engine.SeeAll(), l.Cite(rulebook.OnTractor)...)
	useOf(l, t, s, sheet.Tractor, state.Of(s).Beams, hit)
	if !b.Caught {
		h.pool = max(0, h.pool-a.N*sheet.MoveParts)
		t.Because(hit).Emit(&state.Pool{Ship: target.ID, Left: h.pool, Reserve: sys.Reserve, Freed: 0}, engine.SeeOnly(target.ID), l.Cite(rulebook.OnTractor)...)
	} else if moving && target.Status == engine.Active {
		breakdown(l, t, target, hit, l.Cite(rulebook.OnTractor))
	}
}

// breakdown rolls for a ship's engines. If they break she is stopped for the turn, and loses her pool and a box of
// each warp engine (ruling H5).
func breakdown(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, cause engine.Ref, cites []string) {
	sys, h := state.Of(s), memo(t).helm(s)
	if sys.Sheet.Breakdown == 0 {
		return
	}
	if h.rolledIn != t.Phase.No {
		h.rolls, h.rolledIn = 0, t.Phase.No
	}
	h.rolls++
	b := &state.Breakdown{Ship: s.ID, Need: sys.Sheet.Breakdown}
	b.Roll = t.Roll(engine.NameRoll("breakdown", s.ID).And(strconv.Itoa(h.rolls)), dice.D6, seenBy(&l.Book, t.Game, s), cites...)
	if b.Broken = b.Roll >= b.Need; b.Broken {
		for _, bank := range sys.Sheet.Banks {
			if bank.Kind == sheet.Warp && bank.Left > 0 {
				b.Lost = append(b.Lost, bank.Name)
			}
		}
	}
	broke := t.Because(cause).Emit(b, seenBy(&l.Book, t.Game, s), cites...)
	if b.Broken {
		h.pool = 0
		t.Because(broke).Emit(&state.Pool{Ship: s.ID, Left: 0, Reserve: sys.Reserve, Freed: 0}, engine.SeeOnly(s.ID), cites...)
		t.Because(broke).Emit(&state.Speed{Ship: s.ID, Speed: 0, Mode: sys.StraightAt(0), Cloaked: sys.Cloaked, Down: sys.Down}, seenBy(&l.Book, t.Game, s), cites...)
	}
}

// HoldOn continues last turn's tractor beams that are ordered and paid for; a ship that is now too fast for her beam
// is free (ruling H6).
func HoldOn(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		for _, g := range slices.Clone(state.Of(s).Holds) {
			target, ok := t.Game.Ship(g.Ship)
			kept := false
			var acts []rulebook.Act
			if p := memo(t).plans[s.ID]; p != nil {
				acts = p.Phases[0].Acts
			}
			for i := range acts {
				a := &acts[i]
				if kept || !ok || a.Verb != rulebook.VerbTractor || a.Done || a.On > 1 || aim(l, t.Game, s, a.Target) != target || !judge(l, t, s, target, a.When) {
					continue
				}
				if a.Done = pay(l, t, s, rulebook.VerbTractor, a.N, t.Ordered(s.ID, a.Line, a.Text)); a.Done {
					kept = true
					beam(l, t, s, target, a)
				}
			}
			if !kept {
				t.Emit(&state.Release{Ship: s.ID, Target: g.Ship, Why: "the beam is not paid for in this turn"}, engine.SeeAll(), l.Cite(rulebook.OnTractor)...)
			}
		}
	}
}

// Loosen releases the ships that can no longer be held.
func Loosen(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range engine.Captained(t.Game.Ships) {
		release := func(g state.Grip, why string) {
			t.Emit(&state.Release{Ship: s.ID, Target: g.Ship, Why: why}, engine.SeeAll(), l.Cite(rulebook.OnTractor)...)
		}
		for _, g := range slices.Clone(state.Of(s).Holds) {
			switch target, ok := t.Game.Ship(g.Ship); {
			case s.Status != engine.Active:
				release(g, "she is out of the fight")
			case !ok || !fair(target):
				release(g, "she is gone")
			case state.Cloaked(s):
				release(g, shipCloaked)
			}
		}
		for n := len(state.Of(s).Holds); n > state.Of(s).Sheet.Count(sheet.Tractor).Left; n-- {
			release(state.Of(s).Holds[n-1], "the tractor beam is destroyed")
		}
	}
}

// tow moves the ships that a ship holds along with her. It calls leaves for each before moving it.
func tow(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, from hex.Hex, leaves func(*engine.Ship)) {
	for _, g := range slices.Clone(state.Of(s).Holds) {
		target, ok := t.Game.Ship(g.Ship)
		if !ok || !target.OnMap() {
			continue
		}
		leaves(target)
		at := engine.Place{Hex: target.Hex, Heading: target.Heading}
		dragged := engine.Place{Hex: hex.Hex{Q: at.Hex.Q + s.Hex.Q - from.Q, R: at.Hex.R + s.Hex.R - from.R}, Heading: at.Heading}
		if space := space(l, t); space.Closed[dragged.Hex] != "" {
			t.Because(t.Last()).Emit(&state.Release{Ship: s.ID, Target: g.Ship, Why: space.InWay(dragged.Hex)}, engine.SeeAll(), l.Cite(rulebook.OnTractor, rulebook.OnObstacles)...)
			continue
		}
		t.Because(t.Last()).Emit(&engine.Move{Ship: target.ID, Word: "towed", From: at, To: dragged}, engine.SeeAll(), l.Cite(rulebook.OnTractor)...)
		if b := t.Game.Bounds; b != nil && !b.Contains(dragged.Hex) {
			out(l, t.Because(t.Last()), target, engine.Left, "towed over the edge of the map", b.Beyond(dragged.Hex), "D8")
		}
	}
}

// TractorWords describes the effect of a tractor beam.
func TractorWords(_ *rulebook.Rules, v *engine.View, b *state.Beam) string {
	text := fmt.Sprintf("%s puts a tractor beam of %d energy on %s: it takes %s off her %s", v.Name(b.Ship), b.Energy, v.Name(b.Target), phrase.Hexes(b.Slows), phrase.Hexes(b.Hexes))
	switch ends := b.Hexes - b.Slows; {
	case b.Caught:
		return text + ", and she is caught"
	case ends <= b.Moved:
		return text + ", and she stops"
	default:
		return fmt.Sprintf("%s, and she stops after %d", text, ends)
	}
}
