package fasa

import (
	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// sensorSubjects are what conditions may ask of sensors. What was answered counts to
// the end of the turn in which it was; after that it is not known any more.
func sensorSubjects() []subject {
	number := func(form orders.Form, doc string, fact func(question) (bool, bool)) subject {
		return subject{orders.Subject{Form: form, Kind: orders.NumberSubject, Doc: doc}, fact}
	}
	return []subject{
		{orders.Subject{
			Form: "locked [SHIP]", Kind: orders.FlagSubject,
			Doc: "you have a lock on that ship; without a name on the one that the order names, or on any if it names none",
		}, lockedFact},
		{orders.Subject{
			Form: "seen [SHIP]", Kind: orders.FlagSubject,
			Doc: "that ship is in your sight; without a name the one that the order names",
		}, seenFact},
		number(shieldOf, "points left on a shield of a ship: your own, or as question 3 was last answered in this turn", func(q question) (bool, bool) {
			a, _ := q.test.Arg("SHIELD")
			return q.figure(ship.AskShields, func(s *ship.State) int { return s.Shields[a.Num-1].Now }, func(t ship.Answer) int { return t.Shields[a.Num-1] })
		}),
		number(powerOf, "power available to a ship: your own, or as question 1 was last answered in this turn", func(q question) (bool, bool) {
			return q.figure(ship.AskPower, func(s *ship.State) int { return s.Power }, func(t ship.Answer) int { return t.Power })
		}),
		number(structureOf, "superstructure left to a ship: your own, or as question 5 was last answered in this turn", func(q question) (bool, bool) {
			return q.figure(ship.AskStructure, func(s *ship.State) int { return max(0, s.Superstructure) }, func(t ship.Answer) int { return t.Superstructure })
		}),
		number(pointsOf, "movement points that a ship has left in this turn: your own, or as question 7 was last answered in it", func(q question) (bool, bool) {
			return q.figure(ship.AskPoints, func(s *ship.State) int { return pointsLeft(s, q.t.Phase.No) }, func(t ship.Answer) int { return t.Points })
		}),
	}
}

// mentioned is the ship that a test names, if it does; nil if the captain knows of
// none of that name or the word stands for none now.
func (q question) mentioned() (s *engine.Ship, named bool) {
	a, named := q.test.Arg("SHIP")
	if !named {
		return nil, false
	}
	id := ""
	if word, stands := q.l.isAim(a.Text); stands {
		id = string(q.l.aimed(q.t.Game, q.ship, engine.ShipID(word)))
	} else if n, _, ok := q.l.known(q.t, q.ship).find(a.Text); ok {
		id = string(q.l.aimed(q.t.Game, q.ship, n.id))
	}
	s, ok := q.l.shown(q.t.Game, q.ship, engine.ShipID(id))
	if !ok {
		return nil, true
	}
	return s, true
}

// pointsLeft are the movement points of a ship from a phase of the turn on.
func pointsLeft(s *ship.State, phase int) int { return tactical.Sum(s.Alloc.Split[max(0, phase-1):]) }

func lockedFact(q question) (value, known bool) {
	if s, named := q.mentioned(); named {
		return s != nil && locked(q.ship, s.ID), true
	}
	if q.named != "" {
		return locked(q.ship, engine.ShipID(q.named)), true
	}
	return ship.Of(q.ship).LockTarget() != "", true
}

func seenFact(q question) (value, known bool) {
	if s, named := q.mentioned(); named {
		return s != nil && q.l.aware(q.t.Game, q.ship, s), true
	}
	return q.target != nil, true
}

// figure compares a number of the ship that a test names: as it is for the asker
// himself, else as a question was last answered in this turn.
func (q question) figure(asked string, own func(*ship.State) int, told func(ship.Answer) int) (value, known bool) {
	s, _ := q.mentioned()
	switch s {
	case nil:
		return false, false
	case q.ship:
		return q.test.Holds(own(ship.Of(s))), true
	}
	a, ok := ship.Of(q.ship).Learnt(s.ID, asked)
	if !ok || a.When.Turn != q.t.Number() {
		return false, false
	}
	return q.test.Holds(told(a)), true
}

// contactSubjects are what conditions may ask of what sensors have of a contact.
func contactSubjects() (out []subject) {
	for _, s := range dark.ContactSubjects() {
		out = append(out, subject{s, contactFact})
	}
	return out
}

// contactFact is what a captain's sensors have of a ship that a condition names.
func contactFact(q question) (value, known bool) {
	a, _ := q.test.Arg("SHIP")
	s, _ := q.mentioned()
	_, stands := q.l.isAim(a.Text)
	switch {
	case s == nil && (stands || q.t.Game.Blind == nil):
		return false, false
	case stands || q.t.Game.Blind == nil:
		if !q.l.aware(q.t.Game, q.ship, s) {
			return false, false
		}
		return dark.In(q.t).ContactFact(q.ship, "", s, q.test)
	}
	n, _, ok := q.l.known(q.t, q.ship).find(a.Text)
	if !ok {
		return false, false
	}
	return dark.In(q.t).ContactFact(q.ship, string(n.id), nil, q.test)
}
