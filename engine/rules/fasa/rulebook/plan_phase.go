package rulebook

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/orders"
)

// Phase reads the orders for a phase by its index.
func (c *Compiler) Phase(n int, g orders.Group) {
	points := c.Plan.Power.Split[n]
	used, open, all := 0, false, false // all: an order uses all that is left of the phase
	pos, over := g.Pos, orders.Pos{}
	now := c.Plan.at(n)
	for _, st := range g.Statements {
		if compile := c.Rules.Rows[[2]string{"phase", st.Verb}].Compile; compile != nil {
			compile(c, n, st)
			continue
		}
		if st.Verb == "fire" {
			c.Fire(n, st)
			continue
		}
		m := MoveOrder{Maneuver: board.Maneuver{Verb: st.Verb}, Line: st.Pos.Line, When: st.When, Text: orders.FormatStatement(st)}
		ok := true
		if a, has := st.Arg("SHIP"); has {
			m.Target, ok = c.Target(a, false)
		}
		if a, has := st.Arg("RANGE"); has {
			m.Range = a.Num
		} else {
			m.Range = 1
		}
		if a, has := st.Arg("SHIELD"); has {
			if m.Side = c.Rules.Ring.Side(a.Num); a.Num < 1 || a.Num > 6 {
				c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
				ok = false
			}
		}
		if a, has := st.Arg("HEX"); has {
			h, err := hex.ParseLabel(a.Text)
			if err != nil {
				c.Fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
				ok = false
			}
			m.At = h
		}
		ok = c.Condition(st.When, m.Target != "", false) && ok
		if !ok {
			open = true // its points are meant to be used
			continue
		}
		if all && m.When == nil {
			c.Warn(st.Pos, "W123", "", "an order above uses all that is left of the phase")
		}
		if st.Verb != "move" {
			all = all || m.When == nil
			now.Moves = append(now.Moves, m)
			continue
		}
		words := st.All("WORD")
		for i, w := range words {
			if m.When == nil && used+i >= points && !c.fits() { // what a post has too much is left over
				if over == (orders.Pos{}) {
					over = w.Pos
				}
				break
			}
			m.Words = append(m.Words, w.Text)
		}
		if m.When == nil {
			used += len(words)
		}
		now.Moves = append(now.Moves, m)
		pos = st.Pos
	}
	switch conditional := slices.ContainsFunc(now.Moves, func(m MoveOrder) bool { return m.When != nil }); {
	case over != (orders.Pos{}):
		pos = over
	case used >= points || open || all || conditional || c.fits() || Stations(c.Block, c.Sys.Standing):
		return
	case pos.Line == 0:
		pos = c.Start // the phase has no heading
	}
	c.counts = append(c.counts, pointCount{n, pos, points, used})
}

// CountMoves reports phases with too many movement words, and those with too few: one
// diagnostic each, since they mostly come from one mistake.
func (c *Compiler) CountMoves() {
	if c.Plan.Unsure.Move {
		return // the points are not known
	}
	var over, under []pointCount
	for _, p := range c.counts {
		switch {
		case p.used > p.points:
			over = append(over, p)
		case !c.Plan.Unsure.phases[p.phase]:
			under = append(under, p)
		}
	}
	list := func(counts []pointCount, last string) string {
		var parts []string
		for _, p := range counts {
			parts = append(parts, fmt.Sprintf("phase %d has %s, orders use %d", p.phase+1, words.MovementPoints(p.points), p.used))
		}
		return strings.Join(parts, "; ") + last
	}
	if len(over) > 0 {
		hint := fmt.Sprintf("leave out %d", over[0].used-over[0].points)
		if len(over) > 1 {
			hint = "leave some out"
		}
		if power := c.powerFor(over); c.Round == 1 && power > 0 {
			hint += fmt.Sprintf(", or write move %d under power", power)
		}
		c.Fail(over[0].pos, "E110", hint, "too many movement words: %s", list(over, ""))
	}
	if len(under) > 0 {
		c.Warn(under[0].pos, "W111", "give a movement word for each point", "%s", list(under, "; the rest is spent on hold"))
	}
}

