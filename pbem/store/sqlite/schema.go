package sqlite

import (
	"context"
	"fmt"

	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// migrations[i] migrates a store from format i to i+1. A published migration is never
// edited; later ones are added.
var migrations = []string{
	`CREATE TABLE mails (
		mailbox     TEXT    NOT NULL,
		uidvalidity INTEGER NOT NULL,
		uid         INTEGER NOT NULL,
		sha256      TEXT    NOT NULL,
		message_id  TEXT    NOT NULL,
		received_at INTEGER NOT NULL,
		state       INTEGER NOT NULL,
		outcome     TEXT    NOT NULL,
		PRIMARY KEY (mailbox, uidvalidity, uid)
	) STRICT;
	CREATE INDEX mails_by_content ON mails (sha256);
	CREATE INDEX mails_by_message_id ON mails (message_id) WHERE message_id <> '';
	CREATE INDEX mails_unfinished ON mails (state) WHERE state < 4;

	CREATE TABLE cursors (
		mailbox     TEXT PRIMARY KEY,
		uidvalidity INTEGER NOT NULL,
		uid         INTEGER NOT NULL
	) STRICT;

	CREATE TABLE outbox (
		id          INTEGER PRIMARY KEY AUTOINCREMENT,
		game        TEXT    NOT NULL,
		kind        TEXT    NOT NULL,
		message_id  TEXT    NOT NULL UNIQUE,
		sender      TEXT    NOT NULL,
		recipient   TEXT    NOT NULL,
		path        TEXT    NOT NULL,
		bytes       BLOB,
		queued_at   INTEGER NOT NULL,
		attempts    INTEGER NOT NULL,
		next_try    INTEGER NOT NULL,
		state       TEXT    NOT NULL CHECK (state IN ('queued', 'ambiguous', 'sent', 'failed')),
		settled_at  INTEGER NOT NULL,
		last_error  TEXT    NOT NULL
	) STRICT;
	CREATE INDEX outbox_due ON outbox (next_try) WHERE state IN ('queued', 'ambiguous');
	CREATE INDEX outbox_by_game ON outbox (game);

	CREATE TABLE reminders (
		game    TEXT    NOT NULL,
		turn    INTEGER NOT NULL,
		captain TEXT    NOT NULL,
		which   TEXT    NOT NULL,
		sent_at INTEGER NOT NULL,
		PRIMARY KEY (game, turn, captain, which)
	) STRICT;

	CREATE TABLE answers (
		sender TEXT    NOT NULL,
		kind   TEXT    NOT NULL,
		cause  TEXT    NOT NULL,
		at     INTEGER NOT NULL,
		PRIMARY KEY (sender, kind, cause)
	) STRICT;
	CREATE INDEX answers_by_time ON answers (at);

	CREATE TABLE events (
		game    TEXT    NOT NULL,
		turn    INTEGER NOT NULL,
		name    TEXT    NOT NULL,
		subject TEXT    NOT NULL,
		at      INTEGER NOT NULL,
		detail  TEXT    NOT NULL,
		PRIMARY KEY (game, turn, name, subject)
	) STRICT;`,

	`CREATE TABLE games (
		game   TEXT PRIMARY KEY,
		queued INTEGER NOT NULL
	) STRICT;
	INSERT INTO games SELECT DISTINCT game, -1 FROM outbox WHERE kind = 'report';

	CREATE TABLE owed (
		message_id TEXT PRIMARY KEY
	) STRICT;

	CREATE TABLE bounces (
		cause      TEXT    NOT NULL,
		message_id TEXT    NOT NULL,
		address    TEXT    NOT NULL,
		at         INTEGER NOT NULL,
		permanent  INTEGER NOT NULL,
		status     TEXT    NOT NULL,
		diagnostic TEXT    NOT NULL,
		PRIMARY KEY (cause, message_id)
	) STRICT;
	CREATE INDEX bounces_by_address ON bounces (address, at);

	CREATE TABLE unanswered (
		sender TEXT    NOT NULL,
		cause  TEXT    NOT NULL,
		at     INTEGER NOT NULL,
		PRIMARY KEY (sender, cause)
	) STRICT;`,

	// Where to find a mail that is neither in a game's file nor in this table.
	`ALTER TABLE outbox ADD COLUMN segment INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE outbox ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE outbox ADD COLUMN length INTEGER NOT NULL DEFAULT 0;`,

	// Where the reading of a mailbox began, 0 for the whole mailbox, as in earlier versions;
	// and when a mail reached the server, 0 if unknown.
	`CREATE TABLE starts (
		mailbox     TEXT PRIMARY KEY,
		since       INTEGER NOT NULL,
		asked       INTEGER NOT NULL,
		uidvalidity INTEGER NOT NULL,
		uid         INTEGER NOT NULL,
		remaining   INTEGER NOT NULL
	) STRICT;
	INSERT INTO starts SELECT mailbox, 0, 0, uidvalidity, 0, 0 FROM cursors;
	ALTER TABLE mails ADD COLUMN arrived INTEGER NOT NULL DEFAULT 0;`,

	// Keep all bytes here; takeOver fetches those that were elsewhere.
	`CREATE TABLE numbered (
		id          INTEGER PRIMARY KEY,
		mailbox     TEXT    NOT NULL,
		uidvalidity INTEGER NOT NULL,
		uid         INTEGER NOT NULL,
		sha256      TEXT    NOT NULL,
		message_id  TEXT    NOT NULL,
		received_at INTEGER NOT NULL,
		state       INTEGER NOT NULL,
		outcome     TEXT    NOT NULL,
		arrived     INTEGER NOT NULL,
		UNIQUE (mailbox, uidvalidity, uid)
	) STRICT;
	INSERT INTO numbered (mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived)
		SELECT mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived FROM mails ORDER BY rowid;
	DROP TABLE mails;
	ALTER TABLE numbered RENAME TO mails;
	CREATE INDEX mails_by_content ON mails (sha256);
	CREATE INDEX mails_by_message_id ON mails (message_id) WHERE message_id <> '';
	CREATE INDEX mails_unfinished ON mails (state) WHERE state < 4;
	CREATE TABLE raws (
		id    INTEGER PRIMARY KEY,
		bytes BLOB NOT NULL
	) STRICT;
	CREATE TABLE letters (
		id    INTEGER PRIMARY KEY,
		sum   INTEGER, -- NULL if it is not known
		bytes BLOB NOT NULL
	) STRICT;
	INSERT INTO letters SELECT id, NULL, bytes FROM outbox WHERE bytes IS NOT NULL AND state <> 'sent';
	ALTER TABLE outbox DROP COLUMN bytes;
	ALTER TABLE outbox DROP COLUMN segment;
	ALTER TABLE outbox DROP COLUMN place;
	ALTER TABLE outbox DROP COLUMN length;
	CREATE TABLE commits (n INTEGER NOT NULL) STRICT;
	INSERT INTO commits VALUES (0);
	INSERT INTO events SELECT game, turn, 'remind ' || which, captain, sent_at, '' FROM reminders;
	DROP TABLE reminders;
	DROP TABLE owed;`,

	`CREATE TABLE leases (
		game   TEXT PRIMARY KEY,
		holder TEXT    NOT NULL,
		until  INTEGER NOT NULL
	) STRICT;`,

	`CREATE TABLE idle (
		game   TEXT PRIMARY KEY,
		seen   TEXT NOT NULL,
		detail TEXT NOT NULL
	) STRICT;`,
}

// Format returns the format of stores written by this version. Stores in earlier formats are migrated when opened.
func Format() int { return len(migrations) }

// migrate brings the schema to the present format in one transaction.
func (l *Store) migrate(ctx context.Context) error {
	version, err := sqlstore.Get[int](ctx, l.db, "read the format", "PRAGMA user_version")
	if err != nil || version == len(migrations) {
		return err
	}
	return l.Group(ctx, func(ctx context.Context) error {
		if version, err = sqlstore.Get[int](ctx, l.db, "read the format", "PRAGMA user_version"); err != nil {
			return err
		}
		if version > len(migrations) {
			return fmt.Errorf("%w (its format is %d, this version knows up to %d)", store.ErrNewer, version, len(migrations))
		}
		for ; version < len(migrations); version++ {
			script := migrations[version] + fmt.Sprintf("; PRAGMA user_version = %d", version+1)
			if _, err := l.link.conn.ExecContext(ctx, script); err != nil {
				return fmt.Errorf("migrate to format %d: %w", version+1, err)
			}
		}
		return nil
	})
}
