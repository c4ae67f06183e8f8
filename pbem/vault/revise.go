package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"

	"starpost/engine"
)

// Act is who does something to a game, why, and when.
type Act struct {
	By    string // a referee, or what acts in his place
	Why   string // a clause for people; may be empty
	Cause string // "", or what makes a repetition of the same act known (see journal.Entry)
	Now   time.Time
	// Changes says in words what is changed of the past.
	Changes []string
}

// Entry is the entry of an act that is about a turn, and about a captain unless that is "".
func (a Act) Entry(kind string, turn int, captain engine.CaptainName, data any) journal.Entry {
	e := journal.NewEntry(kind, a.By, a.Now, data)
	e.Turn, e.Captain, e.Why, e.Cause = turn, captain, a.Why, a.Cause
	return e
}

// once does what changes which turns count: entry prepares it and gives its entry. An act
// with a Cause that was done already is left out; done tells.
func (g *Game) once(kind string, a Act, entry func() (turn int, data any, err error)) (done bool, err error) {
	err = g.locked(func() error {
		if known, err := g.Noted(kind, a.Cause); known || err != nil {
			return err
		}
		turn, data, err := entry()
		if err != nil {
			return err
		}
		done, err = g.change(a.Entry(kind, turn, "", data))
		return err
	})
	return done && err == nil, err
}

// Redone is a turn that was resolved again: Turn, Resolved and the like of the
// manifest, its files, and what state.json holds.
type Redone struct {
	Manifest Manifest
	Fill     FileWriter
	State    *engine.Game
}

// Revise puts new revisions of consecutive turns in the place of those that
// count: of all from the first of them to the last turn of the game. What is left
// of the later turns is set aside, and the turn after the last of them is due
// again; so it is, from its beginning, if rounds of it were played. Sets that lie
// in orders/ are kept for the turn that they are for, and keep are in force for the
// one that is due. All is there when it returns nil,
// and before that nothing counts. An act with a Cause that was done already is
// left out; done tells.
func (g *Game) Revise(act Act, turns []Redone, keep []OrderFile) (done bool, err error) {
	return g.once(journal.Revise, act, func() (int, any, error) {
		if len(turns) == 0 || turns[0].Manifest.Turn < 0 || turns[0].Manifest.Turn+len(turns) > g.turns {
			return 0, nil, fmt.Errorf("revise %s: the turns to revise are not turns of the game: %w", g.ID(), ErrNoTurn)
		}
		d, err := g.remake(turns)
		if err != nil {
			return 0, nil, err
		}
		d.Changes = act.Changes
		last := turns[len(turns)-1].Manifest.Turn
		if due := last + 1; due < g.turns {
			d.Aside = g.Turn()
		}
		d.Begun = g.rounds.n
		if d.Aside > 0 || d.Begun > 0 {
			if d.Parked, err = g.park(last+1, keep); err != nil {
				return 0, nil, err
			}
		}
		return last + 1, d, nil
	})
}

