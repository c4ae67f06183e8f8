package vault

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"starpost/engine"
	"starpost/pbem/record"
)

// Stages are the turns of a game that were played, and the rounds of the one in progress.
type Stages struct {
	tree    files
	conf    *conf
	journal *Journal
	rules   *engine.Rules
	moved   func() // called when other stages count than before

	turns  int     // how many are committed: 1 after the set-up
	first  turnSet // turns with a directory of their first revision
	past   past    // which revisions count, by the journal
	rounds rounds  // of the turn in progress

	// What was read of stages; in the keys their revisions are given.
	states    map[Stage]*engine.Game // decoded, the newest few
	manifests map[Stage]Manifest
	newest    struct {
		at     Stage
		events []engine.Event
	}
}

// rounds is what is known of the rounds of the turn in progress.
type rounds struct {
	after  string // which turn and revision they are of, and after which
	n      int
	newest string // the hash of its manifest
	// leftover tells that something lies where the next one will: it counts for nothing.
	leftover bool
}

// Turn is the last committed turn.
func (s *Stages) Turn() int { return s.turns - 1 }

// Rounds is how many rounds a turn of the game has; 0 when turns are not cut
// into rounds.
func (s *Stages) Rounds() int {
	if !s.conf.file.InRounds() {
		return 0
	}
	return s.rules.Rounds()
}

// Newest is the stage that was reached last.
func (s *Stages) Newest() Stage {
	if s.rounds.n > 0 {
		return Stage{Turn: s.turns, Round: s.rounds.n}
	}
	return At(s.Turn())
}

// DueStage is the stage that orders are wanted for, as far as that is for turns and
// rounds to say; it is one also when the game is over.
func (s *Stages) DueStage() Stage {
	if s.Rounds() == 0 {
		return At(s.turns)
	}
	return Stage{Turn: s.turns, Round: s.rounds.n + 1}
}

// has refuses what is no turn of the game.
func (s *Stages) has(turn int) error {
	if turn < 0 || turn >= s.turns {
		return &Error{
			Path: s.tree.Place(""), Problem: fmt.Sprintf("the game has no turn %d", turn),
			Way: fmt.Sprintf("its turns are 0 to %d", s.Turn()), Err: ErrNoTurn,
		}
	}
	return nil
}

// revision is the number of a turn's revision that counts; of a turn that is not
// there, the one that it will have.
func (s *Stages) revision(turn int) int {
	if turn < s.turns {
		return max(s.past.counts(turn), 1)
	}
	return s.past.next(turn, s.first.has(turn))
}

// hasRevision refuses what is no resolution of a turn.
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

// version is what a change rests on: the journal as it was read, the newest stage, and that there is none after it.
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

// forget drops what was remembered of stages.
func (s *Stages) forget() {
	s.rest()
	s.rounds = rounds{}
}

// rest drops what can be read again.
func (s *Stages) rest() { s.states, s.manifests, s.newest.events = nil, nil, nil }

// Dir is the directory of a stage; of a turn that is not there yet, the one that
// it will have.
func (s *Stages) Dir(at Stage) string { return s.path(at) }

// path is where the folder of a stage is kept, or a file in it.
func (s *Stages) path(at Stage, parts ...string) string {
	return s.tree.Place(s.Name(at, parts...))
}

// Name is the name of the folder of a stage, or of a file in it.
func (s *Stages) Name(at Stage, parts ...string) string {
	at.Revision = cmp.Or(at.Revision, s.revision(at.Turn))
	return path.Join(append([]string{turnsDir, at.Base()}, parts...)...)
}
