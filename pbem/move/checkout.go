package move

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/vault"
)

// A Keeper is a record with a lock that can be kept after the process ends, as in a database.
type Keeper interface {
	record.Tree
	Keep(f record.Fence, holder string) error
	Kept() (f record.Fence, holder string, err error) // holder "": it is not kept
}

// Checkout is the content of CHECKED_OUT in a directory with a game that was checked out: where it belongs.
type Checkout struct {
	Note   string       `json:"note"`  // for people
	Store  string       `json:"store"` // URL of the database, without a password
	Game   string       `json:"game"`
	Fence  record.Fence `json:"fence"`           // of the lock that the database keeps until the return
	Paused time.Time    `json:"paused,omitzero"` // when the checkout paused the game; the return resumes it
	Since  time.Time    `json:"since"`
}

// ReadCheckout reads where the game in a directory belongs; fs.ErrNotExist if it was not checked out.
func ReadCheckout(tree record.Reader) (c Checkout, err error) {
	data, err := tree.ReadFile(vault.CheckedOutFile)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil || c.Store == "" || c.Game == "" || c.Fence == 0 {
		return c, &fault.Fault{
			Path: tree.Place(vault.CheckedOutFile), Problem: "the file does not say where the game belongs",
			Way: "check the game out again", Err: errors.Join(err, vault.ErrDamaged),
		}
	}
	return c, nil
}

// Holder says where a game is checked out to, as the holder of the lock that the database keeps.
func Holder(dir, host string, since time.Time) string {
	return fmt.Sprintf("to %s on %s, since %s", dir, host, since.Format(time.DateTime+" UTC"))
}

// Elsewhere names the other place of a game that was checked out: the copy, or the database that it came from.
type Elsewhere struct {
	Where  string   // for people; "" if it was not checked out
	Locked bool     // this record is the one in the database, locked until the copy returns
	Ways   []string // commands that end the checkout
}

// Find returns where else the game of a record is: for a database, where it was checked out to; for a directory, which
// database it came from.
func Find(game record.Reader) (e Elsewhere, err error) {
	in, ok := game.(interface {
		Kept() (f record.Fence, holder string, err error)
	})
	if !ok {
		c, err := ReadCheckout(game)
		if errors.Is(err, fs.ErrNotExist) {
			return e, nil
		}
		return Elsewhere{Where: "of " + c.Store + " as " + c.Game, Ways: []string{"to bring it back: " + record.CommandLine(game, "checkin")}}, err
	}
	_, holder, err := in.Kept()
	if err != nil || holder == "" {
		return e, err
	}
	dir := "DIR"
	if i := strings.LastIndex(holder, " on "); i >= 0 { // see Holder
		dir = record.Quote(strings.TrimPrefix(holder[:i], "to "))
	}
	return Elsewhere{holder, true, []string{
		"to bring it back, there: starpost checkin " + dir,
		"to abandon that copy: " + record.CommandLine(game, "checkout", "--cancel"),
	}}, nil
}

func (c Checkout) file() (record.File, error) {
	c.Note = "This game belongs in a database, where it is locked until this copy is back: starpost checkin"
	data, err := json.MarshalIndent(c, "", "  ")
	return record.File{Name: vault.CheckedOutFile, Data: append(data, '\n')}, err
}

// Out copies a game to a new directory and keeps it locked until its return by [In]; holder tells others where it
// is. If it is interrupted, the copy does not count as a game before the lock is kept; calling it again completes it.
func Out(from Keeper, to record.Tree, c Checkout, holder string, rules vault.Catalogue, progress func(turn int)) (done Result, err error) {
	fence, err := from.Lock()
	if errors.Is(err, record.ErrLocked) {
		if whole, rerr := isCopy(from, to); rerr != nil {
			return done, rerr
		} else if whole {
			return arrive(to)
		}
	}
	if err != nil {
		return done, err
	}
	if err := out(from, fence, to, c, holder, rules, progress); err != nil {
		return done, errors.Join(err, from.Unlock(fence, false))
	}
	return arrive(to)
}

// out makes the copy, under a name that does not count as a game yet, and keeps the lock.
func out(from Keeper, fence record.Fence, to record.Tree, c Checkout, holder string, rules vault.Catalogue, progress func(int)) error {
	files, err := all(from)
	if err != nil {
		return err
	}
	c.Fence = fence
	note, err := c.file()
	if err != nil {
		return err
	}
	sent := renamed(files, settings, waiting)
	if err := send(to, slices.Insert(slices.Clone(sent), 0, note)); err != nil {
		return err
	}
	if err := verify(to, sent, rules, progress); err != nil {
		return err
	}
	return from.Keep(fence, holder)
}

// CutShort reports whether a directory has only the leftovers of a checkout that was interrupted before its lock was
// kept.
func CutShort(to record.Tree) bool {
	return has(to, vault.CheckedOutFile) && has(to, waiting) && !has(to, settings) && !has(to, vault.MovedFile)
}

// isCopy reports whether the database keeps its lock for this copy.
func isCopy(from Keeper, to record.Tree) (bool, error) {
	c, err := ReadCheckout(to)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || has(to, vault.MovedFile) {
		return false, err
	}
	fence, holder, err := from.Kept()
	return err == nil && holder != "" && fence == c.Fence, err
}

// In returns a game from the directory that it was checked out to. The database changes completely or not at all.
// If it is interrupted, the game counts nowhere until calling it again completes it. ErrFenced means that the
// checkout is over: it was cancelled, or the game has been returned and has continued.
func In(from record.Tree, to Keeper, c Checkout, rules vault.Catalogue, progress func(turn int)) (done Result, err error) {
	fence, err := from.Lock()
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, from.Unlock(fence, false)) }()
	files, err := all(from)
	if err != nil {
		return done, err
	}
	last, holder, err := to.Kept()
	held, left := holder != "", !has(from, settings)
	switch {
	case err != nil:
		return done, err
	case last == c.Fence && !held && left: // everything was done, but the answer was lost
		return count(files), nil
	case last != c.Fence || !held:
		return done, &fault.Fault{
			Path: from.Place(""), Problem: "the checkout is over: it was cancelled, or the game is back in the database already and has gone on; nothing was changed",
			Way: "see how the game stands there: " + record.CommandLine(to, "status"), Err: record.ErrFenced,
		}
	}
	files = renamed(files, waiting, settings)
	if err := replay(from.Place(""), files, rules, progress); err != nil {
		return done, err
	}
	if !left {
		if err := leave(from, fence, files, to); err != nil {
			return done, err
		}
	}
	if err := replace(to, c.Fence, files); err != nil {
		return done, err
	}
	return count(files), to.Unlock(c.Fence, true)
}

// replace makes a record contain exactly these files.
func replace(to record.Tree, fence record.Fence, files []record.File) error {
	there, err := all(to)
	if err != nil {
		return err
	}
	change := record.Change{Doing: "check a game in"}
	for _, f := range files {
		if !slices.ContainsFunc(there, func(g record.File) bool { return same(f, g) }) {
			change.Put = append(change.Put, f)
		}
	}
	for _, f := range there {
		if !slices.ContainsFunc(files, func(g record.File) bool { return g.Name == f.Name }) {
			change.Remove = append(change.Remove, f.Name)
		}
	}
	if len(change.Put)+len(change.Remove) == 0 {
		return nil
	}
	if err := to.Commit(fence, nil, change); err != nil {
		return err
	}
	got, err := all(to)
	if err == nil && !slices.EqualFunc(got, files, same) {
		err = fault.New("see whether the database is sound, and check it in once more", "%s does not hold what was written there", to.Place(""))
	}
	return err
}
