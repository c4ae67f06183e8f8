package dark

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
)

// Tracks tell what became of each contact of a captain in the events of his view, a line for each, by the
// number of its first event. What was lost and nothing else is in one line.
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

// track is what became of a contact.
type track struct {
	no    blind.ContactNo
	n     int
	cite  string
	last  *SensorContact
	name  engine.ShipID // its ship, once she is known
	began string        // what it begins with, beside who it is
	steps []trackStep
	told  []*SensorContact
	fate  string // how it was lost, or taken off the list

	had   *SensorContact // the last step that showed size and heading; nil after one that did not
	level string         // of the last step
}

// trackStep is where a contact was found, from one phase to another, and what showed then that had not before.
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

// add takes an event of a phase into a track.
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

// since is what of size, heading and speed is another than it was.
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
