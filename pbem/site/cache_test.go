package site

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/cup"
	"starpost/pbem/feed"
	"starpost/pbem/rating"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates/pages"
)

// TestASiteIsDrawnAgainWhereItMust checks what a run restores or draws again although no game changed: a lost page, and after
// damage to the cache or with another program, everything. The pages stay the same, byte for byte.
func TestASiteIsDrawnAgainWhereItMust(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mail := vault.DefaultMail()
	mail.Robot = "battles@example.org"
	o := Options{
		Cups: cup.In(dir), Feeds: feed.In(dir), Catalogue: vault.CatalogueOf(fasa.Family()), Folder: filepath.Join(dir, "www"), Cache: filepath.Join(dir, "site"),
		Name: "Here", Version: "1", Now: time.Now().Add(time.Hour),
	}
	for i, id := range []string{"wolf", "hunt"} {
		game := filepath.Join(dir, "games", id)
		_, err = turn.Create(game, o.Catalogue, turn.Setup{
			Scenario: all["big-bad-wolf"], ID: id, Mail: mail, Secret: dice.FromSeed(uint64(i)), Options: turn.Options{Now: time.Now()},
			Captains: []vault.Captain{{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Hood"}}, {Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Dirs = append(o.Dirs, game)
	}
	write := func(what string, drawn, written int) {
		t.Helper()
		sum, err := Write(t.Context(), o)
		if err != nil || len(sum.Problems) > 0 {
			t.Fatal(what, err, sum.Problems)
		}
		if sum.Drawn != drawn || sum.Written != written {
			t.Errorf("%s: games drawn %d, pages written %d, want %d and %d", what, sum.Drawn, sum.Written, drawn, written)
		}
	}
	write("at first", 2, 10)
	first := readAll(t, o.Folder)
	write("nothing changed", 0, 0)
	for name := range first {
		if name == markerName {
			continue
		}
		if err := os.Remove(filepath.Join(o.Folder, name)); err != nil {
			t.Fatal(err)
		}
		drawn, written := 0, 1
		switch filepath.Dir(name) {
		case "games", "replays":
			drawn = 1
		case ".":
		default: // the composer, if the program was built with it
			written = 0
		}
		write("lost "+name, drawn, written)
	}
	games, err := os.ReadFile(o.Cache + indexFile)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := os.ReadFile(o.Cache + listsFile)
	if err != nil {
		t.Fatal(err)
	}
	flipped := func(text []byte) []byte {
		text = bytes.Clone(text)
		text[len(text)/2] ^= 1
		return text
	}
	for what, text := range map[string][]byte{"no": nil, "a torn": games[:len(games)/2], "a damaged": flipped(games), "a foreign": []byte(`{"of":""}`)} {
		if err := os.WriteFile(o.Cache+indexFile, text, 0o600); err != nil {
			t.Fatal(err)
		}
		write(what+" index", 2, 0)
		write("after "+what+" index", 0, 0)
	}
	for what, text := range map[string][]byte{"no": nil, "torn": lists[:len(lists)/2], "damaged": flipped(lists)} {
		if err := os.WriteFile(o.Cache+listsFile, text, 0o600); err != nil {
			t.Fatal(err)
		}
		write("nothing needs "+what+" lists", 0, 0)
		if err := os.Remove(filepath.Join(o.Folder, "index.html")); err != nil {
			t.Fatal(err)
		}
		write(what+" lists", 2, 1)
	}
	if !reflect.DeepEqual(readAll(t, o.Folder), first) {
		t.Error("the pages are not as at first")
	}
	o.Version = "2"
	if sum, err := Write(t.Context(), o); err != nil || sum.Drawn != 2 {
		t.Errorf("%+v, %v: another version of the program did not draw all", sum, err)
	}
	if err := os.WriteFile(filepath.Join(o.Dirs[1], "game.toml"), []byte("no settings"), 0o600); err != nil {
		t.Fatal(err)
	}
	if sum, err := Write(t.Context(), o); err != nil || len(sum.Problems) != 1 || sum.Games != 1 {
		t.Errorf("%+v, %v: a game that cannot be opened costs another its page", sum, err)
	}
}

func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTheIndexIsReadAsWritten checks each field of the index, and that what is cut off is an error and no panic.
func TestTheIndexIsReadAsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "index")
	want := index{
		Of: "program", Lists: 1 << 31, Feeds: map[string]string{"word": "mark"}, Drawn: map[string]string{"ratings": "a", "composer": ""}, Others: []other{{"d", "m", "r"}},
		Games: []brief{{}, {
			Dir: "dir", Mark: "mark", ID: "wolf", Robot: "robot", State: stateOver, Changed: -1, Watch: true, Vacant: true, Captains: []string{"kirk", ""},
			Played: &rating.Game{
				ID: "wolf", Title: "Wolf", Set: "set", Rules: "Rules", Scenario: "scenario", Ended: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Won: -1, Odds: 0.3,
				Sides: [2]rating.Side{{Name: "Red", Players: []rating.Player{{Address: "kirk", Name: "Kirk", Late: true}}}, {Name: "Blue"}},
			},
			Service: []rating.Service{{Address: "kirk", Conduct: rating.Conduct{Answered: 1, Missed: 2, Resigned: 3}}},
		}},
	}
	if _, err := pack(file, func(c *coder) { c.index(&want) }); err != nil {
		t.Fatal(err)
	}
	var got index
	var text string
	if _, err := unpack(file, func(c *coder) { text = c.text; c.index(&got) }); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v (%v), want %+v", got, err, want)
	}
	for n := range len(text) {
		c := coder{text: text[:n]}
		if c.index(&index{}); c.err == nil {
			t.Errorf("%d of %d bytes were read without an error", n, len(text))
		}
	}
}

// TestAMarkerIsReadByLines checks that a marker reads the same by lines as by encoding/json, however it looks.
func TestAMarkerIsReadByLines(t *testing.T) {
	sum := strings.Repeat("0", 64)
	f, err := openFolder(filepath.Join(t.TempDir(), "www"))
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"index.html"}, {"a.html", "games/b.html"}, {`q"\.html`, "<b>.html"}} {
		f.has = map[string]string{}
		for _, name := range names {
			f.has[name] = sum
		}
		if err := f.mark(); err != nil {
			t.Fatal(err)
		}
		text, err := f.root.ReadFile(markerName)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", " ")} {
			if m, err := readMarker(text); err != nil || m.About != markerAbout || m.Name != f.name || !reflect.DeepEqual(m.Files, f.has) {
				t.Errorf("%s\nwas read as %+v (%v)", text, m, err)
			}
		}
		for _, text := range []string{strings.Replace(string(text), "  \"", "  ", 1), strings.TrimSuffix(string(text), "}\n")} {
			if m, err := readMarker(text); err == nil && len(names) > 0 {
				t.Errorf("%s\nwas read as %+v", text, m)
			}
		}
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}

