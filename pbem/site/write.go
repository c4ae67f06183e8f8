package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/engine/family"
	"starpost/pbem/auth"
	"starpost/pbem/cup"
	"starpost/pbem/fault"
	"starpost/pbem/feed"
	"starpost/pbem/rating"
	gamerecord "starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
	"starpost/templates"
	"starpost/templates/composer"
	"starpost/templates/pages"
)

// Options configure a site.
type Options struct {
	Dirs []string // of games, directories or places in a database; others are skipped
	// At returns the record at a place in a database; nil if all games are directories.
	At func(place string) (gamerecord.Tree, bool)
	// Holds reports whether the pages show a robot's games; nil: all.
	Holds     func(robot string) bool
	Cups      cup.Cups      // cups with pages
	Feeds     feed.Feeds    // personal ones; none if no pages are written
	Scores    rating.Scores // scores measured here
	Catalogue vault.Catalogue
	Families  []family.Family // families with pages for their scenarios
	Folder    string          // for the pages; "": games are only read for ratings
	Cache     string          // the beginning of the names of private files that record what was written; "" for none
	Public    bool            // Summary.Public is wanted
	Name      string          // of the site
	Address   string          // where strangers ask for games
	Practice  bool            // the site offers practice games against robots
	URL       string          // of the first page, for links in feeds; "": links are relative to the feed
	Version   string          // of the program
	Now       time.Time
}

// Summary is the result of Write. Problems say why pages of games are missing or
// outdated.
type Summary struct {
	Games, Drawn, Written, Removed int
	Problems                       []error
	Book                           *rating.Book
	Played                         []rating.Game // rated games; they have addresses
	Public                         []Public      // by ID; none if no pages are written, or if it is not wanted
}

// Public is a short public summary of a game.
type Public struct {
	Game pages.SiteGame
	News pages.News // newest; its ID distinguishes turns
	Link string     // relative to the first page
	Ends time.Time  // deadline of the due turn; zero if there is none now
}

// public returns the games on the pages.
func (w *writer) public() (out []Public) {
	for _, r := range w.known.Games {
		if w.o.Public && !r.private() && len(r.open().News) > 0 {
			out = append(out, Public{r.Game, r.News[0], gameFile(r.ID), r.Ends})
		}
	}
	slices.SortFunc(out, func(a, b Public) int { return compareIDs(a.Game.ID, b.Game.ID) })
	return out
}

// Write brings the pages up to date. It fails only for the folder as a whole, and may then have written some of the
// pages.
func Write(ctx context.Context, o Options) (sum Summary, err error) {
	if o.Folder == "" {
		w := writer{o: o, known: readCache(o.Cache, "conduct "+o.Version)}
		if err := w.games(ctx); err != nil {
			return sum, err
		}
		played, services := w.played()
		sum = Summary{Games: len(w.known.Games), Problems: w.problems, Book: rating.Make(played, services, o.Now), Played: played}
		return sum, w.remember()
	}
	f, err := openFolder(o.Folder)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	edition, err := pages.SiteEdition()
	if err != nil {
		return sum, err
	}
	names, err := o.Cups.Names()
	if err != nil {
		return sum, err
	}
	of := fmt.Sprintf("%s %q %v %v", edition, []string{o.Version, o.Name, o.Address, o.URL, f.name}, o.Practice, len(names) > 0)
	w := writer{o: o, folder: f, known: readCache(o.Cache, of), site: pages.Site{Name: o.Name, Address: o.Address, Practice: o.Practice, Cups: len(names) > 0}}
	cups := w.cups(names)
	if err := w.games(ctx); err != nil {
		return sum, err
	}
	played, services := w.played()
	book := rating.Make(played, services, o.Now)
	if err := w.drawCups(cups); err != nil {
		return sum, err
	}
	if err := w.lists(book); err != nil {
		return sum, err
	}
	if err := w.scenarios(played); err != nil {
		return sum, err
	}
	readers, err := o.Feeds.Readers()
	if err != nil {
		return sum, err
	}
	if err := w.feeds(readers); err != nil {
		return sum, err
	}
	if err := w.composer(); err != nil {
		return sum, err
	}
	removed, err := f.finish()
	if err != nil {
		return sum, err
	}
	if err := w.remember(); err != nil {
		return sum, err
	}
	return Summary{Games: len(w.known.Games), Drawn: int(w.drawn.Load()), Written: f.written, Removed: removed, Problems: w.problems, Book: book, Played: played, Public: w.public()}, nil
}

