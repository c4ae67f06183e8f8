package stcs

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/hex"
	"starpost/orders"
)

func (c *compiler) phase(n int, g orders.Group) {
	points := c.p.power.Split[n]
	used, open, all := 0, false, false // all: an order uses what is left of the phase
	pos := g.Pos
	for _, st := range g.Statements {
		if compile := c.l.compiles[[2]string{"phase", st.Verb}]; compile != nil {
			compile(c, n, st)
			continue
		}
		if st.Verb == "fire" {
			c.fire(n, st)
			continue
		}
		m := moveOrder{line: st.Pos.Line, verb: st.Verb, when: st.When, text: orders.FormatStatement(st)}
		ok := true
		if a, has := st.Arg("SHIP"); has {
			m.target, ok = c.target(a, false)
		}
		if a, has := st.Arg("RANGE"); has {
			m.rng = a.Num
		} else {
			m.rng = 1
		}
		if a, has := st.Arg("SHIELD"); has {
			if m.shield = a.Num; m.shield < 1 || m.shield > 6 {
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
			m.at = h
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
			c.p.moves[n] = append(c.p.moves[n], m)
			continue
		}
		words := st.All("WORD")
		for i, w := range words {
			if m.when == nil && used+i >= points {
				c.fail(w.Pos, "E110", fmt.Sprintf("leave out %d", used+len(words)-points), "too many movement words: phase %d has %s", n+1, movementPoints(points))
				break
			}
			m.words = append(m.words, w.Text)
		}
		if m.when == nil {
			used += len(words)
		}
		c.p.moves[n] = append(c.p.moves[n], m)
		pos = st.Pos
	}
	if used < points && !open && !all {
		if pos.Line == 0 {
			pos = c.start // the phase is not opened at all
		}
		conditional := slices.ContainsFunc(c.p.moves[n], func(m moveOrder) bool { return m.when != nil })
		if !conditional {
			c.warn(pos, "W111", "name a movement word for each point", "phase %d has %s, orders use %d; the rest is hold", n+1, movementPoints(points), used)
		}
	}
}

// unknownShip refuses a name that no ship in sight has. The way out is the same
// whether there is such a ship or not.
func (c *compiler) unknownShip(a orders.Arg, hint string) {
	if _, ok := c.l.aims[aimNearest]; ok && !strings.HasSuffix(hint, "?") {
		hint += "; an enemy whom you have not seen yet has no name: write " + aimNearest
	}
	c.fail(a.Pos, "E102", hint, "no ship %q is known", a.Text)
}

func (c *compiler) target(a orders.Arg, toFire bool) (string, bool) {
	if word, stands := c.l.isAim(a.Text); stands {
		return word, true
	}
	t, hint, ok := c.names.find(a.Text)
	switch {
	case !ok:
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
	f := fireOrder{line: st.Pos.Line, when: st.When, text: orders.FormatStatement(st)}
	a, _ := st.Arg("SHIP")
	id, ok := c.target(a, true)
	f.target = id
	for _, w := range st.All("WEAPON") {
		if kind, group := groupWord(w.Text); group {
			f.all = true
			for i := range c.sys.Banks {
				for m := range c.sys.Banks[i].Mounts {
					if kind == "" || c.l.counts(c.sys.Banks[i].Kind, kind) {
						f.shots = append(f.shots, shot{i, m})
					}
				}
			}
			continue
		}
		shots, good := c.weapon(w, "fired")
		if !good {
			ok = false
			continue
		}
		unarmed := 0
		for _, s := range shots {
			if armed := c.p.power.Armed[c.sys.Banks[s.bank].ID]; armed == nil || armed[s.mount] == 0 {
				unarmed++
			}
		}
		if unarmed == len(shots) {
			c.warn(w.Pos, "W113", "arm it under power", "%s is not armed this turn and cannot fire", w.Text)
		}
		f.shots = append(f.shots, shots...)
	}
	if ok && c.tell && st.When == nil && c.cloakedIn(n) {
		c.warn(st.Pos, "W150", "switch it off after the movement, or leave this out", "the cloak is on in phase %d: there is no fire", n+1)
	}
	if c.condition(st.When, true, true) && ok {
		c.p.fires[n] = append(c.p.fires[n], f)
	}
}

// groupWord tells whether a word means a group of weapons, and of which kind.
func groupWord(w string) (kind string, group bool) {
	switch strings.ToLower(w) {
	case "all":
		return "", true
	case "beams":
		return Beam, true
	case "missiles":
		return Missile, true
	}
	return "", false
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
		case stands:
		case !found:
			c.unknownShip(a, hint)
			ok = false
		case t.id != c.ship && !answered:
			c.warn(cond.Pos, "W125", "", "you cannot know the shields of %s: the condition will be taken as not met", t.name)
		}
	}
	return ok
}
