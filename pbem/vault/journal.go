package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// Bounds of the journal: of a line, and of the whole file.
const (
	maxEntry   = 256 << 10
	maxJournal = 64 << 20
)

// noPrev is the Prev of the first entry.
var noPrev = strings.Repeat("0", 64)

// journalRead is the journal as it was last read.
type journalRead struct {
	entries []journal.Entry
	seen    map[string]bool // kind and cause of the entries that have a cause
	causes  map[string]bool // causes up to the "#"
	size    int64           // of the file, a torn end included
	changed time.Time       // of the file; zero when it must be read again
	good    int64           // bytes in whole lines
	last    int64           // where the last whole line begins
	head    string          // SHA-256 of the last whole line
}

// Journal lists the administrative facts of the game in the order in which they
// were noted. A last line that a crash tore is left out; any other damage is an
// *Error with the line.
func (g *Game) Journal() ([]journal.Entry, error) {
	if err := g.readJournal(); err != nil {
		return nil, err
	}
	return g.journal.entries, nil
}

// JournalHead is the SHA-256 of the journal's last entry as it stands on disk;
// "" when there is none. A turn's manifest holds it, so that entries cannot be
// taken off the end unseen.
func (g *Game) JournalHead() (string, error) {
	if err := g.readJournal(); err != nil || len(g.journal.entries) == 0 {
		return "", err
	}
	return g.journal.head, nil
}

// JournalHas tells whether the journal has an entry with that SHA-256 (see
// [Game.JournalHead]).
func (g *Game) JournalHas(hash string) (bool, error) {
	if err := g.readJournal(); err != nil {
		return false, err
	}
	return hash == g.journal.head || slices.ContainsFunc(g.journal.entries, func(e journal.Entry) bool { return e.Prev == hash }), nil
}

// entryProblem says what is wrong with an entry; "" for nothing.
func entryProblem(e journal.Entry) string {
	if p := e.Problem(); p != "" || e.Kind != journal.Process {
		return p
	}
	if policy := journal.DataOf[journal.ProcessData](e).Missing; policy != "" && !slices.Contains(Policies(), policy) {
		return fmt.Sprintf("policy %q is not known", policy)
	}
	return ""
}

// Append notes a fact in the journal: Seq and Prev are filled in here, and Time
// becomes UTC. When it returns nil the entry is on stable storage. An entry with
// a Cause of which there is one of the same kind already is left out, so that a
// step may be repeated; added tells.
func (g *Game) Append(e journal.Entry) (added bool, err error) {
	e.Time = e.Time.UTC()
	if p := entryProblem(e); p != "" {
		return false, fmt.Errorf("note in the journal of %s: a %s entry: %s", g.ID(), e.Kind, p)
	}
	if e.Captain != "" {
		c, ok := g.settings.Captain(e.Captain)
		if !ok {
			return false, fmt.Errorf("note in the journal of %s: a %s entry: the game has no captain %q", g.ID(), e.Kind, e.Captain)
		}
		e.Captain = c.Name
	}
	err = g.locked(func() error {
		if err := g.readJournal(); err != nil {
			return err
		}
		if e.Cause != "" && g.journal.seen[e.Kind+"\x00"+e.Cause] {
			return nil
		}
		if at := g.DueStage(); e.Turn == at.Turn && journal.Timed(e.Kind) {
			e.Round = at.Round
		}
		e.Seq, e.Prev = len(g.journal.entries)+1, g.journal.head
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("note in the journal of %s: %w", g.ID(), err)
		}
		if len(line) >= maxEntry {
			return fmt.Errorf("note in the journal of %s: the entry has %d bytes, at most %d are possible", g.ID(), len(line), maxEntry)
		}
		if g.journal.good+int64(len(line))+1 > maxJournal {
			return &Error{Path: g.path(JournalFile), Problem: "the journal is full", Way: "the game has gone on for longer than was thought possible: end it", Err: fs.ErrInvalid}
		}
		added = true
		return g.appendLine(append(line, '\n'))
	})
	return added && err == nil, err
}

