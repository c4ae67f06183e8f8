package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"maps"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/lobby"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	robot      = "starpost@example.org"
	kirk       = "kirk@example.org"
	kor        = "kor@example.org"
	refAddress = "referee@example.org"
	anybody    = "khan@example.com"
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// catalogue makes its rule sets once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family(), manual.Family()) })

// box is a mailbox in memory, like a server's.
type box struct {
	mu       sync.Mutex
	validity uint32
	next     uint32
	inbox    map[uint32][]byte
	infos    map[uint32]mailbox.Info // of mails that did not arrive just now
	folders  map[string][]string
	news     chan struct{}
	broken   error // returned by opening and looking
	limit    int   // of larger mails only the header is available; 0 for none
	headless bool  // ... nor even that
}

func newBox() *box {
	return &box{validity: 1, next: 1, inbox: map[uint32][]byte{}, infos: map[uint32]mailbox.Info{}, folders: map[string][]string{}, news: make(chan struct{}, 1)}
}

func (b *box) put(raws ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, raw := range raws {
		b.inbox[b.next] = []byte(raw)
		b.next++
	}
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// renumber gives all mails new UIDs under a new UIDVALIDITY.
func (b *box) renumber() {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, infos := b.inbox, b.infos
	b.infos = map[uint32]mailbox.Info{}
	b.inbox, b.next, b.validity = map[uint32][]byte{}, 1, b.validity+1
	for _, uid := range slices.Sorted(maps.Keys(old)) {
		b.inbox[b.next] = old[uid]
		if info, ok := infos[uid]; ok {
			b.infos[b.next] = info
		}
		b.next++
	}
}

// old puts in a mail that arrived at the given time.
func (b *box) old(raw string, arrived time.Time, seen bool) {
	b.mu.Lock()
	b.infos[b.next] = mailbox.Info{Arrived: arrived, Seen: seen}
	b.mu.Unlock()
	b.put(raw)
}

func (b *box) left() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.inbox)
}

func (b *box) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = err
}

func (b *box) open(context.Context, config.Mailbox) (process.Inbox, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken != nil {
		return nil, b.broken
	}
	return &boxSession{b}, nil
}

type boxSession struct{ *box }

func (s *boxSession) Look(_ context.Context, validity, after uint32) (uint32, []uint32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return 0, nil, s.broken
	}
	if validity != s.validity {
		after = 0
	}
	var uids []uint32
	for _, uid := range slices.Sorted(maps.Keys(s.inbox)) {
		if uid > after {
			uids = append(uids, uid)
		}
	}
	return s.validity, uids, nil
}

// Infos reports mails without other information as arrived in a distant future.
func (s *boxSession) Infos(_ context.Context, uids []uint32) (map[uint32]mailbox.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[uint32]mailbox.Info{}
	for _, uid := range uids {
		if _, ok := s.inbox[uid]; ok {
			out[uid] = s.info(uid)
		}
	}
	return out, nil
}

