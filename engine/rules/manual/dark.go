package manual

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/orders"
)

// bySensors as a ruling on sight lets the sensors decide again; noSight hides a ship.
const (
	bySensors = "sensors"
	noSight   = "nothing"
)

// Sizes of ships in scenarios. Craft are found like shuttles, bases at twice the range.
const (
	sizeCraft  = "craft"
	sizeMedium = "medium"
	sizeBase   = "base"
)

func sizes() []string { return []string{sizeCraft, "small", sizeMedium, "large", "huge", sizeBase} }

// trackSensors is the track that shows damage to the sensors.
const trackSensors = "sensors"

// darkRules returns the rules for the dark: sizes from the scenario, speed from the hexes that the referee moved a
// ship. The referee's rulings on sight override sensors. Terrain hides nothing by itself.
func darkRules() *dark.Rules {
	return &dark.Rules{
		Signature: func(s *engine.Ship) blind.Signature {
			return blind.Signature{Large: of(s).Size == sizeBase, Small: of(s).Size == sizeCraft, Cold: of(s).Cold}
		},
		Rough: func(s *engine.Ship) (string, int) {
			if s.Small() {
				return string(s.Kind), 0
			}
			return cmp.Or(of(s).Size, sizeMedium), of(s).Pace
		},
		Damaged: func(_ *engine.Game, s *engine.Ship) bool {
			t, ok := of(s).track(trackSensors)
			return ok && t.Of > 0 && 2*t.Now <= t.Of
		},
		Shown: func(by, s *engine.Ship) (blind.Level, bool) {
			word, ok := of(s).Shown[by.ID]
			level, _ := blind.ParseLevel(word) // "nothing" is not a level
			return level, ok || of(s).Hidden && by.Side != s.Side
		},
		Public: func(g *engine.Game, s *engine.Ship) any {
			if g.Options[optionSheets] == sheetsOpen {
				return &Sheet{Tracks: of(s).Tracks}
			}
			return nil
		},
		Called: called,
		Tell:   events.Unknown(none{}),
	}
}

// looks reads how a ship of a scenario looks in the dark: her size, and warp = false if she has no warp field. Other
// values of these keys are tracks.
func (s *System) looks(key string, value any) bool {
	switch v := value.(type) {
	case string:
		if lower(key) != "size" || !slices.Contains(sizes(), v) {
			return false
		}
		s.Size = v
	case bool:
		if lower(key) != "warp" {
			return false
		}
		s.Cold = !v
	default:
		return false
	}
	return true
}

// show sets how much a ship shows to another, overriding the other's sensors.
func (s *System) show(by engine.ShipID, level string) {
	if s.Shown == nil {
		s.Shown = map[engine.ShipID]string{}
	}
	if s.Shown[by] = level; level == bySensors {
		delete(s.Shown, by)
	}
	if len(s.Shown) == 0 {
		s.Shown = nil // as when read from JSON
	}
}

// show applies a ruling on how much of a ship shows in the dark.
func (p *planner) show(st orders.Statement, s *engine.Ship, ids []engine.ShipID, seen string) {
	level, changed := seen, false
	switch seen {
	case "yes":
		level = blind.WordFull
	case "no":
		level = noSight
	}
	for _, id := range ids {
		w, _ := p.g.Ship(id)
		if w.Captain == s.Captain || cmp.Or(of(s).Shown[id], bySensors) == level {
			continue
		}
		changed = true
		p.emit(st.Pos, &sighted{Ship: s.ID, By: id, Name: s.Name, Seen: seen == "yes", Level: level}, engine.See{})
	}
	if !changed {
		p.warn(st.Pos, "W303", "", "that is already so")
	}
}

// pace is how many hexes each ship moved in the turn, from which sensors measure her speed.
type pace struct {
	Hexes map[engine.ShipID]int `json:"hexes"`
}

// Apply implements engine.Body.
func (b *pace) Apply(g *engine.Game) error {
	for _, s := range g.Ships {
		of(s).Pace = b.Hexes[s.ID]
	}
	return nil
}

// lookAfter uses the sensors after a ship was moved or has entered.
func lookAfter(t *engine.Turn, body engine.Body) {
	id := ""
	switch b := body.(type) {
	case *engine.Move:
		if b.From.Hex == b.To.Hex { // turning on the spot reveals nothing new
			return
		}
		id = string(b.Ship)
	case *Enter:
		id = string(b.Ship)
	}
	if s, ok := t.Game.Ship(engine.ShipID(id)); ok {
		dark.In(t).Look(s)
	}
}

// lookRound ends the sensors' work for a turn: all captains learn what their sensors show now.
func (p *planner) lookRound() {
	maps.DeleteFunc(p.hexes, func(_ engine.ShipID, n int) bool { return n == 0 })
	p.steps = append(p.steps, probing, func(t *engine.Turn) {
		if slices.ContainsFunc(t.Game.Ships, func(s *engine.Ship) bool { return of(s).Pace != p.hexes[s.ID] }) {
			t.Emit(&pace{Hexes: p.hexes}, engine.See{}, "house 9.71")
		}
		dark.In(t).LookRound(true)
	})
}

// shotSeen is a shot seen by a captain who does not know both ships. The names are the captain's own; "" for ships
// not detected.
type shotSeen Shot

// shotInTheDark returns a shot as seen by a captain who does not know both ships: what is known about both ends
// (D54).
func shotInTheDark(_ none, b *Shot, to *dark.Observer) (engine.Body, []string) {
	from, at := to.Name(b.Ship), to.Name(b.Target)
	switch {
	case to.Own(b.Ship):
		return &shotSeen{Ship: b.Ship, Target: cmp.Or(at, dark.Unnumbered), Hit: b.Hit, With: b.With}, nil
	case from == "" && (at == "" || !b.Hit):
		return nil, nil
	}
	return &shotSeen{Ship: from, Target: at, Hit: b.Hit}, nil
}

// darkPanels returns what a captain's sensors show, and their range.
func darkPanels(v *engine.View) []engine.Panel {
	contacts := dark.ContactsPanel(v, func(*engine.ShipView) dark.OfContact { return dark.OfContact{} })
	if len(contacts.Rows) > 0 {
		contacts.Notes = contacts.Notes[:1]
	}
	for _, s := range v.Ships {
		if sheet, ok := s.System.(*Sheet); ok && len(sheet.Tracks) > 0 {
			contacts.Notes = append(contacts.Notes, s.Name+": "+strings.TrimPrefix(tracksText(sheet.Tracks), "; "))
		}
	}
	return append(append([]engine.Panel{contacts}, dark.InstrumentPanels(v)...), v.Sheets...)
}

// contactRemarks returns a captain's list of contacts, for the referee who reads the orders.
func contactRemarks(g *engine.Game, s *engine.Ship) string {
	if g.Blind == nil {
		return ""
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range log.Contacts {
		if !c.Kept(g.Turn, *g.Blind.Memory) {
			continue
		}
		who, shows := "nothing, an echo", c.Level.String()
		if o, ok := g.Ship(c.Ship); ok {
			who = o.Name
		}
		if c.Lost {
			shows = "lost"
		}
		fmt.Fprintf(&b, ";     (has %s at %s: %s, %s)\n", c.Name(), c.Hex.Label(), who, shows)
	}
	return b.String()
}

// argText returns an argument of an order as written; "" if there is none of that name.
func argText(st orders.Statement, name string) string {
	a, _ := st.Arg(name)
	return a.Text
}