// remember records what was written, for the next run.
func (w *writer) remember() error {
	if w.same && !w.changed {
		return nil
	}
	return w.known.write(!w.same)
}

// played returns the rated games, and the conduct of captains in all games.
func (w *writer) played() (played []rating.Game, services []rating.Service) {
	for _, r := range w.known.Games {
		if r.Played != nil {
			played = append(played, *r.Played)
		}
		services = append(services, r.Service...)
	}
	return played, services
}

// writer is the state of one run of Write.
type writer struct {
	o      Options
	folder *folder
	known  *cache
	site   pages.Site
	drawn  atomic.Int64

	mu       sync.Mutex // guards the following fields, and known
	problems []error
	same     bool              // all games are unchanged since the last run
	changed  bool              // the cache has changed, apart from games
	ids      map[string]string // directory by ID in lower case
}

// games draws the pages of games that changed, on all processors.
func (w *writer) games(ctx context.Context) (err error) {
	w.ids = map[string]string{}
	before, last := w.known.Games, w.known.Others
	w.known.Games, w.known.Others = make(map[string]*record, len(before)), nil
	others := map[string]other{}
	for _, o := range last {
		others[o.Dir] = o
	}
	var watch vault.Watcher
	defer func() { err = errors.Join(err, watch.Close()) }()
	var due []brief // the directories and marks of games that changed
	for _, dir := range w.o.Dirs {
		b := brief{Dir: dir, Mark: markOf(&watch, w.o.at(dir), w.o.Now)}
		if b.Mark != "" && !w.unchanged(before[dir], others[dir], b) { // "": no game, or gone
			due = append(due, b)
		}
	}
	w.changed = w.changed || !slices.Equal(last, w.known.Others)
	w.same = len(due) == 0 && len(before) > 0 && len(w.known.Games) == len(before)
	if w.folder != nil && (w.o.Public || !w.same || !w.folder.kept(listFiles)) && !w.known.lists() {
		w.known = readCache("", w.known.Of)
		w.known.file = w.o.Cache
		return w.games(ctx)
	}
	var group sync.WaitGroup
	var begun atomic.Int64
	failed := make([]error, min(len(due), runtime.GOMAXPROCS(0)))
	for k := range failed {
		group.Go(func() {
			for i := int(begun.Add(1)) - 1; i < len(due) && failed[k] == nil && ctx.Err() == nil; i = int(begun.Add(1)) - 1 {
				failed[k] = w.game(due[i], before[due[i].Dir])
			}
		})
	}
	group.Wait()
	return errors.Join(append(failed, ctx.Err())...)
}

// unchanged keeps a game as it was in the last run, whether it is ours or another community's, if it has the same mark.
func (w *writer) unchanged(old *record, away other, now brief) bool {
	if away.Mark == now.Mark && !w.holds(away.Robot) {
		w.pass(away)
		return true
	}
	if old == nil || old.Mark != now.Mark || !w.holds(old.Robot) || !w.claim(now.Dir, old.ID) {
		return false
	}
	if w.folder != nil && !w.folder.kept(old.pages()) {
		w.disclaim(old.ID)
		return false
	}
	w.keep(old)
	return true
}

