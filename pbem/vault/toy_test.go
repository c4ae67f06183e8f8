package vault

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
)

// hull is the whole state of a ship of the toy rule set, which has no phases: the vault must not
// depend on them.
type hull struct {
	Points int `json:"points"`
}

func (h *hull) Clone() engine.System { c := *h; return &c }

func toy(files map[string][]byte) (*engine.Rules, error) {
	return &engine.Rules{
		Name: "toy", Version: "1", Language: &orders.Language{Rules: "toy"},
		Commission: func(engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
			return engine.Commissioned{System: &hull{Points: 3}, Title: "Tub"}, nil
		},
		DecodeSystem: func(data json.RawMessage) (engine.System, error) {
			h := new(hull)
			return h, json.Unmarshal(data, h)
		},
		Seeing: engine.Seeing{Public: func(*engine.Ship) any { return nil }},
	}, nil
}

var catalogue = Catalogue{"toy": toy}

const toyScenario = `format = 1
name = "pond"
title = "The Pond"
rules = "toy"
[[side]]
id = "north"
[[side]]
id = "south"
[[ship]]
name = "Ada"
side = "north"
class = "tub"
hex = "0101"
heading = "A"
[[ship]]
name = "Bea"
side = "south"
class = "tub"
hex = "0505"
heading = "D"
`

func day(n int) time.Time { return time.Date(2026, 3, 1+n, 20, 0, 0, 0, time.UTC) }

// content returns a game's first turn, or the n-th, without resolving anything.
func content(tb testing.TB, n int) (*engine.Game, []File) {
	tb.Helper()
	sc, diags := scenario.Parse([]byte(toyScenario))
	if sc == nil {
		tb.Fatal(diags)
	}
	r, err := toy(nil)
	if err != nil {
		tb.Fatal(err)
	}
	g, diags := sc.NewGame(r, "pond", map[string]engine.CaptainName{"Ada": "Ann Lee", "Bea": "Bob"})
	if g == nil {
		tb.Fatal(diags)
	}
	g.Turn = n
	state, err := engine.EncodeGame(g)
	if err != nil {
		tb.Fatal(err)
	}
	return g, []File{
		{StateFile, state}, {EventsFile, nil}, {"reports/ada.txt", []byte("fine\n")}, {"outbox/bob.eml", []byte("To: bob@example.org\n\nhi\n")},
	}
}

func settings() Settings {
	return Settings{
		ID: "pond", Title: "The Pond", Rules: "toy", Version: "1", Mail: DefaultMail(),
		Captains: []Captain{{Name: "Ann Lee", Ships: []string{"Ada"}}, {Name: "Bob", Address: "bob@example.org", Also: []string{"bob@home.example"}, Ships: []string{"Bea"}}},
	}
}

// create creates a game directory and returns its path.
func create(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "pond")
	createIn(tb, directory.At(dir))
	return dir
}

func createIn(tb testing.TB, tree record.Tree) {
	tb.Helper()
	_, files := content(tb, 0)
	err := Create(tree, NewGame{
		Settings: settings(), Scenario: []byte(toyScenario), Secret: dice.FromSeed(1), Fill: Files(files...),
		Tables:   map[string][]byte{"ships/tub.toml": []byte("# a tub\n")},
		Manifest: Manifest{Resolved: day(0), Deadline: day(3), Mails: map[string]Envelope{"bob.eml": {Captain: "Bob", To: "bob@example.org", MessageID: "<a@b>"}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func open(tb testing.TB, dir string) *Game {
	tb.Helper()
	return openTree(tb, directory.At(dir))
}

func openTree(tb testing.TB, tree record.Tree) *Game {
	tb.Helper()
	g, err := Open(tree, catalogue)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// commitNext commits the next turn with the sets in orders/.
func commitNext(tb testing.TB, g *Game) error {
	tb.Helper()
	n := g.Turn() + 1
	state, files := content(tb, n)
	m := Manifest{Turn: n, Resolved: day(n), Deadline: day(n + 3), Mails: map[string]Envelope{"bob.eml": {Captain: "Bob"}}}
	sets, err := g.Orders.For(At(n))
	if err != nil {
		tb.Fatal(err)
	}
	m.Taken = map[string]string{}
	for _, s := range sets {
		m.Taken[s.Name+".txt"] = Hash(s.Text)
		files = append(files, File{"orders/" + s.Name + ".txt", s.Text})
	}
	return g.Commit(m, Files(files...), state)
}

// copyOf returns a copy of a game directory; creating another one would wait for the disk.
func copyOf(tb testing.TB, dir string) string {
	tb.Helper()
	c := filepath.Join(tb.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(c, os.DirFS(dir)); err != nil {
		tb.Fatal(err)
	}
	return c
}

// tree returns all files below dir with their contents.
func tree(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == ".lock" {
			return err
		}
		data, err := os.ReadFile(path)
		rel := strings.TrimPrefix(path, dir+string(filepath.Separator))
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// hinted returns an error's hint.
func hinted(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint()
	}
	return ""
}
