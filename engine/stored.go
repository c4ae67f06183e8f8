package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

type eventHead struct {
	Seq   int      `json:"seq"`
	Turn  int      `json:"turn"`
	Phase int      `json:"phase"`
	Step  string   `json:"step"`
	Type  string   `json:"type"`
	Rule  []string `json:"rule"`
	See   *seen    `json:"see,omitempty"`
}

// MarshalJSON writes head and body as one object.
func (e Event) MarshalJSON() ([]byte, error) { return appendEvent(nil, &e) }

// appendEvent writes an event in the form that the tags of eventHead describe.
func appendEvent(b []byte, e *Event) ([]byte, error) {
	b = strconv.AppendInt(append(b, `{"seq":`...), int64(e.Seq), 10)
	b = strconv.AppendInt(append(b, `,"turn":`...), int64(e.Turn), 10)
	b = appendHead(b, e.Phase, e.Step, e.Type.Name, e.Rule)
	b = append(b, `,"see":{`...)
	start := len(b)
	if len(e.See.Whole) > 0 {
		b = appendSeats(append(b, `"whole":`...), e.See.Whole)
	}
	if e.See.Rest {
		b = append(comma(b, start), `"rest":true`...)
	}
	if len(e.See.Also) > 0 {
		b = appendStrings(append(comma(b, start), `"also":`...), e.See.Also)
	}
	if len(e.See.Among) > 0 {
		b = appendStrings(append(comma(b, start), `"among":`...), e.See.Among)
	}
	return appendBody(append(b, '}'), e.Body)
}

// DecodeEvent reads one event of the core's types or the rule set's.
func DecodeEvent(data []byte, r *Rules) (Event, error) {
	var h eventHead
	if err := json.Unmarshal(data, &h); err != nil {
		return Event{}, fmt.Errorf("decode event: %w", err)
	}
	of, body, err := r.decodeBody(h.Type, data)
	if err != nil {
		return Event{}, fmt.Errorf("decode event %d: %w", h.Seq, err)
	}
	e := Event{Seq: h.Seq, Turn: h.Turn, Phase: h.Phase, Step: h.Step, Rule: h.Rule, Type: of, Body: body}
	if h.See != nil {
		e.See = h.See.of(of)
	}
	return e, nil
}

// EncodeEvents writes events as JSON lines.
func EncodeEvents(events []Event) ([]byte, error) {
	out := make([]byte, 0, 300*len(events))
	for i := range events {
		var err error
		if out, err = appendEvent(out, &events[i]); err != nil {
			return nil, fmt.Errorf("encode event %d: %w", events[i].Seq, err)
		}
		out = append(out, '\n')
	}
	return out, nil
}

