package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const setQueued = "INSERT INTO games (game, queued) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET queued = max(queued, ?2)"

// QueuedTurn gives up to which turn the reports of a game are known to the ledger, -1
// for none; false for a game of which it knows nothing.
func (l *Ledger) QueuedTurn(ctx context.Context, game string) (turn int, known bool, err error) {
	err = l.db.QueryRowContext(ctx, "SELECT queued FROM games WHERE game = ?", game).Scan(&turn)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, false, nil
	}
	if err != nil {
		return -1, false, fmt.Errorf("look up the turns of %s: %w", game, err)
	}
	return turn, true, nil
}

// QueueTurn puts the reports of a turn into the outbox, see Queue, and notes
// that.
func (l *Ledger) QueueTurn(ctx context.Context, game string, turn int, messages ...OutboxMessage) (added int, err error) {
	added, err = l.queueWith(ctx, messages, func(ctx context.Context, tx *transaction) error { return l.setQueued(ctx, tx, game, turn) })
	if err != nil {
		return 0, fmt.Errorf("queue turn %d of %s: %w", turn, game, err)
	}
	return added, nil
}

// RecordTurnSent is for the reports of a turn that was played before the ledger knew
// the game, or before it was lost: what it does not know of counts as sent, but
// for those of which it is known that they were not. added counts these, which
// are queued. Mails that it does know stay as they are. That the game is known
// now is for QueueTurn to note, with the turn that ends the passing.
func (l *Ledger) RecordTurnSent(ctx context.Context, game string, turn int, messages ...OutboxMessage) (added int, err error) {
	err = l.within(ctx, func(tx *transaction) error {
		for _, m := range messages {
			isNew, err := queue(ctx, tx, m)
			if err != nil {
				return err
			}
			owed, err := inserted(tx.ExecContext(ctx, "DELETE FROM owed WHERE message_id = ?", m.MessageID))
			switch {
			case err != nil:
				return err
			case !isNew:
			case owed:
				added++
			default:
				if _, err := tx.ExecContext(ctx, `UPDATE outbox SET state = 'sent', settled_at = queued_at, last_error = 'before the ledger knew the game'
					WHERE message_id = ?`, m.MessageID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("pass turn %d of %s: %w", turn, game, err)
	}
	return added, nil
}

func (l *Ledger) setQueued(ctx context.Context, tx *transaction, game string, turn int) error {
	moved, err := inserted(tx.ExecContext(ctx, setQueued+" WHERE queued < ?2", game, turn))
	if err != nil || !moved {
		return err
	}
	return l.note(ctx, trace{Turn: &turnTrace{game, turn}})
}

// HasOwed tells whether mails lie in files that had to be sent when the ledger
// was lost, and that it has not found again yet (see RecordTurnSent).
func (l *Ledger) HasOwed(ctx context.Context) (bool, error) {
	return get[bool](ctx, l, "look up mails that are owed", "SELECT EXISTS (SELECT 1 FROM owed)")
}
