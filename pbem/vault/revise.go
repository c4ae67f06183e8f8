package vault

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// Act says who changes a game, why, and when.
type Act struct {
	By    string // a referee, or the process that acts for one
	Why   string // a clause for people; may be empty
	Cause string // identifies a repetition of the same act (see journal.Entry); may be ""
	Now   time.Time
	// Changes describes the changes of the past.
	Changes []string
}

// Entry returns the journal entry of an act about a turn, and about a captain unless that is "".
func (a Act) Entry(kind string, turn int, captain engine.CaptainName, data any) journal.Entry {
	e := journal.NewEntry(kind, a.By, a.Now, data)
	e.Turn, e.Captain, e.Why, e.Cause = turn, captain, a.Why, a.Cause
	return e
}

// once makes a change of which turns count: entry prepares it and returns its data. An act with a
// Cause that was done before is skipped; done is false then.
func once(g *Game, kind string, a Act, entry func() (turn int, data any, err error)) (done bool, err error) {
	err = g.locked(func() error {
		if known, err := g.Journal.Noted(kind, a.Cause); known || err != nil {
			return err
		}
		turn, data, err := entry()
		if err != nil {
			return err
		}
		done, err = change(g, a.Entry(kind, turn, "", data))
		return err
	})
	return done && err == nil, err
}

// Redone is a turn that was resolved again: Turn, Resolved and similar fields of the manifest, and its
// files.
type Redone struct {
	Manifest Manifest
	Fill     FileWriter
}

// Revise replaces consecutive turns by new revisions: from the first of them to the last turn of
// the game. Remaining later turns are set aside, and the turn after the new ones is due again; if
// rounds of the due turn were played, it starts again from its beginning. Sets in orders/ are kept
// for their turn, and the sets in keep are in force for the due one. When it returns nil,
// everything is committed, and before that nothing counts. An act with a Cause that was done before
// is skipped; done is false then.
func Revise(g *Game, act Act, turns []Redone, keep []OrderFile) (done bool, err error) {
	return once(g, journal.Revise, act, func() (int, any, error) {
		if len(turns) == 0 || turns[0].Manifest.Turn < 0 || turns[0].Manifest.Turn+len(turns) > g.Stages.turns {
			return 0, nil, fmt.Errorf("revise %s: the game has no such turns: %w", g.ID(), ErrNoTurn)
		}
		d, err := remake(g, turns)
		if err != nil {
			return 0, nil, err
		}
		d.Changes = act.Changes
		last := turns[len(turns)-1].Manifest.Turn
		if due := last + 1; due < g.Stages.turns {
			d.Aside = g.Turn()
		}
		d.Begun = g.Stages.rounds.n
		if d.Aside > 0 || d.Begun > 0 {
			if d.Parked, err = g.Orders.park(last+1, keep); err != nil {
				return 0, nil, err
			}
		}
		return last + 1, d, nil
	})
}

// remake writes the directories of revisions. Until a journal entry names them they do not belong
// to the game.
func remake(g *Game, turns []Redone) (d journal.ReviseData, err error) {
	head, err := g.Journal.Head()
	if err != nil {
		return d, err
	}
	previous := ""
	if n := turns[0].Manifest.Turn; n > 0 {
		if previous, err = g.Stages.manifestHash(At(n - 1)); err != nil {
			return d, err
		}
	}
	for i, t := range turns {
		m := t.Manifest
		if m.Turn != turns[0].Manifest.Turn+i {
			return d, fmt.Errorf("revise %s: turn %d does not follow turn %d", g.ID(), m.Turn, m.Turn-1)
		}
		m.Previous, m.Journal, m.Revision = previous, head, g.Stages.past.next(m.Turn, g.Stages.first.has(m.Turn))
		if m, err = g.commit(m, t.Fill); err != nil {
			return d, err
		}
		if previous, err = g.Stages.manifestHash(m.Stage()); err != nil {
			return d, err
		}
		made := journal.Made{Turn: m.Turn, Revision: m.Revision, Manifest: previous}
		if i == 0 {
			d.Made = made
		} else {
			d.Later = append(d.Later, made)
		}
	}
	return d, nil
}

