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

// notes is what the phases of a turn tell each other.
type notes struct {
	plans   map[engine.ShipID]*rulebook.Plan
	blocks  map[engine.ShipID]*orders.Block // in force, by ship
	began   map[engine.ShipID]*state.System // ships as they were when their energy was allotted
	order   []engine.ShipID                 // of moving
	helms   map[engine.ShipID]*helm
	volleys []volley    // of the impulse that is played
	inside  []blockPart // a ship in the impulse, where a chart is for blocks
	// launched are the launches of this turn, by what was launched.
	launched map[engine.ShipID]engine.Ref
	// speeds are those of the turn before, moved the impulse in which a ship has left a hex last.
	speeds, moved map[engine.ShipID]int
	// met is the impulse in which a ship was turned last to meet what seeks her.
	met map[engine.ShipID]int
	// space is where ships may go, once that has been asked for.
	space *steering.Space
	// bursts are the shots of cannon that are still to come, halves who has half an energy left for one.
	bursts []burst
	halves map[engine.ShipID]bool
	works  []*dark.LabWork // as the turn ends
}

func memo(t *engine.Turn) *notes {
	n, ok := t.Memo.(*notes)
	if !ok {
		n = &notes{plans: map[engine.ShipID]*rulebook.Plan{}, blocks: map[engine.ShipID]*orders.Block{}, began: map[engine.ShipID]*state.System{}, helms: map[engine.ShipID]*helm{}, launched: map[engine.ShipID]engine.Ref{}, speeds: map[engine.ShipID]int{}, moved: map[engine.ShipID]int{}, met: map[engine.ShipID]int{}, halves: map[engine.ShipID]bool{}}
		t.Memo = n
	}
	return n
}

// blockPart is points that one source has got inside a ship in an impulse.
type blockPart struct {
	source
	points int
	struck engine.Ref
}

// helm is how far a ship's movement orders for a phase are carried out.
type helm struct {
	phase    int
	order    int  // that is being carried out
	word     int  // of it
	begun    bool // its condition has been looked at
	straight int
	pool     int  // of movement energy, in 60ths
	empty    bool // which has been told, or that she cannot move
	moved    int  // hexes of this turn
	// rolls are those for breakdown in the impulse in which the last was.
	rolls, rolledIn int
}

// helm is that of a ship.
func (n *notes) helm(s *engine.Ship) *helm {
	h := n.helms[s.ID]
	if h == nil {
		h = &helm{straight: state.Of(s).Straight, pool: state.Of(s).Pool}
		n.helms[s.ID] = h
	}
	return h
}

// burst is what is left to fire of the shots into which a cannon's points are split.
type burst struct {
	ship   engine.ShipID
	weapon int
	along  hex.Heading
	left   []int
	order  *rulebook.FireOrder
}

// volley is what strikes one shield of a ship in an impulse (cadet D4.22).
type volley struct {
	ship   engine.ShipID
	side   int // 0 to 5
	points int
	from   []hex.Hex // where it comes from
	causes []engine.Ref
	last   engine.Ref // the last point of damage that it did inside
	parts  []blockPart
}

// source is a weapon, or a bank of phasers, and where its shots come from. Lower ranks are
// stopped by shields first.
type source struct {
	ship engine.ShipID
	name string
	rank int
	from hex.Hex
	beam rulebook.BeamHits // of a laser or particle beam
	aimed
}

// pay takes energy for what a ship does at this moment: from what was set aside for it, from
// the reserve, and from the batteries. False, and nothing taken, if there is too little.
func pay(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	return payFrom(l, t, s, what, energy, rulebook.Usual(), cause)
}

// payFrom is pay, where after what was set aside some sources pay in their order (ruling R3a).
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
	row  int // 0: what is thrown decides
	half bool
}

// topicOf is what tells of a drone or torpedo.
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
