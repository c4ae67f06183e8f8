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

// OfContact is what a rule set adds about a contact.
type OfContact struct {
	What  string // what it is, as far as the question asked about it shows, if its name is not known
	Speed string // if it shows exactly
	State string // visible state, apart from its status
	Yours string // the side of the ship in the focus that faces it
}

// IsListed reports whether a ship of a view of a game in the dark is on the list of contacts.
func IsListed(s *engine.ShipView) bool { return !s.Own && s.Parent == "" } // what the viewer's own ships have launched is not a contact

// ContactsPanel returns a captain's list of contacts in a game in the dark: first what sensors detect, then what
// they detected before or others reported, the latest first, then ships of the own side in unknown places. More
// returns what a rule set adds about a contact.
func ContactsPanel(v *engine.View, more func(s *engine.ShipView) OfContact) engine.Panel {
	p := engine.Panel{Key: KeyContacts, Title: "Contacts"}
	focus, _ := v.Ship(v.Viewer.Focus)
	list := slices.DeleteFunc(slices.Clone(v.Ships), func(s *engine.ShipView) bool { return !IsListed(s) })
	slices.SortStableFunc(list, func(a, b *engine.ShipView) int {
		return cmp.Or(listOrder(a)-listOrder(b), cmp.Compare(lastHad(b).Turn, lastHad(a).Turn), cmp.Compare(lastHad(b).Phase, lastHad(a).Phase))
	})
	for _, s := range list {
		known := more(s)
		row := []string{contactName(s), contactIs(s, v, known), "", known.Speed, "", "", "", contactShows(s, known.State)}
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
		"shows: field is a place but not a target; presence is a place; rough adds size, speed and heading; full is who it is. last 2.3: not detected since that turn and phase",
		"name a contact by its number in orders: fire all at c05, pursue c05 to 8",
	}
	return p
}

// KeyContacts is the key of the panel of contacts.
const KeyContacts = "contacts"

// shortMoment returns a moment in figures.
func shortMoment(m engine.Moment) string {
	if m.Phase == 0 {
		return fmt.Sprintf("turn %d", m.Turn)
	}
	return fmt.Sprintf("%d.%d", m.Turn, m.Phase)
}

// lastHad returns when a ship was last detected; the zero Moment for one in sight.
func lastHad(s *engine.ShipView) engine.Moment {
	if s.Since == nil {
		return engine.Moment{}
	}
	return *s.Since
}

// listOrder returns the sort key of a ship in a list of contacts.
func listOrder(s *engine.ShipView) int {
	switch {
	case s.Sight != engine.Lost:
		return 0
	case s.Since != nil:
		return 1
	}
	return 2
}

// contactName returns the number of a contact and, if they are known, her name and her sign on the map.
func contactName(s *engine.ShipView) string {
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

// contactIs describes what a contact is as far as that is known, and who reported it.
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

// contactShows describes what of a contact shows now, or when it last showed, and when more did.
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

// Search advises a captain in the dark where to go: after the nearest find that is not a friend, otherwise to the
// middle of the map.
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
		return fmt.Sprintf("With nothing found yet, move to a hex where they may be, such as the middle of the map: course %s.", hex.At((v.Bounds.Cols+1)/2, (v.Bounds.Rows+1)/2).Label())
	}
	return "With nothing found yet, move to a hex where they may be: course and the hex."
}

// InstrumentPanels returns panels with the sensors of the viewer's ships.
func InstrumentPanels(v *engine.View) (panels []engine.Panel) {
	for _, s := range v.Ships {
		if s.Own && s.Reach != nil {
			r := s.Reach
			panels = append(panels, engine.Panel{Key: "instruments-" + string(s.ID), Title: s.Name + ": instruments", Notes: []string{
				fmt.Sprintf("you detect a presence within %d hexes, its size, speed and heading within %d, and who it is within %d; an outpost at twice that, small craft only within %d", r.Presence, r.Rough, r.Full, blind.SmallCraft),
				fmt.Sprintf("a ship that has changed hex shows a warp field within %d; so does yours to others", r.Field),
			}})
			p := &panels[len(panels)-1]
			if s.Relays {
				p.Notes = append(p.Notes, "she relays coded talk of your side that she reads; relay off ends it")
			}
			if v.Unnamed {
				p.Notes = append(p.Notes, "friends do not identify themselves: a contact without a name may be one of yours")
			}
			if v.Uncharted {
				p.Notes = append(p.Notes, fmt.Sprintf("your chart shows only the terrain your ships have discovered; she finds planets and moons within %d hexes, asteroids and the like within %d", 2*r.Presence, r.Presence))
			}
			if c := v.Code; c != nil {
				p.Notes = append(p.Notes, fmt.Sprintf("your side uses code book %d of %d", c.Book, c.Books))
			}
			for _, p := range v.Ships {
				if r := (blind.Suite{Probe: true}); p.Parent == s.ID && p.Status == engine.Active && (p.Kind == engine.KindProbe || p.Kind == engine.KindShuttle) {
					panels[len(panels)-1].Notes = append(panels[len(panels)-1].Notes, fmt.Sprintf("her %s %s detects what is within %d hexes of it, and who it is within %d", p.Kind, p.Name, r.Reach(blind.Rough, false), r.Reach(blind.Full, false)))
				}
			}
		}
	}
	return panels
}