// DecodeEvents reads JSON lines; errors give the line number.
func DecodeEvents(data []byte, r *Rules) ([]Event, error) {
	var out []Event
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := DecodeEvent(line, r)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// EncodeGame writes a game as indented JSON; equal games give equal bytes.
func EncodeGame(g *Game) ([]byte, error) {
	data, err := json.MarshalIndent(g, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode game %s: %w", g.ID, err)
	}
	if g.Format == perTurn && g.Bounds != nil {
		data = bytes.Replace(data, []byte("\n \"bounds\": {\n  \"columns\": "), []byte("\n \"bounds\": {\n  \"Cols\": "), 1)
		data = bytes.Replace(data, []byte(",\n  \"rows\": "), []byte(",\n  \"Rows\": "), 1)
	}
	return append(data, '\n'), nil
}

// DecodeGame reads what EncodeGame wrote, with the rule set that the game names. Its error may be a *FieldError.
func DecodeGame(data []byte, r *Rules) (*Game, error) {
	var raw struct {
		Game
		Ships []struct {
			Ship
			System json.RawMessage `json:"system"`
		} `json:"ships"`
	}
	foreign := func(err error, ship ShipID) error {
		if field, ok := errors.AsType[*FieldError](err); ok {
			var head struct{ Version string }
			if err := json.Unmarshal(data, &head); err != nil {
				return fmt.Errorf("decode game: %w", err)
			}
			return fmt.Errorf("decode game: %w", &FieldError{Field: field.Field, Ship: ship, Rules: r.Name, Was: head.Version, Is: r.Version})
		}
		return nil
	}
	if err := readIndented(data, &raw); err != nil {
		return nil, cmp.Or(foreign(err, ""), fmt.Errorf("decode game: %w", err))
	}
	g := raw.Game
	switch {
	case g.Format < perTurn || g.Format > Format:
		return nil, fmt.Errorf("decode game: format %d, this program reads %d to %d", g.Format, perTurn, Format)
	case g.Rules != r.Name:
		return nil, fmt.Errorf("decode game: rule set %q, expected %q", g.Rules, r.Name)
	}
	g.Ships = make([]*Ship, 0, len(raw.Ships))
	for _, rs := range raw.Ships {
		s := rs.Ship
		sys, err := r.DecodeSystem(rs.System)
		if err != nil {
			return nil, cmp.Or(foreign(err, s.ID), fmt.Errorf("decode ship %s: %w", s.ID, err))
		}
		s.System = sys
		g.Ships = append(g.Ships, &s)
	}
	if !slices.IsSortedFunc(g.Ships, func(a, b *Ship) int { return cmp.Compare(a.ID, b.ID) }) {
		return nil, fmt.Errorf("decode game: ships are not in order of id")
	}
	return &g, nil
}

// decodeBody reads the body of an event of the type with this name.
func (r *Rules) decodeBody(name string, data []byte) (*EventType, Body, error) {
	of := r.typeNamed(name)
	if of == nil {
		return nil, nil, fmt.Errorf("unknown type %q", name)
	}
	body := of.New()
	if told, again := body.(*Retold); again {
		told.rules = r
	}
	if err := json.Unmarshal(data, body); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return of, body, nil
}

// AllEvents returns the event types of a rule set: its own, the core's, its referee's, and its extension's.
func (r *Rules) AllEvents() [4]*EventTypes {
	none := &noEvents
	all := [4]*EventTypes{none, coreEvents, none, none}
	if r.Events != nil {
		all[0] = r.Events
	}
	if r.Referee != nil {
		all[2] = r.Referee.Events()
	}
	if r.Extension != nil {
		all[3] = r.Extension.Events()
	}
	return all
}

// TypeOf returns the event type with such bodies; nil if there is none.
func (r *Rules) TypeOf(body Body) *EventType {
	of := reflect.TypeOf(body)
	if r.Events != nil {
		if t := r.Events.byBody[of]; t != nil { // most are the rule set's own
			return t
		}
	}
	for _, types := range r.AllEvents() {
		if t := types.byBody[of]; t != nil {
			return t
		}
	}
	return nil
}

// typeNamed returns the event type of this name; nil if there is none.
func (r *Rules) typeNamed(name string) *EventType {
	for _, types := range r.AllEvents() {
		if t := types.byName[name]; t != nil {
			return t
		}
	}
	return nil
}

// CheckEvents returns an error if two event types of a rule set have the same name, or if a tag on a field of any
// event names an unknown audience. Posts are those that the rule set's family knows.
func (r *Rules) CheckEvents(posts ...string) error {
	known := append([]string{openToAll, openToOthers, openToCrew, OpenToConn}, posts...)
	for _, types := range r.AllEvents() {
		if types.twice != "" {
			return fmt.Errorf("rule set %s: two types of events are called %s", r.Name, types.twice)
		}
		for _, t := range types.Sorted() {
			for word := range t.audience.see {
				if !slices.Contains(known, word) {
					return fmt.Errorf("rule set %s: event %s: a field is open to %q, and there is no such audience", r.Name, t.Name, word)
				}
			}
		}
	}
	return nil
}

var noEvents EventTypes

var coreEvents = ListEvents(
	EventOf[Roll]("roll"), EventOf[Move]("move"), EventOf[Skip]("skip"), EventOf[Out]("out"), EventOf[Arrive]("arrive"),
	EventOf[Score]("score"), EventOf[Won]("victory"), EventOf[Luck]("luck"), EventOf[Talk]("message"), EventOf[Absent]("absent"),
	EventOf[Relieved]("relieved"), EventOf[Charted]("terrain"), EventOf[RulesChanged]("rules"), EventOf[Quiet]("quiet"), EventOf[Retold]("retold"),
)

// UnmarshalJSON implements json.Unmarshaler.
func (b *Retold) UnmarshalJSON(data []byte) error {
	var in struct {
		What string          `json:"what"`
		As   json.RawMessage `json:"as"`
	}
	if err := json.Unmarshal(data, &in); err != nil || in.What == "" {
		return err
	}
	of := b.rules.typeNamed(in.What)
	if of == nil || of.body == reflect.TypeFor[Retold]() {
		return fmt.Errorf("retold: unknown type %q", in.What)
	}
	*b = *Retell(of, of.New())
	return json.Unmarshal(in.As, b.As)
}

// seen is a See as files have it. Cut and the ship "*" are from earlier versions: Cut listed what the rest does not
// see, and "*" stood for everybody.
type seen struct {
	Whole []Seat   `json:"whole,omitempty"`
	Rest  bool     `json:"rest,omitempty"`
	Also  []string `json:"also,omitempty"`
	Among []ShipID `json:"among,omitempty"`
	Cut   []string `json:"cut,omitempty"`
}

// of converts it for an event of a type. A field that now only viewers of the whole event may know stays secret,
// even if an earlier version gave it away.
func (s *seen) of(event *EventType) See {
	see := See{Whole: s.Whole, Rest: s.Rest, Also: s.Also, Among: s.Among}
	all := Seat{Ship: "*"}
	everybody := slices.Contains(s.Whole, all)
	if everybody {
		see.Rest, see.Whole = true, slices.DeleteFunc(slices.Clone(s.Whole), func(seat Seat) bool { return seat == all })
	}
	if !everybody && len(s.Cut) == 0 {
		return see
	}
	t := event.body
	for word, fields := range event.audience.also {
		hidden := false
		for i := range t.NumField() {
			hidden = hidden || fields&(1<<i) != 0 && slices.Contains(s.Cut, jsonName(t.Field(i)))
		}
		if !hidden {
			see.Also = append(see.Also, word)
		}
	}
	slices.Sort(see.Also)
	return see
}

// viewed is a [Body] with other field names in a view, where n is the number of an entry.
type viewed interface{ Viewed() Body }

// MarshalJSON writes the entry like an event, but without its See.
func (e Entry) MarshalJSON() ([]byte, error) {
	body := e.Body
	if other, ok := body.(viewed); ok {
		body = other.Viewed()
	}
	b := strconv.AppendInt(append(make([]byte, 0, 256), `{"n":`...), int64(e.N), 10)
	return appendBody(appendHead(b, e.Phase, e.Step, e.Type.Name, e.Rule), body)
}
