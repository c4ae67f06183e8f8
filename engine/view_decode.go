package engine

import (
	"encoding/json"
	"errors"
	"fmt"
)

// DecodeView reads a view from JSON, the report that captains' programs get by mail. The result equals the view
// that was written: it gives the same bytes, and a robot gives the same orders for it.
func DecodeView(data []byte, r *Rules) (*View, error) {
	var raw struct {
		View
		Ships []*struct {
			ShipView
			System json.RawMessage `json:"system"`
		} `json:"ships"`
		Events []json.RawMessage `json:"events"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("decode view: %w", err)
	}
	v := raw.View
	switch {
	case v.Format != Format:
		return nil, fmt.Errorf("decode view: format %d, this program reads %d", v.Format, Format)
	case v.Rules != r.Name:
		return nil, fmt.Errorf("decode view: rule set %q, expected %q", v.Rules, r.Name)
	}
	if raw.Ships != nil {
		v.Ships = make([]*ShipView, len(raw.Ships))
	}
	for i, rs := range raw.Ships {
		if rs == nil {
			return nil, fmt.Errorf("decode view: ship %d is null", i+1)
		}
		s := rs.ShipView
		if err := v.decodeSystem(&s, rs.System, r); err != nil {
			return nil, fmt.Errorf("decode view: ship %q: %w", s.ID, err)
		}
		v.Ships[i] = &s
	}
	for i, event := range raw.Events {
		e, err := decodeEntry(event, i+1, r)
		if err != nil {
			return nil, fmt.Errorf("decode view: event %d: %w", i+1, err)
		}
		v.Events = append(v.Events, e)
	}
	v.word(r)
	return &v, nil
}

// decodeSystem reads a ship's system, or what is known of it.
func (v *View) decodeSystem(s *ShipView, data json.RawMessage, r *Rules) (err error) {
	switch {
	case s.Own && len(data) == 0:
		return errors.New("an own ship has no system")
	case len(data) == 0:
	case v.Viewer.Holds(s.ID, s.Parent, v.Result != nil):
		s.System, err = r.DecodeSystem(data)
	default:
		known := r.NewPublic()
		s.System, err = known, json.Unmarshal(data, known)
	}
	return err
}

// decodeEntry reads what [Entry.MarshalJSON] wrote of the n-th event.
func decodeEntry(data []byte, n int, r *Rules) (Entry, error) {
	var head struct {
		Phase int      `json:"phase"`
		Step  string   `json:"step"`
		Type  string   `json:"type"`
		Rule  []string `json:"rule"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Entry{}, err
	}
	of, body, err := r.decodeBody(head.Type, data)
	return Entry{N: n, Phase: head.Phase, Step: head.Step, Rule: head.Rule, Type: of, Body: body}, err
}
