package daemon_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
)

const club = "club@example.net"

// side holds the servers of one mailbox.
type side struct {
	box *box
	out *outlet
	// hang blocks opening the mailbox, like a silent server.
	hang bool
}

// pair is a world with two mailboxes: the robot's and the club's.
type pair struct {
	*world
	sides map[string]*side
}

func newPair(w *world) *pair {
	w.t.Helper()
	p := &pair{world: w, sides: map[string]*side{robot: {box: w.box, out: w.out}, club: {box: newBox(), out: &outlet{}}}}
	w.cfg.More = []config.Mailbox{{
		Address: club, Name: "Club", Plus: true,
		IMAP: &config.IMAP{Server: config.Server{Host: "mail.example.net", User: club}, Inbox: "INBOX", Folders: "Battles"},
	}}
	return p
}

func (p *pair) options() process.Options {
	return process.Options{
		Config: p.cfg, Catalogue: p.cat, Library: p.library, Clock: p.clock, Log: p.log, Watch: p.watch,
		Inbox: func(ctx context.Context, b config.Mailbox) (process.Inbox, error) {
			if p.sides[b.Address].hang {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return p.sides[b.Address].box.open(ctx, b)
		},
		Sender: func(ctx context.Context, b config.Mailbox) (process.Sender, error) {
			return p.sides[b.Address].out.open(ctx, b)
		},
	}
}

// once runs the daemon once.
func (p *pair) once() error {
	p.t.Helper()
	d, err := daemon.Open(p.options())
	if err != nil {
		p.t.Fatal(err)
	}
	_, err = d.Once(p.t.Context())
	return errors.Join(err, d.Close())
}

// serve runs the daemon in a bubble until end is called.
func (p *pair) serve() (end func()) {
	p.t.Helper()
	o := p.options()
	o.Clock = clock.Real{}
	d, err := daemon.Open(o)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	return func() {
		p.t.Helper()
		cancel()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			p.t.Error(err)
		}
	}
}

// sent returns what a mailbox sent since the last call.
func (p *pair) sent(address string) sentMails {
	w := *p.world
	w.out = p.sides[address].out
	return w.delivered()
}

// match creates a game whose robot has the given address.
func (p *pair) match(id, address string) *vault.Game {
	p.t.Helper()
	m := schedule()
	m.Robot = address
	return p.game(id, m)
}

func TestSeveralMailboxes(t *testing.T) {
	p := newPair(watchedWorld(t))
	wolf, cub := p.match("wolf", robot), p.match("cub", club)
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{robot: "[wolf]", club: "[cub]"} {
		sent := p.sent(address)
		if len(sent) != 2 || len(sent.to(kirk, want)) != 1 || len(sent.to(kor, want)) != 1 {
			t.Errorf("%s sent\n%s", address, sent)
		}
		for _, m := range sent {
			if m.Senders()[0] != address || !strings.Contains(m.raw, "Reply-To: ") || strings.Contains(m.raw, map[string]string{robot: club, club: robot}[address]) {
				t.Errorf("%s sent\n%.600s", address, m.raw)
			}
		}
	}
	p.sides[robot].box.put(p.order(wolf, "Kirk", "final"))
	p.sides[club].box.put(strings.ReplaceAll(p.order(cub, "Kirk", "final"), robot, club))
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{robot: "[wolf]", club: "[cub]"} {
		if sent := p.sent(address); len(sent) != 1 || len(sent.to(kirk, want)) != 1 || len(sent.to(kirk, "accepted")) != 1 {
			t.Errorf("%s answered\n%s", address, sent)
		}
	}
	if p.sides[club].box.left() != 0 || len(p.sides[club].box.folders["Battles/Done"]) != 1 || len(p.sides[robot].box.folders["Starpost/Done"]) != 1 {
		t.Errorf("folders %v and %v", p.sides[robot].box.folders, p.sides[club].box.folders)
	}
}

// Orders sent to the other mailbox count, and a mail sent to both counts once.
func TestMailToTheOtherMailbox(t *testing.T) {
	for _, both := range []bool{false, true} {
		p := newPair(watchedWorld(t))
		cub := p.match("cub", club)
		if err := p.once(); err != nil {
			t.Fatal(err)
		}
		p.sent(club)
		mail := p.order(cub, "Kirk", "final")
		p.sides[robot].box.put(mail)
		if both {
			p.sides[club].box.put("Received: by another way\r\n" + mail)
		}
		if err := p.once(); err != nil {
			t.Fatal(err)
		}
		if files, err := cub.Orders.For(vault.At(1)); err != nil || len(files) != 1 {
			t.Errorf("both %v: orders %v %v", both, files, err)
		}
		if n := len(p.sent(robot).to(kirk, "accepted")) + len(p.sent(club).to(kirk, "accepted")); n != 1 {
			t.Errorf("both %v: %d answers", both, n)
		}
	}
}

// Mails from one of our addresses to the other are not answered, like mails to itself.
func TestMailBetweenOwnAddresses(t *testing.T) {
	p := newPair(watchedWorld(t))
	p.match("wolf", robot)
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	p.sent(robot)
	p.sides[robot].box.put(p.mail("Club <"+club+">", "help\n"))
	p.sides[club].box.put(p.mail(robot, "help\n"))
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	if sent := append(p.sent(robot), p.sent(club)...); len(sent) != 0 || p.sides[club].box.left()+p.sides[robot].box.left() != 0 {
		t.Errorf("sent\n%s", sent)
	}
}

