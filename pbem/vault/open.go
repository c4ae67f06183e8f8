package vault

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/clock"
	"starpost/pbem/record"
)

// Game is an open game directory. It may be used by one goroutine at a time.
type Game struct {
	tree     record.Tree
	settings *Settings         // of game.toml; replaced, never changed
	schedule clock.Schedule    // of the settings
	toml     [sha256.Size]byte // of the file that the settings were read from; zero: none was
	rules    *engine.Rules
	secret   dice.Secret
	own      map[string][]byte // ships/*.toml
	turns    int               // how many are committed: 1 after the set-up
	first    turnSet           // turns with a directory of their first revision
	past     past              // which revisions count, by the journal
	rounds   rounds            // of the turn in progress

	// What was read of stages; in the keys their revisions are given.
	states    map[Stage]*engine.Game // decoded, the newest few
	manifests map[Stage]Manifest
	newest    struct {
		at     Stage
		events []engine.Event
	}

	journal    journalRead
	effective  *Settings         // game.toml with the journal laid over it; replaced, never changed
	admin      *AdminState       // nil: nothing is noted
	disregard  string            // see Disregard
	onCause    func(mail string) // see OnCause; may be nil
	onSettings func()            // see OnSettings; may be nil
	mayChange  func() error      // see OnChange; may be nil

	kept     map[string]any // see Kept
	texts    map[string]cachedText
	listings map[string][]OrderFile // what lies in folders of order sets, see readOrders; nil when nothing is put off

	window     clock.Span // see UseWindow; zero for none
	saysWindow bool       // game.toml has a change window of its own

	sets  []string // names of the files of order sets for what is due, as they were last listed
	quiet bool     // see Quiet

	fence   record.Fence // of the lock, while it is held
	current bool         // the journal was read since the lock was taken, and since an entry was added
	holds   int
	swept   sweepState // what orders/ was last rid of

	// step, when set, is asked before each step of a commit; an error stops
	// there and leaves all as it is, as a crash would.
	step func(name string) error
}

// Open reads a game: settings, rule set, secret and the list of
// turns. Trouble is an *Error that names the file. Nothing is changed.
func Open(tree record.Tree, c Catalogue) (*Game, error) {
	g := &Game{tree: tree}
	dir := g.Dir()
	data, err := tree.ReadFile(settingsFile)
	if errors.Is(err, fs.ErrNotExist) {
		if word, merr := tree.ReadFile(MovedFile); merr == nil {
			return nil, &Error{Path: dir, Problem: strings.TrimSpace(string(word)), Way: "look there; what is left here counts for nothing", Err: ErrNotAGame}
		}
		way := "make one with `starpost new`"
		if _, serr := tree.Stat(turnsDir); serr == nil {
			way = "game.toml is missing: restore it from a backup of the game directory"
		}
		return nil, &Error{Path: dir, Problem: "this is not a game directory (it has no game.toml)", Way: way, Err: ErrNotAGame}
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, &Error{Path: dir, Problem: "this is a file, not a game directory", Way: "give the directory that game.toml is in", Err: ErrNotAGame}
	}
	if err != nil {
		return nil, system("read", g.path("game.toml"), err)
	}
	if err := g.readSettings(data); err != nil {
		return nil, err
	}
	if g.own, err = g.readTables(); err != nil {
		return nil, err
	}
	if g.rules, err = c.Rules(g.settings.Rules, g.own); err != nil {
		if told, ok := errors.AsType[*Error](err); ok { // the catalogue knows no such rule set
			return nil, &Error{Path: g.path("game.toml"), Problem: told.Problem, Way: told.Way, Err: told.Err}
		}
		if len(g.own) == 0 {
			return nil, fmt.Errorf("open %s: %w", dir, err)
		}
		return nil, damaged(g.path("ships"), "the game's own tables cannot be used: %v", err)
	}
	if g.settings.InRounds() && g.rules.Rounds() < 2 {
		return nil, &Error{
			Path:    g.path("game.toml"),
			Problem: fmt.Sprintf("cadence = %q: the turns of rule set %s cannot be cut into phases", g.settings.Cadence, g.settings.Rules),
			Way:     fmt.Sprintf("write cadence = %q", CadenceTurn), Err: ErrSettings,
		}
	}
	if err := g.readSecret(); err != nil {
		return nil, err
	}
	if err := g.refresh(); err != nil {
		return nil, err
	}
	if err := g.wrongVersion(); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *Game) readSecret() error {
	path := g.path("secret")
	data, err := g.tree.ReadFile("secret")
	if err != nil {
		return missing(path, err)
	}
	s, err := dice.ParseSecret(strings.TrimSpace(string(data)))
	if err != nil {
		return damaged(path, "%v", err)
	}
	if dice.Commit(s) != g.settings.SecretSHA256 {
		return damaged(path, "the secret does not have the hash that game.toml gives (secret_sha256)")
	}
	g.secret = s
	return nil
}