// powerFor returns the power to movement that gives phases as many points as they use; 0
// if the ship has too little.
func (c *Compiler) powerFor(counts []pointCount) int {
	for points := 1; c.Sys.Design.Move.B > 0 && points <= c.Rules.MovementPoints(c.Sys, c.Sys.Power); points++ {
		split := c.Rules.Split.Points(points)
		if !slices.ContainsFunc(counts, func(p pointCount) bool { return split[p.phase] < p.used }) {
			return c.Sys.Design.Move.Cost(points)
		}
	}
	return 0
}

// unknownShip refuses a name that no ship in sight has. The hint is the same whether such
// a ship exists or not.
func (c *Compiler) unknownShip(a orders.Arg, hint string) {
	aims := slices.Sorted(maps.Keys(c.Rules.Aims))
	switch word := c.Rules.Language.Hint(a.Text, aims); {
	case word != "" && !strings.HasSuffix(hint, "?"):
		hint = word + "; " + hint
	case len(aims) > 0 && !strings.HasSuffix(hint, "?"):
		hint += "; an enemy you have not seen yet has no name: write " + board.AimNearest
	}
	c.Fail(a.Pos, "E102", hint, "no ship %q is known", a.Text)
}

// Others returns the names of all known ships except the captain's own.
func (c *Compiler) Others() Roster {
	return slices.DeleteFunc(slices.Clone(c.Names), func(n Name) bool { return n.ID == c.Ship })
}

// Target returns the ship that an order names; false, with a diagnostic, if it names none.
func (c *Compiler) Target(a orders.Arg, toFire bool) (engine.ShipID, bool) {
	if word, stands := c.Rules.IsAim(a.Text); stands {
		return engine.ShipID(word), true
	}
	t, _, ok := c.Names.Find(a.Text)
	switch {
	case !ok:
		_, hint, _ := c.Others().Find(a.Text)
		c.unknownShip(a, hint)
		return "", false
	case t.ID == c.Ship:
		c.Fail(a.Pos, "E114", "name another ship", "that is this ship itself")
		return "", false
	case toFire && t.Side == c.Side:
		c.Warn(a.Pos, "W114", "", "%s is on your own side", t.Name)
	}
	return t.ID, true
}

// Fire reads an order to fire in a phase by its index.
func (c *Compiler) Fire(n int, st orders.Statement) {
	f, idle, ok := c.Shooting(st)
	c.idle = append(c.idle, idle...)
	if ok && c.Tell && st.When == nil && c.cloakedIn(n) {
		c.Warn(st.Pos, "W150", "switch it off after the movement, or leave this out", "the cloak is on in phase %d: no fire", n+1)
	}
	if c.Condition(st.When, true, true) && ok {
		now := c.Plan.at(n)
		now.Fires = append(now.Fires, f)
	}
}

// Shooting reads the weapons and the target of an order to fire; idle are the weapons that
// are not armed.
func (c *Compiler) Shooting(st orders.Statement) (f FireOrder, idle []orders.Arg, ok bool) {
	f = FireOrder{Line: st.Pos.Line, When: st.When, Text: orders.FormatStatement(st)}
	a, _ := st.Arg("SHIP")
	f.Target, ok = c.Target(a, true)
	weapons := st.All("WEAPON")
	for i := 0; i < len(weapons); i++ {
		w := weapons[i]
		if i+1 < len(weapons) && c.twoWords(w, weapons[i+1]) {
			ok = false
			i++
			continue
		}
		var shots []Shot
		good := true
		if kind, group := ship.GroupWord(w.Text); !group {
			shots, good = c.Weapon(w, "fired")
			shots = c.wholeBank(w, shots)
		} else {
			f.All, shots = true, make([]Shot, 0, 2*len(c.Sys.Banks))
			for i := range c.Sys.Banks {
				for m := range c.Sys.Banks[i].Mounts {
					if kind == "" || c.Rules.Usable(&c.Sys.Banks[i]) && c.Sys.Banks[i].Group() == kind {
						shots = append(shots, Shot{i, m})
					}
				}
			}
		}
		if !good {
			ok = false
			continue
		}
		if !slices.ContainsFunc(shots, c.armed) {
			idle = append(idle, w)
		}
		f.Shots = append(f.Shots, shots...)
	}
	return f, idle, ok
}

