package daemon_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/move"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/vault"
)

// database is a world whose games and mails are in a database that hosts share.
type database struct {
	*world
	games *records.Games
}

func newDatabase(t *testing.T) *database {
	t.Helper()
	at := postgrestest.Place(t)
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	games, err := records.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := games.Close(); err != nil {
			t.Error(err)
		}
	})
	w := newWorld(t)
	w.cfg.Store, w.cfg.Games = &config.Store{URL: at.URL}, nil
	return &database{w, games}
}

// moved makes a game in the database.
func (d *database) moved(id string, mail vault.MailSettings) *vault.Game {
	d.t.Helper()
	d.game(id, mail)
	dir := filepath.Join(d.dir, "games", id)
	tree := d.tree(id)
	if _, err := move.Game(directory.At(dir), tree, d.cat, func(int) {}); err != nil {
		d.t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		d.t.Fatal(err)
	}
	g, err := vault.Open(tree, d.cat)
	if err != nil {
		d.t.Fatal(err)
	}
	return g
}

func (d *database) tree(id string) record.Tree {
	d.t.Helper()
	tree, err := d.games.At(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return tree
}

// battle plays two turns, and gives what was mailed.
func battle(w *world, g *vault.Game) (mails []string) {
	w.t.Helper()
	for range 2 {
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
		for _, m := range w.run() {
			mails = append(mails, m.to+"\n"+m.raw)
		}
	}
	slices.Sort(mails)
	return mails
}

// kept are the files of a game, but for those that a dot begins.
func kept(t *testing.T, tree record.Reader) (all []string) {
	t.Helper()
	if err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		data, err := tree.ReadFile(name)
		all = append(all, fmt.Sprintf("%s: %q", name, data))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A battle on games in a database is that on directories, to the byte: mails and files.
func TestPostgresHoldsGames(t *testing.T) {
	on := newDatabase(t)
	g := on.moved("wolf", schedule())
	mails := battle(on.world, g)
	if turn := on.turnOf(g); turn != 2 || len(mails) != 10 || on.box.left() != 0 {
		t.Fatalf("turn %d, %d mails, %d left", turn, len(mails), on.box.left())
	}
	w := newWorld(t)
	want := battle(w, w.game("wolf", schedule()))
	if !slices.Equal(mails, want) {
		t.Errorf("mails on a database\n%s\non directories\n%s", strings.Join(mails, "\n"), strings.Join(want, "\n"))
	}
	if got, want := kept(t, on.tree("wolf")), kept(t, directory.At(filepath.Join(w.dir, "games", "wolf"))); !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("file\n%s\nwant\n%s", got[i], want[i])
			}
		}
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	if _, err := os.Stat(filepath.Join(on.dir, "games", "wolf")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a directory: %v", err)
	}
}

// A host leaves games alone that are for the mailbox of another one.
func TestGamesOfOtherMailboxesAreLeft(t *testing.T) {
	on := newDatabase(t)
	m := schedule()
	m.Robot = club
	g := on.moved("cub", m)
	on.moved("wolf", schedule())
	if sent := on.run(); len(sent) != 2 || len(sent.to(kirk, "[wolf]")) != 1 {
		t.Errorf("sent\n%s", sent)
	}
	if on.turnOf(g) != 0 {
		t.Error("the other one's was played")
	}
}
