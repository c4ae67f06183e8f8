package play

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// Allocate carries out the power allocation phase (stcs 2.1).
func Allocate(l *rulebook.Rules, t *engine.Turn) {
	n := Memo(t)
	dark.In(t).LookRound(false)
	allocateHulks(l, t)
	ships := ship.Fighting(t.Game)
	follows := func(s *engine.Ship) bool {
		return rulebook.Stations(t.Sheets[engine.Seat{Ship: s.ID}].Block, ship.Of(s).Standing)
	}
	ships = append(slices.DeleteFunc(slices.Clone(ships), follows), slices.DeleteFunc(ships, func(s *engine.Ship) bool { return !follows(s) })...)
	for _, s := range ships {
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil {
			b = absent(l, t, s)
		}
		p := adopt(l, t, s, b)
		followPace(l, t, s, b, &p)
		l.Bonus(l, t, s, &p)
		n.plans[s.ID] = p
		l.OnPower(l, t, s, &p)
		power := p.Power
		bonus, _ := noted[Rewarded](t, s.ID)
		t.Because(t.OrderedIn(s.ID, "power", ""), engine.Ref(bonus)).Emit(&power, l.Show(t.Game, []*engine.Ship{s}, s.ID), l.Cite(cites.PowerAllocation)...)
	}
}

// Advantage rolls for the tactical advantage (stcs 2.2, ruling D14): the highest die has it, ties roll again.
func Advantage(l *rulebook.Rules, t *engine.Turn) {
	var ids []engine.ShipID
	for _, s := range ship.Fighting(t.Game) {
		ids = append(ids, s.ID)
	}
	if len(ids) < 2 {
		Memo(t).Advantage = ids
		return
	}
	order := DiceOff(l, t, ids, 1, func(*engine.Ship, []*engine.Ship) engine.See { return rulebook.TiesInTheDark(t.Game) })
	Memo(t).Advantage = order
	if t.Game.Blind != nil {
		l.AnnounceInTheDark(t, ship.Advantage{Order: order, How: "one die each, high has it"}, l.Cite(cites.TacticalAdvantage)...)
		return
	}
	t.Emit(&ship.Advantage{Order: order, How: "one die each, high has it"}, engine.SeeAll(), l.Cite(cites.TacticalAdvantage)...)
}

// DiceOff ranks ships by one die each, best last; equals roll again, which is the next try. The function
// sees returns who sees the die of one of the ships that roll.
func DiceOff(l *rulebook.Rules, t *engine.Turn, ids []engine.ShipID, try int, sees func(s *engine.Ship, of []*engine.Ship) engine.See) []engine.ShipID {
	of := ship.ShipsOf(t.Game, ids)
	rolled := map[int][]engine.ShipID{}
	for _, s := range of {
		name := engine.NameRoll("advantage", s.ID)
		if try > 1 {
			name = name.And(strconv.Itoa(try))
		}
		v := t.Roll(name, dice.D10, sees(s, of), l.Cite(cites.TacticalAdvantage)...)
		rolled[v] = append(rolled[v], s.ID)
	}
	var out []engine.ShipID
	for v := 1; v <= 10; v++ {
		if len(rolled[v]) > 1 {
			out = append(out, DiceOff(l, t, rolled[v], try+1, sees)...)
		} else {
			out = append(out, rolled[v]...)
		}
	}
	return out
}

// Move carries out a movement phase: the ship with most points first, among equals the one with
// the advantage last (stcs 2.3, 6.4, ruling D15).
func Move(l *rulebook.Rules, t *engine.Turn) {
	for _, begin := range l.Begins {
		begin(t)
	}
	for _, s := range movers(t) {
		moveShip(l, t, s)
	}
	flyProbes(l, t)
	dark.In(t).LookRound(true)
}

