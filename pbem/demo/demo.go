package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/pattern"
	"starpost/pbem/transport"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Options configures a demonstration.
type Options struct {
	Seed      uint64          // of the dice
	Dir       string          // for the files; created if it is missing, must be empty
	Out       io.Writer       // for the output; nil shows nothing
	Catalogue vault.Catalogue // must contain the scenario's rule set
	Scenario  []byte          // a TOML file
	ID        string          // of the game; "" is "wolf"
	Log       *slog.Logger    // the daemon's; nil for none
}

// Result is how the battle ended.
type Result struct {
	Turn   int
	Winner string // the side's name; "" for a draw
	Why    string
	Mails  int    // number of mails sent
	Game   string // the game directory
	Took   time.Duration
}

const (
	domain = "fleet.example"
	robot  = "starpost@" + domain
	secret = "demonstration" // password of all mailboxes, in this process only
)

// errNoEnd says that a battle did not end in time.
var errNoEnd = errors.New("the battle did not end")

// Run plays the scenario to its end. It takes seconds.
func Run(ctx context.Context, o Options) (r *Result, err error) {
	began := time.Now()
	o.ID = cmp.Or(o.ID, "wolf")
	if o.Out == nil {
		o.Out = io.Discard
	}
	b := &battle{o: o, show: &screen{out: o.Out, began: began}}
	if err := b.prepare(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.server.Close(), b.show.trouble()) }()
	end, err := b.play(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w (the files are in %s)", err, o.Dir)
	}
	r = &Result{Turn: end.Result.Turn, Why: end.Result.Why, Mails: b.show.count(), Game: b.game, Took: time.Since(began)}
	if !end.Result.Draw {
		r.Winner = end.SideName(end.Result.Side)
	}
	return r, nil
}

// battle is one run.
type battle struct {
	o        Options
	show     *screen
	game     string // directory
	server   *loopback.Server
	daemon   *daemon.Daemon
	captains []*captain
	patience *time.Timer
}

// prepare creates the game directory and starts the servers.
func (b *battle) prepare() error {
	if err := os.MkdirAll(b.o.Dir, 0o700); err != nil {
		return fmt.Errorf("make the directory of the demonstration: %w", err)
	}
	b.game = filepath.Join(b.o.Dir, b.o.ID)
	sc, diags := scenario.Parse(b.o.Scenario)
	if sc == nil {
		return &turn.ScenarioError{Diagnostics: diags}
	}
	if r, err := b.o.Catalogue.Rules(sc.Rules, nil); err == nil && r.Robot == nil {
		return fmt.Errorf("rule set %s has no robot that could play a demonstration", r.Name)
	}
	users := []loopback.User{{Address: robot, Password: secret}}
	mailing := vault.DefaultMail()
	mailing.Robot, mailing.ChangeWindow, mailing.Missing = robot, clock.DefaultChangeWindow, vault.PolicyHold
	setup := turn.Setup{
		Scenario: b.o.Scenario, ID: b.o.ID, Mail: mailing, Secret: dice.FromSeed(b.o.Seed), Seed: &b.o.Seed,
		Options: turn.Options{Now: time.Now()},
	}
	for _, ship := range sc.Ships {
		address := strings.ToLower(ship.Name) + "@" + domain
		users = append(users, loopback.User{Address: address, Password: secret})
		setup.Captains = append(setup.Captains, vault.Captain{Name: engine.CaptainName(ship.Name), Address: address, Ships: []string{ship.Name}})
		for _, post := range slices.Sorted(maps.Keys(ship.Crew)) { // each officer has their own mailbox
			address := strings.ToLower(ship.Name) + "-" + post + "@" + domain
			users = append(users, loopback.User{Address: address, Password: secret})
			setup.Captains = append(setup.Captains, vault.Captain{Name: ship.Crew[post], Address: address, Posts: []string{engine.OrderSetName(ship.Name, post)}})
		}
	}
	if _, err := turn.Create(b.game, b.o.Catalogue, setup); err != nil {
		return err
	}
	var err error
	if b.server, err = loopback.Start(users, loopback.Options{OnDelivery: b.delivered, RequireLogin: true}); err != nil {
		return err
	}
	for _, c := range setup.Captains {
		b.captains = append(b.captains, b.newCaptain(c))
	}
	return nil
}

