package postgres

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/store/sqlstore"
)

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) { return record.Open(t, name) }

// Stat describes a file or folder. A folder exists while it contains a file.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	return t.stat(context.Background(), name)
}

// below returns the range of names, without its end, of all files in a folder: "0" follows "/" in ASCII.
func below(folder string) (from, to string) { return folder + "/", folder + "0" }

func (t *Tree) stat(ctx context.Context, name string) (fs.FileInfo, error) {
	if err := valid("look at", name); err != nil {
		return nil, err
	}
	m, err := t.listed(ctx)
	if err != nil {
		return nil, err
	}
	var e *record.Entry
	if m.knows(name) {
		e = m.entry(name)
	} else if e, err = t.lookUp(ctx, name); err != nil {
		return nil, err
	}
	if e == nil {
		return nil, t.missing("look at", name)
	}
	return *e, nil
}

// lookUp queries the database for a file or folder; it returns nil if there is none.
func (t *Tree) lookUp(ctx context.Context, name string) (*record.Entry, error) {
	e := &record.Entry{Path: name}
	var modified int64
	if name == "." {
		e.Folder = true
		found, err := t.one(ctx, "look at", []any{&modified}, `SELECT coalesce((SELECT max(modified) FROM record_files WHERE game = ?1), 0) FROM records WHERE game = ?1`, t.name)
		if err != nil || !found {
			return nil, err
		}
		e.Modified = time.Unix(0, modified)
		return e, nil
	}
	if name == record.Journal { // the most frequent query
		found, err := t.one(ctx, "look at", []any{&e.Bytes, &modified}, "SELECT at + length(line), modified FROM record_lines WHERE game = ? ORDER BY at DESC LIMIT 1", t.name)
		if err != nil || !found {
			return nil, err
		}
		e.Modified = time.Unix(0, modified)
		return e, nil
	}
	from, to := below(name)
	found, err := t.one(ctx, "look at", []any{&e.Folder, &e.Bytes, &modified}, `
		SELECT false, length(data)::bigint, modified FROM record_files WHERE game = ?1 AND name = ?2
		UNION ALL SELECT true, 0, max(modified) FROM record_files WHERE game = ?1 AND name >= ?3 AND name < ?4 HAVING count(*) > 0`, t.name, name, from, to)
	if err != nil || !found {
		return nil, err
	}
	e.Modified = time.Unix(0, modified)
	return e, nil
}

// has reports whether there is such a file or folder.
func (t *Tree) has(ctx context.Context, name string) (bool, error) {
	_, err := t.stat(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// ReadFile returns the contents of a file.
func (t *Tree) ReadFile(name string) ([]byte, error) { return t.read(context.Background(), name) }

func (t *Tree) read(ctx context.Context, name string) ([]byte, error) {
	if err := valid("read", name); err != nil {
		return nil, err
	}
	m, err := t.remembered(ctx)
	if err != nil {
		return nil, err
	}
	if m != nil {
		if data, known := m.data[name]; known {
			return bytes.Clone(data), nil
		}
	}
	query, args := "SELECT data FROM record_files WHERE game = ? AND name = ?", []any{t.name, name}
	if name == record.Journal {
		query, args = "SELECT string_agg(line, ''::bytea ORDER BY at) FROM record_lines WHERE game = ? HAVING count(*) > 0", args[:1]
	}
	var data []byte
	found, err := t.one(ctx, "read", []any{&data}, query, args...)
	switch {
	case err != nil:
		return nil, err
	case found:
		if m != nil {
			m.put(name, data)
		}
		return data, nil
	}
	if info, err := t.stat(ctx, name); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: t.Place(name), Err: fs.ErrInvalid}
	}
	return nil, t.missing("read", name)
}

// ReadDir lists a folder.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	ctx := context.Background()
	if err := valid("read", name); err != nil {
		return nil, err
	}
	files, err := t.files(ctx, name)
	if len(files) == 0 && err == nil {
		var info fs.FileInfo
		if info, err = t.stat(ctx, name); err == nil && !info.IsDir() {
			err = &fs.PathError{Op: "read", Path: t.Place(name), Err: fs.ErrInvalid}
		}
	}
	if err != nil {
		return nil, err
	}
	if name == "." {
		var j fs.FileInfo
		switch j, err = t.stat(ctx, record.Journal); {
		case err == nil:
			files = append(files, record.Entry{Path: record.Journal, Bytes: j.Size(), Modified: j.ModTime()})
		case errors.Is(err, fs.ErrNotExist):
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	return record.Below(name, files), nil
}

// files returns all files below a folder, except the journal.
func (t *Tree) files(ctx context.Context, folder string) (files []record.Entry, err error) {
	m, err := t.listed(ctx)
	if err != nil {
		return nil, err
	}
	if m.knows(folder) {
		return m.below(folder), nil
	}
	where, args := "", []any{t.name}
	if folder != "." {
		from, to := below(folder)
		where, args = " AND name >= ? AND name < ?", append(args, from, to)
	}
	err = t.games.store.Query(ctx, "list "+t.name, func(row sqlstore.Row) error {
		var e record.Entry
		var modified int64
		err := row.Scan(&e.Path, &e.Bytes, &modified)
		e.Modified = time.Unix(0, modified)
		files = append(files, e)
		return err
	}, "SELECT name, length(data)::bigint, modified FROM record_files WHERE game = ?"+where, args...)
	return files, err
}

// Each calls do for every game of a database, sorted by name, with all of its files, game.toml last. In a REPEATABLE READ
// transaction all games are as they were at one moment.
func Each(ctx context.Context, s *sqlstore.Store, do func(game string, files []record.File) error) error {
	var names []string
	if err := s.Query(ctx, "list the games", func(row sqlstore.Row) error {
		var name string
		err := row.Scan(&name)
		names = append(names, name)
		return err
	}, theGames); err != nil {
		return err
	}
	for _, name := range names {
		var files []record.File
		if err := s.Query(ctx, "read "+name, func(row sqlstore.Row) error {
			var f record.File
			var modified int64
			err := row.Scan(&f.Name, &f.Data, &modified)
			f.Modified = time.Unix(0, modified)
			files = append(files, f)
			return err
		}, `SELECT name, data, modified FROM (SELECT name, data, modified FROM record_files WHERE game = ?1
			UNION ALL SELECT '`+record.Journal+`', string_agg(line, ''::bytea ORDER BY at), max(modified) FROM record_lines WHERE game = ?1 HAVING count(*) > 0
			) AS all_files ORDER BY name = 'game.toml', name`, name); err != nil {
			return err
		}
		if err := do(name, files); err != nil {
			return err
		}
	}
	return nil
}