// appendLine writes a line after the last whole one and reads the journal again.
func (g *Game) appendLine(line []byte) error {
	g.current = false // whatever comes of it
	if err := g.write(record.Change{Doing: "note in the journal", Add: []record.File{{Name: JournalFile, Data: line}}}); err != nil {
		return err
	}
	g.journal.changed = time.Time{}
	return g.readJournal()
}

// readJournal brings what is remembered of the journal up to date. While the lock
// is held no other process adds to it: then once is enough.
func (g *Game) readJournal() error {
	if g.current {
		return nil
	}
	if err := g.rereadJournal(); err != nil {
		return err
	}
	g.current = g.holds > 0
	return nil
}

func (g *Game) rereadJournal() error {
	path := g.path(JournalFile)
	info, err := g.tree.Stat(JournalFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if g.journal.head == "" || g.journal.size != 0 {
			g.journal = journalRead{head: noPrev}
			g.overlayJournal()
		}
		return nil
	case err != nil:
		return system("read", path, err)
	case info.Size() == g.journal.size && info.ModTime().Equal(g.journal.changed):
		return nil
	case info.Size() > maxJournal:
		return damaged(path, "the file is larger than %d bytes", maxJournal)
	}
	data, err := g.tree.ReadFile(JournalFile)
	if err != nil {
		return system("read", path, err)
	}
	j, err := parseJournal(data, path)
	if err != nil {
		return err
	}
	if int64(len(data)) == info.Size() { // else it was written meanwhile: look again next time
		j.changed = info.ModTime()
	}
	known := g.journal.causes
	g.journal = j
	if g.onCause != nil {
		for mail := range j.causes {
			if !known[mail] {
				g.onCause(mail)
			}
		}
	}
	g.overlayJournal()
	return nil
}

// parseJournal reads the lines of a journal and holds them against each other;
// path is for messages.
func parseJournal(data []byte, path string) (journalRead, error) {
	j := journalRead{seen: map[string]bool{}, causes: map[string]bool{}, size: int64(len(data)), head: noPrev}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return j, nil // nothing, or a torn line
		}
		at := fmt.Sprintf("%s:%d", path, n)
		e, err := journal.Read(line)
		switch {
		case len(line) >= maxEntry:
			return j, damaged(at, "the line is longer than %d bytes", maxEntry)
		case err != nil:
			return j, damaged(at, "the line is no journal entry: %v", err)
		case e.Seq != n:
			return j, damaged(at, "the entry has number %d, %d is wanted: a line was taken out, put in or moved", e.Seq, n)
		case e.Prev != j.head:
			return j, damaged(at, "the entry was written after another one than the one before it: line %d was altered or replaced", n-1)
		}
		if p := entryProblem(e); p != "" {
			return j, damaged(at, "a %s entry: %s", e.Kind, p)
		}
		if e.Cause != "" {
			j.seen[e.Kind+"\x00"+e.Cause] = true
			mail, _, _ := strings.Cut(e.Cause, "#")
			j.causes[mail] = true
		}
		j.entries = append(j.entries, e)
		j.head, j.last = Hash(line), j.good
		j.good += int64(len(line)) + 1
		data = rest
	}
}

// OnCause has tell called for each mail that brought an entry of the journal about
// (its cause up to "#"): for those that there are, and whenever there is another.
func (g *Game) OnCause(tell func(mail string)) {
	g.onCause = tell
	for mail := range g.journal.causes {
		tell(mail)
	}
}

// Disregard has the game stand, for [Game.Settings] and [Game.AdminState], as if
// the entries that a mail brought about were not there: a mail that is judged a
// second time, because the process was killed in the middle, is judged as it
// was the first time. mail is the cause up to "#"; "" regards all entries again.
func (g *Game) Disregard(mail string) {
	if g.disregard == mail {
		return
	}
	touched := g.journal.causes[g.disregard] || g.journal.causes[mail]
	g.disregard = mail
	if touched {
		g.overlayJournal()
	}
}
