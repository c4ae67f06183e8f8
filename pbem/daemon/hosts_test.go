package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/move"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/referee"
	"starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// database is a world with its games and mails in a database that hosts share.
type database struct {
	*world
	games *records.Games
	at    postgres.Place
}

func newDatabase(t *testing.T) *database {
	t.Helper()
	at := postgrestest.Place(t)
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	games, err := records.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := games.Close(); err != nil {
			t.Error(err)
		}
	})
	w := newWorld(t)
	w.cfg.Store, w.cfg.Games = &config.Store{URL: at.URL, Lease: clock.Span(time.Second)}, nil
	return &database{w, games, at}
}

// moved creates a game and moves it into the database.
func (d *database) moved(id string, mail vault.MailSettings) *vault.Game {
	d.t.Helper()
	d.game(id, mail)
	dir := filepath.Join(d.dir, "games", id)
	tree := d.tree(id)
	if _, err := move.Game(directory.At(dir), tree, d.cat, func(int) {}); err != nil {
		d.t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		d.t.Fatal(err)
	}
	g, err := vault.Open(tree, d.cat)
	if err != nil {
		d.t.Fatal(err)
	}
	return g
}

func (d *database) tree(id string) record.Tree {
	d.t.Helper()
	tree, err := d.games.At(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return tree
}

// battle plays two turns and returns the mails sent, sorted.
func battle(w *world, g *vault.Game) (mails []string) {
	w.t.Helper()
	for range 2 {
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
		for _, m := range w.run() {
			mails = append(mails, m.to+"\n"+m.raw)
		}
	}
	slices.Sort(mails)
	return mails
}

// kept returns the files of a game, except those that start with a dot.
func kept(t *testing.T, tree record.Reader) (all []string) {
	t.Helper()
	files, err := record.Files(tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all = append(all, fmt.Sprintf("%s: %q", f.Name, f.Data))
	}
	return all
}

// While a game is checked out, captains are told that it is paused, and mails about it wait until it is checked in.
func TestPostgresMailsWaitForACheckout(t *testing.T) {
	w := newDatabase(t)
	g := w.moved("wolf", schedule())
	w.run()
	if _, err := referee.Pause(g, referee.Act{By: "Ann", Why: "a die was read wrongly", Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	in := w.tree("wolf").(*records.Tree)
	dir := filepath.Join(w.dir, "work")
	if _, err := move.Out(in, directory.At(dir), move.Checkout{Store: "db", Game: "wolf"}, "to "+dir, w.cat, func(int) {}); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	var logged bytes.Buffer
	w.log = slog.New(slog.NewTextHandler(&logged, nil))
	sent := w.run()
	if said := logged.String(); strings.Count(said, `level=INFO msg="mail waits for the return of its game"`) != 1 || strings.Contains(said, "level=ERROR") {
		t.Errorf("logged:\n%s", said)
	}
	if got := problems(w.world, w.clock.Now()); got != "" {
		t.Errorf("health: %s", got)
	}
	if len(sent.to(kirk, "paused")) != 1 || len(sent.to(kor, "paused")) != 1 || len(sent.to(kirk, "accepted")) != 0 {
		t.Errorf("while it is checked out:\n%s", sent)
	}
	w.cfg.Games = []string{dir}
	if _, err := w.once(); err == nil || !strings.Contains(err.Error(), "is not served from here") {
		t.Errorf("a directory that is served: %v", err)
	}
	w.cfg.Games = nil
	c, err := move.ReadCheckout(directory.At(dir))
	if err == nil {
		_, err = move.In(directory.At(dir), in, c, w.cat, func(int) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 || w.box.left() != 0 {
		t.Errorf("after its return, %d mails left:\n%s", w.box.left(), sent)
	}
}

// A battle in a database produces exactly the same mails and files as one in a directory.
func TestPostgresHoldsGames(t *testing.T) {
	on := newDatabase(t)
	g := on.moved("wolf", schedule())
	mails := battle(on.world, g)
	if turn := on.turnOf(g); turn != 2 || len(mails) != 10 || on.box.left() != 0 {
		t.Fatalf("turn %d, %d mails, %d left", turn, len(mails), on.box.left())
	}
	w := newWorld(t)
	want := battle(w, w.game("wolf", schedule()))
	if !slices.Equal(mails, want) {
		t.Errorf("mails on a database\n%s\non directories\n%s", strings.Join(mails, "\n"), strings.Join(want, "\n"))
	}
	if got, want := kept(t, on.tree("wolf")), kept(t, directory.At(filepath.Join(w.dir, "games", "wolf"))); !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("file\n%s\nwant\n%s", got[i], want[i])
			}
		}
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	if _, err := os.Stat(filepath.Join(on.dir, "games", "wolf")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a directory: %v", err)
	}
}

// A host does not play games that belong to another host's mailbox.
func TestPostgresGamesOfOthersAreLeft(t *testing.T) {
	on := newDatabase(t)
	m := schedule()
	m.Robot = club
	g := on.moved("cub", m)
	on.moved("wolf", schedule())
	if sent := on.run(); len(sent) != 2 || len(sent.to(kirk, "[wolf]")) != 1 {
		t.Errorf("sent\n%s", sent)
	}
	if on.turnOf(g) != 0 {
		t.Error("the other one's was played")
	}
}

// Orders that come to this host's mailbox count for a game of another host. The other host plays the turn and sends the reports.
func TestPostgresMailForAGameOfAnotherHost(t *testing.T) {
	on := newDatabase(t)
	p := newPair(on.world)
	m := schedule()
	m.Robot = club
	cub := on.moved("cub", m)
	once := func() {
		t.Helper()
		if err := p.once(); err != nil {
			t.Fatal(err)
		}
	}
	once()
	p.sent(club)
	if h, err := on.games.Hosts().Hold(t.Context(), club, "the other", time.Hour, time.Time{}); err != nil || h.Holder != "the other" {
		t.Fatalf("%+v, %v", h, err)
	}
	p.sides[robot].box.put(p.order(cub, "Kirk", "final"))
	p.sides[robot].box.put(p.order(cub, "Kor", "final"))
	p.sides[club].box.put(strings.ReplaceAll(p.mail(kirk, "help\n"), robot, club))
	once()
	if files, err := cub.Orders.For(vault.At(1)); err != nil || len(files) != 2 || p.turnOf(cub) != 0 {
		t.Errorf("%d sets, %v; turn %d", len(files), err, p.turnOf(cub))
	}
	if sent := p.sent(robot); len(sent) != 2 || len(sent.to(kirk, "accepted")) != 1 || len(sent.to(kor, "accepted")) != 1 {
		t.Errorf("answered\n%s", sent)
	}
	if sent := p.sent(club); len(sent) != 0 || p.sides[club].box.left() != 1 {
		t.Errorf("from the other one's mailbox went\n%s", sent)
	}
	if err := on.games.Hosts().Release(t.Context(), club, "the other"); err != nil {
		t.Fatal(err)
	}
	once()
	if sent := p.sent(club); p.turnOf(cub) != 1 || len(sent) != 3 || len(sent.to(kirk, "[cub]")) != 1 || p.sides[club].box.left() != 0 {
		t.Errorf("turn %d, then went\n%s", p.turnOf(cub), sent)
	}
}

// hostAt is a serving host.
type hostAt struct {
	t      *testing.T
	d      *daemon.Daemon
	end    context.CancelFunc
	ended  chan error
	events chan process.Event
	before atomic.Pointer[func(step string) error]
}

// serve starts a host on the database, with the machine's clock.
func (d *database) serve(state string) *hostAt {
	d.t.Helper()
	cfg := *d.cfg
	cfg.State = filepath.Join(d.dir, state)
	h := &hostAt{t: d.t, ended: make(chan error, 1), events: make(chan process.Event, 1000)}
	var err error
	h.d, err = daemon.Open(process.Options{
		Config: &cfg, Catalogue: d.cat, Clock: clock.Real{}, Log: d.log, Inbox: d.box.open, Sender: d.out.open,
		Watch: func(e process.Event) { h.events <- e },
		Before: func(step string) error {
			if f := h.before.Load(); f != nil {
				return (*f)(step)
			}
			return nil
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, end := context.WithCancel(d.t.Context())
	h.end = end
	go func() { h.ended <- h.d.Serve(ctx) }()
	return h
}

// await waits for n events of a kind.
func (h *hostAt) await(kind string, n int) {
	h.t.Helper()
	for n > 0 {
		select {
		case e := <-h.events:
			if e.Kind == kind {
				n--
			}
		case err := <-h.ended:
			h.t.Fatalf("it ended before %s: %v", kind, err)
		}
	}
}

// sends waits until n mails have been sent in all, the remaining ones by the given host.
func (d *database) sends(by *hostAt, n int) {
	sent := func() int {
		d.out.mu.Lock()
		defer d.out.mu.Unlock()
		return len(d.out.sent)
	}
	for sent() < n {
		by.await(process.Sent, 1)
	}
}

// close stops the host and returns the error of Serve.
func (h *hostAt) close() error {
	h.t.Helper()
	h.end()
	err := <-h.ended
	if cerr := h.d.Close(); cerr != nil {
		h.t.Error(cerr)
	}
	return err
}

// The first of two hosts on one database plays the battle. When it dies during a turn, or is suspended for longer than its leases,
// the other host goes on, and each report goes out once. A host that resumes changes nothing, and serves the mailbox again when the
// other one ends.
func TestPostgresSecondHostGoesOn(t *testing.T) {
	for name, stopped := range map[string]bool{"killed": false, "stopped": true} {
		t.Run(name, func(t *testing.T) {
			on := newDatabase(t)
			g := on.moved("wolf", schedule())
			play := func() {
				on.box.put(on.order(g, "Kirk", "final"))
				on.box.put(on.order(g, "Kor", "final"))
			}
			first := on.serve("first")
			first.await(process.Looked, 1)
			second := on.serve("second")
			second.await(process.Idle, 1)
			play()
			first.await(process.Resolved, 1)
			at, awake := make(chan struct{}), make(chan struct{})
			hook := func(step string) error {
				if step != "resolve" {
					return nil
				}
				close(at)
				<-awake
				if stopped {
					return nil
				}
				return errKill
			}
			first.before.Store(&hook)
			play()
			<-at
			if !stopped {
				// A mail whose delivery is not recorded when its host dies goes out again.
				for waiting := 1; waiting > 0; time.Sleep(10 * time.Millisecond) {
					var err error
					if waiting, err = on.games.Hosts().Waiting(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				close(awake)
				if err := <-first.ended; !errors.Is(err, errKill) {
					t.Fatal(err)
				}
			}
			// Let the lease expire and another host have held the mailbox: the first host is stopped only inside the hook.
			for _, statement := range []string{"UPDATE records SET until = now() WHERE until > now()", "UPDATE mailboxes SET fence = fence + 1, until = now()"} {
				if err := postgrestest.Exec(t.Context(), on.at, statement); err != nil {
					t.Fatal(err)
				}
			}
			second.await(process.Resolved, 1)
			on.sends(second, 10)
			if stopped {
				close(awake)
				goOn := func(string) error { return nil }
				first.before.Store(&goOn)
			}
			if turn := on.turnOf(g); turn != 2 {
				t.Errorf("turn %d", turn)
			}
			if stopped {
				first.await(process.Idle, 1)
				if err := second.close(); err != nil {
					t.Error(err)
				}
				play()
				first.await(process.Resolved, 1)
				on.sends(first, 14)
				second = first
			} else if err := first.d.Close(); err != nil {
				t.Error(err)
			}
			if err := second.close(); err != nil {
				t.Error(err)
			}
			times := map[string]int{}
			for _, m := range on.delivered() {
				if times[m.MessageID]++; times[m.MessageID] > 1 {
					t.Errorf("%s went out twice: %s", m.MessageID, m.Subject)
				}
			}
			if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
				t.Errorf("the game: %v, %v", found, err)
			}
		})
	}
}

// A host that lost the mailbox while it acted on mails does not commit that any more: the new host is acting on the same
// mails, and would find only its first mail not acted on yet, whose older orders would then count.
func TestPostgresLostMailboxCommitsNoMails(t *testing.T) {
	on := newDatabase(t)
	g := on.moved("wolf", schedule())
	first := on.serve("first")
	first.await(process.Looked, 1)
	second := on.serve("second")
	second.await(process.Idle, 1)
	at, awake := make(chan struct{}), make(chan struct{})
	marks := 0
	hook := func(step string) error {
		if step == "answered" {
			if marks++; marks == 2 { // the first mail is marked, and nothing is committed
				close(at)
				<-awake
			}
		}
		return nil
	}
	first.before.Store(&hook)
	on.box.put(on.order(g, "Kirk", "standing", "  missing repeat"), on.order(g, "Kirk", "final"))
	<-at
	for _, statement := range []string{"UPDATE records SET until = now() WHERE until > now()", "UPDATE mailboxes SET fence = fence + 1, until = now()"} {
		if err := postgrestest.Exec(t.Context(), on.at, statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := postgrestest.AwaitBlocked(t.Context(), on.at); err != nil { // the second one's mark waits for the first one's
		t.Fatal(err)
	}
	close(awake)
	second.await(process.Handled, 2)
	sets, err := g.Orders.For(vault.At(1))
	if err != nil || len(sets) != 1 || !strings.Contains(string(sets[0].Text), "final") {
		t.Errorf("%v: in force is\n%v", err, sets)
	}
	for _, h := range []*hostAt{first, second} {
		if err := h.close(); err != nil {
			t.Error(err)
		}
	}
}
