package record_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/record/memory"
	"starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// A kind is a kind of record to be tested.
type kind struct {
	open func() record.Tree // opens the record once more, as another process would
	lose func() error       // makes the holder of the lock lose it without knowing
}

// kinds returns all kinds of records.
func kinds(t *testing.T) map[string]func(t *testing.T) kind {
	t.Helper()
	return map[string]func(t *testing.T) kind{
		"directory": func(t *testing.T) kind {
			t.Helper()
			dir := filepath.Join(t.TempDir(), "wolf")
			return kind{func() record.Tree { return directory.At(dir) }, func() error { return os.Remove(filepath.Join(dir, ".lock")) }}
		},
		"postgres": func(t *testing.T) kind {
			t.Helper()
			at := postgrestest.Place(t)
			if _, err := store.Init(t.Context(), at); err != nil {
				t.Fatal(err)
			}
			var all []*postgres.Games
			t.Cleanup(func() {
				for _, games := range all {
					if err := games.Close(); err != nil {
						t.Error(err)
					}
				}
			})
			open := func() record.Tree {
				games, err := postgres.Open(t.Context(), at)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, games)
				tree, err := games.At("wolf")
				if err != nil {
					t.Fatal(err)
				}
				return tree
			}
			return kind{open, func() error { return postgrestest.Exec(t.Context(), at, "UPDATE records SET until = now()") }}
		},
		"memory": func(t *testing.T) kind {
			t.Helper()
			r := memory.New("wolf", func() time.Time { return day(0) })
			return kind{func() record.Tree { return r }, func() error { return r.Unlock(1, false) }}
		},
	}
}

func day(n int) time.Time { return time.Date(2026, 3, 1+n, 12, 0, 0, 0, time.UTC) }

// TestTreeContract checks the same laws for every kind of record.
func TestTreeContract(t *testing.T) {
	laws := map[string]func(t *testing.T, k kind){
		"a record is created once":                         lawCreate,
		"it reads as a file system":                        lawRead,
		"a change is made":                                 lawChange,
		"names that cannot be are refused":                 lawNames,
		"a change that cannot be is refused":               lawMalformed,
		"one holds the lock":                               lawLock,
		"a fence that is not the holder's changes nothing": lawFence,
		"a stale version changes nothing":                  lawStale,
		"who asks may refuse":                              lawAsk,
		"a folder is committed once":                       lawFolder,
		"a torn line is cut off":                           lawTorn,
		"a change made twice is made once":                 lawRepeat,
	}
	for name, make := range kinds(t) {
		for law, check := range laws {
			t.Run(name+"/"+law, func(t *testing.T) { check(t, make(t)) })
		}
	}
}

// begun creates a record with the first files of a game, and locks it.
func begun(t *testing.T, k kind) (record.Tree, record.Fence) {
	t.Helper()
	tree := k.open()
	if err := tree.Create([]record.File{file("secret", "s"), file("turns/0000/state.json", "{}"), file("game.toml", "id")}); err != nil {
		t.Fatal(err)
	}
	f, err := tree.Lock()
	if err != nil {
		t.Fatal(err)
	}
	return tree, f
}

func file(name, text string) record.File { return record.File{Name: name, Data: []byte(text)} }

// held returns all files of a record, except those that start with a dot.
func held(t *testing.T, tree record.Tree) string {
	t.Helper()
	files := map[string]string{}
	if err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		data, err := tree.ReadFile(name)
		files[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, fmt.Sprintf("%s: %q", name, files[name]))
	}
	return strings.Join(out, "\n")
}

// commit makes a change and fails the test if that fails.
func commit(t *testing.T, tree record.Tree, f record.Fence, base *record.Version, c record.Change) {
	t.Helper()
	if err := tree.Commit(f, base, c); err != nil {
		t.Fatal(err)
	}
}

func line(text string) record.Change {
	return record.Change{Add: []record.File{file(record.Journal, text)}}
}

// Lines of a journal, and the hash of the first.
const (
	one, two = "{\"a\":1}\n", "{\"b\":2}\n"
	headOne  = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
)

func afterOne() *record.Version {
	return &record.Version{Size: int64(len(one)), Good: int64(len(one)), Head: headOne}
}

