package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"

	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// now is SQL for the server's time in nanoseconds since 1970.
const now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000"

// until is SQL for the end of a lock that is taken or used now.
var until = fmt.Sprintf("now() + interval '%d seconds'", int(lease.Seconds()))

// Create makes the record.
func (t *Tree) Create(files []record.File) error {
	if err := (record.Change{Put: files}).Check(nil); err != nil {
		return err
	}
	return t.told("create a game", t.inTransaction(func(ctx context.Context, again bool) error {
		var at int64
		created, err := t.one(ctx, "create", []any{&at}, "INSERT INTO records (game) VALUES (?) ON CONFLICT DO NOTHING RETURNING "+now, t.name)
		if err != nil {
			return err
		}
		if !created {
			made := false
			if again {
				made, err = t.same(ctx, files)
			}
			if err == nil && !made {
				err = &fault.Fault{Path: t.Place(""), Problem: "a game with that name already exists", Way: "choose another name", Err: record.ErrExists}
			}
			return err
		}
		return t.put(ctx, files, at)
	}))
}

// Lock allows the caller alone to change the record, until its lease ends. Each change renews the lease.
func (t *Tree) Lock() (record.Fence, error) {
	ctx := context.Background()
	var fence int64
	var state string
	// The answer to this statement may be lost too. The lock then ends when its lease expires.
	found, err := t.one(ctx, "lock", []any{&fence, &state}, "UPDATE records SET fence = fence + 1, holder = ?, until = "+until+" WHERE game = ? AND until <= now() RETURNING fence, "+stateOf, self(), t.name)
	if err != nil {
		return 0, err
	}
	if found {
		t.held = true
		t.recall(state)
		return record.Fence(fence), nil //nolint:gosec // it is counted from 1
	}
	var holder, free string
	found, err = t.one(ctx, "lock", []any{&holder, &free}, "SELECT holder, CASE WHEN "+kept+" THEN '' ELSE to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') END FROM records WHERE game = ?", t.name)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, t.missing("lock", ".")
	case free == "":
		return 0, &fault.Fault{
			Path: t.Place(""), Problem: "the game is checked out: " + holder, Err: record.ErrAway,
			Way: "check it in from there, or abandon that copy: " + record.CommandLine(t, "checkout", "--cancel"),
		}
	}
	return 0, &fault.Fault{
		Path: t.Place(""), Problem: "the game is in use by " + holder, Err: record.ErrLocked,
		Way: "wait for it to end, or, if it was killed, until " + free + " UTC",
	}
}

// kept is the condition for a lock that lasts until it is released.
const kept = "until = 'infinity'"

// Keep makes the lock last beyond the end of this process, until Unlock. holder says who keeps it and why.
func (t *Tree) Keep(f record.Fence, holder string) error {
	return t.told("keep the lock", t.inTransaction(func(ctx context.Context, _ bool) error {
		if _, err := t.ours(ctx, f); err != nil {
			return err
		}
		return t.send(ctx, "keep", "UPDATE records SET until = 'infinity', holder = ? WHERE game = ?", holder, t.name)
	}))
}

// Abandon ends a kept lock and invalidates its fence; it returns false if the lock is not kept.
func (t *Tree) Abandon() (bool, error) {
	n, err := t.exec(context.Background(), "abandon the checkout of", "UPDATE records SET fence = fence + 1, until = '-infinity', version = version + 1, changed = pg_current_xact_id() WHERE game = ? AND "+kept, t.name)
	return n > 0, err
}

// Kept returns the fence of the last holder of the lock, and who keeps the lock; "" if it is not kept.
func (t *Tree) Kept() (f record.Fence, holder string, err error) {
	var fence int64
	found, err := t.one(context.Background(), "look at", []any{&fence, &holder}, "SELECT fence, CASE WHEN "+kept+" THEN holder ELSE '' END FROM records WHERE game = ?", t.name)
	if err == nil && !found {
		err = t.missing("look at", ".")
	}
	return record.Fence(fence), holder, err //nolint:gosec // it is counted from 0
}