// game brings the pages of one game up to date; the error is of the folder. old is nil for a new game.
func (w *writer) game(now brief, old *record) (err error) {
	dir := now.Dir
	trouble := func(err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.problems = append(w.problems, err)
	}
	defer func() { // a panic in the game's rules must not cost other games their pages
		if p := recover(); p != nil {
			trouble(fmt.Errorf("draw the pages of %s: %v", dir, p))
			err = nil
		}
	}()
	g, err := vault.Open(w.o.at(dir), w.o.Catalogue)
	if err != nil {
		trouble(err)
		return nil
	}
	if robot := g.SharedSettings().Mail.Robot; !w.holds(robot) {
		w.pass(other{dir, now.Mark, robot})
		return nil
	}
	if !w.claim(dir, g.ID()) {
		trouble(fault.New("give one of them another id, or remove it from games in the configuration", "the game %s in %s has no page: another has the same id, in %s", g.ID(), dir, w.claimed(g.ID())))
		return nil
	}
	var told *record
	var page pages.GamePage
	if w.folder == nil || g.SharedSettings().Origin == vault.OriginPractice { // practice games are private
		told, err = ratedOnly(g)
	} else {
		told, page, err = tell(g)
	}
	if err != nil {
		trouble(fmt.Errorf("draw the pages of %s: %w", dir, err))
		if old != nil && w.holds(old.Robot) && w.folder != nil && w.folder.kept(old.pages()) {
			old.Mark = "" // try again next time
			w.keep(old)
		}
		return nil
	}
	told.Dir, told.Mark = dir, now.Mark
	for _, c := range g.Settings().Captains {
		for _, a := range c.Addresses() {
			told.Captains = append(told.Captains, auth.Canonical(a))
		}
	}
	if told.private() {
		w.keep(told)
		return nil
	}
	w.drawn.Add(1)
	if told.Cards, err = pages.CardsOf(told.Game); err != nil {
		return err
	}
	told.Game.Thumb, told.Game.Sides = "", nil
	html, err := w.site.Game(page)
	if err != nil {
		return err
	}
	if err := w.folder.put(gameFile(g.ID()), html); err != nil {
		return err
	}
	if told.replay != nil {
		html, err := templates.ReplayHTML(*told.replay)
		if err != nil {
			return err
		}
		if err := w.folder.put(replayFile(g.ID()), html); err != nil {
			return err
		}
	}
	w.keep(told)
	return nil
}

// at returns the record at a place.
func (o Options) at(place string) gamerecord.Tree {
	if o.At != nil {
		if tree, ok := o.At(place); ok {
			return tree
		}
	}
	return directory.At(place)
}

func (w *writer) holds(robot string) bool { return w.o.Holds == nil || w.o.Holds(robot) }

// pass records a game of another community.
func (w *writer) pass(o other) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known.Others = append(w.known.Others, o)
}

func gameFile(id string) string   { return templates.GameFile(id) }
func replayFile(id string) string { return "replays/" + id + ".html" }

// claim takes an ID for a directory; it returns false if another has it, because some file systems ignore case.
func (w *writer) claim(dir, id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	id = strings.ToLower(id)
	if _, taken := w.ids[id]; taken {
		return false
	}
	w.ids[id] = dir
	return true
}

func (w *writer) disclaim(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ids, strings.ToLower(id))
}

func (w *writer) claimed(id string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ids[strings.ToLower(id)]
}

func (w *writer) keep(r *record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known.Games[r.Dir] = r
}

// Limits of the first page (finished battles, thumbnails) and of the feed.
const (
	overShown   = 12
	newsShown   = 60
	fieldsShown = 60 // of each group, with sides and ships: keeps long lists light
)

var listFiles = []string{"index.html", "results.html", "feed.xml", "seats.xml"}

