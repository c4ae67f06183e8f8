package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/pgp"
	"starpost/pbem/vault"
)

// captainKeys reads the keys that are given as SHIP=FILE, gives each captain the
// name of his in the game directory, and returns what to write there.
func captainKeys(list []string, captains []vault.Captain, now time.Time) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, k := range list {
		ship, file, ok := strings.Cut(k, "=")
		if !ok || ship == "" || file == "" {
			return nil, usage("such as --pgp Hood=ann.asc", "--pgp %q is not SHIP=FILE", k)
		}
		at := slices.IndexFunc(captains, func(c vault.Captain) bool { return strings.EqualFold(c.Seat(), ship) })
		if at < 0 {
			return nil, usage(fmt.Sprintf("give --captain %s=ADDRESS too", ship), "--pgp: no captain is named for ship %s", ship)
		}
		data, err := readFile("an OpenPGP key", file, pgp.MaxKey)
		if err != nil {
			return nil, err
		}
		key, err := pgp.ParseKey(data)
		if err == nil {
			err = key.Usable(now)
		}
		if told, ok := errors.AsType[*pgp.KeyError](err); ok {
			return nil, usage(told.Way, "--pgp: %s: %s", file, told.Problem)
		}
		captains[at].PGP = vault.KeysDir + "/" + strings.ToLower(captains[at].Seat()) + ".asc"
		out[captains[at].PGP] = data
	}
	return out, nil
}

// writeKey puts a key into a new game directory.
func writeKey(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
