package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/config"
	"starpost/pbem/rating"
	"starpost/pbem/site"
)

// siteConfig is the configuration of a host with pages.
const siteConfig = `address = "battles@example.org"
state = "state"
games = ["games/*"]
[imap]
host = "mail.example.org"
user = "battles"
password_env = "IMAP"
[smtp]
host = "mail.example.org"
[site]
dir = "www"
url = "https://example.org/battles"
`

// siteWorld is a host with games of all kinds, and the pages about them.
type siteWorld struct {
	*testing.T
	dir    string
	config *config.Config
}

func newSiteWorld(t *testing.T) siteWorld {
	t.Helper()
	w := siteWorld{T: t, dir: t.TempDir()}
	file := filepath.Join(w.dir, "starpost.toml")
	if err := errors.Join(os.WriteFile(file, []byte(siteConfig), 0o600), os.Mkdir(filepath.Join(w.dir, "games"), 0o700)); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.config, err = config.LoadWithoutSecrets(file); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w siteWorld) game(id string) string { return filepath.Join(w.dir, "games", id) }

// play makes a game and has robots play turns of it.
func (w siteWorld) play(id string, turns int, args ...string) {
	w.Helper()
	starpost(w.T, append([]string{"new", w.game(id), "--seed", "3"}, args...)...)
	for range turns {
		starpost(w.T, "turn", w.game(id), "--missing", "robot")
	}
}

// end makes a game and has robots finish it.
func (w siteWorld) end(id string, args ...string) {
	w.Helper()
	w.play(id, 0, args...)
	w.toTheEnd(id)
}

// toTheEnd has robots finish a game.
func (w siteWorld) toTheEnd(id string) {
	w.Helper()
	for range 40 {
		var st struct{ Result *struct{ Turn int } }
		if err := json.Unmarshal([]byte(starpost(w.T, "status", w.game(id), "--json")), &st); err != nil {
			w.Fatal(err)
		}
		if st.Result != nil {
			return
		}
		starpost(w.T, "turn", w.game(id), "--missing", "robot")
	}
	w.Fatalf("the game %s does not end", id)
}

// edit changes a game's settings by hand.
func (w siteWorld) edit(id, old, changed string) {
	w.Helper()
	file := filepath.Join(w.game(id), "game.toml")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		w.Fatalf("the settings of %s do not hold %q (%v)", id, old, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, changed, 1)), 0o600); err != nil {
		w.Fatal(err)
	}
}

// people are flags for a game of two ships whose captains have addresses.
var people = []string{"--scenario", "big-bad-wolf", "--captain", "Hood=ann@home.example", "--captain", "Riskadh=bob@home.example", "--robot", "battles@example.org"}

// write updates the pages, an hour from now.
func (w siteWorld) write() site.Summary {
	w.Helper()
	sum, err := writeSite(w.Context(), w.config, w.config.Site.Dir, time.Now().Add(time.Hour))
	if err = errors.Join(append(sum.Problems, err)...); err != nil {
		w.Fatal(err)
	}
	return sum
}