func (s *boxSession) info(uid uint32) mailbox.Info {
	if info, ok := s.infos[uid]; ok {
		return info
	}
	return mailbox.Info{Arrived: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (s *boxSession) Fetch(_ context.Context, uids []uint32, take func(mailbox.Mail) error) error {
	for _, uid := range uids {
		s.mu.Lock()
		raw, ok := s.inbox[uid]
		m := mailbox.Mail{Ref: mailbox.Ref{UIDValidity: s.validity, UID: uid}, Size: int64(len(raw)), Arrived: s.info(uid).Arrived, Raw: raw}
		if s.limit > 0 && len(raw) > s.limit {
			head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
			m.Raw, m.Head, m.Limit = nil, append(slices.Clip(head), "\r\n\r\n"...), int64(s.limit)
			if s.headless {
				m.Head = nil
			}
		}
		s.mu.Unlock()
		if !ok {
			continue
		}
		if err := take(m); err != nil {
			return err
		}
	}
	return nil
}

func (s *boxSession) Move(_ context.Context, uids []uint32, folder string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uid := range uids {
		if raw, ok := s.inbox[uid]; ok {
			s.folders[folder] = append(s.folders[folder], string(raw))
			delete(s.inbox, uid)
		}
	}
	return nil
}

func (s *boxSession) Wait(ctx context.Context, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-s.news:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (s *boxSession) Wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *boxSession) Close() {}

// outlet is an outgoing server in memory.
type outlet struct {
	mu   sync.Mutex
	sent []outgoing.Envelope
	// answer decides about a mail before it is accepted; nil accepts all.
	answer func(env outgoing.Envelope, try int) (outgoing.Outcome, error)
	tries  map[string]int
	down   error
}

func (o *outlet) open(context.Context, config.Mailbox) (process.Sender, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.down != nil {
		return nil, o.down
	}
	return o, nil
}

// asked checks whether the daemon still wants the mail to be sent.
func asked(env outgoing.Envelope) error {
	if env.Last == nil {
		return nil
	}
	if err := env.Last(); err != nil {
		return &outgoing.Error{Stage: outgoing.StageBody, Outcome: outgoing.TemporaryFailure, Err: err}
	}
	return nil
}

func (o *outlet) Send(_ context.Context, env outgoing.Envelope) (outgoing.Outcome, error) {
	if err := asked(env); err != nil {
		return outgoing.TemporaryFailure, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tries == nil {
		o.tries = map[string]int{}
	}
	id := idOf(env)
	o.tries[id]++
	if o.answer != nil {
		if outcome, err := o.answer(env, o.tries[id]); err != nil {
			if outcome == outgoing.Ambiguous {
				o.sent = append(o.sent, env)
			}
			return outcome, err
		}
	}
	o.sent = append(o.sent, env)
	return outgoing.Delivered, nil
}

func (o *outlet) Close() {}

// take returns what was sent since the last call.
func (o *outlet) take() []outgoing.Envelope {
	o.mu.Lock()
	defer o.mu.Unlock()
	sent := o.sent
	o.sent = nil
	return sent
}

// idOf returns the Message-ID of a mail that we sent.
func idOf(env outgoing.Envelope) string {
	m, err := netmail.ReadMessage(bytes.NewReader(env.Data))
	if err != nil {
		panic(fmt.Sprintf("our own mail cannot be read: %v", err))
	}
	return m.Header.Get("Message-ID")
}

// read reads a mail that we sent.
func read(env outgoing.Envelope) mime.Mail {
	m, err := mime.Read(env.Data)
	if err != nil {
		panic(fmt.Sprintf("our own mail cannot be read: %v", err))
	}
	return m
}

// world is a daemon with its environment. The daemon may be opened and closed repeatedly.
type world struct {
	t     *testing.T
	dir   string
	clock *fakeClock
	box   *box
	out   *outlet
	cfg   *config.Config
	cat   vault.Catalogue
	log   *slog.Logger
	mails int

	library *lobby.Library
	beacons relay.Source
	machine clock.Clock // of a serving daemon

	before func(step string) error
	watch  func(process.Event)
	digest func(ctx context.Context, now time.Time) (subject, text string, err error)
	store  func() (process.Store, error) // nil: each daemon opens its own
}

// newWorld is for tests in which the daemon handles one mail after another. There are many of them, and they check
// answers rather than concurrency, so only one in [enginetest.Share] runs under the race detector; the run without it
// has all.
func newWorld(t *testing.T) *world {
	t.Helper()
	name := fnv.New32a()
	_, _ = name.Write([]byte(t.Name()))
	if name.Sum32()%enginetest.Share != 0 {
		enginetest.Sequential(t)
	}
	return watchedWorld(t)
}

// watchedWorld is for tests in which several things happen at once: all of them run under the race detector too.
func watchedWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	return &world{
		t: t, dir: dir, clock: newClock(began), machine: clock.Real{}, box: newBox(), out: &outlet{}, cat: catalogue(),
		cfg: &config.Config{
			Address: robot, Name: "Starpost", Referee: refAddress, State: filepath.Join(dir, "state"),
			Games: []string{filepath.Join(dir, "games", "*")}, Poll: clock.Span(time.Minute),
			Strangers: config.StrangersAnswer, Limits: config.Limits{AnswersPerHour: 20, SetAnswersPerHour: 200, StrangersPerDay: 240}, Plus: true,
			IMAP: &config.IMAP{Server: config.Server{Host: "mail.example.org", User: robot}, Inbox: "INBOX", Folders: "Starpost"},
		},
	}
}

// again returns a copy of a world with a closed daemon: files, mailbox, time and settings. Tests that kill at each
// step start there instead of playing up to it.
func (w *world) again(t *testing.T) *world {
	t.Helper()
	c := watchedWorld(t)
	if err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		to := filepath.Join(c.dir, strings.TrimPrefix(path, w.dir))
		if e.IsDir() {
			return os.MkdirAll(to, info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, info.Mode().Perm())
	}); err != nil {
		t.Fatal(err)
	}
	state, games := c.cfg.State, c.cfg.Games
	*c.cfg = *w.cfg
	c.cfg.State, c.cfg.Games = state, games
	c.clock.Set(w.clock.Now())
	c.cat, c.mails, c.beacons = w.cat, w.mails, w.beacons
	w.box.mu.Lock()
	defer w.box.mu.Unlock()
	c.box.validity, c.box.next, c.box.inbox, c.box.infos = w.box.validity, w.box.next, maps.Clone(w.box.inbox), maps.Clone(w.box.infos)
	return c
}

// schedule returns the mail settings of most tests.
func schedule() vault.MailSettings {
	m := vault.DefaultMail()
	m.Robot = robot
	return m
}

// game creates The Big Bad Wolf with an ID: Kirk's Hood against Kor's Riskadh.
func (w *world) game(id string, mail vault.MailSettings) *vault.Game {
	w.t.Helper()
	return w.made(id, "big-bad-wolf", mail, vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}})
}