// readTables reads the game's own tables.
func (g *Game) readTables() (map[string][]byte, error) {
	found, err := fs.Glob(g.tree, "ships/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list the tables of %s: %w", g.Dir(), err)
	}
	var own map[string][]byte
	for _, name := range found {
		data, err := g.tree.ReadFile(name)
		if err != nil {
			return nil, missing(g.path(name), err)
		}
		if own == nil {
			own = map[string][]byte{}
		}
		own[name] = data
	}
	return own, nil
}

// refresh brings the list of turns and the journal up to date.
func (g *Game) refresh() error {
	same := g.sameTurns()
	if err := g.readJournal(); err != nil {
		return err
	}
	if same && g.past.head == g.journal.head {
		return g.readRounds()
	}
	return g.readTurns()
}

// sameTurns tells whether the directories of turns are those that are known: the
// last one is there, and the next one is if it was, set aside.
func (g *Game) sameTurns() bool {
	if g.turns == 0 {
		return false
	}
	if _, err := g.tree.Stat(g.StageName(Stage{Turn: g.turns - 1})); err != nil {
		return false
	}
	_, err := g.tree.Stat(g.StageName(Stage{Turn: g.turns, Revision: 1}))
	if g.first.has(g.turns) {
		return err == nil
	}
	return errors.Is(err, fs.ErrNotExist)
}

