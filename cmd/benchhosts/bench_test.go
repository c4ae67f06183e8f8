//go:build linux

package benchhosts_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// The defaults are a small run, so that the bench stays usable.
var (
	gamesFlag  = flag.Int("games", 60, "how many games the database has")
	mailsFlag  = flag.Int("mails", 15, "how many order mails wait in the mailboxes at once")
	hostsFlag  = flag.Int("hosts", 3, "how many hosts share the database, each with a mailbox of its own; at most 10")
	ratesFlag  = flag.String("rates", "50", "at how many mails a second others come, one after the other: several phases")
	spanFlag   = flag.Duration("span", 300*time.Millisecond, "how long each of these phases lasts")
	modelsFlag = flag.Int("models", 6, "how many different games the others are copies of")
	pollsFlag  = flag.Int("polls", 1, "during how many polls it is measured what idle hosts cost")
)

// TestPostgresBenchHosts measures what hosts cost in several phases, and prints a table.
func TestPostgresBenchHosts(t *testing.T) {
	t.Setenv(passwordEnv, password)
	bin := program(t)
	models := served(t, bin)
	w := newWorld(t, bin, models)
	w.start()
	if *pollsFlag > 1 { // the first look after the start checks each game
		w.phase("first look", func() work { return w.idle(1) })
	}
	w.phase("idle", func() work { return w.idle(*pollsFlag) })
	w.checkRest()
	for rate := range strings.FieldsSeq(*ratesFlag) {
		perSecond, err := strconv.Atoi(rate)
		if err != nil {
			t.Fatal(err)
		}
		w.phase(rate+"/s", func() work { return w.oneByOne(perSecond) })
	}
	w.phase("waiting", w.heap)
	w.stop()
	texts := w.sample()
	w.phase("only writing", func() work { return w.least(texts, false) })
	w.phase("least SQL", func() work { return w.least(texts, true) })
	w.print()
	if n := number(t, w.db, "SELECT count(*) FROM mails WHERE outcome <> 'done'"); n > 0 {
		t.Errorf("%d of the mails were not accepted", n)
	}
}

// served creates the models, and lets one host serve them until it has nothing left to do.
func served(t *testing.T, bin string) (all []*cast) {
	t.Helper()
	at, games := database(t)
	models := newModels(t, games, *modelsFlag)
	mails := startMailServers(t, true, modelRobot)
	host := serve(t, bin, configure(t, mails, at, modelRobot), make(chan error, 1))
	for captains := len(models) * 2; captains > 0; captains-- {
		d := mails.next(host.ended)
		for _, m := range models {
			if strings.Contains(d.To, m.id) {
				m.answer(t, d.To, d.Raw)
			}
		}
	}
	c := connect(t, at)
	until(t, "the games to be at rest", func() bool {
		return number(t, c, "SELECT (SELECT count(*) FROM idle) - (SELECT count(*) FROM outbox WHERE state <> 'sent')") == int64(len(models))
	})
	host.stop()
	for _, m := range models {
		all = append(all, prepare(t, c, games, m))
	}
	return all
}

// database returns an empty database with the tables of the program.
func database(t *testing.T) (store.Place, *postgres.Games) {
	t.Helper()
	at := postgrestest.Place(t)
	if _, err := store.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	games, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := games.Close(); err != nil {
			t.Error(err)
		}
	})
	return at, games
}

func connect(t *testing.T, at store.Place) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), at.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return c
}

func number(t *testing.T, c *pgx.Conn, query string) (n int64) {
	t.Helper()
	if err := c.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(query, err)
	}
	return n
}

