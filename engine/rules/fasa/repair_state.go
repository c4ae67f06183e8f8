package fasa

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// RepairState is what a ship's repair parties keep account of: a track for each system
// that was ever damaged, by its name in orders (stcs 11.1).
type RepairState struct {
	Tracks map[string]Track `json:"tracks,omitempty"`
}

// Track is the repair track of a system.
type Track struct {
	Boxes int  `json:"boxes"`           // marked so far
	Tries int  `json:"tries,omitempty"` // failed since it was damaged; each adds 1 (stcs 11.4)
	Hurt  int  `json:"hurt,omitempty"`  // fire phase, counted from the start of the game, of the last damage
	Down  bool `json:"down,omitempty"`  // of engineering functions; other systems know it themselves
}

// sharedRepair is its key.
const sharedRepair = "repair"

// RepairState is a ship's.
func (s *System) RepairState() *RepairState { return shareOf[RepairState](s) }

func (*RepairState) key() string { return sharedRepair }

func (w *RepairState) clone() Share {
	return &RepairState{Tracks: maps.Clone(w.Tracks)}
}

// fault is a system that can be damaged and repaired.
type fault struct {
	name, title, track string
	shield             int // number, of generators
	bank, mount        int // of weapons
}

// generator is a shield's generator as a system.
func generator(number int) fault {
	return fault{name: "shield-" + strconv.Itoa(number), title: fmt.Sprintf("shield generator %d", number), track: tables.TrackGenerator, shield: number}
}

// mountFault is a weapon mount as a system.
func mountFault(b *Bank, bank, m int) fault {
	f := fault{name: mountName(b, m), title: mountName(b, m), track: tables.TrackMissile, bank: bank, mount: m}
	if b.Kind == tables.Beam {
		f.track = tables.TrackBeam
	}
	return f
}

// gridFault is an engineering function as a system.
func gridFault(name string) fault {
	return fault{name: name, title: gridTitle(name), track: tables.TrackEngineering}
}

// faults are the systems of a ship that can be repaired, in the order in which
// repair parties see to them unless they are told otherwise. Weapons and
// engineering can only where damage is detailed.
func (s *System) faults() []fault {
	var out []fault
	if s.Has(sysSensors) {
		out = append(out, fault{name: sysSensors, title: "sensors", track: tables.TrackSensors})
	}
	if s.detailed() {
		for _, name := range s.engineering() {
			out = append(out, gridFault(name))
		}
	}
	for _, n := range []int{2, 1, 3, 6, 4, 5} {
		out = append(out, generator(n))
	}
	if s.detailed() {
		for i := range s.Banks {
			for m := range s.Banks[i].Mounts {
				out = append(out, mountFault(&s.Banks[i], i, m))
			}
		}
	}
	return out
}

// down tells whether a system is out of order.
func (s *System) down(f fault) bool {
	switch f.track {
	case tables.TrackGenerator:
		return s.Shields[f.shield-1].Down
	case tables.TrackSensors:
		return s.Sensors().Down
	case tables.TrackEngineering:
		return s.gridDown(f.name)
	default:
		return s.Banks[f.bank].Mounts[f.mount].Destroyed
	}
}

// setDown puts a system out of order, or in order again.
func (s *System) setDown(f fault, down bool) {
	switch f.track {
	case tables.TrackGenerator:
		s.Shields[f.shield-1].Down = down
	case tables.TrackSensors:
		s.Sensors().Down = down
	case tables.TrackEngineering:
		tr := s.track(f.name)
		tr.Down = down
		s.setTrack(f.name, tr)
	default:
		m := &s.Banks[f.bank].Mounts[f.mount]
		m.Destroyed = down
		m.Repaired = m.Repaired || !down
	}
}

// fault finds a system by its name; the converter of an outpost too, since events of
// version 1 mark and repair it.
func (s *System) fault(name string) (fault, bool) {
	all := s.faults()
	if s.outpost() {
		all = append(all, gridFault(sysConverter))
	}
	i := slices.IndexFunc(all, func(f fault) bool { return f.name == name })
	if i < 0 {
		return fault{}, false
	}
	return all[i], true
}

// track is the repair track of a system; one that was never damaged is empty.
func (s *System) track(name string) Track {
	return s.RepairState().Tracks[name]
}

func (s *System) setTrack(name string, tr Track) {
	w := s.RepairState()
	if w.Tracks == nil {
		w.Tracks = map[string]Track{}
	}
	w.Tracks[name] = tr
}