func moveShip(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	p := Memo(t).plans[s.ID]
	left := ship.Of(s).Alloc.InPhase(t.Phase.No)
	cut := p.Power.Split[t.Phase.No-1] > left // power was shed since (D23)
	for _, m := range verbs.Moves(&p, t.Phase.No-1) {
		if s.Status != engine.Active {
			break
		}
		if left == 0 {
			switch {
			case m.When != nil:
			case cut:
				Skip(l, t, s, ship.PostHelm, m.Line, m.Text, "the engines give no more power for it", cites.PowerShedding)
			case len(s.Crew) > 0: // the helm did not know how many there would be
				Skip(l, t, s, ship.PostHelm, m.Line, m.Text, "no movement points are left in this phase", cites.MovementSplit)
			}
			continue
		}
		aim := m.Target
		m.Target = l.Aimed(t.Game, s, aim)
		if met, missing := Judge(l, t, s, m.Target, nil, m.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostHelm, m.Line, m.Text, missing)
			}
			continue
		}
		order := t.Ordered(s.ID, m.Line, m.Text)
		if m.Verb == ship.Station {
			order = t.OrderedIn(s.ID, "standing", ship.Station)
		}
		words, why := WordsFor(&m, l, t, s, aim, left)
		if why != "" {
			Skip(l, t, s, ship.PostHelm, m.Line, m.Text, why)
			continue
		}
		reactive := ""
		if m.Verb != "move" {
			reactive = m.Text
		}
		for i, w := range words {
			if left == 0 {
				Skip(l, t, s, ship.PostHelm, m.Line, strings.Join(words[i:], " "), "no movement points are left in this phase", cites.MovementSplit)
				break
			}
			word(l, t, s, w, reactive, order)
			left--
			if s.Status != engine.Active {
				return
			}
		}
	}
	for ; left > 0 && s.Status == engine.Active; left-- {
		word(l, t, s, "H", "", engine.Ref{})
	}
}

// WordsFor returns the movement words that an order comes to with the points that are left, or why it cannot be carried
// out. aim is the order's word for its target.
func WordsFor(m *rulebook.MoveOrder, l *rulebook.Rules, t *engine.Turn, s *engine.Ship, aim engine.ShipID, left int) (words []string, why string) {
	if m.Verb == "move" {
		return m.Words, ""
	}
	target := engine.Place{Hex: m.At}
	if aim != "" {
		foe, _ := l.Shown(t.Game, s, m.Target)
		at, ok := l.PlaceMeant(t.Game, s, string(aim), foe)
		if !ok {
			return nil, l.AbsentShip(t.Game, string(aim))
		}
		target = at
	}
	sea := board.PassabilityOf(t.Game, l.Steps, l.Ground)
	if t.Game.Blind != nil {
		sea = board.PassabilityIn(t.Game.Bounds, dark.In(t).Chart(s), l.Steps, l.Ground)
	}
	sea.Stuck = maneuver(t, s).Stuck()
	return board.Expand(m.Maneuver, s.Stands(), left, target, sea), ""
}

// word carries out one movement word of an order, or what the rules make of it.
func word(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w, reactive string, order engine.Ref) {
	w = l.OnHelmOut(l, t, s, w)
	became, why, rule := Heeded(l, t, s, w)
	if why != "" {
		t.Because(order)
		Skip(l, t, s, ship.PostHelm, 0, w, why, rule...)
	}
	Step(l, t, s, became, reactive, order)
}

// Heeded returns what becomes of a movement word: a shorter one or a hold if a rule forbids it, and why.
func Heeded(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w string) (became, why string, rule []cites.Topic) {
	if why, rule = forbidden(l, t, s, w); why == "" {
		return w, "", nil
	}
	if became = rulebook.Lesser(w); became != "H" {
		if still, _ := forbidden(l, t, s, became); still != "" {
			became = "H"
		}
	}
	return became, why, rule
}

// Step carries out a movement word that no rule forbids.
func Step(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w, reactive string, order engine.Ref) {
	from := s.Stands()
	to := board.Step(from, w)
	// The words of a reactive order are the captain's secret; others see only the movement.
	Shift(t, s.ID, t.Because(order).Emit(&engine.Move{Ship: s.ID, Word: w, Cost: 1, From: from, To: to, Reactive: reactive},
		l.Show(t.Game, []*engine.Ship{s}, s.ID), l.Cite(cites.Movement)...))
	if from.Hex != to.Hex {
		Memo(t).moved[s.ID] = true
	}
	rulebook.LookAfter(t, s, from)
	for _, follow := range l.AfterMoves {
		follow(l, t, s, w, from)
	}
	l.Steers(l, t, s, w, from)
	if b := t.Game.Bounds; b != nil && !b.Contains(s.Hex) && s.Status == engine.Active {
		over := b.Beyond(s.Hex)
		Shift(t, s.ID, t.Because(LastShift(t, s.ID)).Out(s, engine.Left, "over the "+strings.Join(over, " and ")+" edge", over, l.Cite(cites.MapEdge)...))
	}
}

// Repower restores undamaged shields to their settings (stcs 2.5, 4.14).
func Repower(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		sys := ship.Of(s)
		change := make([]ship.Change, 6)
		changed := false
		for i, sh := range sys.Shields {
			change[i] = ship.Change{Before: sh.Now, After: sys.Raised(i)}
			changed = changed || change[i].Before != change[i].After
		}
		if changed {
			t.Emit(&ship.Repower{Ship: s.ID, Shields: change}, engine.SeeOnly(s.ID), l.Cite(cites.Repowering)...)
		}
	}
}

