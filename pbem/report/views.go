package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// DecodeViews decodes a file written by EncodeViews and returns its views by name. It relies on the order in
// which EncodeViews writes, and does not check the content of events and views, since the manifest has the file's
// checksum: encoding/json would take several times as long. The events share the memory of data.
func DecodeViews(data []byte) (map[string]ViewJSON, error) {
	views := map[string]ViewJSON{}
	var events [][]byte
	for at := 0; at < len(data); {
		record := data[at:]
		record = record[:valueEnd(record)]
		err := errors.New("it is neither an event nor a view")
		if event, ok := bytes.CutPrefix(record, []byte(`{"event":{`)); ok {
			events, err = append(events, event[:len(event)-1]), nil
		} else if head, of, ok := bytes.Cut(record, []byte(`,"of":`)); ok {
			err = addView(views, events, head, of[:len(of)-1])
		} else if len(record) == 0 {
			err = errors.New("it does not end")
		}
		if err != nil {
			return nil, fmt.Errorf("record %d, byte %d: %w", len(events)+len(views)+1, at, err)
		}
		at += len(record) + 1 // and the end of the line
	}
	return views, nil
}

// valueEnd returns the length of the JSON object at the beginning of data; 0 if it does not end there.
func valueEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0
}

// addView adds a view to views. head is its record up to the view itself, of.
func addView(views map[string]ViewJSON, events [][]byte, head, of []byte) error {
	var r struct {
		View string `json:"view"`
		At   int    `json:"at"`
		Sees string `json:"sees"` // events by their numbers in the file, from 1: "1-57,60"
	}
	if err := json.Unmarshal(append(bytes.Clone(head), '}'), &r); err != nil {
		return err
	}
	if r.At <= 0 || r.At >= len(of) {
		return fmt.Errorf("the view of %s has no place %d", r.View, r.At)
	}
	v := ViewJSON{Around: append(bytes.Clone(of), '\n'), At: r.At}
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
		if err != nil || from < 1 || to < from || to > len(events) || len(v.Events) > len(events) {
			return fmt.Errorf("the view of %s has no events %q", r.View, run)
		}
		v.Events = append(v.Events, events[from-1:to]...)
	}
	views[r.View] = v
	return nil
}
