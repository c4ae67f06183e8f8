package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/vault"
)

// ReadingBook is a Book of games that are only looked into.
type ReadingBook struct{ games []*vault.Game }

// OpenBook opens the games in these directories.
func OpenBook(dirs []string, c vault.Catalogue) (*ReadingBook, error) {
	b := &ReadingBook{}
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

// Settings implements Book.
func (b *ReadingBook) Settings() []vault.Settings {
	out := make([]vault.Settings, len(b.games))
	for i, g := range b.games {
		out[i] = g.Settings()
	}
	return out
}

// Game implements Book.
func (b *ReadingBook) Game(id string) (*vault.Game, error) {
	for _, g := range b.games {
		if g.ID() == id {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q", id)
}

// Look implements Book.
func (b *ReadingBook) Look(id string) (*vault.Game, error) { return b.Game(id) }