func (b *battle) newCaptain(c vault.Captain) *captain {
	imapHost, imapPort := hostPort(b.server.IMAPAddr())
	smtpHost, smtpPort := hostPort(b.server.SMTPAddr())
	return &captain{
		name: c.Name, address: c.Address, catalogue: b.o.Catalogue, news: make(chan struct{}, 1),
		inbox:  mailbox.Config{Server: transport.Server{Host: imapHost, Port: imapPort, TLS: transport.TLSNone, User: c.Address, Password: secret}},
		outbox: outgoing.Config{Server: transport.Server{Host: smtpHost, Port: smtpPort, TLS: transport.TLSNone, User: c.Address, Password: secret}},
	}
}

// hostPort splits a listener's address.
func hostPort(addr string) (string, int) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr, 0
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return host, 0
	}
	return host, n
}

// config returns what a configuration file would contain.
func (b *battle) config() *config.Config {
	imapHost, imapPort := hostPort(b.server.IMAPAddr())
	smtpHost, smtpPort := hostPort(b.server.SMTPAddr())
	server := func(host string, port int) config.Server {
		return config.Server{
			Host: host, Port: port, TLS: config.TLSNone, User: robot, Password: config.NewSecret(secret), Timeout: clock.Span(30 * time.Second),
		}
	}
	return &config.Config{
		Address: robot, Name: "Starpost", State: filepath.Join(b.o.Dir, "state"),
		Games: []string{globMeta().ReplaceAllString(b.game, `\$0`)},
		Poll:  clock.Span(time.Minute), Strangers: config.StrangersIgnore, Limits: config.Limits{AnswersPerHour: 1000, SetAnswersPerHour: 1000}, Plus: true,
		IMAP: &config.IMAP{Server: server(imapHost, imapPort), Inbox: "INBOX", Folders: "Starpost"},
		SMTP: server(smtpHost, smtpPort),
	}
}

var globMeta = pattern.New(`[*?\[\\]`)

// patience is how long nothing may happen before the battle is given up; a step takes a hundredth
// of a second.
const patience = 30 * time.Second

var (
	errStill   = fmt.Errorf("nothing happened for %s", patience)
	errTrouble = errors.New("the daemon is in trouble")
)

// watch receives the daemon's events. Here no one repairs a held game, so any trouble ends the
// battle.
func (b *battle) watch(e process.Event, stop context.CancelCauseFunc) {
	b.show.event(e)
	if e.Kind == process.Trouble {
		stop(fmt.Errorf("%w: %s", errTrouble, e.Detail))
	}
}

// delivered is called for every mail that a server accepted.
func (b *battle) delivered(from, to string, raw []byte) {
	b.patience.Reset(patience)
	b.show.mail(from, to, raw)
	if strings.EqualFold(addressOf(to), robot) {
		b.daemon.Wake()
		return
	}
	for _, c := range b.captains {
		if strings.EqualFold(addressOf(to), c.address) {
			select {
			case c.news <- struct{}{}:
			default:
			}
		}
	}
}

// addressOf returns an address without its plus tag.
func addressOf(a string) string {
	local, host, _ := strings.Cut(a, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + host
}

// play runs daemon and captains until every captain has the last report.
func (b *battle) play(ctx context.Context) (end *engine.View, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if b.daemon, err = daemon.Open(process.Options{
		Config: b.config(), Catalogue: b.o.Catalogue, Log: b.o.Log, Watch: func(e process.Event) { b.watch(e, stop) },
	}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.daemon.Close()) }()
	b.patience = time.AfterFunc(patience, func() { stop(errStill) })
	defer b.patience.Stop()
	var serving, playing sync.WaitGroup
	serving.Go(func() {
		if err := b.daemon.Serve(ctx); err != nil {
			stop(err)
		}
	})
	ends := make([]*engine.View, len(b.captains))
	for i, c := range b.captains {
		playing.Go(func() {
			v, err := c.play(ctx)
			if err != nil {
				stop(err)
				return
			}
			ends[i] = v
		})
	}
	playing.Wait()
	cause := context.Cause(ctx)
	stop(nil)
	serving.Wait()
	for _, v := range ends {
		if v == nil {
			return nil, errors.Join(errNoEnd, cause)
		}
	}
	return ends[0], nil
}
