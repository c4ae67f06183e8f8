package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/disk"
	"starpost/pbem/store/sqlstore"
)

// Hosts look for games every few seconds, and mostly nothing has changed. So each change of a record notes its transaction, and a host
// queries only changes by transactions that had not ended at its last query. It recognizes changes reported twice by the record's
// version. After a crash, and on a promoted standby, the numbers of transactions that never ended are used again, so a new
// connection queries all games.

// found is the result of Find.
type found struct {
	mailboxes string           // addresses in lower case, separated by spaces
	horizon   string           // all transactions before this one had ended
	session   string           // the connection that the horizon is from
	versions  map[string]int64 // by name; nil before the first Find
	unnoted   map[string]bool  // games with a mailbox that the database does not know yet
	places    []string         // sorted
	changed   []string         // places of games that are new or have changed since the Find before
}

// counts is the condition for games that exist: they have a game.toml, so they are not being moved here and were not moved away.
const counts = "EXISTS (SELECT 1 FROM record_files AS f WHERE f.game = records.game AND f.name = 'game.toml')"

// theGames lists all games that exist.
const theGames = "SELECT game FROM records WHERE " + counts + " ORDER BY game"

// Each row has horizon, session, whether all games must be queried, and a game's name, version, whether it is listed, and whether its mailbox is unknown.
const (
	horizon  = "(SELECT pg_snapshot_xmin(pg_current_snapshot()) AS x, pg_backend_pid() || ' ' || pg_postmaster_start_time() AS session) AS h"
	wanted   = "(?1::text[] = '{}' OR mailbox = '' OR mailbox = ANY(?1::text[]))"
	allGames = "SELECT h.x::text, h.session, false, r.* FROM " + horizon + " LEFT JOIN (SELECT game, version, true, mailbox = '' FROM records WHERE " + counts + " AND " + wanted + ") AS r ON true"
	// The subquery runs for each game; EXISTS might be planned as one pass over all files. A removed game has version -1. The third column is true if the last query was on another connection or on later data of the server.
	changedGames = "SELECT h.x::text, h.session, h.session <> ?3 OR h.x < ?2::text::xid8, r.* FROM " + horizon + ` LEFT JOIN (
		SELECT game, -1::bigint, false, false FROM records_gone WHERE changed >= ?2::text::xid8
		UNION ALL SELECT game, version, coalesce((SELECT true FROM record_files AS f WHERE f.game = records.game AND f.name = 'game.toml'), false) AND ` + wanted + `, mailbox = '' FROM records WHERE changed >= ?2::text::xid8) AS r ON true`
)

// seenGame is a row of either query.
type seenGame struct {
	name            string
	version         int64
	listed, unnoted bool
}

