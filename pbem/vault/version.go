package vault

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/pbem/vault/journal"
)

// A rule set that changes gets another version, and a game keeps the version that
// it was begun with. A program with a later one reads the game and checks what was
// played, but plays no turn of it until the game's referee has it go on by that
// version: an entry of the journal, [journal.Rules].

// VersionError says that the program has another version of the game's rule set
// than the game is played by, so that it can play no turn of it.
type VersionError struct {
	Game, Dir string
	Rules     string
	Was, Is   string // the game's version, and the program's
	Due       int    // the turn that cannot be played; 0 for none in particular
}

// Later tells that the program's version came after the game's, so that the
// referee may have the game go on by it.
func (e *VersionError) Later() bool { return Older(e.Was, e.Is) }

// Error names both versions.
func (e *VersionError) Error() string {
	what := e.Dir
	if e.Due > 0 {
		what = fmt.Sprintf("turn %d of %s cannot be resolved", e.Due, e.Game)
	}
	return fmt.Sprintf("%s: the game uses version %s of rule set %s, and this program has version %s", what, e.Was, e.Rules, e.Is)
}

// Hint is the way out.
func (e *VersionError) Hint() string {
	if !e.Later() {
		return fmt.Sprintf("use a starpost that has version %s of %s", e.Was, e.Rules)
	}
	return fmt.Sprintf("to switch to version %s from the next turn on: starpost referee %s rules %s --why TEXT\nor use a starpost that has version %s", e.Is, e.Dir, e.Is, e.Was)
}

// Older tells whether a version of a rule set came before another; they are
// counted from 1.
func Older(a, b string) bool {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	return errA == nil && errB == nil && x >= 1 && x < y
}

// otherVersion compares the version that the game is played by with the
// program's; nil if they are the same.
func otherVersion(g *Game) *VersionError {
	if g.conf.effective.Version == g.rules.Version {
		return nil
	}
	return &VersionError{Game: g.ID(), Dir: g.Dir(), Rules: g.conf.file.Rules, Was: g.conf.effective.Version, Is: g.rules.Version}
}

// VersionMismatch tells that the turn that is due cannot be played before the referee has
// the game go on by the program's version of the rules; nil if it can be, or if
// the game is over.
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

// VersionAt is the version of the rule set that a turn was played by which was
// committed when the journal ended with the entry of that hash (see
// [Manifest.Journal]).
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

// wrongVersion refuses a game that a later version of the rules plays.
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
