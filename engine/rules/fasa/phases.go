package fasa

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// allocate carries out the power allocation phase (stcs 2.1).
func (l *rulebook) allocate(t *engine.Turn) {
	n := memo(t)
	dark.In(t).LookRound(false)
	l.allocateHulks(t)
	ships := ship.Fighting(t.Game)
	follows := func(s *engine.Ship) bool {
		return stations(t.Sheets[engine.Seat{Ship: s.ID}].Block, ship.Of(s).Standing)
	}
	ships = append(slices.DeleteFunc(slices.Clone(ships), follows), slices.DeleteFunc(ships, func(s *engine.Ship) bool { return !follows(s) })...)
	for _, s := range ships {
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil {
			b = l.absent(t, s)
		}
		p := l.adopt(t, s, b)
		l.followPace(t, s, b, &p)
		l.bonus(l, t, s, &p)
		n.plans[s.ID] = p
		l.onPower(l, t, s, &p)
		power := p.power
		bonus, _ := noted[rewarded](t, s.ID)
		t.Because(t.OrderedIn(s.ID, "power", ""), engine.Ref(bonus)).Emit(&power, l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(cites.PowerAllocation)...)
	}
}

// advantage rolls for it (stcs 2.2, ruling D14): high has it, ties roll again.
func (l *rulebook) advantage(t *engine.Turn) {
	var ids []engine.ShipID
	for _, s := range ship.Fighting(t.Game) {
		ids = append(ids, s.ID)
	}
	if len(ids) < 2 {
		memo(t).advantage = ids
		return
	}
	order := l.rankByDie(t, ids, 1)
	memo(t).advantage = order
	if t.Game.Blind != nil {
		l.announceInTheDark(t, ship.Advantage{Order: order, How: "one die each, high has it"}, l.cite(cites.TacticalAdvantage)...)
		return
	}
	t.Emit(&ship.Advantage{Order: order, How: "one die each, high has it"}, engine.SeeAll(), l.cite(cites.TacticalAdvantage)...)
}

func (l *rulebook) rankByDie(t *engine.Turn, ids []engine.ShipID, try int) []engine.ShipID {
	rolled := map[int][]engine.ShipID{}
	for _, id := range ids {
		name := engine.NameRoll("advantage", id)
		if try > 1 {
			name = name.And(strconv.Itoa(try))
		}
		v := t.Roll(name, dice.D10, tiesInTheDark(t.Game), l.cite(cites.TacticalAdvantage)...)
		rolled[v] = append(rolled[v], id)
	}
	var out []engine.ShipID
	for v := 1; v <= 10; v++ {
		if len(rolled[v]) > 1 {
			out = append(out, l.rankByDie(t, rolled[v], try+1)...)
		} else {
			out = append(out, rolled[v]...)
		}
	}
	return out
}

// move carries out a movement phase: most points first, among equals the one
// with the advantage last (stcs 2.3, 6.4, ruling D15).
func (l *rulebook) move(t *engine.Turn) {
	for _, begin := range l.begins {
		begin(t)
	}
	for _, s := range l.movers(t) {
		l.moveShip(t, s)
	}
	l.flyProbes(t)
	dark.In(t).LookRound(true)
}

// movers are the ships in the fight in the order in which they move.
func (l *rulebook) movers(t *engine.Turn) []*engine.Ship {
	n := memo(t)
	ships := ship.Fighting(t.Game)
	rank := map[engine.ShipID]int{}
	for i, id := range n.advantage {
		rank[id] = 2 * i
	}
	for _, s := range ships { // who keeps station goes after the ship on which she does
		if list := ship.Of(s).Standing.List(ship.Station); len(list) > 0 {
			rank[s.ID] = rank[engine.ShipID(list[0])] + 1
		}
	}
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int {
		if pa, pb := ship.Of(a).Alloc.Points, ship.Of(b).Alloc.Points; pa != pb {
			return pb - pa
		}
		return rank[a.ID] - rank[b.ID]
	})
	return ships
}

