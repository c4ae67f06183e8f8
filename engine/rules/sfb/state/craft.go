package state

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
)

// CraftLaunch launches a probe or a shuttle. Its destination and what it studies are known only to its captain.
type CraftLaunch struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Craft  string        `json:"craft" see:"all"` // its name
	Short  string        `json:"short" see:"all"`
	At     engine.Place  `json:"at" see:"all"`
	To     hex.Hex       `json:"to,omitzero"`
	Study  engine.ShipID `json:"study,omitempty"`
	File   string        `json:"file,omitempty"`
	Words  string        `json:"words,omitempty"` // message that it carries
	Flight Flight        `json:"flight" see:"all"`
}

// Apply implements engine.Body.
func (b *CraftLaunch) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	kind := engine.KindProbe
	if b.Flight.Kind == sheet.Shuttle {
		kind = engine.KindShuttle
		Of(s).Away++
	} else {
		Of(s).Probes++
	}
	flight := b.Flight
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(strings.ToLower(b.Craft)), Name: b.Craft, Title: string(kind) + " of " + s.Name, Short: b.Short, Side: s.Side, Class: string(kind), Kind: kind,
		Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active,
		System: &System{Flight: &flight, Dealings: Dealings{Course: b.To, Mission: dark.Mission{Study: b.Study, File: b.File, Words: b.Words}}},
	})
}

// CraftCourse sends a shuttle to another hex.
type CraftCourse struct {
	Craft engine.ShipID `json:"craft"`
	To    hex.Hex       `json:"to"`
}

// Apply implements engine.Body.
func (b *CraftCourse) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Craft)
	if err == nil {
		sys.Course = b.To
	}
	return err
}

// Study is data gathered by a probe or shuttle, or passed from one ship to another.
type Study struct {
	Craft  engine.ShipID `json:"craft"`
	Ship   engine.ShipID `json:"ship"`           // who has the data now
	From   engine.ShipID `json:"from,omitempty"` // who had it before
	About  engine.ShipID `json:"about"`
	How    string        `json:"how"` // probe, study, receive or send
	Roll   int           `json:"roll,omitempty"`
	Range  int           `json:"range,omitempty"`
	Points int           `json:"points"`
}

// Apply implements engine.Body. A shuttle loses the data that it sends; a ship keeps a copy.
func (b *Study) Apply(g *engine.Game) error {
	to, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	to.Learn(b.About, b.Points)
	if b.From == b.Craft {
		from, err := systemOf(g, b.From)
		if err != nil {
			return err
		}
		from.Learn(b.About, -b.Points)
	}
	return nil
}

// shotClass is the class of a cannon's shots.
const shotClass = "shot"

// Burst is a shot fired by a battery cannon.
type Burst struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Weapon string        `json:"weapon" see:"all"`
	Shot   string        `json:"shot" see:"all"` // its name
	Short  string        `json:"short" see:"all"`
	At     engine.Place  `json:"at" see:"all"`
	Flight Flight        `json:"flight" see:"all"`
}

// Apply implements engine.Body.
func (b *Burst) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	w := Of(s).Weapon(b.Weapon)
	if w < 0 || Of(s).Bank(w).Left == 0 {
		return fmt.Errorf("%s has no cannon %q", b.Ship, b.Weapon)
	}
	Of(s).Weapons[w].Fired = b.Flight.Launched
	flight := b.Flight
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(strings.ToLower(b.Shot)), Name: b.Shot, Title: shotClass + " of " + s.Name, Short: b.Short, Side: s.Side, Class: shotClass, Kind: engine.KindShot,
		Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active, System: &System{Flight: &flight},
	})
}

// CraftBack is a shuttle taken back aboard, with its data.
type CraftBack struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	Craft engine.ShipID `json:"craft" see:"all"`
}

// Apply implements engine.Body.
func (b *CraftBack) Apply(g *engine.Game) error {
	sys, craft, err := systemsOf(g, b.Ship, b.Craft)
	if err != nil {
		return err
	}
	if sys.Away == 0 {
		return fmt.Errorf("%s takes %s back, and has launched no shuttle", b.Ship, b.Craft)
	}
	sys.Away--
	for _, k := range craft.Data {
		sys.Learn(k.About, k.Points)
	}
	craft.Data = nil
	return nil
}
