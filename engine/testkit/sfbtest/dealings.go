package sfbtest

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// Figures for actions other than fire (house 12.2, 14.1, 27.41, 33.6, 33.91, 71.61).
const (
	beamReach, transporterReach, labReach = 1, 5, 10
	probeLife, probePoints                = 24, 20
	labPoints, shuttleHolds               = 11, 10
)

// dealings checks an event of tractor beams, transporters, boarding parties, probes and shuttles.
func (w *houseWalk) dealings(e *engine.Event) error {
	switch b := e.Body.(type) {
	case *state.Beam:
		return w.beam(b)
	case *state.Transport:
		return w.transport(b)
	case *state.Raid:
		lost := b.Roll == 2 || b.Roll == 1 && !b.Steal
		if b.Roll < 1 || b.Roll > 6 || b.Before < 1 || b.Before-b.After != b2i(lost) || b.Back != (b.Roll == 1 || b.Roll == 6) || b.Stolen != (b.Steal && b.Roll == 1) {
			return fmt.Errorf("a raid with a %d leaves %d boxes of %d, back %t, stolen %t", b.Roll, b.After, b.Before, b.Back, b.Stolen)
		}
	case *state.Fight:
		s, _ := w.g.Ship(b.Ship)
		sys := system(s)
		if b.Killed < 0 || b.Defenders != sys.Parties-b.Killed || b.Defenders < 0 || forces(b.Forces) != forces(sys.Boarders)-b.Fallen || b.Fallen < 0 {
			return fmt.Errorf("aboard %s %d of %d and %d of %d fall, left are %d and %d", b.Ship, b.Killed, sys.Parties, b.Fallen, forces(sys.Boarders), b.Defenders, forces(b.Forces))
		}
	case *state.CraftLaunch:
		s, _ := w.g.Ship(b.Ship)
		sys := system(s)
		boxes, out := sys.Sheet.Count(sheet.Probe).Left, sys.Probes
		if b.Flight.Kind == sheet.Shuttle {
			boxes, out = sys.Sheet.Count(sheet.Shuttle).Left, sys.Away
		}
		if out >= boxes || b.At.Hex != s.Hex || s.Status != engine.Active || sys.Cloaked {
			return fmt.Errorf("%s launches %s at %s with %d out and %d boxes", b.Ship, b.Craft, b.At.Hex.Label(), out, boxes)
		}
	case *state.CraftBack:
		s, d, err := w.both(b.Ship, b.Craft)
		if err != nil || s.Hex != d.Hex || d.Parent != s.ID || d.Status != engine.Active {
			return fmt.Errorf("%s takes %s back, which is at another place", b.Ship, b.Craft)
		}
	case *state.Study:
		return w.studied(b)
	}
	return nil
}

func forces(all []state.Force) (n int) {
	for _, f := range all {
		n += f.Parties
	}
	return n
}

func (w *houseWalk) both(one, other engine.ShipID) (a, b *engine.Ship, err error) {
	a, there := w.g.Ship(one)
	b, here := w.g.Ship(other)
	if !there || !here {
		return nil, nil, fmt.Errorf("no ship %s or %s", one, other)
	}
	return a, b, nil
}

// beam checks a tractor beam: range, box, energy, and the hexes it takes off.
func (w *houseWalk) beam(b *state.Beam) error {
	s, target, err := w.both(b.Ship, b.Target)
	if err != nil {
		return err
	}
	sys, other := system(s), system(target)
	switch again := other.Held == s.ID; {
	case hex.Distance(s.Hex, target.Hex) > beamReach && !again || sys.Cloaked || s.Status != engine.Active:
		return fmt.Errorf("a tractor beam of %s reaches %s at %d hexes", b.Ship, b.Target, hex.Distance(s.Hex, target.Hex))
	case sys.Beams >= sys.Sheet.Count(sheet.Tractor).Left:
		return fmt.Errorf("%s uses %d tractor beams, and has %d", b.Ship, sys.Beams+1, sys.Sheet.Count(sheet.Tractor).Left)
	case other.Held != "" && !again:
		return fmt.Errorf("%s holds %s, whom %s holds", b.Ship, b.Target, other.Held)
	case b.Slows != b.Energy*60/hexCost(other) || b.Caught != (b.Hexes < b.Slows):
		return fmt.Errorf("%d energy takes %d off %d hexes of %s, caught %t", b.Energy, b.Slows, b.Hexes, b.Target, b.Caught)
	}
	return nil
}

// transport checks parties sent: their ship is within range and has parties and boxes for them, and the shields of
// both ships that face each other are down.
func (w *houseWalk) transport(b *state.Transport) error {
	s, target, err := w.both(b.Ship, b.Target)
	if err != nil {
		return err
	}
	sys := system(s)
	facing, own := shields(target, s), shields(s, target)
	up := func(sys *state.System, side int) bool {
		return sys.Sheet.Shields[side].Left > 0 && !sys.Down && !sys.Lowered[side]
	}
	switch {
	case hex.Distance(s.Hex, target.Hex) > transporterReach || s.Status != engine.Active || sys.Cloaked:
		return fmt.Errorf("%s sends parties to %s at %d hexes", b.Ship, b.Target, hex.Distance(s.Hex, target.Hex))
	case b.Parties < 1 || b.Parties > sys.Parties || sys.Beamed+b.Parties > sys.Sheet.Count(sheet.Transporter).Left:
		return fmt.Errorf("%s sends %d parties of %d, after %d by %d boxes", b.Ship, b.Parties, sys.Parties, sys.Beamed, sys.Sheet.Count(sheet.Transporter).Left)
	case s.Side != target.Side && target.Status == engine.Active && len(facing) > 0 && all(facing, func(side int) bool { return up(system(target), side) }):
		return fmt.Errorf("%s sends parties to %s through shields %v", b.Ship, b.Target, facing)
	case b.Lowers == 0 && len(own) > 0 && all(own, func(side int) bool { return up(sys, side) }):
		return fmt.Errorf("%s sends parties from behind shields %v", b.Ship, own)
	}
	return nil
}

