package vault

import (
	"fmt"

	"starpost/engine"
	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// Commit makes a turn, or a round of it, part of the game: its files and their
// manifest are written to a temporary place, synced and renamed. Commit sets Format, Game,
// Previous, Revision, Rounds, Journal, Base and Files of the manifest. Then it removes the
// order sets of the stage, which must be among the files, from orders/. After an error before
// the rename, including one of the FileWriter, nothing is changed. Turn m.Turn must be the
// next one, and round m.Round, unless 0, the next round; an earlier one gives ErrCommitted.
// State, if not nil, is the content of state.json.
func (g *Game) Commit(m Manifest, fill FileWriter, state *engine.Game) error {
	return g.locked(func() error {
		at, due := Stage{Turn: m.Turn, Round: m.Round}, g.DueStage()
		if m.Round == 0 { // it includes all remaining rounds
			due.Round = 0
		}
		switch {
		case at.before(due):
			return &Error{
				Path: g.Stages.Dir(at), Problem: fmt.Sprintf("%s is already committed", at),
				Way: fmt.Sprintf("%s is due", due), Err: ErrCommitted,
			}
		case at != due || m.Round > 0 && m.Round >= g.Rounds():
			return fmt.Errorf("commit %s of %s: %s is due: %w", at, g.ID(), due, ErrNoTurn)
		}
		m, err := g.Linked(m)
		if err != nil {
			return err
		}
		if m, err = g.commit(m, fill); err != nil {
			return err
		}
		g.kept = nil
		switch {
		case m.Round > 0: // not a turn of the game yet
		case m.Revision > 1:
			if err := g.countAgain(m); err != nil {
				return err
			}
		default:
			g.Stages.turns++
			g.Stages.first = append(g.Stages.first, m.Turn)
		}
		if err := g.Stages.readRounds(); err != nil {
			return err
		}
		g.Stages.keepManifest(m)
		if state != nil {
			g.Stages.keep(m.Stage(), state)
		}
		return g.clean()
	})
}

// Linked sets the fields of the manifest of the due turn or round that link it to its predecessors,
// as a commit would now.
func (g *Game) Linked(m Manifest) (Manifest, error) {
	before := At(m.Turn - 1)
	if m.Round > 0 {
		before = g.Newest()
	}
	var err error
	if m.Previous, err = g.Stages.manifestHash(before); err != nil {
		return m, err
	}
	if m.Journal, err = g.Journal.Head(); err != nil {
		return m, err
	}
	if m.Round == 0 {
		if m.Rounds, err = g.Stages.roundSums(); err != nil {
			return m, err
		}
	}
	m.Revision = g.Stages.revision(m.Turn)
	return m.plain(), nil
}

// plain returns the manifest as written, in which a first revision has no number.
func (m Manifest) plain() Manifest {
	if m.Revision == 1 {
		m.Revision = 0
	}
	return m
}

// countAgain records that a turn that had been set aside was resolved again: otherwise the journal
// would still say that it does not count.
func (g *Game) countAgain(m Manifest) error {
	sum, err := g.Stages.manifestHash(m.Stage())
	if err != nil {
		return err
	}
	e := journal.NewEntry(journal.Revise, "starpost", m.Resolved, journal.ReviseData{Made: journal.Made{Turn: m.Turn, Revision: m.Revision, Manifest: sum}, Played: true})
	e.Turn = m.Turn + 1
	_, err = change(g, e)
	return err
}

// commit writes the folder of a turn's revision. An existing one is a leftover that no journal
// entry names.
func (g *Game) commit(m Manifest, fill FileWriter) (Manifest, error) {
	m = m.plain()
	if err := g.before("build"); err != nil {
		return m, err
	}
	dir := g.Stages.Name(m.Stage())
	m, files, err := drawUp(dir, g.conf.file.ID, m, fill)
	if err != nil {
		return m, err
	}
	return m, g.write(record.Change{Doing: "commit the turn", Dir: dir, Replace: m.Revision > 1 || m.Round > 0, Put: files})
}

// change adds an entry that changes which turns count, and applies it.
func change(g *Game, e journal.Entry) (done bool, err error) {
	if done, err = g.Append(e); err != nil || !done {
		return false, err
	}
	g.Stages.forget()
	g.moved()
	if err := g.Stages.read(); err != nil {
		return true, err
	}
	return true, g.clean()
}
