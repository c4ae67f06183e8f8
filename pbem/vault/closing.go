package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"starpost/engine"
	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// Files of a closing in addition to those of the stage.
const (
	closingFile = "closing.json" // part of the future manifest
	broughtFile = "brought.json" // the beacon, once it was brought
)

// ClosedBefore returns how a stage was closed, and whether it has the host's own dice, by the journal up to the entry
// with hash head, "" for all. Without a closing, Times is 0.
func ClosedBefore(g *Game, at Stage, head string) (c Closed, own bool, err error) {
	entries, err := g.Journal.Entries()
	if err != nil {
		return c, false, err
	}
	st := AdminState{Closed: map[Stage]Closed{}, OwnDice: map[Stage]bool{}}
	for i, e := range entries {
		switch e.Kind {
		case journal.Close, journal.OwnDice:
			st.close(e)
		case journal.Rollback:
			st.forget(journal.DataOf[journal.RollbackData](e).Turn)
		case journal.Revise:
			st.revise(journal.DataOf[journal.ReviseData](e))
		case journal.Rules:
			st.changeRules(e)
		}
		if head != "" && i+1 < len(entries) && entries[i+1].Prev == head {
			break
		}
	}
	return st.Closed[at.first()], st.OwnDice[at.first()], nil
}

// Closing is everything that a closed stage is played with.
type Closing struct {
	Closed `json:"-"`
	Turn   int `json:"turn"`
	Round  int `json:"round,omitempty"`
	// Missing, Silent and Taken are as in the manifest of the stage.
	Missing map[engine.Seat]string         `json:"missing,omitempty"`
	Silent  map[int]map[engine.Seat]string `json:"silent,omitempty"`
	Taken   map[string]string              `json:"taken,omitempty"`
	// Files are the order sets, and the files that the stage has from earlier rounds.
	Files []File `json:"-"`
	// Beacon is the beacon as brought; nil before.
	Beacon []byte `json:"-"`
}

// CloseOrders closes the orders of the due stage: it stores everything that the stage is played with, and adds an entry
// to the journal, which is the commit. A stage that is closed already gives ErrCommitted.
func CloseOrders(g *Game, c Closing) error {
	return g.locked(func() error {
		st, err := g.AdminState()
		if err != nil {
			return err
		}
		due := g.DueStage()
		c.Turn, c.Round = due.Turn, due.Round
		if _, closed := st.Closed[due.first()]; closed {
			return &Error{Path: g.tree.path(ClosingDir), Problem: fmt.Sprintf("the orders of %s are closed", due), Way: "wait for its beacon; then it is played", Err: ErrCommitted}
		}
		if err := writeClosing(g, c); err != nil {
			return err
		}
		e := journal.NewEntry(journal.Close, c.By, c.At, c.CloseData)
		e.Turn = due.Turn
		_, err = g.Append(e)
		return err
	})
}

// writeClosing replaces the directory.
func writeClosing(g *Game, c Closing) error {
	if err := g.before("close"); err != nil {
		return err
	}
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return fmt.Errorf("close the orders of %s: %w", g.ID(), err)
	}
	var files []record.File
	for _, f := range append(c.Files, File{Name: closingFile, Data: append(text, '\n')}) {
		if !fs.ValidPath(f.Name) {
			return fmt.Errorf("close the orders of %s: %q cannot be a file name", g.ID(), f.Name)
		}
		files = append(files, record.File{Name: path.Join(ClosingDir, f.Name), Data: f.Data})
	}
	return g.write(record.Change{Doing: "close the orders", Dir: ClosingDir, Replace: true, Put: files})
}

// ClosingOf reads what the due stage is played with; nil while its orders are open.
func ClosingOf(g *Game) (*Closing, error) {
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	due := g.DueStage()
	closed, ok := st.Closed[due.first()]
	if !ok {
		return nil, nil
	}
	c := &Closing{Closed: closed}
	damaged := func(problem string) error {
		return &Error{Path: g.tree.path(ClosingDir), Problem: problem, Way: "restore it from a backup, or undo the closing: " + g.CommandLine("referee", "rollback", g.Turn()), Err: ErrDamaged}
	}
	err = fs.WalkDir(g.tree, ClosingDir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(file, ClosingDir+"/")
		if !e.Type().IsRegular() || info.Size() > maxClosed {
			return damaged(name + " is not part of a closing")
		}
		data, err := g.tree.ReadFile(file)
		switch {
		case err != nil:
			return err
		case name == closingFile:
			return json.Unmarshal(bytes.TrimSpace(data), c)
		case name == broughtFile:
			c.Beacon = data
		case strings.HasPrefix(path.Base(name), "."): // an unfinished write
		default:
			c.Files = append(c.Files, File{Name: name, Data: data})
		}
		return nil
	})
	switch told, isOurs := errors.AsType[*Error](err); {
	case isOurs:
		return nil, told
	case errors.Is(err, fs.ErrNotExist):
		return nil, damaged("the directory is missing")
	case err != nil:
		return nil, damaged(err.Error())
	case c.Turn != due.Turn || c.Round != due.Round:
		return nil, damaged(fmt.Sprintf("it is of %s, and %s is due", Stage{Turn: c.Turn, Round: c.Round}, due))
	}
	return c, nil
}

// maxClosed limits a file of a closing.
const maxClosed = MaxOrders

// PutBeacon stores the verified beacon of the due stage, whose orders are closed.
func PutBeacon(g *Game, data []byte) error {
	return g.locked(func() error {
		return g.write(record.Change{Doing: "keep the beacon", Put: []record.File{{Name: path.Join(ClosingDir, broughtFile), Data: data}}})
	})
}
