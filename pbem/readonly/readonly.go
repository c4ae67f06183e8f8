// Package readonly gives a desk games for reading only: its answers go to someone who asks, and nothing is written.
package readonly

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/lobby"
	"starpost/pbem/record"
	"starpost/pbem/vault"
)

// Games implements desk.Games for reading only.
type Games struct {
	games    []*vault.Game
	settings []*vault.Settings
	known    map[string]*lobby.Listing
}

// Open opens the games of these records.
func Open(trees []record.Tree, c vault.Catalogue) (*Games, error) {
	var games []*vault.Game
	for _, tree := range trees {
		g, err := vault.Open(tree, c)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return New(games), nil
}

// New returns Games for open games.
func New(games []*vault.Game) *Games {
	b := &Games{games: games, known: map[string]*lobby.Listing{}}
	slices.SortFunc(b.games, func(x, y *vault.Game) int { return strings.Compare(x.ID(), y.ID()) })
	for _, g := range b.games {
		b.settings = append(b.settings, g.SharedSettings())
	}
	return b
}

// Settings implements desk.Games.
func (b *Games) Settings() []*vault.Settings { return b.settings }

// Game implements desk.Games.
func (b *Games) Game(id string) (*vault.Game, error) {
	for _, g := range b.games {
		if g.ID() == id {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q", id)
}

// Look implements desk.Games.
func (b *Games) Look(id string) (*vault.Game, error) { return b.Game(id) }

// Known implements desk.Games.
func (b *Games) Known(id string) *lobby.Listing { return b.known[id] }

// Keep implements desk.Games. No one writes to the games, so l stays valid.
func (b *Games) Keep(id string, l *lobby.Listing) { b.known[id] = l }
