package vault

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/clock"
	"starpost/pbem/record"
)

// Game is an open game. It may be used by one goroutine at a time. What was played is its Stages, what
// is to be played next its Orders, and who holds a seat and how the time stands its Journal.
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

	fence     record.Fence // of the lock, while it is held
	holds     int
	mayChange func() error // see OnChange; may be nil
	quiet     bool         // see Quiet

	// step, when set, is asked before each step of a commit; an error stops
	// there and leaves all as it is, as a crash would.
	step func(name string) error
}

// UseWindow sets the change window that holds where game.toml says none.
func (g *Game) UseWindow(w clock.Span) { g.conf.window = w }

// Cache is a place for what others make of the game as it stands and may want
// again. It is emptied when a turn is committed and when settings or journal
// change; what hangs on the files of orders must be held against them.
func (g *Game) Cache() map[string]any {
	if g.kept == nil {
		g.kept = map[string]any{}
	}
	return g.kept
}

// Name is what the game's directory is called, for people who need not know where it
// lies.
func (g *Game) Name() string { return filepath.Base(g.Dir()) }

// Dir is where the game is kept, by which commands find it: its directory.
func (g *Game) Dir() string { return g.tree.Place("") }

// CommandLine is a command about the game as one types it: "starpost referee wolf resume".
func (g *Game) CommandLine(command string, words ...any) string {
	return strings.TrimSpace(fmt.Sprintln(append([]any{"starpost", command, g.Dir()}, words...)...))
}

// Reader reads the game's files as they are, by their names.
func (g *Game) Reader() record.Reader { return g.tree }

// Place is where a file of the game is kept, for messages.
func (g *Game) Place(name string) string { return g.tree.Place(name) }

// Settings are the game's settings in effect: game.toml with the journal laid
// over it. A captain's address is the one that he has now, and a vacant
// seat has none.
func (g *Game) Settings() Settings { return *g.SharedSettings() }

// SharedSettings is Settings without a copy: it must not be changed. While nothing has
// changed it is the same, to the pointer.
func (g *Game) SharedSettings() *Settings { return g.conf.shared() }

// Schedule is the game's rhythm by the settings in effect, see [Settings.Schedule].
func (g *Game) Schedule() clock.Schedule {
	s := g.conf.schedule
	s.ChangeWindow = g.SharedSettings().Mail.ChangeWindow
	return s
}

// Zone is the time zone of the game's deadlines.
func (g *Game) Zone() *time.Location { return g.conf.schedule.Zone }

// OnSettings has tell called whenever the settings in effect may be other ones than
// before.
func (g *Game) OnSettings(tell func()) { g.conf.onSettings = tell }

// Rules is the game's rule set.
func (g *Game) Rules() *engine.Rules { return g.rules }

// Secret is the game's secret. It must be neither logged nor mailed before the
// game is over.
func (g *Game) Secret() dice.Secret { return g.secret }

// ID is the game's name as orders give it.
func (g *Game) ID() string { return g.conf.file.ID }

// Turn is the last committed turn.
func (g *Game) Turn() int { return g.Stages.Turn() }

// Newest is the stage that was reached last.
func (g *Game) Newest() Stage { return g.Stages.Newest() }

// DueStage is the stage that orders are wanted for, as far as that is for turns and
// rounds to say; it is one also when the game is over.
func (g *Game) DueStage() Stage { return g.Stages.DueStage() }

// Rounds is how many rounds a turn of the game has; 0 when turns are not cut
// into rounds.
func (g *Game) Rounds() int { return g.Stages.Rounds() }

// Due is the turn that orders are wanted for; 0 when the game is over.
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

// Scenario is the frozen scenario file.
func (g *Game) Scenario() ([]byte, error) {
	data, err := g.tree.ReadFile(scenarioFile)
	if err != nil {
		return nil, missing(g.tree.path("scenario.toml"), err)
	}
	return data, nil
}

// Tables are the game's own ship and weapon tables by path; nil for none.
func (g *Game) Tables() map[string][]byte { return g.own }

// AdminState is what holds now by the journal.
func (g *Game) AdminState() (AdminState, error) {
	if err := g.Journal.read(); err != nil {
		return AdminState{}, err
	}
	return g.conf.administration(), nil
}

// Changes counts how often a captain's seat passed from hand to hand, by the
// journal as it was last read.
func (g *Game) Changes(captain engine.CaptainName) int {
	if c, ok := g.conf.effective.Captain(captain); ok {
		captain = c.Name
	}
	return g.conf.administration().Changes[captain]
}

// RefereeKeys counts how often a referee's key was renewed.
func (g *Game) RefereeKeys(name string) int {
	return g.conf.administration().Keys[strings.ToLower(name)]
}

// overlay lays the journal over game.toml.
func (g *Game) overlay() {
	g.kept = nil
	g.conf.overlay(g.Journal.known.entries)
}

// moved drops what hangs on the stages that count, and on order sets.
func (g *Game) moved() {
	g.kept = nil
	g.Orders.forget()
}

// Rest forgets what can be read again, and is when it is needed: who looks after very
// many games has room for the few alone in which something happens. How many turns
// there are and what the settings are stays known.
func (g *Game) Rest() {
	if g.holds > 0 {
		return
	}
	g.Stages.rest()
	g.kept, g.Orders.texts, g.Orders.listings = nil, nil, nil
	g.Journal.rest()
}
