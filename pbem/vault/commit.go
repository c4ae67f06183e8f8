package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"starpost/pbem/disk"
	"starpost/pbem/vault/journal"

	"starpost/engine"
	"starpost/pbem/pattern"
)

// building is the directory below turns in which a turn is built.
const building = ".new"

// Commit makes a turn, or a round of it, part of the game: its files and their
// manifest are written aside, synced and renamed into place. Format, Game, Previous,
// Revision, Rounds, Journal, Base and Files of the manifest are filled in here. After
// that the order sets of the stage, which must be among the files, are taken out of
// orders/. On an error before the rename, that of the FileWriter included, nothing is
// changed. Turn m.Turn must be the next one, and round m.Round, where it is not 0, the
// next round; an earlier one is ErrCommitted. State, if not nil, is what state.json
// holds.
func (g *Game) Commit(m Manifest, fill FileWriter, state *engine.Game) error {
	return g.locked(func() error {
		at, due := Stage{Turn: m.Turn, Round: m.Round}, g.DueStage()
		if m.Round == 0 { // all rounds that are still to come are in it
			due.Round = 0
		}
		switch {
		case at.before(due):
			return &Error{
				Path: g.StageDir(at), Problem: fmt.Sprintf("%s is already committed", at),
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
		case m.Round > 0: // no turn of the game yet
		case m.Revision > 1:
			if err := g.countAgain(m); err != nil {
				return err
			}
		default:
			g.turns++
			g.first = append(g.first, m.Turn)
		}
		if err := g.readRounds(); err != nil {
			return err
		}
		g.keepManifest(m)
		if state != nil {
			g.keep(m.Stage(), state)
		}
		return g.clean()
	})
}

// Linked fills in what the manifest of the turn or round that is due says of what
// it is made after, as a commit would now.
func (g *Game) Linked(m Manifest) (Manifest, error) {
	before := Stage{Turn: m.Turn - 1}
	if m.Round > 0 {
		before = g.Newest()
	}
	var err error
	if m.Previous, err = g.manifestHash(before); err != nil {
		return m, err
	}
	if m.Journal, err = g.JournalHead(); err != nil {
		return m, err
	}
	if m.Round == 0 {
		if m.Rounds, err = g.roundSums(); err != nil {
			return m, err
		}
	}
	m.Revision = g.revision(m.Turn)
	return m.plain(), nil
}

// plain is the manifest as it is written, which says nothing of a first revision.
func (m Manifest) plain() Manifest {
	if m.Revision == 1 {
		m.Revision = 0
	}
	return m
}

// countAgain notes that a turn which had been set aside was played again: without
// that the journal would still say that it is none.
func (g *Game) countAgain(m Manifest) error {
	sum, err := g.manifestHash(m.Stage())
	if err != nil {
		return err
	}
	e := journal.NewEntry(journal.Revise, "starpost", m.Resolved, journal.ReviseData{Made: journal.Made{Turn: m.Turn, Revision: m.Revision, Manifest: sum}, Played: true})
	e.Turn = m.Turn + 1
	_, err = g.change(e)
	return err
}

// commit builds the directory of a turn's revision and renames it into place. A
// directory of that name is a leftover, which no entry of the journal names.
func (g *Game) commit(m Manifest, fill FileWriter) (Manifest, error) {
	m = m.plain()
	tmp, path := g.path("turns", building), g.StageDir(m.Stage())
	m, err := g.build(tmp, m, fill)
	if err == nil {
		err = g.before("rename")
	}
	if err == nil {
		err = g.stillOurs()
	}
	if errors.Is(err, errSimulatedCrash) {
		return m, err
	}
	if err == nil && (m.Revision > 1 || m.Round > 0) {
		if err = os.RemoveAll(path); err != nil {
			err = system("clear a leftover", path, err)
		}
	}
	if err == nil {
		if err = os.Rename(tmp, path); err != nil {
			err = system("commit the turn", path, err)
		}
	}
	if err != nil {
		if rerr := os.RemoveAll(tmp); rerr != nil {
			return m, fmt.Errorf("%w (and %s could not be removed: %w)", err, tmp, rerr)
		}
		return m, err
	}
	if err := g.before("sync turns"); err != nil {
		return m, err
	}
	if err := disk.SyncDir(g.path("turns")); err != nil {
		return m, system("commit the turn", g.path("turns"), err)
	}
	return m, nil
}

// build writes and syncs a turn's directory.
func (g *Game) build(tmp string, m Manifest, fill FileWriter) (Manifest, error) {
	if err := g.before("build"); err != nil {
		return m, err
	}
	if err := os.RemoveAll(tmp); err != nil {
		return m, system("clear a leftover", tmp, err)
	}
	return writeTurn(tmp, g.settings.ID, m, fill, g.before)
}

// clean does what a crash may have left undone: it removes a turn that was
// being built, and the order sets of the last committed turn.
func (g *Game) clean() error {
	if err := g.before("clean"); err != nil {
		return err
	}
	tmp := g.path("turns", building)
	if err := os.RemoveAll(tmp); err != nil {
		return system("clear a leftover", tmp, err)
	}
	if !g.tidied { // nothing tears while we live
		if err := g.sweepPartialSets(); err != nil {
			return err
		}
		g.tidied = true
	}
	if err := g.finishAmend(); err != nil {
		return err
	}
	if err := sweepClosing(g); err != nil {
		return err
	}
	return g.sweepOrders()
}

// partialSet is the name of a file that was being written beside an order set.
var partialSet = pattern.New(`^\..+\.txt\.?[0-9]+$`)

// sweepPartialSets removes order sets that were being written.
func (g *Game) sweepPartialSets() error {
	orders := escapeGlob(g.path("orders"))
	for _, dir := range []string{orders, filepath.Join(orders, "later", "*")} {
		found, err := filepath.Glob(filepath.Join(dir, ".*"))
		if err != nil {
			return fmt.Errorf("look for leftovers in %s: %w", g.dir, err)
		}
		for _, path := range found {
			if !partialSet().MatchString(filepath.Base(path)) {
				continue
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return system("clear a leftover", path, err)
			}
		}
	}
	return nil
}

// sweepState is after what orders/ was rid of what is no longer wanted there.
type sweepState struct {
	turns int // that there were
	round int // of the turn in progress
	entry int // after which an earlier turn was due than before; 0 for none
}

// sweepOrders removes from orders/ what belongs to turns that are committed, or to
// one that is not due any more since turns were taken back. A set in force belongs
// to the last turn if it is, byte for byte, what the turn took, as the manifest
// tells; one that came in since stays. Once that is done nothing more can be left
// of the same turns.
func (g *Game) sweepOrders() error {
	now, parked := g.sweeping()
	if g.swept == now {
		return nil
	}
	g.forgetListings()
	m, err := g.StageManifest(g.Newest())
	if err != nil {
		return err
	}
	files, err := readOrders(g.path("orders"))
	if err != nil {
		return err
	}
	done := false
	for _, f := range files {
		name, sum := filepath.Base(f.Path), Hash(f.Text)
		if m.Taken[name] != sum && parked[name] != sum {
			continue
		}
		if err := g.before("sweep"); err != nil {
			return err
		}
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system("take the resolved orders out", f.Path, err)
		}
		done = true
	}
	if err := g.sweepLater(); err != nil {
		return err
	}
	if err := g.sweepCopies(); err != nil {
		return err
	}
	if err := g.forgetReplaced(); err != nil {
		return err
	}
	if done {
		if err := disk.SyncDir(g.path("orders")); err != nil {
			return system("take the resolved orders out", g.path("orders"), err)
		}
	}
	g.swept = now
	return nil
}

