package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// warpOrder is a change of warp speed that a captain ordered for the turn.
type warpOrder struct {
	line int
	step int // +1 or -1; 0 for none
}

func (o warpOrder) text() string { return fmt.Sprintf("warp %+d", o.step) }

func compileWarp(c *compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("STEP")
	if !ok {
		return
	}
	h, o := c.sys.Helm(), warpOrder{line: st.Pos.Line, step: a.Num}
	switch to := h.Warp + o.step; {
	case to > h.Top:
		c.fail(a.Pos, "E161", "leave it out", "warp %d is the most that this ship can do", h.Top)
		return
	case to < 0:
		c.fail(a.Pos, "E161", "leave it out", "the ship is at sublight speed")
		return
	}
	*ship.Edit[warpOrder](&c.p.parts) = o
	if why, _ := warpable(c.sys, o.step); why != "" {
		c.warn(st.Pos, "W163", "it is tried at the end of the turn", "as the ship is now its warp speed does not change: %s", why)
		return
	}
	c.warn(st.Pos, "W127", "leave it out to stay", "a change of warp speed takes the ship out of the battle at the end of this turn, unless an enemy with a lock follows")
	c.effect(st.Pos.Line, "warp %d to warp %d at the end of the turn", h.Warp, h.Warp+o.step)
}

func compileFollow(c *compiler, _ int, st orders.Statement) {
	var follow []string
	named := st.All("SHIP")
	for _, a := range named {
		word := strings.ToLower(a.Text)
		if word == followAll || word == followNone {
			if len(named) > 1 {
				c.fail(a.Pos, "E162", "name ships, or one of the words alone", "%s does not stand with other names", word)
				return
			}
			if word == followAll {
				follow = []string{followAll}
			}
			continue
		}
		n, _, ok := c.names.find(a.Text)
		switch {
		case !ok:
			_, hint, _ := c.others().find(a.Text)
			c.fail(a.Pos, "E102", hint+"; or all, or none", "no ship %q is known", a.Text)
		case n.side == c.side:
			c.warn(a.Pos, "W164", "leave it out", "%s is of your own side; only enemies are followed", n.name)
		case slices.Contains(follow, string(n.id)):
			c.fail(a.Pos, "E126", "", "%s is named twice", n.name)
		default:
			follow = append(follow, string(n.id))
		}
	}
	c.p.standing.SetList("follow", follow...)
}

// warpable tells why a ship cannot change its warp speed by a step (stcs 7.5, 8.5,
// ruling D31); blank when it can.
func warpable(s *ship.State, step int) (why string, rule []cites.Topic) {
	here := []cites.Topic{cites.WarpChange}
	switch to := s.Helm().Warp + step; {
	case s.Sensors().Down:
		return "the sensors are damaged", []cites.Topic{cites.DamagedSensors}
	case to > s.Helm().Top:
		return fmt.Sprintf("warp %d is the most that it can do", s.Helm().Top), here
	case to < 0:
		return "it is at sublight speed", here
	case step*step > 1 && !s.Bridge().Boost:
		return "a change by two takes the engineer's skill boost", here
	case len(s.WarpEngines()) == 0:
		return "no warp engine gives power", here
	}
	return "", nil
}

// changeWarp carries out the changes of warp speed at the end of a turn: first it is
// seen who changes it, then who follows, then who is gone (stcs 6.7, 8.5, ruling D31).
func (l *rulebook) changeWarp(t *engine.Turn) {
	steps := map[engine.ShipID]int{} // of ships that change their speed by their own order
	for _, s := range ship.Fighting(t.Game) {
		o := ordered[warpOrder](t, s)
		if o.step == 0 {
			continue
		}
		if why, rule := warpable(ship.Of(s), o.step); why != "" {
			l.skipWarp(t, s, o.line, o.text(), why, rule)
			continue
		}
		steps[s.ID] = o.step
	}
	chase := map[engine.ShipID]engine.ShipID{}     // who follows whom
	pursuers := map[engine.ShipID][]*engine.Ship{} // by the ship that is followed
	for _, s := range ship.Fighting(t.Game) {
		if lead := l.chased(t, s, steps); lead != "" {
			chase[s.ID] = lead
			pursuers[lead] = append(pursuers[lead], s)
		}
	}
	for _, s := range ship.Fighting(t.Game) {
		step, leads := steps[s.ID]
		if lead := chase[s.ID]; lead != "" {
			step = steps[lead]
		} else if !leads {
			continue
		}
		l.setWarp(t, s, step, chase[s.ID], pursuers[s.ID])
	}
	for _, s := range ship.Fighting(t.Game) {
		if steps[s.ID] != 0 && chase[s.ID] == "" && len(pursuers[s.ID]) == 0 {
			shift(t, s.ID, t.Because(lastShift(t, s.ID)).Out(s, engine.Left, "changed its warp speed", nil, l.cite(cites.WarpChange)...))
		}
	}
}

