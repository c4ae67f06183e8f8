package stcs

import (
	"fmt"
	"strconv"

	"starpost/engine"
)

// What a referee may set on a ship. Its bounds are those of its class; by force a
// referee may go some way beyond.

// Words of systems that have no points.
const (
	inOrder  = "works"
	outOrder = "down"
)

// dial is something that may be set, and how.
type dial struct {
	engine.Dial
	set func(value string)
}

// dialPoints is a dial with points: from low to high in a ship of the class.
func dialPoints(name string, at *int, low, high int) dial {
	return dial{
		engine.Dial{Name: name, Now: strconv.Itoa(*at), Low: low, High: high, Floor: low, Ceiling: high},
		func(value string) { *at, _ = strconv.Atoi(value) }, // Set has looked at it
	}
}

// forced gives a dial other bounds for force.
func (d dial) forced(floor, ceiling int) dial {
	d.Floor, d.Ceiling = floor, ceiling
	return d
}

// hurtable makes a dial one that damage lowers and repair sets to its most.
func (d dial) hurtable() dial {
	d.Whole = strconv.Itoa(d.High)
	return d
}

// works is a dial of a system that works or does not.
func works(name, system string, down bool, set func(down bool)) dial {
	d := dial{
		engine.Dial{Name: name, System: system, Now: inOrder, Choices: []string{inOrder, outOrder}, Whole: inOrder, Lost: outOrder},
		func(value string) { set(value == outOrder) },
	}
	if down {
		d.Now = outOrder
	}
	return d
}

// dials are all of a ship, what is asked for most often first.
func (s *System) dials() []dial {
	hull := dialPoints("superstructure", &s.Superstructure, 1, s.Design.Superstructure).hurtable().forced(-s.Design.Superstructure, 2*s.Design.Superstructure)
	hull.Vital = true
	out := []dial{hull}
	if len(s.Engines) == 0 {
		out = append(out, dialPoints("power", &s.Power, 0, s.Design.Power).hurtable().forced(0, 2*s.Design.Power))
	}
	for i := range s.Engines {
		e := &s.Engines[i]
		d := dialPoints("engine-"+e.Name, &e.Now, 0, e.Max).hurtable() // damage counts on no more
		set := d.set
		d.set = func(value string) { set(value); s.sumEngines() }
		out = append(out, d)
	}
	for i := range s.Shields {
		sh := &s.Shields[i]
		d := dialPoints("shield-"+strconv.Itoa(i+1), &sh.Now, 0, s.Design.MaxShield).forced(0, 2*s.Design.MaxShield)
		set := d.set
		d.set = func(value string) { set(value); sh.Set = max(sh.Set, sh.Now) }
		out = append(out, d)
	}
	for i := range s.Shields {
		out = append(out, s.systemDial("generator-"+strconv.Itoa(i+1), generator(i+1)))
	}
	for _, f := range s.faults() {
		if f.track == trackSensors || f.track == trackEngineering {
			out = append(out, s.systemDial(f.name, f))
		}
	}
	for i := range s.Banks {
		for m := range s.Banks[i].Mounts {
			f := mountFault(&s.Banks[i], i, m)
			out = append(out, s.systemDial(f.name, f))
		}
	}
	if s.Crew != nil {
		d := dialPoints("casualties", &s.Crew.Lost, 0, maxLost)
		out = append(out, d)
	}
	if s.People != nil {
		p := s.People
		out = append(out, decided(dialPoints("skill", &p.Skill, 1, MaxRating), &p.SkillDue), decided(dialPoints("efficiency", &p.Efficiency, 1, MaxRating), &p.EfficiencyDue))
	}
	return out
}

// decided is the dial of a rating: what a referee sets is not rolled any more.
func decided(d dial, due *bool) dial {
	set := d.set
	d.set = func(value string) { set(value); *due = false }
	return d
}

// systemDial is the dial of a system that can be out of order. What a referee
// repairs is as if it had never been damaged.
func (s *System) systemDial(name string, f fault) dial {
	return works(name, f.name, s.down(f), func(down bool) {
		s.setDown(f, down)
		if f.track != trackGenerator && f.track != trackSensors && f.track != trackEngineering {
			s.Banks[f.bank].Mounts[f.mount].Repaired = false
		}
		switch {
		case s.Works == nil:
		case !down:
			delete(s.Works.Tracks, f.name)
		case s.track(f.name).Boxes == 0:
			tr := s.track(f.name)
			tr.Boxes = 1
			s.setTrack(f.name, tr)
		}
	})
}

func (s *System) sumEngines() {
	s.Power = 0
	for _, e := range s.Engines {
		s.Power += e.Now
	}
}

// Dials implements engine.Dialled.
func (s *System) Dials() []engine.Dial {
	all := s.dials()
	out := make([]engine.Dial, len(all))
	for i, d := range all {
		out[i] = d.Dial
	}
	return out
}

// Set implements engine.Dialled.
func (s *System) Set(name, value string) error {
	for _, d := range s.dials() {
		if d.Name != name {
			continue
		}
		if n, err := strconv.Atoi(value); d.Choices == nil && (err != nil || n < d.Floor || n > d.Ceiling) {
			return fmt.Errorf("%s cannot be %q", name, value)
		}
		if d.Choices != nil && value != inOrder && value != outOrder {
			return fmt.Errorf("%s cannot be %q", name, value)
		}
		d.set(value)
		return nil
	}
	return fmt.Errorf("there is no %q", name)
}

// settle looks round after a referee's rulings: who sees whom, and which locks
// can still be held. With less power or weapons than before nothing else follows
// before the next turn.
func (l *course) settle(t *engine.Turn) { l.lookout(t) }
