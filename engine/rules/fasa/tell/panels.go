package tell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/forecast"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/tactical"
)

// sideWord returns the direction of a shield, by its hex side clockwise from the bow.
func sideWord(side int) string {
	return [...]string{"ahead", "starboard bow", "starboard quarter", "astern", "port quarter", "port bow"}[side]
}

// shipPanels returns the state of one ship: figures, shields, weapons, standing orders.
func shipPanels(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	state := engine.Panel{Key: "ship-" + string(s.ID), Title: fmt.Sprintf("%s (%s), %s", s.Title, s.Short, s.Class)}
	where := "not on the map"
	if s.Hex != nil {
		where = fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
	}
	state.Notes = append(state.Notes,
		fmt.Sprintf("%s, %s; power %d of %d, superstructure %s of %d", where, s.Status, sys.Power, sys.Design.Power, verbs.StructureWords(sys), sys.Design.Superstructure),
		fmt.Sprintf("movement %s, shields %s with at most %d points each", sys.Design.Move, sys.Design.Shield, sys.Design.MaxShield))
	if sys.Outpost() {
		state.Notes[1] = fmt.Sprintf("an outpost: it neither moves nor turns; arc 1 is ahead, arcs 2 and 3 follow clockwise; shields %s, at most %d points each", sys.Design.Shield, sys.Design.MaxShield)
	}
	if sys.Has(ship.NameDecoy) {
		state.Notes = append(state.Notes, fmt.Sprintf("a decoy: looks like a ship of class %s to everyone without a lock on her who does not know her name; unarmed, and her loss costs nothing", sys.Design.Title))
	}
	if s.Status == engine.Crippled {
		state.Notes = append(state.Notes, verbs.HulkNote(l, v))
	}
	if s.Status == engine.Waiting {
		state.Notes = append(state.Notes, fmt.Sprintf("arrives in turn %d", s.Arrives))
	}
	if next := max(1, v.DueRound()); v.Due > 0 && sys.NoFire == l.FirePhase(v.Due, next) {
		state.Notes = append(state.Notes, fmt.Sprintf("sensors out: no fire in phase %d of turn %d", next, v.Due))
	}
	shields := engine.Panel{
		Key: "shields-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": shields",
		Columns: []engine.Column{{Name: "no.", Right: true}, {Name: "side"}, {Name: "set", Right: true}, {Name: "now", Right: true}, {Name: "generator"}},
	}
	for i, sh := range sys.Shields {
		gen := "works"
		if sh.Down {
			gen = "DAMAGED"
		}
		shields.Rows = append(shields.Rows, []string{strconv.Itoa(i + 1), sideWord(l.Ring.Side(i + 1)), strconv.Itoa(sh.Set), strconv.Itoa(sh.Now), gen})
	}
	weapons := engine.Panel{
		Key: "weapons-" + string(s.ID), Posts: []string{ship.PostWeapons}, Title: s.Name + ": weapons",
		Columns: []engine.Column{
			{Name: "bank"},
			{Name: "mounts and type"},
			{Name: "arcs"},
			{Name: "chart"},
			{Name: "power", Right: true},
			{Name: "damage", Right: true},
			{Name: "this turn"},
		},
	}
	told := map[string]bool{}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		states := make([]string, len(b.Mounts))
		for m := range b.Mounts {
			states[m] = mountState(sys, b, m)
		}
		weapons.Rows = append(weapons.Rows, []string{
			b.ID, strconv.Itoa(len(b.Mounts)) + " x " + b.Type + " " + b.Family, strings.Join(rulebook.ArcWords(b), "/"), b.Chart,
			powerWord(l, b), damageWord(b), strings.Join(states, ", "),
		})
		if !told[b.Type] {
			told[b.Type] = true
			weapons.Notes = append(weapons.Notes, weaponNote(l, b))
		}
	}
	if mark := sys.Design.Doubt("arcs"); mark != "" {
		weapons.Notes = append(weapons.Notes, "firing arcs"+mark)
	}
	st := sys.Standing
	orders := engine.Panel{Key: "standing-" + string(s.ID), Title: s.Name + ": standing orders", Notes: []string{
		"hit on the line between two shields: " + st.Choose,
		"without orders: " + st.Missing,
	}}
	if l.Sheds {
		orders.Notes = slices.Insert(orders.Notes, 1, "lost power comes off: "+strings.Join(rulebook.ShedWords(st), ", then "))
	}
	if len(st.Beams) > 0 {
		orders.Notes = append(orders.Notes, "beams are lost in this order: "+strings.Join(st.Beams, ", "))
	}
	if len(st.Missile) > 0 {
		orders.Notes = append(orders.Notes, "missiles are lost in this order: "+strings.Join(st.Missile, ", "))
	}
	return []engine.Panel{state, shields, weapons, orders}
}