// Find returns the sorted places of the games that belong to mailboxes, or to a mailbox not known yet; without mailboxes, of all games.
// others reports whether the list differs from that of the last call. The caller must not change the list; after an error it is that of
// the last call. [Games.Changed], [Tree.Look] and [Tree.Mark] report the state at the last Find.
func (s *Games) Find(ctx context.Context, mailboxes ...string) (places []string, others bool, err error) {
	names := make([]string, len(mailboxes))
	for i, m := range mailboxes {
		names[i] = strings.ToLower(m)
	}
	s.mu.Lock()
	last := s.found
	s.mu.Unlock()
	all := last.versions == nil || last.mailboxes != strings.Join(names, " ")
	var rows []seenGame
	for {
		query, args := changedGames, []any{names, last.horizon, last.session}
		if all {
			query, args = allGames, args[:1]
		}
		var at, session string
		var other bool
		rows, at, session, other, err = s.ask(ctx, query, args)
		if err != nil {
			return last.places, false, err
		}
		if !other {
			last.horizon, last.session = at, session
			break
		}
		all = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.found.places
	s.found.mailboxes, s.found.horizon, s.found.session, s.found.changed = strings.Join(names, " "), last.horizon, last.session, nil
	if all {
		others = s.found.versions == nil
		s.replace(rows)
		return s.found.places, others || !slices.Equal(was, s.found.places), nil
	}
	return s.found.places, s.update(rows), nil
}

func (s *Games) ask(ctx context.Context, query string, args []any) (rows []seenGame, horizon, session string, other bool, err error) {
	err = s.store.Query(ctx, "look for games", func(row sqlstore.Row) error {
		var name *string
		var version *int64
		var listed, unnoted *bool
		err := row.Scan(&horizon, &session, &other, &name, &version, &listed, &unnoted)
		if err == nil && name != nil {
			rows = append(rows, seenGame{*name, *version, *listed, *unnoted})
		}
		return err
	}, query, args...)
	return rows, horizon, session, other, err
}

// replace updates found from the rows of all games.
func (s *Games) replace(rows []seenGame) {
	was := s.found.versions
	s.found.versions, s.found.unnoted, s.found.places = make(map[string]int64, len(rows)), map[string]bool{}, make([]string, 0, len(rows))
	for _, g := range rows {
		place := s.place + "/" + g.name
		if version, known := was[g.name]; !known || version != g.version {
			s.found.changed = append(s.found.changed, place)
		}
		s.found.versions[g.name] = g.version
		s.found.places = append(s.found.places, place)
		if g.unnoted {
			s.found.unnoted[g.name] = true
		}
	}
	slices.Sort(s.found.places)
}

// update updates found from the rows of games that may have changed, and reports whether the list of games differs from before.
func (s *Games) update(rows []seenGame) (others bool) {
	slices.SortStableFunc(rows, func(a, b seenGame) int { return cmp.Compare(a.version, b.version) }) // removals first: a game may have been removed and made again
	for _, g := range rows {
		place := s.place + "/" + g.name
		version, known := s.found.versions[g.name]
		at, _ := slices.BinarySearch(s.found.places, place)
		if known != g.listed && !others {
			others, s.found.places = true, slices.Clone(s.found.places)
		}
		delete(s.found.unnoted, g.name)
		switch {
		case known && !g.listed:
			delete(s.found.versions, g.name)
			s.found.places = slices.Delete(s.found.places, at, at+1)
		case g.listed:
			if !known {
				s.found.places = slices.Insert(s.found.places, at, place)
			}
			if !known || version != g.version {
				s.found.changed = append(s.found.changed, place)
			}
			s.found.versions[g.name] = g.version
			if g.unnoted {
				s.found.unnoted[g.name] = true
			}
		}
	}
	return others
}

// Changed returns the places of games that the last Find saw as new or changed.
func (s *Games) Changed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found.changed
}

// NoteMailboxes notes which mailbox each game belongs to, by the game's place, so that hosts of other mailboxes need not read the
// game. It skips games with a known mailbox, and games that have changed since the last Find.
func (s *Games) NoteMailboxes(ctx context.Context, of map[string]string) error {
	var names, mailboxes []string
	var versions []int64
	s.mu.Lock()
	for place, mailbox := range of {
		if name, ok := strings.CutPrefix(place, s.place+"/"); ok && s.found.unnoted[name] {
			names, versions, mailboxes = append(names, name), append(versions, s.found.versions[name]), append(mailboxes, strings.ToLower(mailbox))
		}
	}
	s.mu.Unlock()
	if len(names) == 0 {
		return nil
	}
	_, err := s.store.Exec(ctx, "note the mailboxes of games", `UPDATE records AS r SET mailbox = n.mailbox, changed = pg_current_xact_id()
		FROM unnest(?::text[], ?::bigint[], ?::text[]) AS n(game, version, mailbox) WHERE r.game = n.game AND r.version = n.version AND r.mailbox = ''`, names, versions, mailboxes)
	return err
}

// Look returns facts that differ for every file after any change of the record. It is for watching many games, as a [vault.Watcher]
// does: it uses the result of the last Find, which is one query for all games.
func (t *Tree) Look(_ *disk.Looker, name string) (disk.Facts, error) {
	t.games.mu.Lock()
	defer t.games.mu.Unlock()
	version, there := t.games.found.versions[t.name]
	switch {
	case t.games.found.versions == nil:
		return disk.Facts{}, errors.ErrUnsupported
	case !there:
		return disk.Facts{}, t.missing("look at", name)
	}
	return disk.Facts{Inode: uint64(version)}, nil //nolint:gosec // it is counted from 0
}

// Mark returns a text that differs after any change of the record seen by Find; "" if the last Find did not see the game.
func (t *Tree) Mark() string {
	t.games.mu.Lock()
	defer t.games.mu.Unlock()
	version, there := t.games.found.versions[t.name]
	if !there {
		return ""
	}
	return fmt.Sprintf("%s/%s version %d", t.games.place, t.name, version)
}
