package ruling

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// Field is something of a ship that a referee may set.
type Field struct {
	Name    string   `json:"name"`              // "superstructure", "shield-2"
	System  string   `json:"system,omitempty"`  // as repair and damage call it; "" if they call it as Name does
	Now     string   `json:"now"`               //
	Choices []string `json:"choices,omitempty"` // the words that it may be; nil for a whole number
	Low     int      `json:"low"`               // the least number ...
	High    int      `json:"high"`              // ... and the most
	Floor   int      `json:"floor"`             // with force: the least number that can be played with at all ...
	Ceiling int      `json:"ceiling"`           // ... and the most
	Whole   string   `json:"whole,omitempty"`   // what it is in a ship that nothing has happened to; "" if it cannot be repaired
	Lost    string   `json:"lost,omitempty"`    // what damage makes of it, where that has no points; "" for numbers
	Vital   bool     `json:"vital,omitempty"`   // a ship is out of the fight with less than Low
	Ship    bool     `json:"ship,omitempty"`    // it is neither word nor number but a ship that is on the map, by id
	Open    bool     `json:"open,omitempty"`    // all who see the ship see it
}

// Editable is a System of which a referee may set something.
type Editable interface {
	engine.System
	// Fields are all that may be set, in the order in which they are listed.
	Fields() []Field
	// Set gives a field a value that it can have, perhaps only by force.
	Set(name, value string) error
}

// The dials that every ship has.
const (
	fieldPlace   = "place" // hex and heading together: "0405 C"
	fieldHex     = "hex"
	fieldHeading = "heading"
	fieldStatus  = "status"
)

// Ruled is a referee's change. Field, From and To say of a ship what it was and
// is, From and To of a roll what the die showed and what counts; a ruling that
// changes several things is several events, one that is only for the record has
// neither.
type Ruled struct {
	By    string          `json:"by" see:"all"`
	What  string          `json:"what" see:"all"`
	Why   string          `json:"why" see:"all"`
	Ship  engine.ShipID   `json:"ship,omitempty" see:"all"`
	Field string          `json:"field,omitempty" see:"all"`
	From  string          `json:"from,omitempty" see:"all"`
	To    string          `json:"to,omitempty" see:"all"`
	Roll  engine.RollName `json:"roll,omitzero" see:"all"` // whole name of the roll that follows
	Force bool            `json:"force,omitempty" see:"all"`
}

// ruled is the event of a ruling; what it changes is for who emits it to say.
func (r Ruling) ruled() *Ruled { return &Ruled{By: r.By, What: r.What, Why: r.Why} }

// Apply implements Body.
func (b *Ruled) Apply(g *engine.Game) error {
	if b.Field == "" {
		return nil
	}
	s, ok := g.Ship(b.Ship)
	if !ok {
		return engine.UnknownShip(b.Ship)
	}
	now, err := fieldNow(s, b.Field)
	if err != nil {
		return err
	}
	if now != b.From {
		return fmt.Errorf("%s of %s is %s, not %s", b.Field, b.Ship, now, b.From)
	}
	return setField(s, b.Field, b.To)
}

// Sentence implements [engine.Telling].
func (b *Ruled) Sentence(v *engine.View) string {
	return "ruling of " + b.By + ": " + b.Change(v.Name)
}

// Change tells the change alone; name gives the name of a ship by its id.
func (b *Ruled) Change(name func(id engine.ShipID) string) string {
	forced := ""
	if b.Force {
		forced = ", beyond what the class allows"
	}
	switch {
	case b.Roll != (engine.RollName{}):
		return fmt.Sprintf("%s: the die showed %s, %s counts", b.Roll, b.From, b.To)
	case b.Field == fieldPlace:
		return fmt.Sprintf("%s is moved from %s to %s%s", name(b.Ship), b.From, b.To, forced)
	case b.Field != "":
		return fmt.Sprintf("%s: %s was %s, is %s%s", name(b.Ship), b.Field, b.From, b.To, forced)
	}
	return b.What
}

func placeOf(s *engine.Ship) engine.Place { return engine.Place{Hex: s.Hex, Heading: s.Heading} }

func placeWords(p engine.Place) string { return p.Hex.Label() + " " + p.Heading.String() }

func fieldNow(s *engine.Ship, name string) (string, error) {
	switch name {
	case fieldPlace:
		return placeWords(placeOf(s)), nil
	case fieldStatus:
		return string(s.Status), nil
	}
	if d, ok := s.System.(Editable); ok {
		for _, field := range d.Fields() {
			if field.Name == name {
				return field.Now, nil
			}
		}
	}
	return "", fmt.Errorf("%s has no %q", s.ID, name)
}

func setField(s *engine.Ship, name, value string) error {
	switch name {
	case fieldPlace:
		at, heading, _ := strings.Cut(value, " ")
		h, err := hex.ParseLabel(at)
		if err != nil {
			return err
		}
		d, err := hex.ParseHeading(heading)
		if err != nil {
			return err
		}
		s.Hex, s.Heading = h, d
		return nil
	case fieldStatus:
		s.Status = engine.Status(value)
		if s.Status == engine.Active {
			s.OutTurn, s.Exit = 0, nil
		}
		return nil
	}
	d, ok := s.System.(Editable)
	if !ok {
		return fmt.Errorf("%s has no %q", s.ID, name)
	}
	return d.Set(name, value)
}

// On are the rulings of a turn on a ship: on where she is, or else on her systems. There are none where causes are not recorded.
func On(t *engine.Turn, ship engine.ShipID, place bool) []engine.Ref {
	if !t.Traced() {
		return nil
	}
	var out []engine.Ref
	for _, e := range t.Events() {
		if b, ok := e.Body.(*Ruled); ok && b.Ship == ship && b.Field != "" && (b.Field == fieldPlace) == place {
			out = append(out, engine.Ref{Event: e.Seq})
		}
	}
	return out
}
