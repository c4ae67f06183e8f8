package play

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// warpOrder is an order to change warp speed in the turn.
type warpOrder struct {
	line int
	step int // +1 or -1; 0 for none
}

func (o warpOrder) text() string { return fmt.Sprintf("warp %+d", o.step) }

// CompileWarp reads an order to change warp speed.
func CompileWarp(c *rulebook.Compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("STEP")
	if !ok {
		return
	}
	h, o := c.Sys.Helm(), warpOrder{line: st.Pos.Line, step: a.Num}
	switch to := h.Warp + o.step; {
	case to > h.Top:
		c.Fail(a.Pos, "E161", "leave it out", "warp %d is the most that this ship can do", h.Top)
		return
	case to < 0:
		c.Fail(a.Pos, "E161", "leave it out", "the ship is at sublight speed")
		return
	}
	*ship.Edit[warpOrder](&c.Plan.Parts) = o
	if why, _ := warpable(c.Sys, o.step); why != "" {
		c.Warn(st.Pos, "W163", "it is tried at the end of the turn", "as the ship is now, its warp speed cannot change: %s", why)
		return
	}
	c.Warn(st.Pos, "W127", "leave it out to stay", "changing warp speed takes the ship out of the battle at the end of this turn, unless an enemy with a lock follows")
	c.Effect(st.Pos.Line, "warp %d to warp %d at the end of the turn", h.Warp, h.Warp+o.step)
}

// CompileFollow reads the standing order of which leaving ships to follow.
func CompileFollow(c *rulebook.Compiler, _ int, st orders.Statement) {
	var follow []string
	named := st.All("SHIP")
	for _, a := range named {
		word := strings.ToLower(a.Text)
		if word == rulebook.FollowAll || word == rulebook.FollowNone {
			if len(named) > 1 {
				c.Fail(a.Pos, "E162", "name ships, or one of these words alone", "%s cannot be combined with other names", word)
				return
			}
			if word == rulebook.FollowAll {
				follow = []string{rulebook.FollowAll}
			}
			continue
		}
		n, _, ok := c.Names.Find(a.Text)
		switch {
		case !ok:
			_, hint, _ := c.Others().Find(a.Text)
			c.Fail(a.Pos, "E102", hint+"; or all, or none", "no ship %q is known", a.Text)
		case n.Side == c.Side:
			c.Warn(a.Pos, "W164", "leave it out", "%s is on your own side; only enemies are followed", n.Name)
		case slices.Contains(follow, string(n.ID)):
			c.Fail(a.Pos, "E126", "", "%s is named twice", n.Name)
		default:
			follow = append(follow, string(n.ID))
		}
	}
	c.Plan.Standing.SetList("follow", follow...)
}

// warpable returns why a ship cannot change its warp speed by a step (stcs 7.5, 8.5, ruling
// D31); "" if it can.
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
	case len(s.Engines().Warp()) == 0:
		return "no warp engine gives power", here
	}
	return "", nil
}

// ChangeWarp carries out the changes of warp speed at the end of a turn: first it determines who
// changes speed, then who follows, then who is gone (stcs 6.7, 8.5, ruling D31).
func ChangeWarp(l *rulebook.Rules, t *engine.Turn) {
	steps := map[engine.ShipID]int{} // ships that change speed by their own order
	for _, s := range ship.Fighting(t.Game) {
		o := Ordered[warpOrder](t, s)
		if o.step == 0 {
			continue
		}
		if why, rule := warpable(ship.Of(s), o.step); why != "" {
			skipWarp(l, t, s, o.line, o.text(), why, rule)
			continue
		}
		steps[s.ID] = o.step
	}
	chase := map[engine.ShipID]engine.ShipID{}     // who follows whom
	pursuers := map[engine.ShipID][]*engine.Ship{} // by the ship that is followed
	for _, s := range ship.Fighting(t.Game) {
		if lead := chased(l, t, s, steps); lead != "" {
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
		setWarp(l, t, s, step, chase[s.ID], pursuers[s.ID])
	}
	for _, s := range ship.Fighting(t.Game) {
		if steps[s.ID] != 0 && chase[s.ID] == "" && len(pursuers[s.ID]) == 0 {
			Shift(t, s.ID, t.Because(LastShift(t, s.ID)).Out(s, engine.Left, "changed its warp speed", nil, l.Cite(cites.WarpChange)...))
		}
	}
}

func skipWarp(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, line int, order, why string, rule []cites.Topic) {
	Skip(l, t, s, ship.PostHelm, line, order, why, rule...)
}

// chased returns the enemy whose change of speed a ship follows: one that it has a lock on, by
// standing order or by making the same change anyway; "" for none.
func chased(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, steps map[engine.ShipID]int) engine.ShipID {
	own, changes := steps[s.ID]
	for _, lock := range ship.Of(s).Sensors().Locks {
		lead, ok := t.Game.Ship(lock.Target)
		step, leaves := steps[lock.Target]
		if !ok || !leaves || l.Friends(t.Game, s, lead) {
			continue
		}
		if changes {
			if own == step {
				return lead.ID
			}
			continue
		}
		if !slices.ContainsFunc(ship.Of(s).Standing.List("follow"), func(w string) bool { return w == rulebook.FollowAll || l.Aimed(t.Game, s, engine.ShipID(w)) == lead.ID }) {
			continue
		}
		if why, rule := warpable(ship.Of(s), step); why != "" {
			skipWarp(l, t, s, 0, "follow "+l.Called(t.Game, s, lead), why, rule)
			continue
		}
		return lead.ID
	}
	return ""
}

// setWarp records a change of warp speed. It is done openly, but only those who see all ships
// involved are told who follows.
func setWarp(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, step int, follows engine.ShipID, by []*engine.Ship) {
	from := ship.Of(s).Helm().Warp
	b := &ship.WarpSet{Ship: s.ID, From: from, To: from + step, Follows: follows, Followed: len(by) > 0}
	others := slices.Clone(by)
	for _, p := range by {
		b.FollowedBy = append(b.FollowedBy, p.ID)
	}
	if lead, ok := t.Game.Ship(follows); ok {
		others = append(others, lead)
	}
	order := t.Ordered(s.ID, Ordered[warpOrder](t, s).line, "")
	if order == (engine.Ref{}) {
		order = t.OrderedIn(s.ID, "standing", "follow")
	}
	Shift(t, s.ID, t.Because(order).Emit(b, showChase(l, t.Game, append(others, s), s), l.Cite(cites.WarpChange)...))
}

// showChase returns who sees a ship's change of speed: those who see the ship; and who follows
// whom, only those who see all ships involved.
func showChase(l *rulebook.Rules, g *engine.Game, all []*engine.Ship, s *engine.Ship) engine.See {
	if see := l.Show(g, all); see.Open() {
		return see.And(warpChase)
	}
	see := engine.SeeAll()
	for _, o := range g.Ships {
		if !slices.ContainsFunc(all, func(p *engine.Ship) bool { return !l.Aware(g, o, p) }) {
			see.Whole = append(see.Whole, engine.Seat{Ship: o.ID})
		}
	}
	if alone := l.Show(g, []*engine.Ship{s}); !alone.Open() {
		for _, o := range g.Ships {
			if l.Aware(g, o, s) {
				see.Among = append(see.Among, o.ID)
			}
		}
	}
	return see
}

// warpChase names the part of the event, who follows whom, that others see where all ships involved are seen.
const warpChase = "chase"

// WarpWord returns a warp speed in words.
func WarpWord(factor int) string {
	if factor == 0 {
		return "sublight speed"
	}
	return fmt.Sprintf("warp %d", factor)
}
