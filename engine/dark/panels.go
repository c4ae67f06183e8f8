package dark

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Words say where a contact is, and what it is as far as that shows.
func (b *SensorContact) Words(v *engine.View) string {
	who := b.who(v)
	switch {
	case b.Gone:
		return who + " is taken off your list by the referee"
	case b.Told != "":
		return fmt.Sprintf("%s tells of %s at %s%s, %s: on your list it is %s", v.Name(b.Told), b.As, b.At.Label(), b.rough(v), momentWords(v, *b.Since), who)
	case b.Lost:
		return fmt.Sprintf("%s is lost: last at %s %s", who, b.At.Label(), momentWords(v, *b.Since))
	}
	text := who + " at " + b.At.Label()
	switch {
	case b.Again:
		text = "found again: " + text
	case b.New:
		text = "new contact " + text
	}
	return text + b.shows(v) + b.known(v)
}

// who is a contact's number, and its name if that is known.
func (b *SensorContact) who(v *engine.View) string {
	if b.Who != "" {
		return v.Name(b.Who) + " (" + string(b.No.Name()) + ")"
	}
	return string(b.No.Name())
}

// shows says how much of a contact shows.
func (b *SensorContact) shows(v *engine.View) string {
	switch {
	case b.Heading != nil:
		return b.rough(v)
	case b.Level == "field":
		return ": a warp field"
	case b.Who == "":
		return ": something is there"
	}
	return ""
}

// rough is the size, the heading and the speed of a contact, as far as they show.
func (b *SensorContact) rough(v *engine.View) string {
	switch {
	case b.Heading == nil:
		return ""
	case slices.Contains(engine.Kinds(), engine.Kind(b.Size)):
		return fmt.Sprintf(", a %s, heading %s", b.Size, b.Heading)
	}
	return fmt.Sprintf(", %s, heading %s, speed %s", b.Size, b.Heading, SpeedWords(v, *b.Speed))
}

// known says that a contact has got its name.
func (b *SensorContact) known(v *engine.View) string {
	if b.More && b.Who != "" && (v.Unnamed || !v.OfOwnSide(b.Who)) {
		return "; now you know who it is"
	}
	return ""
}

// moment says when something was so.
func momentWords(v *engine.View, m engine.Moment) string {
	switch {
	case m == engine.Moment{}:
		return "at the start"
	case m.Phase == 0:
		return fmt.Sprintf("in turn %d", m.Turn)
	}
	return fmt.Sprintf("in turn %d, %s %d", m.Turn, phaseWord(v), m.Phase)
}

// inPhase says in which phase of the turn something was so; blank for what belongs to all of it.
func inPhase(v *engine.View, phase int) string {
	if phase == 0 {
		return ""
	}
	return fmt.Sprintf(" in %s %d", phaseWord(v), phase)
}

// phaseWord is what a phase in which ships move is called.
func phaseWord(v *engine.View) string { return cmp.Or(v.RuleSet().Counted, "phase") }

// SpeedWords are a rounded speed in words.
func SpeedWords(v *engine.View, speed int) string { return paceWords(v.RuleSet(), speed) }

func paceWords(r *engine.Rules, speed int) string {
	if dark := Of(r).Dark; dark != nil && dark.Pace != nil {
		return dark.Pace(speed)
	}
	if speed == 0 {
		return "0"
	}
	return "up to " + strconv.Itoa(speed)
}

// OfContact is what a rule set has to say of a contact.
type OfContact struct {
	What  string // it is by what was asked of it, where its name is not known
	Speed string // if that shows exactly
	State string // that shows, beside what has become of it
	Yours string // the side of the ship in the focus that is towards it
}

// Listed tells whether a ship of a view of a game in the dark is on the list of contacts.
func IsListed(s *engine.ShipView) bool { return !s.Own && s.Parent == "" } // what his own ships have launched is no contact

// ContactsPanel is the list of contacts of a captain in a game in the dark: first what his sensors have, then what they
// had or he was told of, the latest first, then ships of his own side of which he knows no place. More is what a rule
// set has to say of one.
func ContactsPanel(v *engine.View, more func(s *engine.ShipView) OfContact) engine.Panel {
	p := engine.Panel{Key: KeyContacts, Title: "Contacts"}
	focus, _ := v.Ship(v.Viewer.Focus)
	list := slices.DeleteFunc(slices.Clone(v.Ships), func(s *engine.ShipView) bool { return !IsListed(s) })
	slices.SortStableFunc(list, func(a, b *engine.ShipView) int {
		return cmp.Or(listOrder(a)-listOrder(b), cmp.Compare(lastHad(b).Turn, lastHad(a).Turn), cmp.Compare(lastHad(b).Phase, lastHad(a).Phase))
	})
	for _, s := range list {
		known := more(s)
		row := []string{contactName(v, s), contactIs(s, v, known), "", known.Speed, "", "", "", contactShows(s, known.State)}
		if s.Sensed != nil && s.Sensed.Speed != nil && known.Speed == "" {
			row[3] = strings.TrimPrefix(SpeedWords(v, *s.Sensed.Speed), "up ")
		}
		if s.Hex != nil {
			row[2] = s.Hex.Label()
			if s.Heading != nil {
				row[2] += " " + s.Heading.String()
			}
			if focus != nil && focus.Hex != nil {
				row[4], row[5], row[6] = strconv.Itoa(s.Range), s.Bearing, known.Yours
			}
		}
		p.Rows = append(p.Rows, row)
	}
	if len(p.Rows) == 0 {
		p.Notes = []string{"nothing is in range of your sensors"}
		return p
	}
	p.Columns = []engine.Column{{Name: "contact"}, {Name: "what"}, {Name: "at"}, {Name: "speed", Right: true}, {Name: "range", Right: true}, {Name: "brg"}, {Name: "yours"}, {Name: "shows"}}
	p.Notes = []string{
		"shows: field is a place and no target, presence a place, rough size, speed and heading, full who it is; last 2.3: not found since that turn and phase",
		"orders name a contact by its number: fire all at c05, pursue c05 to 8",
	}
	return p
}