func (l *rulebook) skipWarp(t *engine.Turn, s *engine.Ship, line int, order, why string, rule []cites.Topic) {
	l.skip(t, s, ship.PostHelm, line, order, why, rule...)
}

// chased is the enemy whose change of speed a ship follows: one that it has a lock on,
// by standing order or by making the same change anyway; blank for none.
func (l *rulebook) chased(t *engine.Turn, s *engine.Ship, steps map[engine.ShipID]int) engine.ShipID {
	own, changes := steps[s.ID]
	for _, lock := range ship.Of(s).Sensors().Locks {
		lead, ok := t.Game.Ship(lock.Target)
		step, leaves := steps[lock.Target]
		if !ok || !leaves || l.friends(t.Game, s, lead) {
			continue
		}
		if changes {
			if own == step {
				return lead.ID
			}
			continue
		}
		if !slices.ContainsFunc(ship.Of(s).Standing.List("follow"), func(w string) bool { return w == followAll || l.aimed(t.Game, s, engine.ShipID(w)) == lead.ID }) {
			continue
		}
		if why, rule := warpable(ship.Of(s), step); why != "" {
			l.skipWarp(t, s, 0, "follow "+l.called(t.Game, s, lead), why, rule)
			continue
		}
		return lead.ID
	}
	return ""
}

// setWarp records a change of warp speed. It is done openly; but who follows is told
// only to those who see all of them.
func (l *rulebook) setWarp(t *engine.Turn, s *engine.Ship, step int, follows engine.ShipID, by []*engine.Ship) {
	from := ship.Of(s).Helm().Warp
	b := &ship.WarpSet{Ship: s.ID, From: from, To: from + step, Follows: follows, Followed: len(by) > 0}
	others := slices.Clone(by)
	for _, p := range by {
		b.FollowedBy = append(b.FollowedBy, p.ID)
	}
	if lead, ok := t.Game.Ship(follows); ok {
		others = append(others, lead)
	}
	order := t.Ordered(s.ID, ordered[warpOrder](t, s).line, "")
	if order == (engine.Ref{}) {
		order = t.OrderedIn(s.ID, "standing", "follow")
	}
	shift(t, s.ID, t.Because(order).Emit(b, l.showChase(t.Game, append(others, s), s), l.cite(cites.WarpChange)...))
}

// showChase is who sees a change of speed of a ship: those who see the ship, and who
// follows whom those who see all of them.
func (l *rulebook) showChase(g *engine.Game, all []*engine.Ship, s *engine.Ship) engine.See {
	if see := l.show(g, all); see.Open() {
		return see.And(warpChase)
	}
	see := engine.SeeAll()
	for _, o := range g.Ships {
		if !slices.ContainsFunc(all, func(p *engine.Ship) bool { return !l.aware(g, o, p) }) {
			see.Whole = append(see.Whole, engine.Seat{Ship: o.ID})
		}
	}
	if alone := l.show(g, []*engine.Ship{s}); !alone.Open() {
		for _, o := range g.Ships {
			if l.aware(g, o, s) {
				see.Among = append(see.Among, o.ID)
			}
		}
	}
	return see
}

// warpChase is what of it others see where all who follow or are followed are seen: who they are.
const warpChase = "chase"

// warpWord is a warp speed in words.
func warpWord(factor int) string {
	if factor == 0 {
		return "sublight speed"
	}
	return fmt.Sprintf("warp %d", factor)
}