func (l *rulebook) moveShip(t *engine.Turn, s *engine.Ship) {
	p := memo(t).plans[s.ID]
	left := ship.Of(s).Alloc.InPhase(t.Phase.No)
	cut := p.power.Split[t.Phase.No-1] > left // power was shed since (D23)
	for _, m := range p.moves(t.Phase.No - 1) {
		if s.Status != engine.Active {
			break
		}
		if left == 0 {
			switch {
			case m.when != nil:
			case cut:
				l.skip(t, s, ship.PostHelm, m.line, m.text, "the engines give no more power for it", cites.PowerShedding)
			case len(s.Crew) > 0: // the helm did not know the points
				l.skip(t, s, ship.PostHelm, m.line, m.text, "no movement points are left in this phase", cites.MovementSplit)
			}
			continue
		}
		aim := m.target
		m.target = l.aimed(t.Game, s, aim)
		if met, missing := l.judge(t, s, m.target, nil, m.when); !met {
			if len(missing) > 0 {
				l.unknown(t, s, ship.PostHelm, m.line, m.text, missing)
			}
			continue
		}
		order := t.Ordered(s.ID, m.line, m.text)
		if m.Verb == ship.Station {
			order = t.OrderedIn(s.ID, "standing", ship.Station)
		}
		words, why := m.wordsFor(l, t, s, aim, left)
		if why != "" {
			l.skip(t, s, ship.PostHelm, m.line, m.text, why)
			continue
		}
		reactive := ""
		if m.Verb != "move" {
			reactive = m.text
		}
		for i, w := range words {
			if left == 0 {
				l.skip(t, s, ship.PostHelm, m.line, strings.Join(words[i:], " "), "no movement points are left in this phase", cites.MovementSplit)
				break
			}
			l.word(t, s, w, reactive, order)
			left--
			if s.Status != engine.Active {
				return
			}
		}
	}
	for ; left > 0 && s.Status == engine.Active; left-- {
		l.word(t, s, "H", "", engine.Ref{})
	}
}

// wordsFor are the movement words that an order with a target comes to with so many points, or why it cannot be carried
// out. Aim is what the order calls its target.
func (m *moveOrder) wordsFor(l *rulebook, t *engine.Turn, s *engine.Ship, aim engine.ShipID, left int) (words []string, why string) {
	if m.Verb == "move" {
		return m.words, ""
	}
	target := engine.Place{Hex: m.At}
	if aim != "" {
		foe, _ := l.shown(t.Game, s, m.target)
		at, ok := l.placeMeant(t.Game, s, string(aim), foe)
		if !ok {
			return nil, l.absentShip(t.Game, string(aim))
		}
		target = at
	}
	sea := board.PassabilityOf(t.Game, l.steps, l.ground)
	if t.Game.Blind != nil {
		sea = board.PassabilityIn(t.Game.Bounds, dark.In(t).Chart(s), l.steps, l.ground)
	}
	sea.Stuck = maneuver(t, s).stuck()
	return board.Expand(m.Maneuver, s.Stands(), left, target, sea), ""
}

// word carries out one movement word, which an order asks for, or what becomes of it.
func (l *rulebook) word(t *engine.Turn, s *engine.Ship, w, reactive string, order engine.Ref) {
	w = l.onHelmOut(l, t, s, w)
	became, why, rule := l.heeded(t, s, w)
	if why != "" {
		t.Because(order)
		l.skip(t, s, ship.PostHelm, 0, w, why, rule...)
	}
	l.step(t, s, became, reactive, order)
}

// heeded is what becomes of a movement word: what a rule forbids is a shorter one, or a hold.
func (l *rulebook) heeded(t *engine.Turn, s *engine.Ship, w string) (became, why string, rule []cites.Topic) {
	if why, rule = l.forbidden(t, s, w); why == "" {
		return w, "", nil
	}
	if became = lesser(w); became != "H" {
		if still, _ := l.forbidden(t, s, became); still != "" {
			became = "H"
		}
	}
	return became, why, rule
}

// step carries out a movement word that nothing forbids.
func (l *rulebook) step(t *engine.Turn, s *engine.Ship, w, reactive string, order engine.Ref) {
	from := s.Stands()
	to := board.Step(from, w)
	// A reactive order is the captain's own business; what it became is seen.
	shift(t, s.ID, t.Because(order).Emit(&engine.Move{Ship: s.ID, Word: w, Cost: 1, From: from, To: to, Reactive: reactive},
		l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(cites.Movement)...))
	if from.Hex != to.Hex {
		memo(t).moved[s.ID] = true
	}
	lookAfter(t, s, from)
	for _, follow := range l.afterMoves {
		follow(l, t, s, w, from)
	}
	l.steers(l, t, s, w, from)
	if b := t.Game.Bounds; b != nil && !b.Contains(s.Hex) && s.Status == engine.Active {
		over := b.Beyond(s.Hex)
		shift(t, s.ID, t.Because(lastShift(t, s.ID)).Out(s, engine.Left, "over the "+strings.Join(over, " and ")+" edge", over, l.cite(cites.MapEdge)...))
	}
}

// forbidden is the first rule's reason against a movement word.
func (l *rulebook) forbidden(t *engine.Turn, s *engine.Ship, w string) (why string, rule []cites.Topic) {
	for _, forbid := range l.moveRules {
		if why, rule = forbid(l, t, s, w); why != "" {
			return why, rule
		}
	}
	return "", nil
}

// repower brings undamaged shields back to their settings (stcs 2.5, 4.14).
func (l *rulebook) repower(t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		sys := ship.Of(s)
		change := make([]ship.Change, 6)
		changed := false
		for i, sh := range sys.Shields {
			change[i] = ship.Change{Before: sh.Now, After: sys.Raised(i)}
			changed = changed || change[i].Before != change[i].After
		}
		if changed {
			t.Emit(&ship.Repower{Ship: s.ID, Shields: change}, engine.SeeOnly(s.ID), l.cite(cites.Repowering)...)
		}
	}
}

