package vault

import (
	"fmt"
	"maps"

	"starpost/engine"
)

// A game may resolve its turns in rounds. The result of a round is committed like a
// turn, in a directory next to that of its turn:
//
//	turns/0003.p1/   after the first round of turn 3
//	turns/0003.p2/   after the second
//	turns/0003/      the whole turn, after the last
//
// A round of the turn in progress counts only if it is based on the round
// before it, and the first only if it is based on the turn before. When a referee changes that
// turn, they are leftovers, and are replaced when their numbers are needed.

// readRounds determines the rounds of the turn in progress.
func (s *Stages) readRounds() error {
	if s.Rounds() == 0 {
		return nil
	}
	last, at := Stage{Turn: s.Turn(), Revision: s.revision(s.Turn())}, Stage{Turn: s.turns, Revision: s.revision(s.turns)}
	now := rounds{after: fmt.Sprintf("%s after %s by version %s", at.Base(), last.Base(), s.conf.effective.Version)}
	there := func(n int) bool {
		at.Round = n
		_, err := s.tree.Stat(s.Name(at, ManifestFile))
		return err == nil
	}
	if s.rounds.after == now.after && (s.rounds.n == 0 || there(s.rounds.n)) && !there(s.rounds.n+1) {
		return nil
	}
	previous, err := s.manifestHash(last)
	if err != nil {
		return err
	}
	for n := 1; n < s.Rounds() && there(n); n++ {
		m, hash, err := s.readManifest(at)
		if err != nil {
			return err
		}
		if m.Previous != previous || s.VersionAt(m.Journal) != s.conf.effective.Version {
			break // it is based on something that no longer counts
		}
		now.n, now.newest, previous = n, hash, hash
	}
	now.leftover = there(now.n + 1)
	if s.rounds != now {
		s.forgetRounds()
	}
	s.rounds = now
	return nil
}

// forgetRounds drops what was cached of rounds.
func (s *Stages) forgetRounds() {
	s.newest.events = nil
	s.moved()
	maps.DeleteFunc(s.manifests, func(at Stage, _ Manifest) bool { return at.Round > 0 })
	maps.DeleteFunc(s.states, func(at Stage, _ *engine.Game) bool { return at.Round > 0 })
}

// InProgress identifies the newest round of the turn in progress, unlike any that was in its place
// before; "" if there is none.
func (s *Stages) InProgress() string {
	if s.rounds.n == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %d", s.rounds.after, s.rounds.n)
}

// Mark returns a name for a stage that is unique among all stages ever reported: a round that is
// played again after turns or rounds were undone has another name than the first time. It reveals
// nothing that captains are not told.
func (s *Stages) Mark(at Stage) string {
	times := 1
	for _, due := range s.past.dues {
		if due <= at.Turn {
			times++
		}
	}
	if at.Round > 0 && times > 1 {
		return fmt.Sprintf("%s-%d", at.Slug(), times)
	}
	return at.Slug()
}

// roundSums returns the hashes of the manifests of the rounds of the turn in progress.
func (s *Stages) roundSums() ([]string, error) {
	var sums []string
	for n := 1; n <= s.rounds.n; n++ {
		hash, err := s.manifestHash(Stage{Turn: s.turns, Round: n})
		if err != nil {
			return nil, err
		}
		sums = append(sums, hash)
	}
	return sums, nil
}

// Of returns the stages of a turn that was played, or is in progress, in order: its rounds, then
// the turn itself if it is over.
func (s *Stages) Of(turn int) ([]Stage, error) {
	var out []Stage
	if turn == s.turns {
		for n := 1; n <= s.rounds.n; n++ {
			out = append(out, Stage{Turn: turn, Round: n})
		}
		return out, nil
	}
	m, err := s.Manifest(At(turn))
	if err != nil {
		return nil, err
	}
	for n := range m.Rounds {
		out = append(out, Stage{Turn: turn, Round: n + 1})
	}
	return append(out, At(turn)), nil
}
