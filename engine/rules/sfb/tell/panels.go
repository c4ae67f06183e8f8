package tell

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// shipPanels returns the sheet and the weapons of an own ship.
func shipPanels(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System) []engine.Panel {
	ship := engine.Panel{Key: "ship-" + string(s.ID), Title: fmt.Sprintf("%s (%s), %s", s.Title, s.Short, s.Class)}
	ship.Notes = append(ship.Notes,
		fmt.Sprintf("%s, %s, speed %s, %s moved straight", phrase.Where(s), s.Status, play.SpeedWord(&l.Book, sys.Speed), phrase.Hexes(sys.Straight)),
		fmt.Sprintf("%d energy a turn (%d of the warp engines), batteries %d of %d, capacitors %s of %s",
			sys.Sheet.Power(), sys.Sheet.Count(sheet.Warp).Left, sys.Batteries, sys.Sheet.Count(sheet.Battery).Left, sheet.Fraction(sys.Charge()*sheet.MoveParts/2), sys.ChargeWords(2*sys.Phasers())),
		fmt.Sprintf("next turn's speed at most %s; turn mode: %s", nextMost(l, sys), modeWords(l, &sys.Sheet)))
	if l.Quanta != nil {
		ship.Notes = append(ship.Notes, fmt.Sprintf("a hex takes %s energy; %s left in the pool, %d energy in reserve", sheet.Fraction(sys.HexCost()), sheet.Fraction(sys.Pool), sys.Reserve))
	}
	if sys.Sheet.Cloak > 0 {
		ship.Notes = append(ship.Notes, fmt.Sprintf("cloak: %d energy a turn; %s", sys.Sheet.Cloak, phrase.Cloak(sys.Cloaked)))
	}
	for _, p := range l.Parts {
		if p.Sheet != nil {
			ship.Notes = append(ship.Notes, p.Sheet(l, v, sys)...)
		}
	}
	ship.Notes = append(ship.Notes, dark.LabWords(s, v)...)
	if s.Status == engine.Waiting {
		ship.Notes = append(ship.Notes, fmt.Sprintf("arrives in turn %d", s.Arrives))
	}
	if s.Hex != nil {
		ship.Notes = append(ship.Notes, life(l, &sys.Sheet))
	}
	if v.Turn == 0 && v.Round == 0 && l.Quanta != nil {
		ship.Notes = append(ship.Notes, sheet.SourceWords(sys.Sheet.Class)...)
	}
	ship.Boxes = boxRows(l, &sys.Sheet)
	for i, n := range sys.Reinforce {
		if n > 0 {
			ship.Boxes[i].Note = fmt.Sprintf("and %d more by reinforcement", n)
		}
	}
	weapons := engine.Panel{
		Key: "weapons-" + string(s.ID), Title: s.Name + ": weapons",
		Columns: []engine.Column{{Name: "weapon"}, {Name: "kind"}, {Name: "arc"}, {Name: "state"}, {Name: "may fire"}},
	}
	for w := range sys.Weapons {
		b := sys.Bank(w)
		arc := b.Arcs.String()
		if b.Kind.Rack() || b.Arcs == 0 {
			arc = "-"
		}
		weapons.Rows = append(weapons.Rows, []string{b.Name, b.Kind.Title(), arc, weaponState(l, sys, w), Ready(l, v, sys, w)})
	}
	if l.Reserve && sys.Charge() < 2*sys.Phasers() {
		note := fmt.Sprintf("the capacitors hold %s energy; firing all phasers takes %d", sheet.Fraction(sys.Charge()*sheet.MoveParts/2), sys.Phasers())
		switch {
		case v.DueRound() < 2:
			note += ": phasers N under power charges them; with phasers reserve, the shortfall comes from the reserve, then the batteries"
		case sys.Draws:
			note += ": the shortfall when a phaser fires comes from the reserve, then the batteries"
		}
		weapons.Notes = append(weapons.Notes, note)
	}
	out := []engine.Panel{ship, weapons}
	if p := optionsPanel(l, v, s, sys); len(p.Rows) > 0 {
		out = append(out, p)
	}
	return out
}

// nextMost returns the highest speed of the next turn.
func nextMost(l *rulebook.Rules, sys *state.System) string {
	energy := sys.Sheet.Count(sheet.Warp).Left + min(l.ImpulseHexes, sys.Sheet.Count(sheet.Impulse).Left)
	if l.Quanta == nil {
		return strconv.Itoa(min(l.Fastest(sys.Speed), energy))
	}
	word, _, _ := strings.Cut(play.Affordable(l, sys, l.MaxSpeed, energy, func(int, int) {}), " ")
	return word
}

