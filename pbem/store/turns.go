package store

import (
	"context"
	"fmt"
)

// QueuedTurn gives up to which turn the reports of a game are known to the store, -1
// for none; false for a game of which it knows nothing.
func (l *Store) QueuedTurn(ctx context.Context, game string) (turn int, known bool, err error) {
	turn, known, err = first(ctx, l, "look up the turns of "+game, func(row scanner) (turn int, err error) {
		err = row.Scan(&turn)
		return turn, err
	}, "SELECT queued FROM games WHERE game = ?", game)
	if !known {
		turn = -1
	}
	return turn, known, err
}

// QueueTurn puts the reports of a turn into the outbox, see Queue, and notes
// that.
func (l *Store) QueueTurn(ctx context.Context, game string, turn int, messages ...OutboxMessage) (added int, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		if added, err = l.Queue(ctx, messages...); err != nil {
			return err
		}
		_, err := l.exec(ctx, fmt.Sprintf("queue turn %d of %s", turn, game),
			"INSERT INTO games (game, queued) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET queued = ?2 WHERE queued < ?2", game, turn)
		return err
	})
	return added, err
}

// RecordTurnSent is for the reports of a turn that was played before the store knew
// the game: what it does not know of counts as sent, mails that it does know stay as
// they are. That the game is known now is for QueueTurn to note, with the turn that
// ends the passing.
func (l *Store) RecordTurnSent(ctx context.Context, messages ...OutboxMessage) error {
	_, err := l.queue(ctx, Sent, "before the store knew the game", messages)
	return err
}
