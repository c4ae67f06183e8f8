package fasa

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// plainly is a view of a game in the dark in which what a captain saw of his own fire and of
// hits on his ships stands as it does in the open.
func plainly(v *engine.View) *engine.View {
	if !v.Dark {
		return v
	}
	c := *v
	c.Events = slices.Clone(v.Events)
	for i := range c.Events {
		switch b := c.Events[i].Body.(type) {
		case *FireSeen:
			if b.Weapon != "" {
				c.Events[i].Body = (*ship.Fire)(b)
			}
		case *DamageSeen:
			c.Events[i].Body = (*ship.Damage)(b)
		}
	}
	return &c
}

// darkTells puts what is seen in the dark into words.
func darkTells() map[string]func(*narrator, engine.Body, string) {
	return map[string]func(*narrator, engine.Body, string){
		"fire-seen": func(n *narrator, body engine.Body, cite string) {
			b, ok := body.(*FireSeen)
			if !ok {
				return
			}
			at, what := n.seenAs(b.Target), "misses"
			if b.Hit {
				what = "hits"
			}
			if b.Shield > 0 {
				at += " on shield " + strconv.Itoa(b.Shield)
			}
			n.shots = append(n.shots, engine.Shot{Phase: n.v.Events[n.at-1].Phase, From: b.Ship, To: b.Target, Hit: b.Hit})
			n.line(0, cite, n.seenAs(b.Ship), " fires, and ", what, " ", at)
		},
		"shield-seen": func(n *narrator, body engine.Body, _ string) {
			if b, ok := body.(*ShieldSeen); ok {
				h := ship.ShieldHit(*b)
				n.line(1, n.citation(n.l.cite(ShieldDamage)), fmt.Sprintf("%d points: ", h.Absorbed+h.Through), shieldWords(&h))
			}
		},
		"out-seen": func(n *narrator, body engine.Body, cite string) {
			if b, ok := body.(*OutSeen); ok {
				what := "is " + string(b.Why)
				if b.Why == engine.Left {
					what = "has left the battle"
				}
				n.line(0, cite, n.seenAs(b.Ship), " ", what)
			}
		},
		"contact": func(n *narrator, body engine.Body, cite string) {
			if b, ok := body.(*engine.SensorContact); ok {
				n.line(0, cite, contactSentence(n.v, b))
			}
		},
		"wake": func(*narrator, engine.Body, string) {},
	}
}

// seenAs is what a ship is called by one who may not detect it.
func (n *narrator) seenAs(id string) string {
	switch id {
	case "":
		return "something unseen"
	case unnumbered:
		return id
	}
	return n.v.Name(id)
}

// contactSentence says where a contact is, and what it is as far as that shows.
func contactSentence(v *engine.View, b *engine.SensorContact) string {
	who := fmt.Sprintf("c%02d", b.No)
	if b.Who != "" {
		who = v.Name(b.Who) + " (" + who + ")"
	}
	if b.Lost {
		return fmt.Sprintf("%s is lost: last at %s in %d.%d", who, b.At.Label(), b.Since.Turn, b.Since.Phase)
	}
	text := who + " at " + b.At.Label()
	if b.New {
		text = "new contact " + text
	}
	switch {
	case b.Heading != nil:
		text += fmt.Sprintf(", %s, heading %s, speed up to %d", b.Size, b.Heading, *b.Speed)
	case b.Level == "field":
		text += ": a warp field"
	case b.Who == "":
		text += ": something is there"
	}
	if b.More && b.Who != "" {
		text += "; now you know who it is"
	}
	return text
}

// darkPanel is the list of contacts of a captain in a game in the dark, and what the ship in
// the focus looks out with.
func (l *rulebook) darkPanel(v *engine.View) engine.Panel {
	p := engine.Panel{
		Key: "contacts", Title: "Contacts",
		Columns: []engine.Column{
			{Name: "no"},
			{Name: "who"},
			{Name: "side"},
			{Name: "shows"},
			{Name: "what"},
			{Name: "hex"},
			{Name: "hdg"},
			{Name: "speed", Right: true},
			{Name: "range", Right: true},
			{Name: "brg"},
			{Name: "yours"},
			{Name: "state"},
		},
		Notes: []string{
			"shows: field is a place and no target, presence a place, rough size, speed and heading, full who it is",
			"orders name a contact by its number: fire all at c01, pursue c01 to 8",
		},
	}
	focus, _ := v.Ship(v.Viewer.Focus)
	for _, s := range v.Ships {
		if s.Own {
			continue
		}
		row := make([]string, len(p.Columns))
		if s.Sensed != nil {
			row[0], row[3], row[4] = fmt.Sprintf("c%02d", s.Sensed.No), s.Sensed.Level, s.Sensed.Size
			if s.Sensed.Speed != nil {
				row[7] = "to " + strconv.Itoa(*s.Sensed.Speed)
				if s.Sensed.Learnt != nil && s.Heading == nil {
					row[7] += fmt.Sprintf(" in %d.%d", s.Sensed.Learnt.Turn, s.Sensed.Learnt.Phase)
				}
			}
		}
		if s.Side != "" {
			row[1], row[2], row[4] = s.Name, v.SideName(s.Side), s.Class
		}
		if k, ok := s.System.(*ship.Public); ok {
			row[7] = strconv.Itoa(k.Points)
		}
		row[11] = string(s.Status)
		switch {
		case s.Sight == engine.Lost && s.Since == nil:
			row[11] = "out of range"
		case s.Sight == engine.Lost:
			row[11] = stateWord(s)
		}
		if s.Hex != nil {
			row[5] = s.Hex.Label()
			if s.Heading != nil {
				row[6] = s.Heading.String()
			}
			if focus != nil && focus.Hex != nil {
				row[8], row[9] = strconv.Itoa(s.Range), s.Bearing
				row[10] = l.facingWord(engine.Place{Hex: *focus.Hex, Heading: *focus.Heading}, *s.Hex)
			}
		}
		p.Rows = append(p.Rows, row)
	}
	if len(p.Rows) == 0 {
		p.Columns, p.Notes = nil, []string{"nothing is in range of your sensors"}
	}
	return p
}

// instruments are what a ship looks out with.
func instruments(v *engine.View) (panels []engine.Panel) {
	for _, s := range v.Ships {
		if s.Own && s.Reach != nil {
			r := s.Reach
			panels = append(panels, engine.Panel{Key: "instruments-" + s.ID, Title: s.Name + ": instruments", Notes: []string{
				fmt.Sprintf("within %d hexes you find what is there, within %d its size, speed and heading, within %d who it is; an outpost at twice that", r.Presence, r.Rough, r.Full),
				fmt.Sprintf("a ship that has changed hex shows a warp field within %d; so does yours to others", r.Field),
			}})
		}
	}
	return panels
}

// darkAdvice teaches a captain what to do before the first turn in the dark.
func darkAdvice() engine.Panel {
	return engine.Panel{Key: "advice", Title: "For your first turn in the dark", Notes: []string{
		"You see only what your sensors find, and so do the others; who else is there you are not told.",
		"What changes hex shows its warp field from afar; what stands still is found from nearer. Turning in place shows nothing.",
		"Each thing found has a number, such as c01, by which orders name it until you know its name.",
		"With nothing found yet move to a hex where they may be: course 1117.",
		"Firing tells no one who you are; who is hit learns the shield and the damage.",
	}}
}
