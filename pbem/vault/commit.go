package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"

	"starpost/engine"
)

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

// commit makes the folder of a turn's revision. One of that name is a leftover, which no
// entry of the journal names.
func (g *Game) commit(m Manifest, fill FileWriter) (Manifest, error) {
	m = m.plain()
	if err := g.before("build"); err != nil {
		return m, err
	}
	dir := g.StageName(m.Stage())
	m, files, err := drawUp(dir, g.settings.ID, m, fill)
	if err != nil {
		return m, err
	}
	return m, g.write(record.Change{Doing: "commit the turn", Dir: dir, Replace: m.Revision > 1 || m.Round > 0, Put: files})
}

// clean does what a crash may have left undone: it removes the order sets of the last committed turn.
func (g *Game) clean() error {
	if err := g.before("clean"); err != nil {
		return err
	}
	if err := g.finishAmend(); err != nil {
		return err
	}
	if err := sweepClosing(g); err != nil {
		return err
	}
	return g.sweepOrders()
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
	files, err := g.ordersIn(ordersDir)
	if err != nil {
		return err
	}
	var gone []string
	files = slices.DeleteFunc(files, func(f OrderFile) bool {
		name, sum := path.Base(f.File), Hash(f.Text)
		done := m.Taken[name] == sum || parked[name] == sum
		if done {
			gone = append(gone, f.File)
		}
		return done
	})
	ahead := g.ahead(g.DueStage())
	for _, old := range []func() ([]string, error){g.oldAhead, func() ([]string, error) { return g.copies(ahead, files) }, g.oldReplaced} {
		names, err := old()
		if err != nil {
			return err
		}
		gone = append(gone, names...)
	}
	if len(gone) > 0 {
		if err := g.commitTo(nil, record.Change{Doing: "take the resolved orders out", Remove: gone, Prune: []string{ahead}}); err != nil {
			return err
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
		name, sum := path.Base(f.File), Hash(f.Text)
		return m.Taken[name] == sum || parked[name] == sum
	}), nil
}

// copies are what was copied out of orders/ for turns that were to be
// taken back, and then were not.
func (g *Game) copies(dir string, files []OrderFile) (names []string, err error) {
	copies, err := g.ordersIn(dir)
	for _, c := range copies {
		if slices.ContainsFunc(files, func(f OrderFile) bool { return f.Name == c.Name && !f.TooLarge && string(f.Text) == string(c.Text) }) {
			names = append(names, c.File)
		}
	}
	return names, err
}

// oldAhead is what was sent ahead for turns that are committed.
func (g *Game) oldAhead() (names []string, err error) {
	entries, err := g.tree.ReadDir(laterDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, system("read orders", g.path(laterDir), err)
	}
	for _, e := range entries {
		if at, ok := laterStage(e.Name()); ok && at.before(g.DueStage()) {
			names = append(names, path.Join(laterDir, e.Name()))
		}
	}
	return names, nil
}

// Steps are the points at which writing a game may be cut short by a crash, those of its record included;
// each stands before the step it is named for. They are there for tests that do just that.
var Steps = append([]string{
	"build", // a turn's files are made
	"close", // the folder of a closing is written
	"clean", // after a commit, and whenever the lock is taken
	"park",  // an order set is copied aside, for turns are taken back
	"put",   // an amended order set is written beside its place, or put there
}, record.Steps...)

// OnStep has ask called before each of Steps. Its error stops there and leaves
// all as it is, as a crash would.
func (g *Game) OnStep(ask func(step string) error) {
	g.stopBy(func(step string) error {
		if err := ask(step); err != nil {
			return fmt.Errorf("%w: %w", record.ErrStopped, err)
		}
		return nil
	})
}

func (g *Game) stopBy(step func(string) error) {
	g.step = step
	if t, ok := g.tree.(interface {
		OnStep(ask func(step string) error)
	}); ok {
		t.OnStep(g.step)
	}
}

func (g *Game) before(name string) error {
	if g.step == nil {
		return nil
	}
	return g.step(name)
}
