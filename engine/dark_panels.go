package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Words say where a contact is, and what it is as far as that shows.
func (b *SensorContact) Words(v *View) string {
	who := fmt.Sprintf("c%02d", b.No)
	if b.Who != "" {
		who = v.Name(b.Who) + " (" + who + ")"
	}
	if b.Gone {
		return who + " is taken off your list by the referee"
	}
	if b.Told != "" {
		text := fmt.Sprintf("%s tells of %s at %s", v.Name(b.Told), b.As, b.At.Label())
		if b.Heading != nil {
			text += fmt.Sprintf(", %s, heading %s, speed %s", b.Size, b.Heading, v.SpeedWords(*b.Speed))
		}
		return fmt.Sprintf("%s, in turn %d, phase %d: on your list it is %s", text, b.Since.Turn, b.Since.Phase, who)
	}
	if b.Lost {
		return fmt.Sprintf("%s is lost: last at %s in turn %d, phase %d", who, b.At.Label(), b.Since.Turn, b.Since.Phase)
	}
	text := who + " at " + b.At.Label()
	switch {
	case b.Again:
		text = "found again: " + text
	case b.New:
		text = "new contact " + text
	}
	switch {
	case b.Heading != nil && slices.Contains(Kinds(), Kind(b.Size)):
		text += fmt.Sprintf(", a %s, heading %s", b.Size, b.Heading)
	case b.Heading != nil:
		text += fmt.Sprintf(", %s, heading %s, speed %s", b.Size, b.Heading, v.SpeedWords(*b.Speed))
	case b.Level == "field":
		text += ": a warp field"
	case b.Who == "":
		text += ": something is there"
	}
	if b.More && b.Who != "" && (v.Unnamed || !v.ofOwnSide(b.Who)) {
		text += "; now you know who it is"
	}
	return text
}

// SpeedWords are a rounded speed in words.
func (v *View) SpeedWords(speed int) string { return paceWords(v.pace, speed) }

func paceWords(pace func(int) string, speed int) string {
	if pace != nil {
		return pace(speed)
	}
	return "up to " + strconv.Itoa(speed)
}

// OfContact is what a rule set has to say of a contact.
type OfContact struct {
	What  string // it is by what was asked of it, where its name is not known
	Speed string // if that shows exactly
	Yours string // the side of the ship in the focus that is towards it
}

// ContactsPanel is the list of contacts of a captain in a game in the dark. More is what a
// rule set has to say of one.
func (v *View) ContactsPanel(more func(s *ShipView) OfContact) Panel {
	p := Panel{
		Key: "contacts", Title: "Contacts",
		Columns: []Column{
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
			"orders name a contact by its number: fire all at c05, pursue c05 to 8",
		},
	}
	focus, _ := v.Ship(v.Viewer.Focus)
	for _, s := range v.Ships {
		if s.Own || s.Parent != "" { // what his own ships have launched is no contact
			continue
		}
		row := make([]string, len(p.Columns))
		if s.Sensed != nil {
			row[0], row[3], row[4] = fmt.Sprintf("c%02d", s.Sensed.No), s.Sensed.Level, s.Sensed.Size
			if s.Sensed.Speed != nil {
				row[7] = strings.TrimPrefix(v.SpeedWords(*s.Sensed.Speed), "up ")
				if s.Sensed.Learnt != nil && s.Heading == nil {
					row[7] += fmt.Sprintf(" in %d.%d", s.Sensed.Learnt.Turn, s.Sensed.Learnt.Phase)
				}
			}
		}
		if s.Side != "" {
			row[1], row[2], row[4] = s.Name, v.SideName(s.Side), s.Class
		}
		known := more(s)
		row[7] = cmp.Or(known.Speed, row[7])
		if s.Side == "" {
			row[4] = cmp.Or(known.What, row[4])
		}
		row[11] = string(s.Status)
		switch {
		case s.Sensed != nil && s.Sensed.Told != "":
			row[11] = fmt.Sprintf("%s of %s, %d.%d", s.Sensed.As, v.Name(s.Sensed.Told), s.Since.Turn, s.Since.Phase)
		case s.Sight == Lost && s.Since == nil:
			row[11] = "out of range"
		case s.Sight == Lost:
			row[11] = fmt.Sprintf("not seen since %d.%d", s.Since.Turn, s.Since.Phase)
		}
		if s.Hex != nil {
			row[5] = s.Hex.Label()
			if s.Heading != nil {
				row[6] = s.Heading.String()
			}
			if focus != nil && focus.Hex != nil {
				row[8], row[9], row[10] = strconv.Itoa(s.Range), s.Bearing, known.Yours
			}
		}
		p.Rows = append(p.Rows, row)
	}
	if len(p.Rows) == 0 {
		p.Columns, p.Notes = nil, []string{"nothing is in range of your sensors"}
	}
	return p
}

