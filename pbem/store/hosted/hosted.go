// Package hosted opens the store of a host, of the kind that its settings name: a database of PostgreSQL, or a file in its
// state directory.
package hosted

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/store/sqlstore"
)

// File is where the store of a host is that has it in a file.
func File(c *config.Config) string { return filepath.Join(c.State, "ledger.db") }

// Place is where the database of a host is that has one.
func Place(s *config.Store) (postgres.Place, error) {
	password, err := s.Password()
	return postgres.Place{URL: s.URL, Password: password.Reveal()}, err
}

// Database opens the database of a host that has one.
func Database(ctx context.Context, s *config.Store) (*postgres.Store, error) {
	at, err := Place(s)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, at)
}

// Games opens the games in the database of a host that has one; nil for none.
func Games(ctx context.Context, c *config.Config) (*records.Games, error) {
	if c.Store == nil {
		return nil, nil
	}
	at, err := Place(c.Store)
	if err != nil {
		return nil, err
	}
	return records.Open(ctx, at)
}

// Trees returns the records of all games of a host, in directories and in its database. end must be called when none of them is used any
// more. With an error those come that there are.
func Trees(ctx context.Context, c *config.Config) (trees []record.Tree, end func() error, err error) {
	find, end, err := Finder(ctx, c)
	trees, ferr := find(ctx)
	return trees, end, errors.Join(err, ferr)
}

// Finder is for who asks again and again for what Trees returns. With an error it finds the games that are in directories.
func Finder(ctx context.Context, c *config.Config) (find func(context.Context) ([]record.Tree, error), end func() error, err error) {
	in, err := Games(ctx, c)
	end = func() error { return nil }
	if in != nil {
		end = in.Close
	}
	return func(ctx context.Context) (trees []record.Tree, err error) {
		dirs, err := c.GameDirs()
		for _, dir := range dirs {
			trees = append(trees, directory.At(dir))
		}
		if in == nil {
			return trees, err
		}
		places, _, gerr := in.Find(ctx)
		for _, place := range places {
			if tree, ok := in.Tree(place); ok {
				trees = append(trees, tree)
			}
		}
		return trees, errors.Join(err, gerr)
	}, end, err
}

// Setup tells how the server of a host's database is set up, see [postgres.Store.Setup].
func Setup(ctx context.Context, c *config.Config) (found string, err error) {
	s, err := Database(ctx, c.Store)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Setup(ctx, time.Now)
}

// Served tells which host serves which mailbox.
func Served(ctx context.Context, c *config.Config) (all []postgres.Served, err error) {
	s, err := Database(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Served(ctx)
}

// View hands over the store to read in, also while a daemon uses it; see must change nothing. One that is not there yet is
// not handed over.
func View(ctx context.Context, c *config.Config, see func(*sqlstore.Store) error) error {
	if c.Store != nil {
		return within(ctx, c.Store, see)
	}
	return sqlite.View(ctx, File(c), func(s *sqlite.Store) error { return see(s.Store) })
}

// Change is View for someone who changes something.
func Change(ctx context.Context, c *config.Config, do func(*sqlstore.Store) error) error {
	if c.Store != nil {
		return within(ctx, c.Store, do)
	}
	return sqlite.Change(ctx, File(c), func(s *sqlite.Store) error { return do(s.Store) })
}

// Inspect looks through the store without changing it, and for damage where it is a file; an error that is fs.ErrNotExist says
// that there is none yet.
func Inspect(ctx context.Context, c *config.Config) (o sqlstore.Overview, err error) {
	if c.Store == nil {
		return sqlite.Inspect(ctx, File(c))
	}
	err = within(ctx, c.Store, func(s *sqlstore.Store) error {
		o, err = s.Overview(ctx, time.Now())
		return err
	})
	return o, err
}

func within(ctx context.Context, at *config.Store, do func(*sqlstore.Store) error) (err error) {
	s, err := Database(ctx, at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return do(s.Store)
}

// Snapshot copies the store of a host, as it is at one moment, into a new file, and tells how many mails that came are in it. A
// daemon may use it meanwhile. Leases are left out, since no daemon that holds one uses the copy. Games that are kept beside the store
// are handed over as they are at that moment, see [records.Each].
func Snapshot(ctx context.Context, c *config.Config, to string, game func(name string, files []record.File) error) (mails int, err error) {
	if c.Store == nil {
		return sqlite.Snapshot(ctx, File(c), to)
	}
	file, err := sqlite.Open(to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return mails, within(ctx, c.Store, func(from *sqlstore.Store) error {
		return from.Group(ctx, func(ctx context.Context) error {
			if _, err := from.Exec(ctx, "begin a snapshot", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"); err != nil {
				return err
			}
			if mails, err = sqlstore.Copy(ctx, from, file.Store); err != nil {
				return err
			}
			return records.Each(ctx, from, game)
		})
	})
}

// Fill puts what the file of a host's state directory holds into its database, which must be empty, and tells how many mails
// that came were in it. No daemon may run meanwhile; the file stays as it is.
func Fill(ctx context.Context, c *config.Config) (mails int, err error) {
	err = sqlite.View(ctx, File(c), func(from *sqlite.Store) error {
		return within(ctx, c.Store, func(to *sqlstore.Store) error {
			return to.Group(ctx, func(ctx context.Context) error {
				if mails, err = sqlstore.Copy(ctx, from.Store, to); err != nil {
					return err
				}
				return postgres.ContinueIDs(ctx, to)
			})
		})
	})
	return mails, err
}