// A turn completed by a mail to the other mailbox is played at once.
func TestServeOtherMailboxPlaysAtOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		p := newPair(w)
		p.cfg.Poll = clock.Span(6 * time.Hour)
		cub := p.match("cub", club)
		end := p.serve()
		defer end()
		synctest.Wait()
		p.sides[club].box.put(strings.ReplaceAll(p.order(cub, "Kirk", "final"), robot, club))
		p.sides[robot].box.put(p.order(cub, "Kor", "final"))
		synctest.Wait()
		if p.turnOf(cub) != 1 {
			w.t.Error("not played")
		}
	})
}

// A mailbox that is down, or silent, delays only its own games.
func TestServeOneMailboxDown(t *testing.T) {
	for _, how := range []string{"refuses", "hangs", "cannot send"} {
		t.Run(how, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				p := newPair(w)
				p.cfg.Poll = clock.Span(10 * time.Minute)
				wolf, cub := p.match("wolf", robot), p.match("cub", club)
				down := p.sides[robot]
				switch how {
				case "refuses":
					down.box.fail(errors.New("down"))
				case "hangs":
					down.hang = true
				case "cannot send":
					down.out.down = &outgoing.Error{Stage: outgoing.StageDial, Outcome: outgoing.TemporaryFailure, Err: errors.New("no route")}
				}
				end := p.serve()
				defer end()
				synctest.Wait()
				if sent := p.sent(club); len(sent) != 2 {
					t.Errorf("the other mailbox sent\n%s", sent)
				}
				p.sides[club].box.put(strings.ReplaceAll(p.order(cub, "Kirk", "final"), robot, club))
				synctest.Wait()
				if sent := p.sent(club); len(sent.to(kirk, "accepted")) != 1 {
					t.Errorf("the other mailbox does not answer at once\n%s", sent)
				}
				p.sides[club].box.put(strings.ReplaceAll(p.order(cub, "Kor", "final"), robot, club))
				synctest.Wait()
				if p.turnOf(cub) != 1 || len(p.sent(club).to(kor, "Turn 1: report")) != 1 {
					t.Errorf("turn %d of the other mailbox's game", cub.Turn())
				}
				if p.turnOf(wolf) != 0 {
					t.Error("a game was played without its mailbox")
				}
			})
		})
	}
}

func TestOnceOneMailboxDown(t *testing.T) {
	p := newPair(watchedWorld(t))
	p.match("wolf", robot)
	p.match("cub", club)
	p.sides[robot].box.fail(errors.New("down"))
	err := p.once()
	if err == nil || !strings.Contains(err.Error(), robot) || strings.Contains(err.Error(), club) {
		t.Errorf("error %v", err)
	}
	if sent := p.sent(club); len(sent) != 2 {
		t.Errorf("the other mailbox sent\n%s", sent)
	}
	p.sides[robot].box.fail(nil)
	p.sides[robot].out.down = &outgoing.Error{Stage: outgoing.StageDial, Outcome: outgoing.TemporaryFailure, Err: errors.New("no route")}
	if err := p.once(); err == nil || !strings.Contains(err.Error(), robot+": send mail") {
		t.Errorf("error %v", err)
	}
	p.sides[robot].out.down = nil
	if err := p.once(); err != nil {
		t.Error(err)
	}
	if sent := p.sent(robot); len(sent) != 2 {
		t.Errorf("in the end %s sent\n%s", robot, sent)
	}
}

// A game moves to the mailbox whose address becomes its robot's, and mails waiting under an address
// that no longer exists are sent by the first mailbox.
func TestGameMovesToAnotherMailbox(t *testing.T) {
	p := newPair(watchedWorld(t))
	cub := p.match("cub", club)
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	p.sent(club)
	file := filepath.Join(cub.Dir(), "game.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), club, robot, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	p.sides[robot].box.put(p.order(cub, "Kirk", "final"))
	p.sides[robot].box.put(p.order(cub, "Kor", "final"))
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	if err := p.once(); err != nil { // the game was the club's when it was opened
		t.Fatal(err)
	}
	if sent := p.sent(robot); p.turnOf(cub) != 1 || len(sent.to(kirk, "Turn 1: report")) != 1 {
		t.Errorf("turn %d, sent\n%s", cub.Turn(), sent)
	}
	if sent := p.sent(club); len(sent) != 0 {
		t.Errorf("the old mailbox sent\n%s", sent)
	}
}

func TestMailsOfARemovedAddressAreSentByAnother(t *testing.T) {
	p := newPair(watchedWorld(t))
	p.match("cub", club)
	p.sides[club].out.down = &outgoing.Error{Stage: outgoing.StageDial, Outcome: outgoing.TemporaryFailure, Err: errors.New("no route")}
	if err := p.once(); err == nil {
		t.Fatal("sent although the server is down")
	}
	p.cfg.More = nil
	if _, err := p.world.once(); err == nil || !strings.Contains(err.Error(), "the robot address of game cub is "+club) {
		t.Errorf("error %v", err)
	}
	sent := p.sent(robot)
	if len(sent) != 2 || sent[0].Senders()[0] != robot {
		t.Errorf("sent\n%s", sent)
	}
}

func TestGameOfAnUnknownAddressIsHeld(t *testing.T) {
	p := newPair(watchedWorld(t))
	p.match("stray", "elsewhere@example.org")
	p.match("wolf", robot)
	err := p.once()
	if err == nil || !strings.Contains(err.Error(), robot+" or "+club) || !strings.Contains(fault.Hint(err), "--robot "+robot) {
		t.Errorf("error %v, hint %q", err, fault.Hint(err))
	}
	if sent := p.sent(robot); len(sent) != 2 {
		t.Errorf("sent\n%s", sent)
	}
}
