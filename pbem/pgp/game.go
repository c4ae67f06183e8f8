package pgp

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"starpost/pbem/vault"
)

// CheckKeys reads the keys that a game has for its captains and gives, sorted as its
// captains are, what is wrong with each that could not be used at a moment. Each
// error is a *vault.Error.
func CheckKeys(g *vault.Game, now time.Time) []error {
	var out []error
	for _, c := range g.Settings().Captains {
		if c.PGP == "" {
			continue
		}
		data, err := g.PublicKey(c)
		if err != nil {
			out = append(out, err)
			continue
		}
		key, err := ParseKey(data)
		if err == nil {
			err = key.Usable(now)
		}
		if told, ok := errors.AsType[*KeyError](err); ok {
			out = append(out, &vault.Error{
				Path: filepath.Join(g.Dir(), filepath.FromSlash(c.PGP)), Problem: fmt.Sprintf("captain %s: %s", c.Name, told.Problem), Way: told.Way, Err: err,
			})
		}
	}
	return out
}
