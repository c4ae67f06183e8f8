package fasa

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
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

// Names of systems in repair orders, besides those of weapon mounts.
const (
	sysSensors    = "sensors"
	sysShieldGrid = "shield-grid"
	sysWeaponGrid = "weapon-grid"
	sysConverter  = "converter"
)

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

// mark marks a hit on a system's repair track: one box, and more for heavy damage
// where the course has it so (stcs 16.3), up to the last.
func (in *damageResolver) mark(f fault) {
	before := in.sys.track(f.name).Boxes
	after := min(before+in.l.heavy(in, f), len(in.l.Repair[f.track])+1)
	in.d.Tracks = append(in.d.Tracks, Marked{
		System: f.name, Change: Change{Before: before, After: after}, Hurt: in.l.firePhase(in.t.Number(), in.t.Phase.No),
	})
	in.cite(RepairTracks, RepairNumbers)
}

// hitTrackedGenerator damages a generator, which can be repaired (stcs 4.8, 11.1).
func hitTrackedGenerator(in *damageResolver) {
	hitGenerator(in)
	if in.d.Shield != nil {
		in.mark(generator(in.shield))
	}
}

// need is the highest die that repairs a system now, and how it came about; out is
// set if no die ever will.
func (l *rulebook) need(sys *System, f fault) (number int, mods []Modifier, out bool) {
	tr := sys.track(f.name)
	base := l.RepairNumber(f.track, max(1, tr.Boxes))
	if base == 0 {
		return 0, nil, true
	}
	if tr.Tries > 0 {
		mods = append(mods, Modifier{Name: "intensified efforts", Value: tr.Tries})
	}
	if n := shortHanded(sys); n > 0 {
		mods = append(mods, Modifier{Name: "casualties", Value: -n})
	}
	number = base
	for _, m := range mods {
		number += m.Value
	}
	return number, mods, false
}

// idle says why there is no try at repairing a system in a fire phase's repairs;
// blank if there can be one (stcs 11.3).
func (l *rulebook) idle(sys *System, f fault, phase int) string {
	if !sys.down(f) {
		return f.title + " needs no repair"
	}
	if _, _, out := l.need(sys, f); out {
		return f.title + " is beyond repair"
	}
	if sys.track(f.name).Hurt >= phase {
		return f.title + " was hit in this phase: work on it begins in the next"
	}
	return ""
}

// mend carries out the repairs of a phase: one try a ship (stcs 6.6, 11.2).
func (l *rulebook) mend(t *engine.Turn) {
	for _, s := range fighting(t.Game) {
		if f, by, ok := l.worksOn(t, s); ok {
			l.tryRepair(t, s, f, by)
		}
	}
}

// worksOn is the system that a ship's repair parties see to: the first that was
// ordered for the phase, whose condition holds and that can be tried, else the
// first of the standing orders; and the order.
func (l *rulebook) worksOn(t *engine.Turn, s *engine.Ship) (what fault, by engine.Ref, ok bool) {
	sys, now := of(s), l.firePhase(t.Number(), t.Phase.No)
	for _, o := range orderedNow[repairOrder](t, s) {
		if met, missing := l.judge(t, s, "", nil, o.when); !met {
			if len(missing) > 0 {
				l.unknown(t, s, o.line, o.text, missing)
			}
			continue
		}
		f, ok := sys.fault(o.system)
		why := "there is no such system"
		if ok {
			why = l.idle(sys, f, now)
		}
		if why == "" {
			return f, t.Ordered(s.ID, o.line, o.text), true
		}
		t.Emit(&engine.Skip{Ship: s.ID, Line: o.line, Order: o.text, Reason: why}, engine.SeeOnly(s.ID), l.cite(SkippedOrders, RepairAttempts)...)
	}
	for _, f := range sortedRepairs(sys) {
		if l.idle(sys, f, now) == "" {
			return f, t.OrderedIn(s.ID, "standing", "repair"), true
		}
	}
	return fault{}, engine.Ref{}, false
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

// tryRepair rolls for the repair of a system (stcs 11.2). One that works again has
// the power that was allotted to it at once.
func (l *rulebook) tryRepair(t *engine.Turn, s *engine.Ship, f fault, by engine.Ref) {
	sys := of(s)
	need, mods, _ := l.need(sys, f)
	b := &Mend{Ship: s.ID, System: f.name, Boxes: sys.track(f.name).Boxes, Need: need, Modifiers: mods}
	rules := []Topic{RepairPhase, RepairAttempts, RepairNumbers}
	if f.track == tables.TrackBeam || f.track == tables.TrackMissile {
		rules = append(rules, WeaponRepairs)
	}
	for _, m := range mods {
		rules = append(rules, map[bool]Topic{true: IntensifiedRepair, false: CasualtyModifier}[m.Value > 0])
	}
	named, see := "repair."+s.ID+"."+f.name, engine.SeeOnly(s.ID)
	b.Roll = t.Roll(named, dice.D10, see, l.cite(RepairAttempts, RepairNumbers)...)
	done, again := l.attempt(need, b.Roll, func() int { return t.Roll(named+".slim", dice.D10, see, l.cite(SlimChance)...) })
	b.Done, b.Slim, b.Second = done, again.Slim, again.Second
	rules = append(rules, slimTopics(need)...)
	if b.Done {
		l.poweredAgain(sys, f, b)
	}
	t.Because(by).Emit(b, engine.SeeOnly(s.ID), l.cite(rules...)...)
}

// poweredAgain is what comes up with a system that is repaired: shields that have
// power allotted; and a repaired beam holds no more than it now can.
func (l *rulebook) poweredAgain(sys *System, f fault, b *Mend) {
	then, ok := sys.Clone().(*System)
	if !ok {
		return // a system's clone is one
	}
	then.setDown(f, false)
	switch f.track {
	case tables.TrackGenerator, tables.TrackEngineering:
		for i, sh := range sys.Shields {
			if up := then.raised(i); (f.shield == i+1 || f.name == sysShieldGrid) && up > sh.Now {
				b.Shields = append(b.Shields, ShieldUp{Shield: i + 1, Change: Change{Before: sh.Now, After: up}})
			}
		}
	case tables.TrackBeam:
		if armed, most := sys.Banks[f.bank].Mounts[f.mount].Armed, then.Banks[f.bank].bearable(f.mount); armed > most {
			b.Armed = &Change{Before: armed, After: most}
		}
	}
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

// repairOrder is a repair that a captain ordered for a phase.
type repairOrder struct {
	line   int
	text   string
	system string
	when   *orders.Cond
}

// repairPart gives ships repair parties (stcs 11).
func repairPart() part {
	return part{
		verbs: repairVerbs(),
		keeps: []Share{&RepairState{}},
		params: map[string]orders.Param{
			"REPAIRED": {Class: orders.Name, Doc: "a system that can be repaired: `shield-1` to `shield-6`, `sensors`; in the Graduate Course `shield-grid`, `weapon-grid`, `converter` and weapon mounts too"},
		},
		commission: func(k *commissioning) {
			k.sys.Put(&RepairState{})
			for i, sh := range k.sys.Shields {
				if sh.Down {
					k.sys.setTrack(generator(i+1).name, Track{Boxes: 1})
				}
			}
		},
		orders:   []string{"repair"},
		standing: func(s Standing) []string { return []string{"repair " + orAll(s.List("repair"))} },
		bodies:   []func() engine.Body{func() engine.Body { return new(Mend) }},
		tell:     map[string]func(*narrator, engine.Body, string){"repair": tellRepair},
		panels:   repairPanels,
		robot:    func(c *commander) { c.st.SetList("repair", c.repairs()...) },
	}
}