// remake builds the directories of revisions. Until an entry names them they are
// no part of the game.
func (g *Game) remake(turns []Redone) (d journal.ReviseData, err error) {
	head, err := g.JournalHead()
	if err != nil {
		return d, err
	}
	previous := ""
	if n := turns[0].Manifest.Turn; n > 0 {
		if previous, err = g.manifestHash(Stage{Turn: n - 1}); err != nil {
			return d, err
		}
	}
	for i, t := range turns {
		m := t.Manifest
		if m.Turn != turns[0].Manifest.Turn+i {
			return d, fmt.Errorf("revise %s: turn %d does not follow turn %d", g.ID(), m.Turn, m.Turn-1)
		}
		m.Previous, m.Journal, m.Revision = previous, head, g.past.next(m.Turn, g.first.has(m.Turn))
		if m, err = g.commit(m, t.Fill); err != nil {
			return d, err
		}
		if previous, err = g.manifestHash(m.Stage()); err != nil {
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

// Noted tells whether the journal has an entry of that kind and cause; never for
// no cause.
func (g *Game) Noted(kind, cause string) (bool, error) {
	if err := g.readJournal(); err != nil {
		return false, err
	}
	return cause != "" && g.journal.seen[kind+"\x00"+cause], nil
}

// change notes an entry that changes which turns count, and follows it.
func (g *Game) change(e journal.Entry) (done bool, err error) {
	if done, err = g.Append(e); err != nil || !done {
		return false, err
	}
	g.forget()
	if err := g.readTurns(); err != nil {
		return true, err
	}
	return true, g.clean()
}

// Rollback takes all turns after one back: they stay where they are, but are no
// longer turns of the game, and the one after it is due again, by deadline
// unless that is zero. Sets that lie in orders/ are kept for the turn that they
// are for. Keep, unless it is nil, are in force for the one that is due. Done is
// as in Revise.
func (g *Game) Rollback(act Act, turn int, deadline time.Time, keep []OrderFile) (done bool, err error) {
	return g.once(journal.Rollback, act, func() (int, any, error) {
		if err := g.has(turn); err != nil {
			return 0, nil, err
		}
		if turn == g.Turn() {
			return 0, nil, &Error{
				Path: g.Dir(), Problem: fmt.Sprintf("turn %d is the last one: there is nothing to take back", turn),
				Way: "name the last turn that is to stay", Err: ErrNoTurn,
			}
		}
		d := journal.RollbackData{Turn: turn, Last: g.Turn(), Keep: keep != nil, Deadline: deadline.UTC()}
		if deadline.IsZero() {
			d.Deadline = time.Time{}
		}
		var err error
		if d.Parked, err = g.park(turn+1, keep); err != nil {
			return 0, nil, err
		}
		return turn + 1, d, nil
	})
}

// park copies what lies in orders/ to where sets that came ahead of their turn
// wait, and puts there what will be in force when an earlier turn is due: until
// the journal says that it is, neither means anything, and is swept away. It
// gives the hashes of what lay in orders/.
func (g *Game) park(due int, keep []OrderFile) (map[string]string, error) {
	for _, f := range keep {
		if _, err := journal.SetFile(f.Name); err != nil {
			return nil, err
		}
	}
	g.swept = sweepState{}
	g.forgetListings()
	files, err := g.ordersIn(ordersDir)
	if err != nil {
		return nil, err
	}
	var parked map[string]string
	put := func(at Stage, base string, f OrderFile) error {
		if err := g.before("park"); err != nil {
			return err
		}
		name := path.Join(laterDir, laterBase(at), base)
		delete(g.texts, name)
		return g.write(record.Change{Doing: "store orders", Put: []record.File{{Name: name, Data: f.Text, Modified: f.Modified}}})
	}
	for _, f := range files {
		if f.TooLarge {
			continue // it cannot be orders; it stays, and is reported
		}
		if parked == nil {
			parked = map[string]string{}
		}
		parked[path.Base(f.File)] = Hash(f.Text)
		if err := put(g.DueStage(), path.Base(f.File), f); err != nil {
			return nil, err
		}
	}
	for _, f := range keep {
		if err := put(Stage{Turn: due}, f.Name+".txt", f); err != nil {
			return nil, err
		}
	}
	return parked, nil
}

// amended is the file beside orders/NAME.txt in which an amended set waits for
// its entry in the journal.
const amended = ".amended"

// Amend replaces the order set of a ship or captain for the turn that is due, for
// the captain and in the referee's name, and notes that. Captain is whose it is.
// Done is as in Revise.
func (g *Game) Amend(act Act, captain engine.CaptainName, name string, text []byte) (done bool, err error) {
	file, err := journal.SetFile(name)
	if err != nil {
		return false, err
	}
	err = g.locked(func() error {
		if known, err := g.Noted(journal.Amend, act.Cause); known || err != nil {
			return err
		}
		due, err := g.Due()
		if err != nil {
			return err
		}
		if t, err := g.Timing(); err != nil {
			return err
		} else if t.Closed != nil {
			return &Error{Path: g.path(ordersDir), Problem: fmt.Sprintf("turn %d is closed, and waits for its dice", due), Way: "change its orders when it was played: rerun", Err: ErrSettings}
		}
		files, err := g.Orders(due)
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
			return errors.Join(err, g.clear("clear a leftover", waiting))
		}
		return g.finishAmend()
	})
	return done && err == nil, err
}

// finishAmend puts an amended set in its place if the journal's last word is that
// it is in force, and removes it if it never came to that.
func (g *Game) finishAmend() error {
	entries, err := g.tree.ReadDir(ordersDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system("read orders", g.path(ordersDir), err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), amended) {
			continue
		}
		g.forgetListings()
		waiting, file := path.Join(ordersDir, e.Name()), e.Name()[1:len(e.Name())-len(amended)]
		info, err := e.Info()
		if err != nil {
			return system("read orders", g.path(waiting), err)
		}
		text, err := g.tree.ReadFile(waiting)
		if err != nil {
			return system("read orders", g.path(waiting), err)
		}
		if !g.amendedTo(file, Hash(text)) {
			if err := g.clear("clear a leftover", waiting); err != nil {
				return err
			}
			continue
		}
		if err := g.before("put"); err != nil {
			return err
		}
		to := path.Join(ordersDir, file)
		delete(g.texts, to)
		c := record.Change{Doing: "store orders", Put: []record.File{{Name: to, Data: text, Modified: info.ModTime()}}, Remove: []string{waiting}}
		for _, other := range entries {
			if name, ok := orderFileName(other); ok && other.Name() != file && strings.EqualFold(name+".txt", file) {
				c.Remove = append(c.Remove, path.Join(ordersDir, other.Name()))
			}
		}
		if err := g.commitTo(nil, c); err != nil {
			return err
		}
		g.kept = nil
	}
	return nil
}

// amendedTo tells whether the last entry of the journal puts that text into that
// file of orders/.
func (g *Game) amendedTo(file, sum string) bool {
	n := len(g.journal.entries)
	if n == 0 || g.journal.entries[n-1].Kind != journal.Amend || g.journal.entries[n-1].Turn != g.turns {
		return false
	}
	d := journal.DataOf[journal.AmendData](g.journal.entries[n-1])
	return d.Name+".txt" == file && d.Set == sum
}
