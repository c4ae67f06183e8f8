package family

import (
	"reflect"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
)

// Told is all that a rule set L says about events with a body B, a pointer, in reports written by an N. A nil field
// adds nothing to what the core says. B is a pointer because the compiler generates generic code once for all
// pointer types, but separately for each struct type.
type Told[N, L, B any] struct {
	// Tell adds an event to a report. Alone describes an event by itself, if that is another sentence.
	Tell  func(n N, b B, cite string)
	Alone func(l L, v *engine.View, b B) string
	// Why explains what the rules did in the i-th event of a story: see [engine.Rules].
	Why func(l L, s *engine.Story, i int, b B) []string
	// Unknown returns what a captain is told who does not know all ships in the event: see [dark.Rules]. Hers marks
	// events about only the ship in field Ship: her captain is told of them in the names that the captain knows.
	Unknown func(l L, b B, to *dark.Observer) (engine.Body, []string)
	Hers    bool
	// Posts are the posts of a crew that see the event. Sees, if not nil, decides for each post instead.
	Posts []string
	Sees  func(b B, ship engine.ShipID, post string) bool
}

// Event is a [Told] for one type of event.
type Event[N, L any] struct {
	Type *engine.EventType // nil for events of the core or of an extension

	body    reflect.Type
	posts   []string
	tell    func(n N, b engine.Body, cite string)
	alone   func(l L, v *engine.View, b engine.Body) string
	why     func(l L, s *engine.Story, i int) []string
	unknown func(l L, b engine.Body, to *dark.Observer) (engine.Body, []string)
	sees    func(b engine.Body, ship engine.ShipID, post string) bool
}

// Own defines an event type of the rule set, and what the rule set says about its events.
func Own[N, L, B any](name string, told Told[N, L, B], traits ...engine.Trait) Event[N, L] {
	e := Also(told)
	e.Type = engine.EventOfBody(e.body, name, traits...)
	return e
}

// Also defines what a rule set says about events that are defined elsewhere.
func Also[N, L, B any](told Told[N, L, B]) Event[N, L] {
	e := Event[N, L]{body: reflect.TypeFor[B](), posts: told.Posts}
	if told.Tell != nil {
		e.tell = func(n N, b engine.Body, cite string) { told.Tell(n, as[B](b), cite) }
	}
	if told.Alone != nil {
		e.alone = func(l L, v *engine.View, b engine.Body) string { return told.Alone(l, v, as[B](b)) }
	}
	if told.Why != nil {
		e.why = func(l L, s *engine.Story, i int) []string { return told.Why(l, s, i, as[B](s.Events[i].Body)) }
	}
	if told.Hers {
		e.unknown = func(_ L, b engine.Body, to *dark.Observer) (engine.Body, []string) { return hers(b, to) }
	}
	if told.Unknown != nil {
		e.unknown = func(l L, b engine.Body, to *dark.Observer) (engine.Body, []string) {
			return told.Unknown(l, as[B](b), to)
		}
	}
	if told.Sees != nil {
		e.sees = func(b engine.Body, ship engine.ShipID, post string) bool { return told.Sees(as[B](b), ship, post) }
	}
	return e
}

// as returns a body as the type under which its row was found.
func as[B any](b engine.Body) B {
	typed, _ := b.(B)
	return typed
}

// Events are what a rule set says about all events, by the types of their bodies.
type Events[N, L any] map[reflect.Type]*Event[N, L]

// ListEvents makes Events of rows. What a later row says about the same events takes precedence.
func ListEvents[N, L any](rows ...Event[N, L]) Events[N, L] {
	all := Events[N, L]{}
	for i := range rows {
		e := &rows[i]
		was := all[e.body]
		if all[e.body] = e; was == nil {
			continue
		}
		instead(&e.Type, was.Type, e.Type != nil)
		instead(&e.tell, was.tell, e.tell != nil)
		instead(&e.alone, was.alone, e.alone != nil)
		instead(&e.why, was.why, e.why != nil)
		instead(&e.unknown, was.unknown, e.unknown != nil)
		instead(&e.sees, was.sees, e.sees != nil)
		instead(&e.posts, was.posts, e.posts != nil)
	}
	return all
}

// instead sets *of to other unless there is already something there.
func instead[T any](of *T, other T, there bool) {
	if !there {
		*of = other
	}
}

// Types returns the event types of the rule set's own.
func (all Events[N, L]) Types() *engine.EventTypes {
	var types []*engine.EventType
	for _, e := range all {
		if e.Type != nil {
			types = append(types, e.Type)
		}
	}
	return engine.ListEvents(types...)
}

func (all Events[N, L]) of(b engine.Body) *Event[N, L] {
	if e := all[reflect.TypeOf(b)]; e != nil {
		return e
	}
	return &Event[N, L]{}
}

// Tell lets n tell an event; false: the rule set has no words for it.
func (all Events[N, L]) Tell(n N, b engine.Body, cite string) bool {
	e := all.of(b)
	if e.tell == nil {
		return false
	}
	e.tell(n, b, cite)
	return true
}

// Alone describes an event by itself; false: like a report does.
func (all Events[N, L]) Alone(l L, v *engine.View, b engine.Body) (text string, ok bool) {
	e := all.of(b)
	if e.alone == nil {
		return "", false
	}
	return e.alone(l, v, b), true
}

// Why explains what the rules did in the i-th event of a story; false: they say nothing about events of its type.
func (all Events[N, L]) Why(l L, s *engine.Story, i int) (why []string, ok bool) {
	e := all.of(s.Events[i].Body)
	if e.why == nil {
		return nil, false
	}
	return e.why(l, s, i), true
}

// Unknown returns a function that tells a captain about an event with ships unknown to them: see Told.Unknown.
func (all Events[N, L]) Unknown(l L) func(b engine.Body, to *dark.Observer) (engine.Body, []string) {
	return func(b engine.Body, to *dark.Observer) (engine.Body, []string) {
		if e := all.of(b); e.unknown != nil {
			return e.unknown(l, b, to)
		}
		return nil, nil
	}
}

// SeenAt reports whether an event that is shown to a ship's people is seen from one of her posts.
func (all Events[N, L]) SeenAt(b engine.Body, ship engine.ShipID, post string) bool {
	e := all.of(b)
	if e.sees != nil {
		return e.sees(b, ship, post)
	}
	return slices.Contains(e.posts, post)
}

// hers returns what Hers shows of an event.
func hers(b engine.Body, to *dark.Observer) (engine.Body, []string) {
	if to.Own(engine.ShipID(reflect.ValueOf(b).Elem().FieldByName("Ship").String())) {
		return to.Retell(b), nil
	}
	return nil, nil
}