// KeyContacts is the key of the list of contacts among panels.
const KeyContacts = "contacts"

// short is a moment in figures.
func shortMoment(m engine.Moment) string {
	if m.Phase == 0 {
		return fmt.Sprintf("turn %d", m.Turn)
	}
	return fmt.Sprintf("%d.%d", m.Turn, m.Phase)
}

// lastHad is when a ship was had last; the beginning for one that is in sight.
func lastHad(s *engine.ShipView) engine.Moment {
	if s.Since == nil {
		return engine.Moment{}
	}
	return *s.Since
}

// order is where in a list of contacts a ship stands.
func listOrder(s *engine.ShipView) int {
	switch {
	case s.Sight != engine.Lost:
		return 0
	case s.Since != nil:
		return 1
	}
	return 2
}

// contactName is the number of a contact, and her name and her sign on the map if the name is known.
func contactName(v *engine.View, s *engine.ShipView) string {
	var parts []string
	if s.Sensed != nil {
		parts = append(parts, string(s.Sensed.No.Name()))
	}
	if s.Side != "" {
		parts = append(parts, s.Name)
		if s.Short != "" && s.Hex != nil {
			parts = append(parts, "("+s.Short+")")
		}
	}
	return strings.Join(parts, " ")
}

// contactIs says what a contact is as far as that is known, and by whom it was told.
func contactIs(s *engine.ShipView, v *engine.View, known OfContact) string {
	is := strings.TrimSuffix(s.Class, " class")
	switch {
	case s.Side == "" && s.Sensed != nil:
		is = cmp.Or(known.What, s.Sensed.Size)
	case !v.OfOwnSide(s.ID):
		is += ", " + v.SideName(s.Side)
	}
	if s.Sensed == nil || s.Sensed.Told == "" {
		return is
	}
	told := s.Sensed.As + " of " + v.Name(s.Sensed.Told)
	if more := len(s.Sensed.By) - 1; more > 0 {
		told += fmt.Sprintf(" +%d", more)
	}
	return strings.TrimPrefix(is+", "+told, ", ")
}

// contactShows says what of a contact shows now, or when it showed last, and when more did.
func contactShows(s *engine.ShipView, state string) string {
	var parts []string
	switch {
	case s.Sight == engine.Lost && s.Since == nil:
		return "out of range"
	case s.Sensed != nil && s.Sensed.Told != "":
		parts = append(parts, "told "+shortMoment(*s.Since))
	case s.Sight == engine.Lost:
		parts = append(parts, "last "+shortMoment(*s.Since))
	case s.Sensed != nil:
		parts = append(parts, s.Sensed.Level)
	}
	if s.Sensed != nil && s.Sensed.Learnt != nil && s.Side == "" && s.Heading == nil && *s.Sensed.Learnt != lastHad(s) {
		parts = append(parts, blind.WordRough+" "+shortMoment(*s.Sensed.Learnt))
	}
	if s.Status != engine.Active {
		parts = append(parts, string(s.Status))
	}
	if state != "" {
		parts = append(parts, state)
	}
	return strings.Join(parts, ", ")
}

// Search tells a captain in the dark where to go: after the nearest thing that he has found and
// that is no friend, else to the middle of the map.
func Search(v *engine.View) string {
	var found *engine.ShipView
	ours := slices.IndexFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own })
	for _, s := range v.Ships {
		if !s.Own && (ours < 0 || s.Side != v.Ships[ours].Side) && s.Sensed != nil && s.Sight != engine.Lost && (found == nil || s.Range < found.Range) {
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
func InstrumentPanels(v *engine.View) (panels []engine.Panel) {
	for _, s := range v.Ships {
		if s.Own && s.Reach != nil {
			r := s.Reach
			panels = append(panels, engine.Panel{Key: "instruments-" + string(s.ID), Title: s.Name + ": instruments", Notes: []string{
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
				if r := (blind.Suite{Probe: true}); p.Parent == s.ID && p.Status == engine.Active && (p.Kind == engine.KindProbe || p.Kind == engine.KindShuttle) {
					panels[len(panels)-1].Notes = append(panels[len(panels)-1].Notes, fmt.Sprintf("her %s %s finds what is within %d hexes of it, and within %d who it is", p.Kind, p.Name, r.Reach(blind.Rough, false), r.Reach(blind.Full, false)))
				}
			}
		}
	}
	return panels
}