// weaponState describes the state of a weapon.
func weaponState(l *rulebook.Rules, sys *state.System, w int) string {
	b, weapon := sys.Bank(w), &sys.Weapons[w]
	chart := l.Charts[b.Kind]
	switch {
	case b.Left == 0:
		return "destroyed"
	case b.Kind.Rack():
		return fmt.Sprintf("%d drones", weapon.Drones)
	case b.Kind.Cannon():
		return fmt.Sprintf("fires %s along a row", phrase.Points(chart.Shot.Points))
	case chart.Turns == 0 && weapon.Over > 0:
		return "overloaded for this turn"
	case chart.Turns == 0:
		return "fires from the capacitors"
	case weapon.Armed >= chart.Turns && weapon.Over > 0:
		return fmt.Sprintf("armed, overloaded with %d", weapon.Over)
	case weapon.Armed >= chart.Turns:
		return "armed"
	case weapon.Armed > 0:
		return fmt.Sprintf("%d of %d turns of arming", weapon.Armed, chart.Turns)
	}
	return "empty"
}

// Ready says when a weapon may fire next.
func Ready(l *rulebook.Rules, v *engine.View, sys *state.System, w int) string {
	fired := sys.Weapons[w].Fired
	switch {
	case sys.Bank(w).Left == 0:
		return "-"
	case sys.Weapons[w].Armed < l.Charts[sys.Bank(w).Kind].Turns || sys.Bank(w).Kind.Rack() && sys.Weapons[w].Drones == 0:
		return "-"
	case fired.Turn > 0 && fired.Turn == v.Due:
		return fmt.Sprintf("next turn (fired on impulse %d)", fired.Impulse)
	}
	when := "now"
	if i := (fired.Turn-v.Due)*l.Impulses + fired.Impulse + l.Again; fired.Turn > 0 && i > 1 {
		when = fmt.Sprintf("from impulse %d", i)
	}
	switch short := sys.Bank(w).Kind.Shot() - sys.Charge(); { // a note says more
	case !l.Reserve || short <= 0:
		return when
	case v.DueRound() < 2:
		return when + ", if paid"
	case !sys.Draws:
	case 2*sys.Reserve >= short:
		return when + ", reserve"
	case 2*(sys.Reserve+sys.Batteries) >= short:
		return when + ", battery"
	}
	return "no energy"
}

// optionsPanel says what a ship's weapons do to the enemies in sight from her present place.
func optionsPanel(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System) engine.Panel {
	p := engine.Panel{
		Key: "options-" + string(s.ID), Title: s.Name + ": fire as the ships stand now",
		Columns: []engine.Column{{Name: "target"}, {Name: "range", Right: true}, {Name: "shield", Right: true}, {Name: "weapons: points by die 1 to 6, or what hits"}},
	}
	if v.Result != nil || s.Status != engine.Active || s.Hex == nil || v.Round > 0 {
		return p
	}
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Hex == nil || o.Status != engine.Active || o.Sight != engine.Seen {
			continue
		}
		rng := hex.Distance(at.Hex, *o.Hex)
		var can []string
		for w := range sys.Weapons {
			b := sys.Bank(w)
			if _, text := play.ShotWords(l, sys, w, l.Charts[b.Kind].Turns, sys.Weapons[w].Over, at, o, rng); text != "" {
				can = append(can, b.Name+" "+text)
			}
		}
		shield := "-"
		if side, apart := steering.Facing(o.Stands(), at.Hex); apart && o.Kind == engine.KindShip && o.Heading != nil {
			shield = strconv.Itoa(side + 1)
		}
		if len(can) > 0 {
			p.Rows = append(p.Rows, []string{o.Name, strconv.Itoa(rng), shield, strings.Join(can, ", ")})
		}
	}
	return p
}

// mostSheets is how many sheets of other ships are drawn box by box; more are given as text.
const mostSheets = 3

// flightTitle returns the title of the table of small craft.
func flightTitle(l *rulebook.Rules) string {
	if l.Cannons() {
		return "Drones, plasma and shots in flight"
	}
	return "Drones and plasma in flight"
}

