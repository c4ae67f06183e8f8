package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Resolved turns may be changed: by a ruling, another order, a
// rollback. Committed files stay untouched. The changed turn is stored
// next to the old one as its next revision,
//
//	turns/0003/      revision 1
//	turns/0003.r2/   revision 2
//
// and the journal says which one counts. A directory of a later revision that no
// entry names was being made when the process was killed: it does not belong to the
// game, and is replaced when its number is needed.

// follow determines from the journal which turns there are; found lists the turns with a directory
// of their first revision, sorted.
func (s *Stages) follow(found turnSet) error {
	p := readPast(s.journal.known.entries, s.journal.known.head)
	turns := 0
	for ; ; turns++ {
		rev := p.counts(turns)
		if rev == 0 || rev == 1 && !found.has(turns) {
			break
		}
		if rev > 1 {
			at := Stage{Turn: turns, Revision: rev}
			if _, err := s.tree.Stat(s.Name(at)); err != nil {
				return missingTurn(s.path(at), fmt.Sprintf("the directory is missing, but the journal has revision %d of turn %d", rev, turns), err)
			}
		}
	}
	known := slices.Concat(found, slices.Collect(maps.Keys(p.current)))
	for _, n := range known {
		if rev := p.counts(n); n > turns && (rev > 1 || rev == 1 && found.has(n)) {
			return damaged(s.tree.path(turnsDir, turnName(turns)), "the turn is missing, but turn %d exists", n)
		}
	}
	if turns == 0 {
		return damaged(s.tree.path(turnsDir, turnName(0)), "the setup of the game is missing")
	}
	same := s.turns == turns && maps.Equal(s.past.current, p.current)
	s.past, s.first = p, found
	if !same {
		s.turns = turns
		s.forget()
		s.moved()
	}
	return s.readRounds()
}

func missingTurn(path, problem string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(path, "%s", problem)
	}
	return system("read", path, err)
}

// Current returns the revision of a turn that counts.
func (s *Stages) Current(turn int) (int, error) {
	if err := s.has(turn); err != nil {
		return 0, err
	}
	return s.revision(turn), nil
}

// Revisions returns all resolutions of all turns, including those set aside, in order of turn and
// number.
func (s *Stages) Revisions() []Revision {
	turns := slices.Concat(s.first, slices.Collect(maps.Keys(s.past.made)))
	slices.Sort(turns)
	var out []Revision
	for _, n := range slices.Compact(turns) {
		if s.first.has(n) {
			out = append(out, Revision{Turn: n, Revision: 1, Aside: s.past.aside[n]})
		}
		out = append(out, s.past.made[n]...)
	}
	for i, r := range out {
		out[i].Current = r.Turn < s.turns && r.Revision == s.past.counts(r.Turn)
	}
	return out
}

// Lineage returns the resolutions of turns that a stage is based on, from turn 0 to the stage
// itself, whether they count or not.
func (s *Stages) Lineage(at Stage) ([]Stage, error) {
	m, err := s.Manifest(at)
	if err != nil {
		return nil, err
	}
	made := []Stage{m.Stage()}
	all := s.Revisions()
	for n := m.Turn - 1; n >= 0; n-- {
		found := false
		for _, r := range slices.Backward(all) {
			if r.Turn != n || found {
				continue
			}
			before, hash, err := s.readManifest(Stage{Turn: n, Revision: r.Revision})
			if err != nil {
				return nil, err
			}
			if found = hash == m.Previous; found {
				m = before
			}
		}
		if !found {
			return nil, damaged(s.path(made[0], ManifestFile), "turn %d follows a turn %d that is missing", n+1, n)
		}
		made = append([]Stage{m.Stage()}, made...)
	}
	return made, nil
}

// same reports whether the directories of turns are still the known ones: the last one exists, and
// the next one only if it did before, set aside.
func (s *Stages) same() bool {
	if s.turns == 0 {
		return false
	}
	if _, err := s.tree.Stat(s.Name(At(s.turns - 1))); err != nil {
		return false
	}
	_, err := s.tree.Stat(s.Name(Stage{Turn: s.turns, Revision: 1}))
	if s.first.has(s.turns) {
		return err == nil
	}
	return errors.Is(err, fs.ErrNotExist)
}

// read reads the list of turns again. It reads the directories before the journal, which then knows
// them all.
func (s *Stages) read() error {
	entries, err := s.tree.ReadDir(turnsDir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return damaged(s.tree.path("turns"), "the directory is missing")
		}
		return missing(s.tree.path("turns"), err)
	}
	var found turnSet
	for _, e := range entries {
		if n, ok := turnNumber(e.Name()); ok && e.IsDir() {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	if err := s.journal.read(); err != nil {
		return err
	}
	return s.follow(found)
}
