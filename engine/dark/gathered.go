package dark

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
)

// HasSheet reports whether a captain's ship has drawn the sheet of another one.
func HasSheet(g *engine.Game, captain engine.CaptainName, of engine.ShipID) bool {
	return g.Labs != nil && slices.ContainsFunc(g.Labs.Sheets, func(k engine.KnownSheet) bool {
		by, ok := g.Ship(k.Ship)
		return ok && by.Captain == captain && k.Of == of
	})
}

// Drawn reports whether the viewer's laboratories have drawn the sheet of a ship of the view.
func Drawn(v *engine.View, s *engine.ShipView) bool {
	return slices.ContainsFunc(v.Sheets, func(p engine.Panel) bool { return p.Key == sheetKey(s.Name) })
}

func sheetKey(name string) string { return "sheet-of-" + name }

func labsOf(g *engine.Game) *engine.Labs {
	if g.Labs == nil {
		g.Labs = &engine.Labs{}
	}
	return g.Labs
}

// fleetOf returns the ships of a ship's captain.
func (t laboratories) fleetOf(s *engine.Ship) (ids []engine.ShipID) {
	for _, o := range commandedBy(t.Game, s.Captain) {
		ids = append(ids, o.ID)
	}
	return ids
}

// jobOf returns the job that points are recorded under: received and stolen parts of a file add up.
func jobOf(job string) string {
	if job == engine.JobSteal {
		return engine.JobReceive
	}
	return job
}

// LabWork is what laboratory boxes gather in a turn. Of is the true id of a ship that is studied, or the book of a
// code, for the game only.
type LabWork struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Job    string        `json:"job" see:"all"`
	What   string        `json:"what" see:"all"` // a ship as her captain knows it, or a file; for a code its side or the speaker
	Boxes  int           `json:"boxes" see:"all"`
	Range  int           `json:"range" see:"all"`
	Roll   int           `json:"roll" see:"all"`
	Points int           `json:"points" see:"all"`
	Sum    int           `json:"sum" see:"all"`
	Units  int           `json:"units,omitempty" see:"all"` // in the whole file or code
	File   string        `json:"file,omitempty" see:"all"`  // the file name of a code that is now broken
	By     engine.ShipID `json:"by,omitempty" see:"all"`    // the probe or shuttle that did it
	Of     string        `json:"of,omitempty"`
}

// Apply implements Body.
func (b *LabWork) Apply(g *engine.Game) error {
	known := labsOf(g).Gather(b.Ship, jobOf(b.Job), b.Of, b.Sum)
	if b.Job == JobDecode {
		known.As = b.What
	}
	switch {
	case b.Job == engine.JobStudy || b.Sum < b.Units:
		return nil
	case b.Job == JobDecode:
		l := labsOf(g)
		l.Files = append(l.Files, engine.File{Name: b.File, Units: b.Units, From: b.Ship, Has: []engine.ShipID{b.Ship}, Book: b.Of})
		return nil
	}
	f := g.Labs.File(b.Of)
	if f == nil {
		return errNoFile
	}
	if !slices.Contains(f.Has, b.Ship) {
		f.Has = append(f.Has, b.Ship)
		slices.Sort(f.Has)
	}
	return nil
}

var errNoFile = errors.New("the game has no such file")

// SheetDrawn is a ship's sheet that laboratories have drawn (house 12.22).
type SheetDrawn struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	What  engine.ShipID `json:"what" see:"all"` // as her captain knows it
	Panel engine.Panel  `json:"panel" see:"all"`
	Of    engine.ShipID `json:"of,omitempty"`
}

// Apply implements Body.
func (b *SheetDrawn) Apply(g *engine.Game) error {
	l := labsOf(g)
	l.Sheets = slices.DeleteFunc(l.Sheets, func(k engine.KnownSheet) bool { return k.Ship == b.Ship && k.Of == b.Of })
	l.Sheets = append(l.Sheets, engine.KnownSheet{Ship: b.Ship, Of: b.Of, Turn: g.Turn, Panel: b.Panel})
	return nil
}

// Nature is what laboratories have found out about a weapon (house 12.23).
type Nature struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	What engine.ShipID `json:"what" see:"all"` // as her captain knows it
	N    int           `json:"n" see:"all"`
	Text string        `json:"text" see:"all"`
	Of   engine.ShipID `json:"of,omitempty"`
}

// Sentence implements [engine.Telling].
func (b *SheetDrawn) Sentence(v *engine.View) string {
	return fmt.Sprintf("%s completes the sheet of %s; see the sheets below", v.Name(b.Ship), v.Name(b.What))
}

// Sentence implements [engine.Telling].
func (b *Nature) Sentence(v *engine.View) string {
	return fmt.Sprintf("%s identifies a weapon of %s: %s", v.Name(b.Ship), v.Name(b.What), b.Text)
}

// viewedNature is a [Nature] in a view, where n is the number of an entry.
type viewedNature struct {
	*Nature
	N      *int `json:"n,omitempty"`
	Weapon *int `json:"weapon"`
}

// Viewed returns its body in a view.
func (b *Nature) Viewed() engine.Body { return &viewedNature{Nature: b, Weapon: &b.N} }

// UnmarshalJSON reads the form of events or that of views.
func (b *Nature) UnmarshalJSON(data []byte) error {
	type plain Nature
	var view struct{ Weapon *int }
	err := cmp.Or(json.Unmarshal(data, (*plain)(b)), json.Unmarshal(data, &view))
	b.N = *cmp.Or(view.Weapon, &b.N)
	return err
}

