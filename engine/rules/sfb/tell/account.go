package tell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// Words describes the i-th event of a view on its own.
func (l *Teller) Words(v *engine.View, i int) []engine.Line {
	e := &v.Events[i]
	switch e.Body.(type) {
	case *engine.Roll, *engine.Move, *engine.Talk:
		return nil // the engine has words for them
	}
	if text, ok := l.Events.Alone(l.Rules, v, e.Body); ok {
		return []engine.Line{{Text: text, Cite: engine.Cite(e.Rule)}}
	}
	n := &narrator{l: l.Rules, events: l.Events, v: v}
	n.entry(i)
	n.flush()
	var out []engine.Line
	for _, c := range n.chapters {
		out = append(out, c.Lines...)
	}
	return out
}

// Why explains what the rules made of an event (see engine.Rules).
func (l *Teller) Why(s *engine.Story, i int) []string {
	why, _ := l.Events.Why(l.Rules, s, i)
	return why
}

func whyEnergy(l *rulebook.Rules, s *engine.Story, _ int, b *state.Energy) []string {
	out := []string{fmt.Sprintf("engine and reactor boxes give %d, the batteries held %d and release %d; %d is unused, and %s", b.Available, b.Before, b.Batteries, b.Unused, l.Unused())}
	if was, ok := s.Before.Ship(b.Ship); ok {
		out = append(out, whySpeed(l, state.Of(was), b.Speed))
	}
	return out
}

func whyHurt(l *rulebook.Rules, s *engine.Story, _ int, b *state.Hurt) []string {
	if ship, ok := s.After.Ship(b.Ship); ok && ship.Kind == engine.KindPlasma {
		return []string{"two phaser points take one off its warhead"}
	}
	return []string{fmt.Sprintf("a drone is destroyed by %s of damage", phrase.Points(l.Drone.Points))}
}

func whyStruck(_ *rulebook.Rules, _ *engine.Story, _ int, b *state.Struck) []string {
	return []string{fmt.Sprintf("all hits on this shield in the impulse form one volley of %d: general reinforcement stops %d, the shield's own %d, its boxes %d of %d, and %d go inside",
		b.Points, b.AllRound, b.Reinforce, b.Before-b.After, b.Before, b.Inside)}
}

func whyMend(l *rulebook.Rules, s *engine.Story, _ int, b *state.Mend) []string {
	mended, _ := s.Before.Ship(b.Ship)
	return []string{fmt.Sprintf("a box takes %d energy; a turn's repairs take at most %d", l.BoxEnergy, l.Repairs(state.Of(mended)))}
}

func whyOut(_ *rulebook.Rules, _ *engine.Story, _ int, b *engine.Out) []string {
	switch {
	case b.Why == engine.Destroyed:
		return []string{"the point after her last excess damage box destroys a ship"}
	case b.How != "":
		return []string{b.How}
	}
	return nil
}

// whySpeed explains the limits of a ship's speed, and the engines' part in them.
func whySpeed(l *rulebook.Rules, was *state.System, speed int) string {
	if l.Quanta != nil {
		return fmt.Sprintf("speed %s after %s last turn, at most one step; a hex takes %s energy from the pool", play.SpeedWord(&l.Book, speed), play.SpeedWord(&l.Book, was.Speed), sheet.Fraction(was.HexCost()))
	}
	warp, share := was.Sheet.Count(sheet.Warp).Left, min(l.ImpulseHexes, was.Sheet.Count(sheet.Impulse).Left)
	return fmt.Sprintf("speed %d after %d last turn: at most %d by that, %d by the engines (warp %d, impulse %d)",
		speed, was.Speed, l.Fastest(was.Speed), warp+share, warp, share)
}

