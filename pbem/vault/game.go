package vault

import (
	"path/filepath"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/clock"
	"starpost/pbem/record"
)

// Game is an open game, for one goroutine at a time. Stages holds what was played, Orders what is
// to be played next, and Journal who holds each seat and the state of the clock.
type Game struct {
	Stages  Stages
	Orders  Orders
	Journal Journal

	tree   files
	rules  *engine.Rules
	secret dice.Secret
	own    map[string][]byte // ships/*.toml
	conf   conf
	kept   map[string]any // see Cache

	fence     record.Fence // of the lock, while held
	holds     int
	mayChange func() error // see OnChange; may be nil
	quiet     bool         // see Quiet

	// step, if set, is called before each step of a commit; an error stops there and leaves
	// everything as it is, like a crash.
	step func(name string) error
}

// UseWindow sets the change window for a game.toml that sets none.
func (g *Game) UseWindow(w clock.Span) { g.conf.window = w }

// Cache returns a map for values that callers derive from the present game and may need again. It
// is emptied when a turn is committed, and when settings or journal change. Entries that depend on
// order files must be checked against them.
func (g *Game) Cache() map[string]any {
	if g.kept == nil {
		g.kept = map[string]any{}
	}
	return g.kept
}

// Name returns the name of the game's directory, for people who need not know its path.
func (g *Game) Name() string { return filepath.Base(g.Dir()) }

// Dir returns the game's directory, or its place in a database.
func (g *Game) Dir() string { return g.tree.Place("") }

// MailedCommandLine returns a command about the game as mails give it: see [record.MailedCommandLine].
func (g *Game) MailedCommandLine(command string, words ...any) string {
	return record.MailedCommandLine(g.tree.Tree, command, words...)
}

// CommandLine returns a command about the game as typed: see [record.CommandLine].
func (g *Game) CommandLine(command string, words ...any) string {
	return record.CommandLine(g.tree.Tree, command, words...)
}

// Reader returns a reader for the game's files by name.
func (g *Game) Reader() record.Reader { return g.tree.Tree }

// Place returns the location of a file of the game, for messages.
func (g *Game) Place(name string) string { return g.tree.Place(name) }

// Settings returns the game's effective settings: game.toml with the journal applied. A captain has
// the present address, and a vacant seat has none.
func (g *Game) Settings() Settings { return *g.SharedSettings() }

// SharedSettings is Settings without a copy: it must not be changed. It returns the same pointer
// while nothing has changed.
func (g *Game) SharedSettings() *Settings { return g.conf.shared() }

// Schedule returns the game's schedule by the effective settings, see [Settings.Schedule].
func (g *Game) Schedule() clock.Schedule {
	s := g.conf.schedule
	s.ChangeWindow = g.SharedSettings().Mail.ChangeWindow
	return s
}

// Zone returns the time zone of the game's deadlines.
func (g *Game) Zone() *time.Location { return g.conf.schedule.Zone }

// OnSettings sets a function that is called whenever the effective settings may have changed.
func (g *Game) OnSettings(tell func()) { g.conf.onSettings = tell }

// Rules returns the game's rule set.
func (g *Game) Rules() *engine.Rules { return g.rules }

// Secret returns the game's secret. It must not be logged or mailed before the game is over.
func (g *Game) Secret() dice.Secret { return g.secret }

// ID returns the game's name as used in orders.
func (g *Game) ID() string { return g.conf.file.ID }

// Turn returns the number of the last committed turn.
func (g *Game) Turn() int { return g.Stages.Turn() }

// Newest returns the latest stage.
func (g *Game) Newest() Stage { return g.Stages.Newest() }

// DueStage returns the next stage by the turns and rounds so far. It returns one even if the game
// is over.
func (g *Game) DueStage() Stage { return g.Stages.DueStage() }

// Rounds returns the number of rounds in a turn of the game; 0 if turns have no rounds.
func (g *Game) Rounds() int { return g.Stages.Rounds() }

// Due returns the turn that orders are due for; 0 when the game is over.
func (g *Game) Due() (int, error) {
	s, err := g.Stages.State(At(g.Turn()))
	if err != nil {
		return 0, err
	}
	if s.Result != nil {
		return 0, nil
	}
	return g.Turn() + 1, nil
}

// Scenario returns the frozen scenario file.
func (g *Game) Scenario() ([]byte, error) {
	data, err := g.tree.ReadFile(scenarioFile)
	if err != nil {
		return nil, missing(g.tree.path("scenario.toml"), err)
	}
	return data, nil
}

// Tables returns the game's own ship and weapon tables by path; nil for none.
func (g *Game) Tables() map[string][]byte { return g.own }

// AdminState returns the current state by the journal.
func (g *Game) AdminState() (AdminState, error) {
	if err := g.Journal.read(); err != nil {
		return AdminState{}, err
	}
	return g.conf.administration(), nil
}

// Changes returns how often a captain's seat changed hands, by the journal as last read.
func (g *Game) Changes(captain engine.CaptainName) int {
	if c, ok := g.conf.effective.Captain(captain); ok {
		captain = c.Name
	}
	return g.conf.administration().Changes[captain]
}

// RefereeKeys returns how often a referee's key was renewed.
func (g *Game) RefereeKeys(name string) int {
	return g.conf.administration().Keys[strings.ToLower(name)]
}

// overlay applies the journal to game.toml.
func (g *Game) overlay() {
	g.kept = nil
	g.conf.overlay(g.Journal.known.entries)
}

// moved drops everything that depends on the current stages and order sets.
func (g *Game) moved() {
	g.kept = nil
	g.Orders.forget()
}

// Rest frees what can be read again when needed, so that one process can watch very many games, few
// of which change. The number of turns and the settings stay in memory.
func (g *Game) Rest() {
	if g.holds > 0 {
		return
	}
	g.Stages.rest()
	g.kept, g.Orders.texts, g.Orders.listings = nil, nil, nil
	g.Journal.rest()
}
