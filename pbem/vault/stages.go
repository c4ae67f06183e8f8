package vault

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"starpost/engine"
	"starpost/pbem/record"
)

// Stages are the resolved turns of a game, and the rounds of the one in progress.
type Stages struct {
	tree    files
	conf    *conf
	journal *Journal
	rules   *engine.Rules
	moved   func() // called when other stages count than before

	turns  int     // number of committed turns: 1 after the set-up
	first  turnSet // turns with a directory of their first revision
	past   past    // which revisions count, by the journal
	rounds rounds  // of the turn in progress

	// Caches of stages; their keys have the revision.
	states    map[Stage]*engine.Game // decoded, the newest few
	manifests map[Stage]Manifest
	newest    struct {
		at     Stage
		events []engine.Event
	}
}

// rounds describes the rounds of the turn in progress.
type rounds struct {
	after  string // identifies their turn and revision, and the preceding ones
	n      int
	newest string // hash of the newest manifest
	// leftover means that the next round's place is taken by something that does not count.
	leftover bool
}

// Turn returns the number of the last committed turn.
func (s *Stages) Turn() int { return s.turns - 1 }

// Rounds returns the number of rounds in a turn of the game; 0 if turns have no rounds.
func (s *Stages) Rounds() int {
	if !s.conf.file.InRounds() {
		return 0
	}
	return s.rules.Rounds()
}

// Newest returns the latest stage.
func (s *Stages) Newest() Stage {
	if s.rounds.n > 0 {
		return Stage{Turn: s.turns, Round: s.rounds.n}
	}
	return At(s.Turn())
}

// DueStage returns the next stage by the turns and rounds so far. It returns one even if the game is over.
func (s *Stages) DueStage() Stage {
	if s.Rounds() == 0 {
		return At(s.turns)
	}
	return Stage{Turn: s.turns, Round: s.rounds.n + 1}
}

// has refuses a turn that the game does not have.
func (s *Stages) has(turn int) error {
	if turn < 0 || turn >= s.turns {
		return &Error{
			Path: s.tree.Place(""), Problem: fmt.Sprintf("the game has no turn %d", turn),
			Way: fmt.Sprintf("its turns are 0 to %d", s.Turn()), Err: ErrNoTurn,
		}
	}
	return nil
}

// revision returns a turn's current revision, or for a future turn the one that it will have.
func (s *Stages) revision(turn int) int {
	if turn < s.turns {
		return max(s.past.counts(turn), 1)
	}
	return s.past.next(turn, s.first.has(turn))
}

// hasRevision refuses a resolution that a turn does not have.
func (s *Stages) hasRevision(turn, revision int) error {
	if revision == 1 && s.first.has(turn) || slices.ContainsFunc(s.past.made[turn], func(r Revision) bool { return r.Revision == revision }) {
		return nil
	}
	if !s.first.has(turn) && len(s.past.made[turn]) == 0 {
		return s.has(max(turn, s.turns))
	}
	return &Error{
		Path: s.tree.Place(""), Problem: fmt.Sprintf("turn %d has no revision %d", turn, revision),
		Way: fmt.Sprintf("its last is revision %d", s.past.next(turn, s.first.has(turn))-1), Err: ErrNoTurn,
	}
}

// version returns what a change is based on: the journal as read, the newest stage, and the absence of a later one.
func (s *Stages) version() *record.Version {
	j := s.journal.known
	v := &record.Version{Size: j.size, Good: j.good, Last: j.last, Head: j.head, There: s.Name(s.Newest())}
	if !s.first.has(s.turns) {
		v.Absent = append(v.Absent, s.Name(Stage{Turn: s.turns, Revision: 1}))
	}
	if s.Rounds() > 0 && !s.rounds.leftover {
		v.Absent = append(v.Absent, s.Name(Stage{Turn: s.turns, Round: s.rounds.n + 1}, ManifestFile))
	}
	return v
}

// forget drops what was cached of stages.
func (s *Stages) forget() {
	s.rest()
	s.rounds = rounds{}
}

// rest frees what can be read again.
func (s *Stages) rest() { s.states, s.manifests, s.newest.events = nil, nil, nil }

// Dir returns the directory of a stage, which may not exist yet.
func (s *Stages) Dir(at Stage) string { return s.path(at) }

// path returns the location of a stage's folder, or of a file in it.
func (s *Stages) path(at Stage, parts ...string) string {
	return s.tree.Place(s.Name(at, parts...))
}

// Name returns the name of a stage's folder, or of a file in it.
func (s *Stages) Name(at Stage, parts ...string) string {
	at.Revision = cmp.Or(at.Revision, s.revision(at.Turn))
	return path.Join(append([]string{turnsDir, at.Base()}, parts...)...)
}
