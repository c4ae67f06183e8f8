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

// Options are the inputs to resolving from outside the game.
type Options struct {
	// Missing is the policy for ships without orders. With "" and vault.PolicyHold the turn is
	// refused with a *NotReadyError.
	Missing string
	// MissingOf overrides Missing for single seats.
	MissingOf map[engine.Seat]string
	Now       time.Time
	DryRun    bool           // resolve and render, but write nothing
	Keep      bool           // return text and view of the reports in the Outcome
	Workers   int            // number of concurrent renderers; 0 is one for each processor
	Beacon    beacon.Beacon  // for a game with public dice, in place of one that was supplied earlier
	Filed     *Filed         // the referee's filing, for rule sets with turns that a referee plays; otherwise nil
	Templates *templates.Set // for drawing reports; nil for the built-in ones
}

// policyOf returns the policy for a seat without orders.
func (o Options) policyOf(seat engine.Seat) string { return cmp.Or(o.MissingOf[seat], o.Missing) }

// Filed is what a referee files for a turn.
type Filed struct {
	Turn    int // the turn that it is for
	Data    []byte
	By, Why string
}

// Outcome is a resolved turn.
type Outcome struct {
	Turn   int
	Round  int // the round, if it is not the turn's last; 0 for a whole turn
	State  *engine.Game
	Events []engine.Event // of the turn so far
	Told   int            // how many of them earlier rounds reported; 0 for a whole turn
	// FirstRound is, for a new game, the due round: 0 if turns have no rounds.
	FirstRound int
	Ships      []ShipState                     // ships that owed orders
	Missing    map[engine.Seat]string          // policy by seat without orders
	Reports    map[engine.Seat]report.Rendered // by seat; nil without Options.Keep
	Mails      []Mail                          // ordered by name
	Deadline   time.Time                       // of the next turn; zero if the game is over
	Quiet      bool                            // nothing happened that a captain wants to be asked about: the next stage is played at once
	Dir        string                          // its directory; "" for a dry run
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
	Round   int         // 0 in games whose turns have no rounds
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

// Hint returns the remedy.
func (e *NotReadyError) Hint() string {
	if len(e.Bad) > 0 {
		return "correct the files, or remove them; `starpost check` diagnoses them"
	}
	return "wait for them, or choose a policy with --missing: " + strings.Join(vault.Policies()[1:], ", ")
}
