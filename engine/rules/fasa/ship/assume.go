package ship

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// Assume implements engine.Knowledge. Of another captain's ship it takes over her class, how far she moved, the damage
// in the last report, and what the sensors of the viewer's ships learnt; of an own ship what the viewer's posts see.
func (p *Public) Assume(v *engine.View, s *engine.ShipView, asNew engine.System) (engine.System, []string) {
	sys, ok := asNew.(*State)
	if !ok {
		return nil, nil
	}
	if own, holds := s.System.(*State); holds {
		if len(own.Unseen) > 0 {
			return sys, []string{"undamaged where your panels do not say otherwise: " + unseenWords(own.Unseen)}
		}
		return sys, nil
	}
	broken := told(v, s, sys)
	p.underway(v, s, sys)
	out := []string{fmt.Sprintf("energy %d of %d", sys.Power, sys.Design.Power)}
	if v.DueRound() > 1 {
		out = append(out, sys.Alloc.guessed())
	}
	damage := fmt.Sprintf("only the damage you know of: superstructure %d of %d", sys.Superstructure, sys.Design.Superstructure)
	if len(broken) > 0 {
		damage += ", out of order: " + strings.Join(broken, ", ")
	}
	out = append(out, damage)
	if sys.Has(new(People).Key()) {
		out = append(out, "average captain and crew")
	}
	return sys, out
}

// underway has a ship move as she was seen to, with the rest of her power in the shields, as if she changed nothing
// else.
func (p *Public) underway(v *engine.View, s *engine.ShipView, sys *State) {
	free := FreeStart(p.Free)
	points := p.Points
	if s.Sensed != nil && s.Sensed.Speed != nil && s.System == nil {
		points = *s.Sensed.Speed
	}
	switch {
	case free != "":
		sys.Put(&free)
	case v.Turn == 0 && v.Round == 0 || s.Status != engine.Active || p.Outpost:
	default:
		keeps := Fit(sys, Settings{Points: points, Shields: make([]int, len(sys.Shields)), Cloak: p.Cloaked && sys.Has(NameCloak)})
		if v.DueRound() > 1 {
			keeps.Armed = armed(sys, keeps)
		}
		if !keeps.Cloak {
			Raise(sys, &keeps, []int{1, 2, 6, 3, 5, 4}, sys.Power)
		}
		sys.Cloak().On = keeps.Cloak
		sys.Alloc.Available, sys.Alloc.Movement, sys.Alloc.Points = sys.Power, sys.Design.Move.Cost(keeps.Points), keeps.Points
		sys.Alloc.Shields = sys.Design.Shield.Cost(tactical.Sum(keeps.Shields))
		if len(p.Split) == len(sys.Alloc.Split) {
			sys.Alloc.Split = slices.Clone(p.Split)
		}
		for i := range sys.Shields {
			sys.Shields[i].Set = keeps.Shields[i]
			sys.Shields[i].Now = sys.Raised(i)
		}
		for i := range sys.Banks {
			for m, power := range keeps.Armed[i] {
				sys.Banks[i].Mounts[m].Armed = power
				sys.Alloc.Weapons += power
			}
		}
		if v.DueRound() > 1 {
			spentInPhase(v, s.ID, sys)
		}
	}
}

// armed returns weapons that a ship is assumed to have armed once her turn has begun: as many as two thirds of her
// power allow.
func armed(sys *State, s Settings) map[int][]int {
	s.Armed = map[int][]int{}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		s.Armed[i] = make([]int, len(b.Mounts))
		for m := range b.Mounts {
			want := min(b.Max-b.Max/3, b.Most(m))
			if !b.AnyPower() {
				want = b.Arm
			}
			if s.Armed[i][m] = want; b.Mounts[m].Destroyed || 3*s.Cost(sys) > 2*sys.Power {
				s.Armed[i][m] = 0
			}
		}
	}
	return s.Armed
}

// guessed says in words how a ship is assumed to have allotted her power.
func (a *Alloc) guessed() string {
	return fmt.Sprintf("power allotted: movement %d, shields %d, weapons %d; of earlier phases only the last is counted", a.Movement, a.Shields, a.Weapons)
}

// spentInPhase subtracts the fire and the shield damage of the last phase, as far as the viewer saw them.
func spentInPhase(v *engine.View, id engine.ShipID, sys *State) {
	for _, e := range v.Events {
		switch b := e.Body.(type) {
		case *Fire:
			if bank, ok := sys.Bank(b.Weapon); ok && b.Ship == id && b.Mount > 0 && b.Mount <= len(bank.Mounts) {
				bank.Mounts[b.Mount-1].discharge()
			}
		case *ShieldHit:
			if b.Ship == id && b.Shield > 0 && b.Shield <= len(sys.Shields) {
				sh := &sys.Shields[b.Shield-1]
				sh.Now = max(0, sh.Now-b.Absorbed)
			}
		}
	}
}