// lists writes the pages that list all games. Ratings change over time, the others only with a game.
func (w *writer) lists(book *rating.Book) error {
	tables, captains := ratingTables(book), records(book, w.known.Games)
	if !w.current("ratings", fmt.Sprintf("%#v %#v", tables, captains), "ratings.html") {
		if err := w.put("ratings.html", func() ([]byte, error) { return w.site.Ratings(tables, captains) }); err != nil {
			return err
		}
	}
	if w.same && w.folder.kept(listFiles) {
		return nil
	}
	open := pages.GameGroup{ID: "open", Title: "Games to join", None: "No game has a free seat now."}
	running := pages.GameGroup{ID: "running", Title: "Battles under way", None: "No battle is under way."}
	over := pages.GameGroup{ID: "over", Title: "Finished battles", None: "No battle has ended yet."}
	all := slices.DeleteFunc(slices.Collect(maps.Values(w.known.Games)), func(r *record) bool { return r.private() })
	slices.SortFunc(all, (*record).newer)
	var news, seats []pages.News
	var ended []*record
	var results strings.Builder
	for i, r := range all {
		if i < newsShown { // the news of others are older
			news = append(news, r.open().News...)
		}
		if r.Vacant {
			seats = append(seats, r.open().Seats...)
		}
		switch r.State {
		case stateOpen:
			open.Add(r.Cards, fieldsShown)
		case stateOver:
			ended = append(ended, r)
			fmt.Fprintf(&results, "%q %s\n", r.ID, r.Mark)
			if len(ended) <= overShown {
				over.Add(r.Cards, overShown)
			}
		default:
			running.Add(r.Cards, fieldsShown)
		}
	}
	if len(ended) > 0 {
		over.More, over.MoreTitle = "results.html", "All results"
	}
	slices.SortStableFunc(news, func(a, b pages.News) int { return b.At.Compare(a.At) })
	news = news[:min(len(news), newsShown)]
	slices.SortStableFunc(seats, func(a, b pages.News) int { return b.At.Compare(a.At) })
	seats = seats[:min(len(seats), newsShown)]
	if !w.current("results", results.String(), "results.html") {
		var games []pages.SiteGame
		for _, r := range ended {
			games = append(games, r.open().Game)
		}
		if err := w.put("results.html", func() ([]byte, error) { return w.site.Results(games) }); err != nil {
			return err
		}
	}
	base := w.o.URL
	if base != "" && !strings.HasSuffix(base, "/") {
		base += "/"
	}
	for _, p := range []struct {
		file string
		draw func() ([]byte, error)
	}{
		{"index.html", func() ([]byte, error) { return w.site.Index([]pages.GameGroup{open, running, over}) }},
		{"feed.xml", func() ([]byte, error) {
			return w.site.Feed("feed.xml", iri("site", w.o.Name, w.o.Address, w.o.URL), base, w.o.Name, news)
		}},
		{"seats.xml", func() ([]byte, error) {
			return w.site.Feed("seats.xml", iri("seats", w.o.Name, w.o.Address, w.o.URL), base, w.o.Name+": free seats", seats)
		}},
	} {
		if err := w.put(p.file, p.draw); err != nil {
			return err
		}
	}
	return nil
}

// current keeps pages if they are there and were drawn from the same content; otherwise it returns false, and they are to
// be drawn.
func (w *writer) current(what, content string, pages ...string) bool {
	sum := vault.Hash([]byte(content))
	if w.known.Drawn[what] == sum && w.folder.kept(pages) {
		return true
	}
	w.known.Drawn[what], w.changed = sum, true
	return false
}

// put draws a page and writes it.
func (w *writer) put(file string, draw func() ([]byte, error)) error {
	text, err := draw()
	if err != nil {
		return err
	}
	return w.folder.put(file, text)
}

// composer writes the page on which captains compose orders, in a folder for this version of the program. Links
// in mails may lead to folders of other versions, from where a page redirects.
func (w *writer) composer() error {
	edition, err := composer.Edition()
	if errors.Is(err, composer.ErrNotBuilt) {
		return nil
	}
	if err != nil {
		return err
	}
	here := composer.Folder(w.o.Version)
	draw := map[string]func() ([]byte, error){
		here + "index.html":        composer.Page{Version: w.o.Version}.HTML,
		here + composer.DesignFile: func() ([]byte, error) { return composer.Design(w.o.Version) },
		here + composer.WasmFile:   composer.Wasm,
	}
	for name := range w.folder.had {
		if dir, base := path.Split(name); dir != here && ofComposer(name) && base == "index.html" {
			draw[name] = func() ([]byte, error) { return composer.Forward(here) }
		}
	}
	if names := slices.Sorted(maps.Keys(draw)); w.current("composer", fmt.Sprint(edition, names), names...) {
		return nil
	}
	for name, page := range draw {
		if err := w.put(name, page); err != nil {
			return err
		}
	}
	return nil
}
