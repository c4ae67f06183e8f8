package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"

	"starpost/pbem/vault/journal"
)

// note returns an entry about Bob.
func note(tb testing.TB, kind string, at int, data any) journal.Entry {
	tb.Helper()
	e := journal.NewEntry(kind, "Bob", day(at), data)
	if strings.Contains(e.Problem(), "captain is missing") {
		e.Captain = "bob"
	}
	return e
}

func appended(tb testing.TB, g *Game, entries ...journal.Entry) {
	tb.Helper()
	for _, e := range entries {
		if added, err := g.Append(e); err != nil || !added {
			tb.Fatal(added, err)
		}
	}
}

func vote(tb testing.TB, turn, at int) journal.Entry {
	tb.Helper()
	e := note(tb, journal.VoteDraw, at, nil)
	e.Turn = turn
	return e
}

// What others add is unseen until the moment is over or the game is read again or locked; one's own entries are seen.
func TestJournalInOneMoment(t *testing.T) {
	dir := create(t)
	g, other := open(t, dir), open(t, dir)
	seen := func(want int) {
		t.Helper()
		if got, err := g.Journal.Entries(); err != nil || len(got) != want {
			t.Errorf("%d entries, %v; not %d", len(got), err, want)
		}
	}
	err := g.InOneMoment(func() error {
		seen(0)
		appended(t, other, vote(t, 1, 1))
		seen(0)
		if err := g.Refresh(); err != nil {
			return err
		}
		seen(1)
		appended(t, other, vote(t, 1, 2))
		appended(t, g, vote(t, 1, 3)) // locks
		seen(3)
		appended(t, other, vote(t, 1, 4))
		seen(3)
		return fs.ErrInvalid
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	seen(4)
	appended(t, other, vote(t, 1, 5))
	seen(5)
}

func TestJournalIsWrittenAndRead(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	if got, err := g.Journal.Entries(); len(got) > 0 || err != nil {
		t.Fatal(got, err)
	}
	if head, err := g.Journal.Head(); head != "" || err != nil {
		t.Fatal(head, err)
	}
	berlin := time.FixedZone("", 3600)
	first := note(t, journal.Away, 1, journal.AwayData{From: day(2), To: day(4)})
	first.Time = first.Time.In(berlin)
	first.Why = "holiday"
	appended(t, g, first, note(t, journal.Back, 3, nil), vote(t, 1, 3))
	for _, g := range []*Game{g, open(t, dir)} {
		got, err := g.Journal.Entries()
		if err != nil || len(got) != 3 {
			t.Fatal(got, err)
		}
		want := journal.Entry{Seq: 1, Time: day(1), Kind: "away", By: "Bob", Captain: "Bob", Why: "holiday", Data: got[0].Data, Prev: noPrev}
		if !reflect.DeepEqual(got[0], want) {
			t.Errorf("got  %+v\nwant %+v", got[0], want)
		}
		var d journal.AwayData
		if err := got[0].Decode(&d); err != nil || !d.From.Equal(day(2)) || !d.To.Equal(day(4)) {
			t.Error(d, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	head, err := g.Journal.Head()
	if err != nil || head != Hash(bytes.TrimSuffix(lines[2], []byte("\n"))) {
		t.Error(head, err)
	}
	for _, line := range lines[:3] {
		if ok, err := g.Journal.Has(Hash(bytes.TrimSuffix(line, []byte("\n")))); !ok || err != nil {
			t.Errorf("%s: %v, %v", line, ok, err)
		}
	}
	if ok, err := g.Journal.Has(Hash(nil)); ok || err != nil {
		t.Error(ok, err)
	}
}

// TestJournalIsAddedToOnce checks that each kind and cause has only one entry.
func TestJournalIsAddedToOnce(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	e := vote(t, 1, 1)
	e.Cause = "abc#1"
	appended(t, g, e)
	for _, g := range []*Game{g, open(t, dir)} {
		if added, err := g.Append(e); added || err != nil {
			t.Error(added, err)
		}
	}
	other := note(t, journal.Back, 1, nil)
	other.Cause = e.Cause
	next := e
	next.Cause = "abc#2"
	appended(t, g, other, next, vote(t, 1, 1), vote(t, 1, 1))
	if got, err := g.Journal.Entries(); len(got) != 5 || err != nil {
		t.Error(len(got), err)
	}
}

func TestJournalRefusesWhatIsNoEntry(t *testing.T) {
	g := open(t, create(t))
	for want, e := range map[string]journal.Entry{
		`did you mean "away"`:      {Kind: "awya", By: "x", Time: day(1)},
		"author is missing":        {Kind: journal.Pause, Time: day(1), Data: []byte("{}")},
		"time is missing":          {Kind: journal.Pause, By: "x", Data: []byte("{}")},
		"captain is missing":       {Kind: journal.Back, By: "x", Time: day(1)},
		"no captain \"Cid\"":       {Kind: journal.Back, By: "x", Captain: "Cid", Time: day(1)},
		"turn is missing":          {Kind: journal.VoteDraw, By: "x", Captain: "Bob", Time: day(1)},
		"turn -1":                  {Kind: journal.Back, By: "x", Captain: "Bob", Time: day(1), Turn: -1},
		"takes no data":            {Kind: journal.Back, By: "x", Captain: "Bob", Time: day(1), Data: []byte("{}")},
		"cannot be read":           {Kind: journal.Pause, By: "x", Time: day(1)},
		"unknown field":            {Kind: journal.Pause, By: "x", Time: day(1), Data: []byte(`{"x":1}`)},
		"text after the end":       {Kind: journal.Pause, By: "x", Time: day(1), Data: []byte(`{}{}`)},
		"must end after it begins": {Kind: journal.Away, By: "x", Captain: "Bob", Time: day(1), Data: []byte(`{}`)},
		"not a mail address":       {Kind: journal.Join, By: "x", Captain: "Bob", Time: day(1), Data: []byte(`{"address":"a b@c"}`)},
		"an event from 1":          {Kind: journal.Protest, By: "x", Captain: "Bob", Time: day(1), Data: []byte(`{"turn":1,"event":0,"reason":"r"}`)},
		"a time is missing":        {Kind: journal.Grace, By: "x", Turn: 1, Time: day(1), Data: []byte(`{"ends":"0001-01-01T00:00:00Z"}`)},
		"cannot be a name":         {Kind: journal.Pause, By: "x\ny", Time: day(1), Data: []byte("{}")},
		"more than 262144":         {Kind: journal.Pause, By: "x", Why: strings.Repeat("x", maxEntry), Time: day(1), Data: []byte("{}")},
		"\"old\" is not a mail":    {Kind: journal.Address, By: "x", Captain: "Bob", Time: day(1), Data: []byte(`{"old":"old","new":"a@b"}`)},
	} {
		if added, err := g.Append(e); added || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, added, err)
		}
	}
	if _, err := os.Stat(filepath.Join(g.Dir(), JournalFile)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// three returns a game with three journal entries, and its journal.
func three(tb testing.TB) (dir string, data []byte) {
	tb.Helper()
	dir = create(tb)
	e := vote(tb, 1, 2)
	e.Cause = "abc#1"
	appended(tb, open(tb, dir), note(tb, journal.Away, 1, journal.AwayData{From: day(2), To: day(4)}), e, note(tb, journal.Back, 3, nil))
	data, err := os.ReadFile(filepath.Join(dir, JournalFile))
	if err != nil {
		tb.Fatal(err)
	}
	return dir, data
}

// TestTornJournal cuts the journal off after each byte: the complete lines are read, and the next
// entry replaces the rest.
func TestTornJournal(t *testing.T) {
	dir, data := three(t)
	path := filepath.Join(dir, JournalFile)
	for n := range len(data) + 1 {
		torn := data[:n]
		if n%3 == 0 { // as some file systems leave it
			torn = append(bytes.Clone(torn), make([]byte, 5)...)
		}
		if err := os.WriteFile(path, torn, 0o600); err != nil {
			t.Fatal(err)
		}
		g := open(t, dir)
		whole := bytes.Count(data[:n], []byte("\n"))
		if got, err := g.Journal.Entries(); err != nil || len(got) != whole {
			t.Fatalf("of %d bytes: %d entries, %v", n, len(got), err)
		}
		appended(t, g, vote(t, 1, 5))
		again, err := open(t, dir).Journal.Entries()
		if err != nil || len(again) != whole+1 || again[whole].Seq != whole+1 {
			t.Fatalf("of %d bytes and one more: %+v, %v", n, again, err)
		}
		left, err := os.ReadFile(path)
		if err != nil || bytes.Count(left, []byte("\n")) != whole+1 || left[len(left)-1] != '\n' {
			t.Fatalf("of %d bytes: %q, %v", n, left, err)
		}
	}
}

// TestDamagedJournal checks that any other damage to a journal is reported with its line.
func TestDamagedJournal(t *testing.T) {
	dir, data := three(t)
	path := filepath.Join(dir, JournalFile)
	lines := strings.SplitAfter(string(data), "\n")[:3]
	for _, c := range []struct{ name, text, at, say string }{
		{"altered", strings.Replace(string(data), `"by":"Bob"`, `"by":"Eve"`, 1), ":2", "line 1 was altered"},
		{"altered in the middle", lines[0] + strings.Replace(lines[1], `"by":"Bob"`, `"by":"Eve"`, 1) + lines[2], ":3", "line 2 was altered"},
		{"taken out", lines[0] + lines[2], ":2", "number 3 instead of 2"},
		{"begun later", lines[1] + lines[2], ":1", "number 2 instead of 1"},
		{"swapped", lines[0] + lines[2] + lines[1], ":2", "number 3"},
		{"twice", lines[0] + lines[0], ":2", "number 1"},
		{"no JSON", lines[0] + "hello\n" + lines[1], ":2", "not a journal entry"},
		{"an empty line", lines[0] + "\n" + lines[1], ":2", "not a journal entry"},
		{"an unknown key", strings.Replace(lines[0], `{"seq"`, `{"x":1,"seq"`, 1), ":1", "unknown field"},
		{"an unknown kind", strings.Replace(lines[0], `"away"`, `"fly"`, 1), ":1", `kind "fly" is not known`},
		{"bad data", strings.Replace(lines[0], `"from"`, `"form"`, 1), ":1", "cannot be read"},
		{"a long line", "{" + strings.Repeat(" ", maxEntry) + lines[0][1:], ":1", "longer than"},
		{"zeros and more", lines[0] + "\x00\x00\n", ":2", "not a journal entry"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := Open(directory.At(dir), catalogue)
		if g != nil || !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), path+c.at+": ") || !strings.Contains(err.Error(), c.say) || hinted(err) == "" {
			t.Errorf("%s: %v (%s)", c.name, err, hinted(err))
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	g := open(t, dir)
	if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"read":    func() error { _, err := g.Journal.Entries(); return err }(),
		"fold":    func() error { _, err := g.AdminState(); return err }(),
		"append":  func() error { _, err := g.Append(vote(t, 1, 1)); return err }(),
		"lock":    g.Lock(),
		"refresh": g.Refresh(),
	} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestJournalCrash stops an append at each of its steps: the entry exists or not, and doing it
// again gives one entry.
func TestJournalCrash(t *testing.T) {
	dir, _ := three(t)
	var names []string
	count := func(name string) error { names = append(names, name); return nil }
	g := open(t, copyOf(t, dir))
	e := vote(t, 1, 9)
	e.Cause = "def#1"
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	g.stopBy(count)
	appended(t, g, e)
	if !reflect.DeepEqual(names, []string{"journal open", "journal write", "journal sync"}) {
		t.Fatalf("steps: %v", names)
	}
	for _, at := range names {
		g := open(t, copyOf(t, dir))
		if err := g.Lock(); err != nil {
			t.Fatal(err)
		}
		g.stopBy(func(name string) error {
			if name == at {
				return record.ErrStopped
			}
			return nil
		})
		if added, err := g.Append(e); added || !errors.Is(err, record.ErrStopped) {
			t.Errorf("%s: %v, %v", at, added, err)
		}
		g.stopBy(nil)
		if err := g.Unlock(); err != nil {
			t.Fatal(err)
		}
		again := open(t, g.Dir())
		if _, err := again.Append(e); err != nil {
			t.Fatal(err)
		}
		if got, err := again.Journal.Entries(); err != nil || len(got) != 4 {
			t.Errorf("%s: %d entries, %v", at, len(got), err)
		}
	}
}

// TestJournalOfMany appends from several processes, each under the game's lock; every entry is
// there once, in one chain.
func TestJournalOfMany(t *testing.T) {
	dir := create(t)
	var wait sync.WaitGroup
	for w := range 4 {
		g := open(t, dir)
		wait.Go(func() {
			for i := 0; i < 10; {
				e := vote(t, 1, 1)
				e.Cause = fmt.Sprintf("%d#%d", w, i%8) // two of them occur twice
				_, err := g.Append(e)
				switch {
				case err == nil:
					i++
				case !errors.Is(err, ErrLocked):
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	got, err := open(t, dir).Journal.Entries()
	if err != nil || len(got) != 4*8 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

// TestManifestHoldsTheJournal checks that a turn has the hash of the journal's last entry.
func TestManifestHoldsTheJournal(t *testing.T) {
	g := open(t, create(t))
	for n := 1; n <= 2; n++ {
		head, err := g.Journal.Head()
		if err != nil {
			t.Fatal(err)
		}
		if err := commitNext(t, g); err != nil {
			t.Fatal(err)
		}
		if m, err := g.Stages.Manifest(At(n)); err != nil || m.Journal != head || (n == 2) != (head != "") {
			t.Errorf("turn %d: %q, %q, %v", n, m.Journal, head, err)
		}
		appended(t, g, vote(t, 2, 1))
	}
}

// FuzzJournal checks that no journal panics, and that what was read is written as lines that read
// the same.
func FuzzJournal(f *testing.F) {
	_, data := three(f)
	f.Add(data)
	f.Add(data[:len(data)-3])
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(data, []byte(`"data":{`), []byte(`"data":[{`), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := parseJournal(data, JournalFile)
		if err != nil {
			if !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), JournalFile+":") {
				t.Errorf("the line is not named: %v", err)
			}
			return
		}
		own := settings()
		g := &Game{conf: conf{file: &own}, Journal: Journal{known: j}}
		g.overlay() // must not panic
		var out []byte
		prev := noPrev
		for _, e := range j.entries {
			e.Prev = prev
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			prev = Hash(line)
			out = append(append(out, line...), '\n')
		}
		again, err := parseJournal(out, JournalFile)
		if err != nil || len(again.entries) != len(j.entries) {
			t.Errorf("%d entries become %d: %v", len(j.entries), len(again.entries), err)
		}
	})
}
