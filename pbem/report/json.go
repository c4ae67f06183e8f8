package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"starpost/engine"
)

// Cache remembers the JSON of event bodies. Views of one turn share the bodies
// that their viewers see whole, so each is written once and not once a captain.
// It may be used by several goroutines, and only for views of one turn.
type Cache struct{ bodies sync.Map }

// JSON writes a view as the JSON report: the view itself, with a line for each
// ship and each event. Cache may be nil.
func JSON(v *engine.View, c *Cache) ([]byte, error) {
	// Ships and events are written one by one; the rest as it is.
	rest := *v
	rest.Ships, rest.Events = nil, nil
	head, err := json.Marshal(rest)
	if err != nil {
		return nil, fmt.Errorf("write view of %s: %w", v.Game, err)
	}
	before, after, ok := bytes.Cut(head, []byte(`"ships":null,"events":null`))
	if !ok {
		return nil, fmt.Errorf("write view of %s: the view's fields have moved", v.Game)
	}
	out := make([]byte, 0, len(head)+512*len(v.Ships)+160*len(v.Events)+64)
	out = append(out, before...)
	out = append(out, "\n\"ships\":["...)
	for i, s := range v.Ships {
		data, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("write ship %s of %s: %w", s.ID, v.Game, err)
		}
		out = appendItem(out, i, data)
	}
	out = append(out, "],\n\"events\":["...)
	for i, e := range v.Events {
		if out, err = c.appendEvent(appendItem(out, i, nil), e); err != nil {
			return nil, fmt.Errorf("write event %d of %s: %w", e.N, v.Game, err)
		}
	}
	out = append(out, ']')
	if len(after) > 0 && after[0] == ',' {
		out = append(out, '\n')
	}
	out = append(out, after...)
	return append(out, '\n'), nil
}

func appendItem(out []byte, i int, data []byte) []byte {
	if i > 0 {
		out = append(out, ',')
	}
	out = append(out, '\n')
	return append(out, data...)
}

// appendEvent writes one event; a nil cache remembers nothing.
func (c *Cache) appendEvent(out []byte, e engine.Entry) ([]byte, error) {
	shared := c != nil && reflect.TypeOf(e.Body).Kind() == reflect.Pointer
	if shared {
		if tail, ok := c.bodies.Load(e.Body); ok {
			out = strconv.AppendInt(append(out, `{"n":`...), int64(e.N), 10)
			return append(append(out, ','), tail.([]byte)...), nil
		}
	}
	data, err := e.MarshalJSON()
	if err != nil {
		return out, err
	}
	// What follows the number is the same in every view.
	if _, tail, ok := bytes.Cut(data, []byte(",")); ok && shared {
		c.bodies.Store(e.Body, tail)
	}
	return append(out, data...), nil
}
