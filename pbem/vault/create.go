package vault

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"starpost/pbem/disk"

	"starpost/engine/dice"
)

// A game is its owner's alone: reports and orders are what its captains must not
// know of each other, and the mails have their keys.
const (
	fileMode fs.FileMode = 0o600
	dirMode  fs.FileMode = 0o700
)

// NewGame is what a game directory is made of.
type NewGame struct {
	Settings Settings // Format and SecretSHA256 are filled in
	Scenario []byte
	Secret   dice.Secret
	Tables   map[string][]byte // "ships/x.toml"; nil for none
	Manifest Manifest          // of turn 0: Resolved
	Fill     FileWriter        // makes the files of turn 0
}

// Create makes a game directory. Dir must not exist, or be empty; otherwise it
// is ErrExists and nothing is changed. The directory is a game once game.toml
// is there, which is written last.
func Create(dir string, n NewGame) error {
	dir = filepath.Clean(dir)
	n.Settings.Format, n.Settings.SecretSHA256 = Format, dice.Commit(n.Secret)
	n.Settings.Title = cmp.Or(n.Settings.Title, n.Settings.ID)
	toml, err := n.Settings.Encode()
	if err != nil {
		return err
	}
	if _, err := ParseSettings(toml, "game.toml"); err != nil {
		return fmt.Errorf("create %s: %w", dir, err)
	}
	_, serr := os.Stat(dir)
	if err := emptyDir(dir); err != nil {
		return err
	}
	tmp := filepath.Join(dir, building)
	if err := n.write(tmp, toml); err != nil {
		err = errors.Join(err, os.RemoveAll(tmp))
		if errors.Is(serr, fs.ErrNotExist) {
			err = errors.Join(err, os.Remove(dir)) // it was made for this game
		}
		return err
	}
	for _, name := range []string{"secret", "scenario.toml", "ships", "orders", "turns", "game.toml"} {
		err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name))
		if err != nil && !(name == "ships" && errors.Is(err, fs.ErrNotExist)) {
			return system("create the game", filepath.Join(dir, name), err)
		}
	}
	if err := os.Remove(tmp); err != nil {
		return system("create the game", tmp, err)
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := disk.SyncDir(d); err != nil {
			return system("create the game", d, err)
		}
	}
	return nil
}

// emptyDir makes dir, for its owner alone, unless it is there and empty. What an interrupted Create
// left is removed.
func emptyDir(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return system("create the game", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return system("create the game", dir, err)
	}
	for _, e := range entries {
		if e.Name() == building && e.IsDir() {
			continue
		}
		way := "choose another directory"
		if e.Name() == "game.toml" {
			way = "there is a game in it already: choose another directory"
		}
		return &Error{Path: dir, Problem: fmt.Sprintf("the directory is not empty (%s)", e.Name()), Way: way, Err: ErrExists}
	}
	return system("create the game", dir, os.RemoveAll(filepath.Join(dir, building)))
}

func (n NewGame) write(tmp string, toml []byte) error {
	for _, d := range []string{tmp, filepath.Join(tmp, "orders"), filepath.Join(tmp, "turns")} {
		if err := os.Mkdir(d, dirMode); err != nil {
			return system("create the game", d, err)
		}
	}
	secret, err := n.Secret.MarshalText()
	if err != nil {
		return fmt.Errorf("create a game: %w", err)
	}
	if err := writeFile(filepath.Join(tmp, "secret"), append(secret, '\n')); err != nil {
		return err
	}
	base := map[string]string{"scenario.toml": Hash(n.Scenario)}
	if err := writeFile(filepath.Join(tmp, "scenario.toml"), n.Scenario); err != nil {
		return err
	}
	for i, name := range slices.Sorted(maps.Keys(n.Tables)) {
		if i == 0 {
			if err := os.Mkdir(filepath.Join(tmp, "ships"), dirMode); err != nil {
				return system("create the game", filepath.Join(tmp, "ships"), err)
			}
		}
		if ok, err := filepath.Match("ships/*.toml", name); err != nil || !ok {
			return fmt.Errorf("create a game: %q is no name for a table; ships/NAME.toml is", name)
		}
		base[name] = Hash(n.Tables[name])
		if err := writeFile(filepath.Join(tmp, filepath.FromSlash(name)), n.Tables[name]); err != nil {
			return err
		}
	}
	m := n.Manifest
	m.Turn, m.Base = 0, base
	none := func(string) error { return nil }
	if _, err := writeTurn(filepath.Join(tmp, "turns", turnName(0)), n.Settings.ID, m, n.Fill, none); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(tmp, "game.toml"), toml); err != nil {
		return err
	}
	return syncTree(tmp)
}