func powerWord(l *rulebook.Rules, b *ship.Bank) string {
	switch {
	case l.Usable(b) && l.Kind(b).Half:
		return strconv.Itoa(b.Arm) + " or " + strconv.Itoa(play.HalfPower(b))
	case b.Shots > 1:
		return "0-" + strconv.Itoa(b.Max) + " a shot"
	case b.AnyPower():
		return "0-" + strconv.Itoa(b.Max)
	}
	return strconv.Itoa(b.Arm)
}

func damageWord(b *ship.Bank) string {
	switch {
	case b.AnyPower():
		return "its power"
	case b.Damage > 0:
		return strconv.Itoa(b.Damage)
	case len(b.Plasma) > 0:
		return "by range"
	}
	return "-"
}

// weaponNote returns a weapon's reach and its bonus by range.
func weaponNote(l *rulebook.Rules, b *ship.Bank) string {
	note := fmt.Sprintf("%s: reaches %d", b.Type, l.Reach(b.Chart))
	if !l.Usable(b) {
		return note + "; " + l.Subtitle() + " has no rule for " + b.Family + "s"
	}
	if len(b.Plasma) > 0 {
		note += "; " + play.BoltWords(b)
		if l.Kind(b).Half {
			note += fmt.Sprintf(", half of that if armed with %d", play.HalfPower(b))
		}
	}
	if b.Shots > 1 {
		note += fmt.Sprintf("; fires up to %d times a turn, once a phase", b.Shots)
	}
	for _, band := range b.Bands {
		note += fmt.Sprintf(", +%d at %d-%d", band.Bonus, band.From, band.To)
	}
	return note
}

// mountState returns what a mount has done or can do this turn.
func mountState(s *ship.State, b *ship.Bank, n int) string {
	m, state := b.Mounts[n], "-"
	switch {
	case m.Destroyed:
		return strings.ToUpper(s.Ruin(m))
	case m.Shots > 1:
		state = shotState(&m)
	case m.Fired:
		state = "fired " + strconv.Itoa(m.Armed)
	case m.Armed > 0:
		state = "armed " + strconv.Itoa(m.Armed)
		if m.Armed < b.Arm {
			state += ", for half of the damage"
		}
	}
	if m.Repaired {
		state += " (repaired)"
	}
	return state
}

// othersPanel returns what the viewer knows of the other ships. In the Basic Course all of it is
// from the end of the turn.
func othersPanel(l *rulebook.Rules, v *engine.View) engine.Panel {
	p := engine.Panel{
		Key: "others", Title: "The other ships",
		Columns: []engine.Column{
			{Name: ""},
			{Name: "ship"},
			{Name: "side"},
			{Name: "state"},
			{Name: "hex"},
			{Name: "hdg"},
			{Name: "range", Right: true},
			{Name: "brg"},
			{Name: "yours"},
			{Name: "its"},
			{Name: "points", Right: true},
		},
		Notes: []string{"yours: your shield facing it; its: its shield facing you; points: its movement points this turn"},
	}
	focus, _ := v.Ship(v.Viewer.Focus)
	for _, s := range v.Ships {
		if s.Own || s.Kind.Small() {
			continue
		}
		row := []string{s.Short, s.Name, v.SideName(s.Side), stateWord(s), "", "", "", "", "", "", ""}
		if s.Hex != nil {
			row[4], row[5] = s.Hex.Label(), s.Heading.String()
			if focus != nil && focus.Hex != nil {
				row[6], row[7] = strconv.Itoa(s.Range), s.Bearing
				row[8] = facingWord(&l.Book, engine.Place{Hex: *focus.Hex, Heading: *focus.Heading}, *s.Hex)
				row[9] = facingWord(&l.Book, engine.Place{Hex: *s.Hex, Heading: *s.Heading}, *focus.Hex)
			}
		}
		switch k := s.System.(type) {
		case *ship.Public:
			if row[10] = strconv.Itoa(k.Points); k.Cloaked {
				row[3] += ", cloaked"
			}
			if k.Cloaked && k.Split == nil {
				row[10] = ""
			}
			if k.Free != "" {
				p.Notes = append(p.Notes, s.Name+" may start elsewhere: "+verbs.FreeWords(k.Free))
			}
		case *ship.State:
			row[10] = strconv.Itoa(k.Alloc.Points)
		}
		p.Rows = append(p.Rows, row)
	}
	if len(p.Rows) == 0 {
		p.Notes = []string{"none in sight, none seen before"}
	}
	return p
}

// stateWord returns a ship's state, or since when she has not been seen.
func stateWord(s *engine.ShipView) string {
	if s.Sight != engine.Seen && s.Since != nil {
		return fmt.Sprintf("not seen since %d.%d", s.Since.Turn, s.Since.Phase)
	}
	switch {
	case rulebook.StandsStill(s):
		return string(s.Status) + ", outpost"
	case s.Kind == engine.KindDecoy:
		return string(s.Status) + ", decoy"
	}
	return string(s.Status)
}

