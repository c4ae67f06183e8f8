package ship

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// RepairState is the record of a ship's repair parties: a track for each system that was ever
// damaged, by its name in orders (stcs 11.1).
type RepairState struct {
	Tracks map[string]Track `json:"tracks,omitempty"`
}

// Track is the repair track of a system.
type Track struct {
	Boxes int  `json:"boxes"`           // marked so far
	Tries int  `json:"tries,omitempty"` // failed repairs since it was damaged; each adds 1 (stcs 11.4)
	Hurt  int  `json:"hurt,omitempty"`  // fire phase, counted from the start of the game, of the last damage
	Down  bool `json:"down,omitempty"`  // for engineering functions only; other systems record it themselves
}

// NameRepair is the key of the share of repairs.
const NameRepair = "repair"

// RepairState returns the share of a ship whose systems have repair tracks, which the caller may change; elsewhere an
// empty share whose changes are lost.
func (s *State) RepairState() *RepairState { return ShareOf[RepairState](s) }

// Key implements Share.
func (*RepairState) Key() string { return NameRepair }

// Clone implements Share.
func (w *RepairState) Clone() Share {
	return &RepairState{Tracks: maps.Clone(w.Tracks)}
}

// Fault is a system that can be damaged and repaired.
type Fault struct {
	Name, Track string
	Shield      int // number, for generators
	Bank, Mount int // for weapons
}

// Title returns the system in words.
func (f Fault) Title() string {
	switch f.Track {
	case tables.TrackGenerator:
		return "shield generator " + strconv.Itoa(f.Shield)
	case tables.TrackEngineering:
		return GridTitle(f.Name)
	}
	return f.Name
}

// SensorFault returns the sensors as a system.
func SensorFault() Fault { return Fault{Name: NameSensors, Track: tables.TrackSensors} }

// Generator returns a shield's generator as a system.
func Generator(number int) Fault {
	return Fault{Name: "shield-" + strconv.Itoa(number), Track: tables.TrackGenerator, Shield: number}
}

// MountFault returns a weapon mount as a system.
func MountFault(b *Bank, bank, m int) Fault {
	return Fault{Name: MountName(b, m), Track: b.Group(), Bank: bank, Mount: m}
}

// GridFault returns an engineering function as a system.
func GridFault(name string) Fault { return Fault{Name: name, Track: tables.TrackEngineering} }

// Faults yields the systems of a ship that can be repaired, in the order in which repair
// parties work on them unless ordered otherwise. Weapons and engineering functions can be
// repaired only where damage is detailed.
func (s *State) Faults(yield func(Fault) bool) {
	if s.Has(NameSensors) && !yield(SensorFault()) {
		return
	}
	if s.Detailed() {
		for _, name := range s.Engineering() {
			if !yield(GridFault(name)) {
				return
			}
		}
	}
	for _, n := range []int{2, 1, 3, 6, 4, 5} {
		if !yield(Generator(n)) {
			return
		}
	}
	if s.Detailed() {
		for i := range s.Banks {
			for m := range s.Banks[i].Mounts {
				if !yield(MountFault(&s.Banks[i], i, m)) {
					return
				}
			}
		}
	}
}

// Down reports whether a system that [State.Faults] or [State.Fault] returned is out of order.
func (s *State) Down(f Fault) bool {
	switch f.Track {
	case tables.TrackGenerator:
		return s.Shields[f.Shield-1].Down
	case tables.TrackSensors:
		return s.Sensors().Down
	case tables.TrackEngineering:
		return s.GridDown(f.Name)
	default:
		return s.Banks[f.Bank].Mounts[f.Mount].Destroyed
	}
}

// SetDown puts a system out of order, or back in order.
func (s *State) SetDown(f Fault, down bool) {
	switch f.Track {
	case tables.TrackGenerator:
		s.Shields[f.Shield-1].Down = down
	case tables.TrackSensors:
		s.Sensors().Down = down
	case tables.TrackEngineering:
		tr := s.Track(f.Name)
		tr.Down = down
		s.SetTrack(f.Name, tr)
	default:
		m := &s.Banks[f.Bank].Mounts[f.Mount]
		m.Destroyed = down
		m.Repaired = m.Repaired || !down
	}
}

// Fault finds a system by its name. It finds the converter of an outpost too, which events of
// version 1 mark and repair.
func (s *State) Fault(name string) (Fault, bool) {
	for f := range s.Faults {
		if f.Name == name {
			return f, true
		}
	}
	if name == NameConverter && s.Outpost() {
		return GridFault(name), true
	}
	return Fault{}, false
}

// Track returns the repair track of a system; an empty one if it was never damaged.
func (s *State) Track(name string) Track {
	return s.RepairState().Tracks[name]
}

// SetTrack sets the repair track of a system, by its name in orders. On a ship without tracks the change is lost.
func (s *State) SetTrack(name string, tr Track) {
	w := s.RepairState()
	if w.Tracks == nil {
		w.Tracks = map[string]Track{}
	}
	w.Tracks[name] = tr
}

// GridDown reports whether an engineering function is out of order (stcs 15.10).
func (s *State) GridDown(name string) bool { return s.Track(name).Down }

