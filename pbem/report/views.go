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

// ViewJSON is a view as the JSON report, with its events kept separate, because the views
// of a turn share most of them.
type ViewJSON struct {
	Around []byte   // the report without events
	At     int      // offset in Around at which the events belong
	Events [][]byte // in order, each without its number: `"phase":1,...}`
}

// JSON returns the whole report.
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

// NamedView is the view of a seat, with the seat's name.
type NamedView struct {
	Name string
	View ViewJSON
}

// viewRecord is one value in a file of views: an event, or a view that refers to events before it.
type viewRecord struct {
	Event json.RawMessage `json:"event,omitempty"`
	View  string          `json:"view,omitempty"`
	At    int             `json:"at,omitempty"`
	Sees  string          `json:"sees,omitempty"` // events by their numbers in the file, from 1: "1-57,60"
	Of    json.RawMessage `json:"of,omitempty"`
}

// EncodeViews returns the views of a turn as one file: a sequence of JSON values, in which an
// event that several views share is written once, before the first of them.
func EncodeViews(views []NamedView) []byte {
	size := 0 // of all views, and of the events of the first one
	for i, v := range views {
		size += len(v.View.Around) + 256
		for _, e := range v.View.Events {
			if i == 0 {
				size += len(e) + 16
			}
		}
	}
	out := make([]byte, 0, size+size/8)
	numbers := map[*byte]int{} // of events, by address in memory
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

// DecodeViews decodes a file written by EncodeViews and returns its views by name.
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

// add adds the record's event to events, or its view to views.
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
