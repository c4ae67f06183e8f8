package turn

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/beacon"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Options are what resolving needs from outside.
type Options struct {
	// Missing is the policy for ships without orders; "" and vault.Hold refuse
	// the turn with a *NotReadyError.
	Missing string
	// MissingOf is the policy for seats without orders that are not
	// left to Missing.
	MissingOf map[engine.Seat]string
	Now       time.Time
	DryRun    bool           // resolve and render, but write nothing
	Keep      bool           // give text and view of the reports back in the Outcome
	Workers   int            // renderers at a time; 0 is one for each processor
	Beacon    beacon.Beacon  // of a game with public dice, in place of the one that was brought
	Filed     *Filed         // what the referee files, for rule sets whose turns he plays; else nil
	Templates *templates.Set // that reports are drawn with; nil for those built in
}

// policyOf is the policy for a seat without orders.
func (o Options) policyOf(seat engine.Seat) string { return cmp.Or(o.MissingOf[seat], o.Missing) }

// Filed is what a referee files for a turn of a rule set whose turns he plays.
type Filed struct {
	Turn    int // that it is for
	Data    []byte
	By, Why string
}

// Outcome is a resolved turn.
type Outcome struct {
	Turn   int
	Round  int // of it, before its last; 0 for a whole turn
	State  *engine.Game
	Events []engine.Event // of the turn so far
	Told   int            // how many of them were told after the rounds before; 0 for a whole turn
	// FirstRound is, of a new game, the round that is due: 0 where turns are not cut
	// into rounds.
	FirstRound int
	Ships      []ShipState                     // whose orders were wanted
	Missing    map[engine.Seat]string          // policy by seat that had no orders
	Reports    map[engine.Seat]report.Rendered // by seat; nil without Options.Keep
	Mails      []Mail                          // in order of name
	Deadline   time.Time                       // of the next turn; zero when the game is over
	Quiet      bool                            // nothing happened that a captain wants to be asked at: the next stage is played at once
	Dir        string                          // where it is; "" for a dry run
}

// Mail is one mail of a turn, see Drawing.Mail.
type Mail struct {
	vault.Envelope
	Name string // "kirk.eml"
}

// ErrOver is returned for a game that has ended.
var ErrOver = errors.New("the game is over")

// NotReadyError says why the turn cannot be resolved: orders missing or bad.
type NotReadyError struct {
	Game    string
	Due     int
	Round   int         // of it; 0 in games whose turns are not cut into rounds
	Missing []ShipState // without any file
	Bad     []BadFile
}

// Error names the ships and files; the diagnostics are in Bad.
func (e *NotReadyError) Error() string {
	var parts []string
	if len(e.Missing) > 0 {
		var names []string
		for _, s := range e.Missing {
			names = append(names, s.Name)
		}
		parts = append(parts, "orders are missing for "+strings.Join(names, ", "))
	}
	if len(e.Bad) > 0 {
		var names []string
		for _, b := range e.Bad {
			names = append(names, b.File)
		}
		parts = append(parts, "orders have errors in "+strings.Join(names, ", "))
	}
	return fmt.Sprintf("%s of %s cannot be resolved: %s", vault.Stage{Turn: e.Due, Round: e.Round}, e.Game, strings.Join(parts, "; "))
}

// Hint is the way out.
func (e *NotReadyError) Hint() string {
	if len(e.Bad) > 0 {
		return "correct the files, or remove them; `starpost check` diagnoses them"
	}
	return "wait for them, or choose a policy with --missing: " + strings.Join(vault.Policies()[1:], ", ")
}
