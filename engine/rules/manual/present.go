package manual

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
)

// present puts a view into words, tables and overlays.
func present(v *engine.View) engine.Presentation {
	n := &narrator{v: v}
	for _, e := range v.Events {
		n.entry(e)
	}
	n.flush()
	p := engine.Presentation{Phases: n.kept(), Shots: n.shots, Marks: map[engine.ShipID]engine.Overlay{}}
	if v.Turn > 0 {
		p.Headline = fmt.Sprintf("the referee has played turn %d", v.Turn)
	}
	p.Panels = append(p.Panels, v.GoalsPanel())
	for _, s := range v.Ships {
		if sys, ok := s.System.(*System); ok && (s.Own || v.Viewer.All) {
			if s.Kind != engine.KindShip {
				continue
			}
			p.Panels = append(p.Panels, sheetPanel(s, sys.Tracks))
			if sheet := &p.Panels[len(p.Panels)-1]; sys.Labs+sys.Probes > 0 {
				sheet.Notes = append(sheet.Notes, fmt.Sprintf("boxes of laboratories: %d, probes: %d", sys.Labs, sys.Probes))
			}
			p.Panels[len(p.Panels)-1].Notes = append(p.Panels[len(p.Panels)-1].Notes, dark.LabWords(s, v)...)
			p.Marks[s.ID] = shields(sys)
		}
	}
	if v.Dark {
		p.Panels = append(p.Panels, darkPanels(v)...)
	} else if others, ok := othersPanel(v); ok {
		p.Panels = append(p.Panels, others)
	}
	return p
}

// narrator describes the events of a view in order. Consecutive moves of one ship become one line.
type narrator struct {
	v        *engine.View
	chapters []engine.Chapter
	moves    []*engine.Move
	moved    int // the number of the first of them
	shots    []engine.Shot
	at, last int // numbers of the current entry and of the last one with a line
	phase    int // of the current entry
}

func (n *narrator) open(title string) {
	n.chapters = append(n.chapters, engine.Chapter{Title: title})
}

// section makes sure that the chapter of a step is open.
func (n *narrator) section(step string) {
	titles := map[string]string{"orders": "Orders", "filing": "What happened", "end": "End of the turn"}
	title, ok := titles[step]
	if !ok {
		title = "Orders" // events of the whole turn
	}
	last := ""
	if len(n.chapters) > 0 {
		last = n.chapters[len(n.chapters)-1].Title
	}
	if last == "" || step == "end" && last != title || step == "filing" && last == titles["orders"] {
		n.open(title)
	}
}

func (n *narrator) line(depth int, cite, format string, args ...any) {
	c := &n.chapters[len(n.chapters)-1]
	l := engine.Line{Depth: depth, Text: fmt.Sprintf(format, args...), Cite: cite}
	if n.at != n.last { // an entry may have several lines
		l.N, n.last = n.at, n.at
	}
	c.Lines = append(c.Lines, l)
}

func (n *narrator) entry(e engine.Entry) {
	m, isMove := e.Body.(*engine.Move)
	if !isMove || len(n.moves) > 0 && n.moves[0].Ship != m.Ship {
		n.flush()
	}
	n.section(e.Step)
	n.at, n.phase = e.N, e.Phase
	if isMove {
		if n.moves = append(n.moves, m); len(n.moves) == 1 {
			n.moved = e.N
		}
		return
	}
	if cite := engine.Cite(e.Rule); !events.Tell(n, e.Body, cite) {
		if l, ok := n.v.Tell(e); ok {
			n.line(0, cite, "%s", l.Text)
		}
	}
}

// told adds the referee's text. If it is for some captains only, it says so.
func (n *narrator) told(b *Told, _ string) {
	to := ""
	if b.To != "all" {
		to = n.v.SideName(b.To)
		if s, ok := n.v.Ship(engine.ShipID(b.To)); ok {
			to = s.Name
		}
	}
	for i, text := range b.Text {
		if i == 0 && to != "" {
			n.line(0, "", "To %s: %s", to, text)
			continue
		}
		n.line(0, "", "%s", text)
	}
}

func (n *narrator) flush() {
	if len(n.moves) == 0 {
		return
	}
	first, last := n.moves[0], n.moves[len(n.moves)-1]
	n.at = n.moved
	name := n.v.Name(first.Ship)
	switch {
	case first.From.Hex == last.To.Hex && len(n.moves) == 1:
		n.line(0, cite, "%s turns at %s, heading %s to %s", name, last.To.Hex.Label(), first.From.Heading, last.To.Heading)
	default:
		n.line(0, cite, "%s moves %s -> %s, heading %s", name, first.From.Hex.Label(), last.To.Hex.Label(), last.To.Heading)
	}
	n.moves = nil
}

func (n *narrator) shot(b *Shot, cite string) {
	with, what := "", "misses"
	if b.With != "" {
		with = " with " + b.With
	}
	if b.Hit {
		what = "hits"
	}
	n.line(0, cite, "%s fires%s at %s and %s", n.v.Name(b.Ship), with, n.v.Name(b.Target), what)
	n.shots = append(n.shots, engine.Shot{Phase: n.phase, From: b.Ship, To: b.Target, Hit: b.Hit, Label: b.With})
}

