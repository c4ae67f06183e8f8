package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// notes is what the phases of a turn tell each other.
type notes struct {
	plans     map[engine.ShipID]plan
	sets      map[engine.ShipID]*inForce // by ship, where more of them may come in this turn
	advantage []engine.ShipID            // ship ids, best last
	hearing   hearing                    // how conditions take what others declare
	parts     []any                      // the notes of parts, each by its type
	phase     int                        // that is played
	inPhaseNotes
}

// inPhaseNotes are those that are for one phase.
type inPhaseNotes struct {
	moved    map[engine.ShipID]bool // changed hex
	declared map[engine.ShipID]bool // ships on which fire is declared, and whether any of it is no beam
	now      []any                  // the notes of parts, each a map of its own
}

func memo(t *engine.Turn) *notes {
	n, ok := t.Memo.(*notes)
	if !ok {
		n = &notes{plans: map[engine.ShipID]plan{}, sets: map[engine.ShipID]*inForce{}}
		t.Memo = n
	}
	if t.Phase.No != n.phase && t.Phase.No > 0 {
		n.phase = t.Phase.No
		n.inPhaseNotes = inPhaseNotes{moved: map[engine.ShipID]bool{}, declared: map[engine.ShipID]bool{}}
	}
	return n
}

// turnNotes are a part's notes on the turn.
func turnNotes[T any](t *engine.Turn) *T { return edit[T](&memo(t).parts) }

// noted is a part's note on a ship in the phase that is played, if it made one.
func noted[T any](t *engine.Turn, id engine.ShipID) (note T, ok bool) {
	all, _ := ship.Find[map[engine.ShipID]T](memo(t).now)
	note, ok = all[id]
	return note, ok
}

// phaseNotes are a part's notes on the phase that is played, by ship, to be added to.
func phaseNotes[T any](t *engine.Turn) map[engine.ShipID]T {
	n := memo(t)
	all, ok := ship.Find[map[engine.ShipID]T](n.now)
	if !ok {
		all = map[engine.ShipID]T{}
		n.now = append(n.now, all)
	}
	return all
}

// spent tells whether nothing of a ship's superstructure is left.
func spent(s *engine.Ship) bool { return ship.Of(s).Superstructure <= 0 }

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
		t.Because(t.OrderedIn(s.ID, "power", ""), engine.Ref(bonus)).Emit(&power, l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(PowerAllocation)...)
	}
}

// followPace gives a ship that keeps station, and whose set gives movement no power, the movement points of the
// ship on which she does, as far as her power goes and her captain knows where that is.
func (l *rulebook) followPace(t *engine.Turn, s *engine.Ship, b *orders.Block, p *plan) {
	g, _ := b.Group("power", 0)
	if !keepsStation(p.standing) || len(g.All("move")) > 0 {
		return
	}
	lead := p.standing.List(ship.Station)[0]
	if _, _, held, _ := dark.Means(l.self, t.Game, s.Captain, lead); !held {
		return
	}
	sys, pw := ship.Of(s), &p.power
	pw.Points = min(memo(t).plans[engine.ShipID(lead)].power.Points, l.MovementPoints(sys, pw.Unused))
	pw.Movement, pw.Split = sys.Design.Move.Cost(pw.Points), l.Split.Points(pw.Points)
	pw.Unused -= pw.Movement
}

// adopt makes an order set the plan of a ship for the turn, with its standing orders.
func (l *rulebook) adopt(t *engine.Turn, s *engine.Ship, b *orders.Block) plan {
	n, sys := memo(t), ship.Of(s)
	p := l.compile(s.ID, s.Side, sys, l.known(t, s), t.Game.Sides, b, false)
	n.plans[s.ID] = p
	if t.Replied(engine.Seat{Ship: s.ID}) {
		if asBefore, ok := sys.Clone().(*ship.State); ok {
			n.sets[s.ID] = &inForce{block: b, sys: asBefore, last: sys.Standing.Last}
		}
	}
	for _, d := range p.diags {
		if d.Severity == orders.Error {
			order, post := l.mistaken(b, d, func(b *orders.Block) plan {
				return l.compile(s.ID, s.Side, sys, l.known(t, s), t.Game.Sides, b, false)
			})
			l.skip(t, s, post, d.Pos.Line, order, d.Message)
		}
	}
	if t.Sheets[engine.Seat{Ship: s.ID}].Block != nil {
		p.standing.Last = b.Body()
	}
	if !ship.SameStanding(p.standing, sys.Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(&ship.StandingSet{Ship: s.ID, Standing: p.standing}, engine.SeeOnly(s.ID), l.cite(standingOrders)...)
	}
	return p
}