func (w siteWorld) page(name string) string {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.config.Site.Dir, filepath.FromSlash(name)))
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// files returns the pages about games and when they were written. It leaves out the composer page, which does not
// depend on games and is missing if the program was built without it.
func (w siteWorld) files() map[string]time.Time {
	w.Helper()
	out := map[string]time.Time{}
	err := filepath.Walk(w.config.Site.Dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			name, _ := filepath.Rel(w.config.Site.Dir, path)
			if name = filepath.ToSlash(name); !strings.HasPrefix(name, "compose/") {
				out[name] = info.ModTime()
			}
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return out
}

var addressInText = regexp.MustCompile(`[\w.+-]+@[\w.-]+`)

// TestASiteTellsNothingThatIsNotPublic compares the pages with the views. Pages of a battle in the dark name no ship;
// with cloaked ships they show what an observer sees; no page has an address.
func TestASiteTellsNothingThatIsNotPublic(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	w.play("night", 2, append(people, "--blind")...)
	w.play("hunt", 2, "--scenario", "ghost-hunt")
	w.play("shut", 2, append(people, "--mail", "observers=none")...)
	w.play("late", 2, append(people, "--mail", "observers=delay 2")...)
	w.write()
	for _, id := range []string{"shut", "late"} {
		if page := w.page("games/" + id + ".html"); !strings.Contains(page, "Hood") || strings.Contains(page, `class="map"`) != (id == "late") {
			t.Errorf("the page of %s shows what observers may not see, or not who plays", id)
		}
		if page := w.page("games/" + id + ".html"); strings.Contains(page, "in the fight") || strings.Count(page, `">hidden</td>`) != 2 {
			t.Errorf("the page of %s tells how the ships stand now", id)
		}
	}
	index := w.page("index.html")
	for id, thumb := range map[string]bool{"wolf": true, "night": false, "hunt": true, "shut": false, "late": true} {
		_, card, _ := strings.Cut(index, `href="games/`+id+`.html"`)
		before, _, _ := strings.Cut(index, `href="games/`+id+`.html"`)
		card, _, _ = strings.Cut(card, "</li>")
		if strings.Contains(before[strings.LastIndex(before, "<li "):], `class="thumb"`) != thumb {
			t.Errorf("the list draws the field of %s, or does not", id)
		}
		if named := strings.Contains(card, "Hood") || strings.Contains(card, "Federation"); named != (id != "night") {
			t.Errorf("the list names who fights in %s: %v", id, named)
		}
		if told := strings.Contains(card, "in the fight"); told != (id == "wolf" || id == "hunt") {
			t.Errorf("the list tells how the ships of %s stand: %v", id, told)
		}
		if !strings.Contains(card, " played") {
			t.Errorf("the list does not tell how far %s is", id)
		}
	}
	if _, err := os.Stat(filepath.Join(w.config.Site.Dir, "replays/shut.html")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a replay of a battle that no one may watch: %v", err)
	}
	for id, watched := range map[string]bool{"wolf": false, "shut": false, "late": true} { // by mail, if the game allows it
		if strings.Contains(w.page("games/"+id+".html"), "<kbd>observe "+id+"</kbd>") != watched {
			t.Errorf("the page of %s does not tell rightly how it is watched by mail", id)
		}
	}
	if !strings.Contains(w.page("games/late.html"), "The map 2 turns ago") {
		t.Error("the page of late shows a map as if it were of now")
	}
	if page := w.page("replays/late.html"); !strings.Contains(page, "everything, 2 turns late") || strings.Contains(page, "t1.p") {
		t.Error("the replay with a delay shows more")
	}
	var all strings.Builder
	for name := range w.files() {
		page := w.page(name)
		all.WriteString(page)
		for _, found := range addressInText.FindAllString(page, -1) {
			if found != "battles@example.org" {
				t.Errorf("%s shows the address %s", name, found)
			}
		}
	}
	secret, err := os.ReadFile(filepath.Join(w.game("wolf"), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{w.dir, strings.TrimSpace(string(secret)), "#orders"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("the pages hold %q", secret)
		}
	}
	for _, name := range []string{"Hood", "Riskadh", "Federation", "Klingon"} {
		if strings.Contains(w.page("games/night.html"), name) {
			t.Errorf("the page of a battle in the dark names %s", name)
		}
	}
	if _, err := os.Stat(filepath.Join(w.config.Site.Dir, "replays/night.html")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a replay of a battle in the dark: %v", err)
	}
	for _, id := range []string{"wolf", "hunt"} {
		observed := starpost(t, "replay", w.game(id))
		if w.page("replays/"+id+".html") != observed {
			t.Errorf("the replay of %s is not that of an observer", id)
		}
		seen := readReplay(t, observed).Ships
		rows := regexp.MustCompile(`<tr[^>]*><th scope="row">([^<]*)</th>`).FindAllStringSubmatch(w.page("games/"+id+".html"), -1)
		if len(rows) == 0 {
			t.Errorf("the page of %s shows no ship", id)
		}
		for _, row := range rows {
			if !slices.ContainsFunc(seen, func(s struct{ N string }) bool { return s.N == row[1] }) {
				t.Errorf("the page of %s shows %s, whom no observer sees", id, row[1])
			}
		}
	}
}

var (
	headingInPage = regexp.MustCompile(`<h([1-6])[ >]`)
	headInPage    = regexp.MustCompile(`(?s)<th[ >].*?</th>`)
	drawingInPage = regexp.MustCompile(`(?s)<svg.*?</svg>`)
)

// TestASiteCanBeReadByAll checks that on each page, replays included, headings are in order below a single one, table
// headers have a scope, and each drawing has a description or is hidden.
func TestASiteCanBeReadByAll(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	w.play("night", 1, append(people, "--blind")...)
	w.end("won", people...)
	w.write()
	tables, drawings := 0, 0
	for name := range w.files() {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		page := w.page(name)
		level := 0
		for i, found := range headingInPage.FindAllStringSubmatch(page, -1) {
			next := int(found[1][0] - '0')
			if (next == 1) != (i == 0) || next > level+1 {
				t.Errorf("%s: a heading of level %d comes after one of level %d", name, next, level)
			}
			level = next
		}
		if level == 0 {
			t.Errorf("%s has no heading", name)
		}
		for _, head := range headInPage.FindAllString(page, -1) {
			tables++
			if !regexp.MustCompile(`scope="(row|col)".*>[^<\s]`).MatchString(head) {
				t.Errorf("%s: a head of a table says not what it heads: %s", name, head)
			}
		}
		for _, drawing := range drawingInPage.FindAllString(page, -1) {
			drawings++
			start, rest, _ := strings.Cut(drawing, ">")
			if strings.HasPrefix(start, `<svg x="`) {
				continue // part of an enclosing drawing, which has the description
			}
			if strings.Contains(start, `aria-hidden="true"`) || strings.Contains(start, `role="img"`) && (strings.Contains(start, "aria-labelledby=") || strings.HasPrefix(rest, "<title>Map</title><desc>")) {
				continue
			}
			t.Errorf("%s: a drawing says not what it shows: %s", name, start)
		}
	}
	if tables < 20 || drawings < 10 {
		t.Errorf("the pages have %d heads of tables and %d drawings", tables, drawings)
	}
}

// TestASiteIsWrittenWhereSomethingChanged checks that pages of unchanged games are not rewritten, and those of
// removed games are deleted.
func TestASiteIsWrittenWhereSomethingChanged(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	w.play("hunt", 1, "--scenario", "ghost-hunt")
	all, err := builtinScenarios()
	if err != nil {
		t.Fatal(err)
	}
	if sum := w.write(); sum.Games != 2 || sum.Drawn != 2 || sum.Written != 10+len(all) {
		t.Errorf("at first: %+v", sum)
	}
	before := w.files()
	if sum := w.write(); sum.Drawn != 0 || sum.Written != 0 {
		t.Errorf("nothing changed, and %+v", sum)
	}
	starpost(t, "turn", w.game("wolf"), "--missing", "robot")
	if sum := w.write(); sum.Drawn != 1 || sum.Written != 4 {
		t.Errorf("after a turn of one game: %+v", sum)
	}
	for name, at := range w.files() {
		if changed := !at.Equal(before[name]); changed == (strings.Contains(name, "hunt") || name == "results.html" || name == "ratings.html" || strings.HasPrefix(name, "scenarios") || name == "seats.xml") {
			t.Errorf("%s was written: %v", name, changed)
		}
	}
	if err := os.Remove(filepath.Join(w.config.Site.Dir, "games/hunt.html")); err != nil {
		t.Fatal(err)
	}
	if sum := w.write(); sum.Written != 1 {
		t.Errorf("a page was taken away: %+v", sum)
	}
	if err := os.RemoveAll(w.game("hunt")); err != nil {
		t.Fatal(err)
	}
	if sum := w.write(); sum.Removed != 2 || sum.Games != 1 {
		t.Errorf("a game is gone: %+v", sum)
	}
	if strings.Contains(w.page("index.html"), "hunt") {
		t.Error("the list names a game that is gone")
	}
	const moved = "moved@example.org"
	w.config.Address, w.config.Site.URL = moved, "https://moved.example.org"
	if w.write(); !strings.Contains(w.page("index.html"), moved) || !strings.Contains(w.page("feed.xml"), w.config.Site.URL) {
		t.Error("the lists have an address that is not the host's any more")
	}
}

// TestGamesBetweenPeopleAreRated checks that they are, on the site and for the host, and that others are not.
func TestGamesBetweenPeopleAreRated(t *testing.T) {
	enginetest.Sequential(t)
	t.Parallel()
	w := newSiteWorld(t)
	w.end("seeded", people...)
	w.write()
	if page := w.page("ratings.html"); !strings.Contains(page, "No game between people has ended yet") {
		t.Errorf("a game whose dice can be foreseen counts:\n%s", page)
	}
	starpost(t, append([]string{"new", w.game("wolf")}, people...)...)
	starpost(t, append([]string{"new", w.game("robots")}, people[:2]...)...)
	w.toTheEnd("wolf")
	w.toTheEnd("robots")
	w.write()
	page := w.page("ratings.html")
	for want, times := range map[string]int{`">Hood</a>`: 1, `">Riskadh</a>`: 1, `href="games/wolf.html"`: 2, `data-label="Deviation">`: 2} {
		if n := strings.Count(page, want); n != times {
			t.Errorf("%s stands %d times in the ratings, want %d", want, n, times)
		}
	}
	config := w.config.File
	all, one := starpost(t, "record", "--config", config), starpost(t, "record", "hood", "--config", config)
	if strings.Count(all, "deviation") != 2 || !strings.Contains(one, "as Federation against Riskadh") || strings.Contains(page+all+one, "home.example") {
		t.Errorf("the host is told\n%s\n%s", all, one)
	}
	// The Federation wins three of four battles between equals, so it has more to lose than to gain.
	var book rating.Book
	if err := json.Unmarshal([]byte(starpost(t, "record", "--config", config, "--json")), &book); err != nil {
		t.Fatal(err)
	}
	for _, s := range book.Tables[0].Standings {
		gain := s.Rating - 1500
		easy := (s.Name == "Hood") == (s.Won == 1) || s.Drawn == 1
		if easy == (gain*gain > 162*162) {
			t.Errorf("%s has %d after a game that changes ratings by 162 between equals with even odds", s.Name, s.Rating)
		}
	}
}

// TestLostSeatsHaveAFeed checks that the feed lists a seat that lost its captain, until another captain takes it.
func TestLostSeatsHaveAFeed(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	seats := func(want int) {
		t.Helper()
		w.write()
		feed := w.page("seats.xml")
		if n := strings.Count(feed, "the seat of Riskadh is free"); n != want || strings.Contains(feed, "home.example") || want > 0 && !strings.Contains(feed, "join wolf as Riskadh") {
			t.Errorf("the seat stands %d times in the feed, want %d:\n%s", n, want, feed)
		}
	}
	seats(0)
	starpost(t, "referee", w.game("wolf"), "eject", "Riskadh", "--why", "no orders")
	seats(0) // the game is closed to new captains
	w.edit("wolf", "open = false", "open = true")
	seats(1)
	starpost(t, "referee", w.game("wolf"), "replace", "Riskadh", "carl@home.example", "--why", "here")
	seats(0)
}

// TestTheFeedIsAtom checks that the feed has what RFC 4287 requires, and that the ids of entries never change.
func TestTheFeedIsAtom(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	ids := func() (out []string) {
		t.Helper()
		var feed struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
			ID      string   `xml:"id"`
			Updated string   `xml:"updated"`
			Author  struct {
				Name string `xml:"name"`
			} `xml:"author"`
			Entry []struct {
				ID      string `xml:"id"`
				Title   string `xml:"title"`
				Updated string `xml:"updated"`
				Summary string `xml:"summary"`
				Link    struct {
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal([]byte(w.page("feed.xml")), &feed); err != nil {
			t.Fatal(err)
		}
		if feed.ID == "" || feed.Updated == "" || feed.Author.Name == "" {
			t.Errorf("the feed lacks something: %+v", feed)
		}
		for _, e := range feed.Entry {
			if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || e.Title == "" || e.Summary == "" || e.Link.Href != "https://example.org/battles/games/wolf.html" {
				t.Errorf("an entry is %+v (%v)", e, err)
			}
			if slices.Contains(out, e.ID) {
				t.Errorf("two entries are called %s", e.ID)
			}
			out = append(out, e.ID)
		}
		return out
	}
	w.write()
	first := ids()
	starpost(t, "turn", w.game("wolf"), "--missing", "robot")
	w.write()
	if second := ids(); len(first) != 2 || len(second) != 3 || !slices.Equal(second[1:], first) {
		t.Errorf("entries were %q, and with one more turn %q", first, second)
	}
}

// TestWhoseOrdersAreIn checks that only the page of a game that tells its captains shows whose orders are in.
func TestWhoseOrdersAreIn(t *testing.T) {
	t.Parallel()
	w := newSiteWorld(t)
	w.play("wolf", 0, people...)
	orders := func(in, awaited int) {
		t.Helper()
		w.write()
		page := w.page("games/wolf.html")
		if a, b := strings.Count(page, `data-label="Orders">in<`), strings.Count(page, `data-label="Orders">awaited<`); a != in || b != awaited {
			t.Errorf("orders of %d ships are in and of %d awaited, want %d and %d:\n%s", a, b, in, awaited, page)
		}
	}
	orders(0, 2)
	set := starpost(t, "report", w.game("wolf"), "--as", "Hood", "--template")
	if err := os.WriteFile(filepath.Join(w.game("wolf"), "orders", "Hood.txt"), []byte(set), 0o600); err != nil {
		t.Fatal(err)
	}
	orders(1, 1)
	w.edit("wolf", "show_missing = true", "show_missing = false")
	orders(0, 0)
	w.edit("wolf", "show_missing = false", "show_missing = true\nanonymous = true")
	orders(0, 0)
	w.play("night", 0, "--scenario", "../../examples/night.toml")
	w.write()
	if page := w.page("games/night.html"); strings.Contains(page, "Orders") {
		t.Errorf("the page of a battle in the dark tells whose orders are in:\n%s", page)
	}
}