func (n *narrator) charted(b *engine.Charted, cite string) {
	name := b.Feature.Name
	if name == "" {
		name = b.Feature.ID
	}
	if b.Feature.Gone {
		n.line(0, cite, "%s is no longer there", name)
		return
	}
	n.line(0, cite, "%s (%s) is at %s", name, b.Feature.Kind, b.Feature.Hexes[0].Label())
}

// kept returns the chapters that have lines.
func (n *narrator) kept() []engine.Chapter {
	var out []engine.Chapter
	for _, c := range n.chapters {
		if len(c.Lines) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func markWords(v *engine.View, b *Mark) string {
	name := v.Name(b.Ship)
	if b.New {
		return fmt.Sprintf("%s has a new track: %s %d of %d", name, trackWords(b.Track), b.After, b.Of)
	}
	return fmt.Sprintf("%s: %s %d to %d, of %d", name, trackWords(b.Track), b.Before, b.After, b.Of)
}

// trackWords returns "shields 1" for shields.1.
func trackWords(name string) string {
	if base, n := numbered(name); n > 0 {
		return base + " " + itoa(n)
	}
	return name
}

func trackColumns() []engine.Column {
	return []engine.Column{{Name: "track"}, {Name: "now", Right: true}, {Name: "of", Right: true}}
}

// sheetPanel returns the sheet of a ship.
func sheetPanel(s *engine.ShipView, tracks []Track) engine.Panel {
	p := engine.Panel{Key: "ship-" + string(s.ID), Title: fmt.Sprintf("%s (%s), %s", s.Title, s.Short, s.Class)}
	where := "not on the map"
	if s.Hex != nil {
		where = fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
	}
	p.Notes = append(p.Notes, fmt.Sprintf("%s, %s", where, s.Status))
	if s.Status == engine.Waiting {
		p.Notes = append(p.Notes, fmt.Sprintf("arrives in turn %d", s.Arrives))
	}
	if len(tracks) > 0 {
		p.Columns = trackColumns()
	}
	for _, t := range tracks {
		p.Rows = append(p.Rows, []string{trackWords(t.Name), itoa(t.Now), itoa(t.Of)})
	}
	return p
}

// shields marks a ship's shields on the map, if she has six tracks of that name: the first ahead, the others
// clockwise.
func shields(sys *System) engine.Overlay {
	var o engine.Overlay
	for n := 1; n <= 6; n++ {
		t, ok := sys.track("shields." + itoa(n))
		if !ok {
			return engine.Overlay{}
		}
		o.Shields = append(o.Shields, engine.ShieldMark{Number: n, Side: n - 1, Now: max(t.Now, 0), Max: max(t.Of, t.Now, 0), Down: t.Now <= 0})
	}
	return o
}

// othersPanel returns what is known about other ships.
func othersPanel(v *engine.View) (engine.Panel, bool) {
	p := engine.Panel{
		Key: "others", Title: "Other ships in sight",
		Columns: []engine.Column{{Name: "ship"}, {Name: "class"}, {Name: "side"}, {Name: "state"}, {Name: "hex"}, {Name: "hdg"}, {Name: "range", Right: true}, {Name: "bearing"}},
	}
	for _, s := range v.Ships {
		if s.Own || v.Viewer.All {
			continue
		}
		at, heading, away := "-", "-", "-"
		if s.Hex != nil {
			at, heading = s.Hex.Label(), s.Heading.String()
			if v.Viewer.Focus != "" {
				away = itoa(s.Range)
			}
		}
		bearing := s.Bearing
		if bearing == "" {
			bearing = "-"
		}
		p.Rows = append(p.Rows, []string{fmt.Sprintf("%s (%s)", s.Name, s.Short), s.Class, v.SideName(s.Side), string(s.Status), at, heading, away, bearing})
		if sheet, ok := s.System.(*Sheet); ok && len(sheet.Tracks) > 0 {
			p.Notes = append(p.Notes, s.Name+": "+strings.TrimPrefix(tracksText(sheet.Tracks), "; "))
		} else if sys, ok := s.System.(*System); ok && len(sys.Tracks) > 0 {
			p.Notes = append(p.Notes, s.Name+": "+strings.TrimPrefix(tracksText(sys.Tracks), "; "))
		}
	}
	return p, len(p.Rows) > 0
}

// words describes the i-th event of a view on its own.
func words(v *engine.View, i int) []engine.Line {
	e := v.Events[i]
	switch e.Body.(type) {
	case *engine.Roll, *engine.Move, *engine.Talk:
		return nil // the engine has words for them
	}
	if text, ok := events.Alone(none{}, v, e.Body); ok {
		return []engine.Line{{Text: text, Cite: engine.Cite(e.Rule)}}
	}
	n := &narrator{v: v}
	n.entry(e)
	var out []engine.Line
	for _, c := range n.chapters {
		out = append(out, c.Lines...)
	}
	return out
}

// why explains that the referee filed an event.
func why(s *engine.Story, i int) []string {
	if s.Events[i].Step != "filing" {
		return nil
	}
	return []string{"the referee filed it, having read the orders"}
}