// wholeBank adds the other mounts of a bank to the one named, in books in which a bank fires
// as one weapon.
func (c *Compiler) wholeBank(w orders.Arg, shots []Shot) []Shot {
	if !c.Rules.AsOne || len(shots) != 1 || len(c.Sys.Banks[shots[0].Bank].Mounts) == 1 {
		return shots
	}
	all, named := []Shot{}, shots[0]
	others := false
	for m := range c.Sys.Banks[named.Bank].Mounts {
		other := Shot{named.Bank, m}
		all = append(all, other)
		others = others || other != named && c.armed(other)
	}
	if bank := c.Sys.Banks[named.Bank].ID; others && !c.Plan.Unsure.Arms {
		c.Warn(w.Pos, "W115", "write fire "+bank, "%s fires all armed mounts of %s: a bank fires as one weapon", w.Text, bank)
	}
	return all
}

// armed reports whether a mount has power to fire with.
func (c *Compiler) armed(s Shot) bool {
	armed := c.Plan.Power.Armed[c.Sys.Banks[s.Bank].ID]
	return s.Mount < len(armed) && armed[s.Mount] > 0
}

// IdleWeapons warns of weapons in fire orders that are not armed, once for each.
func (c *Compiler) IdleWeapons() {
	if c.Plan.Unsure.Arms {
		return
	}
	hint, done := "arm it under power, or leave it out", "is armed this turn"
	if c.Round > 1 {
		hint = "leave it out: weapons are armed in the first orders of a turn"
		done = "is armed that has not fired"
	}
	said := map[string]bool{}
	for _, w := range c.idle {
		name := strings.ToLower(w.Text)
		if said[name] {
			continue
		}
		said[name] = true
		kind, group := ship.GroupWord(name)
		if kind != "" {
			kind += " "
		}
		if group {
			c.Warn(w.Pos, "W113", hint, "fire %s does nothing: no %sweapon %s", name, kind, done)
		} else {
			c.Warn(w.Pos, "W113", hint, "%s %s", w.Text, c.idleness(name))
		}
	}
}

// idleness says why a bank cannot fire.
func (c *Compiler) idleness(bank string) string {
	fired := func(m ship.Mount) bool { return m.Armed > 0 && !m.Destroyed }
	if c.Round > 1 && slices.ContainsFunc(c.Sys.Banks, func(b ship.Bank) bool { return b.ID == bank && slices.ContainsFunc(b.Mounts, fired) }) {
		return "has fired already this turn"
	}
	return "is not armed this turn and cannot fire"
}

// Condition checks the names in a condition; target and firing say whether its order has a target and fires.
func (c *Compiler) Condition(cond *orders.Cond, target, firing bool) bool {
	if cond == nil {
		return true
	}
	ok := true
	for _, k := range cond.Kids {
		ok = c.Condition(k, target, firing) && ok
	}
	if cond.Op != orders.Test {
		return ok
	}
	switch cond.Subject {
	case "range", "arc", "moved":
		if !target {
			c.Fail(cond.Pos, "E124", "only orders that name a ship have one", "%s of which ship?", cond.Subject)
			ok = false
		}
	case "chance":
		if !firing {
			c.Fail(cond.Pos, "E124", "use it with fire", "chance belongs to fire orders")
			ok = false
		}
	}
	if a, has := cond.Arg("SHIELD"); has && (a.Num < 1 || a.Num > 6) {
		c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
		ok = false
	}
	if a, has := cond.Arg("SHIP"); has {
		_, stands := c.Rules.IsAim(a.Text)
		_, answered := c.Rules.Facts[cond.Subject]
		t, hint, found := c.Names.Find(a.Text)
		switch {
		case !stands && !found:
			c.unknownShip(a, hint)
			ok = false
		case answered && questionFor(cond.Subject) != "" && (stands || t.ID != c.Ship):
			c.figures = append(c.figures, figureWanted{cond.Pos, questionFor(cond.Subject)})
		case stands:
		case t.ID != c.Ship && !answered:
			c.Warn(cond.Pos, "W125", "", "you cannot know the shields of %s: the condition counts as not met", t.Name)
		}
	}
	return ok
}