// told applies the damage to a ship that the last report and the viewer's sensors told of, and returns the names of
// the systems that are out of order.
func told(v *engine.View, other *engine.ShipView, sys *State) (broken []string) {
	power, structure := sys.Power, sys.Superstructure
	down := func(name string) {
		if slices.Contains(broken, name) || !putOut(sys, name) {
			return
		}
		broken = append(broken, name)
	}
	for _, s := range v.Ships {
		own, ok := s.System.(*State)
		if !ok {
			continue
		}
		if a, ok := own.Learnt(other.ID, AskPower); ok {
			power = min(power, a.Power)
		}
		if a, ok := own.Learnt(other.ID, AskStructure); ok {
			structure = min(structure, a.Superstructure)
		}
		if a, ok := own.Learnt(other.ID, AskDamage); ok {
			for _, name := range a.Damaged {
				down(strings.Replace(name, "shield generator ", "shield-", 1))
			}
		}
	}
	hit, drained := 0, 0
	for _, e := range v.Events {
		d, ok := e.Body.(*Damage)
		if !ok || d.Ship != other.ID {
			continue
		}
		if d.ShieldNumber > 0 {
			down(fmt.Sprintf("shield-%d", d.ShieldNumber))
		}
		if b, ok := sys.Bank(d.LostBank); ok && d.LostMount > 0 && d.LostMount <= len(b.Mounts) {
			down(MountName(b, d.LostMount-1))
		}
		switch d.Location {
		case tables.AtSuperstructure:
			hit += d.Points
		case tables.AtEngine, tables.AtWarp, tables.AtImpulse:
			drained += d.Points
		}
	}
	sys.Superstructure = max(1, min(structure, sys.Superstructure-hit))
	if other.Status == engine.Crippled {
		sys.Superstructure = 0
	}
	drainTo(sys, max(1, min(power, sys.Power-drained)))
	return broken
}

// putOut puts a system out of order by name; false if it already is, or no system has that name.
func putOut(sys *State, name string) bool {
	if sys.Has(NameRepair) {
		f, ok := sys.Fault(name)
		return ok && !sys.Down(f) && sys.Mark(Marked{System: name, Change: Change{Before: sys.Track(name).Boxes, After: 1}}) == nil
	}
	for i := range sys.Shields {
		if g := Generator(i + 1); g.Name == name && !sys.Shields[i].Down {
			sys.Shields[i].Down = true
			return true
		}
	}
	for i := range sys.Banks {
		for m := range sys.Banks[i].Mounts {
			if mt := &sys.Banks[i].Mounts[m]; MountName(&sys.Banks[i], m) == name && !mt.Destroyed {
				mt.Destroyed = true
				return true
			}
		}
	}
	return false
}

// drainTo reduces the engines to a total power.
func drainTo(sys *State, power int) {
	if len(sys.Engines()) == 0 {
		sys.Power = min(sys.Power, power)
		return
	}
	for _, c := range sys.Spill(sys.Power - power) {
		if e, ok := sys.Engine(c.Engine); ok {
			e.Now = c.After
			sys.Power -= c.Before - c.After
		}
	}
}

// Tally implements engine.Counted.
func (b *Fire) Tally() []engine.Count { return engine.CountShot(b.Ship, b.Target, b.Hit) }

// Tally implements engine.Counted.
func (b *ShieldHit) Tally() []engine.Count {
	return []engine.Count{{Ship: b.Ship, What: fmt.Sprintf("points on shield %d", b.Shield), N: b.Absorbed}, {Ship: b.Ship, What: "points through shields", N: b.Through}}
}

// Tally implements engine.Counted.
func (b *Damage) Tally() []engine.Count {
	var out []engine.Count
	lost := func(what string, c Change) {
		if c.Before > c.After {
			out = append(out, engine.Count{Ship: b.Ship, What: what, N: c.Before - c.After})
		}
	}
	if b.Superstructure != nil {
		lost("superstructure lost", *b.Superstructure)
	}
	if b.Power != nil && len(b.Engines) == 0 {
		lost("power lost", *b.Power)
	}
	for _, e := range b.Engines {
		lost("power lost", e.Change)
	}
	if b.Shield != nil {
		out = append(out, engine.Count{Ship: b.Ship, What: "shield generators hit", N: 1})
	}
	if b.Lost != nil {
		out = append(out, engine.Count{Ship: b.Ship, What: "weapons lost", N: 1})
	}
	if b.Sensors != nil {
		out = append(out, engine.Count{Ship: b.Ship, What: "sensors hit", N: 1})
	}
	for range b.Down {
		out = append(out, engine.Count{Ship: b.Ship, What: "engineering functions lost", N: 1})
	}
	if b.Casualties != nil {
		lost("crew lost, per mille", Change{Before: b.Casualties.After, After: b.Casualties.Before})
	}
	return out
}
