package backup_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"starpost/pbem/backup"
	"starpost/pbem/config"
	"starpost/pbem/move"
	"starpost/pbem/record/directory"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// A backup has the games in the database as well as those in directories, all as directories, byte for byte and with
// their times.
func TestPostgresGamesAreBackedUp(t *testing.T) {
	at := postgrestest.Place(t)
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	in, err := records.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := home(t)
	c.Store = &config.Store{URL: at.URL}
	game(t, c, "cub")
	wolf := game(t, c, "wolf")
	tree, err := in.At("wolf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := move.Game(directory.At(wolf.Dir()), tree, catalogue(), func(int) {}); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to})
	if err != nil || len(m.Games) != 2 || m.Games[0].ID != "cub" || m.Games[1].ID != "wolf" || m.Bytes < 1000 {
		t.Fatalf("%+v, %v", m, err)
	}
	back := directory.At(filepath.Join(to, "games", "wolf"))
	n := 0
	if err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		want, err := tree.ReadFile(name)
		got, gerr := back.ReadFile(name)
		was, werr := tree.Stat(name)
		is, ierr := back.Stat(name)
		if err := errors.Join(err, gerr, werr, ierr); err != nil {
			return err
		}
		if string(got) != string(want) || !is.ModTime().Equal(was.ModTime()) {
			t.Errorf("%s is another one, of %v; was of %v", name, is.ModTime(), was.ModTime())
		}
		return nil
	}); err != nil || n < 5 {
		t.Errorf("%d files, %v", n, err)
	}
	open(t, filepath.Join(to, "games", "wolf"))
}
