package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Of each stage a file in orders/ tells of the sets that were in force for it and
// are no more, by hash: what a mail only quotes of an older answer can be known by
// that. It goes when its turn is resolved, and matters for no replay.
const (
	replacedFile = "replaced."
	replacedExt  = ".jsonl"
)

func (g *Game) replacedPath(at Stage) string {
	if due := g.DueStage(); at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	return g.path("orders", replacedFile+laterDir(at)+replacedExt)
}

// replaced is a line of such a file.
type replaced struct {
	Set      string    `json:"set"`      // "Hood", "@Kirk"
	SHA256   string    `json:"sha256"`   // of the whole file
	Received time.Time `json:"received"` // its time
}

// notingReplaced does what replaces the set of a name by text, or drops it when
// that is nil, and notes the set first: the line is there before the set is gone,
// and goes again if it is not.
func (g *Game) notingReplaced(at Stage, name string, text []byte, replace func() error) error {
	files, err := g.StageOrders(at)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 || files[i].TooLarge || text != nil && bytes.Equal(files[i].Text, text) {
		return replace()
	}
	path := g.replacedPath(at)
	line, err := json.Marshal(replaced{files[i].Name, Hash(files[i].Text), files[i].Modified.UTC()})
	if err != nil {
		return system("store orders", path, err)
	}
	// A loss of power may have left half a line, which must not spoil this one.
	note := []byte("\n" + string(line) + "\n")
	size, err := g.addNote(path, note)
	if err != nil {
		return system("store orders", path, errors.Join(err, cutNote(path, size, len(note))))
	}
	if err := replace(); err != nil {
		return errors.Join(err, cutNote(path, size, len(note)))
	}
	if g.unsettled != nil {
		g.unsettled.FileWritten(path)
	}
	return nil
}

// addNote adds to the end of a file and tells how long it was, -1 if nothing can
// be known of it.
func (g *Game) addNote(path string, data []byte) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return -1, err
	}
	if size, err = f.Seek(0, io.SeekEnd); err == nil {
		_, err = f.Write(data)
	}
	if err == nil && g.unsettled == nil {
		err = f.Sync()
	}
	return size, errors.Join(err, f.Close())
}

// cutNote makes a file as long as it was before a note was added, unless something stands behind that
// by now; one of no length is removed.
func cutNote(path string, size int64, note int) error {
	if size < 0 {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() > size+int64(note) {
		return nil
	}
	err := os.Truncate(path, size)
	if size == 0 {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// HadOrders tells whether an order set of exactly that text, received at another
// time than but, was in force for a stage that is due or to come, or is.
func (g *Game) HadOrders(at Stage, name, text string, but time.Time) (bool, error) {
	files, err := g.StageOrders(at)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if !f.TooLarge && strings.EqualFold(f.Name, name) && string(f.Text) == text && !f.Modified.Equal(but) {
			return true, nil
		}
	}
	path := g.replacedPath(at)
	notes, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, system("read orders", path, err)
	}
	sum := Hash([]byte(text))
	for line := range bytes.Lines(notes) {
		var r replaced
		if err := json.Unmarshal(line, &r); err != nil {
			continue // half of one, or none
		}
		if r.SHA256 == sum && strings.EqualFold(r.Set, name) && !r.Received.Equal(but) {
			return true, nil
		}
	}
	return false, nil
}

// HadAny tells whether it is worth asking HadOrders: a set of that name lies there,
// or some set of the stage was replaced or dropped.
func (g *Game) HadAny(at Stage, name string) (bool, error) {
	files, err := g.StageOrders(at)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) }) {
		return true, nil
	}
	path := g.replacedPath(at)
	_, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, system("read orders", path, err)
	}
	return true, nil
}

// forgetReplaced removes the notes about sets of turns that are resolved.
func (g *Game) forgetReplaced() error {
	found, err := filepath.Glob(filepath.Join(escapeGlob(g.path("orders")), replacedFile+"*"+replacedExt))
	if err != nil {
		return fmt.Errorf("look for notes of orders in %s: %w", g.dir, err)
	}
	for _, path := range found {
		at, ok := laterStage(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), replacedFile), replacedExt))
		if !ok || !at.before(g.DueStage()) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system("take the resolved orders out", path, err)
		}
	}
	return nil
}
