package engine

import (
	"maps"
	"reflect"
	"slices"
)

// Body is the part of an event that its [EventType] fixes: a pointer to a struct. One that changes the game has a method
// Apply(*Game) error, which fails only on an event that does not fit it; what others tell is only told.
type Body any

// EventType is a type of event: what it is called in files, and of which type its bodies are, no other's.
type EventType struct {
	Name string

	body     reflect.Type // a struct; bodies are pointers to it
	blank    func() Body  // makes one to be read; nil for an empty struct
	traits   Trait
	audience *audience
}

// Trait is what the core does otherwise with events of a type.
type Trait int

// The traits of events. What is InPlace one is shown, in a game in the dark, in place of an event that tells more: once
// the battle is over captains see that other one alone. What is Listed is about what one captain has found: who sees
// everything sees what came about in its place. BetweenDice comes between the dice of an event and what follows from
// them, and is no use of them.
const (
	InPlace Trait = 1 << iota
	Listed
	BetweenDice
)

// EventOf is the type of the events whose bodies are *T.
func EventOf[T any](name string, traits ...Trait) *EventType {
	return EventOfBody(reflect.TypeFor[*T](), name, traits...)
}

// EventOfBody is the type of the events whose bodies are of a type of pointers.
func EventOfBody(body reflect.Type, name string, traits ...Trait) *EventType {
	t := &EventType{Name: name, body: body.Elem(), audience: audienceOf(body.Elem())}
	for _, trait := range traits {
		t.traits |= trait
	}
	return t
}

// ReadInto has bodies of the type read from files into what blank makes.
func (t *EventType) ReadInto(blank func() Body) *EventType {
	t.blank = blank
	return t
}

// New is an empty body of the type.
func (t *EventType) New() Body {
	if t.blank != nil {
		return t.blank()
	}
	return reflect.New(t.body).Interface()
}

// Has tells whether events of the type have a trait.
func (t *EventType) Has(trait Trait) bool { return t.traits&trait != 0 }

// OpenFields are those of the bodies of a type, each of them, in their order.
func (t *EventType) OpenFields() []OpenField { return openFields(t.body) }

// EventTypes are those of a rule set, of the core, or of what stands beside a rule set.
type EventTypes struct {
	byName map[string]*EventType
	byBody map[reflect.Type]*EventType // by the type of pointers to them
	twice  string                      // a name that two of them have; blank for none
}

// ListEvents lists types of events.
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

// Sorted are the types in order of name.
func (all *EventTypes) Sorted() []*EventType {
	out := make([]*EventType, 0, len(all.byName))
	for _, name := range all.Names() {
		out = append(out, all.byName[name])
	}
	return out
}

// Names are those of the types, in order.
func (all *EventTypes) Names() []string { return slices.Sorted(maps.Keys(all.byName)) }
