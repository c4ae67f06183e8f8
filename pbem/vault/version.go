package vault

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/pbem/vault/journal"
)

// A changed rule set gets a new version, and a game keeps the version it began with. A program with
// a later one reads the game and checks what was played, but resolves no turn of it until the
// game's referee switches to that version, with the journal entry [journal.Rules].

// VersionError says that the program has another version of the rule set than the game uses, so
// that it cannot resolve a turn.
type VersionError struct {
	Game, Dir string
	Switch    string // the command with which the referee switches to the program's version
	Rules     string
	Was, Is   string // the version of the game, and of the program
	Due       int    // the turn that cannot be resolved; 0 for none in particular
}

// Later reports whether the program's version is later than the game's, so that the referee may
// switch to it.
func (e *VersionError) Later() bool { return Older(e.Was, e.Is) }

// Error names both versions.
func (e *VersionError) Error() string {
	what := e.Dir
	if e.Due > 0 {
		what = fmt.Sprintf("turn %d of %s cannot be resolved", e.Due, e.Game)
	}
	return fmt.Sprintf("%s: the game uses version %s of rule set %s, and this program has version %s", what, e.Was, e.Rules, e.Is)
}

// Hint says what to do.
func (e *VersionError) Hint() string {
	if !e.Later() {
		return fmt.Sprintf("use a starpost that has version %s of %s", e.Was, e.Rules)
	}
	return fmt.Sprintf("to switch to version %s from the next turn on: %s\nor use a starpost that has version %s", e.Is, e.Switch, e.Was)
}

// Older reports whether a version of a rule set is earlier than another; versions are numbers from
// 1.
func Older(a, b string) bool {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	return errA == nil && errB == nil && x >= 1 && x < y
}

// otherVersion compares the versions of the game and the program; nil if they are the same.
func otherVersion(g *Game) *VersionError {
	if g.conf.effective.Version == g.rules.Version {
		return nil
	}
	return &VersionError{
		Game: g.ID(), Dir: g.Dir(), Switch: g.CommandLine("referee", "rules", g.rules.Version, "--why TEXT"),
		Rules: g.conf.file.Rules, Was: g.conf.effective.Version, Is: g.rules.Version,
	}
}

// VersionMismatch returns an error value if the referee must switch to the program's version of the
// rules before the due turn can be resolved; nil if not, or if the game is over.
func (g *Game) VersionMismatch() (*VersionError, error) {
	due, err := g.Due()
	if err != nil || due == 0 {
		return nil, err
	}
	w := otherVersion(g)
	if w != nil {
		w.Due = due
	}
	return w, nil
}

// VersionAt returns the version of the rule set for a turn that was committed when the journal's
// last entry had that hash (see [Manifest.Journal]).
func (s *Stages) VersionAt(head string) string {
	version := s.conf.effective.Version
	for i, e := range slices.Backward(s.journal.known.entries) {
		if s.journal.known.hash(i) == head {
			break
		}
		if e.Kind == journal.Rules {
			version = journal.DataOf[journal.RulesData](e).From
		}
	}
	return version
}

// wrongVersion refuses a game that uses a later version of the rules.
func wrongVersion(g *Game) error {
	w := otherVersion(g)
	if w == nil || w.Later() {
		return nil
	}
	return &Error{
		Path:    g.tree.path(settingsFile),
		Problem: fmt.Sprintf("the game uses version %s of rule set %s, and this program has version %s", w.Was, w.Rules, w.Is),
		Way:     w.Hint(), Err: ErrSettings,
	}
}
