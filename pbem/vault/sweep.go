package vault

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"starpost/pbem/record"
)

// For each stage a file in orders/ has the hashes of sets that were in force for it and were
// replaced: they identify a quoted older answer in a mail. It is removed when the turn is resolved,
// and does not matter for replays.
const (
	replacedFile = "replaced."
	replacedExt  = ".jsonl"
)

// sweep removes from orders/ the sets of committed turns, and of a turn that is no longer due since
// turns were rolled back. A set belongs to the last turn if it has the hash in the manifest's
// Taken; one that came later stays. Afterwards nothing more can remain of these turns.
func (o *Orders) sweep() error {
	now, parked := o.sweeping()
	if o.swept == now {
		return nil
	}
	o.forgetListings()
	m, err := o.stages.Manifest(o.stages.Newest())
	if err != nil {
		return err
	}
	files, err := o.in(ordersDir)
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
	ahead := o.ahead(o.stages.DueStage())
	for _, old := range []func() ([]string, error){o.oldAhead, func() ([]string, error) { return o.copies(ahead, files) }, o.oldReplaced} {
		names, err := old()
		if err != nil {
			return err
		}
		gone = append(gone, names...)
	}
	if len(gone) > 0 {
		if err := o.game.commitTo(nil, record.Change{Doing: "take the resolved orders out", Remove: gone, Prune: []string{ahead}}); err != nil {
			return err
		}
	}
	o.swept = now
	return nil
}

// sweeping returns the state to sweep for; parked are the hashes of sets that were copied
// elsewhere.
func (o *Orders) sweeping() (now sweepState, parked map[string]string) {
	now = sweepState{turns: o.stages.turns, round: o.stages.rounds.n}
	if l := o.stages.past.setBack; l != nil && l.due == o.stages.turns && o.stages.rounds.n == 0 {
		now.entry, parked = l.entry, l.parked
	}
	return now, parked
}

// unswept filters out the files that a crash left in orders/: the next holder of the lock removes
// them.
func (o *Orders) unswept(files []OrderFile) ([]OrderFile, error) {
	now, parked := o.sweeping()
	if o.swept == now || len(files) == 0 {
		return files, nil
	}
	m, err := o.stages.Manifest(o.stages.Newest())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f OrderFile) bool {
		name, sum := path.Base(f.File), Hash(f.Text)
		return m.Taken[name] == sum || parked[name] == sum
	}), nil
}

// copies returns the copies of sets in orders/ that were made for a rollback that did not happen.
func (o *Orders) copies(dir string, files []OrderFile) (names []string, err error) {
	copies, err := o.in(dir)
	for _, c := range copies {
		if slices.ContainsFunc(files, func(f OrderFile) bool { return f.Name == c.Name && !f.TooLarge && string(f.Text) == string(c.Text) }) {
			names = append(names, c.File)
		}
	}
	return names, err
}

// oldAhead returns the folders with sets sent ahead for committed turns.
func (o *Orders) oldAhead() (names []string, err error) {
	entries, err := o.tree.ReadDir(laterDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, system("read orders", o.tree.path(laterDir), err)
	}
	for _, e := range entries {
		if at, ok := laterStage(e.Name()); ok && at.before(o.stages.DueStage()) {
			names = append(names, path.Join(laterDir, e.Name()))
		}
	}
	return names, nil
}

// oldReplaced returns the notes about replaced sets of resolved turns.
func (o *Orders) oldReplaced() (names []string, err error) {
	found, err := fs.Glob(o.tree, path.Join(ordersDir, replacedFile+"*"+replacedExt))
	for _, name := range found {
		at, ok := laterStage(strings.TrimSuffix(strings.TrimPrefix(path.Base(name), replacedFile), replacedExt))
		if ok && at.before(o.stages.DueStage()) {
			names = append(names, name)
		}
	}
	return names, err
}