// whyMove explains a turn by the turn mode, and a craft's hex by its destination.
func whyMove(l *rulebook.Rules, s *engine.Story, i int, b *engine.Move) []string {
	ship, ok := s.After.Ship(b.Ship)
	switch {
	case !ok:
		return nil
	case state.IsCraft(ship):
		return []string{fmt.Sprintf("it goes to %s", state.Of(ship).Course.Label())}
	case ship.Small():
		f := state.Of(ship).Flight
		if f.Kind.Cannon() {
			return []string{fmt.Sprintf("a shot flies straight, %s an impulse, until something is in its way", phrase.Hexes(l.Charts[f.Kind].Shot.Pace))}
		}
		age := play.Between(l, f.Launched, s.After.Turn, s.Events[i].Phase)
		if pace := play.Flown(&l.Book, f, 1); pace > 1 {
			return []string{fmt.Sprintf("it seeks %s, %s each impulse, turning at most one side before each hex but the first; by the end of this impulse it has flown at most %s", s.Name(f.Target), phrase.Hexes(pace), phrase.Hexes(play.Flown(&l.Book, f, age)))}
		}
		return []string{fmt.Sprintf("it seeks %s, a hex each impulse, turning at most one side before each hex but the first: it has flown %s", s.Name(f.Target), phrase.Hexes(age))}
	}
	for k := range i {
		if sp, is := s.Events[k].Body.(*state.Speed); is && sp.Ship == b.Ship {
			out := []string{fmt.Sprintf("speed %s moves on impulses %s", play.SpeedWord(&l.Book, sp.Speed), l.MovesOn(sp.Speed))}
			if b.Word != "F" {
				out = append(out, fmt.Sprintf("at that speed it may turn after %s straight", phrase.Hexes(sp.Mode)))
			}
			return out
		}
	}
	return nil
}

// whyFire explains a shot: chart, range, die.
func whyFire(l *rulebook.Rules, s *engine.Story, _ int, b *state.Fire) []string {
	if b.Blind && b.Target == "" {
		return []string{fmt.Sprintf("no hidden ship is in its arc and range, counted as %d hexes farther; the die is rolled anyway", l.Cloak.More)}
	}
	var out []string
	rng := b.Range
	if b.Scanner > 0 {
		rng += b.Scanner
		out = append(out, fmt.Sprintf("her damaged scanner adds %d to the range: it counts as %d", b.Scanner, rng))
	}
	if b.Counts > rng {
		out = append(out, fmt.Sprintf("the target is cloaked: range %d counts as %d times that plus %d, which is %d", rng, l.Cloak.Times, l.Cloak.More, b.Counts))
		rng = b.Counts
	}
	chart := l.Charts[b.Kind]
	if ship, ok := s.After.Ship(b.Ship); ok {
		chart = play.Chart(&l.Book, state.Of(ship), b.Kind)
	}
	r, _ := play.AtOver(&chart, b.Over, rng)
	if r.Need == 0 {
		out = append(out, fmt.Sprintf("%s at range %d does %s with dice of 1 to 6: die %d does %d", b.Kind.Title(), rng, r.Digits(), b.Roll, b.Points))
	} else {
		die := fmt.Sprintf("rolled %d", b.Roll)
		if b.More > 0 {
			die += fmt.Sprintf(", plus %d for the small target", b.More)
		}
		verdict := "more than that: a miss"
		if b.Hit {
			verdict = "a hit"
		}
		out = append(out, fmt.Sprintf("%s at range %d hits for %d with a die of %d or less: %s, %s", b.Kind.Title(), rng, r.Points, r.Need, die, verdict))
	}
	if h := chart.Beam; h.Shield > 0 {
		out = append(out, "a hit does "+play.BeamWords(h)+"; the last box of a shield absorbs all of it")
	}
	if b.Over > 0 {
		more := "its points are doubled"
		if each := chart.Over.Each; each > 0 {
			more = fmt.Sprintf("each extra energy adds %s", phrase.Points(each))
		}
		out = append(out, fmt.Sprintf("it was overloaded with %d extra energy: %s; its own die destroys it after the shot on %d or more, rolled %d", b.Over, more, chart.Over.Blows, b.Own))
	}
	if b.Shield > 0 {
		out = append(out, fmt.Sprintf("shield %d of %s faces %s; on the line between two shields her standing order chooses", b.Shield, s.Name(b.Target), s.Name(b.Ship)))
	}
	return out
}