// TestRatingsAreDrawnWhenTheyChange checks that the page is drawn again when time alone changes a rating, and only then.
func TestRatingsAreDrawnWhenTheyChange(t *testing.T) {
	f, err := openFolder(filepath.Join(t.TempDir(), "www"))
	if err != nil {
		t.Fatal(err)
	}
	ended := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	side := func(name string) rating.Side {
		return rating.Side{Name: name, Players: []rating.Player{{Address: name, Name: name}}}
	}
	played := []rating.Game{{ID: "wolf", Set: "set", Rules: "Rules", Ended: ended, Odds: 0.5, Sides: [2]rating.Side{side("a"), side("b")}}}
	w := writer{folder: f, known: readCache("", "test"), site: pages.Site{Name: "Here"}}
	for _, at := range []struct {
		days  int
		drawn bool
	}{{0, true}, {1, false}, {60, true}, {61, false}} {
		w.changed = false
		if err := w.lists(rating.Make(played, nil, ended.AddDate(0, 0, at.days))); err != nil {
			t.Fatal(err)
		}
		f.had, f.there = f.has, map[string]bool{"ratings.html": true, "results.html": true}
		if w.changed != at.drawn {
			t.Errorf("after %d days ratings were drawn: %t, want %t", at.days, w.changed, at.drawn)
		}
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}
