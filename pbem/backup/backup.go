package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/disk"
	"starpost/pbem/incoming"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// Names within a backup.
const (
	GamesDir     = "games"
	StateDir     = "state"
	ConfigFile   = "starpost.toml"
	ManifestFile = "backup.json"
)

// Manifest describes a backup. It is written last.
type Manifest struct {
	Time    time.Time `json:"time"`    // everything done before is in the backup
	Version string    `json:"version"` // of the program
	State   string    `json:"state"`   // original place of the state directory
	Games   []Game    `json:"games"`
	Mails   int       `json:"mails"` // stored incoming mails
	Bytes   int64     `json:"bytes"`
}

// Game is one game of a backup.
type Game struct {
	ID      string `json:"id,omitempty"` // "" if it cannot be opened
	Turn    int    `json:"turn"`
	From    string `json:"from"` // original place
	In      string `json:"in"`   // place in the backup, with slashes; "" if nothing of it could be read
	Problem string `json:"problem,omitempty"`
}

// Options say what to copy and where.
type Options struct {
	Config    *config.Config
	Catalogue vault.Catalogue
	To        string        // a directory that must not exist
	Clock     clock.Clock   // nil: the system clock
	Patience  time.Duration // how long to wait for games that are in use; 0 means a minute
	Version   string
}

// ErrExists is returned if the target already exists.
var ErrExists = errors.New("something is already there")

// Make makes a backup. A game that cannot be opened is copied unchanged, if it can be read, and has a Problem.
func Make(ctx context.Context, o Options) (m Manifest, err error) {
	if o.Clock == nil {
		o.Clock = clock.Real{}
	}
	if o.Patience <= 0 {
		o.Patience = time.Minute
	}
	if _, err := os.Lstat(o.To); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = ErrExists
		}
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	part := o.To + partSuffix
	held, err := begin(part)
	if err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	defer func() { err = errors.Join(err, held.end()) }()
	if err := os.Mkdir(part, 0o700); err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	m, err = copyAll(ctx, o, part)
	if err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	if err := disk.Replace(filepath.Join(part, ManifestFile), append(text, '\n'), 0o600); err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	if err := os.Rename(part, o.To); err != nil {
		return m, fmt.Errorf("back up to %s: %w", o.To, err)
	}
	return m, nil
}

func copyAll(ctx context.Context, o Options, part string) (m Manifest, err error) {
	m = Manifest{Time: o.Clock.Now().UTC().Round(0), Version: o.Version, State: o.Config.State}
	dirs, err := o.Config.GameDirs()
	if err != nil {
		return m, err
	}
	state := filepath.Join(part, StateDir)
	for _, d := range []string{state, filepath.Join(part, GamesDir)} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return m, err
		}
	}
	t := tree{ctx: ctx}
	// Before the store: a mail that is handled meanwhile is in both, and counts once.
	if err := t.copy(filepath.Join(o.Config.State, incoming.Folder), filepath.Join(state, incoming.Folder)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	if err := copyGames(ctx, o, part, dirs, &m); err != nil {
		return m, err
	}
	// After the games: if a round of a cup is paired meanwhile, its games are made at the next look. Also clubs, and
	// the mail folders of an earlier version, until its state is taken over.
	for _, folder := range []string{"cups", "clubs", "spool", "ledger.d"} {
		if err := t.copy(filepath.Join(o.Config.State, folder), filepath.Join(state, folder)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	if err := t.copy(o.Config.File, filepath.Join(part, ConfigFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	entries, err := os.ReadDir(o.Config.State)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !ours(e.Name()) {
			continue
		}
		if err := t.copy(filepath.Join(o.Config.State, e.Name()), filepath.Join(state, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	m.Bytes += t.bytes
	return m, nil
}

// ours reports whether a file of the state directory is copied as it is, including the heartbeat, which tells a daemon
// how long no daemon ran.
func ours(name string) bool {
	return !strings.HasPrefix(name, "ledger.") && !strings.HasPrefix(name, ".") && filepath.Ext(name) != ".lock"
}

// copyGames copies games and store in a consistent state.
func copyGames(ctx context.Context, o Options, part string, dirs []string, m *Manifest) (err error) {
	var locked []*vault.Game
	defer func() {
		for _, g := range locked {
			err = errors.Join(err, g.Unlock())
		}
	}()
	until := o.Clock.Now().Add(o.Patience)
	for _, dir := range dirs {
		one := Game{From: dir, In: GamesDir + "/" + name(dir, m.Games)}
		g, err := vault.Open(directory.At(dir), o.Catalogue)
		if err == nil {
			if err := lock(ctx, o.Clock, g, until); err != nil {
				return err
			}
			locked = append(locked, g)
			one.ID, one.Turn = g.ID(), g.Turn()
		} else {
			one.Problem = err.Error()
			if _, err := os.ReadDir(dir); err != nil {
				one.In = ""
			}
		}
		m.Games = append(m.Games, one)
	}
	beside := len(m.Games)
	m.Mails, err = hosted.Snapshot(ctx, o.Config, filepath.Join(part, StateDir, "ledger.db"), func(game string, files []record.File) error {
		at, _, _ := strings.Cut(o.Config.Store.URL, "?")
		one := Game{From: at + "/" + game, In: GamesDir + "/" + name(game, m.Games)}
		to := directory.At(filepath.Join(part, filepath.FromSlash(one.In)))
		if err := to.Create(files); err != nil {
			return err
		}
		for _, f := range files {
			m.Bytes += int64(len(f.Data))
		}
		if g, err := vault.Open(to, o.Catalogue); err == nil {
			one.ID, one.Turn = g.ID(), g.Turn()
		} else {
			one.Problem = err.Error()
		}
		m.Games = append(m.Games, one)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, one := range m.Games[:beside] {
		if one.In == "" {
			continue
		}
		t := tree{ctx: ctx}
		if err := t.copy(one.From, filepath.Join(part, filepath.FromSlash(one.In))); err != nil {
			return err
		}
		m.Bytes += t.bytes
	}
	return nil
}

// name returns a game's directory name, with a number if it is taken.
func name(dir string, taken []Game) string {
	base := filepath.Base(dir)
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		if !slices.ContainsFunc(taken, func(g Game) bool { return g.In == GamesDir+"/"+name }) {
			return name
		}
	}
}

// lock waits until the game is free.
func lock(ctx context.Context, c clock.Clock, g *vault.Game, until time.Time) error {
	const again = 100 * time.Millisecond
	for {
		err := g.Lock()
		if !errors.Is(err, vault.ErrLocked) || !c.Now().Before(until) {
			return err
		}
		select {
		case <-c.After(again):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
