package postgres_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// The holder of the lock reads each file or folder from the database once, until it changes it or releases the lock. Afterwards it
// sees what another holder wrote.
func TestPostgresRemembersWhileLocked(t *testing.T) {
	at := newPlace(t)
	games := open(t, at)
	tree, err := games.At("wolf")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Create([]record.File{{Name: "orders/a", Data: []byte("1")}, {Name: "game.toml", Data: []byte("1")}}); err != nil {
		t.Fatal(err)
	}
	see := func(when, a, toml string, orders int, b bool) {
		t.Helper()
		for range 2 {
			for name, want := range map[string]string{"orders/a": a, "game.toml": toml} {
				data, err := tree.ReadFile(name)
				if err != nil || string(data) != want {
					t.Errorf("%s: %s is %q, %v; want %q", when, name, data, err, want)
				}
				data[0] = 'x' // a caller's change must not reach the cache
			}
			list, err := tree.ReadDir("orders")
			if err != nil || len(list) != orders {
				t.Errorf("%s: %d orders, %v; want %d", when, len(list), err, orders)
			}
			_, err = tree.Stat("orders/b")
			if err != nil && !errors.Is(err, fs.ErrNotExist) || (err == nil) != b {
				t.Errorf("%s: orders/b: %v; want it there: %t", when, err, b)
			}
		}
	}
	beside := func(value string) {
		t.Helper()
		if err := postgrestest.Exec(t.Context(), at, "UPDATE record_files SET data = '"+value+"'"); err != nil {
			t.Fatal(err)
		}
	}
	see("free", "1", "1", 1, false)
	beside("2")
	see("free still", "2", "2", 1, false)
	f, err := tree.Lock()
	if err != nil {
		t.Fatal(err)
	}
	see("locked", "2", "2", 1, false)
	beside("3")
	see("locked still", "2", "2", 1, false)
	if err := tree.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/b", Data: []byte("4")}}}); err != nil {
		t.Fatal(err)
	}
	see("after a change", "2", "2", 2, true)
	if err := tree.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/a", Data: []byte("4")}}, Remove: []string{"orders/b"}}); err != nil {
		t.Fatal(err)
	}
	see("after another", "4", "2", 1, false)
	if err := tree.Commit(f+1, nil, record.Change{Remove: []string{"orders/a"}}); !errors.Is(err, record.ErrFenced) {
		t.Error(err)
	}
	see("after one that was refused", "4", "3", 1, false)
	if err := tree.Unlock(f, false); err != nil {
		t.Fatal(err)
	}
	beside("5")
	see("free again", "5", "5", 1, false)
}

// What one of two hosts reads, with the lock, in a moment or without, is what either has written last.
func TestPostgresRemembersNothingOld(t *testing.T) {
	at := newPlace(t)
	hosts := []*postgres.Games{open(t, at), open(t, at)}
	for seed := range uint64(4) {
		name := fmt.Sprintf("wolf-%d", seed)
		t.Run(name, func(t *testing.T) {
			s := shadow{T: t, rand: rand.New(rand.NewPCG(seed, 1)), files: map[string]string{"game.toml": "1"}}
			var trees []*postgres.Tree
			for _, h := range hosts {
				tree, err := h.At(name)
				if err != nil {
					t.Fatal(err)
				}
				trees = append(trees, tree)
			}
			if err := trees[0].Create([]record.File{{Name: "game.toml", Data: []byte("1")}}); err != nil {
				t.Fatal(err)
			}
			for range 60 {
				switch tree := trees[s.rand.IntN(2)]; s.rand.IntN(4) {
				case 0:
					s.compare(tree)
				case 1:
					end := tree.InOneMoment()
					s.compare(tree)
					if s.rand.IntN(2) == 0 {
						s.write(trees[s.rand.IntN(2)])
						tree.Renew()
						s.compare(tree)
					}
					end()
				default:
					s.write(tree)
				}
			}
		})
	}
}

// shadow holds what a record must contain.
type shadow struct {
	*testing.T
	rand  *rand.Rand
	files map[string]string
}

// some returns a file's name.
func (s *shadow) some() string {
	if s.rand.IntN(3) == 0 {
		return fmt.Sprintf("turns/%04d/%c", s.rand.IntN(4), 'a'+s.rand.IntN(2))
	}
	return []string{"orders/a", "orders/b", "orders/later/a", "game.toml", "other", "turnsaround"}[s.rand.IntN(6)]
}