// readTurns reads the list of turns again. The directories are read before the journal,
// which then knows of all of them.
func (g *Game) readTurns() error {
	entries, err := g.tree.ReadDir(turnsDir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return damaged(g.path("turns"), "the directory is missing")
		}
		return missing(g.path("turns"), err)
	}
	var found turnSet
	for _, e := range entries {
		if n, ok := turnNumber(e.Name()); ok && e.IsDir() {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	if err := g.readJournal(); err != nil {
		return err
	}
	return g.follow(found)
}

// forget drops what was remembered of turns.
func (g *Game) forget() {
	g.states, g.manifests = nil, nil
	g.newest.events = nil
	g.rounds = rounds{}
	g.kept, g.texts = nil, nil
	g.forgetListings()
}

// Rest forgets what can be read again, and is when it is needed: who looks after very
// many games has room for the few alone in which something happens. How many turns
// there are and what the settings are stays known.
func (g *Game) Rest() {
	if g.holds > 0 {
		return
	}
	g.states, g.manifests, g.newest.events = nil, nil, nil
	g.kept, g.texts, g.listings = nil, nil, nil
	if g.journal.size > 0 {
		g.journal = journalRead{size: g.journal.size, good: g.journal.good, head: g.journal.head}
	}
}

// Refresh looks again at what another process may have changed: settings,
// turns and journal.
func (g *Game) Refresh() error {
	data, err := g.tree.ReadFile(settingsFile)
	if err != nil {
		return missing(g.path("game.toml"), err)
	}
	if err := g.readSettings(data); err != nil {
		return err
	}
	return g.refresh()
}

// readSettings reads game.toml, unless nothing in it has changed.
func (g *Game) readSettings(data []byte) error {
	sum := sha256.Sum256(data)
	if sum == g.toml {
		return nil
	}
	s, saysWindow, err := parseSettings(data, g.path("game.toml"))
	if err != nil {
		return err
	}
	packStrings(reflect.ValueOf(&s).Elem())
	if g.schedule, err = s.Schedule(); err != nil {
		return fmt.Errorf("read %s: %w", g.path("game.toml"), err)
	}
	g.settings, g.saysWindow, g.toml = &s, saysWindow, sum
	g.overlayJournal()
	return nil
}

// UseWindow sets the change window that holds where game.toml says none.
func (g *Game) UseWindow(w clock.Span) { g.window = w }

// Cache is a place for what others make of the game as it stands and may want
// again. It is emptied when a turn is committed and when settings or journal
// change; what hangs on the files of orders must be held against them.
func (g *Game) Cache() map[string]any {
	if g.kept == nil {
		g.kept = map[string]any{}
	}
	return g.kept
}

// path is where a file of the game is kept, for messages.
func (g *Game) path(parts ...string) string { return g.tree.Place(path.Join(parts...)) }

// Name is what the game's directory is called, for people who need not know where it
// lies.
func (g *Game) Name() string { return filepath.Base(g.Dir()) }

// Dir is where the game is kept, by which commands find it: its directory.
func (g *Game) Dir() string { return g.tree.Place("") }

// Reader reads the game's files as they are, by their names.
func (g *Game) Reader() record.Reader { return g.tree }

// Place is where a file of the game is kept, for messages.
func (g *Game) Place(name string) string { return g.tree.Place(name) }

// TurnDir is the directory of a turn, in the revision that counts; of a turn that
// is not there yet, the one that it will have.
func (g *Game) TurnDir(n int) string { return g.StageDir(Stage{Turn: n}) }

// Settings are the game's settings in effect: game.toml with the journal laid
// over it. A captain's address is the one that he has now, and a vacant
// seat has none.
func (g *Game) Settings() Settings { return *g.SharedSettings() }

// SharedSettings is Settings without a copy: it must not be changed. While nothing has
// changed it is the same, to the pointer.
func (g *Game) SharedSettings() *Settings {
	if w := g.changeWindow(); g.effective.Mail.ChangeWindow != w {
		s := *g.effective
		s.Mail.ChangeWindow = w
		g.effective = &s
	}
	return g.effective
}

// changeWindow is the change window that holds.
func (g *Game) changeWindow() clock.Span {
	if g.window > 0 && !g.saysWindow {
		return g.window
	}
	return g.settings.Mail.ChangeWindow
}

// Schedule is the game's rhythm by the settings in effect, see [Settings.Schedule].
func (g *Game) Schedule() clock.Schedule {
	s := g.schedule
	s.ChangeWindow = g.SharedSettings().Mail.ChangeWindow
	return s
}

// Zone is the time zone of the game's deadlines.
func (g *Game) Zone() *time.Location { return g.schedule.Zone }

// OnSettings has tell called whenever the settings in effect may be other ones than
// before.
func (g *Game) OnSettings(tell func()) { g.onSettings = tell }

// Rules is the game's rule set.
func (g *Game) Rules() *engine.Rules { return g.rules }

// Secret is the game's secret. It must be neither logged nor mailed before the
// game is over.
func (g *Game) Secret() dice.Secret { return g.secret }

// ID is the game's name as orders give it.
func (g *Game) ID() string { return g.settings.ID }

// Turn is the last committed turn.
func (g *Game) Turn() int { return g.turns - 1 }

// Due is the turn that orders are wanted for; 0 when the game is over.
func (g *Game) Due() (int, error) {
	s, err := g.State(g.Turn())
	if err != nil {
		return 0, err
	}
	if s.Result != nil {
		return 0, nil
	}
	return g.Turn() + 1, nil
}

// Scenario is the frozen scenario file.
func (g *Game) Scenario() ([]byte, error) {
	data, err := g.tree.ReadFile(scenarioFile)
	if err != nil {
		return nil, missing(g.path("scenario.toml"), err)
	}
	return data, nil
}

// Tables are the game's own ship and weapon tables by path; nil for none.
func (g *Game) Tables() map[string][]byte { return g.own }

// packStrings has all strings of settings stand in one text that holds nothing else. Of very many
// games the files that they are pieces of would be kept for them.
func packStrings(v reflect.Value) {
	var all []reflect.Value
	var find func(v reflect.Value)
	find = func(v reflect.Value) {
		switch v.Kind() { //nolint:exhaustive // of the others none holds strings
		case reflect.String:
			all = append(all, v)
		case reflect.Struct:
			for _, f := range v.Fields() {
				find(f)
			}
		case reflect.Slice:
			for i := range v.Len() {
				find(v.Index(i))
			}
		}
	}
	find(v)
	var text strings.Builder
	for _, s := range all {
		text.WriteString(s.String())
	}
	packed := strings.Clone(text.String())
	for _, s := range all {
		n := s.Len()
		s.SetString(packed[:n])
		packed = packed[n:]
	}
}
