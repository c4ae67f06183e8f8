package engine

import (
	"maps"
	"reflect"
	"slices"
)

// Body is the part of an event that depends on its [EventType]: a pointer to a struct. A body that changes the game
// has a method Apply(*Game) error, which fails only if the event does not fit the game. Others only inform.
type Body any

// EventType is a type of event: its name in files, and the Go type of its bodies, which no other event type shares.
type EventType struct {
	Name string

	body     reflect.Type // a struct; bodies are pointers to it
	blank    func() Body  // makes a body to be read into; nil for the zero value
	traits   Trait
	audience *audience
}

// Trait marks event types that the core treats in a special way.
type Trait int

// The traits of events. In a game in the dark an InPlace event is shown in place of one that says more; once the
// battle is over captains see only the fuller one. A Listed event records what one captain found; viewers of
// everything see the events behind it instead. A BetweenDice event may come between dice and the event that uses
// them, and uses none itself.
const (
	InPlace Trait = 1 << iota
	Listed
	BetweenDice
)

// EventOf returns the type of the events with *T as their body.
func EventOf[T any](name string, traits ...Trait) *EventType {
	return EventOfBody(reflect.TypeFor[*T](), name, traits...)
}

// EventOfBody returns the type of the events with bodies of a pointer type.
func EventOfBody(body reflect.Type, name string, traits ...Trait) *EventType {
	t := &EventType{Name: name, body: body.Elem(), audience: audienceOf(body.Elem())}
	for _, trait := range traits {
		t.traits |= trait
	}
	return t
}

// ReadInto lets blank make the bodies that are read from files, and returns the type.
func (t *EventType) ReadInto(blank func() Body) *EventType {
	t.blank = blank
	return t
}

// New returns an empty body of the type.
func (t *EventType) New() Body {
	if t.blank != nil {
		return t.blank()
	}
	return reflect.New(t.body).Interface()
}

// Has reports whether events of the type have a trait.
func (t *EventType) Has(trait Trait) bool { return t.traits&trait != 0 }

// OpenFields returns the fields of the type's bodies, in their order.
func (t *EventType) OpenFields() []OpenField { return openFields(t.body) }

// EventTypes are the event types of a rule set, of the core, of a referee or of an extension.
type EventTypes struct {
	byName map[string]*EventType
	byBody map[reflect.Type]*EventType // by pointer type
	twice  string                      // a name that two of them share; blank if there is none
}

// ListEvents makes a list of event types.
func ListEvents(types ...*EventType) *EventTypes {
	all := &EventTypes{byName: make(map[string]*EventType, len(types)), byBody: make(map[reflect.Type]*EventType, len(types))}
	for _, t := range types {
		if all.byName[t.Name] != nil {
			all.twice = t.Name
		}
		all.byName[t.Name], all.byBody[reflect.PointerTo(t.body)] = t, t
	}
	return all
}

// Sorted returns the types in order of name.
func (all *EventTypes) Sorted() []*EventType {
	out := make([]*EventType, 0, len(all.byName))
	for _, name := range all.Names() {
		out = append(out, all.byName[name])
	}
	return out
}

// Names returns the names of the types, sorted.
func (all *EventTypes) Names() []string { return slices.Sorted(maps.Keys(all.byName)) }
