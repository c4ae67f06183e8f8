package play

import (
	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// SensorSubjects returns what conditions may ask of sensors. An answer counts to the end of the
// turn in which it was given; after that it is unknown.
func SensorSubjects() []rulebook.Subject {
	number := func(form orders.Form, doc string, fact func(rulebook.Question) (bool, bool)) rulebook.Subject {
		return rulebook.Subject{Subject: orders.Subject{Form: form, Kind: orders.NumberSubject, Doc: doc}, Fact: fact}
	}
	return []rulebook.Subject{
		{Subject: orders.Subject{
			Form: "locked [SHIP]", Kind: orders.FlagSubject,
			Doc: "you have a lock on that ship; without a name, on the ship that the order names, or on any if it names none",
		}, Fact: lockedFact},
		{Subject: orders.Subject{
			Form: "seen [SHIP]", Kind: orders.FlagSubject,
			Doc: "that ship is in your sight; without a name, the ship that the order names",
		}, Fact: seenFact},
		number(rulebook.ShieldOf, "points left on a ship's shield: your own, or as question 3 was last answered this turn", func(q rulebook.Question) (bool, bool) {
			a, _ := q.Test.Arg("SHIELD")
			return figure(q, ship.AskShields, func(s *ship.State) int { return s.Shields[a.Num-1].Now }, func(t ship.Answer) int { return t.Shields[a.Num-1] })
		}),
		number(rulebook.PowerOf, "power available to a ship: your own, or as question 1 was last answered this turn", func(q rulebook.Question) (bool, bool) {
			return figure(q, ship.AskPower, func(s *ship.State) int { return s.Power }, func(t ship.Answer) int { return t.Power })
		}),
		number(rulebook.StructureOf, "superstructure left to a ship: your own, or as question 5 was last answered this turn", func(q rulebook.Question) (bool, bool) {
			return figure(q, ship.AskStructure, func(s *ship.State) int { return max(0, s.Superstructure) }, func(t ship.Answer) int { return t.Superstructure })
		}),
		number(rulebook.PointsOf, "movement points that a ship has left this turn: your own, or as question 7 was last answered this turn", func(q rulebook.Question) (bool, bool) {
			return figure(q, ship.AskPoints, func(s *ship.State) int { return pointsLeft(s, q.Turn.Phase.No) }, func(t ship.Answer) int { return t.Points })
		}),
	}
}

// mentioned returns the ship that a test names, and whether it names one; nil if the captain
// knows no such ship, or the word stands for none now.
func mentioned(q rulebook.Question) (s *engine.Ship, named bool) {
	a, named := q.Test.Arg("SHIP")
	if !named {
		return nil, false
	}
	id := ""
	if word, stands := q.Rules.IsAim(a.Text); stands {
		id = string(q.Rules.Aimed(q.Turn.Game, q.Ship, engine.ShipID(word)))
	} else if n, _, ok := q.Rules.Known(q.Turn, q.Ship).Find(a.Text); ok {
		id = string(q.Rules.Aimed(q.Turn.Game, q.Ship, n.ID))
	}
	s, ok := q.Rules.Shown(q.Turn.Game, q.Ship, engine.ShipID(id))
	if !ok {
		return nil, true
	}
	return s, true
}

// pointsLeft returns the movement points of a ship from a phase of the turn on.
func pointsLeft(s *ship.State, phase int) int { return tactical.Sum(s.Alloc.Split[max(0, phase-1):]) }

func lockedFact(q rulebook.Question) (value, known bool) {
	if s, named := mentioned(q); named {
		return s != nil && rulebook.Locked(q.Ship, s.ID), true
	}
	if q.Named != "" {
		return rulebook.Locked(q.Ship, engine.ShipID(q.Named)), true
	}
	return ship.Of(q.Ship).LockTarget() != "", true
}

func seenFact(q rulebook.Question) (value, known bool) {
	if s, named := mentioned(q); named {
		return s != nil && q.Rules.Aware(q.Turn.Game, q.Ship, s), true
	}
	return q.Target != nil, true
}

// figure compares a figure of the ship that a test names: the actual one for the asker's own
// ship, otherwise as a question was last answered in this turn.
func figure(q rulebook.Question, asked string, own func(*ship.State) int, told func(ship.Answer) int) (value, known bool) {
	s, _ := mentioned(q)
	switch s {
	case nil:
		return false, false
	case q.Ship:
		return q.Test.Holds(own(ship.Of(s))), true
	}
	a, ok := ship.Of(q.Ship).Learnt(s.ID, asked)
	if !ok || a.When.Turn != q.Turn.Number() {
		return false, false
	}
	return q.Test.Holds(told(a)), true
}

// ContactSubjects returns what conditions may ask about a contact.
func ContactSubjects() (out []rulebook.Subject) {
	for _, s := range dark.ContactSubjects() {
		out = append(out, rulebook.Subject{Subject: s, Fact: contactFact})
	}
	return out
}

// contactFact compares what a captain's sensors have of the ship that a condition names.
func contactFact(q rulebook.Question) (value, known bool) {
	a, _ := q.Test.Arg("SHIP")
	s, _ := mentioned(q)
	_, stands := q.Rules.IsAim(a.Text)
	switch {
	case s == nil && (stands || q.Turn.Game.Blind == nil):
		return false, false
	case stands || q.Turn.Game.Blind == nil:
		if !q.Rules.Aware(q.Turn.Game, q.Ship, s) {
			return false, false
		}
		return dark.In(q.Turn).ContactFact(q.Ship, "", s, q.Test)
	}
	n, _, ok := q.Rules.Known(q.Turn, q.Ship).Find(a.Text)
	if !ok {
		return false, false
	}
	return dark.In(q.Turn).ContactFact(q.Ship, string(n.ID), nil, q.Test)
}