// leave takes ships that change their warp speed off the map, before anything moves or
// fires (stcs 3.7).
func (l *rulebook) leave(t *engine.Turn) {
	n := memo(t)
	for _, s := range ship.Fighting(t.Game) {
		if n.plans[s.ID].warp {
			t.Because(t.OrderedIn(s.ID, "", "warp")).Out(s, engine.Left, "changed its warp speed", nil, l.cite(cites.WarpChange)...)
		}
	}
}

// slipAway takes ships off the map whose captains want to leave unseen, and which no enemy has found
// for long enough (house 6.62).
func (l *rulebook) slipAway(t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		switch o := ordered[leaveOrder](t, s); {
		case o.line == 0 && o.text == "":
		case t.Game.Blind == nil:
			l.skip(t, s, ship.PostHelm, o.line, o.text, "in the open all are seen")
		case !dark.In(t).Slipped(s):
			l.skip(t, s, ship.PostHelm, o.line, o.text, dark.StillFound)
		default:
			t.Because(t.Ordered(s.ID, o.line, o.text)).Out(s, engine.Left, "disengaged", nil, dark.LeavesUnseen)
		}
	}
}

// workLabs has laboratories do what was ordered, but for orders that were refused.
func (l *rulebook) workLabs(t *engine.Turn) {
	dark.In(t).WorkLabs(func(id engine.ShipID, line int) bool {
		return slices.ContainsFunc(memo(t).plans[id].diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == line })
	})
}

// allocateHulks lets the crews of crippled ships do what they can, and takes back what
// was left of their power: nothing of last turn lasts.
func (l *rulebook) allocateHulks(t *engine.Turn) {
	for _, s := range t.Game.Ships {
		if s.Status != engine.Crippled || !t.Rules.Commands(s) {
			continue
		}
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil {
			b = &orders.Block{}
		}
		b, idle := hulkOrders(b)
		for _, st := range idle {
			l.skip(t, s, ship.PostCaptain, st.Pos.Line, orders.FormatStatement(st), "the ship is crippled", cites.Crippling, cites.OutForGood)
		}
		p := l.adopt(t, s, b)
		l.bonus(l, t, s, &p)
		if !ship.Of(s).Still() {
			t.Emit(&ship.PowerSet{Ship: s.ID, Split: make([]int, l.Split.Phases()), ShieldPoints: make([]int, 6)}, engine.SeeOnly(s.ID), l.cite(cites.PowerAllocation, cites.Crippling)...)
		}
	}
}

// placeShips puts ships where their captains want to begin. Sightings from before that
// are forgotten.
func (l *rulebook) placeShips(t *engine.Turn) {
	sight := turnNotes[sightNotes](t)
	for _, s := range ship.Fighting(t.Game) {
		o, placed := ship.Find[*placeOrder](memo(t).plans[s.ID].parts)
		if !placed {
			continue
		}
		if why := placeShip(l, t, s, o); why != "" {
			l.skip(t, s, ship.PostHelm, o.line, o.text, why, cites.Placement)
			dark.In(t).ChartHex(s, o.at.Hex)
			continue
		}
		dark.In(t).Survey(s)
		sight.seenBefore = nil
	}
	if sight.seenBefore == nil {
		l.noteVisibility(t)
	}
}

// placeShip puts a ship where her captain wants to begin, or tells why not.
func placeShip(l *rulebook, t *engine.Turn, s *engine.Ship, o *placeOrder) (why string) {
	why = board.Misplaced(t.Number(), ship.Of(s).Free(), t.Game.Bounds, board.PassabilityOf(t.Game, l.steps, l.ground), o.at.Hex)
	if why == "" {
		shift(t, s.ID, t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&ship.Placed{Ship: s.ID, At: o.at}, engine.SeeOnly(s.ID), l.cite(cites.Placement)...))
	}
	return why
}

// surrender ends the fight of ships whose captains have ordered that, after all that the fire
// phase did to them.
func (l *rulebook) surrender(sv *salvo) {
	t := sv.t
	var ships []*engine.Ship
	var by []engine.Ref
	for _, s := range t.Game.Ships {
		if !there(s) || !t.Rules.Commands(s) {
			continue
		}
		if order, ok := l.willing(t, s, memo(t).plans[s.ID].surrender); ok {
			ships, by = append(ships, s), append(by, order)
		}
	}
	for i, s := range ships {
		t.Because(by[i]).Out(s, engine.Surrendered, "her captain struck", nil, l.cite(cites.Surrender)...)
	}
}

// rewarded is what came of a crew's bonus.
type rewarded engine.Ref