// othersPanels returns the other ships with their sheets, and everything in flight.
func othersPanels(l *rulebook.Rules, v *engine.View) []engine.Panel {
	ships := engine.Panel{
		Key: "others", Title: "Other ships in sight",
		Columns: []engine.Column{{Name: "ship"}, {Name: "class"}, {Name: "side"}, {Name: "state"}, {Name: "hex"}, {Name: "hdg"}, {Name: "range", Right: true}, {Name: "bearing"}, {Name: "speed", Right: true}},
	}
	flight := engine.Panel{
		Key: "drones", Title: flightTitle(l),
		Columns: []engine.Column{{Name: "name"}, {Name: "what"}, {Name: "seeks"}, {Name: "hex"}, {Name: "hdg"}, {Name: "to go", Right: true}, {Name: "does", Right: true}, {Name: "killed by", Right: true}, {Name: "flies on", Right: true}},
	}
	var sheets []engine.Panel
	for _, s := range v.Ships {
		known, ok := state.OpenOf(s)
		if !ok {
			continue
		}
		at, heading, away := "-", "-", "-"
		if s.Hex != nil {
			at, heading = s.Hex.Label(), s.Heading.String()
			if v.Viewer.Focus != "" {
				away = strconv.Itoa(s.Range)
			}
		}
		switch f := known.Flight; {
		case f != nil && s.Status == engine.Active && s.Hex != nil:
			if f.Kind == sheet.Probe || f.Kind == sheet.Shuttle {
				flight.Rows = append(flight.Rows, craftRow(l, s, f))
				continue
			}
			target, toGo := v.Name(f.Target), "-"
			if t, ok := v.Ship(f.Target); ok && t.Hex != nil {
				toGo = strconv.Itoa(hex.Distance(*s.Hex, *t.Hex))
			}
			if f.Kind.Cannon() {
				flight.Rows = append(flight.Rows, []string{s.Name, s.Title, "-", at, heading, "-", strconv.Itoa(f.Damage), "-", strconv.Itoa(l.Charts[f.Kind].Shot.Life - impulsesSince(l, v, f))})
				continue
			}
			does, kills, life := inFlight(l, v, f)
			flight.Rows = append(flight.Rows, []string{s.Name, s.Title, target, at, heading, toGo, strconv.Itoa(does), strconv.Itoa(kills), strconv.Itoa(life)})
		case f != nil || s.Own || v.Viewer.All:
		default:
			bearing := s.Bearing
			if bearing == "" {
				bearing = "-"
			}
			state := string(s.Status)
			if known.CloakSeen(s) {
				state += ", cloaked"
			}
			ships.Rows = append(ships.Rows, []string{fmt.Sprintf("%s (%s)", s.Name, s.Short), s.Class, v.SideName(s.Side), state, at, heading, away, bearing, play.SpeedWord(&l.Book, known.Speed)})
			ships.Notes = append(ships.Notes, s.Name+": "+sheetWords(l, &known.Sheet))
			p := SheetOf(l, &known.Sheet)
			p.Key, p.Title = "sheet-"+string(s.ID), fmt.Sprintf("%s (%s): her sheet", s.Name, s.Short)
			sheets = append(sheets, p)
		}
	}
	var out []engine.Panel
	if len(sheets) <= mostSheets {
		ships.Notes = nil // they are drawn
	} else {
		sheets = nil
	}
	if v.Dark { // the list of contacts has them
		ships.Title, ships.Columns, ships.Rows = "Sheets of other ships", nil, nil
	}
	if len(ships.Rows)+len(ships.Notes) > 0 {
		out = append(out, ships)
	}
	out = append(out, sheets...)
	if len(flight.Rows) > 0 {
		out = append(out, flight)
	}
	return out
}

// craftRow returns the row of a probe or a shuttle in the table of small craft. Only its captain sees its destination
// and what it holds.
func craftRow(l *rulebook.Rules, s *engine.ShipView, f *state.Flight) []string {
	row := []string{s.Name, s.Title, "-", s.Hex.Label(), s.Heading.String(), "-", "-", strconv.Itoa(f.Points), "-"}
	if sys, ok := s.System.(*state.System); ok {
		row[2], row[5] = "to "+sys.Course.Label(), strconv.Itoa(hex.Distance(*s.Hex, sys.Course))
		if f.Kind == sheet.Shuttle {
			row[6] = fmt.Sprintf("holds %d", l.Research.Hold-play.Room(l, sys))
		}
	}
	return row
}

// impulsesSince returns how long a drone, torpedo or shot has flown at the time of a view.
func impulsesSince(l *rulebook.Rules, v *engine.View, f *state.Flight) int {
	_, now := l.Span(l.Rounds)
	if v.Round > 0 {
		_, now = l.Span(v.Round)
	}
	return (v.Turn-f.Launched.Turn)*l.Impulses + now - f.Launched.Impulse
}

// inFlight returns what a drone or torpedo would do in the next impulse, the damage that destroys it (for plasma, by
// phasers), and the impulses left to fly.
func inFlight(l *rulebook.Rules, v *engine.View, f *state.Flight) (does, kills, left int) {
	age := impulsesSince(l, v, f)
	if f.Kind == "" {
		return f.Damage, f.Points, l.Drone.Life - age
	}
	chart := l.Charts[f.Kind]
	flown, pace := play.Flown(&l.Book, f, age), play.Flown(&l.Book, f, 1)
	does = play.Does(l, f, flown+1)
	return does, 2*does - f.Points%2, (chart.Warheads[len(chart.Warheads)-1].Upto - flown + pace - 1) / pace
}