// until polls until done returns true. It has no timeout of its own: that of go test applies.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for !done() {
		select {
		case <-t.Context().Done():
			t.Fatal("waited in vain for ", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// world holds the hosts, their database and mail servers, and the table of what they cost.
type world struct {
	t          *testing.T
	bin        string
	fill       *filler
	games      int
	at         store.Place
	db         *pgx.Conn
	postmaster int
	mails      *mailServers
	configs    []string
	hosts      []*host
	ended      chan error
	filled     int64 // the first transaction after the database was filled
	next       int   // the next game with captains who write
	lines      [][]string
}

func newWorld(t *testing.T, bin string, models []*cast) *world {
	t.Helper()
	w := &world{t: t, bin: bin, games: *gamesFlag, ended: make(chan error, *hostsFlag)}
	var robots []string
	for n := range *hostsFlag {
		robots = append(robots, robotAddress(n))
	}
	var games *postgres.Games
	w.at, games = database(t)
	w.db = connect(t, w.at)
	w.mails = startMailServers(t, false, robots...)
	w.fill = &filler{at: w.at, models: models}
	for _, r := range robots {
		w.configs = append(w.configs, configure(t, w.mails, w.at, r))
		w.fill.conditions = append(w.fill.conditions, conditions(t, w.configs[len(w.configs)-1], bin, version(t, bin)))
	}
	tree, err := games.At("x")
	if err != nil {
		t.Fatal(err)
	}
	w.fill.place = strings.TrimSuffix(tree.Place(""), "x")
	began := time.Now()
	w.fill.fill(t, w.games)
	w.filled = number(t, w.db, "SELECT pg_current_xact_id()::text::bigint")
	w.execute("VACUUM ANALYZE")
	w.execute("CHECKPOINT")
	t.Logf("%d games, copies of %d, in %.0f s: %d MB", w.games, len(models), time.Since(began).Seconds(), number(t, w.db, "SELECT pg_database_size(current_database())")>>20)
	w.postmaster = w.findPostmaster()
	return w
}

// version returns the version that the program reports.
func version(t *testing.T, bin string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), bin, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	return v.Version
}

func (w *world) execute(statement string) {
	w.t.Helper()
	if _, err := w.db.Exec(w.t.Context(), statement); err != nil {
		w.t.Fatal(err)
	}
}

// findPostmaster returns the process id of the database server, or 0 if it does not run on this machine.
func (w *world) findPostmaster() int {
	pid := int(number(w.t, w.db, "SELECT pg_backend_pid()"))
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil || !strings.HasPrefix(string(name), "postgres") {
		return 0
	}
	_, _, parent, err := times(pid)
	if err != nil {
		return 0
	}
	return parent
}

// start starts the hosts, which should find all games idle, and waits until they have looked at them.
func (w *world) start() {
	w.t.Helper()
	before := w.usage()
	for _, c := range w.configs {
		w.hosts = append(w.hosts, serve(w.t, w.bin, c, w.ended))
	}
	memory := 0
	for _, h := range w.hosts {
		h.rest(w.t.Context())
		memory = max(memory, h.memory())
	}
	u := w.usage().minus(before)
	w.t.Logf("the hosts started in %.1f s, %.1f s of CPU a host, %.1f s of the database, at most %d MB each", u.wall.Seconds(), u.hosts.Seconds()/float64(len(w.hosts)), u.database.Seconds(), memory)
}

// stop ends the hosts.
func (w *world) stop() {
	for _, h := range w.hosts {
		h.stop()
	}
	w.hosts = nil
}

// checkRest checks that the starting hosts recognized all games as idle: for others they would have rewritten the idle notes.
func (w *world) checkRest() {
	w.t.Helper()
	if n := number(w.t, w.db, fmt.Sprintf("SELECT count(*) FROM idle WHERE xmin::text::bigint >= %d", w.filled)); n > 0 {
		w.t.Errorf("%d games were looked at by the start, though they are at rest", n)
	}
}

// usage is what the hosts and the database have used up to a moment, or between two.
type usage struct {
	at              time.Time
	wall            time.Duration
	hosts, database time.Duration
	wal             int64 // bytes
}

func (w *world) usage() usage {
	w.t.Helper()
	u := usage{at: time.Now(), wal: number(w.t, w.db, "SELECT (pg_current_wal_lsn() - '0/0')::bigint")}
	for _, h := range w.hosts {
		u.hosts += h.cpu()
	}
	if w.postmaster > 0 {
		var err error
		if u.database, err = serverTime(w.postmaster); err != nil {
			w.t.Fatal(err)
		}
	}
	return u
}

func (u usage) minus(v usage) usage {
	return usage{at: u.at, wall: u.at.Sub(v.at), hosts: u.hosts - v.hosts, database: u.database - v.database, wal: u.wal - v.wal}
}