// write makes some changes with the lock held, and reads in between.
func (s *shadow) write(tree *postgres.Tree) {
	s.Helper()
	f, err := tree.Lock()
	if err != nil {
		s.Fatal(err)
	}
	for range s.rand.IntN(4) {
		s.compare(tree)
		name, text := s.some(), fmt.Sprint(s.rand.Uint32())
		file := record.File{Name: name, Data: []byte(text)}
		if s.rand.IntN(2) == 0 {
			file.Modified = time.Unix(s.rand.Int64N(1e9), 0)
		}
		change, version := record.Change{Put: []record.File{file}}, (*record.Version)(nil)
		switch s.rand.IntN(5) {
		case 0:
			change = record.Change{Remove: []string{path.Dir(name)}}
			if path.Dir(name) == "." {
				change.Remove[0] = name
			}
			maps.DeleteFunc(s.files, func(n, _ string) bool { return n == change.Remove[0] || strings.HasPrefix(n, change.Remove[0]+"/") })
		case 1:
			journal := s.files[record.Journal]
			last := strings.LastIndex(strings.TrimSuffix(journal, "\n"), "\n") + 1
			head := ""
			if journal != "" {
				head = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.TrimSuffix(journal[last:], "\n"))))
			}
			version = &record.Version{Size: int64(len(journal)), Good: int64(len(journal)), Last: int64(last), Head: head}
			change = record.Change{Add: []record.File{{Name: record.Journal, Data: []byte(text + "\n")}}}
			s.files[record.Journal] += text + "\n"
		case 2:
			change = record.Change{Add: []record.File{{Name: name, Data: []byte(text)}}}
			s.files[name] += text
		case 3:
			if change.Dir, change.Replace = path.Dir(name), true; change.Dir == "." {
				change.Dir = ""
			} else {
				maps.DeleteFunc(s.files, func(n, _ string) bool { return strings.HasPrefix(n, change.Dir+"/") })
			}
			s.files[name] = text
		default:
			s.files[name] = text
		}
		if err := tree.Commit(f, version, change); err != nil {
			s.Fatalf("%+v: %v", change, err)
		}
	}
	s.compare(tree)
	if err := tree.Unlock(f, s.rand.IntN(2) == 0); err != nil {
		s.Fatal(err)
	}
}

// compare reads some of the record.
func (s *shadow) compare(tree *postgres.Tree) {
	s.Helper()
	for range s.rand.IntN(6) {
		name := s.some()
		if s.rand.IntN(4) == 0 {
			name = record.Journal
		}
		want, there := s.files[name]
		if data, err := tree.ReadFile(name); there != (err == nil) || string(data) != want {
			s.Fatalf("%s is %q, %v; want %q, %t", name, data, err, want, there)
		}
		if info, err := tree.Stat(name); there != (err == nil) || there && info.Size() != int64(len(want)) {
			s.Fatalf("%s: %v, %v; want %q, %t", name, info, err, want, there)
		}
		folder := []string{".", "orders", "orders/later", "turns", "turns/0001", "turns/0003"}[s.rand.IntN(6)]
		in := map[string]bool{}
		for file := range s.files {
			rest, ok := strings.CutPrefix(file, folder+"/")
			if folder == "." {
				rest, ok = file, true
			}
			if ok {
				in[strings.Split(rest, "/")[0]] = true
			}
		}
		list, err := tree.ReadDir(folder)
		var got []string
		for _, e := range list {
			got = append(got, e.Name())
		}
		if want := slices.Sorted(maps.Keys(in)); !slices.Equal(got, want) || (err == nil) != (len(want) > 0) {
			s.Fatalf("%s has %q, %v; want %q", folder, got, err, want)
		}
		if info, err := tree.Stat(folder); (err == nil) != (len(in) > 0) || err == nil && !info.IsDir() {
			s.Fatalf("%s: %v, %v; want %v", folder, info, err, in)
		}
	}
}

// A host that takes the lock again reads nothing again, unless another host has changed the record meanwhile, or removed and created it.
func TestPostgresRemembersWhatNobodyChanged(t *testing.T) {
	at := newPlace(t)
	var trees []*postgres.Tree
	for range 2 {
		tree, err := open(t, at).At("wolf")
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	own, other := trees[0], trees[1]
	held := func(tree *postgres.Tree, do func(f record.Fence) error) {
		t.Helper()
		f, err := tree.Lock()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(do(f), tree.Unlock(f, false)); err != nil {
			t.Fatal(err)
		}
	}
	put := func(tree *postgres.Tree, text string) {
		t.Helper()
		held(tree, func(f record.Fence) error {
			return tree.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/a", Data: []byte(text)}}})
		})
	}
	see := func(want string) {
		t.Helper()
		held(own, func(record.Fence) error {
			if data, err := own.ReadFile("orders/a"); err != nil || string(data) != want {
				t.Errorf("it is %q, %v; want %q", data, err, want)
			}
			return nil
		})
	}
	create := func() {
		t.Helper()
		if err := other.Create([]record.File{{Name: "game.toml", Data: []byte("1")}}); err != nil {
			t.Fatal(err)
		}
	}
	create()
	put(own, "1")
	if err := postgrestest.Exec(t.Context(), at, "UPDATE record_files SET data = 'x'"); err != nil { // as no host does
		t.Fatal(err)
	}
	see("1")
	put(other, "2")
	see("2")
	held(other, func(f record.Fence) error { return other.Erase(f) })
	create()
	put(other, "3")
	see("3")
}