// made creates a game of a scenario.
func (w *world) made(id, scenario string, mail vault.MailSettings, captains ...vault.Captain) *vault.Game {
	w.t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		w.t.Fatal(err)
	}
	return w.madeOf(id, all[scenario], mail, captains...)
}

// madeOf creates a game from the text of a scenario.
func (w *world) madeOf(id string, scenario []byte, mail vault.MailSettings, captains ...vault.Captain) *vault.Game {
	w.t.Helper()
	seed := uint64(1)
	dir := filepath.Join(w.dir, "games", id)
	_, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario, ID: id, Mail: mail, Captains: captains,
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.load(id)
}

// load opens a game again.
func (w *world) load(id string) *vault.Game {
	w.t.Helper()
	g, err := vault.Open(directory.At(filepath.Join(w.dir, "games", id)), catalogue())
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

func (w *world) open() *daemon.Daemon {
	w.t.Helper()
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Library: w.library, Clock: w.clock, Log: w.log, Inbox: w.box.open, Sender: w.out.open, Before: w.before, Watch: w.watch, Digest: w.digest, Beacons: w.beacons, Store: w.store,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// once opens the daemon for one run.
func (w *world) once() (daemon.Summary, error) {
	w.t.Helper()
	d := w.open()
	s, err := d.Once(w.t.Context())
	return s, errors.Join(err, d.Close())
}

// run is once, and returns the mails sent.
func (w *world) run() sentMails {
	w.t.Helper()
	if _, err := w.once(); err != nil {
		w.t.Fatal(err)
	}
	return w.delivered()
}

// sentMails are mails that were sent.
type sentMails []sentMail

type sentMail struct {
	to  string
	raw string
	mime.Mail
}

func (w *world) delivered() sentMails {
	var out sentMails
	for _, env := range w.out.take() {
		l := sentMail{env.To, string(env.Data), read(env)}
		if strings.Contains(l.Subject, w.dir) || strings.Contains(l.Text, w.dir) || strings.Contains(l.raw, w.dir) {
			w.t.Errorf("a mail tells where things lie on the machine:\n%s", l.Text)
		}
		out = append(out, l)
	}
	return out
}

// to returns the mails to an address with a subject that contains the given word.
func (l sentMails) to(address, subject string) sentMails {
	var out sentMails
	for _, m := range l {
		if m.to == address && strings.Contains(m.Subject, subject) {
			out = append(out, m)
		}
	}
	return out
}

func (l sentMails) String() string {
	var lines []string
	for _, m := range l {
		lines = append(lines, m.to+": "+m.Subject)
	}
	return strings.Join(lines, "\n")
}

// order returns an order mail for a ship with the given lines, otherwise valid.
func (w *world) order(g *vault.Game, captain engine.CaptainName, lines ...string) string {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	ship := map[engine.CaptainName]string{"Kirk": "Hood", "Kor": "Riskadh"}[captain]
	due := g.Turn() + 1
	return w.mail(strings.ToLower(string(captain))+"@example.org", fmt.Sprintf("#orders %s turn %d ship %s key %s\n%s\n#end\n",
		g.ID(), due, ship, turn.Key(g, due, captain), strings.Join(lines, "\n")))
}

func (w *world) mail(from, text string, headers ...string) string {
	w.mails++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: orders\r\nMessage-ID: <%d@example.org>\r\n", from, robot, w.mails)
	for _, h := range headers {
		raw += h + "\r\n"
	}
	return raw + "\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
}

// turnOf returns the last turn of a game.
func (w *world) turnOf(g *vault.Game) int {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	return g.Turn()
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}

// await receives n values.
func await(c <-chan string, n int) {
	for range n {
		<-c
	}
}
