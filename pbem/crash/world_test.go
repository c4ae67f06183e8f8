package crash_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/clock"
	"starpost/pbem/loopback"
	"starpost/pbem/mime"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/store"
	"starpost/pbem/store/postgres"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	domain      = "fleet.example"
	robot       = "starpost@" + domain
	refAddress  = "referee@" + domain
	password    = "open sesame"
	passwordEnv = "STARPOST_CRASH_PASSWORD"
)

// lease is that of the hosts that share a database, and the shortest that there may be.
const lease = 6 * time.Second

// catalogue has its rule sets made once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// world is everything around the process: servers, captains, game directories.
// It outlives the process.
type world struct {
	t      *testing.T
	dir    string
	state  string         // directory
	config string         // file
	at     postgres.Place // the database of several hosts, if there is one
	shared *records.Games // ... and its games; nil for none
	dice   *fakerelay.Key // the beacon of games with public dice; else nil
	server *loopback.Server
	games  map[string]*battle // by id
	log    bytes.Buffer       // of every process
	done   chan struct{}      // closed when nothing more is to come

	mu       sync.Mutex
	acting   sync.Mutex // held while a captain acts
	news     *sync.Cond
	captains sync.WaitGroup
	waiting  []delivery // for the captains to read
	closed   bool
	stir     func() // told of each mail that a captain read
	slow     bool   // see linger
	paced    bool   // captains answer only as many reports as allow allows
	allowed  int    // ... that is how many now
	got      int    // mails of the robot
	read     int    // ... that captains read

	// Guarded by acting, until the captains rest.
	copies   map[string][]delivery // mails of the robot, by Message-ID
	mails    []*mail               // that captains wrote, in order
	byID     map[string]*mail
	relays   map[string]int  // different mails, by the words to pass on
	lost     map[string]bool // addresses from which a report came back for good
	closings map[string]bool // mails that orders are closed, by Message-ID
	owed     int             // answers and last reports that are still to come
	over     bool
}

// delivery is a mail that a server took.
type delivery struct {
	to  string
	raw string
	at  time.Time // when
	mime.Mail
}

// battle is one game.
type battle struct {
	id       string
	dir      string
	tree     record.Tree
	captains map[string]*captain // by address
	moves    int                 // captains who sent their orders, by turn
}

// open opens the game, where a connection was cut over a new one.
func (b *battle) open() (g *vault.Game, err error) {
	err = persist(func() error {
		g, err = vault.Open(b.tree, catalogue())
		return err
	})
	return g, err
}

