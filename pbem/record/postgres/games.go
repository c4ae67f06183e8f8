// Package postgres keeps the records of games in a PostgreSQL database that hosts share, the same one as that of package
// store/postgres.
//
// A change is one transaction. It first locks the row of its game, and is made only if that row still has the fence of
// the process that makes the change. The record's lock is a lease, by the server's clock: a holder that is idle until the
// lease expires may lose it to another process, and then finds a different fence.
//
// If the answer to a COMMIT is lost, the change is made again, which has no effect if it was made already.
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
	"starpost/pbem/record"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlstore"
)

// lease is how long a lock lasts after its holder's last change.
const lease = 30 * time.Second

// Games gives access to the games in a database, by its own connection. It is safe for concurrent use.
type Games struct {
	store *postgres.Store
	url   string // as given, without a password
	place string // the database's address as postgres:USER@HOST/DATABASE: path.Clean does not change it

	mu     sync.Mutex
	found  found
	recent map[string]*memo // of games that are not in use
	size   int              // of all in recent
}

// scheme is the prefix of the place of each game. No absolute path of a directory starts with it.
const scheme = "postgres:"

// Open opens the games in a database that already has its tables.
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
	return &Games{store: s, url: at.URL, place: scheme + strings.Trim(strings.TrimPrefix(u.Redacted(), u.Scheme+":"), "/")}, nil
}

// Is reports whether place is that of a game in a database, not of a directory.
func Is(place string) bool { return strings.HasPrefix(place, scheme) }

// CheckedOut is a game with a kept lock, and the reason for it (see [Tree.Keep]).
type CheckedOut struct{ Game, Holder string }

// CheckedOut lists the games with kept locks, sorted by name.
func (s *Games) CheckedOut(ctx context.Context) (all []CheckedOut, err error) {
	err = s.store.Query(ctx, "list the games that are checked out", func(row sqlstore.Row) error {
		var c CheckedOut
		err := row.Scan(&c.Game, &c.Holder)
		all = append(all, c)
		return err
	}, "SELECT game, holder FROM records WHERE "+kept+" ORDER BY game")
	return all, err
}

// Tree returns the record of a game by its place; false if the place is not in this database.
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

// Hosts returns the store on the connection of the games, for short queries that must not wait for the main store's connection.
func (s *Games) Hosts() *postgres.Store { return s.store }

// At returns the record of a game by its name. It need not exist yet.
func (s *Games) At(name string) (*Tree, error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "/\\\x00") || len(name) > 255 {
		return nil, fault.New("use a name such as wolf", "%.40q cannot be a game's name", name)
	}
	return &Tree{games: s, name: name}, nil
}

// Tree is a record in the database.
type Tree struct {
	games  *Games
	name   string
	memo   *memo // nil unless this tree has the lock, or is read in one moment
	held   bool  // the lock is held
	moment bool  // see InOneMoment
	unsure bool  // others may have changed the record since the memo was read
}

// Place returns the database's address, followed by the names of game and file.
func (t *Tree) Place(name string) string {
	at := t.games.place + "/" + t.name
	if name == "" || name == "." {
		return at
	}
	return at + "/" + name
}

// Address returns the game's name and the database's address, by which commands find it.
func (t *Tree) Address() (name, url string) { return t.name, t.games.url }

// Missing returns an error text and advice for a game that is not in the database.
func (t *Tree) Missing() (problem, way string) {
	problem = "the database has no game of this name"
	var names []string
	err := t.games.store.Query(context.Background(), "list the games", func(row sqlstore.Row) error { // it has a time limit
		var name string
		err := row.Scan(&name)
		names = append(names, name)
		return err
	}, theGames+fmt.Sprintf(" LIMIT %d", mostNames+1))
	switch {
	case err != nil:
		return problem, "starpost status --config FILE --all lists the games that there are"
	case len(names) == 0:
		return problem, "it has no games; move one there: starpost move DIR --to " + record.Quote(t.games.url)
	case len(names) > mostNames:
		return problem, "some of its games: " + strings.Join(names[:mostNames], ", ") + "; starpost status --config FILE --all lists all"
	}
	return problem, "its games: " + strings.Join(names, ", ")
}

// mostNames is how many games a hint names.
const mostNames = 10

// inTransaction runs f in a transaction. If f succeeds but the COMMIT fails, it may have been carried out nevertheless: f runs once
// more, with again true. By then the server has finished or undone the first transaction, because both need the row of the game.
func (t *Tree) inTransaction(f func(ctx context.Context, again bool) error) (err error) {
	for _, again := range []bool{false, true} {
		var refused error
		err = t.games.store.Group(context.Background(), func(ctx context.Context) error { // each statement has a time limit
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

// send is exec without a result. The statement may be queued: then its error is returned by a later one, or by inTransaction.
func (t *Tree) send(ctx context.Context, doing, query string, args ...any) error {
	return t.games.store.Send(ctx, doing+" "+t.name, query, args...)
}

// one scans the one row of a query; it returns false if there is none.
func (t *Tree) one(ctx context.Context, doing string, to []any, query string, args ...any) (found bool, err error) {
	err = t.games.store.Query(ctx, doing+" "+t.name, func(row sqlstore.Row) error {
		found = true
		return row.Scan(to...)
	}, query, args...)
	return found, err
}

// self names this process as the holder of a lock.
func self() string { return strings.TrimSpace(disk.Self()) }

func (t *Tree) missing(op, name string) error {
	return &fs.PathError{Op: op, Path: t.Place(name), Err: fs.ErrNotExist}
}

// valid returns an error unless name is a valid file name.
func valid(op, name string) error {
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// told adds the game and what was being done to an error, unless it is a fault, which says so itself.
func (t *Tree) told(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	return fmt.Errorf("%s in %s: %w", doing, t.Place(""), err)
}