// Leave takes ships that change their warp speed off the map, before anything moves or
// fires (stcs 3.7).
func Leave(l *rulebook.Rules, t *engine.Turn) {
	n := Memo(t)
	for _, s := range ship.Fighting(t.Game) {
		if n.plans[s.ID].Warp {
			t.Because(t.OrderedIn(s.ID, "", "warp")).Out(s, engine.Left, "changed its warp speed", nil, l.Cite(cites.WarpChange)...)
		}
	}
}

// SlipAway takes ships off the map that were ordered to leave unseen, and that no enemy has found
// for long enough (house 6.62).
func SlipAway(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		switch o := Ordered[verbs.LeaveOrder](t, s); {
		case o.Line == 0 && o.Text == "":
		case t.Game.Blind == nil:
			Skip(l, t, s, ship.PostHelm, o.Line, o.Text, "in the open all are seen")
		case !dark.In(t).Slipped(s):
			Skip(l, t, s, ship.PostHelm, o.Line, o.Text, dark.StillFound)
		default:
			t.Because(t.Ordered(s.ID, o.Line, o.Text)).Out(s, engine.Left, "disengaged", nil, dark.LeavesUnseen)
		}
	}
}

// WorkLabs carries out the orders for laboratories, except those that were refused.
func WorkLabs(l *rulebook.Rules, t *engine.Turn) {
	dark.In(t).WorkLabs(func(id engine.ShipID, line int) bool {
		return slices.ContainsFunc(Memo(t).plans[id].Diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == line })
	})
}

// allocateHulks lets the crews of crippled ships do what they can, and removes the rest of their
// power, since nothing of last turn lasts.
func allocateHulks(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range t.Game.Ships {
		if s.Status != engine.Crippled || !t.Rules.Commands(s) {
			continue
		}
		b := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b == nil {
			b = &orders.Block{}
		}
		b, idle := verbs.HulkOrders(b)
		for _, st := range idle {
			Skip(l, t, s, ship.PostCaptain, st.Pos.Line, orders.FormatStatement(st), "the ship is crippled", cites.Crippling, cites.OutForGood)
		}
		p := adopt(l, t, s, b)
		l.Bonus(l, t, s, &p)
		if !ship.Of(s).Still() {
			t.Emit(&ship.PowerSet{Ship: s.ID, Split: make([]int, l.Split.Phases()), ShieldPoints: make([]int, 6)}, engine.SeeOnly(s.ID), l.Cite(cites.PowerAllocation, cites.Crippling)...)
		}
	}
}

// PlaceShips puts ships where their captains want to begin, and discards earlier sightings.
func PlaceShips(l *rulebook.Rules, t *engine.Turn) {
	sight := TurnNotes[sightNotes](t)
	for _, s := range ship.Fighting(t.Game) {
		o, placed := family.Find[*verbs.PlaceOrder](Memo(t).plans[s.ID].Parts)
		if !placed {
			continue
		}
		if why := PlaceShip(l, t, s, o); why != "" {
			Skip(l, t, s, ship.PostHelm, o.Line, o.Text, why, cites.Placement)
			dark.In(t).ChartHex(s, o.At.Hex)
			continue
		}
		dark.In(t).Survey(s)
		sight.seenBefore = nil
	}
	if sight.seenBefore == nil {
		NoteVisibility(l, t)
	}
}

// PlaceShip puts a ship where her captain wants to begin, or returns why it cannot.
func PlaceShip(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o *verbs.PlaceOrder) (why string) {
	why = board.Misplaced(t.Number(), ship.Of(s).Free(), t.Game.Bounds, board.PassabilityOf(t.Game, l.Steps, l.Ground), o.At.Hex)
	if why == "" {
		Shift(t, s.ID, t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(&ship.Placed{Ship: s.ID, At: o.At}, engine.SeeOnly(s.ID), l.Cite(cites.Placement)...))
	}
	return why
}

// Surrender ends the fight of ships that were ordered to surrender, after all effects of the fire
// phase.
func Surrender(l *rulebook.Rules, sv *rulebook.Salvo) {
	t := sv.Turn
	var ships []*engine.Ship
	var by []engine.Ref
	for _, s := range t.Game.Ships {
		if !there(s) || !t.Rules.Commands(s) {
			continue
		}
		if order, ok := willing(l, t, s, Memo(t).plans[s.ID].Surrender); ok {
			ships, by = append(ships, s), append(by, order)
		}
	}
	for i, s := range ships {
		t.Because(by[i]).Out(s, engine.Surrendered, "her captain struck", nil, l.Cite(cites.Surrender)...)
	}
}

// Rewarded is the event of a crew's bonus.
type Rewarded engine.Ref
