// Package hosted opens a host's store, of the kind named in its settings: a PostgreSQL database, or a file in the
// host's state directory.
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

// File returns the path of a host's store if it is a file.
func File(c *config.Config) string { return filepath.Join(c.State, "ledger.db") }

// Place returns the address and password of a host's database.
func Place(s *config.Store) (postgres.Place, error) {
	password, err := s.Password()
	return postgres.Place{URL: s.URL, Password: password.Reveal()}, err
}

// Database opens a host's database.
func Database(ctx context.Context, s *config.Store) (*postgres.Store, error) {
	at, err := Place(s)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, at)
}

// Games opens the games in a host's database. It returns nil if the host has no database.
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

// Trees returns the records of all games of a host, in directories and in its database. Call end when they are no longer
// in use. With an error it also returns the records that could be found.
func Trees(ctx context.Context, c *config.Config) (trees []record.Tree, end func() error, err error) {
	return treesOf(ctx, c, c.GameDirs)
}

// Candidates is Trees with directories that may be no games: see [config.Config.Candidates].
func Candidates(ctx context.Context, c *config.Config) (trees []record.Tree, end func() error, err error) {
	return treesOf(ctx, c, c.Candidates)
}

func treesOf(ctx context.Context, c *config.Config, dirs func() ([]string, error)) (trees []record.Tree, end func() error, err error) {
	find, end, err := finder(ctx, c, dirs)
	trees, ferr := find(ctx)
	return trees, end, errors.Join(err, ferr)
}

// Finder is Trees for repeated use: each call of find lists the records. If Finder fails, find still lists those in directories.
func Finder(ctx context.Context, c *config.Config) (find func(context.Context) ([]record.Tree, error), end func() error, err error) {
	return finder(ctx, c, c.GameDirs)
}

func finder(ctx context.Context, c *config.Config, inDirs func() ([]string, error)) (find func(context.Context) ([]record.Tree, error), end func() error, err error) {
	in, err := Games(ctx, c)
	end = func() error { return nil }
	if in != nil {
		end = in.Close
	}
	return func(ctx context.Context) (trees []record.Tree, err error) {
		dirs, err := inDirs()
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

// Setup describes the setup of a host's database server: see [postgres.Store.Setup].
func Setup(ctx context.Context, c *config.Config) (found string, err error) {
	s, err := Database(ctx, c.Store)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Setup(ctx, time.Now)
}

// Served lists which host serves which mailbox.
func Served(ctx context.Context, c *config.Config) (all []postgres.Served, err error) {
	s, err := Database(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Served(ctx)
}

// View calls see with the store for reading, even while a daemon uses it; see must change nothing. If there is no store
// file yet, View does not call see.
func View(ctx context.Context, c *config.Config, see func(*sqlstore.Store) error) error {
	if c.Store != nil {
		return within(ctx, c.Store, see)
	}
	return sqlite.View(ctx, File(c), func(s *sqlite.Store) error { return see(s.Store) })
}

// Change is like View, but do may change the store.
func Change(ctx context.Context, c *config.Config, do func(*sqlstore.Store) error) error {
	if c.Store != nil {
		return within(ctx, c.Store, do)
	}
	return sqlite.Change(ctx, File(c), func(s *sqlite.Store) error { return do(s.Store) })
}

// Inspect summarizes the store without changing it. A store file is also checked for damage; if there is none yet, the
// error is fs.ErrNotExist.
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

// Snapshot copies a host's store, as it is at one moment, into a new file, and returns the number of incoming mails in it. A
// daemon may use the store meanwhile. Leases are left out, since no daemon that holds one uses the copy. Games in the same
// database are passed to game as they are at that moment: see [records.Each].
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

// Fill copies the store file in a host's state directory into the host's database, which must be empty, and returns the
// number of incoming mails copied. No daemon may run meanwhile. The file is not changed.
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