// Unlock releases the lock.
func (t *Tree) Unlock(f record.Fence, tell bool) error {
	if f > math.MaxInt64 {
		return nil
	}
	m := t.memo
	t.held, t.memo = false, nil
	change := ""
	if tell {
		change = ", version = version + 1, changed = pg_current_xact_id()"
	}
	var state string
	// Not synchronous: if the server crashes and forgets the unlock, the lock still ends when its lease expires.
	found, err := t.one(context.Background(), "unlock", []any{&state}, "UPDATE records SET until = '-infinity'"+change+" WHERE game = ? AND fence = ? AND set_config('synchronous_commit', 'off', true) = 'off' RETURNING "+stateOf, t.name, int64(f))
	if found && err == nil && m != nil { // no other process has changed the record meanwhile
		m.state, t.memo, t.unsure = state, m, false
		t.rest()
	}
	return err
}

// Erase removes the whole record.
func (t *Tree) Erase(f record.Fence) error {
	if t.memo != nil {
		defer t.memo.forget()
	}
	return t.told("remove a game", t.inTransaction(func(ctx context.Context, _ bool) error {
		if there, err := t.one(ctx, "look at", []any{new(int)}, "SELECT 1 FROM records WHERE game = ?", t.name); err != nil || !there {
			return err
		}
		if _, err := t.ours(ctx, f); err != nil {
			return err
		}
		if err := t.send(ctx, "note the end of", "INSERT INTO records_gone (game) VALUES (?) ON CONFLICT (game) DO UPDATE SET changed = pg_current_xact_id()", t.name); err != nil {
			return err
		}
		return t.send(ctx, "remove", "DELETE FROM records WHERE game = ?", t.name)
	}))
}

// ours returns the server's time, or an ErrFenced error if the lock has passed to another holder. It locks the record's row until the end
// of the transaction.
func (t *Tree) ours(ctx context.Context, f record.Fence) (at int64, err error) {
	held := false
	if f <= math.MaxInt64 {
		if held, err = t.one(ctx, "hold", []any{&at}, "UPDATE records SET version = version + 1, changed = pg_current_xact_id(), until = greatest(until, "+until+") WHERE game = ? AND fence = ? AND until > '-infinity' RETURNING "+now, t.name, int64(f)); err != nil {
			return 0, err
		}
	}
	if !held {
		return 0, &fault.Fault{
			Path: t.Place(""), Problem: "another process has taken over the game; nothing was written",
			Way: "this one will read the game again; if that happens often, check the network between hosts and database", Err: record.ErrFenced,
		}
	}
	return at, nil
}

// Commit makes a change.
func (t *Tree) Commit(f record.Fence, base *record.Version, c record.Change) error {
	if err := c.Check(base); err != nil {
		return err
	}
	var at int64
	made := false // before, at another time
	err := t.inTransaction(func(ctx context.Context, again bool) (err error) {
		if again && t.memo != nil {
			t.memo.forget()
		}
		if at, err = t.ours(ctx, f); err != nil {
			return err
		}
		refused, err := t.refused(ctx, base, c)
		if err != nil {
			return err
		}
		if refused != nil {
			if made, err = t.made(ctx, base, c); err == nil && !made {
				err = refused
			}
			return err
		}
		if err := t.change(ctx, base, c, at); err != nil {
			return err
		}
		return c.Allowed()
	})
	switch {
	case t.memo == nil:
	case err != nil || made:
		t.memo.forget()
	default:
		t.memo.learn(c, at)
	}
	return t.told(c.Doing, err)
}

