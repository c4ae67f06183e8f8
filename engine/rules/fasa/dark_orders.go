package fasa

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// standingHold is the standing order that keeps fire back, and its key in files.
const standingHold = "hold"

// darkPart is what captains may order and ask of their contacts, in books that can be played in the
// dark.
func darkPart() part {
	p := part{
		verbs:  []verb{{section: "standing", compile: compileHold, Verb: engine.HoldVerb()}},
		params: map[string]orders.Param{"LEVEL": engine.LevelParam()},
		orders: []string{standingHold},
		standing: func(s ship.Standing) []string {
			if below := heldBelow(s); below > 0 {
				return []string{"hold fire below " + strconv.Itoa(below)}
			}
			return nil
		},
	}
	for _, s := range engine.ContactSubjects() {
		p.subjects = append(p.subjects, subject{s, contactFact})
	}
	return p
}

func compileHold(c *compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("LEVEL")
	if a.Text == "0" {
		a.Text = ""
	}
	c.p.standing.SetWord(standingHold, a.Text)
}

// heldBelow is the level below which a ship holds her fire, by its number; 0 for none.
func heldBelow(s ship.Standing) int {
	below, _ := strconv.Atoi(s.Word(standingHold)) // blank for none
	return below
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
		return q.t.ContactFact(q.ship, "", s, q.test)
	}
	n, _, ok := q.l.known(q.t, q.ship).find(a.Text)
	if !ok {
		return false, false
	}
	return q.t.ContactFact(q.ship, n.id, nil, q.test)
}
