// Package move copies a game from one kind of record to another, for example from a directory into a database,
// byte for byte. It also checks games out of a database, which keeps them for their return.
//
// The game counts where its game.toml is. At the new place that file has another name until everything was copied,
// read back and replayed; then the old place gives up its own, and leaves a note where the game went; then the new
// one gets it. If the process is killed, one side counts, or neither until the same move is made again, which
// completes it; never both.
package move

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/memory"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// The file that makes a record a game, and its temporary name.
const (
	settings = "game.toml"
	waiting  = "game.toml.moved"
)

// Result is the size of a moved game.
type Result struct {
	Files int
	Bytes int64
}

// Game moves a game. The caller removes what remains at from: nothing there counts any more.
func Game(from, to record.Tree, rules vault.Catalogue, progress func(turn int)) (done Result, err error) {
	word, err := from.ReadFile(vault.MovedFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	if err == nil && string(word) != wordOf(to) {
		return done, &fault.Fault{
			Path: from.Place(""), Problem: strings.TrimSpace(string(word)), Way: "move it from there", Err: vault.ErrNotAGame,
		}
	}
	if _, serr := from.Stat(settings); err == nil && errors.Is(serr, fs.ErrNotExist) { // only the last step is missing
		return arrive(to)
	}
	if _, err := vault.Open(from, rules); err != nil {
		return done, err
	}
	if to.Place("") == from.Place("") {
		return done, fault.New("name another place with --to", "the game is already at %s", to.Place(""))
	}
	fence, err := from.Lock()
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, from.Unlock(fence, false)) }()
	files, err := all(from)
	if err != nil {
		return done, err
	}
	sent := renamed(files, settings, waiting)
	if err := send(to, sent); err != nil {
		return done, err
	}
	if err := verify(to, sent, rules, progress); err != nil {
		return done, err
	}
	if err := leave(from, fence, files, to); err != nil {
		return done, err
	}
	return arrive(to)
}

// leave makes the game no longer count at its old place.
func leave(from record.Tree, fence record.Fence, files []record.File, to record.Tree) error {
	i := slices.IndexFunc(files, func(f record.File) bool { return f.Name == settings })
	return from.Commit(fence, nil, record.Change{Doing: "record the move", Remove: []string{settings}, Put: []record.File{
		{Name: vault.MovedFile, Data: []byte(wordOf(to))}, {Name: waiting, Data: files[i].Data, Modified: files[i].Modified},
	}})
}

// wordOf says where a game went.
func wordOf(to record.Tree) string { return "the game was moved to " + to.Place("") + "\n" }

// all returns the files of a game, with their times, without those with a leading dot and those of an earlier move. The
// last one is the file that makes it a game.
func all(from record.Tree) (files []record.File, err error) {
	files, err = record.Files(from, func(name string) bool {
		return name == vault.MovedFile || name == vault.CheckedOutFile || name == waiting && has(from, settings)
	})
	last := func(f record.File) int {
		if f.Name == settings || f.Name == waiting {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(files, func(a, b record.File) int { return last(a) - last(b) })
	return files, err
}

func has(tree record.Tree, name string) bool {
	_, err := tree.Stat(name)
	return err == nil
}

func renamed(files []record.File, from, to string) []record.File {
	files = slices.Clone(files)
	for i := range files {
		if files[i].Name == from {
			files[i].Name = to
		}
	}
	return files
}

// send writes the files to the new place. It replaces leftovers of an interrupted move, but not a game.
func send(to record.Tree, files []record.File) (err error) {
	err = to.Create(files)
	if !errors.Is(err, record.ErrExists) || has(to, settings) || !has(to, waiting) || has(to, vault.MovedFile) {
		return err
	}
	fence, err := to.Lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Unlock(fence, false)) }()
	left, err := all(to)
	if err != nil {
		return err
	}
	var gone []string
	for _, f := range left {
		if !slices.ContainsFunc(files, func(g record.File) bool { return g.Name == f.Name }) {
			gone = append(gone, f.Name)
		}
	}
	return to.Commit(fence, nil, record.Change{Doing: "move a game", Put: files, Remove: gone})
}

// verify reads the new place, compares it byte for byte, and replays the game from what it read.
func verify(to record.Tree, sent []record.File, rules vault.Catalogue, progress func(int)) error {
	got, err := all(to)
	if err != nil {
		return err
	}
	if !slices.EqualFunc(got, sent, same) {
		return fault.New("check disk and database, and try again; the game stays where it was", "%s does not contain what was written there", to.Place(""))
	}
	return replay(to.Place(""), renamed(got, waiting, settings), rules, progress)
}

func same(a, b record.File) bool { return a.Name == b.Name && bytes.Equal(a.Data, b.Data) }

// replay replays a game from its files.
func replay(name string, files []record.File, rules vault.Catalogue, progress func(int)) error {
	copied := memory.New(name, time.Now)
	if err := copied.Create(files); err != nil {
		return err
	}
	g, err := vault.Open(copied, rules)
	if err != nil {
		return err
	}
	found, err := proof.Verify(g, progress)
	if err == nil && len(found) > 0 {
		err = fault.New("run starpost verify; the game stays where it was", "the game does not replay as recorded: %s", found[0])
	}
	return err
}

// arrive makes the game count at the new place.
func arrive(to record.Tree) (done Result, err error) {
	fence, err := to.Lock()
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, to.Unlock(fence, true)) }()
	if !has(to, settings) {
		data, err := to.ReadFile(waiting)
		if err != nil {
			return done, err
		}
		info, err := to.Stat(waiting)
		if err != nil {
			return done, err
		}
		if err := to.Commit(fence, nil, record.Change{
			Doing: "move a game", Put: []record.File{{Name: settings, Data: data, Modified: info.ModTime()}}, Remove: []string{waiting},
		}); err != nil {
			return done, err
		}
	}
	files, err := all(to)
	return count(files), err
}

func count(files []record.File) (done Result) {
	for _, f := range files {
		done.Files++
		done.Bytes += int64(len(f.Data))
	}
	return done
}