// Raised returns the points with which a powered shield comes up: none while its generator or
// the shield grid is out of order, the cloak is on, or no power reaches the shields.
func (s *State) Raised(i int) int {
	if s.Shields[i].Down || s.GridDown(NameShieldGrid) || s.Hidden() || s.unshielded() {
		return 0
	}
	return s.Shields[i].Set
}

// Marked marks boxes on a repair track (stcs 11.1), and puts the system out of order.
type Marked struct {
	System string `json:"system"`
	Change
	Hurt int `json:"hurt"` // the fire phase, counted from the start of the game
}

// Mark sets the boxes on a system's track.
func (s *State) Mark(b Marked) error {
	f, ok := s.Fault(b.System)
	if !ok || !s.Has(NameRepair) || s.Track(b.System).Boxes != b.Before {
		return fmt.Errorf("the track of %s does not stand at %d boxes", b.System, b.Before)
	}
	s.SetTrack(b.System, Track{Boxes: b.After, Hurt: b.Hurt})
	s.SetDown(f, true)
	return nil
}

// Sound reports whether nothing is out of order that repair parties could work on.
func (s *State) Sound() bool {
	if s.Sensors().Down {
		return false
	}
	for _, sh := range s.Shields {
		if sh.Down {
			return false
		}
	}
	if !s.Detailed() {
		return true
	}
	if slices.ContainsFunc(s.Engineering(), s.GridDown) {
		return false
	}
	return !slices.ContainsFunc(s.Banks, func(b Bank) bool {
		return slices.ContainsFunc(b.Mounts, func(m Mount) bool { return m.Destroyed })
	})
}

// SortedRepairs returns the systems that are out of order by the standing order of repairs: first
// those that the captain named, then the others; none if none was given or none is wanted.
func SortedRepairs(sys *State) []Fault {
	list := sys.Standing.List("repair")
	if len(list) == 0 || list[0] == RepairNone || sys.Sound() {
		return nil
	}
	var out []Fault
	for f := range sys.Faults {
		if sys.Down(f) {
			out = append(out, f)
		}
	}
	place := func(f Fault) int {
		if i := slices.Index(list, f.Name); i >= 0 {
			return i
		}
		return len(list)
	}
	slices.SortStableFunc(out, func(a, b Fault) int { return place(a) - place(b) })
	return out
}

// ShieldUp is a shield coming up.
type ShieldUp struct {
	Shield int `json:"shield"`
	Change
}

// Mend is an attempt to repair a system (stcs 11.2). Done is set if it works again; Shields
// and Armed are then its shields and its power.
type Mend struct {
	Ship      engine.ShipID `json:"ship" see:"crew"`
	System    string        `json:"system" see:"crew"`
	Boxes     int           `json:"boxes" see:"crew"` // marked on its track
	Modifiers []Modifier    `json:"modifiers,omitempty" see:"crew"`
	Need      int           `json:"need" see:"crew"`
	Roll      int           `json:"roll" see:"crew"`
	Done      bool          `json:"done" see:"crew"`
	Shields   []ShieldUp    `json:"shields,omitempty" see:"crew"`
	Armed     *Change       `json:"armed,omitempty" see:"crew"`
	Slim      int           `json:"slim,omitempty" see:"crew"`   // highest second die that repairs, for a need of 0 or less
	Second    int           `json:"second,omitempty" see:"crew"` // the second die, once a 1 was rolled
}

// Apply implements engine.Body.
func (b *Mend) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	f, ok := s.Fault(b.System)
	if !ok || !s.Has(NameRepair) || !s.Down(f) {
		return fmt.Errorf("%s has no damaged %s", b.Ship, b.System)
	}
	tr := s.Track(f.Name)
	if !b.Done {
		tr.Tries++
		s.SetTrack(f.Name, tr)
		return nil
	}
	tr.Tries = 0 // the repair ends the bonus (stcs 11.4)
	s.SetTrack(f.Name, tr)
	s.SetDown(f, false)
	for _, up := range b.Shields {
		if up.Shield < 1 || up.Shield > 6 || s.Shields[up.Shield-1].Now != up.Before {
			return fmt.Errorf("%s: shield %d does not stand at %d", b.Ship, up.Shield, up.Before)
		}
		s.Shields[up.Shield-1].Now = up.After
	}
	if b.Armed != nil {
		s.Banks[f.Bank].Mounts[f.Mount].Armed = b.Armed.After
	}
	return nil
}

// Words for systems in the standing order of repairs.
const (
	RepairAll  = "all"
	RepairNone = "none"
)

// Need returns the highest die that repairs a system now, and its modifiers; out is set if no
// die can repair it.
func (s *State) Need(lib *tables.Library, f Fault) (number int, mods []Modifier, out bool) {
	tr := s.Track(f.Name)
	base := lib.RepairNumber(f.Track, max(1, tr.Boxes))
	if base == 0 {
		return 0, nil, true
	}
	if tr.Tries > 0 {
		mods = append(mods, Modifier{Name: "intensified efforts", Value: tr.Tries})
	}
	if n := ShortHanded(s); n > 0 {
		mods = append(mods, Modifier{Name: "casualties", Value: -n})
	}
	number = base
	for _, m := range mods {
		number += m.Value
	}
	return number, mods, false
}
