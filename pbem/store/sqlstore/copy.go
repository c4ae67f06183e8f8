package sqlstore

import (
	"context"
	"fmt"
	"strings"
)

// tables lists the tables to copy, with their columns. Leases are left out, since no daemon that holds one uses the copy.
var tables = []struct{ name, columns string }{
	{"mails", mailColumns},
	{"raws", "id, bytes"},
	{"cursors", "mailbox, uidvalidity, uid"},
	{"starts", "mailbox, since, asked, uidvalidity, uid, remaining"},
	{"outbox", outboxColumns},
	{"letters", "id, sum, bytes"},
	{"games", "game, queued"},
	{"answers", "sender, kind, cause, at"},
	{"unanswered", "sender, cause, at"},
	{"events", "game, turn, name, subject, at, detail"},
	{"bounces", "cause, message_id, address, at, permanent, status, diagnostic"},
	{"idle", "game, seen, detail"},
}

// Copy copies the contents of one store into another, which must be empty, all or nothing. It returns the number of incoming
// mails with their bytes. Run it in a group of each store that others may be using.
func Copy(ctx context.Context, from, to *Store) (mails int, err error) {
	err = to.Group(ctx, func(ctx context.Context) error {
		for _, table := range tables {
			n, err := Get[int](ctx, to.db, "look into the new store", "SELECT count(*) FROM (SELECT 1 FROM "+table.name+" LIMIT 1) AS one")
			if err != nil {
				return err
			}
			if n > 0 {
				return fmt.Errorf("copy a store: %w: %s has rows", ErrFilled, table.name)
			}
			if n, err = copyTable(ctx, from, to, table.name, table.columns); err != nil {
				return err
			}
			if table.name == "raws" {
				mails = n
			}
		}
		return nil
	})
	return mails, err
}

func copyTable(ctx context.Context, from, to *Store, table, columns string) (rows int, err error) {
	width := strings.Count(columns, ",") + 1
	insert := "INSERT INTO " + table + " (" + columns + ") VALUES (?" + strings.Repeat(", ?", width-1) + ")"
	err = from.db.query(ctx, func(row Row) error {
		values, places := make([]any, width), make([]any, width)
		for i := range values {
			places[i] = &values[i]
		}
		if err := row.Scan(places...); err != nil {
			return err
		}
		rows++
		_, err := to.Exec(ctx, "copy "+table, insert, values...)
		return err
	}, "SELECT "+columns+" FROM "+table)
	return rows, err
}
