package backup_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/backup"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/referee"
	"starpost/pbem/transport"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

const secret = "open sesame"

// office is a mail server, with everything that it delivered to captains.
type office struct {
	t       *testing.T
	servers *loopback.Server
	mu      sync.Mutex
	mails   map[string][]mime.Mail // by recipient
	news    chan struct{}
}

func openOffice(t *testing.T, c *config.Config) *office {
	t.Helper()
	o := &office{t: t, mails: map[string][]mime.Mail{}, news: make(chan struct{}, 1)}
	servers, err := loopback.Start([]loopback.User{
		{Address: robot, Password: secret}, {Address: kirk, Password: secret}, {Address: kor, Password: secret},
	}, loopback.Options{OnDelivery: func(_, to string, raw []byte) {
		m, err := mime.Read(raw)
		if err != nil {
			t.Error(err)
		}
		o.mu.Lock()
		o.mails[to] = append(o.mails[to], m)
		o.mu.Unlock()
		select {
		case o.news <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := servers.Close(); err != nil {
			t.Error(err)
		}
	})
	o.servers = servers
	c.IMAP.Server, c.SMTP = o.server(servers.IMAPAddr()), o.server(servers.SMTPAddr())
	return o
}

func (o *office) server(addr string) config.Server {
	o.t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		o.t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		o.t.Fatal(err)
	}
	return config.Server{Host: host, Port: n, TLS: config.TLSNone, User: robot, Password: config.NewSecret(secret), Timeout: clock.Span(time.Hour)}
}

// got counts the mails to an address with a word in the subject, and how many of them are
// different.
func (o *office) got(to, subject string) (all, different int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ids := map[string]bool{}
	for _, m := range o.mails[to] {
		if strings.Contains(m.Subject, subject) {
			all++
			ids[m.MessageID] = true
		}
	}
	return all, len(ids)
}

// await waits until a captain has that many mails.
func (o *office) await(to, subject string, n int) {
	o.t.Helper()
	for {
		if _, got := o.got(to, subject); got >= n {
			return
		}
		<-o.news
	}
}

// order sends the n-th order set of a captain; setNumber reads n from it.
func (o *office) order(g *vault.Game, captain, ship string, n int) {
	o.t.Helper()
	from := strings.ToLower(captain) + "@example.org"
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: orders\r\nMessage-ID: <%s.%d@example.org>\r\n\r\n#orders %s turn 1 ship %s key %s\r\npower\r\n  shields 1:%d 2:%d\r\n#end\r\n",
		from, robot, ship, n, g.ID(), ship, turn.Key(g, 1, engine.CaptainName(captain)), n/10+1, n%10+1)
	if err := o.servers.Deliver(from, robot, []byte(raw)); err != nil {
		o.t.Fatal(err)
	}
}

// putBack moves handled mails back into the inbox, as an operator does for the latest mails after
// restoring a backup.
func (o *office) putBack(c *config.Config) int {
	o.t.Helper()
	ctx := o.t.Context()
	box, err := mailbox.Dial(ctx, mailbox.Config{Server: transport.Server{
		Host: c.IMAP.Host, Port: c.IMAP.Port, TLS: c.IMAP.TLS, User: robot, Password: secret,
	}, Inbox: "Starpost/Done"}, nil)
	if err != nil {
		o.t.Fatal(err)
	}
	defer box.Close()
	if _, _, err := box.Select(ctx); err != nil {
		o.t.Fatal(err, fault.Hint(err))
	}
	uids, err := box.List(ctx, 0)
	if err == nil {
		err = box.Move(ctx, uids, "INBOX")
	}
	if err != nil {
		o.t.Fatal(err)
	}
	return len(uids)
}

