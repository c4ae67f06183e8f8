package manual

import (
	"fmt"
	"slices"

	"starpost/engine"
)

// Ordered is what the captain of a ship ordered, as the referee read it.
type Ordered struct {
	Ship  engine.ShipID `json:"ship"`
	Lines []string      `json:"lines"`
}

// Told is text by the referee: paragraphs for everyone ("all"), a side or the captain of a ship.
type Told struct {
	To   string   `json:"to" see:"all"` // "all", or the id of a side or ship
	Text []string `json:"text" see:"all"`
}

// Part begins a part of the report.
type Part struct {
	Title string `json:"title" see:"all"`
}

// Mark sets a track of a ship, or adds one.
type Mark struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Track  string        `json:"track" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
	Of     int           `json:"of" see:"all"`
	New    bool          `json:"new,omitempty" see:"all"`
}

// Apply implements engine.Body.
func (b *Mark) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	t, ok := of(s).track(b.Track)
	switch {
	case ok == b.New:
		return fmt.Errorf("%s: track %s is there: %v", b.Ship, b.Track, ok)
	case ok && t.Now != b.Before:
		return fmt.Errorf("%s: %s is %d, not %d", b.Ship, b.Track, t.Now, b.Before)
	}
	of(s).put(Track{Name: b.Track, Now: b.After, Of: b.Of})
	return nil
}

// sighted makes a ship visible to another, or invisible. Name is her name for the captain who loses sight of her. In
// a game in the dark Level overrides the sensors: nothing, field, presence, rough or full; "sensors" ends that.
type sighted struct {
	Ship engine.ShipID `json:"ship"` // the ship seen
	By   engine.ShipID `json:"by"`
	Name string        `json:"name"`
	Seen bool          `json:"seen"`

	Level string `json:"level,omitempty"`
}

// Apply implements engine.Body.
func (b *sighted) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	w, found := g.Ship(b.By)
	if !ok || !found || s == w {
		return fmt.Errorf("no ships %q and %q", b.Ship, b.By)
	}
	sys := of(s)
	if b.Level != "" {
		sys.show(w.ID, b.Level)
		return nil
	}
	if sees(w, s) == b.Seen {
		return nil
	}
	if i, in := slices.BinarySearch(sys.Except, w.ID); in {
		sys.Except = slices.Delete(sys.Except, i, i+1)
	} else {
		sys.Except = slices.Insert(sys.Except, i, w.ID)
	}
	if len(sys.Except) == 0 {
		sys.Except = nil // as when read from JSON
	}
	return nil
}

// Shot is fire by one ship at another, for the map and the report.
type Shot struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	Hit    bool          `json:"hit" see:"all"`
	With   string        `json:"with,omitempty" see:"all"`
}

// Enter puts a ship into the battle, whatever her status was.
type Enter struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	To   engine.Place  `json:"to" see:"all"`
}

// Apply implements engine.Body.
func (b *Enter) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	s.Status, s.Hex, s.Heading = engine.Active, b.To.Hex, b.To.Heading
	s.OutTurn, s.Exit = 0, nil
	return nil
}
