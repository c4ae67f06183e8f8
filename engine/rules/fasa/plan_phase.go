package fasa

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

func (c *compiler) phase(n int, g orders.Group) {
	points := c.p.power.Split[n]
	used, open, all := 0, false, false // all: an order uses what is left of the phase
	pos, over := g.Pos, orders.Pos{}
	now := c.p.at(n)
	for _, st := range g.Statements {
		if compile := c.l.compiles[[2]string{"phase", st.Verb}]; compile != nil {
			compile(c, n, st)
			continue
		}
		if st.Verb == "fire" {
			c.fire(n, st)
			continue
		}
		m := moveOrder{Maneuver: board.Maneuver{Verb: st.Verb}, line: st.Pos.Line, when: st.When, text: orders.FormatStatement(st)}
		ok := true
		if a, has := st.Arg("SHIP"); has {
			m.target, ok = c.target(a, false)
		}
		if a, has := st.Arg("RANGE"); has {
			m.Range = a.Num
		} else {
			m.Range = 1
		}
		if a, has := st.Arg("SHIELD"); has {
			if m.Side = c.l.Ring.Side(a.Num); a.Num < 1 || a.Num > 6 {
				c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
				ok = false
			}
		}
		if a, has := st.Arg("HEX"); has {
			h, err := hex.ParseLabel(a.Text)
			if err != nil {
				c.fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
				ok = false
			}
			m.At = h
		}
		ok = c.condition(st.When, m.target != "", false) && ok
		if !ok {
			open = true // its points are meant to be used
			continue
		}
		if all && m.when == nil {
			c.warn(st.Pos, "W123", "", "an order above it uses all that is left of the phase")
		}
		if st.Verb != "move" {
			all = all || m.when == nil
			now.moves = append(now.moves, m)
			continue
		}
		words := st.All("WORD")
		for i, w := range words {
			if m.when == nil && used+i >= points && !c.fits() { // of a post's what is too much is left over then
				if over == (orders.Pos{}) {
					over = w.Pos
				}
				break
			}
			m.words = append(m.words, w.Text)
		}
		if m.when == nil {
			used += len(words)
		}
		now.moves = append(now.moves, m)
		pos = st.Pos
	}
	switch conditional := slices.ContainsFunc(now.moves, func(m moveOrder) bool { return m.when != nil }); {
	case over != (orders.Pos{}):
		pos = over
	case used >= points || open || all || conditional || c.fits() || stations(c.block, c.sys.Standing):
		return
	case pos.Line == 0:
		pos = c.start // the phase is not opened at all
	}
	c.counts = append(c.counts, pointCount{n, pos, points, used})
}

// pointCount is a phase that has more or fewer movement words than points.
type pointCount struct {
	phase        int // index
	pos          orders.Pos
	points, used int
}