// Figures of another ship that a condition may ask and a question can tell.
const (
	ShieldOf    = "shield SHIELD of SHIP"
	PowerOf     = "power of SHIP"
	StructureOf = "superstructure of SHIP"
	PointsOf    = "points of SHIP"
)

// questionFor returns the question that answers a condition's subject for another ship; "" for none.
func questionFor(subject string) string {
	switch subject {
	case ShieldOf:
		return ship.AskShields
	case PowerOf:
		return ship.AskPower
	case StructureOf:
		return ship.AskStructure
	case PointsOf:
		return ship.AskPoints
	}
	return ""
}

// unasked warns of conditions that no question of the set, nor a standing one, can answer: they
// are never met. The questions of another round's or another post's set are not known here.
func (c *Compiler) unasked() {
	if !c.Tell || c.Post != "" || slices.Contains(c.Plan.Unsure.phases, true) {
		return
	}
	asked := slices.Clone(c.Plan.Standing.List("questions"))
	for _, phase := range c.Plan.Phases {
		for _, a := range ship.Read[[]Asking](phase.Parts) {
			asked = append(asked, a.Question)
		}
	}
	said := map[string]bool{}
	for _, f := range c.figures {
		if !said[f.question] && !slices.Contains(asked, f.question) {
			said[f.question] = true
			c.Warn(f.pos, "W125", "write question "+f.question+" in a phase in which you have a lock", "for another ship, only question %s answers this condition, and this set does not ask it: the condition counts as not met", f.question)
		}
	}
}

// Stations reports whether a set has its ship keep station in phases without movement orders, given the standing
// orders so far.
func Stations(b *orders.Block, so ship.Standing) bool {
	if b != nil {
		g, _ := b.Group("standing", 0)
		if given := g.All(ship.Station); len(given) > 0 {
			return given[0].Form == 0
		}
	}
	return KeepsStation(so)
}

// KeepsStation reports whether a ship keeps station where nothing else is ordered.
func KeepsStation(s ship.Standing) bool { return StationWords(s) != nil }

// StationWords returns the standing order to keep station in words; nil for none.
func StationWords(s ship.Standing) []string {
	if list := s.List(ship.Station); len(list) == 3 {
		return []string{"station on " + list[0] + " " + list[1] + " " + list[2]}
	}
	return nil
}

// cloakedIn reports whether the cloak will surely be on in the fire of a phase, judging by
// orders without conditions.
func (c *Compiler) cloakedIn(n int) bool {
	k := c.Sys.Cloak()
	if c.Plan.Power.Cloak == 0 {
		return false
	}
	start := ship.Read[CloakPlan](c.Plan.Parts).Start
	on := start == ship.CloakOn || k.On && start != ship.CloakOff
	for i := range n + 1 {
		for _, o := range c.Plan.CloakSwitches(i) {
			if o.When == nil {
				on = o.On
				break
			}
			if on && !o.On {
				return false // it may be off from here on
			}
		}
	}
	return on
}

// SurelyCloaked reports whether the cloak will be on through all of the turn.
func (c *Compiler) SurelyCloaked() bool {
	k := c.Sys.Cloak()
	start := ship.Read[CloakPlan](c.Plan.Parts).Start
	if start != ship.CloakOn && !k.On || start == ship.CloakOff || c.Plan.Power.Cloak == 0 {
		return false
	}
	for n := range c.Rules.Split.Phases() {
		if slices.ContainsFunc(c.Plan.CloakSwitches(n), func(o CloakSwitch) bool { return !o.On }) {
			return false
		}
	}
	return true
}
