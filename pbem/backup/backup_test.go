package backup_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/backup"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/record/directory"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	robot = "battles@example.org"
	kirk  = "kirk@example.org"
	kor   = "kor@example.org"
)

// catalogue makes its rule sets only once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// home returns a directory with a configuration, a state directory and games.
func home(t *testing.T) *config.Config {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "starpost.toml")
	put(t, file, "# settings\n")
	return &config.Config{
		File: file, Address: robot, Name: "Starpost", State: filepath.Join(dir, "state"), Games: []string{filepath.Join(dir, "games", "*")},
		Poll: clock.Span(time.Minute), Strangers: config.StrangersIgnore, Limits: config.Limits{AnswersPerHour: 20, SetAnswersPerHour: 200}, Plus: true,
		IMAP: &config.IMAP{Server: config.Server{Host: "localhost", User: robot}, Inbox: "INBOX", Folders: "Starpost"},
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func game(t *testing.T, c *config.Config, id string) *vault.Game {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mail := vault.DefaultMail()
	mail.Robot = robot
	seed := uint64(1)
	dir := filepath.Join(filepath.Dir(c.Games[0]), id)
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: id, Mail: mail,
		Captains: []vault.Captain{{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, {Name: "Kor", Address: kor, Ships: []string{"Riskadh"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: time.Now()},
	}); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) *vault.Game {
	t.Helper()
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// state makes a store and a spool with some content.
func state(t *testing.T, c *config.Config) {
	t.Helper()
	if err := os.MkdirAll(c.State, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := sqlite.Open(filepath.Join(c.State, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	raw := []byte("From: x\r\n\r\n")
	if _, err := l.RecordStored(t.Context(), store.Mail{Ref: store.Ref{Mailbox: "x", UIDValidity: 1, UID: 1}, SHA256: store.ContentHash(raw)}, raw); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Queue(t.Context(), store.OutboxMessage{Game: "g", Kind: store.Notice, MessageID: "<1@x>", From: robot, To: kirk, Bytes: []byte("x"), QueuedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(c.State, "heartbeat.json"), "{}")
	put(t, filepath.Join(c.State, "cups", "spring", "journal.jsonl"), "{}")
	put(t, filepath.Join(c.State, "clubs", "north", "lobby.json"), "{}")
	put(t, filepath.Join(c.State, "daemon.lock"), "pid 1")
	put(t, filepath.Join(c.State, "cups", "spring", "journal.jsonl.lock"), "")
}

func listed(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	found := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if !e.IsDir() {
			found[filepath.ToSlash(rel)] = info
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestBackup(t *testing.T) {
	c := home(t)
	wolf := game(t, c, "wolf")
	if err := wolf.Orders.Put(vault.Stage{Turn: 1}, "Hood", []byte("#orders wolf turn 1 ship Hood\nphase 1\n  forward 1\n#end\n"), time.Unix(1_700_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	state(t, c) // the store stays open, as in a running daemon
	to := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to, Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Games) != 1 || m.Games[0].ID != "wolf" || m.Games[0].In != "games/wolf" || m.Mails != 1 || m.Bytes == 0 {
		t.Errorf("manifest %+v", m)
	}
	files := listed(t, to)
	text, err := os.ReadFile(filepath.Join(to, backup.ManifestFile))
	var read backup.Manifest
	if err != nil || json.Unmarshal(text, &read) != nil || read.Version != "v1" || !read.Time.Equal(m.Time) || read.State != c.State {
		t.Errorf("the manifest says %v\n%s", err, text)
	}
	for name := range files {
		if strings.Contains(name, ".lock") || strings.Contains(name, "ledger.d/") || strings.HasSuffix(name, "-wal") {
			t.Errorf("%s is in the backup", name)
		}
	}
	for _, name := range []string{"starpost.toml", "state/ledger.db", "state/heartbeat.json", "state/cups/spring/journal.jsonl", "state/clubs/north/lobby.json", "games/wolf/game.toml"} {
		if files[name] == nil {
			t.Errorf("%s is not in the backup", name)
		}
	}
	for name, info := range listed(t, wolf.Dir()) {
		got := files["games/wolf/"+name]
		switch {
		case name == ".lock":
		case got == nil:
			t.Errorf("%s is not in the backup", name)
		case got.Size() != info.Size() || got.Mode() != info.Mode() || !got.ModTime().Equal(info.ModTime()):
			t.Errorf("%s: %v %v %v in the backup, it was %v %v %v", name, got.Size(), got.Mode(), got.ModTime(), info.Size(), info.Mode(), info.ModTime())
		}
	}
	if n, err := sqlite.Inspect(t.Context(), filepath.Join(to, "state", "ledger.db")); err != nil || n.Waiting != 1 {
		t.Errorf("the store's copy: %d letters wait, %v", n.Waiting, err)
	}
	if err := open(t, filepath.Join(to, "games", "wolf")).Lock(); err != nil {
		t.Errorf("the copy: %v", err)
	}
	if err := wolf.Lock(); err != nil {
		t.Errorf("the game is still held: %v", err)
	}
	if _, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to}); !errors.Is(err, backup.ErrExists) {
		t.Errorf("a second one at the same place: %v", err)
	}
}

func TestBackupOfNothingYet(t *testing.T) {
	c := home(t)
	to := filepath.Join(t.TempDir(), "backup")
	if m, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to}); err != nil || len(m.Games) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

// Games that cannot be opened are copied too, and two of the same name are kept apart.
func TestBackupCopiesBrokenGames(t *testing.T) {
	c := home(t)
	game(t, c, "wolf")
	other := filepath.Join(t.TempDir(), "wolf")
	if err := os.CopyFS(other, os.DirFS(filepath.Join(filepath.Dir(c.Games[0]), "wolf"))); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(other, "game.toml"), "broken")
	c.Games = append(c.Games, other)
	to := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to})
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, g := range m.Games {
		if g.Problem != "" {
			broken++
		}
	}
	if len(m.Games) != 2 || broken != 1 || m.Games[0].In == m.Games[1].In {
		t.Errorf("manifest %+v", m)
	}
	if listed(t, to)["games/wolf-2/game.toml"] == nil {
		t.Error("the second game is not there")
	}
}

// The backup waits for a game in use; if it stays in use, there is no backup, not even a part of
// one.
func TestBackupWaitsForLockedGames(t *testing.T) {
	c := home(t)
	g := game(t, c, "wolf")
	to := filepath.Join(t.TempDir(), "backup")
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	o := backup.Options{Config: c, Catalogue: catalogue(), To: to, Patience: 10 * time.Millisecond}
	if _, err := backup.Make(t.Context(), o); !errors.Is(err, vault.ErrLocked) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.Patience = time.Hour
	if _, err := backup.Make(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left := listed(t, filepath.Dir(to)); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	done := make(chan error, 1)
	go func() {
		_, err := backup.Make(t.Context(), o)
		done <- err
	}()
	if err := g.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The next backup removes the leftovers of one that was killed, even at another place; one that is
// being made, and anything that is not a backup, stays.
func TestLeftoversOfABackupAreCleared(t *testing.T) {
	c := home(t)
	game(t, c, "wolf")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	half := func(name string, locked bool) {
		put(t, filepath.Join(at(name), "state", "ledger.db"), "half")
		if locked {
			put(t, at(name+".lock"), "pid 1")
		}
	}
	half("monday.part", true)
	half("tuesday.part", true)
	half("busy.part", true)
	half("strange.part", false)
	busy := flock.New(at("busy.part.lock"))
	if ok, err := busy.TryLock(); err != nil || !ok {
		t.Fatal(ok, err)
	}
	defer func() { _ = busy.Unlock() }()
	o := backup.Options{Config: c, Catalogue: catalogue(), To: at("tuesday")}
	if _, err := backup.Make(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	names := func() string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return strings.Join(all, " ")
	}
	if got := names(); got != "busy.part busy.part.lock strange.part tuesday" {
		t.Errorf("there are %s", got)
	}
	o.To = at("busy")
	if _, err := backup.Make(t.Context(), o); !errors.Is(err, backup.ErrBusy) || fault.Hint(err) == "" {
		t.Errorf("beside another one: %v", err)
	}
	put(t, at("photos.part/holiday.jpg"), "x")
	o.To = at("photos")
	if _, err := backup.Make(t.Context(), o); !errors.Is(err, backup.ErrExists) || !strings.Contains(err.Error(), "holiday.jpg") {
		t.Errorf("over something else: %v", err)
	}
	o.To = at("strange") // from an earlier version, without a lock
	if _, err := backup.Make(t.Context(), o); err != nil {
		t.Error(err)
	}
	if got := names(); got != "busy.part busy.part.lock photos.part strange tuesday" {
		t.Errorf("there are %s", got)
	}
}
