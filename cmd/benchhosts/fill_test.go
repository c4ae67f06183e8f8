//go:build linux

package benchhosts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"starpost/pbem/config"
	"starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/vault"
)

// rows are the rows of a table that belong to a model, as the program wrote them.
type rows struct {
	table   string
	columns []string
	values  [][]any
}

// cast is a model ready to be copied.
type cast struct {
	*model
	version int64
	files   []*castFile
	others  []rows // with the game's id or key in text columns
	orders  []*mould
	mark    string // by which the program recognizes that the game has not changed
	notes   []rows // "idle"
}

// castFile is a file of the record. If it is a manifest, it contains the fingerprints of other files.
type castFile struct {
	name     string
	modified int64
	mould    *mould
	sum      string      // its fingerprint
	sums     map[int]int // the index of the other file, by the offset of its fingerprint
}

// otherTables are the other tables that have rows for a game that has had turns and waits for orders.
var otherTables = []string{"outbox", "games", "events"}

// prepare reads all parts of a model that are copied.
func prepare(t *testing.T, c *pgx.Conn, games *postgres.Games, m *model) *cast {
	t.Helper()
	out := &cast{model: m}
	if err := c.QueryRow(t.Context(), "SELECT version FROM records WHERE game = $1 AND NOT EXISTS (SELECT 1 FROM record_lines WHERE game = $1)", m.id).Scan(&out.version); err != nil {
		t.Fatalf("%s: %v (a game with a journal is not copied)", m.id, err)
	}
	found, err := c.Query(t.Context(), "SELECT name, modified, data FROM record_files WHERE game = $1", m.id)
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		f := &castFile{}
		var data []byte
		if err := found.Scan(&f.name, &f.modified, &data); err != nil {
			t.Fatal(err)
		}
		f.mould = newMould(data, m.id)
		out.files = append(out.files, f)
	}
	if found.Err() != nil {
		t.Fatal(found.Err())
	}
	out.link()
	for _, table := range otherTables {
		out.others = append(out.others, read(t, c, table, m.id))
	}
	out.notes = []rows{read(t, c, "idle", m.id)}
	for _, raw := range m.orders {
		out.orders = append(out.orders, newMould(raw, m.id))
	}
	tree, err := games.At(m.id)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := games.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(tree, catalogue())
	if err != nil {
		t.Fatal(err)
	}
	var w vault.Watcher
	mark, err := w.Look(g)
	if err != nil {
		t.Fatal(err)
	}
	out.mark = string(fmt.Append(nil, mark, w.Thorough(g)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// link sorts the files so that manifests come last, and notes where a manifest has the fingerprints of files before it.
func (c *cast) link() {
	manifest := func(f *castFile) bool { return path.Base(f.name) == vault.ManifestFile }
	slices.SortFunc(c.files, func(a, b *castFile) int {
		if manifest(a) != manifest(b) {
			if manifest(a) {
				return 1
			}
			return -1
		}
		return strings.Compare(a.name, b.name)
	})
	for i, f := range c.files {
		f.sum = f.fingerprint(f.mould.data)
		if !manifest(f) {
			continue
		}
		f.sums = map[int]int{}
		for n, other := range c.files[:i] {
			for _, at := range places(f.mould.data, other.sum) {
				f.sums[at] = n
			}
		}
	}
}

// fingerprint returns the fingerprint of the file with this data, as a manifest has it.
func (f *castFile) fingerprint(data []byte) string {
	name := f.name
	if rest, ok := strings.CutPrefix(name, "turns/"); ok {
		_, name, _ = strings.Cut(rest, "/")
	}
	return vault.Fingerprint(name, data)
}

// copyFiles returns the files of a copy. Only the public record of a turn stays the model's; it is not checked during play.
func (c *cast) copyFiles(id, robot string) [][]byte {
	out, sums := make([][]byte, len(c.files)), make([]string, len(c.files))
	for i, f := range c.files {
		out[i] = f.mould.cast(id, robot)
		for at, n := range f.sums {
			copy(out[i][at:], sums[n])
		}
		if sums[i] = f.sum; len(f.mould.ids)+len(f.mould.robots)+len(f.sums) > 0 {
			sums[i] = f.fingerprint(out[i])
		}
	}
	return out
}

// read reads the rows of a table that belong to a game.
func read(t *testing.T, c *pgx.Conn, table, id string) rows {
	t.Helper()
	r := rows{table: table}
	found, err := c.Query(t.Context(), "SELECT * FROM "+table+" WHERE game = $1 OR starts_with(game, $1 || '.')", id)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.FieldDescriptions() {
		r.columns = append(r.columns, f.Name)
	}
	for found.Next() {
		values, err := found.Values()
		if err != nil {
			t.Fatal(err)
		}
		r.values = append(r.values, values)
	}
	if found.Err() != nil {
		t.Fatal(found.Err())
	}
	if r.columns[0] == "id" { // the database generates it
		r.columns = r.columns[1:]
		for i := range r.values {
			r.values[i] = r.values[i][1:]
		}
	}
	return r
}

// copyRows returns the rows of a copy.
func (r rows) copyRows(was, id, robot string) [][]any {
	out := make([][]any, len(r.values))
	for i, values := range r.values {
		out[i] = slices.Clone(values)
		for n, v := range out[i] {
			if text, ok := v.(string); ok {
				out[i][n] = strings.ReplaceAll(strings.ReplaceAll(text, was, id), modelRobot, robot)
			}
		}
	}
	return out
}

// filler copies models into a database.
type filler struct {
	at         store.Place
	models     []*cast
	conditions []string // by host, see the function conditions
	place      string   // prefix of the places of games, as package record/postgres has it
}

// model returns the model of the n-th copy, and the number of the mailbox that the copy belongs to.
func (f *filler) model(n int) (c *cast, mailbox int) {
	hosts := len(f.conditions)
	return f.models[n/hosts%len(f.models)], n % hosts
}

// together is how many games are copied in one transaction.
const together = 250

// fill copies models until the database has the given number of games.
func (f *filler) fill(t *testing.T, games int) {
	t.Helper()
	const workers = 2
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			errs[w] = f.work(t.Context(), w*together, games, workers*together)
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func (f *filler) work(ctx context.Context, from, games, step int) (err error) {
	c, err := pgx.Connect(ctx, f.at.URL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(context.WithoutCancel(ctx))) }()
	// Skip the checks of foreign keys. The filled rows need not survive a crash of the server.
	if _, err := c.Exec(ctx, "SET session_replication_role = replica; SET synchronous_commit = off"); err != nil {
		return err
	}
	for ; from < games; from += step {
		if err := f.batch(ctx, c, from, min(from+together, games)); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) batch(ctx context.Context, c *pgx.Conn, from, to int) error {
	tx, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	tables := map[string][][]any{}
	columns := map[string][]string{"records": {"game", "version", "mailbox"}, "record_files": {"game", "name", "modified", "data"}}
	for n := from; n < to; n++ {
		m, mailbox := f.model(n)
		id, robot := copyID(n), robotAddress(mailbox)
		tables["records"] = append(tables["records"], []any{id, m.version, robot})
		for i, data := range m.copyFiles(id, robot) {
			tables["record_files"] = append(tables["record_files"], []any{id, m.files[i].name, m.files[i].modified, data})
		}
		for _, r := range m.others {
			tables[r.table], columns[r.table] = append(tables[r.table], r.copyRows(m.id, id, robot)...), r.columns
		}
		for _, r := range m.notes {
			for _, row := range r.copyRows(m.id, id, robot) {
				row[slices.Index(r.columns, "seen")] = f.seen(m, f.place+id, robot, f.conditions[mailbox])
				tables[r.table], columns[r.table] = append(tables[r.table], row), r.columns
			}
		}
	}
	for _, table := range append([]string{"records", "record_files", "idle"}, otherTables...) {
		if len(tables[table]) == 0 {
			continue
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns[table], pgx.CopyFromRows(tables[table])); err != nil {
			return fmt.Errorf("fill %s: %w", table, err)
		}
	}
	return tx.Commit(ctx)
}

// seen returns the value by which a host recognizes an idle game that has not changed: see package daemon/games. If the
// two computed it differently, starting hosts would look at each copy, and the bench would fail.
func (f *filler) seen(m *cast, place, robot, conditions string) string {
	return vault.Hash(fmt.Append([]byte(m.mark), conditions, place, m.model.rules.Name, m.model.rules.Version, robot))[:32]
}

// conditions returns the hash of a configuration and the program that package daemon/games computes.
func conditions(t *testing.T, file, bin, version string) string {
	t.Helper()
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	info, serr := os.Stat(bin)
	if serr != nil {
		t.Fatal(serr)
	}
	return vault.Hash(fmt.Append(text, err, version, info.ModTime()))
}