// whyStrike explains the effect of a drone or torpedo.
func whyStrike(l *rulebook.Rules, s *engine.Story, i int, b *state.Strike) []string {
	ship, ok := s.After.Ship(b.Ship)
	if !ok {
		return nil
	}
	f := state.Of(ship).Flight
	out := []string{fmt.Sprintf("a drone does %d", f.Damage)}
	if f.Kind.Cannon() {
		out = []string{fmt.Sprintf("the shot has %s", phrase.Points(f.Damage))}
	} else if f.Kind != "" {
		chart, flown := l.Charts[f.Kind], cmp.Or(b.Flown, play.Between(l, f.Launched, s.After.Turn, s.Events[i].Phase))
		out = []string{fmt.Sprintf("after %s its warhead has %d, less %d taken off by phasers", phrase.Hexes(flown), chart.Warhead(flown), chart.Warhead(flown)-play.Does(l, f, flown))}
	}
	if b.Roll > 0 {
		out = append(out, fmt.Sprintf("%s is cloaked: it misses on a die of %d or less, rolled %d, and otherwise does half", s.Name(b.Target), l.Cloak.Miss, b.Roll))
	}
	if b.Shield == 0 {
		return out
	}
	return append(out, fmt.Sprintf("it came in across the side of shield %d", b.Shield))
}

// whyBlock explains what a row of the chart for blocks takes from a bank.
func whyBlock(l *rulebook.Rules, b *state.Damage) []string {
	if b.Roll == 0 {
		return []string{"armour is lost before any die is rolled"}
	}
	words := make([]string, len(l.Block[b.Roll-2]))
	for i, c := range l.Block[b.Roll-2] {
		if words[i] = c.What; c.Once {
			words[i] += " (one box)"
		}
	}
	first := "dice of"
	if b.Aimed {
		first = "aimed at row"
	}
	out := []string{fmt.Sprintf("%s %d: %s, then excess damage; kinds of which she has no box left are skipped", first, b.Roll, strings.Join(words, ", "))}
	if b.Half {
		out = append(out, "for ships that may aim while moving, half of what gets inside counts, rounded down")
	}
	return out
}

// whyDamage explains one point inside: the row of the chart, and who chose the box.
func whyDamage(l *rulebook.Rules, s *engine.Story, _ int, b *state.Damage) []string {
	if l.Block != nil {
		return whyBlock(l, b)
	}
	row := sheet.Chart[b.Roll-1]
	words := make([]string, len(row))
	for i, c := range row {
		words[i] = string(c)
	}
	out := []string{fmt.Sprintf("chart row %d: %s; the first of these of which she has a box left is hit", b.Roll, strings.Join(words, ", "))}
	ship, ok := s.After.Ship(b.Ship)
	if !ok || b.Bank == "" || b.Category == sheet.ExcessBoxes {
		return out
	}
	sys := state.Of(ship)
	bank := &sys.Sheet.Banks[sys.Sheet.Bank(b.Bank)]
	if slices.ContainsFunc(sys.Standing.Lose, func(w sheet.Wish) bool { return w.Means(bank) }) {
		return append(out, "her captain's standing order says which box: "+state.Standing{Lose: sys.Standing.Lose}.Lines()[0].String())
	}
	return append(out, "no standing order names it, so the rule says which box: "+map[sheet.Category]string{
		sheet.HullBoxes: "fore hull first", sheet.EngineBoxes: "impulse, then the fuller warp engine", sheet.OtherBoxes: "shuttle, laboratory, transporter, battery, reactor",
		sheet.WeaponBoxes: "weapons that do not bear on the firer, then those that have fired, then the rest",
	}[b.Category])
}
