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

// lease is the lease of hosts that share a database, the shortest that is allowed.
const lease = 6 * time.Second

// catalogue returns the rule sets. They are made once for all tests, because nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// world is everything outside the process: servers, captains, game directories.
// It outlives the process.
type world struct {
	t      *testing.T
	dir    string
	state  string         // directory
	config string         // file
	at     postgres.Place // the database that hosts share, if there is one
	shared *records.Games // the games in it; nil without a database
	dice   *fakerelay.Key // the beacon of games with public dice; nil for none
	server *loopback.Server
	games  map[string]*battle // by id
	log    bytes.Buffer       // of every process
	done   chan struct{}      // closed when no more mails are expected

	mu       sync.Mutex
	acting   sync.Mutex // held while a captain acts
	news     *sync.Cond
	captains sync.WaitGroup
	waiting  []delivery // mails for the captains to read
	closed   bool
	stir     func() // called for each mail that a captain reads
	slow     bool   // see linger
	paced    bool   // captains answer only as many reports as allow permits
	allowed  int    // how many they may still answer, if paced
	got      int    // mails sent by the robot
	read     int    // how many of them captains have read

	// Guarded by acting until rest returns.
	copies   map[string][]delivery // mails sent by the robot, by Message-ID
	mails    []*mail               // written by captains, in order
	byID     map[string]*mail
	relays   map[string]int  // number of different mails, by the message passed on
	lost     map[string]bool // addresses from which a report bounced
	closings map[string]bool // mails saying that the orders are closed, by Message-ID
	owed     int             // answers, messages and last reports still to come
	over     bool
}

// delivery is a mail that the server accepted.
type delivery struct {
	to  string
	raw string
	at  time.Time // when it was accepted
	mime.Mail
}

// battle is one game.
type battle struct {
	id       string
	dir      string
	tree     record.Tree
	captains map[string]*captain // by address
	moves    int                 // order sets completed so far, in all turns
}

// open opens the game. It tries again over a new connection if one was cut.
func (b *battle) open() (g *vault.Game, err error) {
	err = persist(func() error {
		g, err = vault.Open(b.tree, catalogue())
		return err
	})
	return g, err
}

// persist repeats do while the database is unreachable, long enough for a server to be replaced.
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

// gameIDs are the games played at once, each with its own seed.
var gameIDs = []string{"wolf", "bear", "lynx"}

// newWorld starts a world with all of gameIDs, their dice seeded from seed.
func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	mailing := vault.DefaultMail()
	// Turns run once all sets are in and final, never earlier.
	mailing.ChangeWindow, mailing.Missing = clock.Span(12*time.Hour), vault.PolicyHold
	return newWorldOf(t, seed, gameIDs, mailing, nil)
}

// newWorldOf starts a world with the given games. If dice is not nil, they have public dice.
func newWorldOf(t *testing.T, seed uint64, ids []string, mailing vault.MailSettings, dice *fakerelay.Key) *world {
	t.Helper()
	return (&world{t: t, dir: t.TempDir(), dice: dice}).begin(seed, ids, mailing)
}

// begin creates the games and starts the server and the captains.
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

// moved has f called for each mail that a captain reads.
func (w *world) moved(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stir = f
}

// rest waits until the captains have read the mails so far, and stops them.
func (w *world) rest() {
	w.mu.Lock()
	w.closed = true
	w.news.Broadcast()
	w.mu.Unlock()
	w.captains.Wait()
}

// game creates a game of The Big Bad Wolf with a captain for each ship.
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

// relay starts n honest relays of the beacon and one that lies, and adds them to the configuration.
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

// place holds the addresses that a host works with.
type place struct {
	state string // directory
	url   string // of the database that holds the games, if there is one
	imap  string
	smtp  string
}

// place returns the addresses of a host without proxies in between.
func (w *world) place() place {
	return place{state: w.state, url: w.at.URL, imap: w.server.IMAPAddr(), smtp: w.server.SMTPAddr()}
}

// configureFor writes a host's configuration to a file and returns its path.
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

// delivered is called for every mail that the server gets.
func (w *world) delivered(from, to string, raw []byte) {
	if from != robot {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, delivery{to: to, raw: string(raw), at: time.Now()})
	w.news.Broadcast()
	w.got++
	// The server confirms the mail when this function returns.
	for n := w.got; w.slow && w.read < n && !w.closed; {
		w.news.Wait()
	}
	if w.slow && w.isOver() {
		w.mu.Unlock()
		time.Sleep(500 * time.Millisecond)
		w.mu.Lock()
	}
}

// isOver reports whether all expected mails have come.
func (w *world) isOver() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// linger has the server confirm a mail only when a captain has read it, and the last one half a second later.
func (w *world) linger() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slow = true
}

// allow lets captains answer n more reports.
func (w *world) allow(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allowed += n
	w.news.Broadcast()
}

// hurry lets captains answer all reports at once again.
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

// play acts for the captains: it reads each mail of the robot in turn, and answers
// reports.
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

// take reads one mail and counts it.
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

// luck returns the captain's own random numbers for a turn. They do not depend on
// when it is called.
func (c *captain) luck(due int) *rand.Rand {
	seed := uint64(due)
	for _, b := range []byte(c.address) {
		seed = seed*31 + uint64(b)
	}
	return rand.New(rand.NewPCG(seed, 0))
}

// relayed returns the message to another captain that a mail passes on, if it
// is such a mail.
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
