package ruling

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// Field is something of a ship that a referee may set.
type Field struct {
	Name    string   `json:"name"`             // "superstructure", "shield-2"
	System  string   `json:"system,omitempty"` // its name in repair and damage; "" if that is Name
	Now     string   `json:"now"`
	Choices []string `json:"choices,omitempty"` // the words it may be; nil for a number
	Low     int      `json:"low"`               // the lowest number ...
	High    int      `json:"high"`              // ... and the highest
	Floor   int      `json:"floor"`             // with force: the lowest number that the game can handle ...
	Ceiling int      `json:"ceiling"`           // ... and the highest
	Whole   string   `json:"whole,omitempty"`   // its value on an undamaged ship; "" if it cannot be repaired
	Lost    string   `json:"lost,omitempty"`    // its value when damaged, if it has no points; "" for numbers
	Vital   bool     `json:"vital,omitempty"`   // a ship with less than Low is out of the fight
	Ship    bool     `json:"ship,omitempty"`    // its value is the id of a ship on the map
	Open    bool     `json:"open,omitempty"`    // everyone who sees the ship sees it
}

// Editable is a System with fields that a referee may set.
type Editable interface {
	engine.System
	// Fields returns all fields that may be set, in the order for lists.
	Fields() []Field
	// Set sets a field to a valid value, perhaps one that needs force.
	Set(name, value string) error
}

// The fields that every ship has.
const (
	fieldPlace   = "place" // hex and heading together: "0405 C"
	fieldHex     = "hex"
	fieldHeading = "heading"
	fieldStatus  = "status"
)

// Ruled is a referee's change. For a ship, Field, From and To are the old and new value of a field; for a roll,
// From and To are what the die showed and what counts. A ruling that changes several things makes several events;
// one that is only for the record has neither.
type Ruled struct {
	By    string          `json:"by" see:"all"`
	What  string          `json:"what" see:"all"`
	Why   string          `json:"why" see:"all"`
	Ship  engine.ShipID   `json:"ship,omitempty" see:"all"`
	Field string          `json:"field,omitempty" see:"all"`
	From  string          `json:"from,omitempty" see:"all"`
	To    string          `json:"to,omitempty" see:"all"`
	Roll  engine.RollName `json:"roll,omitzero" see:"all"` // full name of the roll that follows
	Force bool            `json:"force,omitempty" see:"all"`
}

// ruled returns the event of a ruling; its caller fills in what changes.
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

// Change describes only the change; name returns the name of a ship by its id.
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

// On returns a turn's rulings on a ship: on her place, or else on her systems. It returns none if causes are not
// recorded.
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