// Tracks describes what happened to each of a captain's contacts in the events of a view, one line for each,
// numbered by its first event. Contacts that were only lost share a line.
func Tracks(v *engine.View) (lines []engine.Line) {
	var tracks []*track
	var lost []*track
	for i, e := range v.Events {
		b, ok := e.Body.(*SensorContact)
		if !ok {
			continue
		}
		at := slices.IndexFunc(tracks, func(t *track) bool { return t.no == b.No })
		if at < 0 {
			at = len(tracks)
			tracks = append(tracks, &track{no: b.No, n: i + 1, cite: engine.Cite(e.Rule)})
		}
		tracks[at].add(v, b, e.Phase)
	}
	for _, t := range tracks {
		if t.lostAlone() {
			lost = append(lost, t)
			continue
		}
		lines = append(lines, engine.Line{N: t.n, Text: t.words(v), Cite: t.cite})
	}
	for from := 0; from < len(lost); {
		first, words := lost[from], []string(nil)
		for from < len(lost) && lost[from].fate == first.fate {
			words = append(words, lost[from].who(v)+" at "+lost[from].last.At.Label())
			from++
		}
		lines = append(lines, engine.Line{N: first.n, Text: first.fate + ": " + strings.Join(words, ", "), Cite: first.cite})
	}
	slices.SortStableFunc(lines, func(a, b engine.Line) int { return a.N - b.N })
	return lines
}

// track is what happened to a contact.
type track struct {
	no    blind.ContactNo
	n     int
	cite  string
	last  *SensorContact
	name  engine.ShipID // its ship, once she is known
	began string        // how the line begins, before the name
	steps []trackStep
	told  []*SensorContact
	fate  string // how it was lost, or taken off the list

	had   *SensorContact // the last step, if it showed size and heading; otherwise nil
	level string         // of the last step
}

// trackStep is where a contact was found, from one phase to another, and what it showed for the first time.
type trackStep struct {
	at       hex.Hex
	from, to int
	shows    string
}

func (t *track) lostAlone() bool { return t.fate != "" && len(t.steps)+len(t.told) == 0 }

func (t *track) who(v *engine.View) string {
	return (&SensorContact{No: t.no, Who: t.name}).who(v)
}

func (t *track) words(v *engine.View) string {
	var parts []string
	phased, said := slices.ContainsFunc(t.steps, func(s trackStep) bool { return s.from > 0 }), false
	for _, s := range t.steps {
		where := s.at.Label()
		switch {
		case s.from == 0 && phased:
			where += " as the turn begins"
		case s.to > s.from:
			where += fmt.Sprintf(" in %ss %d to %d", phaseWord(v), s.from, s.to)
		case !said:
			where += inPhase(v, s.from)
		default:
			where += fmt.Sprintf(" in %d", s.from)
		}
		said = said || s.from > 0
		parts = append(parts, where+s.shows)
	}
	for from := 0; from < len(t.told); {
		first := t.told[from]
		var by []string
		for from < len(t.told) && t.told[from].At == first.At && *t.told[from].Since == *first.Since {
			by = append(by, fmt.Sprintf("%s (%s)", v.Name(t.told[from].Told), t.told[from].As))
			from++
		}
		parts = append(parts, first.At.Label()+" "+momentWords(v, *first.Since)+first.rough(v)+", told by "+strings.Join(by, ", "))
	}
	if t.fate != "" {
		parts = append(parts, t.fate)
	}
	return t.began + t.who(v) + " at " + strings.Join(parts, "; ")
}

// add adds an event of a phase to a track.
func (t *track) add(v *engine.View, b *SensorContact, phase int) {
	if t.last = b; b.Who != "" {
		t.name = b.Who
	}
	switch {
	case b.Gone:
		t.fate = "taken off your list by the referee"
	case b.Told != "":
		t.told = append(t.told, b)
	case b.Lost && len(t.steps) > 0 && phase > 0:
		t.fate = fmt.Sprintf("lost in %d", phase)
	case b.Lost:
		t.fate = "lost" + inPhase(v, phase) + ", found last " + momentWords(v, *b.Since)
	default:
		t.step(v, b, phase)
	}
}

func (t *track) step(v *engine.View, b *SensorContact, phase int) {
	switch {
	case len(t.steps) > 0:
	case b.Again:
		t.began = "found again: "
	case b.New:
		t.began = "new contact "
	}
	shows := ""
	switch {
	case t.had != nil && b.Heading != nil:
		shows = b.since(t.had, v)
	case b.Heading != nil || b.Level != t.level:
		shows = b.shows(v)
	}
	t.level = b.Level
	if t.had = b; b.Heading == nil {
		t.had = nil
	}
	shows += b.known(v)
	if n := len(t.steps); n > 0 && shows == "" && t.steps[n-1].at == b.At && t.steps[n-1].from > 0 {
		t.steps[n-1].to = phase
		return
	}
	t.steps = append(t.steps, trackStep{at: b.At, from: phase, to: phase, shows: shows})
}

// since describes which of size, heading and speed have changed.
func (b *SensorContact) since(was *SensorContact, v *engine.View) (out string) {
	if b.Size != was.Size {
		return b.rough(v)
	}
	if *b.Heading != *was.Heading {
		out += ", heading " + b.Heading.String()
	}
	if *b.Speed != *was.Speed {
		out += ", speed " + SpeedWords(v, *b.Speed)
	}
	return out
}
