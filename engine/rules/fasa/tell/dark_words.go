package tell

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// plainly returns a view of a game in the dark in which a captain's own fire, and hits on their
// ships, appear as in the open.
func plainly(v *engine.View) *engine.View {
	if !v.Dark {
		return v
	}
	c := *v
	c.Events = slices.Clone(v.Events)
	for i := range c.Events {
		switch b := c.Events[i].Body.(type) {
		case *rulebook.FireSeen:
			if b.Weapon != "" {
				c.Events[i].Body = (*ship.Fire)(b)
			}
		case *rulebook.DamageSeen:
			c.Events[i].Body = (*ship.Damage)(b)
		}
	}
	return &c
}

func (n *Narrator) fireSeen(b *rulebook.FireSeen, cite string) {
	at, what := n.seenAs(b.Target), "misses"
	if b.Hit {
		what = "hits"
	}
	if b.Shield > 0 {
		at += " on shield " + strconv.Itoa(b.Shield)
	}
	n.shots = append(n.shots, engine.Shot{Phase: n.View.Events[n.at-1].Phase, From: b.Ship, To: b.Target, Hit: b.Hit})
	n.Line(0, cite, n.seenAs(b.Ship), " fires, and ", what, " ", at)
}

func (n *Narrator) shieldSeen(b *rulebook.ShieldSeen, _ string) {
	h := ship.ShieldHit(*b)
	n.Line(1, n.citation(n.l.Cite(cites.ShieldDamage)), fmt.Sprintf("%d points: ", h.Absorbed+h.Through), shieldWords(&h))
}

// seenAs returns the name of a ship, or "something unseen" if the viewer does not detect it.
func (n *Narrator) seenAs(id engine.ShipID) string {
	switch id {
	case "":
		return "something unseen"
	}
	return n.View.Name(id)
}

// darkPanel returns a captain's list of contacts in a game in the dark.
func darkPanel(l *rulebook.Rules, v *engine.View) engine.Panel {
	focus, _ := v.Ship(v.Viewer.Focus)
	return dark.ContactsPanel(v, func(s *engine.ShipView) (known dark.OfContact) {
		if k, ok := s.System.(*ship.Public); ok {
			known.Speed = strconv.Itoa(k.Points)
		}
		if s.Hex != nil && focus != nil && focus.Hex != nil {
			known.Yours = facingWord(&l.Book, engine.Place{Hex: *focus.Hex, Heading: *focus.Heading}, *s.Hex)
		}
		known.What = lockedOn(v, s.ID)
		return known
	})
}

// lockedOn returns the class and race of a contact that a lock of an own ship told last; "" for
// none.
func lockedOn(v *engine.View, id engine.ShipID) (what string) {
	var when engine.Moment
	for _, s := range v.Ships {
		sys, ok := s.System.(*ship.State)
		if !s.Own || !ok || !sys.Has(ship.NameSensors) {
			continue
		}
		if a, told := sys.Learnt(id, ship.AtLock); told && a.Auto != nil && cmp.Or(cmp.Compare(when.Turn, a.When.Turn), cmp.Compare(when.Phase, a.When.Phase)) <= 0 {
			what, when = className(a.Auto), a.When
		}
	}
	return what
}

// darkAdvice returns advice for the first turn in the dark.
func darkAdvice(v *engine.View) engine.Panel {
	return engine.Panel{Key: "advice", Title: "For your first turn in the dark", Notes: []string{
		"You see only what your sensors find, and so do the others. You are not told who else is there.",
		"A ship that changes hex shows its warp field from afar; one that stands still is found only from nearer. Turning in place shows nothing.",
		"Each contact has a number, such as c01; use it in orders until you know the name.",
		dark.Search(v),
		"Firing does not reveal who you are; a ship that is hit learns the shield and the damage.",
	}}
}