func all(of []int, is func(int) bool) bool {
	for _, one := range of {
		if !is(one) {
			return false
		}
	}
	return true
}

// shields returns a ship's shields, from 0, that may face another; none in the same hex.
func shields(s, to *engine.Ship) []int {
	p, apart := hex.Bearing(s.Hex, to.Hex)
	if !apart {
		return nil
	}
	one, other, line := hex.Side(p.Relative(s.Heading))
	if !line {
		return []int{one}
	}
	return []int{one, other}
}

// studied checks data gathered or passed on: no more than exists and than a shuttle can hold. A shuttle does only one
// of both in a turn, and gathers once.
func (w *houseWalk) studied(b *state.Study) error {
	craft, ship, err := w.both(b.Craft, b.Ship)
	if err != nil {
		return err
	}
	about, _ := w.g.Ship(b.About)
	holds := func(s *engine.Ship) (n int) {
		for _, k := range system(s).Data {
			n += k.Points
		}
		return n
	}
	for _, before := range w.jobs[b.Craft] {
		if before == "study" && b.How == "study" || (before == "send") != (b.How == "send") {
			return fmt.Errorf("%s does %s after %s in one turn", b.Craft, b.How, before)
		}
	}
	if b.How != "probe" {
		w.jobs[b.Craft] = append(w.jobs[b.Craft], b.How)
	}
	gathers := b.How == "probe" || b.How == "study"
	switch {
	case gathers && (about == nil || b.Range != hex.Distance(craft.Hex, about.Hex) || b.Range > labReach):
		return fmt.Errorf("%s gathers at range %d", b.Craft, b.Range)
	case b.How == "probe" && (b.Points != probePoints || craft.Kind != engine.KindProbe || craft.Parent != b.Ship),
		b.How == "study" && (b.Points != min(max(0, labPoints-b.Roll-b.Range), shuttleHolds-holds(craft)) || craft != ship):
		return fmt.Errorf("%s gathers %d points by %s at range %d with a %d", b.Craft, b.Points, b.How, b.Range, b.Roll)
	case b.How == "receive" && (craft != ship || holds(craft)+b.Points > shuttleHolds), b.How == "send" && craft.ID != b.From:
		return fmt.Errorf("%s does %s of %d points, and holds %d", b.Craft, b.How, b.Points, holds(craft))
	}
	return nil
}

// crafted checks a hex of flight of a probe or a shuttle.
func (w *houseWalk) crafted(s *engine.Ship) error {
	f := system(s).Flight
	age := 8*(w.g.Turn-f.Launched.Turn) + w.impulse - f.Launched.Impulse
	switch {
	case w.moved[s.ID] > 1 || age < 1:
		return fmt.Errorf("%s flies %d hexes in impulse %d of its flight", s.ID, w.moved[s.ID], age)
	case s.Kind == engine.KindProbe && age > probeLife:
		return fmt.Errorf("%s flies for %d impulses", s.ID, age)
	case s.Kind == engine.KindShuttle && w.impulse != 8:
		return fmt.Errorf("%s flies in impulse %d", s.ID, w.impulse)
	}
	return nil
}

// cannon has the points of battery cannon, and the hexes their shots fly in an impulse.
var cannon = map[sheet.Kind][2]int{sheet.PrimaryCannon: {12, 8}, sheet.SecondaryCannon: {8, 4}, sheet.TertiaryCannon: {4, 2}}

// flies checks an impulse of a shot's flight.
func (w *houseWalk) flies(d *engine.Ship, b *engine.Move) error {
	f := system(d).Flight
	age := 8*(w.g.Turn-f.Launched.Turn) + w.impulse - f.Launched.Impulse
	w.moved[b.Ship]++
	if b.To.Heading != b.From.Heading || b.To.Hex != b.From.Hex.StepN(b.From.Heading, b.Cost) || b.Cost < 1 || b.Cost > cannon[f.Kind][1] || age < 1 || age > 8 || w.moved[b.Ship] > 1 {
		return fmt.Errorf("%s flies %d hexes from %s %s to %s %s in impulse %d of its flight", b.Ship, b.Cost, b.From.Hex, b.From.Heading, b.To.Hex, b.To.Heading, age)
	}
	return nil
}

// bursts checks a shot fired by a cannon: one an impulse, in a turn no more than its points.
func (w *houseWalk) bursts(b *state.Burst) error {
	s, _ := w.g.Ship(b.Ship)
	key := string(b.Ship) + "." + b.Weapon
	if now := 8*w.g.Turn + w.impulse; w.shot[key] == 0 {
		if err := w.again(b.Ship, b.Weapon); err != nil {
			return err
		}
	} else if w.last[key] >= now {
		return fmt.Errorf("%s fires twice in impulse %d", key, w.impulse)
	} else {
		w.last[key] = now
	}
	w.shot[key] += b.Flight.Damage
	if i := system(s).Sheet.Bank(b.Weapon); i < 0 || system(s).Sheet.Banks[i].Left < 1 || b.Flight.Damage < 1 || w.shot[key] > cannon[b.Flight.Kind][0] || b.At.Hex != s.Hex {
		return fmt.Errorf("%s fires %d points in a turn", key, w.shot[key])
	}
	return nil
}