// Rollback undoes all turns after the given one: their files remain, but they no longer belong to
// the game, and the one after it is due again, by deadline unless that is zero. Sets in orders/ are
// kept for their turn. The sets in keep, unless nil, are in force for the due one. Done is as in
// Revise.
func Rollback(g *Game, act Act, turn int, deadline time.Time, keep []OrderFile) (done bool, err error) {
	return once(g, journal.Rollback, act, func() (int, any, error) {
		if err := g.Stages.has(turn); err != nil {
			return 0, nil, err
		}
		if turn == g.Turn() {
			return 0, nil, &Error{
				Path: g.Dir(), Problem: fmt.Sprintf("turn %d is the last one: there is nothing to undo", turn),
				Way: "name the last turn to keep", Err: ErrNoTurn,
			}
		}
		d := journal.RollbackData{Turn: turn, Last: g.Turn(), Keep: keep != nil, Deadline: deadline.UTC()}
		if deadline.IsZero() {
			d.Deadline = time.Time{}
		}
		var err error
		if d.Parked, err = g.Orders.park(turn+1, keep); err != nil {
			return 0, nil, err
		}
		return turn + 1, d, nil
	})
}

// Amend replaces the order set of a ship or captain for the due turn, on behalf of the captain and
// in the referee's name, and records that. Done is as in Revise.
func Amend(g *Game, act Act, captain engine.CaptainName, name string, text []byte) (done bool, err error) {
	file, err := journal.SetFile(name)
	if err != nil {
		return false, err
	}
	err = g.locked(func() error {
		if known, err := g.Journal.Noted(journal.Amend, act.Cause); known || err != nil {
			return err
		}
		due, err := g.Due()
		if err != nil {
			return err
		}
		if t, err := g.Timing(); err != nil {
			return err
		} else if t.Closed != nil {
			return &Error{Path: g.tree.path(ordersDir), Problem: fmt.Sprintf("turn %d is closed and waits for its dice", due), Way: "wait until it is played, then change its orders with rerun", Err: ErrSettings}
		}
		files, err := g.Orders.For(At(due))
		if err != nil {
			return err
		}
		d := journal.AmendData{Name: name, Set: Hash(text)}
		for _, f := range files {
			if strings.EqualFold(f.Name, name) {
				d.Before = Hash(f.Text)
			}
		}
		waiting := path.Join(ordersDir, "."+file+amended)
		if err := g.before("put"); err != nil {
			return err
		}
		if err := g.write(record.Change{Doing: "store orders", Put: []record.File{{Name: waiting, Data: text, Modified: act.Now}}}); err != nil {
			return err
		}
		if done, err = g.Append(act.Entry(journal.Amend, due, captain, d)); err != nil {
			if errors.Is(err, record.ErrStopped) {
				return err
			}
			return errors.Join(err, g.commitTo(nil, record.Change{Doing: "clear a leftover", Remove: []string{waiting}}))
		}
		return g.Orders.finishAmend()
	})
	return done && err == nil, err
}

// ChangeRules makes the game use the program's version of its rule set from the due turn on. Rounds
// of it that were played are undone, because they would have another result. Done is as in Revise.
func ChangeRules(g *Game, act Act, deadline time.Time) (done bool, err error) {
	return once(g, journal.Rules, act, func() (int, any, error) {
		d := journal.RulesData{From: g.conf.effective.Version, Version: g.rules.Version, Deadline: deadline, Begun: g.Stages.rounds.n}
		if !Older(d.From, d.Version) {
			return 0, nil, fmt.Errorf("change the rules of %s from version %s to version %s: %w", g.ID(), d.From, d.Version, ErrSettings)
		}
		if d.Begun > 0 {
			var err error
			if d.Parked, err = g.Orders.park(g.Stages.turns, nil); err != nil {
				return 0, nil, err
			}
		}
		return g.Stages.turns, d, nil
	})
}
