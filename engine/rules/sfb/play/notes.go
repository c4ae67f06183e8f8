package play

import (
	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// notes has what the phases of a turn need from earlier ones.
type notes struct {
	plans   map[engine.ShipID]*rulebook.Plan
	blocks  map[engine.ShipID]*orders.Block // in force, by ship
	began   map[engine.ShipID]*state.System // ships as they were when energy was allotted
	order   []engine.ShipID                 // of movement
	helms   map[engine.ShipID]*helm
	volleys []volley    // of the current impulse
	inside  []blockPart // a ship's damage in the impulse, with a chart for blocks
	// launched are the launches of this turn, by what was launched.
	launched map[engine.ShipID]engine.Ref
	// speeds are last turn's, moved the impulses in which ships last left a hex.
	speeds, moved map[engine.ShipID]int
	// met is the impulse in which a ship last turned to meet a seeker.
	met map[engine.ShipID]int
	// space is where ships may go, once it was needed.
	space *steering.Space
	// bursts are the cannon shots still to come; halves marks who has half an energy left for one.
	bursts []burst
	halves map[engine.ShipID]bool
	works  []*dark.LabWork // at the end of the turn
	watch  Watch
}

func memo(t *engine.Turn) *notes {
	n, ok := t.Memo.(*notes)
	if !ok {
		n = &notes{plans: map[engine.ShipID]*rulebook.Plan{}, blocks: map[engine.ShipID]*orders.Block{}, began: map[engine.ShipID]*state.System{}, helms: map[engine.ShipID]*helm{}, launched: map[engine.ShipID]engine.Ref{}, speeds: map[engine.ShipID]int{}, moved: map[engine.ShipID]int{}, met: map[engine.ShipID]int{}, halves: map[engine.ShipID]bool{}}
		t.Memo = n
	}
	return n
}

// Watch is told how orders to move are carried out, in a [Rehearsal].
type Watch struct {
	Hex     func(Hex)
	Refused func(o *rulebook.SpeedOrder, from int) // the speed does not follow quantum from
}

// Hex is one hex of movement.
type Hex struct {
	Order *rulebook.MoveOrder // nil if none is left
	// Word is the movement word of the order, Went the one carried out.
	Word, Went string
	// Straight counts the hexes moved straight before, Mode those that a turn takes.
	Straight, Mode int
	At             engine.Place // where it leads to
	// Obstacle is the kind of obstacle that she stays in front of; "" if she does not.
	Obstacle string
}

// blockPart is the points of one source that got inside a ship in an impulse.
type blockPart struct {
	source
	points int
	struck engine.Ref
}

// helm is how far a ship's movement orders for a phase have been carried out.
type helm struct {
	phase    int
	order    int  // the current order
	word     int  // of that order
	begun    bool // its condition has been checked
	straight int
	pool     int  // movement energy, in 60ths
	empty    bool // the pool is empty or she cannot move, and that was reported
	moved    int  // hexes this turn
	// rolls counts the breakdown rolls in impulse rolledIn.
	rolls, rolledIn int
}

// helm returns a ship's helm.
func (n *notes) helm(s *engine.Ship) *helm {
	h := n.helms[s.ID]
	if h == nil {
		h = &helm{straight: state.Of(s).Straight, pool: state.Of(s).Pool}
		n.helms[s.ID] = h
	}
	return h
}

// burst is the unfired rest of a cannon's split shots.
type burst struct {
	ship   engine.ShipID
	weapon int
	along  hex.Heading
	left   []int
	order  *rulebook.FireOrder
}

// volley is what hits one shield of a ship in an impulse (cadet D4.22).
type volley struct {
	ship   engine.ShipID
	side   int // 0 to 5
	points int
	from   []hex.Hex // where it comes from
	causes []engine.Ref
	last   engine.Ref // its last point of damage inside
	parts  []blockPart
}

// source is a weapon, or a bank of phasers, and where its shots come from. Shields stop lower ranks first.
type source struct {
	ship engine.ShipID
	name string
	rank int
	from hex.Hex
	beam rulebook.BeamHits // of a laser or particle beam
	aimed
}

// pay takes the energy for an action: from what was set aside for it, the reserve, and the batteries. If there is too
// little, it takes nothing and returns false.
func pay(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	return payFrom(l, t, s, what, energy, rulebook.Usual(), cause)
}

// payFrom is pay with the given sources, in order, after what was set aside (ruling R3a).
func payFrom(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, what string, energy int, sources []string, cause engine.Ref) bool {
	sys, h := state.Of(s), memo(t).helm(s)
	pool, charge := h.pool/sheet.MoveParts, sys.Capacitor
	e := &state.Drawn{Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve, Batteries: sys.Batteries}
	left := map[string]*int{rulebook.FromPool: &pool, rulebook.FromCapacitors: &charge, rulebook.FromReserve: &e.Reserve, rulebook.FromBatteries: &e.Batteries}
	take := func(from *int) {
		took := min(energy, *from)
		energy, *from = energy-took, *from-took
	}
	take(&e.Aside)
	for _, from := range sources {
		take(left[from])
	}
	if energy > 0 {
		return false
	}
	e.Pool, e.Capacitors = h.pool/sheet.MoveParts-pool, sys.Capacitor-charge
	h.pool -= e.Pool * sheet.MoveParts
	cite := rulebook.OnEnergy
	switch what {
	case rulebook.ForCannon:
		cite = rulebook.OnCannonEnergy
	case rulebook.VerbPhasers:
		cite = rulebook.OnReserve
	}
	t.Because(cause).Emit(e, engine.SeeOnly(s.ID), l.Cite(cite)...)
	return true
}

// partPhase runs what parts do at a moment.
func partPhase(l *rulebook.Rules, t *engine.Turn, moment func(*rulebook.Part) func(*rulebook.Rules, *engine.Turn)) {
	for _, p := range l.Parts {
		if run := moment(p); run != nil {
			run(l, t)
		}
	}
}

// aimed is fire at a row of the chart.
type aimed struct {
	row  int // 0: by the dice
	half bool
}

// topicOf returns the topic of a drone or torpedo.
func topicOf(f *state.Flight) rulebook.Topic {
	switch {
	case f.Kind == sheet.Probe || f.Kind == sheet.Shuttle:
		return rulebook.OnResearch
	case f.Kind == "":
		return rulebook.OnDrones
	case f.Kind.Cannon():
		return rulebook.OnCannon
	}
	return rulebook.OnPlasma
}
