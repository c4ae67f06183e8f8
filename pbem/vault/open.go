package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"starpost/engine/dice"
	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// Open reads a game: settings, rule set, secret and the list of turns. A problem is an *Error that
// names the file. Nothing is changed.
func Open(tree record.Tree, c Catalogue) (*Game, error) {
	g := &Game{tree: files{tree}}
	g.Journal = Journal{tree: g.tree, changed: g.overlay}
	g.Stages = Stages{tree: g.tree, conf: &g.conf, journal: &g.Journal, moved: g.moved}
	g.Orders = Orders{tree: g.tree, stages: &g.Stages, journal: &g.Journal, game: g}
	dir := g.Dir()
	data, err := tree.ReadFile(settingsFile)
	if errors.Is(err, fs.ErrNotExist) {
		if word, merr := tree.ReadFile(MovedFile); merr == nil {
			return nil, &Error{Path: dir, Problem: strings.TrimSpace(string(word)), Way: "name that place instead, a database with --store URL; files left here no longer count", Err: ErrNotAGame}
		}
		problem, way := "this is not a game directory (it has no game.toml)", "make one with `starpost new`"
		if _, serr := tree.Stat(turnsDir); serr == nil {
			way = "game.toml is missing: restore it from a backup of the game directory"
		} else if t, ok := tree.(interface{ Missing() (problem, way string) }); ok { // not a directory
			problem, way = t.Missing()
		}
		return nil, &Error{Path: dir, Problem: problem, Way: way, Err: ErrNotAGame}
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, &Error{Path: dir, Problem: "this is a file, not a game directory", Way: "name the directory that contains game.toml", Err: ErrNotAGame}
	}
	if err != nil {
		return nil, system("read", g.tree.path("game.toml"), err)
	}
	if err := g.readSettings(data); err != nil {
		return nil, err
	}
	if g.own, err = g.readTables(); err != nil {
		return nil, err
	}
	if g.rules, err = c.Rules(g.conf.file.Rules, g.own); err != nil {
		if told, ok := errors.AsType[*Error](err); ok { // the catalogue has no such rule set
			return nil, &Error{Path: g.tree.path("game.toml"), Problem: told.Problem, Way: told.Way, Err: told.Err}
		}
		if len(g.own) == 0 {
			return nil, fmt.Errorf("open %s: %w", dir, err)
		}
		return nil, damaged(g.tree.path("ships"), "the game's own tables are unusable: %v", err)
	}
	if g.conf.file.InRounds() && g.rules.Rounds() < 2 {
		return nil, &Error{
			Path:    g.tree.path("game.toml"),
			Problem: fmt.Sprintf("cadence = %q: turns of rule set %s cannot be split into phases", g.conf.file.Cadence, g.conf.file.Rules),
			Way:     fmt.Sprintf("write cadence = %q", CadenceTurn), Err: ErrSettings,
		}
	}
	g.Stages.rules = g.rules
	if err := g.readSecret(); err != nil {
		return nil, err
	}
	if err := g.refresh(); err != nil {
		return nil, err
	}
	if err := wrongVersion(g); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *Game) readSecret() error {
	path := g.tree.path("secret")
	data, err := g.tree.ReadFile("secret")
	if err != nil {
		return missing(path, err)
	}
	s, err := dice.ParseSecret(strings.TrimSpace(string(data)))
	if err != nil {
		return damaged(path, "%v", err)
	}
	if dice.Commit(s) != g.conf.file.SecretSHA256 {
		return damaged(path, "the secret does not match its hash in game.toml (secret_sha256)")
	}
	g.secret = s
	return nil
}

// readTables reads the game's own tables.
func (g *Game) readTables() (map[string][]byte, error) {
	found, err := fs.Glob(g.tree, "ships/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list the tables of %s: %w", g.Dir(), err)
	}
	var own map[string][]byte
	for _, name := range found {
		data, err := g.tree.ReadFile(name)
		if err != nil {
			return nil, missing(g.tree.path(name), err)
		}
		if own == nil {
			own = map[string][]byte{}
		}
		own[name] = data
	}
	return own, nil
}

// refresh updates the list of turns and the journal.
func (g *Game) refresh() error {
	same := g.Stages.same()
	if err := g.Journal.read(); err != nil {
		return err
	}
	if same && g.Stages.past.head == g.Journal.known.head {
		return g.Stages.readRounds()
	}
	return g.Stages.read()
}

// cachingRecord is a record that caches what is read until end is called, or until Renew.
type cachingRecord interface {
	InOneMoment() (end func())
	Renew() // sees the record as of now, from the next read on
}

// Refresh reads again what another process may have changed: settings, turns and journal.
func (g *Game) Refresh() error {
	if t, ok := g.tree.Tree.(cachingRecord); ok {
		t.Renew()
	}
	data, err := g.tree.ReadFile(settingsFile)
	if err != nil {
		return missing(g.tree.path("game.toml"), err)
	}
	if err := g.readSettings(data); err != nil {
		return err
	}
	g.Journal.renew()
	return g.refresh()
}

// readSettings reads the text of game.toml.
func (g *Game) readSettings(data []byte) error {
	changed, err := g.conf.read(data, g.tree.path(settingsFile))
	if changed {
		g.overlay()
	}
	return err
}

// PublicKey reads the file with a captain's or referee's OpenPGP key, as PGP names it; nil for "".
// It does not check the content. The error is an *Error, and names the owner of the key.
func PublicKey(g *Game, file, whose string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	name := g.tree.path(file)
	trouble := func(problem string, err error) error {
		return &Error{
			Path: name, Problem: fmt.Sprintf("the OpenPGP key of %s %s", whose, problem), Err: err,
			Way: "put the armored public key there, or remove pgp from game.toml",
		}
	}
	if !keyPath(file) {
		return nil, trouble("is not in the game directory", ErrSettings)
	}
	f, err := g.tree.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, trouble("is missing", err)
	}
	if err != nil {
		return nil, trouble(fmt.Sprintf("cannot be read: %v", fault.Cause(err)), err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, trouble(fmt.Sprintf("cannot be read: %v", fault.Cause(err)), err)
	}
	if len(data) > maxKey {
		return nil, trouble(fmt.Sprintf("is larger than %d bytes", maxKey), ErrSettings)
	}
	return data, nil
}

// maxKey limits the file of a public key, in bytes.
const maxKey = 256 << 10