// mistaken is the order of a set in which a mistake was found, and the post that it is told to
// since it gave it; "order" where posts do not share a ship's orders. Lines of several sets may
// have one number: then it is the order without which the mistake is not there.
func (l *rulebook) mistaken(b *orders.Block, d orders.Diagnostic, compile func(*orders.Block) plan) (order, post string) {
	if len(l.posts) == 0 {
		return "order", ship.PostCaptain
	}
	for i, g := range b.Groups {
		for k, st := range g.Statements {
			if st.Pos.Line != d.Pos.Line {
				continue
			}
			without := *b
			without.Groups = slices.Clone(b.Groups)
			without.Groups[i].Statements = slices.Delete(slices.Clone(g.Statements), k, k+1)
			p := compile(&without)
			if !slices.ContainsFunc(p.diags, func(o orders.Diagnostic) bool { return o.Pos == d.Pos && o.Message == d.Message }) {
				if b.Head.Kind == kindMerged {
					post, _ = postOf(g.Name, st)
				}
				return orders.FormatStatement(st), post
			}
		}
	}
	return "order", ship.PostCaptain
}

// absent is the order set of a ship whose captain sent none (ruling D12): last
// turn's orders if he asked for that, else last turn's power scaled to what is
// left, and course or station kept.
func (l *rulebook) absent(t *engine.Turn, s *engine.Ship) *orders.Block {
	sys := ship.Of(s)
	text := l.absentText(t.Game, s)
	if sys.Standing.Missing == "repeat" && sys.Standing.Last != "" {
		text = sys.Standing.Last
	}
	return l.read(text)
}

// absentText keeps last turn's settings, scaled to the power that is left.
func (l *rulebook) absentText(g *engine.Game, s *engine.Ship) string {
	sys := ship.Of(s)
	var b strings.Builder
	power := l.scaled(sys)
	if keepsStation(sys.Standing) {
		power.Points = 0
	}
	ship.WritePower(&b, sys, power)
	b.WriteString(keptCourse(g, s, 1, l.Split.Points(power.Points)))
	return b.String()
}

// keptCourse is phases of a set, from one on, that keeps course or station with so many points
// in each, with what the ship fires by standing orders; blank if that is nothing.
func keptCourse(g *engine.Game, s *engine.Ship, from int, split []int) string {
	sys := ship.Of(s)
	var b strings.Builder
	word := onward(sys)
	if sys.Standing.Missing == "hold" {
		word = "H"
	}
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	for n, points := range split {
		var words []string
		for range points {
			if keepsStation(sys.Standing) {
				break
			}
			w := word
			if to := board.Step(at, w); g.Bounds != nil && !g.Bounds.Contains(to.Hex) {
				w = "H" // keeping course does not mean leaving the battle
			}
			at = board.Step(at, w)
			words = append(words, w)
		}
		lines := sys.Standing.List(standingFire)
		if len(words) > 0 {
			lines = append([]string{"move " + strings.Join(words, " ")}, lines...)
		}
		if len(lines) > 0 {
			fmt.Fprintf(&b, "phase %d\n  %s\n", from+n, strings.Join(lines, "\n  "))
		}
	}
	return b.String()
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
		l.announceInTheDark(t, ship.Advantage{Order: order, How: "one die each, high has it"}, l.cite(TacticalAdvantage)...)
		return
	}
	t.Emit(&ship.Advantage{Order: order, How: "one die each, high has it"}, engine.SeeAll(), l.cite(TacticalAdvantage)...)
}