// countMoves remarks on phases with too many movement words, and with too few; each
// once, for it is mostly one mistake.
func (c *compiler) countMoves() {
	if c.p.unsure.move {
		return // the points are not known
	}
	var over, under []pointCount
	for _, p := range c.counts {
		switch {
		case p.used > p.points:
			over = append(over, p)
		case !c.p.unsure.phases[p.phase]:
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
		if power := c.powerFor(over); c.round == 1 && power > 0 {
			hint += fmt.Sprintf(", or write move %d under power", power)
		}
		c.fail(over[0].pos, "E110", hint, "too many movement words: %s", list(over, ""))
	}
	if len(under) > 0 {
		c.warn(under[0].pos, "W111", "name a movement word for each point", "%s", list(under, "; the rest is hold"))
	}
}

// powerFor is the power to movement that gives phases as many points as they use; 0
// if the ship has not so much.
func (c *compiler) powerFor(counts []pointCount) int {
	for points := 1; c.sys.Design.Move.B > 0 && points <= c.l.MovementPoints(c.sys, c.sys.Power); points++ {
		split := c.l.Split.Points(points)
		if !slices.ContainsFunc(counts, func(p pointCount) bool { return split[p.phase] < p.used }) {
			return c.sys.Design.Move.Cost(points)
		}
	}
	return 0
}

// unknownShip refuses a name that no ship in sight has. The way out is the same
// whether there is such a ship or not.
func (c *compiler) unknownShip(a orders.Arg, hint string) {
	aims := slices.Sorted(maps.Keys(c.l.aims))
	switch word := c.l.language.Hint(a.Text, aims); {
	case word != "" && !strings.HasSuffix(hint, "?"):
		hint = word + "; " + hint
	case len(aims) > 0 && !strings.HasSuffix(hint, "?"):
		hint += "; an enemy whom you have not seen yet has no name: write " + board.AimNearest
	}
	c.fail(a.Pos, "E102", hint, "no ship %q is known", a.Text)
}

// others are the names of all ships that are known but the captain's own.
func (c *compiler) others() roster {
	return slices.DeleteFunc(slices.Clone(c.names), func(n name) bool { return n.id == c.ship })
}

func (c *compiler) target(a orders.Arg, toFire bool) (engine.ShipID, bool) {
	if word, stands := c.l.isAim(a.Text); stands {
		return engine.ShipID(word), true
	}
	t, _, ok := c.names.find(a.Text)
	switch {
	case !ok:
		_, hint, _ := c.others().find(a.Text)
		c.unknownShip(a, hint)
		return "", false
	case t.id == c.ship:
		c.fail(a.Pos, "E114", "name another ship", "that is this ship itself")
		return "", false
	case toFire && t.side == c.side:
		c.warn(a.Pos, "W114", "", "%s is of your own side", t.name)
	}
	return t.id, true
}

func (c *compiler) fire(n int, st orders.Statement) {
	f, idle, ok := c.shooting(st)
	c.idle = append(c.idle, idle...)
	if ok && c.tell && st.When == nil && c.cloakedIn(n) {
		c.warn(st.Pos, "W150", "switch it off after the movement, or leave this out", "the cloak is on in phase %d: there is no fire", n+1)
	}
	if c.condition(st.When, true, true) && ok {
		now := c.p.at(n)
		now.fires = append(now.fires, f)
	}
}

// shooting reads the weapons and the target of an order to fire; idle are those that are not
// armed.
func (c *compiler) shooting(st orders.Statement) (f fireOrder, idle []orders.Arg, ok bool) {
	f = fireOrder{line: st.Pos.Line, when: st.When, text: orders.FormatStatement(st)}
	a, _ := st.Arg("SHIP")
	f.target, ok = c.target(a, true)
	weapons := st.All("WEAPON")
	for i := 0; i < len(weapons); i++ {
		w := weapons[i]
		if i+1 < len(weapons) && c.twoWords(w, weapons[i+1]) {
			ok = false
			i++
			continue
		}
		var shots []shot
		good := true
		if kind, group := ship.GroupWord(w.Text); !group {
			shots, good = c.weapon(w, "fired")
			shots = c.wholeBank(w, shots)
		} else {
			f.all, shots = true, make([]shot, 0, 2*len(c.sys.Banks))
			for i := range c.sys.Banks {
				for m := range c.sys.Banks[i].Mounts {
					if kind == "" || c.l.counts(c.sys.Banks[i].Kind, kind) {
						shots = append(shots, shot{i, m})
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
		f.shots = append(f.shots, shots...)
	}
	return f, idle, ok
}

// wholeBank adds the other mounts of a bank to one that is named, where a bank fires as
// one weapon.
func (c *compiler) wholeBank(w orders.Arg, shots []shot) []shot {
	if !c.l.asOne || len(shots) != 1 || len(c.sys.Banks[shots[0].bank].Mounts) == 1 {
		return shots
	}
	all, named := []shot{}, shots[0]
	others := false
	for m := range c.sys.Banks[named.bank].Mounts {
		other := shot{named.bank, m}
		all = append(all, other)
		others = others || other != named && c.armed(other)
	}
	if bank := c.sys.Banks[named.bank].ID; others && !c.p.unsure.arms {
		c.warn(w.Pos, "W115", "write fire "+bank, "%s fires with all armed mounts of %s: a bank fires as one weapon", w.Text, bank)
	}
	return all
}

// armed tells whether a mount has power to fire with.
func (c *compiler) armed(s shot) bool {
	armed := c.p.power.Armed[c.sys.Banks[s.bank].ID]
	return s.mount < len(armed) && armed[s.mount] > 0
}

// idleWeapons remarks on weapons to be fired that are not armed, once on each.
func (c *compiler) idleWeapons() {
	if c.p.unsure.arms {
		return
	}
	hint, done, idle := "arm it under power, or leave it out", "is armed this turn", "is not armed this turn and cannot fire"
	if c.round > 1 {
		hint = "leave it out: weapons are armed with the first orders of a turn"
		done, idle = "is armed that has not fired", "is not armed, or has fired already"
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
			c.warn(w.Pos, "W113", hint, "fire %s does nothing: no %sweapon %s", name, kind, done)
		} else {
			c.warn(w.Pos, "W113", hint, "%s %s", w.Text, idle)
		}
	}
}

// condition checks what a condition names; firing tells whether chance makes sense.
func (c *compiler) condition(cond *orders.Cond, target, firing bool) bool {
	if cond == nil {
		return true
	}
	ok := true
	for _, k := range cond.Kids {
		ok = c.condition(k, target, firing) && ok
	}
	if cond.Op != orders.Test {
		return ok
	}
	switch cond.Subject {
	case "range", "arc", "moved":
		if !target {
			c.fail(cond.Pos, "E124", "only orders that name a ship have one", "%s of which ship?", cond.Subject)
			ok = false
		}
	case "chance":
		if !firing {
			c.fail(cond.Pos, "E124", "use it with fire", "chance belongs to fire orders")
			ok = false
		}
	}
	if a, has := cond.Arg("SHIELD"); has && (a.Num < 1 || a.Num > 6) {
		c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
		ok = false
	}
	if a, has := cond.Arg("SHIP"); has {
		_, stands := c.l.isAim(a.Text)
		_, answered := c.l.facts[cond.Subject]
		t, hint, found := c.names.find(a.Text)
		switch {
		case !stands && !found:
			c.unknownShip(a, hint)
			ok = false
		case answered && questionFor(cond.Subject) != "" && (stands || t.id != c.ship):
			c.figures = append(c.figures, figureWanted{cond.Pos, questionFor(cond.Subject)})
		case stands:
		case t.id != c.ship && !answered:
			c.warn(cond.Pos, "W125", "", "you cannot know the shields of %s: the condition will be taken as not met", t.name)
		}
	}
	return ok
}

// What conditions may ask of a ship that a question tells of another one.
const (
	shieldOf    = "shield SHIELD of SHIP"
	powerOf     = "power of SHIP"
	structureOf = "superstructure of SHIP"
	pointsOf    = "points of SHIP"
)

// questionFor is the question that tells of another ship what a condition asks; blank for none.
func questionFor(subject string) string {
	switch subject {
	case shieldOf:
		return ship.AskShields
	case powerOf:
		return ship.AskPower
	case structureOf:
		return ship.AskStructure
	case pointsOf:
		return ship.AskPoints
	}
	return ""
}

// figureWanted is what a condition asks of another ship that takes a question.
type figureWanted struct {
	pos      orders.Pos
	question string
}

// unasked remarks on conditions that no question of the set, nor a standing one, can answer: they
// are never met. What another round's set asked, or another post's, is not known here.
func (c *compiler) unasked() {
	if !c.tell || c.post != "" || slices.Contains(c.p.unsure.phases, true) {
		return
	}
	asked := slices.Clone(c.p.standing.List("questions"))
	for _, phase := range c.p.phases {
		for _, a := range ship.Read[[]asking](phase.parts) {
			asked = append(asked, a.question)
		}
	}
	said := map[string]bool{}
	for _, f := range c.figures {
		if !said[f.question] && !slices.Contains(asked, f.question) {
			said[f.question] = true
			c.warn(f.pos, "W125", "write question "+f.question+" in a phase, with a lock", "what this condition asks of another ship only question %s tells, which this set does not put: the condition counts as not met", f.question)
		}
	}
}

// asking is a question that a captain ordered for a sensors phase.
type asking struct {
	line     int
	text     string
	question string
	when     *orders.Cond
}

// stations tells whether a set leaves its ship to keep station in phases without movement orders, with these standing
// orders so far.
func stations(b *orders.Block, so ship.Standing) bool {
	if b != nil {
		g, _ := b.Group("standing", 0)
		if given := g.All(ship.Station); len(given) > 0 {
			return given[0].Form == 0
		}
	}
	return keepsStation(so)
}

// keepsStation tells whether a ship keeps station where nothing else is ordered.
func keepsStation(s ship.Standing) bool { return stationWords(s) != nil }
