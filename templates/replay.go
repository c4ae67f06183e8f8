//go:build !js

package templates

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"html/template"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"starpost/templates/clean"
)

// Replay is a battle to watch moment by moment, in one self-contained HTML page.
type Replay struct {
	Game, Title, Rules string
	Whose              string  // the point of view: "Hood (Ann)", "everything"
	Bounds             *Bounds // nil when the field has no edge
	Turns              []ReplayTurn
}

// ReplayTurn is one turn of a Replay. Map shows its end, as text for readers without scripts.
type ReplayTurn struct {
	Turn     int
	Headline string
	Dice     string // the source of its dice, in a game with public dice
	Map      Map
	Moments  []Moment
	Messages []Note // those that the viewer received
}

// Moment is the part of a turn that is shown at once: all counters at its end, with the
// paths they took as trails, and the shots fired.
type Moment struct {
	ID    string // names it in links: "t4.p2"
	Title string
	Map   Map
	Told  []Phase
}

//go:embed replay
var replayFiles embed.FS

// replayParts is the template of the replay page with its style, its script, and its Content-Security-Policy.
type replayParts struct {
	*template.Template
	Style  template.CSS
	Script template.JS
	Policy string
}

var replayPage = sync.OnceValues(readReplayPage)

func readReplayPage() (page replayParts, err error) {
	style, err := replayFiles.ReadFile("replay/replay.css")
	if err != nil {
		return page, err
	}
	script, err := replayFiles.ReadFile("replay/replay.js")
	if err != nil {
		return page, err
	}
	style = append(style, "@media (prefers-color-scheme:dark){\n"+NightCSS()+"}\n"...)
	page.Style, page.Script = template.CSS(style), template.JS(script)
	page.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src blob:; base-uri 'none'; form-action 'none'", SourceHash(style), SourceHash(script))
	page.Template, err = template.New("replay.html").Funcs(template.FuncMap{"clean": CleanText}).ParseFS(replayFiles, "replay/replay.html")
	return page, err
}

// SourceHash returns the hash by which a Content-Security-Policy admits an inline style or script.
func SourceHash(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// CleanText returns untrusted text as one line, without runes that control or hide text.
func CleanText(s string) string { return string(clean.Append(nil, s, 0)) }

// Edition returns a value that changes with embedded files and with the colours that styles share, so that stored pages
// are written again. Nothing is parsed: it is needed at each run, the pages are not.
func Edition(files embed.FS) (string, error) {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	_, _ = sum.Write([]byte(NightCSS())) // a hash takes everything
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		_, _ = fmt.Fprintf(sum, "%s %d ", name, len(text))
		_, _ = sum.Write(text)
		return err
	})
	return fmt.Sprintf("%08x", sum.Sum32()), err
}

// ReplayEdition is the Edition of the page of replays.
func ReplayEdition() (string, error) { return Edition(replayFiles) }

// ReplayHTML draws the page. It makes no requests, and without its script it tells the
// battle as text, with a map of the end of each turn.
func ReplayHTML(r Replay) ([]byte, error) {
	page, err := replayPage()
	if err != nil {
		return nil, fmt.Errorf("read the page of replays: %w", err)
	}
	type turn struct {
		*ReplayTurn
		ASCII string
	}
	turns := make([]turn, len(r.Turns))
	for i := range r.Turns {
		turns[i] = turn{&r.Turns[i], ASCIIMap(r.Turns[i].Map)}
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Replay
		Turns  []turn
		Style  template.CSS
		Script template.JS
		Policy string
		Defs   template.HTML
		Battle battleData
	}{r, turns, page.Style, page.Script, page.Policy, template.HTML(svgDefs + terrainDefs), r.data()})
	if err != nil {
		return nil, fmt.Errorf("draw the replay of %s: %w", r.Game, err)
	}
	return b.Bytes(), nil
}

// battleData is what the script reads, as JSON. Its names are short because there is a lot of it.
type battleData struct {
	Bounds  []int        `json:"bounds,omitempty"` // columns, rows
	Sides   []sideData   `json:"sides"`
	Ships   []shipData   `json:"ships"`
	Fields  [][]markData `json:"fields"`
	Moments []momentData `json:"moments"`
}

type sideData struct {
	Name   string `json:"name"`
	Fill   string `json:"fill"`
	Line   string `json:"line"`
	Letter string `json:"letter"`
	Shape  string `json:"shape"`
	Dash   string `json:"dash,omitempty"`
	of     int
}

type shipData struct {
	Name string `json:"n"`
	Sign string `json:"g"`
	Side int    `json:"s"`
	Kind string `json:"k,omitempty"` // "fixed" or "small"
}

type markData struct {
	Kind string `json:"k"`
	Col  int    `json:"c"`
	Row  int    `json:"r"`
	Name string `json:"n,omitempty"`
}

// momentData holds only what differs from the moment before: ships that moved or changed,
// and ships that left the map.
type momentData struct {
	ID    string      `json:"id"`
	Field int         `json:"f"` // index in battleData.Fields
	Ships []placeData `json:"s,omitempty"`
	Gone  []int       `json:"g,omitempty"`
	Shots []shotData  `json:"x,omitempty"`
}

