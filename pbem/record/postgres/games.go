// Package postgres keeps the records of games in a database of PostgreSQL, beside what the store of package store/postgres has
// there, for hosts that share it.
//
// A change is one transaction, which begins with the row of its game: it is made if the row still has the fence that
// the maker of the change holds, and the row is kept from others until it is there whole. The lock is a lease, by the clock of the
// server: who holds it and does nothing for as long loses it to the next who asks, and finds that out by the fence.
//
// The answer to a COMMIT may be lost. The change is made once more then, which changes nothing if it was made.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlstore"
)

// lease is for how long a lock lasts after its holder's last change.
const lease = 30 * time.Second

// Games are the games in a database. They have a connection of their own, and may be used by many goroutines.
type Games struct {
	store *postgres.Store
	place string // the database's address as postgres:USER@HOST/DATABASE: path.Clean does not change it

	mu    sync.Mutex
	found found
}

// scheme begins the place of each game, and of no directory that is named in full.
const scheme = "postgres:"

// Open opens the games in a database whose tables are there.
func Open(ctx context.Context, at postgres.Place) (*Games, error) {
	u, err := url.Parse(at.URL)
	if err != nil {
		return nil, fault.New("write postgres://USER@HOST/DATABASE", "the database's address is invalid")
	}
	s, err := postgres.Open(ctx, at)
	if err != nil {
		return nil, err
	}
	u.RawQuery = ""
	return &Games{store: s, place: scheme + strings.Trim(strings.TrimPrefix(u.Redacted(), u.Scheme+":"), "/")}, nil
}

// Is tells the place of a game in a database from that of a directory.
func Is(place string) bool { return strings.HasPrefix(place, scheme) }

// CheckedOut is a game whose lock is kept, and for what (see [Tree.Keep]).
type CheckedOut struct{ Game, Holder string }

// CheckedOut lists the games whose locks are kept, by name.
func (s *Games) CheckedOut(ctx context.Context) (all []CheckedOut, err error) {
	err = s.store.Query(ctx, "list the games that are checked out", func(row sqlstore.Row) error {
		var c CheckedOut
		err := row.Scan(&c.Game, &c.Holder)
		all = append(all, c)
		return err
	}, "SELECT game, holder FROM records WHERE "+kept+" ORDER BY game")
	return all, err
}

// Tree is the record of a game by its place in this database; false for any other place.
func (s *Games) Tree(place string) (*Tree, bool) {
	name, ok := strings.CutPrefix(place, s.place+"/")
	if !ok {
		return nil, false
	}
	t, err := s.At(name)
	return t, err == nil
}

// Close ends the connection.
func (s *Games) Close() error { return s.store.Close() }

// Hosts is the connection itself, for short questions that must not wait for the store's.
func (s *Games) Hosts() *postgres.Store { return s.store }

// At is the record of a game by its name, whether there is one or not.
func (s *Games) At(name string) (*Tree, error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "/\\\x00") || len(name) > 255 {
		return nil, fault.New("use a name such as wolf", "%.40q cannot be a game's name", name)
	}
	return &Tree{games: s, name: name}, nil
}

// Tree is a record in the database.
type Tree struct {
	games *Games
	name  string
	memo  *memo // while this tree has the lock
}

// Place is the database's address, the game's name and that of the file.
func (t *Tree) Place(name string) string {
	at := t.games.place + "/" + t.name
	if name == "" || name == "." {
		return at
	}
	return at + "/" + name
}

// Missing says that the database has no such game, and where to look for those that it has.
func (t *Tree) Missing() (problem, way string) {
	return "the database has no game of this name", "starpost status --config FILE --all lists the games that there are"
}

// inTransaction runs f in a transaction. If only the answer to its COMMIT is missing, it is unknown whether it was carried out: f runs once
// more, with again true. By then the server has finished or undone the first, because both need the row of the game.
func (t *Tree) inTransaction(f func(ctx context.Context, again bool) error) (err error) {
	for _, again := range []bool{false, true} {
		var refused error
		err = t.games.store.Group(context.Background(), func(ctx context.Context) error { // its statements are bounded
			refused = f(ctx, again)
			return refused
		})
		if err == nil || refused != nil {
			return cmp.Or(refused, err)
		}
	}
	return err
}

func (t *Tree) exec(ctx context.Context, doing, query string, args ...any) (rows int64, err error) {
	return t.games.store.Exec(ctx, doing+" "+t.name, query, args...)
}

// one gives the one row of a query, and false if there is none.
func (t *Tree) one(ctx context.Context, doing string, to []any, query string, args ...any) (found bool, err error) {
	err = t.games.store.Query(ctx, doing+" "+t.name, func(row sqlstore.Row) error {
		found = true
		return row.Scan(to...)
	}, query, args...)
	return found, err
}

// self says who holds a lock that this process has.
func self() string { return strings.TrimSpace(disk.Self()) }

func (t *Tree) missing(op, name string) error {
	return &fs.PathError{Op: op, Path: t.Place(name), Err: fs.ErrNotExist}
}

// valid refuses what is no name of a file.
func valid(op, name string) error {
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// told adds what a change was about to an error that is none of the kinds that callers tell apart.
func (t *Tree) told(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	return fmt.Errorf("%s in %s: %w", doing, t.Place(""), err)
}