// persist does something again while the database is out of reach, for as long as a server may take to be replaced.
func persist(do func() error) (err error) {
	for range 1200 {
		if err = do(); !store.IsTrouble(err) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

type captain struct {
	silent        bool // writes nothing
	name          engine.CaptainName
	address, ship string
	game          *battle
	done          bool           // has the last report
	answered      map[int]bool   // turns for which orders were sent
	inForce       map[int]string // lines of the last valid set, by turn
}

// gameIDs are played at once, each with another seed.
var gameIDs = []string{"wolf", "bear", "lynx"}

// newWorld makes the games of a seed, servers, and captains who play.
func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	mailing := vault.DefaultMail()
	// Turns run when all sets are in and final, never before.
	mailing.ChangeWindow, mailing.Missing = clock.Span(12*time.Hour), vault.PolicyHold
	return newWorldOf(t, seed, gameIDs, mailing, nil)
}

// newWorldOf makes certain games, servers, and wakes the captains. With a beacon the games have public dice.
func newWorldOf(t *testing.T, seed uint64, ids []string, mailing vault.MailSettings, dice *fakerelay.Key) *world {
	t.Helper()
	return (&world{t: t, dir: t.TempDir(), dice: dice}).begin(seed, ids, mailing)
}

// begin makes the games, and wakes the captains.
func (w *world) begin(seed uint64, ids []string, mailing vault.MailSettings) *world {
	t := w.t
	t.Helper()
	w.games, w.done, w.stir = map[string]*battle{}, make(chan struct{}), func() {}
	w.copies, w.closings, w.byID, w.relays, w.lost = map[string][]delivery{}, map[string]bool{}, map[string]*mail{}, map[string]int{}, map[string]bool{}
	w.news, w.state = sync.NewCond(&w.mu), filepath.Join(w.dir, "state")
	users := []loopback.User{{Address: robot, Password: password}, {Address: refAddress, Password: password}}
	for i, id := range ids {
		b := w.game(id, seed*10+uint64(i), mailing)
		w.games[id] = b
		for _, c := range b.captains {
			users = append(users, loopback.User{Address: c.address, Password: password})
			w.owed++ // the last report
		}
	}
	var err error
	if w.server, err = loopback.Start(users, loopback.Options{OnDelivery: w.delivered, RequireLogin: true}); err != nil {
		t.Fatal(err)
	}
	w.config = w.configureFor(w.place(), filepath.Join(w.dir, "starpost.toml"))
	if w.dice != nil {
		w.relay(2)
	}
	w.captains.Go(w.play)
	t.Cleanup(func() {
		w.rest()
		if err := w.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// moved has f told of each mail that a captain reads.
func (w *world) moved(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stir = f
}

// rest has the captains read what they got, and nothing after that.
func (w *world) rest() {
	w.mu.Lock()
	w.closed = true
	w.news.Broadcast()
	w.mu.Unlock()
	w.captains.Wait()
}

// game makes The Big Bad Wolf with a captain for each ship.
func (w *world) game(id string, seed uint64, mailing vault.MailSettings) *battle {
	w.t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		w.t.Fatal(err)
	}
	b := &battle{id: id, dir: filepath.Join(w.dir, "games", id), captains: map[string]*captain{}}
	mailing.Robot = robot
	var captains []vault.Captain
	for _, ship := range []string{"Hood", "Riskadh"} {
		c := &captain{name: engine.CaptainName(ship), ship: ship, address: strings.ToLower(ship) + "." + id + "@" + domain, game: b, answered: map[int]bool{}, inForce: map[int]string{}}
		b.captains[c.address] = c
		captains = append(captains, vault.Captain{Name: c.name, Address: c.address, Ships: []string{ship}})
	}
	setup := turn.Setup{
		Scenario: all["big-bad-wolf"], ID: id, Mail: mailing, Captains: captains, Secret: dice.FromSeed(seed), Seed: &seed,
		Options: turn.Options{Now: time.Now()},
	}
	if s := w.dice; s != nil {
		setup.Dice = vault.DiceBeacon
		setup.Beacon = vault.BeaconSettings{Chain: s.Hash, Key: s.Key, Genesis: s.Genesis, Period: s.Period, Wait: clock.Span(time.Second)}
	}
	b.tree = directory.At(b.dir)
	if w.shared != nil {
		var err error
		if b.tree, err = w.shared.At(id); err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := turn.CreateIn(b.tree, catalogue(), setup); err != nil {
		w.t.Fatal(err)
	}
	return b
}

// relay starts so many relays of the beacon, and one that lies, and has the configuration name them.
func (w *world) relay(n int) {
	w.t.Helper()
	var urls []string
	for i := range n + 1 {
		r := fakerelay.Start(w.dice, time.Now)
		w.t.Cleanup(r.Close)
		if i == 0 {
			r.Set(fakerelay.BadSignature, 0)
		}
		urls = append(urls, fmt.Sprintf("%q", r.URL))
	}
	f, err := os.OpenFile(w.config, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = fmt.Fprintf(f, "[beacon]\nrelays = [%s]\n", strings.Join(urls, ", "))
	if err := errors.Join(err, f.Close()); err != nil {
		w.t.Fatal(err)
	}
}

// place is where a host finds what it works with.
type place struct {
	state string // directory
	url   string // of the database, where the games are in one
	imap  string
	smtp  string
}

// place is that of a host with nothing in between.
func (w *world) place() place {
	return place{state: w.state, url: w.at.URL, imap: w.server.IMAPAddr(), smtp: w.server.SMTPAddr()}
}

// configureFor writes a host's configuration into a file.
func (w *world) configureFor(at place, path string) string {
	w.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "address = %q\nreferee = %q\nstate = %q\npoll = \"5s\"\nanswers_per_hour = 1000\n", robot, refAddress, at.state)
	if w.shared == nil {
		fmt.Fprintf(&b, "games = [%q]\n", filepath.Join(w.dir, "games", "*"))
	} else {
		fmt.Fprintf(&b, "[store]\nurl = %q\nlease = %q\n", at.url, lease)
	}
	for name, addr := range map[string]string{"imap": at.imap, "smtp": at.smtp} {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprintf(&b, "[%s]\nhost = %q\nport = %s\ntls = \"none\"\nuser = %q\npassword_env = %q\n", name, host, port, robot, passwordEnv)
	}
	b.WriteString("[log]\nlevel = \"debug\"\nformat = \"text\"\n")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// delivered is told of every mail that the server took.
func (w *world) delivered(from, to string, raw []byte) {
	if from != robot {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, delivery{to: to, raw: string(raw), at: time.Now()})
	w.news.Broadcast()
	w.got++
	// The server answers when this returns.
	for n := w.got; w.slow && w.read < n && !w.closed; {
		w.news.Wait()
	}
	if w.slow && w.isOver() {
		w.mu.Unlock()
		time.Sleep(500 * time.Millisecond)
		w.mu.Lock()
	}
}

// isOver tells whether nothing more is to come.
func (w *world) isOver() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// linger has the server answer for a mail when a captain has read it, and for the last one a while later.
func (w *world) linger() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slow = true
}

// allow has captains answer n reports more.
func (w *world) allow(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allowed += n
	w.news.Broadcast()
}

// hurry has captains answer at once again.
func (w *world) hurry() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paced = false
	w.news.Broadcast()
}

// permitted waits until a report may be answered.
func (w *world) permitted() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.paced && w.allowed == 0 && !w.closed {
		w.news.Wait()
	}
	w.allowed = max(0, w.allowed-1)
}

// play is the captains, one after the other: each mail of the robot is read, and
// answered if it is a report.
func (w *world) play() {
	for {
		w.mu.Lock()
		for len(w.waiting) == 0 && !w.closed {
			w.news.Wait()
		}
		if len(w.waiting) == 0 {
			w.mu.Unlock()
			return
		}
		m := w.waiting[0]
		w.waiting = w.waiting[1:]
		w.stir()
		w.mu.Unlock()
		w.acting.Lock()
		w.take(m)
		if w.owed == 0 && !w.over {
			w.over = true
			close(w.done)
		}
		w.acting.Unlock()
		w.mu.Lock()
		w.read++
		w.news.Broadcast()
		w.mu.Unlock()
	}
}

// take reads one mail.
func (w *world) take(m delivery) {
	var err error
	if m.Mail, err = mime.Read([]byte(m.raw)); err != nil {
		w.t.Errorf("a mail of the robot cannot be read: %v\n%s", err, m.raw)
		return
	}
	known := len(w.copies[m.MessageID]) > 0
	w.copies[m.MessageID] = append(w.copies[m.MessageID], m)
	if known {
		return
	}
	if cause := w.byID[m.InReplyTo]; cause != nil {
		if cause.answers++; cause.answers == 1 && cause.want.answered() {
			w.owed--
		}
		return
	}
	if text, ok := w.relayed(m); ok {
		if w.relays[text]++; w.relays[text] == 1 {
			w.owed--
		}
		return
	}
	if strings.HasSuffix(m.Subject, "the orders are closed") {
		w.closings[m.MessageID] = true
		return
	}
	for _, b := range w.games {
		if c := b.captains[m.to]; c != nil && !c.silent {
			c.report(w, m)
		}
	}
}

// report answers the report of a turn.
func (c *captain) report(w *world, m delivery) {
	var n int
	if _, err := fmt.Sscanf(strings.TrimPrefix(m.MessageID, c.game.id+"."), "%d.", &n); err != nil {
		w.t.Errorf("what is this? %s\n%s", m.MessageID, m.raw)
		return
	}
	w.permitted()
	if err := persist(func() error {
		g, err := vault.Open(c.game.tree, catalogue())
		if err != nil {
			return err
		}
		state, err := g.Stages.State(vault.At(n))
		switch {
		case err != nil:
			return err
		case state.Result != nil:
			w.owed--
			c.done = true
		case g.Turn() != n:
			return fmt.Errorf("game %s: turn %d was played before the report of turn %d was answered", g.ID(), g.Turn(), n)
		default:
			return c.write(w, g, n+1, m.MessageID)
		}
		return nil
	}); err != nil {
		w.t.Error(err)
	}
}

// luck is the captain's own dice for a turn; they do not depend on when he is
// asked.
func (c *captain) luck(due int) *rand.Rand {
	seed := uint64(due)
	for _, b := range []byte(c.address) {
		seed = seed*31 + uint64(b)
	}
	return rand.New(rand.NewPCG(seed, 0))
}

// relayed gives the words that a captain wrote to another one, if that is what a
// mail passes on.
func (w *world) relayed(m delivery) (string, bool) {
	if !strings.HasPrefix(m.MessageID, "letter.") {
		return "", false
	}
	for text := range w.relays {
		if strings.Contains(m.Text, text) {
			return text, true
		}
	}
	w.t.Errorf("words that nobody wrote:\n%s", m.raw)
	return "", false
}