type placeData struct {
	Ship    int      `json:"i"`
	At      [3]int   `json:"a"`           // column, row, heading
	Way     [][3]int `json:"w,omitempty"` // the places before At, in order
	State   string   `json:"o,omitempty"` // "dead", "ghost" or "cloaked"
	Shields [][4]int `json:"h,omitempty"` // side, points, maximum, number
}

type shotData struct {
	From  [2]int `json:"a"`
	To    [2]int `json:"b"`
	Hit   bool   `json:"h,omitempty"`
	Label string `json:"l,omitempty"`
	Roll  int    `json:"r,omitempty"`
}

// data returns the battle as the script reads it.
func (r *Replay) data() battleData {
	out := battleData{Sides: []sideData{}, Ships: []shipData{}}
	if r.Bounds != nil {
		out.Bounds = []int{r.Bounds.Cols, r.Bounds.Rows}
	}
	ships, fields := map[string]int{}, map[string]int{}
	before := map[int]placeData{}
	for i := range r.Turns {
		for k := range r.Turns[i].Moments {
			mo := &r.Turns[i].Moments[k]
			md := momentData{ID: mo.ID, Field: out.field(fields, &mo.Map)}
			signs, now := mo.Map.signs(), map[int]placeData{}
			for n := range mo.Map.Counters {
				c := &mo.Map.Counters[n]
				at, known := ships[c.ID]
				if !known {
					at = len(out.Ships)
					ships[c.ID] = at
					out.Ships = append(out.Ships, shipData{Name: CleanText(c.Name), Sign: string(appendSign(nil, signs[n])), Side: out.side(c.SideName, c.Side), Kind: c.kind()})
				}
				place := c.placeData(at)
				if was, ok := before[at]; !ok || !place.same(was) {
					md.Ships = append(md.Ships, place)
				}
				now[at] = place
			}
			for at := range before {
				if _, ok := now[at]; !ok {
					md.Gone = append(md.Gone, at)
				}
			}
			slices.Sort(md.Gone)
			before = now
			for _, s := range mo.Map.Shots {
				md.Shots = append(md.Shots, shotData{[2]int{near(s.FromCol), near(s.FromRow)}, [2]int{near(s.ToCol), near(s.ToRow)}, s.Hit, CleanText(s.Label), s.Roll})
			}
			out.Moments = append(out.Moments, md)
		}
	}
	return out
}

// same reports whether a ship is unchanged since was and did not move.
func (p *placeData) same(was placeData) bool {
	return len(p.Way) == 0 && p.At == was.At && p.State == was.State && slices.Equal(p.Shields, was.Shields)
}

// side returns the index of a side in d.Sides, adding it when its first ship appears: a captain may not know all sides
// from the beginning. Its tone is the same on all maps of the game.
func (d *battleData) side(name string, side int) int {
	name = CleanText(name)
	i := slices.IndexFunc(d.Sides, func(s sideData) bool { return s.Name == name && s.of == side })
	if i < 0 {
		i = len(d.Sides)
		t := toneOf(side)
		d.Sides = append(d.Sides, sideData{name, t.fill, t.line, t.letter, t.shape, t.dash, side})
	}
	return i
}

func appendSign(b []byte, s sign) []byte {
	if b = append(b, s.a); s.b != 0 {
		b = append(b, s.b)
	}
	return b
}

// field returns the index of a map's terrain in d.Fields, adding it if it is not in met.
func (d *battleData) field(met map[string]int, m *Map) int {
	marks := make([]markData, 0, len(m.Terrain))
	for _, t := range m.Terrain {
		marks = append(marks, markData{CleanText(t.Kind), near(t.Col), near(t.Row), CleanText(t.Name)})
	}
	var key strings.Builder
	_ = json.NewEncoder(&key).Encode(marks) // plain structs into memory: it cannot fail
	at, ok := met[key.String()]
	if !ok {
		at = len(d.Fields)
		met[key.String()] = at
		d.Fields = append(d.Fields, marks)
	}
	return at
}

func (c *Counter) kind() string {
	switch {
	case c.station():
		return "fixed"
	case c.Small:
		return "small"
	}
	return ""
}

func (c *Counter) placeData(ship int) placeData {
	out := placeData{Ship: ship, At: [3]int{near(c.Col), near(c.Row), c.Heading}}
	switch {
	case c.Ghost:
		out.State = "ghost"
	case c.Dead:
		out.State = "dead"
	case c.Cloaked:
		out.State = "cloaked"
	}
	for _, s := range c.Trail {
		out.Way = append(out.Way, [3]int{near(s.Col), near(s.Row), s.Heading})
	}
	for _, s := range c.Shields {
		now := s.Now
		if s.Down {
			now = 0
		}
		out.Shields = append(out.Shields, [4]int{s.Side, now, s.Max, s.Number})
	}
	return out
}

// GameFile returns the path of a game's page, relative to the folder of the site.
func GameFile(id string) string { return "games/" + id + ".html" }