func (l *rulebook) rankByDie(t *engine.Turn, ids []engine.ShipID, try int) []engine.ShipID {
	rolled := map[int][]engine.ShipID{}
	for _, id := range ids {
		name := engine.NameRoll("advantage", id)
		if try > 1 {
			name = name.And(strconv.Itoa(try))
		}
		v := t.Roll(name, dice.D10, tiesInTheDark(t.Game), l.cite(TacticalAdvantage)...)
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
				l.skip(t, s, ship.PostHelm, m.line, m.text, "the engines give no more power for it", powerShedding)
			case len(s.Crew) > 0: // the helm did not know the points
				l.skip(t, s, ship.PostHelm, m.line, m.text, "no movement points are left in this phase", MovementSplit)
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
		words, reactive := m.words, ""
		if m.Verb != "move" {
			reactive = m.text
			target := engine.Place{Hex: m.At}
			if aim != "" {
				foe, _ := l.shown(t.Game, s, m.target)
				at, ok := l.placeMeant(t.Game, s, string(aim), foe)
				if !ok {
					l.skip(t, s, ship.PostHelm, m.line, m.text, l.absentShip(t.Game, string(aim)))
					continue
				}
				target = at
			}
			sea := board.PassabilityIn(t.Game.Bounds, dark.In(t).Chart(s), l.steps, l.ground)
			sea.Stuck = maneuver(t, s).stuck()
			words = board.Expand(m.Maneuver, engine.Place{Hex: s.Hex, Heading: s.Heading}, left, target, sea)
		}
		for i, w := range words {
			if left == 0 {
				l.skip(t, s, ship.PostHelm, m.line, strings.Join(words[i:], " "), "no movement points are left in this phase", MovementSplit)
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

// word carries out one movement word, which an order asks for. What a rule forbids becomes a hold.
func (l *rulebook) word(t *engine.Turn, s *engine.Ship, w, reactive string, order engine.Ref) {
	from := engine.Place{Hex: s.Hex, Heading: s.Heading}
	w = l.onHelmOut(l, t, s, w)
	if why, rule := l.forbidden(t, s, w); why != "" {
		t.Because(order)
		l.skip(t, s, ship.PostHelm, 0, w, why, rule...)
		if w = lesser(w); w != "H" {
			if why, _ = l.forbidden(t, s, w); why != "" {
				w = "H"
			}
		}
	}
	to := board.Step(from, w)
	// A reactive order is the captain's own business; what it became is seen.
	shift(t, s.ID, t.Because(order).Emit(&engine.Move{Ship: s.ID, Word: w, Cost: 1, From: from, To: to, Reactive: reactive},
		l.show(t.Game, []*engine.Ship{s}, s.ID), l.cite(Movement)...))
	if from.Hex != to.Hex {
		memo(t).moved[s.ID] = true
	}
	lookAfter(t, s, from)
	for _, follow := range l.afterMoves {
		follow(l, t, s, w, from)
	}
	if b := t.Game.Bounds; b != nil && !b.Contains(s.Hex) && s.Status == engine.Active {
		over := board.Edges(*b, s.Hex)
		shift(t, s.ID, t.Because(lastShift(t, s.ID)).Out(s, engine.Left, "over the "+strings.Join(over, " and ")+" edge", over, l.cite(mapEdge)...))
	}
}

// forbidden is the first rule's reason against a movement word.
func (l *rulebook) forbidden(t *engine.Turn, s *engine.Ship, w string) (why string, rule []topic) {
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
			t.Emit(&ship.Repower{Ship: s.ID, Shields: change}, engine.SeeOnly(s.ID), l.cite(Repowering)...)
		}
	}
}

// leave takes ships that change their warp speed off the map, before anything moves or
// fires (stcs 3.7).
func (l *rulebook) leave(t *engine.Turn) {
	n := memo(t)
	for _, s := range ship.Fighting(t.Game) {
		if n.plans[s.ID].warp {
			t.Because(t.OrderedIn(s.ID, "", "warp")).Out(s, engine.Left, "changed its warp speed", nil, l.cite(WarpChange)...)
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
			l.skip(t, s, ship.PostCaptain, st.Pos.Line, orders.FormatStatement(st), "the ship is crippled", crippling, outForGood)
		}
		p := l.adopt(t, s, b)
		l.bonus(l, t, s, &p)
		if !ship.Of(s).Still() {
			t.Emit(&ship.PowerSet{Ship: s.ID, Split: make([]int, l.Split.Phases()), ShieldPoints: make([]int, 6)}, engine.SeeOnly(s.ID), l.cite(PowerAllocation, crippling)...)
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
		if why := board.Misplaced(t.Number(), ship.Of(s).Free(), t.Game.Bounds, board.PassabilityOf(t.Game, l.steps, l.ground), o.at.Hex); why != "" {
			l.skip(t, s, ship.PostHelm, o.line, o.text, why, Placement)
			dark.In(t).ChartHex(s, o.at.Hex)
			continue
		}
		shift(t, s.ID, t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&ship.Placed{Ship: s.ID, At: o.at}, engine.SeeOnly(s.ID), l.cite(Placement)...))
		dark.In(t).Survey(s)
		sight.seenBefore = nil
	}
	if sight.seenBefore == nil {
		l.noteVisibility(t)
	}
}

// ordered is a part's order for the whole turn, of the plan that a ship carries out.
func ordered[T any](t *engine.Turn, s *engine.Ship) T { return read[T](memo(t).plans[s.ID].parts) }

// orderedNow is a part's orders for the phase that is played.
func orderedNow[T any](t *engine.Turn, s *engine.Ship) []T {
	p := memo(t).plans[s.ID]
	return read[[]T](p.in(t.Phase.No - 1).parts)
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
		t.Because(by[i]).Out(s, engine.Surrendered, "her captain struck", nil, l.cite(surrender)...)
	}
}
