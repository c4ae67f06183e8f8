package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Event is one change of a game, or one fact worth telling, in the order in
// which it happened. In JSON the fields of Body stand beside the common ones.
type Event struct {
	Seq   int      // 1.. within the turn
	Turn  int      //
	Phase int      // 1.., 0 for what belongs to the whole turn
	Step  string   // power, advantage, movement, fire, repair, end ...
	Rule  []string // citations, such as "stcs 4.7" or "D12"
	See   See
	Body  Body
}

// Body is the part of an event that its type fixes. One that changes the game has a method
// Apply(*Game) error, which fails only on an event that does not fit it; what others tell is only told.
type Body interface{ Type() string }

// Change changes a game by what a body says, if it has Apply.
func Change(g *Game, b Body) error {
	if b, ok := b.(interface{ Apply(g *Game) error }); ok {
		return b.Apply(g)
	}
	return nil
}

// See says who may see an event. Whole lists ships whose captains and crews see all of
// it, and posts on ships whose officers and captains do; see [SeeSeats]. With Rest, everybody else - or, with Among, the captains
// of those ships - sees the fields that its type has open to the others, and those that it
// has open under a word of Also; the others do not see it at all.
type See struct {
	Whole []Seat
	Rest  bool
	Also  []string
	Among []ShipID
}

// SeeAll is for what everybody sees, and the captains of some ships the whole of.
func SeeAll(whole ...ShipID) See { return See{Whole: CaptainSeats(whole...), Rest: true} }

// SeeOnly is for what only the captains of these ships may know.
func SeeOnly(ships ...ShipID) See { return See{Whole: CaptainSeats(ships...)} }

// SeeAmong is for what the captains of these ships see of it that is open to others.
func SeeAmong(ships ...ShipID) See { return See{Rest: len(ships) > 0, Among: ships} }

// And opens to the rest what the event's type has open under a word.
func (s See) And(word string) See {
	s.Also = append(slices.Clip(s.Also), word)
	return s
}

// Open tells whether everybody sees of an event what is open to others.
func (s *See) Open() bool { return s.Rest && len(s.Among) == 0 }

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

// appendHead writes what events and entries have alike.
func appendHead(b []byte, phase int, step, kind string, rule []string) []byte {
	b = strconv.AppendInt(append(b, `,"phase":`...), int64(phase), 10)
	b = appendString(append(b, `,"step":`...), step)
	b = appendString(append(b, `,"type":`...), kind)
	return appendStrings(append(b, `,"rule":`...), rule)
}

// appendBody writes the fields of a body behind a head, and ends the object.
func appendBody(b []byte, body Body) ([]byte, error) {
	data, err := Marshal(body)
	if err != nil {
		return nil, err
	}
	if len(data) > len("{}") {
		return append(append(b, ','), data[1:]...), nil
	}
	return append(b, '}'), nil
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

// Apply changes a game by one event. Nothing else does.
func Apply(g *Game, e Event) error {
	if e.Turn != g.Turn && e.Turn != g.Turn+1 {
		return fmt.Errorf("apply event %d: it is of turn %d, the game is at %d", e.Seq, e.Turn, g.Turn)
	}
	g.Turn = e.Turn
	if err := Change(g, e.Body); err != nil {
		return fmt.Errorf("apply event %d (%s): %w", e.Seq, e.Body.Type(), err)
	}
	return nil
}

// Replay applies events to a copy of a game.
func Replay(g *Game, events []Event) (*Game, error) {
	c := g.Clone()
	for _, e := range events {
		if err := Apply(c, e); err != nil {
			return nil, err
		}
	}
	return c, nil
}
