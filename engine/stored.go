package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

// appendEvent writes an event as the tags of eventHead say.
func appendEvent(b []byte, e *Event) ([]byte, error) {
	b = strconv.AppendInt(append(b, `{"seq":`...), int64(e.Seq), 10)
	b = strconv.AppendInt(append(b, `,"turn":`...), int64(e.Turn), 10)
	b = appendHead(b, e.Phase, e.Step, e.Body.Type(), e.Rule)
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

// DecodeEvent reads one event; the rule set gives the bodies of its own types.
func DecodeEvent(data []byte, r *Rules) (Event, error) {
	var h eventHead
	if err := json.Unmarshal(data, &h); err != nil {
		return Event{}, fmt.Errorf("decode event: %w", err)
	}
	body, err := r.decodeBody(h.Type, data)
	if err != nil {
		return Event{}, fmt.Errorf("decode event %d: %w", h.Seq, err)
	}
	e := Event{Seq: h.Seq, Turn: h.Turn, Phase: h.Phase, Step: h.Step, Rule: h.Rule, Body: body}
	if h.See != nil {
		e.See = h.See.of(body)
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

// DecodeEvents reads JSON lines; errors name the line.
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

// DecodeGame reads what EncodeGame wrote, with the rule set that the game names. A
// *FieldError is among the errors.
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
	if err := ReadJSON(unindented(data), &raw); err != nil {
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

// AllBodies are the events of a rule set, blank, by their types: its own, the core's, its referee's, and its extension's.
func (r *Rules) AllBodies() [4]map[string]func() Body {
	all := [4]map[string]func() Body{r.Bodies, coreBodies}
	if r.Referee != nil {
		all[2] = r.Referee.Bodies()
	}
	if r.Extension != nil {
		all[3] = r.Extension.Bodies()
	}
	return all
}

var coreBodies = map[string]func() Body{
	"roll":     func() Body { return new(Roll) },
	"move":     func() Body { return new(Move) },
	"skip":     func() Body { return new(Skip) },
	"out":      func() Body { return new(Out) },
	"arrive":   func() Body { return new(Arrive) },
	"score":    func() Body { return new(Score) },
	"victory":  func() Body { return new(Won) },
	"luck":     func() Body { return new(Luck) },
	"message":  func() Body { return new(Talk) },
	"absent":   func() Body { return new(Absent) },
	"relieved": func() Body { return new(Relieved) },
	"terrain":  func() Body { return new(Charted) },
	"rules":    func() Body { return new(RulesChanged) },
	"quiet":    func() Body { return new(Quiet) },
	"retold":   func() Body { return new(Retold) },
}

func (r *Rules) newBody(kind string) (Body, bool) {
	for _, bodies := range r.AllBodies() {
		f, ok := bodies[kind]
		if !ok {
			continue
		}
		b := f()
		if told, again := b.(*Retold); again {
			told.rules = r
		}
		return b, true
	}
	return nil, false
}

// decodeBody reads the body of an event of a type.
func (r *Rules) decodeBody(kind string, data []byte) (Body, error) {
	body, ok := r.newBody(kind)
	if !ok {
		return nil, fmt.Errorf("unknown type %q", kind)
	}
	if err := json.Unmarshal(data, body); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return body, nil
}

// BadTags tells of tags on the fields of a rule set's events, of the core's and of its extension's, that name no one who is known: posts
// are those that its family knows.
func (r *Rules) BadTags(posts ...string) error {
	known := append([]string{openToAll, openToOthers, openToCrew, OpenToConn}, posts...)
	for _, bodies := range r.AllBodies() {
		for kind, body := range bodies {
			for word := range audienceOf(body()).see {
				if !slices.Contains(known, word) {
					return fmt.Errorf("rule set %s: event %s: a field is open to %q, and there is no such audience", r.Name, kind, word)
				}
			}
		}
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *Retold) UnmarshalJSON(data []byte) error {
	var in struct {
		What string          `json:"what"`
		As   json.RawMessage `json:"as"`
	}
	if err := json.Unmarshal(data, &in); err != nil || in.What == "" {
		return err
	}
	body, ok := b.rules.newBody(in.What)
	if _, again := body.(*Retold); !ok || again {
		return fmt.Errorf("retold: unknown type %q", in.What)
	}
	b.What, b.As = in.What, body
	return json.Unmarshal(in.As, body)
}
