package fasa

import (
	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// The to-hit modifiers of fire at a cloaked ship (stcs 10.8, ruling D36).
const (
	cloakedMoving = -3
	cloakedStill  = -5
)

func fitCloak(k *commissioning) {
	state := k.choice("cloak", ship.CloakOn, ship.CloakOff, ship.CloakAnnounced)
	if k.design.Cloak == 0 {
		if state != "" {
			k.bad("cloak", "see: starpost ships", "%s has no cloaking device", k.design.Name)
		}
		return
	}
	k.sys.Put(&ship.Cloak{Need: k.design.Cloak, On: state == ship.CloakOn || state == ship.CloakAnnounced, Tell: state == ship.CloakAnnounced})
	k.sys.Standing.Shed = append(k.sys.Standing.Shed, ship.NameCloak)
}

// hiddenByCloak is the concealment by a cloak: only those see the ship who have a lock on
// it, and its own side, which knows where it is.
func hiddenByCloak(_ *rulebook, _ *engine.Game, of *engine.Ship) hides {
	if !ship.Cloaked(of) {
		return nil
	}
	return func(by *engine.Ship) bool { return by.Side != of.Side && !locked(by, of.ID) }
}

// unlocked is its screen: each ship needs a lock of its own, which only a scan can
// get (stcs 10.6, 10.8).
func unlocked(_ *rulebook, _ *engine.Game, s, target *engine.Ship) string {
	if ship.Cloaked(target) && !locked(s, target.ID) {
		return "it is cloaked, and this ship has not found it by a scan"
	}
	return ""
}

// underCloak keeps a cloaked ship from firing (stcs 10.5).
func underCloak(_ *rulebook, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Cloaked(s) {
		return "the cloak is on: no fire", []cites.Topic{cites.CloakedShips, cites.CloakByMail}
	}
	return "", nil
}

// atCloak is the modifier of fire at a cloaked ship (stcs 10.8).
func atCloak(_ *rulebook, t *engine.Turn, v *volley) (name string, value int, rule []cites.Topic) {
	if !ship.Cloaked(v.target) {
		return "", 0, nil
	}
	if name, value = "cloaked, stationary", cloakedStill; underWay(t, v.target) {
		name, value = "cloaked, moving", cloakedMoving
	}
	return name, value, []cites.Topic{cites.FireAtCloaked, cites.CloakByMail}
}

// underWay tells whether a ship moved in the last movement phase: whether it did
// anything but hold. Before the first phase of a game no ship has moved.
func underWay(t *engine.Turn, s *engine.Ship) bool {
	if t.Number() == 1 && t.Phase.No <= 1 && t.Phase.Step != "movement" && t.Phase.Step != "fire" {
		return false
	}
	return ship.Of(s).Has(ship.NameHelm) && !ship.Of(s).Helm().Still
}

// primeCloak switches a cloak in the power phase as its captain wants, and off if
// it gets no power (stcs 10.4). It comes before the power is shown to others, so
// that only those learn of it who see the ship then.
func primeCloak(l *rulebook, t *engine.Turn, s *engine.Ship, p *plan) {
	c, fitted := ship.Of(s).Cloak(), ship.Of(s).Has(ship.NameCloak)
	if !fitted {
		return
	}
	want, why := c.On, "its captain switched it"
	order := ship.Read[cloakPlan](p.parts)
	by := t.Ordered(s.ID, order.line, order.text)
	if order.start == "" {
		by = t.OrderedIn(s.ID, "power", "")
	}
	defer t.Following(by)()
	switch order.start {
	case ship.CloakOn, ship.CloakOff:
		want = order.start == ship.CloakOn
	}
	powered := p.power.Cloak > 0
	if c.Late && powered && want != c.On {
		l.skip(t, s, ship.PostEngineer, order.line, order.text, tooSoon, cites.CloakSwitching)
		want = c.On
	}
	if !powered {
		if want && order.start == "" {
			why = "it gets no power"
		}
		want = false
	}
	if want != c.On {
		l.turnCloak(t, s, want, why)
	}
	if c.Tell && c.On {
		b := &ship.Announced{Ship: s.ID, Name: s.Title, Side: s.Side, On: true}
		t.Emit(b, engine.SeeOnly(l.others(t.Game, s, func(*engine.Ship) bool { return true })...), l.cite(cites.CloakAnnouncement, cites.CloakByMail, cites.ScenarioTerms)...)
	}
}

// others are the ships of the other captains for one of whose ships something holds.
func (l *rulebook) others(g *engine.Game, s *engine.Ship, holds func(*engine.Ship) bool) []engine.ShipID {
	var out []engine.ShipID
	for _, o := range g.Ships {
		if o.Captain != s.Captain && holds(o) {
			out = append(out, o.ID)
		}
	}
	return out
}

// switchCloaks carries out the orders to switch cloaks after a phase's movement, in
// the order in which the ships moved (stcs 10.4).
func (l *rulebook) switchCloaks(t *engine.Turn) {
	for _, s := range l.movers(t) {
		if ship.Of(s).Has(ship.NameCloak) {
			l.switchCloak(t, s)
		}
	}
	dark.In(t).TellWaiting()
	dark.In(t).LookRound(false)
}

func (l *rulebook) switchCloak(t *engine.Turn, s *engine.Ship) {
	p := memo(t).plans[s.ID]
	for _, o := range p.cloakSwitches(t.Phase.No - 1) {
		if met, missing := l.judge(t, s, "", nil, o.when); !met {
			if len(missing) > 0 {
				l.unknown(t, s, ship.PostHelm, o.line, o.text, missing)
			}
			continue
		}
		defer t.Following(t.Ordered(s.ID, o.line, o.text))()
		switch {
		case ship.Of(s).Alloc.Cloak == 0:
			l.skip(t, s, ship.PostHelm, o.line, o.text, "the cloak has no power", cites.CloakSwitching)
		case ship.Of(s).Cloak().On != o.on:
			l.turnCloak(t, s, o.on, "its captain switched it")
		}
		return
	}
}

// turnCloak switches a cloak: all who see the ship with the cloak off see it vanish
// or appear, to all others who know of it it is announced, locks on it are lost, and
// shields go down or come up (stcs 6.1, 10.4, 10.5, 10.7).
func (l *rulebook) turnCloak(t *engine.Turn, s *engine.Ship, on bool, why string, rule ...cites.Topic) {
	b := &ship.Cloaking{Ship: s.ID, On: on, Why: why, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Late: t.Phase.No == l.Split.Phases()}
	far := l.others(t.Game, s, func(o *engine.Ship) bool {
		return !l.aware(t.Game, o, bare(s)) && t.Rules.Knows(t.Game, t.Game.Viewer(o), s)
	})
	switched := t.Emit(b, l.show(t.Game, []*engine.Ship{bare(s)}, s.ID), l.cite(append([]cites.Topic{cites.CloakSwitching, cites.CloakByMail}, rule...)...)...)
	shift(t, s.ID, switched)
	defer t.Following(switched)()
	if len(far) > 0 {
		t.Emit(&ship.Announced{Ship: s.ID, On: on}, engine.SeeOnly(far...), l.cite(cites.CloakAnnouncement, cites.CloakByMail)...)
	}
	if on {
		l.shakeOff(t, s, hasCloaked, cites.CloakTracking)
	}
	l.noteVisibility(t, s)
}

// bare is a ship as if its cloak were off, to ask who would see it then.
func bare(s *engine.Ship) *engine.Ship {
	c, sys := *s, *ship.Of(s)
	sys.Drop(ship.NameCloak)
	c.System = &sys
	return &c
}

// unpower switches a cloak off that has lost its power in mid-turn (ruling D23).
func (l *rulebook) unpower(t *engine.Turn, s *engine.Ship, shed engine.Ref) {
	if ship.Of(s).Hidden() && ship.Of(s).Alloc.Cloak == 0 {
		defer t.Following(shed)()
		l.turnCloak(t, s, false, "it has lost its power", cites.PowerShedding)
	}
}

// cloakSubjects are what conditions may ask of cloaks.
func cloakSubjects() []subject {
	return []subject{
		{orders.Subject{
			Form: "cloaked [SHIP]", Kind: orders.FlagSubject,
			Doc: "that ship, which you see or have found, has its cloak on; without a name the one that the order names, or your own if it names none",
		}, func(q question) (value, known bool) {
			s, named := q.mentioned()
			if !named {
				if q.named == "" {
					return ship.Cloaked(q.ship), true
				}
				s = q.target
			}
			if s == nil || !q.l.aware(q.t.Game, q.ship, s) {
				return false, false
			}
			return ship.Cloaked(s), true
		}},
		{orders.Subject{
			Form: "range to SHIP", Kind: orders.NumberSubject,
			Doc: "hexes to that ship, if it is in sight: for orders that name no ship",
		}, func(q question) (value, known bool) {
			s, _ := q.mentioned()
			if s == nil || !q.l.aware(q.t.Game, q.ship, s) {
				return false, false
			}
			return q.test.Holds(hex.Distance(q.ship.Hex, s.Hex)), true
		}},
		{orders.Subject{
			Form: "detected", Kind: orders.FlagSubject,
			Doc: "your ship is cloaked, and an enemy has found it and has a lock on it",
		}, func(q question) (value, known bool) { return detected(q.t.Game, q.ship), true }},
	}
}