func facingWord(book *rulebook.Book, at engine.Place, to hex.Hex) string {
	a, b := book.Facing(at, to)
	switch a {
	case 0:
		return "-"
	case b:
		return strconv.Itoa(a)
	}
	return strconv.Itoa(a) + "/" + strconv.Itoa(b)
}

// phaseColumn returns the heading of a column with figures for each phase.
func phaseColumn(book *rulebook.Book) string {
	numbers := make([]int, book.Split.Phases())
	for n := range numbers {
		numbers[n] = n + 1
	}
	return "phases " + tactical.JoinInts(numbers)
}

// optionPanels returns what the ship may do next: movement points for power, and the chance of
// each bank to hit each enemy where it is now.
func optionPanels(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	moves := engine.Panel{
		Key: "moves-" + string(s.ID), Posts: []string{ship.PostHelm}, Title: s.Name + ": movement next turn",
		Columns: []engine.Column{{Name: "power", Right: true}, {Name: "points", Right: true}, {Name: phaseColumn(&l.Book)}},
	}
	for points := 1; points <= l.MovementPoints(sys, sys.Power); points++ {
		moves.Rows = append(moves.Rows, []string{strconv.Itoa(sys.Design.Move.Cost(points)), strconv.Itoa(points), tactical.JoinInts(l.Split.Points(points))})
	}
	hits := engine.Panel{
		Key: "hits-" + string(s.ID), Posts: []string{ship.PostWeapons}, Title: s.Name + ": to hit from where you are",
		Columns: []engine.Column{{Name: "weapon"}, {Name: "at"}, {Name: "range", Right: true}, {Name: "bears"}, {Name: "needs"}, {Name: "chance", Right: true}, {Name: "bonus", Right: true}},
	}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	foes := 0
	for _, o := range v.Ships {
		if o.Own || o.Side == s.Side || o.Hex == nil || o.Sight != engine.Seen || o.Status == engine.Destroyed || o.Status == engine.Waiting {
			continue
		}
		rng := hex.Distance(*s.Hex, *o.Hex)
		silent := 0
		foes++
		for i := range sys.Banks {
			b := &sys.Banks[i]
			if !l.Usable(b) || ship.AllDestroyed(b) {
				continue
			}
			arc, ok := b.Bears(l.Library, at, *o.Hex)
			number := l.ToHit(b.Chart, rng)
			if !ok || number == 0 {
				silent++
				continue
			}
			need := sys.Lasting(b, number)
			bonus := ""
			if n := b.BonusAt(rng); n > 0 {
				bonus = "+" + strconv.Itoa(n)
			}
			hits.Rows = append(hits.Rows, []string{b.ID, o.Name, strconv.Itoa(rng), forecast.ArcWord(arc), l.DieWords(need), strconv.Itoa(l.Percent(need)) + "%", bonus})
		}
		if silent > 0 {
			hits.Notes = append(hits.Notes, fmt.Sprintf("%s at range %d: %d of your banks do not bear or are out of range", o.Name, rng, silent))
		}
	}
	if foes == 0 {
		hits.Notes = append(hits.Notes, "no enemy in sight")
	}
	if sys.Outpost() {
		return []engine.Panel{hits}
	}
	return []engine.Panel{moves, hits}
}

// overlay returns a ship's shields and arcs for the map.
func overlay(l *rulebook.Rules, sys *ship.State) engine.Overlay {
	o := engine.Overlay{Fixed: sys.Outpost(), Cloaked: sys.Hidden()}
	o.Shields = slices.Grow(o.Shields, len(sys.Shields))
	for i, sh := range sys.Shields {
		o.Shields = append(o.Shields, engine.ShieldMark{
			Number: i + 1, Side: l.Ring.Side(i + 1), Now: sh.Now, Max: sys.Design.MaxShield, Down: sh.Down,
		})
	}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		if ship.AllDestroyed(b) {
			continue
		}
		for _, name := range b.Arcs {
			for _, a := range l.Arcs[name] {
				o.Arcs = append(o.Arcs, engine.ArcMark{Name: b.ID, From: int(a.From) * 15, To: int(a.To) * 15, Reach: l.Reach(b.Chart)})
			}
		}
	}
	return o
}

// shotState returns the state of a mount armed for several shots.
func shotState(m *ship.Mount) string {
	switch {
	case m.Left() == 0:
		return fmt.Sprintf("fired %d in %s", m.Spent, shotCount(m.Shot))
	case m.Shot > 0:
		return fmt.Sprintf("%d of %d shots fired, the next with %d", m.Shot, m.Shots, m.Charge())
	}
	return fmt.Sprintf("armed %d for %d shots of %d", m.Armed, m.Shots, m.Charge())
}

// shotCount returns a number of shots in words.
func shotCount(n int) string {
	if n == 1 {
		return "1 shot"
	}
	return fmt.Sprintf("%d shots", n)
}
