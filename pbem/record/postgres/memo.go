package postgres

import (
	"bytes"
	"context"
	"strings"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/store/sqlstore"
)

// memo caches what was read of a record in one state. While the lock is held, no other process changes the record, and if the lock is lost,
// the next change of the former holder is refused.
type memo struct {
	state string                  // of the record, as stateOf names it
	files map[string]record.Entry // all files outside of turns/, those of the last turn, and the journal; nil if not listed yet
	from  string                  // the folder of that turn; "turns/" if there is none
	data  map[string][]byte       // contents of files
}

// stateOf is SQL that names the state of a record: by the transaction that changed it last, and by the connection, because after a crash and
// on a promoted standby the numbers of lost transactions are used again.
const stateOf = "changed::text || ' ' || pg_backend_pid() || ' ' || pg_postmaster_start_time()"

func newMemo(state string) *memo { return &memo{state: state, data: map[string][]byte{}} }

// forget drops everything.
func (m *memo) forget() { m.files, m.data = nil, map[string][]byte{} }

// size is about how many bytes the memo takes.
func (m *memo) size() (bytes int) {
	for _, d := range m.data {
		bytes += len(d)
	}
	return bytes + 200*(len(m.files)+len(m.data)+1)
}

// Limits of what is cached, in bytes: the largest file, and all memos of games that are not in use. With very many games, of which very
// many have mails at once, each adds to the latter.
const (
	mostRemembered = 1 << 18
	mostKept       = 32 << 20
	mostKeptEach   = 1 << 10
)

// The contents of small files that are nearly always read, once they are listed, come with the list.
const listing = `SELECT name, length(data)::bigint, modified, CASE WHEN (name < 'turns/' OR name LIKE 'turns/%/manifest.json' OR name LIKE 'turns/%/state.json') AND length(data) <= 16384 THEN data END FROM record_files WHERE game = ?1 AND `

// list returns everything a memo has of files. "0" follows "/" in ASCII.
const list = listing + "name < 'turns/' UNION ALL " + listing + `name >= coalesce((SELECT substring(max(name) FROM '^turns/[^/]*') FROM record_files WHERE game = ?1 AND name > 'turns/' AND name < 'turns0'), 'turns/')
	UNION ALL (SELECT '` + record.Journal + `', at + length(line), modified, NULL FROM record_lines WHERE game = ?1 ORDER BY at DESC LIMIT 1)`

// knows reports whether the list of files answers questions about a name. A nil memo knows nothing.
func (m *memo) knows(name string) bool {
	return m != nil && name != "." && name != "turns" && (!strings.HasPrefix(name, "turns/") || name >= m.from)
}

// listed returns the memo with a list of files; nil if nothing may be cached.
func (t *Tree) listed(ctx context.Context) (*memo, error) {
	m, err := t.remembered(ctx)
	if err != nil || m == nil || m.files != nil {
		return m, err
	}
	files, from := map[string]record.Entry{}, "turns/"
	err = t.games.store.Query(ctx, "list "+t.name, func(row sqlstore.Row) error {
		var e record.Entry
		var modified int64
		var data []byte
		if err := row.Scan(&e.Path, &e.Bytes, &modified, &data); err != nil {
			return err
		}
		e.Modified = time.Unix(0, modified)
		files[e.Path] = e
		if _, known := m.data[e.Path]; !known && data != nil {
			m.data[e.Path] = data
		}
		if rest, ok := strings.CutPrefix(e.Path, "turns/"); ok {
			turn, _, _ := strings.Cut(rest, "/")
			from = "turns/" + turn
		}
		return nil
	}, list, t.name)
	if err == nil {
		m.files, m.from = files, from
	}
	return m, err
}

// entry describes a file or folder, or returns nil if there is none.
func (m *memo) entry(name string) *record.Entry {
	if e, ok := m.files[name]; ok {
		return &e
	}
	var folder *record.Entry
	for at, e := range m.files {
		if strings.HasPrefix(at, name+"/") {
			if folder == nil {
				folder = &record.Entry{Path: name, Folder: true}
			}
			if e.Modified.After(folder.Modified) {
				folder.Modified = e.Modified
			}
		}
	}
	return folder
}

// below returns all files below a folder.
func (m *memo) below(folder string) (files []record.Entry) {
	for at, e := range m.files {
		if strings.HasPrefix(at, folder+"/") {
			files = append(files, e)
		}
	}
	return files
}

// put caches the contents of a file.
func (m *memo) put(name string, data []byte) {
	if delete(m.data, name); len(data) <= mostRemembered {
		m.data[name] = bytes.Clone(data)
	}
}

// drop forgets a file, or everything below a folder.
func (m *memo) drop(name string) {
	within := func(at string) bool { return at == name || strings.HasPrefix(at, name+"/") }
	for at := range m.data {
		if within(at) {
			delete(m.data, at)
		}
	}
	for at := range m.files {
		if within(at) {
			delete(m.files, at)
		}
	}
}

// learn makes a change that was made to the record at a time. If text was added to a file, the files must be listed again.
func (m *memo) learn(c record.Change, at int64) {
	for _, f := range c.Add {
		m.drop(f.Name)
		m.files = nil
	}
	if c.Dir != "" {
		m.drop(c.Dir)
	}
	for _, f := range c.Put {
		if m.put(f.Name, f.Data); m.files != nil {
			m.files[f.Name] = record.Entry{Path: f.Name, Bytes: int64(len(f.Data)), Modified: time.Unix(0, timeOf(f, at))}
		}
	}
	for _, name := range c.Remove {
		m.drop(name)
	}
}

// InOneMoment makes reads until end see the record as one of them first finds it, or as Renew or Lock do.
func (t *Tree) InOneMoment() (end func()) {
	if t.moment {
		t.Renew()
		return func() {}
	}
	t.moment, t.unsure = true, true
	return func() {
		t.moment = false
		t.rest()
	}
}

// Renew makes the next read see what others have changed.
func (t *Tree) Renew() { t.unsure = true }

// rest keeps the memo for the next moment or lock, unless it is in use.
func (t *Tree) rest() {
	if t.held || t.moment || t.memo == nil {
		return
	}
	t.games.keep(t.name, t.memo)
	t.memo = nil
}

// remembered returns the memo; nil if neither the lock nor a moment lets anything be cached.
func (t *Tree) remembered(ctx context.Context) (*memo, error) {
	if t.held || !t.moment || !t.unsure {
		return t.memo, nil
	}
	var state string
	found, err := t.one(ctx, "look at", []any{&state}, "SELECT "+stateOf+" FROM records WHERE game = ?", t.name)
	if err != nil || !found {
		t.memo = nil
		return nil, err
	}
	t.recall(state)
	return t.memo, nil
}

// recall makes the memo that of a state.
func (t *Tree) recall(state string) {
	if t.unsure = false; t.memo == nil {
		t.memo = t.games.take(t.name)
	}
	if t.memo == nil || t.memo.state != state {
		t.memo = newMemo(state)
	}
}

// keep keeps the memo of a game that is not in use. If there are too many, all others are dropped.
func (s *Games) keep(game string, m *memo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.recent[game]; old != nil { // from another tree
		s.size -= old.size()
	}
	if s.size += m.size(); s.recent == nil || s.size > max(mostKept, mostKeptEach*len(s.found.versions)) {
		s.recent, s.size = map[string]*memo{}, m.size()
	}
	s.recent[game] = m
}

// take returns the memo of a game, and forgets it.
func (s *Games) take(game string) *memo {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.recent[game]
	if m != nil {
		s.size -= m.size()
		delete(s.recent, game)
	}
	return m
}
