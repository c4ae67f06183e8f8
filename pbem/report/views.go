package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ViewJSON is a view as the JSON report, its events apart: most of them other views of the
// turn have too.
type ViewJSON struct {
	Around []byte   // the report without events
	At     int      // where in it they belong
	Events [][]byte // each without its number, which is its place: `"phase":1,...}`
}

// JSON puts the report together.
func (v ViewJSON) JSON() []byte {
	size := len(v.Around)
	for _, e := range v.Events {
		size += len(e) + 12
	}
	out := append(make([]byte, 0, size), v.Around[:v.At]...)
	for i, e := range v.Events {
		out = strconv.AppendInt(append(nextItem(out, i), `{"n":`...), int64(i+1), 10)
		out = append(append(out, ','), e...)
	}
	return append(out, v.Around[v.At:]...)
}

// NamedView is the view of a seat, by the seat's name.
type NamedView struct {
	Name string
	View ViewJSON
}

// viewRecord is a value of the file of views: an event, or a view of events before it.
type viewRecord struct {
	Event json.RawMessage `json:"event,omitempty"`
	View  string          `json:"view,omitempty"`
	At    int             `json:"at,omitempty"`
	Sees  string          `json:"sees,omitempty"` // events by their numbers in the file, from 1: "1-57,60"
	Of    json.RawMessage `json:"of,omitempty"`
}

// EncodeViews writes the views of a turn as one file: JSON values one after the other, what
// several views share once. An event comes before the first view that has it.
func EncodeViews(views []NamedView) []byte {
	size := 0 // of all views, and of events as many as most see
	for i, v := range views {
		size += len(v.View.Around) + 256
		for _, e := range v.View.Events {
			if i == 0 {
				size += len(e) + 16
			}
		}
	}
	out := make([]byte, 0, size+size/8)
	numbers := map[*byte]int{} // of events, by where they are in memory
	sees := []byte{}
	for _, v := range views {
		sees = sees[:0]
		from, to := 0, 0
		flush := func() {
			if from == 0 {
				return
			}
			if len(sees) > 0 {
				sees = append(sees, ',')
			}
			if sees = strconv.AppendInt(sees, int64(from), 10); to > from {
				sees = strconv.AppendInt(append(sees, '-'), int64(to), 10)
			}
		}
		for _, e := range v.View.Events {
			n := numbers[&e[0]]
			if n == 0 {
				n = len(numbers) + 1
				numbers[&e[0]] = n
				out = append(append(append(out, `{"event":{`...), e...), "}\n"...)
			}
			if n != to+1 || from == 0 {
				flush()
				from = n
			}
			to = n
		}
		flush()
		out = appendString(append(out, `{"view":`...), v.Name)
		out = strconv.AppendInt(append(out, `,"at":`...), int64(v.View.At), 10)
		out = append(append(append(out, `,"sees":"`...), sees...), "\",\"of\":"...)
		out = append(append(out, bytes.TrimSuffix(v.View.Around, []byte("\n"))...), "}\n"...)
	}
	return out
}

// DecodeViews reads what EncodeViews wrote.
func DecodeViews(data []byte) (map[string]ViewJSON, error) {
	views := map[string]ViewJSON{}
	var events [][]byte
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var r viewRecord
		err := dec.Decode(&r)
		if errors.Is(err, io.EOF) {
			return views, nil
		}
		if err == nil {
			err = r.add(&events, views)
		}
		if err != nil {
			return nil, fmt.Errorf("record %d, byte %d: %w", len(events)+len(views)+1, dec.InputOffset(), err)
		}
	}
}

// add adds an event, or a view.
func (r *viewRecord) add(events *[][]byte, views map[string]ViewJSON) error {
	if r.View == "" {
		if len(r.Event) < 2 || r.Event[0] != '{' {
			return errors.New("it is neither an event nor a view")
		}
		*events = append(*events, r.Event[1:])
		return nil
	}
	if r.At <= 0 || r.At >= len(r.Of) {
		return fmt.Errorf("the view of %s has no place %d", r.View, r.At)
	}
	v := ViewJSON{Around: append(r.Of, '\n'), At: r.At}
	for run := range strings.SplitSeq(r.Sees, ",") {
		if run == "" {
			continue
		}
		first, last, more := strings.Cut(run, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && more {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 1 || to < from || to > len(*events) || len(v.Events) > len(*events) {
			return fmt.Errorf("the view of %s has no events %q", r.View, run)
		}
		v.Events = append(v.Events, (*events)[from-1:to]...)
	}
	views[r.View] = v
	return nil
}
