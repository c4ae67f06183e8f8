package store

import "context"

// IdleGame is a game in which there was nothing to do, as it was looked at last.
type IdleGame struct {
	Game   string
	Seen   string // what was seen of its files: while that is the same, there is still nothing to do
	Detail string // what else is worth knowing of it, which is its reader's business
}

// RecordIdle notes games in which there is nothing to do, in place of what was noted of them.
func (l *Store) RecordIdle(ctx context.Context, games ...IdleGame) error {
	return l.Group(ctx, func(ctx context.Context) error {
		for _, g := range games {
			if _, err := l.exec(ctx, "note an idle game", "INSERT OR REPLACE INTO idle (game, seen, detail) VALUES (?, ?, ?)", g.Game, g.Seen, g.Detail); err != nil {
				return err
			}
		}
		return nil
	})
}

// IdleGames gives all games of which that is noted, by name.
func (l *Store) IdleGames(ctx context.Context) ([]IdleGame, error) {
	return collect(ctx, l, "list idle games", func(row scanner) (g IdleGame, err error) {
		err = row.Scan(&g.Game, &g.Seen, &g.Detail)
		return g, err
	}, "SELECT game, seen, detail FROM idle ORDER BY game")
}