// gridDown tells whether an engineering function is out of order (stcs 15.10).
func (s *System) gridDown(name string) bool { return s.track(name).Down }

// raised is the points that a shield comes up with when it is powered: none while
// its generator or the shield grid is out of order.
func (s *System) raised(i int) int {
	if s.Shields[i].Down || s.gridDown(sysShieldGrid) || s.hidden() {
		return 0
	}
	return s.Shields[i].Set
}

// Marked is boxes marked on a repair track (stcs 11.1); the system is out of order
// from then on.
type Marked struct {
	System string `json:"system"`
	Change
	Hurt int `json:"hurt"` // the fire phase, counted from the start of the game
}

// mark puts boxes on a system's track.
func (s *System) mark(b Marked) error {
	f, ok := s.fault(b.System)
	if !ok || !s.Has(sharedRepair) || s.track(b.System).Boxes != b.Before {
		return fmt.Errorf("the track of %s does not stand at %d boxes", b.System, b.Before)
	}
	s.setTrack(b.System, Track{Boxes: b.After, Hurt: b.Hurt})
	s.setDown(f, true)
	return nil
}

// sound tells whether nothing is out of order that repair parties could see to.
func (s *System) sound() bool {
	if s.Sensors().Down {
		return false
	}
	for _, sh := range s.Shields {
		if sh.Down {
			return false
		}
	}
	if !s.detailed() {
		return true
	}
	if slices.ContainsFunc(s.engineering(), s.gridDown) {
		return false
	}
	return !slices.ContainsFunc(s.Banks, func(b Bank) bool {
		return slices.ContainsFunc(b.Mounts, func(m Mount) bool { return m.Destroyed })
	})
}

// sortedRepairs is the standing order of repairs: the systems that the captain named,
// then the others; none if he never gave one or wants none, or if nothing is out of
// order.
func sortedRepairs(sys *System) []fault {
	list := sys.Standing.List("repair")
	if len(list) == 0 || list[0] == repairNone || sys.sound() {
		return nil
	}
	all := sys.faults()
	out := make([]fault, 0, len(all))
	for _, name := range list {
		if i := slices.IndexFunc(all, func(f fault) bool { return f.name == name }); i >= 0 {
			out = append(out, all[i])
		}
	}
	for _, f := range all {
		if !slices.Contains(list, f.name) {
			out = append(out, f)
		}
	}
	return out
}

// ShieldUp is a shield that comes up.
type ShieldUp struct {
	Shield int `json:"shield"`
	Change
}

// Mend is a try at repairing a system (stcs 11.2). Done tells whether it works
// again; Shields and Armed are what it comes up with.
type Mend struct {
	Ship      string     `json:"ship"`
	System    string     `json:"system"`
	Boxes     int        `json:"boxes"` // marked on its track
	Modifiers []Modifier `json:"modifiers,omitempty"`
	Need      int        `json:"need"`
	Roll      int        `json:"roll"`
	Done      bool       `json:"done"`
	Shields   []ShieldUp `json:"shields,omitempty"`
	Armed     *Change    `json:"armed,omitempty"`
	Slim      int        `json:"slim,omitempty"`   // highest second die that repairs, for a need of 0 or less
	Second    int        `json:"second,omitempty"` // the second die, once a 1 was rolled
}

// Type implements engine.Body.
func (*Mend) Type() string { return "repair" }

// Apply implements engine.Body.
func (b *Mend) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	f, ok := s.fault(b.System)
	if !ok || !s.Has(sharedRepair) || !s.down(f) {
		return fmt.Errorf("%s has no damaged %s", b.Ship, b.System)
	}
	tr := s.track(f.name)
	if !b.Done {
		tr.Tries++
		s.setTrack(f.name, tr)
		return nil
	}
	tr.Tries = 0 // with the repair the bonus is gone (stcs 11.4)
	s.setTrack(f.name, tr)
	s.setDown(f, false)
	for _, up := range b.Shields {
		if up.Shield < 1 || up.Shield > 6 || s.Shields[up.Shield-1].Now != up.Before {
			return fmt.Errorf("%s: shield %d does not stand at %d", b.Ship, up.Shield, up.Before)
		}
		s.Shields[up.Shield-1].Now = up.After
	}
	if b.Armed != nil {
		s.Banks[f.bank].Mounts[f.mount].Armed = b.Armed.After
	}
	return nil
}
