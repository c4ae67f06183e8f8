package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Snapshot copies the ledger in the file from, as it is at one moment, to a new
// file. A daemon may use it meanwhile. What lies beside a ledger is not needed:
// it is made anew when the copy is opened.
func Snapshot(ctx context.Context, from, to string) (err error) {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("copy the ledger: %w", err)
	}
	abs, err := filepath.Abs(from)
	if err != nil {
		return fmt.Errorf("copy the ledger %s: %w", from, err)
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "mode=ro&_pragma=busy_timeout(5000)"}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return fmt.Errorf("copy the ledger %s: %w", from, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return hinted(from, fmt.Errorf("copy the ledger %s: %w", from, err))
	}
	if err := os.Chmod(to, 0o600); err != nil {
		return fmt.Errorf("copy the ledger %s: %w", from, err)
	}
	return nil
}

// Rehome has the waiting letters of a game that lie in files be looked for below
// dir, the game's directory, where it was put elsewhere since they were queued.
func (l *Ledger) Rehome(ctx context.Context, game, dir string) error {
	const turns = string(filepath.Separator) + "turns" + string(filepath.Separator)
	waiting, err := l.letters(ctx, "look for letters in files", "game = ? AND path <> '' AND state IN ('queued', 'ambiguous')", game)
	if err != nil {
		return err
	}
	for _, m := range waiting {
		at := strings.LastIndex(m.Path, turns)
		if at < 0 || m.Path[:at] == dir {
			continue
		}
		if _, err := l.db.ExecContext(ctx, "UPDATE outbox SET path = ? WHERE id = ?", dir+m.Path[at:], m.ID); err != nil {
			return fmt.Errorf("note where the letters of %s are now: %w", game, err)
		}
	}
	return nil
}