// refused returns why a change cannot be made to the record in its present state, or nil if it can.
func (t *Tree) refused(ctx context.Context, base *record.Version, c record.Change) (refused, err error) {
	if c.Dir != "" && !c.Replace {
		if there, err := t.has(ctx, c.Dir); err != nil || there {
			return fmt.Errorf("%s: %w", c.Dir, record.ErrCommitted), err
		}
	}
	if base == nil {
		return nil, nil //nolint:nilnil // nothing refuses it
	}
	is, err := t.is(ctx, *base, c)
	if err == nil && !is {
		refused = record.ErrStale
	}
	return refused, err
}

// is reports whether the record is in the state that a change is based on.
func (t *Tree) is(ctx context.Context, v record.Version, c record.Change) (bool, error) {
	var size int64
	switch info, err := t.stat(ctx, record.Journal); {
	case err == nil:
		size = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if size != v.Size {
		return false, nil
	}
	if ends, err := t.endsIn(ctx, v); err != nil || !ends || c.Line() != nil {
		return ends, err
	}
	if v.There != "" {
		if there, err := t.has(ctx, v.There); err != nil || !there {
			return false, err
		}
	}
	for _, name := range v.Absent {
		if there, err := t.has(ctx, name); err != nil || there {
			return false, err
		}
	}
	return true, nil
}

// endsIn reports whether the journal has the last whole line that a version describes.
func (t *Tree) endsIn(ctx context.Context, v record.Version) (bool, error) {
	if v.Good == 0 {
		return true, nil
	}
	var size int64
	var head string
	found, err := t.one(ctx, "look at", []any{&size, &head}, "SELECT length(line), encode(sha256(substr(line, 1, length(line) - 1)), 'hex') FROM record_lines WHERE game = ? AND at = ?", t.name, v.Last)
	return found && size == v.Good-v.Last && head == v.Head, err
}

// made reports whether the record is as the change would leave it.
func (t *Tree) made(ctx context.Context, base *record.Version, c record.Change) (bool, error) {
	if line := c.Line(); line != nil {
		var end []byte
		if _, err := t.one(ctx, "look at", []any{&end}, "SELECT string_agg(line, ''::bytea ORDER BY at) FROM record_lines WHERE game = ? AND at >= ?", t.name, base.Good); err != nil || !bytes.Equal(end, line) {
			return false, err
		}
		return t.endsIn(ctx, *base)
	}
	if same, err := t.same(ctx, c.Put); err != nil || !same {
		return false, err
	}
	for _, a := range c.Add {
		ends := false
		if _, err := t.one(ctx, "look at", []any{&ends}, "SELECT "+endsWith("data", "?3")+" FROM record_files WHERE game = ?1 AND name = ?2", t.name, a.Name, append([]byte{}, a.Data...)); err != nil || !ends {
			return false, err
		}
	}
	for _, name := range c.Remove {
		if there, err := t.has(ctx, name); err != nil || there {
			return false, err
		}
	}
	return true, nil
}

// endsWith returns the SQL condition that data ends with end.
func endsWith(data, end string) string {
	return "substr(" + data + ", greatest(length(" + data + ") - length(" + end + "::bytea) + 1, 1)) = " + end + "::bytea"
}

// change makes a change that was checked by refused, at a time of the server.
func (t *Tree) change(ctx context.Context, base *record.Version, c record.Change, at int64) error {
	if line := c.Line(); line != nil {
		return t.addLines(ctx, base.Good, line, at)
	}
	for _, a := range c.Add {
		if err := t.send(ctx, "add to", `INSERT INTO record_files AS f (game, name, modified, data) VALUES (?1, ?2, ?4, ?3::bytea)
			ON CONFLICT (game, name) DO UPDATE SET data = f.data || ?3::bytea, modified = ?4 WHERE NOT `+endsWith("f.data", "?3"), t.name, a.Name, append([]byte{}, a.Data...), at); err != nil {
			return err
		}
	}
	if c.Dir != "" && c.Replace {
		if err := t.remove(ctx, c.Dir); err != nil {
			return err
		}
	}
	if err := t.put(ctx, c.Put, at); err != nil {
		return err
	}
	if slices.ContainsFunc(c.Put, func(f record.File) bool { return f.Name == "game.toml" }) { // game.toml names the mailbox
		if err := t.send(ctx, "change", "UPDATE records SET mailbox = '' WHERE game = ?", t.name); err != nil {
			return err
		}
	}
	for _, name := range c.Remove {
		if err := t.remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// addLines writes lines into the journal, from an offset in bytes on, and removes what followed there.
func (t *Tree) addLines(ctx context.Context, from int64, text []byte, at int64) error {
	if err := t.send(ctx, "cut the journal of", "DELETE FROM record_lines WHERE game = ? AND at >= ?", t.name, from); err != nil {
		return err
	}
	var offsets []int64
	var lines [][]byte
	for line := range bytes.Lines(text) {
		offsets, lines = append(offsets, from), append(lines, line)
		from += int64(len(line))
	}
	return t.send(ctx, "add to the journal of", "INSERT INTO record_lines (game, at, modified, line) SELECT ?, l.at, ?::bigint, l.line FROM unnest(?::bigint[], ?::bytea[]) AS l(at, line)", t.name, at, offsets, lines)
}

// put writes whole files, at a time unless they have their own; of two with the same name, the last one counts.
func (t *Tree) put(ctx context.Context, files []record.File, at int64) error {
	names, times, data := columns(files, at)
	if i := slices.Index(names, record.Journal); i >= 0 {
		if err := t.addLines(ctx, 0, data[i], at); err != nil {
			return err
		}
		names, times, data = slices.Delete(names, i, i+1), slices.Delete(times, i, i+1), slices.Delete(data, i, i+1)
	}
	if len(names) == 0 {
		return nil
	}
	return t.send(ctx, "write files of", `INSERT INTO record_files (game, name, modified, data)
		SELECT ?, f.name, f.modified, f.data FROM unnest(?::text[], ?::bigint[], ?::bytea[]) AS f(name, modified, data)
		ON CONFLICT (game, name) DO UPDATE SET modified = excluded.modified, data = excluded.data`, t.name, names, times, data)
}

// same reports whether all files are there with this content.
func (t *Tree) same(ctx context.Context, files []record.File) (bool, error) {
	names, _, data := columns(files, 0)
	if i := slices.Index(names, record.Journal); i >= 0 {
		if is, err := t.read(ctx, record.Journal); err != nil || !bytes.Equal(is, data[i]) {
			return false, nil //nolint:nilerr // whatever is there is another journal
		}
		names, data = slices.Delete(names, i, i+1), slices.Delete(data, i, i+1)
	}
	var n int
	_, err := t.one(ctx, "compare files of", []any{&n}, "SELECT count(*) FROM unnest(?2::text[], ?3::bytea[]) AS f(name, data) JOIN record_files AS r ON r.game = ?1 AND r.name = f.name AND r.data = f.data", t.name, names, data)
	return n == len(names), err
}

// columns returns the names of files, when they were last modified, and their contents, sorted by name.
func columns(files []record.File, at int64) (names []string, times []int64, data [][]byte) {
	by := map[string]record.File{}
	for _, f := range files {
		by[f.Name] = f
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		f := by[name]
		names, times, data = append(names, name), append(times, timeOf(f, at)), append(data, append([]byte{}, f.Data...))
	}
	return names, times, data
}

// timeOf is when a file that is written at a time counts as modified, in nanoseconds since 1970.
func timeOf(f record.File, at int64) int64 {
	if f.Modified.IsZero() {
		return at
	}
	return f.Modified.UnixNano()
}

func (t *Tree) remove(ctx context.Context, name string) error {
	from, to := below(name)
	err := t.send(ctx, "remove files of", "DELETE FROM record_files WHERE game = ? AND (name = ? OR name >= ? AND name < ?)", t.name, name, from, to)
	if err == nil && name == record.Journal {
		err = t.send(ctx, "remove the journal of", "DELETE FROM record_lines WHERE game = ?", t.name)
	}
	return err
}
