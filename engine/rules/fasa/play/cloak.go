package play

import (
	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// The to-hit modifiers of fire at a cloaked ship (stcs 10.8, ruling D36).
const (
	cloakedMoving = -3
	cloakedStill  = -5
)

// FitCloak gives a new ship the cloak of her design.
func FitCloak(k *rulebook.Commissioning) {
	state := verbs.Choice(k, "cloak", ship.CloakOn, ship.CloakOff, ship.CloakAnnounced)
	if k.Design.Cloak == 0 {
		if state != "" {
			k.Bad("cloak", "see: starpost ships", "%s has no cloaking device", k.Design.Name)
		}
		return
	}
	k.Sys.Put(&ship.Cloak{Need: k.Design.Cloak, On: state == ship.CloakOn || state == ship.CloakAnnounced, Tell: state == ship.CloakAnnounced})
	k.Sys.Standing.Shed = append(k.Sys.Standing.Shed, ship.NameCloak)
}

// HiddenByCloak is the concealment by a cloak: the ship is seen only by those with a lock on
// her, and by her own side, which knows where she is.
func HiddenByCloak(_ *rulebook.Rules, _ *engine.Game, of *engine.Ship) rulebook.Hides {
	if !ship.Cloaked(of) {
		return nil
	}
	return func(by *engine.Ship) bool { return by.Side != of.Side && !rulebook.Locked(by, of.ID) }
}

// Unlocked is the line-of-fire rule of cloaks: each ship needs its own lock, which only a scan
// can get (stcs 10.6, 10.8).
func Unlocked(_ *rulebook.Rules, _ *engine.Game, s, target *engine.Ship) string {
	if ship.Cloaked(target) && !rulebook.Locked(s, target.ID) {
		return "it is cloaked, and this ship has not found it by a scan"
	}
	return ""
}

// UnderCloak keeps a cloaked ship from firing (stcs 10.5).
func UnderCloak(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Cloaked(s) {
		return "the cloak is on: no fire", []cites.Topic{cites.CloakedShips, cites.CloakByMail}
	}
	return "", nil
}

// AtCloak is the modifier of fire at a cloaked ship (stcs 10.8).
func AtCloak(_ *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (name string, value int, rule []cites.Topic) {
	if !ship.Cloaked(v.Target) {
		return "", 0, nil
	}
	if name, value = "cloaked, stationary", cloakedStill; UnderWay(t, v.Target) {
		name, value = "cloaked, moving", cloakedMoving
	}
	return name, value, []cites.Topic{cites.FireAtCloaked, cites.CloakByMail}
}

// UnderWay reports whether a ship moved in the last movement phase, that is, did anything but
// hold. Before the first phase of a game no ship has moved.
func UnderWay(t *engine.Turn, s *engine.Ship) bool {
	if t.Number() == 1 && t.Phase.No <= 1 && t.Phase.Step != "movement" && t.Phase.Step != "fire" {
		return false
	}
	return ship.Of(s).Has(ship.NameHelm) && !ship.Of(s).Helm().Still
}

// PrimeCloak switches a cloak in the power phase as ordered, and off if it gets no power
// (stcs 10.4). It runs before others are shown the power, so that only those who then see the
// ship learn of it.
func PrimeCloak(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, p *rulebook.Plan) {
	c, fitted := ship.Of(s).Cloak(), ship.Of(s).Has(ship.NameCloak)
	if !fitted {
		return
	}
	want, why := c.On, "its captain switched it"
	order := ship.Read[rulebook.CloakPlan](p.Parts)
	by := t.Ordered(s.ID, order.Line, order.Text)
	if order.Start == "" {
		by = t.OrderedIn(s.ID, "power", "")
	}
	defer t.Following(by)()
	switch order.Start {
	case ship.CloakOn, ship.CloakOff:
		want = order.Start == ship.CloakOn
	}
	powered := p.Power.Cloak > 0
	if c.Late && powered && want != c.On {
		Skip(l, t, s, ship.PostEngineer, order.Line, order.Text, verbs.TooSoon, cites.CloakSwitching)
		want = c.On
	}
	if !powered {
		if want && order.Start == "" {
			why = "it gets no power"
		}
		want = false
	}
	if want != c.On {
		turnCloak(l, t, s, want, why)
	}
	if c.Tell && c.On {
		b := &ship.Announced{Ship: s.ID, Name: s.Title, Side: s.Side, On: true}
		t.Emit(b, engine.SeeOnly(others(t.Game, s, func(*engine.Ship) bool { return true })...), l.Cite(cites.CloakAnnouncement, cites.CloakByMail, cites.ScenarioTerms)...)
	}
}

// SwitchCloaks carries out the orders to switch cloaks after a phase's movement, in
// the order in which the ships moved (stcs 10.4).
func SwitchCloaks(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range movers(t) {
		if ship.Of(s).Has(ship.NameCloak) {
			switchCloak(l, t, s)
		}
	}
	dark.In(t).TellWaiting()
	dark.In(t).LookRound(false)
}

func switchCloak(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	p := Memo(t).plans[s.ID]
	for _, o := range p.CloakSwitches(t.Phase.No - 1) {
		if met, missing := Judge(l, t, s, "", nil, o.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostHelm, o.Line, o.Text, missing)
			}
			continue
		}
		defer t.Following(t.Ordered(s.ID, o.Line, o.Text))()
		switch {
		case ship.Of(s).Alloc.Cloak == 0:
			Skip(l, t, s, ship.PostHelm, o.Line, o.Text, "the cloak has no power", cites.CloakSwitching)
		case ship.Of(s).Cloak().On != o.On:
			turnCloak(l, t, s, o.On, "its captain switched it")
		}
		return
	}
}

// CloakSubjects are what conditions may ask of cloaks.
func CloakSubjects() []rulebook.Subject {
	return []rulebook.Subject{
		{Subject: orders.Subject{
			Form: "cloaked [SHIP]", Kind: orders.FlagSubject,
			Doc: "that ship, which you see or have found, has its cloak on; without a name, the ship that the order names, or your own if it names none",
		}, Fact: func(q rulebook.Question) (value, known bool) {
			s, named := mentioned(q)
			if !named {
				if q.Named == "" {
					return ship.Cloaked(q.Ship), true
				}
				s = q.Target
			}
			if s == nil || !q.Rules.Aware(q.Turn.Game, q.Ship, s) {
				return false, false
			}
			return ship.Cloaked(s), true
		}},
		{Subject: orders.Subject{
			Form: "range to SHIP", Kind: orders.NumberSubject,
			Doc: "hexes to that ship, if it is in sight; for orders that name no ship",
		}, Fact: func(q rulebook.Question) (value, known bool) {
			s, _ := mentioned(q)
			if s == nil || !q.Rules.Aware(q.Turn.Game, q.Ship, s) {
				return false, false
			}
			return q.Test.Holds(hex.Distance(q.Ship.Hex, s.Hex)), true
		}},
		{Subject: orders.Subject{
			Form: "detected", Kind: orders.FlagSubject,
			Doc: "your ship is cloaked, and an enemy has found it and has a lock on it",
		}, Fact: func(q rulebook.Question) (value, known bool) { return verbs.Detected(q.Turn.Game, q.Ship), true }},
	}
}