// sweeping is what has to go from orders/ now; parked are the hashes of sets that
// wait elsewhere.
func (g *Game) sweeping() (now sweepState, parked map[string]string) {
	now = sweepState{turns: g.turns, round: g.rounds.n}
	if l := g.past.setBack; l != nil && l.due == g.turns && g.rounds.n == 0 {
		now.entry, parked = l.entry, l.parked
	}
	return now, parked
}

// unswept leaves out of the files of orders/ those that a crash left there: who
// takes the lock next removes them.
func (g *Game) unswept(files []OrderFile) ([]OrderFile, error) {
	now, parked := g.sweeping()
	if g.swept == now || len(files) == 0 {
		return files, nil
	}
	m, err := g.StageManifest(g.Newest())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f OrderFile) bool {
		name, sum := filepath.Base(f.Path), Hash(f.Text)
		return m.Taken[name] == sum || parked[name] == sum
	}), nil
}

// sweepCopies removes what was copied out of orders/ for turns that were to be
// taken back, and then were not.
func (g *Game) sweepCopies() error {
	dir := g.path("orders", "later", laterDir(g.DueStage()))
	copies, err := readOrders(dir)
	if err != nil || len(copies) == 0 {
		return err
	}
	files, err := readOrders(g.path("orders"))
	if err != nil {
		return err
	}
	for _, c := range copies {
		if !slices.ContainsFunc(files, func(f OrderFile) bool { return f.Name == c.Name && !f.TooLarge && string(f.Text) == string(c.Text) }) {
			continue
		}
		if err := os.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system("clear a leftover", c.Path, err)
		}
		if err := os.Remove(dir); err != nil && !errors.Is(err, syscall.ENOTEMPTY) && !errors.Is(err, syscall.EEXIST) {
			return system("clear a leftover", dir, err)
		}
	}
	return nil
}

// sweepLater removes what was sent ahead for turns that are committed.
func (g *Game) sweepLater() error {
	dir := g.path("orders", "later")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return system("read orders", dir, err)
	}
	for _, e := range entries {
		at, ok := laterStage(e.Name())
		if !ok || !at.before(g.DueStage()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return system("take the resolved orders out", filepath.Join(dir, e.Name()), err)
		}
	}
	return nil
}
