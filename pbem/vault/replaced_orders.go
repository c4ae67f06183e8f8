package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"starpost/pbem/record"
)

func (o *Orders) replacedName(at Stage) string {
	if due := o.stages.DueStage(); at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	return path.Join(ordersDir, replacedFile+laterBase(at)+replacedExt)
}

// replaced is a line of a replaced.*.jsonl file.
type replaced struct {
	Set      string    `json:"set"`      // "Hood", "@Kirk"
	SHA256   string    `json:"sha256"`   // of the whole file
	Received time.Time `json:"received"` // modification time of the file
}

// noteReplaced returns the note that the set of a name is replaced by text, or dropped if text is nil; none if nothing
// changes. The note is written with the change, and vanishes if the change does not happen.
func (o *Orders) noteReplaced(at Stage, name string, text []byte) ([]record.File, error) {
	files, err := o.For(at)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 || files[i].TooLarge || text != nil && bytes.Equal(files[i].Text, text) {
		return nil, nil
	}
	file := o.replacedName(at)
	line, err := json.Marshal(replaced{files[i].Name, Hash(files[i].Text), files[i].Modified.UTC()})
	if err != nil {
		return nil, system("store orders", o.tree.path(file), err)
	}
	// After a power failure there may be half a line, which must not spoil this one.
	return []record.File{{Name: file, Data: []byte("\n" + string(line) + "\n")}}, nil
}

// Had reports whether an order set of exactly that text, received at another time than but, is or was in
// force for a due or later stage.
func (o *Orders) Had(at Stage, name, text string, but time.Time) (bool, error) {
	files, err := o.For(at)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if !f.TooLarge && strings.EqualFold(f.Name, name) && string(f.Text) == text && !f.Modified.Equal(but) {
			return true, nil
		}
	}
	file := o.replacedName(at)
	notes, err := o.tree.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, system("read orders", o.tree.path(file), err)
	}
	sum := Hash([]byte(text))
	for line := range bytes.Lines(notes) {
		var r replaced
		if err := json.Unmarshal(line, &r); err != nil {
			continue // an incomplete line
		}
		if r.SHA256 == sum && strings.EqualFold(r.Set, name) && !r.Received.Equal(but) {
			return true, nil
		}
	}
	return false, nil
}

// HadAny reports whether Had needs to be called: a set of that name exists, or some set of the stage was
// replaced or dropped.
func (o *Orders) HadAny(at Stage, name string) (bool, error) {
	files, err := o.For(at)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) }) {
		return true, nil
	}
	file := o.replacedName(at)
	_, err = o.tree.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, system("read orders", o.tree.path(file), err)
	}
	return true, nil
}