func run(t *testing.T, c *config.Config) {
	t.Helper()
	d, err := daemon.Open(process.Options{Config: c, Catalogue: catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Once(t.Context())
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
}

// restore restores a backup to another place.
func restore(t *testing.T, c *config.Config, from string) *config.Config {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{backup.GamesDir, backup.StateDir} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	again := *c
	again.State, again.Games = filepath.Join(dir, "state"), []string{filepath.Join(dir, "games", "*")}
	return &again
}

var shields = regexp.MustCompile(`shields 1:(\d+)\D+2:(\d+)`)

// setNumber returns the number of an order set from its text; 0 for none.
func setNumber(t *testing.T, text []byte) int {
	t.Helper()
	m := shields.FindSubmatch(text)
	if m == nil {
		return 0
	}
	tens, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	ones, err := strconv.Atoi(string(m[2]))
	if err != nil {
		t.Fatal(err)
	}
	return (tens-1)*10 + ones - 1
}

// inForce returns the number of the order set of a ship, 0 for none.
func inForce(t *testing.T, dir, ship string) int {
	t.Helper()
	files, err := open(t, dir).Orders.For(vault.At(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == ship {
			return setNumber(t, f.Text)
		}
	}
	return 0
}

// known returns the highest number of an order set that a store has handled, and of one that it
// knows at all.
func known(t *testing.T, state string) (done, stored int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(state, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	rows, err := db.QueryContext(t.Context(), "SELECT sha256, state >= 2 AND outcome = 'done' FROM mails")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	bag := referee.Postbag{Host: &config.Config{State: state}}
	for rows.Next() {
		var sha string
		var isDone bool
		if err := rows.Scan(&sha, &isDone); err != nil {
			t.Fatal(err)
		}
		raw, err := bag.Load(t.Context(), sha)
		if err != nil {
			t.Fatalf("the store names a mail that is not in the backup: %v", err)
		}
		n := setNumber(t, raw)
		stored = max(stored, n)
		if isDone {
			done = max(done, n)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return done, stored
}

// A backup of a stopped daemon: continuing elsewhere, with the later mails put back, loses nothing
// and does nothing twice.
func TestRestoreAfterStop(t *testing.T) {
	c := home(t)
	o := openOffice(t, c)
	g := game(t, c, "wolf")
	run(t, c)
	o.order(g, "Kirk", "Hood", 1)
	run(t, c)
	saved := filepath.Join(t.TempDir(), "saved")
	if _, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: saved}); err != nil {
		t.Fatal(err)
	}
	o.order(g, "Kirk", "Hood", 2)
	run(t, c)
	o.order(g, "Kor", "Riskadh", 1) // still in the inbox when everything is lost

	again := restore(t, c, saved)
	if n := o.putBack(c); n != 2 {
		t.Fatalf("%d mails were put back, want 2", n)
	}
	run(t, again)
	dir := filepath.Join(filepath.Dir(again.Games[0]), "wolf")
	if hood, riskadh := inForce(t, dir, "Hood"), inForce(t, dir, "Riskadh"); hood != 2 || riskadh != 1 {
		t.Errorf("in force are sets %d and %d, want 2 and 1", hood, riskadh)
	}
	for to, want := range map[string]int{kirk: 2, kor: 1} {
		ship := map[string]string{kirk: "Hood", kor: "Riskadh"}[to]
		if _, different := o.got(to, ship+" accepted"); different != want {
			t.Errorf("%s has %d answers, want %d", to, different, want)
		}
	}
	if all, _ := o.got(kirk, "begins"); all != 1 {
		t.Errorf("the first report came %d times", all)
	}
	if g := open(t, dir); g.Turn() != 0 {
		t.Error("a turn was played")
	} else if _, err := proof.Verify(g, func(int) {}); err != nil {
		t.Error(err)
	}
}

// Backups of a running daemon, while orders keep coming in: in each the game has all orders that
// the store has handled, and none that the store does not know, so that repeated work is done in
// its order.
func TestBackupWhileServing(t *testing.T) {
	c := home(t)
	o := openOffice(t, c)
	g := game(t, c, "wolf")
	d, err := daemon.Open(process.Options{Config: c, Catalogue: catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	o.await(kirk, "begins", 1)
	const mails, each = 18, 4
	place := t.TempDir()
	var saved []string
	for n := 1; n <= mails; n++ {
		o.order(g, "Kirk", "Hood", n)
		d.Wake()
		if n%each != 0 {
			continue
		}
		o.await(kirk, "Hood accepted", 1) // until it has read the mailbox once, it accepts no mails from before its start
		to := filepath.Join(place, strconv.Itoa(n))
		if _, err := backup.Make(t.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: to}); err != nil {
			t.Fatal(err)
		}
		saved = append(saved, to)
	}
	o.await(kirk, "Hood accepted", mails)
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	for _, from := range saved {
		in := inForce(t, filepath.Join(from, "games", "wolf"), "Hood")
		if done, stored := known(t, filepath.Join(from, "state")); in < done || in > stored {
			t.Errorf("%s: the game has set %d, the store has done %d of %d", filepath.Base(from), in, done, stored)
		}
	}
	run(t, c) // the last mails may still be in the inbox, and would come before the others
	again := restore(t, c, saved[0])
	o.putBack(c)
	run(t, again)
	dir := filepath.Join(filepath.Dir(again.Games[0]), "wolf")
	if n := inForce(t, dir, "Hood"); n != mails {
		t.Errorf("in force is set %d, want %d", n, mails)
	}
	if _, different := o.got(kirk, "Hood accepted"); different != mails {
		t.Errorf("%d answers for %d mails", different, mails)
	}
	if _, err := proof.Verify(open(t, dir), func(int) {}); err != nil {
		t.Error(err)
	}
}