// Spotted says that laboratories have traced a probe's signal to its ship (house 14.2).
type Spotted struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	What    engine.ShipID `json:"what" see:"all"`              // the probe
	Side    string        `json:"side" see:"all"`              // of the ship that launched it, by name
	Bearing string        `json:"bearing,omitempty" see:"all"` // of that ship from the probe; blank if they share a hex
}

// Sentence implements [engine.Telling].
func (b *Spotted) Sentence(v *engine.View) string {
	text := fmt.Sprintf("%s picks up the signal of probe %s: a ship of %s launched it", v.Name(b.Ship), v.Name(b.What), b.Side)
	if b.Bearing == "" {
		return text + ", and is in its hex"
	}
	return text + ", and bears " + b.Bearing + " from it"
}

// Sentence implements [engine.Telling].
func (b *LabWork) Sentence(v *engine.View) string {
	text := fmt.Sprintf("%s tells %s of %s: %d points, %d in all", v.Name(b.By), v.Name(b.Ship), b.whatName(v), b.Points, b.Sum)
	if b.By == "" {
		text = fmt.Sprintf("%s, %s %s: range %d, %s, die %d: %d points, %d in all", v.Name(b.Ship), b.Job, b.whatName(v), b.Range, boxWords(b.Boxes), b.Roll, b.Points, b.Sum)
	}
	switch {
	case b.File != "":
		text += fmt.Sprintf(" of %d: the code is broken, and aboard as the file %s", b.Units, b.File)
	case b.Units > 0 && b.Sum >= b.Units:
		text += ": complete"
	case b.Units > 0:
		text += fmt.Sprintf(" of %d", b.Units)
	}
	return text
}

// whatName returns the name, in a view, of what a laboratory worked on.
func (b *LabWork) whatName(v *engine.View) string {
	switch b.Job {
	case engine.JobStudy:
		return v.Name(engine.ShipID(b.What))
	case JobDecode:
		return codeName(v, engine.ShipID(b.What))
	}
	return b.What
}

// codeName names a code by what its reader knows of its user: a side, a ship or something unseen.
func codeName(v *engine.View, of engine.ShipID) string {
	_, contact := blind.ParseNumber(string(of))
	if _, ship := v.Ship(of); ship || contact || of == "" {
		return "the code of " + v.Name(of)
	}
	return "the code of " + v.SideName(string(of))
}

func boxWords(n int) string {
	if n == 1 {
		return "1 box"
	}
	return fmt.Sprintf("%d boxes", n)
}

// labViews adds what the viewer's ships have gathered, and the sheets that they have drawn.
func (c looking) labViews(v *engine.View, all bool) {
	g := c.game
	if g.Labs == nil {
		return
	}
	captain := captainOf(c.game, v.Viewer)
	name := func(id engine.ShipID) engine.ShipID { return id }
	if g.Blind != nil && !all {
		name = func(id engine.ShipID) engine.ShipID { return knownAs(g, captain, id) }
	}
	for _, s := range v.Ships {
		if !s.Own && !all {
			continue
		}
		s.Files = g.Labs.Aboard(s.ID)
		for _, k := range g.Labs.Known {
			if k.Ship != s.ID {
				continue
			}
			d := engine.LabView{Job: k.Job, What: k.Of, Points: k.Points}
			if k.Job == JobDecode {
				if g.Labs.Broken(s.ID, k.Of) == nil {
					d.What, d.Units = k.As, codeUnits
					s.Gathered = append(s.Gathered, d)
				}
				continue
			}
			if f := g.Labs.File(k.Of); f != nil && k.Job != engine.JobStudy {
				d.Units = f.Units
			} else {
				d.What = string(name(engine.ShipID(k.Of)))
			}
			s.Gathered = append(s.Gathered, d)
		}
		for _, k := range g.Labs.Sheets {
			if k.Ship == s.ID {
				p := k.Panel
				p.Key, p.Title = sheetKey(string(name(k.Of))), fmt.Sprintf("%s at the end of turn %d, as %s drew her sheet", name(k.Of), k.Turn, s.Name)
				v.Sheets = append(v.Sheets, p)
			}
		}
	}
	for _, f := range g.Labs.Files {
		if f.Book != "" {
			continue // the ships that have it list it as aboard
		}
		from, ok := g.Ship(f.From)
		own := slices.ContainsFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own && ok && s.Side == from.Side })
		if g.Blind == nil || all || own {
			v.Files = append(v.Files, engine.FileView{Name: f.Name, Units: f.Units, From: f.From})
		}
	}
}

// LabWords describes what an own ship of a view has gathered, and the files aboard.
func LabWords(s *engine.ShipView, v *engine.View) (out []string) {
	for _, name := range s.Files {
		out = append(out, "aboard: the file "+name)
	}
	for _, k := range s.Gathered {
		switch {
		case k.Job == JobDecode:
			out = append(out, fmt.Sprintf("%d of the %d points that break %s", k.Points, k.Units, codeName(v, engine.ShipID(k.What))))
		case k.Units > 0 && k.Points < k.Units:
			out = append(out, fmt.Sprintf("%d of the %d units of the file %s", k.Points, k.Units, k.What))
		case k.Units == 0:
			out = append(out, fmt.Sprintf("%d points of data about %s", k.Points, v.Name(engine.ShipID(k.What))))
		}
	}
	return out
}
