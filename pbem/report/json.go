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

// Cache keeps the JSON of what the views of one turn share: the bodies of
// events and the systems of ships. Each is encoded once, not once a captain.
// It is safe for concurrent use.
type Cache struct{ written sync.Map }

// appendJSON appends the JSON report of a view to out, except the events, which it returns
// separately. Each ship and each event starts a line. The JSON is ASCII, and no line is too
// long for mail, unless a single string is. Cache may be nil.
func appendJSON(out []byte, v *engine.View, c *Cache) (ViewJSON, error) {
	// Ships and events are written one by one, the rest in one piece.
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

// event returns an event without its number, because only that differs between views.
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

// once returns the JSON of a value, calling write only the first time. A nil cache
// keeps nothing. Only pointers are kept, because other values may be equal.
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
		// If two goroutines wrote it at the same time, both go on with the same bytes:
		// EncodeViews recognizes shared events by their address.
		first, _ := c.written.LoadOrStore(v, data)
		data = first.([]byte)
	}
	return data, nil
}

// appendShip appends a ship. Its system, the state kept by the rule set, is encoded once for all views.
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