func lawCreate(t *testing.T, k kind) {
	t.Helper()
	tree := k.open()
	files := []record.File{file("turns/0000/state.json", "{}"), file("orders/Hood.txt", "fire"), file("orders/later/0005/Hood.txt", "rest"), file("game.toml", "id")}
	files[0].Modified = day(-7)
	if err := tree.Create(files); err != nil {
		t.Fatal(err)
	}
	before := held(t, tree)
	if want := "game.toml: \"id\"\norders/Hood.txt: \"fire\"\norders/later/0005/Hood.txt: \"rest\"\nturns/0000/state.json: \"{}\""; before != want {
		t.Errorf("got %s, want %s", before, want)
	}
	if info, err := tree.Stat(files[0].Name); err != nil || !info.ModTime().Equal(day(-7)) {
		t.Errorf("%v, %v: its time is another one", info, err)
	}
	if err := k.open().Create(files); !errors.Is(err, record.ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
}

func lawRead(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	commit(t, tree, f, nil, record.Change{Put: []record.File{file("orders/Hood.txt", "fire"), file("orders/later/0005/Hood.txt", "rest")}})
	if err := fstest.TestFS(tree, "game.toml", "orders/Hood.txt", "orders/later/0005/Hood.txt", "turns/0000/state.json"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"../game.toml", "/game.toml", "orders/../game.toml", "a\x00b", ""} {
		if data, err := tree.ReadFile(name); err == nil {
			t.Errorf("%q was read: %q", name, data)
		}
	}
	if _, err := tree.ReadFile("orders/Kirk.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if at := tree.Place("orders/Hood.txt"); !strings.HasSuffix(filepath.ToSlash(at), "wolf/orders/Hood.txt") {
		t.Errorf("it lies at %q", at)
	}
}

func lawChange(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	put := file("orders/Hood.txt", "fire")
	put.Modified = day(3)
	commit(t, tree, f, nil, record.Change{Add: []record.File{file("orders/replaced.jsonl", "\nx\n")}, Put: []record.File{put, file("orders/later/0005/Kirk.txt", "rest")}})
	if info, err := tree.Stat("orders/Hood.txt"); err != nil || !info.ModTime().Equal(day(3)) || info.Size() != 4 {
		t.Errorf("%v, %v", info, err)
	}
	commit(t, tree, f, nil, record.Change{Add: []record.File{file("orders/replaced.jsonl", "\ny\n")}, Put: []record.File{file("orders/Hood.txt", "no")}, Remove: []string{"orders/later/0005", "none"}, Prune: []string{"orders/later", "orders"}})
	commit(t, tree, f, &record.Version{There: "turns/0000"}, line(one))
	commit(t, tree, f, afterOne(), line(two))
	want := `game.toml: "id"
journal.jsonl: "{\"a\":1}\n{\"b\":2}\n"
orders/Hood.txt: "no"
orders/replaced.jsonl: "\nx\n\ny\n"
secret: "s"
turns/0000/state.json: "{}"`
	if got := held(t, k.open()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := tree.Stat("orders/later"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder: %v", err)
	}
}

func lawNames(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	before := held(t, tree)
	bad := []string{
		"", ".", "..", "../secret", "orders/../secret", "/etc/passwd", "orders//Hood.txt", "orders/", "orders/./Hood.txt",
		"orders/a\x00b", `orders\Hood.txt`, "orders/" + strings.Repeat("x", 300), "a\xffb",
	}
	for _, name := range bad {
		for what, c := range map[string]record.Change{
			"add": {Add: []record.File{file(name, "x")}}, "put": {Put: []record.File{file("orders/Hood.txt", "x"), file(name, "x")}},
			"remove": {Remove: []string{name}}, "prune": {Prune: []string{name}}, "folder": {Dir: name, Put: []record.File{file(name+"/x", "x")}},
		} {
			if err := tree.Commit(f, nil, c); !errors.Is(err, fs.ErrInvalid) && !(what == "folder" && name == "" && err != nil) {
				t.Errorf("%s %q: %v", what, name, err)
			}
		}
	}
	if err := k.open().Create([]record.File{file("../x", "x")}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("create: %v", err)
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
	commit(t, tree, f, nil, record.Change{Put: []record.File{file("orders/"+strings.Repeat("x", 200)+".txt", "long"), file("orders/Épée ü.txt", "any letters")}})
}

func lawMalformed(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	before := held(t, tree)
	for name, c := range map[string]record.Change{
		"a line with a file":     {Add: []record.File{file(record.Journal, one)}, Put: []record.File{file("orders/Hood.txt", "x")}},
		"a file beside a folder": {Dir: "turns/0001", Put: []record.File{file("turns/0002/x", "x")}},
	} {
		if err := tree.Commit(f, &record.Version{}, c); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := tree.Commit(f, nil, line(one)); err == nil {
		t.Error("a line that rests on nothing was taken")
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
}

func lawLock(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	other := k.open()
	if _, err := other.Lock(); !errors.Is(err, record.ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	if err := tree.Unlock(f, true); err != nil {
		t.Fatal(err)
	}
	theirs, err := other.Lock()
	if err != nil || theirs <= f {
		t.Errorf("the first had fence %d, the next %d, %v", f, theirs, err)
	}
	if err := other.Unlock(theirs, false); err != nil {
		t.Fatal(err)
	}
	if again, err := tree.Lock(); err != nil || again <= theirs {
		t.Errorf("the next had fence %d, the first %d again, %v", theirs, again, err)
	}
}

// changes returns a change of each kind.
func changes() map[string]record.Change {
	return map[string]record.Change{
		"a line":                           line(two),
		"a file":                           {Put: []record.File{file("orders/Hood.txt", "late")}},
		"bytes":                            {Add: []record.File{file("orders/replaced.jsonl", "late")}},
		"removal":                          {Remove: []string{"secret"}},
		"a folder":                         {Dir: "turns/0001", Put: []record.File{file("turns/0001/state.json", "late")}},
		"a folder in the place of another": {Dir: "turns/0000", Replace: true, Put: []record.File{file("turns/0000/state.json", "late")}},
	}
}

func lawFence(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	if err := k.lose(); err != nil {
		t.Fatal(err)
	}
	other := k.open()
	theirs, err := other.Lock()
	if err != nil {
		t.Fatal(err)
	}
	base := &record.Version{}
	for _, next := range []record.Change{line(one), line(two)} {
		before := held(t, other)
		for name, c := range changes() {
			for who, fence := range map[string]record.Fence{"none": 0, "who lost it": f, "one to come": theirs + 1, "the last": math.MaxUint64} {
				if err := tree.Commit(fence, base, c); !errors.Is(err, record.ErrFenced) {
					t.Errorf("%s by %s: %v", name, who, err)
				}
			}
		}
		if now := held(t, other); now != before {
			t.Errorf("it was\n%s\nis\n%s", before, now)
		}
		commit(t, other, theirs, base, next)
		base = afterOne()
	}
	if err := tree.Unlock(f, true); err != nil {
		t.Error(err)
	}
	put := record.Change{Put: []record.File{file("orders/Hood.txt", "fire")}}
	commit(t, other, theirs, nil, put) // the other holder's lock is unaffected
}

func lawStale(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	commit(t, tree, f, &record.Version{}, line(one))
	before := held(t, tree)
	for name, c := range changes() {
		for why, alter := range map[string]func(v *record.Version){
			"no journal":    func(v *record.Version) { *v = record.Version{} },
			"a shorter one": func(v *record.Version) { v.Size-- },
			"a longer one":  func(v *record.Version) { v.Size++ },
			"another line":  func(v *record.Version) { v.Head = strings.Repeat("0", 64) },
			"a turn more":   func(v *record.Version) { v.There = "turns/0001" },
			"a turn less":   func(v *record.Version) { v.Absent = []string{"turns/0001", "turns/0000"} },
		} {
			if c.Line() != nil && strings.HasPrefix(why, "a turn") {
				continue // a line depends on the journal only
			}
			base := afterOne()
			alter(base)
			if err := tree.Commit(f, base, c); !errors.Is(err, record.ErrStale) {
				t.Errorf("%s on %s: %v", name, why, err)
			}
		}
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
	for name, c := range changes() {
		if name != "a line" {
			commit(t, tree, f, &record.Version{Size: afterOne().Size, Good: afterOne().Good, Head: headOne, Absent: []string{"turns/0007"}}, c)
		}
	}
}

func lawAsk(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	commit(t, tree, f, &record.Version{}, line(one))
	before := held(t, tree)
	no := errors.New("not any more")
	for name, c := range changes() {
		c.Ask = func() error { return no }
		if err := tree.Commit(f, afterOne(), c); !errors.Is(err, no) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
}

func lawFolder(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	turn := record.Change{Dir: "turns/0001", Put: []record.File{file("turns/0001/state.json", "{1}"), file("turns/0001/orders/Hood.txt", "fire")}}
	commit(t, tree, f, nil, turn)
	before := held(t, tree)
	other := turn
	other.Put = []record.File{file("turns/0001/state.json", "{2}")}
	if err := tree.Commit(f, nil, other); !errors.Is(err, record.ErrCommitted) {
		t.Errorf("a second one: %v", err)
	}
	if now := held(t, tree); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
	other.Replace = true
	commit(t, tree, f, nil, other)
	if now, want := held(t, tree), "game.toml: \"id\"\nsecret: \"s\"\nturns/0000/state.json: \"{}\"\nturns/0001/state.json: \"{2}\""; now != want {
		t.Errorf("got\n%s\nwant\n%s", now, want)
	}
}

func lawTorn(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	commit(t, tree, f, &record.Version{}, line(one))
	commit(t, tree, f, afterOne(), line("{\"torn"))
	torn := afterOne()
	torn.Size += int64(len("{\"torn"))
	commit(t, tree, f, torn, line(two))
	if data, err := tree.ReadFile(record.Journal); err != nil || string(data) != one+two {
		t.Errorf("%q, %v", data, err)
	}
}

// Repeating a commit, as after a lost answer, succeeds and changes nothing.
func lawRepeat(t *testing.T, k kind) {
	t.Helper()
	tree, f := begun(t, k)
	commit(t, tree, f, &record.Version{}, line(one))
	base := afterOne()
	base.Absent = []string{"turns/0001"}
	all := changes()
	for _, name := range []string{"a file", "bytes", "removal", "a folder in the place of another", "a folder", "a line"} { // a line changes what the others are based on
		commit(t, tree, f, base, all[name])
		before := held(t, tree)
		for range 2 {
			if err := tree.Commit(f, base, all[name]); err != nil {
				t.Errorf("%s once more: %v", name, err)
			}
		}
		if now := held(t, tree); now != before {
			t.Errorf("%s: it was\n%s\nis\n%s", name, before, now)
		}
	}
	for name, c := range changes() { // all are made already, and the journal has grown since
		if name == "a line" {
			c = line(one)
		}
		if err := tree.Commit(f, base, c); (err == nil) != (name != "a line") {
			t.Errorf("%s after the line: %v", name, err)
		}
	}
}

// The fault for a lost lock has advice.
func TestFencedSaysWhatToDo(t *testing.T) {
	k := kinds(t)["directory"](t)
	tree, f := begun(t, k)
	if err := k.lose(); err != nil {
		t.Fatal(err)
	}
	err := tree.Commit(f, nil, record.Change{Put: []record.File{file("orders/Hood.txt", "late")}})
	if !errors.Is(err, record.ErrFenced) || !strings.Contains(fault.Hint(err), "only one daemon") {
		t.Errorf("%v, %s", err, fault.Hint(err))
	}
}

// addressed is a record in a database.
type addressed struct{ record.Tree }

func (addressed) Address() (name, url string) { return "last", "postgres://db1,db2/x?a=b&c=d" }

// Commands can be pasted into a shell, whatever the names in them are.
func TestCommandLine(t *testing.T) {
	for want, got := range map[string]string{
		"starpost turn games/wolf":                                            record.CommandLine(directory.At("games/wolf"), "turn"),
		"starpost referee 'my wolf' file 3 --blank":                           record.CommandLine(directory.At("my wolf"), "referee", "file", 3, "--blank"),
		"starpost referee last resume --store 'postgres://db1,db2/x?a=b&c=d'": record.CommandLine(addressed{directory.At("other")}, "referee", "resume"),
		"starpost referee wolf resume":                                        record.MailedCommandLine(directory.At("games/wolf"), "referee", "resume"),
		"starpost referee last file 3 FILE --store URL":                       record.MailedCommandLine(addressed{directory.At("other")}, "referee", "file", 3, "FILE"),
		`starpost status 'it'\''s' --as Hood`:                                 record.CommandLine(directory.At("it's"), "status", "--as", record.Quote("Hood")),
		"''":                                                                  record.Quote(""),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
