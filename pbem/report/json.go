package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"starpost/engine"
)

// Cache remembers the JSON of what views of one turn share: the bodies of
// events, and what is public of ships. Each is written once and not once a
// captain. It may be used by several goroutines.
type Cache struct{ written sync.Map }

// appendJSON writes a view as the JSON report but for its events: the view itself, with a
// line for each ship and each event. It is ASCII, and lines are broken before they get too
// long for a mail, unless a captain's text is. Cache may be nil.
func appendJSON(out []byte, v *engine.View, c *Cache) (ViewJSON, error) {
	// Ships and events are written one by one; the rest as it is.
	rest := *v
	rest.Ships, rest.Events = nil, nil
	head, err := json.Marshal(rest)
	if err != nil {
		return ViewJSON{}, fmt.Errorf("write view of %s: %w", v.Game, err)
	}
	before, after, ok := bytes.Cut(head, []byte(`"ships":null,"events":null`))
	if !ok {
		return ViewJSON{}, fmt.Errorf("write view of %s: the view's fields have moved", v.Game)
	}
	out = slices.Grow(out, len(head)+512*len(v.Ships)+4096)
	out = append(out, mailable(before)...)
	out = append(out, "\n\"ships\":["...)
	for i, s := range v.Ships {
		if out, err = c.appendShip(nextItem(out, i), s); err != nil {
			return ViewJSON{}, fmt.Errorf("write ship %s of %s: %w", s.ID, v.Game, err)
		}
	}
	out = append(out, "],\n\"events\":["...)
	view := ViewJSON{At: len(out), Events: make([][]byte, len(v.Events))}
	for i := range v.Events {
		if v.Events[i].N != i+1 {
			return ViewJSON{}, fmt.Errorf("write view of %s: event %d has the number %d", v.Game, i+1, v.Events[i].N)
		}
		if view.Events[i], err = c.event(&v.Events[i]); err != nil {
			return ViewJSON{}, fmt.Errorf("write event %d of %s: %w", i+1, v.Game, err)
		}
	}
	out = append(out, ']')
	if len(after) > 0 && after[0] == ',' {
		out = append(out, ",\n"...)
		after = after[1:]
	}
	view.Around = append(append(out, mailable(after)...), '\n')
	return view, nil
}

func nextItem(out []byte, i int) []byte {
	if i > 0 {
		out = append(out, ',')
	}
	return append(out, '\n')
}

// event is one event without its number: that is the same in every view.
func (c *Cache) event(e *engine.Entry) ([]byte, error) {
	return c.once(e.Body, func() ([]byte, error) {
		data, err := e.MarshalJSON()
		if err != nil {
			return nil, err
		}
		_, tail, ok := bytes.Cut(data, []byte(","))
		if !ok {
			return nil, fmt.Errorf("the entry is only %s", data)
		}
		return tail, nil
	})
}

// once gives what was written for a value, or writes it. A nil cache remembers
// nothing, and none remembers what is no pointer: it may be equal to another.
func (c *Cache) once(v any, write func() ([]byte, error)) ([]byte, error) {
	shared := c != nil && reflect.TypeOf(v).Kind() == reflect.Pointer
	if shared {
		if data, ok := c.written.Load(v); ok {
			return data.([]byte), nil
		}
	}
	data, err := write()
	if err != nil {
		return nil, err
	}
	data = mailable(data)
	if shared {
		// Of two that wrote it at the same time both go on with the same bytes: by where they
		// are in memory they are known to be shared.
		first, _ := c.written.LoadOrStore(v, data)
		data = first.([]byte)
	}
	return data, nil
}

// appendShip writes a ship, with what its rules keep of it written once for all views.
func (c *Cache) appendShip(b []byte, s *engine.ShipView) ([]byte, error) {
	start, head := len(b), *s
	head.System = nil
	data, err := json.Marshal(head)
	if err != nil {
		return b, err
	}
	if b = append(b, mailable(data)...); s.System == nil {
		return b, nil
	}
	system, err := c.once(s.System, func() ([]byte, error) { return engine.Marshal(s.System) })
	if err != nil {
		return b, err
	}
	b = append(b[:len(b)-1], `,"system":`...)
	if len(b)-start+len(system) > longest {
		b = append(b, '\n')
	}
	return append(append(b, system...), '}'), nil
}