// Search tells a captain in the dark where to go: after the nearest thing that he has found and
// that is no friend, else to the middle of the map.
func (v *View) Search() string {
	var found *ShipView
	ours := slices.IndexFunc(v.Ships, func(s *ShipView) bool { return s.Own })
	for _, s := range v.Ships {
		if !s.Own && (ours < 0 || s.Side != v.Ships[ours].Side) && s.Sensed != nil && s.Sight != Lost && (found == nil || s.Range < found.Range) {
			found = s
		}
	}
	switch {
	case found != nil:
		return fmt.Sprintf("Go after what you have found: pursue %s to 8.", found.Name)
	case v.Bounds != nil:
		return fmt.Sprintf("With nothing found yet move to a hex where they may be, such as the middle of the map: course %s.", hex.At((v.Bounds.Cols+1)/2, (v.Bounds.Rows+1)/2).Label())
	}
	return "With nothing found yet move to a hex where they may be: course and the hex."
}

// InstrumentPanels are what the viewer's ships look out with.
func (v *View) InstrumentPanels() (panels []Panel) {
	for _, s := range v.Ships {
		if s.Own && s.Reach != nil {
			r := s.Reach
			panels = append(panels, Panel{Key: "instruments-" + s.ID, Title: s.Name + ": instruments", Notes: []string{
				fmt.Sprintf("within %d hexes you find what is there, within %d its size, speed and heading, within %d who it is; an outpost at twice that, and small craft within %d only", r.Presence, r.Rough, r.Full, blind.SmallCraft),
				fmt.Sprintf("a ship that has changed hex shows a warp field within %d; so does yours to others", r.Field),
			}})
			p := &panels[len(panels)-1]
			if s.Relays {
				p.Notes = append(p.Notes, "she passes on what she reads of your side's talk in code; relay off ends it")
			}
			if v.Unnamed {
				p.Notes = append(p.Notes, "friends do not tell each other who they are: what has no name may be one of yours")
			}
			if v.Uncharted {
				p.Notes = append(p.Notes, fmt.Sprintf("your chart has the terrain that your ships have found and no more: she finds planets and moons within %d hexes, asteroids and the like within %d", 2*r.Presence, r.Presence))
			}
			if c := v.Code; c != nil {
				p.Notes = append(p.Notes, fmt.Sprintf("your side talks by code book %d of %d", c.Book, c.Books))
			}
			for _, p := range v.Ships {
				if r := (blind.Suite{Probe: true}); p.Parent == s.ID && p.Status == Active && (p.Kind == KindProbe || p.Kind == KindShuttle) {
					panels[len(panels)-1].Notes = append(panels[len(panels)-1].Notes, fmt.Sprintf("her %s %s finds what is within %d hexes of it, and within %d who it is", p.Kind, p.Name, r.Reach(blind.Rough, false), r.Reach(blind.Full, false)))
				}
			}
		}
	}
	return panels
}
