package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/vault"
)

// ReadOnlyGames is Games that are only looked into.
type ReadOnlyGames struct {
	games    []*vault.Game
	settings []*vault.Settings
	known    map[string]*Listing
}

// OpenReadOnlyGames opens the games in these directories.
func OpenReadOnlyGames(dirs []string, c vault.Catalogue) (*ReadOnlyGames, error) {
	var games []*vault.Game
	for _, dir := range dirs {
		g, err := vault.Open(dir, c)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return NewReadOnlyGames(games), nil
}

// NewReadOnlyGames is games that are open.
func NewReadOnlyGames(games []*vault.Game) *ReadOnlyGames {
	b := &ReadOnlyGames{games: games, known: map[string]*Listing{}}
	slices.SortFunc(b.games, func(x, y *vault.Game) int { return strings.Compare(x.ID(), y.ID()) })
	for _, g := range b.games {
		b.settings = append(b.settings, g.SharedSettings())
	}
	return b
}

// Settings implements Games.
func (b *ReadOnlyGames) Settings() []*vault.Settings { return b.settings }

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

// Known implements Games.
func (b *ReadOnlyGames) Known(id string) *Listing { return b.known[id] }

// Keep implements Games: no one writes to the games, so what was read holds.
func (b *ReadOnlyGames) Keep(id string, l *Listing) { b.known[id] = l }
