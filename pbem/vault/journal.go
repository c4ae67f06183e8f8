package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"starpost/pbem/vault/journal"
)

// Limits of the journal: of a line, and of the whole file.
const (
	maxEntry   = 256 << 10
	maxJournal = 64 << 20
)

// noPrev is the Prev of the first entry.
var noPrev = strings.Repeat("0", 64)

// journalRead is the journal as last read.
type journalRead struct {
	entries []journal.Entry
	seen    map[string]bool // kind and cause of the entries that have a cause
	causes  map[string]bool // causes up to "#"
	size    int64           // of the file, including a torn end
	changed time.Time       // modification time of the file; zero if it must be read again
	good    int64           // bytes in complete lines
	last    int64           // offset of the last complete line
	head    string          // SHA-256 of the last complete line
}

// Journal is the journal of a game: everything done to it apart from its turns.
type Journal struct {
	tree    files
	known   journalRead
	current bool              // need not be read again: see read
	held    bool              // the lock is held: no other process adds to it
	moment  bool              // the game is seen as of one moment: see Game.InOneMoment
	changed func()            // called when it was read and has changed
	onCause func(mail string) // see OnCause; may be nil
}

// Entries returns the administrative facts of the game in the order of their entry. It omits a last
// line that a crash tore; any other damage is an *Error with the line.
func (l *Journal) Entries() ([]journal.Entry, error) {
	if err := l.read(); err != nil {
		return nil, err
	}
	return l.known.entries, nil
}

// Head returns the SHA-256 of the journal's last entry as on disk; "" if there is none. A turn's
// manifest holds it, so that entries cannot be removed from the end unnoticed.
func (l *Journal) Head() (string, error) {
	if err := l.read(); err != nil || len(l.known.entries) == 0 {
		return "", err
	}
	return l.known.head, nil
}

// Has reports whether the journal has an entry with that SHA-256 (see [Journal.Head]).
func (l *Journal) Has(hash string) (bool, error) {
	if err := l.read(); err != nil {
		return false, err
	}
	return hash == l.known.head || slices.ContainsFunc(l.known.entries, func(e journal.Entry) bool { return e.Prev == hash }), nil
}

// entryProblem says what is wrong with an entry; "" for nothing.
func entryProblem(e journal.Entry) string {
	if p := e.Problem(); p != "" || e.Kind != journal.Process {
		return p
	}
	if policy := journal.DataOf[journal.ProcessData](e).Missing; policy != "" && !slices.Contains(Policies(), policy) {
		return fmt.Sprintf("unknown policy %q", policy)
	}
	return ""
}

// read updates the journal in memory, unless it is current. It stays current while the lock is held, because no other
// process can add an entry then, and within Game.InOneMoment, which ignores the entries of others. An entry that this
// process adds makes it be read again.
func (l *Journal) read() error {
	if l.current {
		return nil
	}
	if err := l.reread(); err != nil {
		return err
	}
	l.current = l.held || l.moment
	return nil
}

// again makes the next read really read the file, even if it looks unchanged.
func (l *Journal) again() {
	l.current, l.known.changed = false, time.Time{}
}

// renew makes the next read see what others have added, unless the lock keeps them out.
func (l *Journal) renew() { l.current = l.current && l.held }

// release is called when the lock is released.
func (l *Journal) release() { l.current, l.held = false, false }

// rest frees what can be read again; the length of the journal is kept.
func (l *Journal) rest() {
	if l.known.size > 0 {
		l.known = journalRead{size: l.known.size, good: l.known.good, head: l.known.head}
	}
}

func (l *Journal) reread() error {
	path := l.tree.path(JournalFile)
	info, err := l.tree.Stat(JournalFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l.known.head == "" || l.known.size != 0 {
			l.known = journalRead{head: noPrev}
			l.changed()
		}
		return nil
	case err != nil:
		return system("read", path, err)
	case info.Size() == l.known.size && info.ModTime().Equal(l.known.changed):
		return nil
	case info.Size() > maxJournal:
		return damaged(path, "the file is larger than %d bytes", maxJournal)
	}
	data, err := l.tree.ReadFile(JournalFile)
	if err != nil {
		return system("read", path, err)
	}
	j, err := parseJournal(data, path)
	if err != nil {
		return err
	}
	if int64(len(data)) == info.Size() { // otherwise it was written meanwhile: read again next time
		j.changed = info.ModTime()
	}
	known := l.known.causes
	l.known = j
	if l.onCause != nil {
		for mail := range j.causes {
			if !known[mail] {
				l.onCause(mail)
			}
		}
	}
	l.changed()
	return nil
}

// parseJournal reads the lines of a journal and checks how they are linked; path is for messages.
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
			return j, damaged(at, "the line is not a journal entry: %v", err)
		case e.Seq != n:
			return j, damaged(at, "the entry has number %d instead of %d: a line was removed, added or moved", e.Seq, n)
		case e.Prev != j.head:
			return j, damaged(at, "the entry does not follow the one before it: line %d was altered or replaced", n-1)
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

// OnCause sets a function that is called for each mail that caused a journal entry (the cause up to
// "#"): now for the existing ones, and later for each new one.
func (l *Journal) OnCause(tell func(mail string)) {
	l.onCause = tell
	for mail := range l.known.causes {
		tell(mail)
	}
}

// Noted reports whether the journal has an entry of that kind and cause; false for an empty cause.
func (l *Journal) Noted(kind, cause string) (bool, error) {
	if err := l.read(); err != nil {
		return false, err
	}
	return cause != "" && l.known.seen[kind+"\x00"+cause], nil
}

// hash returns the SHA-256 of the line of an entry, by its index.
func (j *journalRead) hash(i int) string {
	if i+1 < len(j.entries) {
		return j.entries[i+1].Prev
	}
	return j.head
}
