package ship

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine/rules/fasa/tables"
	"starpost/engine/ruling"
)

// A referee may set these figures of a ship within the bounds of her class, and by force
// somewhat beyond.

// Values for systems that have no points.
const (
	inOrder  = "works"
	outOrder = "down"
)

// editable is a field with a function that sets it.
type editable struct {
	ruling.Field
	set func(value string)
}

// pointsField returns a field with points, from low to high in a ship of the class.
func pointsField(name string, at *int, low, high int) editable {
	return editable{
		ruling.Field{Name: name, Now: strconv.Itoa(*at), Low: low, High: high, Floor: low, Ceiling: high},
		func(value string) { *at, _ = strconv.Atoi(value) }, // Set has checked it
	}
}

// forced gives a field wider bounds for use by force.
func (d editable) forced(floor, ceiling int) editable {
	d.Floor, d.Ceiling = floor, ceiling
	return d
}

// hurtable marks a field that damage lowers and repair sets to its maximum.
func (d editable) hurtable() editable {
	d.Whole = strconv.Itoa(d.High)
	return d
}

// works returns a field for a system that works or does not.
func works(name, system string, down bool, set func(down bool)) editable {
	d := editable{
		ruling.Field{Name: name, System: system, Now: inOrder, Choices: []string{inOrder, outOrder}, Whole: inOrder, Lost: outOrder},
		func(value string) { set(value == outOrder) },
	}
	if down {
		d.Now = outOrder
	}
	return d
}

// fields returns all fields of a ship, the most often used first.
func (s *State) fields() []editable {
	hull := pointsField("superstructure", &s.Superstructure, 1, s.Design.Superstructure).hurtable().forced(-s.Design.Superstructure, 2*s.Design.Superstructure)
	hull.Vital = true
	out := []editable{hull}
	if len(s.Engines()) == 0 {
		out = append(out, pointsField("power", &s.Power, 0, s.Design.Power).hurtable().forced(0, 2*s.Design.Power))
	}
	for i := range s.Engines() {
		e := &s.Engines()[i]
		d := pointsField("engine-"+e.Name, &e.Now, 0, e.Max).hurtable() // damage never expects more than Max
		set := d.set
		d.set = func(value string) { set(value); s.sumEngines() }
		out = append(out, d)
	}
	for i := range s.Shields {
		sh := &s.Shields[i]
		d := pointsField("shield-"+strconv.Itoa(i+1), &sh.Now, 0, s.Design.MaxShield).forced(0, 2*s.Design.MaxShield)
		set := d.set
		d.set = func(value string) { set(value); sh.Set = max(sh.Set, sh.Now) }
		out = append(out, d)
	}
	for i := range s.Shields {
		out = append(out, s.systemField("generator-"+strconv.Itoa(i+1), Generator(i+1)))
	}
	for f := range s.Faults {
		if f.Track == tables.TrackSensors || f.Track == tables.TrackEngineering {
			out = append(out, s.systemField(f.Name, f))
		}
	}
	for i := range s.Banks {
		for m := range s.Banks[i].Mounts {
			f := MountFault(&s.Banks[i], i, m)
			out = append(out, s.systemField(f.Name, f))
		}
	}
	for _, p := range slices.Backward(s.parts) { // the last parts are best known
		if p, ok := p.(ruled); ok {
			out = append(out, p.editables()...)
		}
	}
	return out
}

// ruled is a part's share with fields that a referee may set.
type ruled interface{ editables() []editable }

// editables implements ruled.
func (c *Crew) editables() []editable {
	return []editable{pointsField("casualties", &c.Lost, 0, MaxLost)}
}

// editables implements ruled.
func (p *People) editables() []editable {
	return []editable{
		decided(pointsField("skill", &p.Skill, 1, MaxRating), &p.SkillDue),
		decided(pointsField("efficiency", &p.Efficiency, 1, MaxRating), &p.EfficiencyDue),
	}
}

// decided returns a rating's field such that a rating set by the referee is not rolled any more.
func decided(d editable, due *bool) editable {
	set := d.set
	d.set = func(value string) { set(value); *due = false }
	return d
}

// systemField returns the field of a system that can be out of order. A system that the referee
// repairs is as if it had never been damaged.
func (s *State) systemField(name string, f Fault) editable {
	return works(name, f.Name, s.Down(f), func(down bool) {
		s.SetDown(f, down)
		if f.Track != tables.TrackGenerator && f.Track != tables.TrackSensors && f.Track != tables.TrackEngineering {
			s.Banks[f.Bank].Mounts[f.Mount].Repaired = false
		}
		switch {
		case !s.Has(NameRepair): // no repair parties, no tracks
		case !down:
			delete(s.RepairState().Tracks, f.Name)
		case s.Track(f.Name).Boxes == 0:
			tr := s.Track(f.Name)
			tr.Boxes = 1
			s.SetTrack(f.Name, tr)
		}
	})
}

func (s *State) sumEngines() {
	s.Power = 0
	for _, e := range s.Engines() {
		s.Power += e.Now
	}
}

// Fields implements ruling.Editable.
func (s *State) Fields() []ruling.Field {
	all := s.fields()
	out := make([]ruling.Field, len(all))
	for i, d := range all {
		out[i] = d.Field
	}
	return out
}

// Set implements ruling.Editable.
func (s *State) Set(name, value string) error {
	for _, d := range s.fields() {
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
