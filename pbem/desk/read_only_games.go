package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/vault"
)

// ReadOnlyGames is Games that are only looked into.
type ReadOnlyGames struct{ games []*vault.Game }

// OpenReadOnlyGames opens the games in these directories.
func OpenReadOnlyGames(dirs []string, c vault.Catalogue) (*ReadOnlyGames, error) {
	b := &ReadOnlyGames{}
	for _, dir := range dirs {
		g, err := vault.Open(dir, c)
		if err != nil {
			return nil, err
		}
		b.games = append(b.games, g)
	}
	slices.SortFunc(b.games, func(x, y *vault.Game) int { return strings.Compare(x.ID(), y.ID()) })
	return b, nil
}

// Settings implements Games.
func (b *ReadOnlyGames) Settings() []vault.Settings {
	out := make([]vault.Settings, len(b.games))
	for i, g := range b.games {
		out[i] = g.Settings()
	}
	return out
}

// Game implements Games.
func (b *ReadOnlyGames) Game(id string) (*vault.Game, error) {
	for _, g := range b.games {
		if g.ID() == id {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q", id)
}

// Look implements Games.
func (b *ReadOnlyGames) Look(id string) (*vault.Game, error) { return b.Game(id) }
