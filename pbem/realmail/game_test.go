//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
)

// TestRealGame plays a battle of four captains to its end through real mail servers
// and clients. One captain answers without a key in the order set or by nmh, three
// use other mail programs. Some write below the quoted report and some into it. The
// daemon is stopped once and killed once during the game. An address of another game
// bounces, one captain has a vacation reply, and one an autoresponder.
func TestRealGame(t *testing.T) {
	s := realServers(t).world(t, "")
	bin, dir := build(t), t.TempDir()
	newGame(t, s, bin, filepath.Join(dir, "games", "wolf"), "starpost", "three-on-three",
		"Kongo=ann", "Loknar=ann", "Chilkoot=bob", "Devisor=cid", "Talon=cid", "Saber=dee")
	newGame(t, s, bin, filepath.Join(dir, "games", "ghost"), "starpost", "big-bad-wolf", "Riskadh=gone")
	d := newDaemon(t, bin, configure(t, s, dir))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	all := captains(t, s)
	ann := all["ann"]
	interrupted := 0
	ann.before = func(due int) error {
		if due != 3 {
			return nil
		}
		interrupted++
		return d.stop(syscall.SIGTERM)
	}
	ann.after = func(due int) error {
		switch due {
		case 3:
			return d.start()
		case 5:
			interrupted++
			return errors.Join(d.stop(syscall.SIGKILL), d.start())
		}
		return nil
	}
	s.vacationReply(t)
	playOut(t, all)
	if interrupted != 2 {
		t.Errorf("the daemon was interrupted %d times, want 2", interrupted)
	}
	bounceCounted(t, s, bin, dir)
	settled(t, s)
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for _, game := range []string{"wolf", "ghost"} {
		if out, err := run(t.Context(), dir, nil, "", bin, "verify", filepath.Join(dir, "games", game)); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	turns := lastTurn(t, filepath.Join(dir, "games", "wolf"))
	for _, c := range all {
		everyReportOnce(t, c, turns)
		nobodysAddress(t, c, all)
	}
	bounded(t, s, all, turns)
	quotedReplies(t, s)
	nothingSecret(t, s, dir)
	t.Logf("%d turns", turns)
}

// newGame makes a game that anyone may join. Captains are given as "ship=user"; arguments "--flag=value" are passed on.
func newGame(t *testing.T, s *servers, bin, dir, robot, scenario string, captains ...string) {
	t.Helper()
	args := []string{"new", dir, "--scenario", scenario, "--robot", s.address(robot), "--seed", "1", "--missing", "hold", "--mail", "open=true"}
	for _, c := range captains {
		ship, user, _ := strings.Cut(c, "=")
		if strings.HasPrefix(ship, "--") {
			args = append(args, ship+"="+user)
			continue
		}
		args = append(args, "--captain", fmt.Sprintf("%s=%s <%s>", ship, strings.ToUpper(user[:1])+user[1:], s.address(user)))
	}
	if _, err := run(t.Context(), "", nil, "", bin, args...); err != nil {
		t.Fatal(err)
	}
}

// playOut lets all captains play to the end of the game.
func playOut(t *testing.T, all map[string]*captain) {
	t.Helper()
	ctx, cancel := lasting(t)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for _, c := range all {
		group.Go(func() {
			if err := c.play(ctx); err != nil {
				t.Error(err)
				stop(err)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

const byHand = "A word by hand"

// vacationReply makes a server send a vacation reply to the robot. It only answers
// mail that looks personal, so such a mail is sent with the robot's address.
func (s *servers) vacationReply(t *testing.T) {
	t.Helper()
	if _, err := run(t.Context(), "", nil, "", "swaks", "--server", s.plain.host, "--port", strconv.Itoa(s.plain.port),
		"--from", s.address("starpost"), "--to", s.address("cid"), "--h-Subject", byHand, "--body", "Are you there?"); err != nil {
		t.Fatal(err)
	}
}

// settled waits until the robot has processed all automatic mail: the bounce, the
// vacation reply, doctor's mail to itself, and what the autoresponder sends for each
// mail that it gets, including the robot's help.
func settled(t *testing.T, s *servers) {
	t.Helper()
	ctx, cancel := lasting(t)
	defer cancel()
	ignored, err := mailbox.Dial(ctx, s.inbox("starpost", "Starpost/Ignored"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ignored.Close()
	for {
		if _, _, err := ignored.Select(ctx); err != nil {
			t.Fatal(err)
		}
		came, err := ignored.List(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := len(s.folder(t, "dee", "INBOX")) + 3
		if len(came)+machineDone(t, s) >= want && len(s.folder(t, "starpost", "INBOX")) == 0 {
			return
		}
		// Poll, because the server does not announce a mail that is moved here.
		if err := ignored.Wait(ctx, time.Second); err != nil {
			t.Fatalf("%d mails came by themselves, want %d: %v", len(came), want, err)
		}
	}
}

// machineDone counts the autoresponder's mails that were taken for messages to the
// referee, because they are not marked as automatic.
func machineDone(t *testing.T, s *servers) (n int) {
	t.Helper()
	for _, m := range s.folder(t, "starpost", "Starpost/Done") {
		if bytes.Contains(m, []byte("I read mail on Fridays")) {
			n++
		}
	}
	return n
}

// bounceCounted checks that the bounce counts against its address, and that the
// referee is told which captain has that address.
func bounceCounted(t *testing.T, s *servers, bin, dir string) {
	t.Helper()
	ctx, cancel := lasting(t)
	defer cancel()
	gone := s.address("gone")
	told := person(t, s, "umpire").await(ctx, t, "A mail to "+gone+" could not be delivered")
	for _, want := range []string{"captain Gone of game ghost", "5.1.1 <" + gone + ">"} {
		if !strings.Contains(oneLine(told.Text), want) {
			t.Errorf("the referee is not told %q:\n%s", want, told.Text)
		}
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no address fails; mails came back from 1 address", []string{"doctor", "--config", filepath.Join(dir, "starpost.toml")}},
		{"mails to Gone (" + gone + ") come back: 1", []string{"status", filepath.Join(dir, "games", "ghost"), "--config", filepath.Join(dir, "starpost.toml")}},
	} {
		if out, err := run(ctx, dir, nil, "", bin, c.args...); err != nil || !strings.Contains(oneLine(out), c.want) {
			t.Errorf("%s does not say %q: %v\n%s", c.args[0], c.want, err, out)
		}
	}
}

// oneLine returns a text with each run of white space replaced by a blank.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func lastTurn(t *testing.T, game string) int {
	t.Helper()
	turns, err := filepath.Glob(filepath.Join(game, "turns", "[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(turns) - 1
}

// everyReportOnce checks that a captain got one report a turn, and that mails with
// the same Message-ID have the same subject.
func everyReportOnce(t *testing.T, c *captain, turns int) {
	t.Helper()
	subjects := map[string]string{} // by Message-ID
	reports := 0
	for _, l := range c.letters {
		if l.MessageID == "" {
			t.Errorf("%s: a mail without a Message-ID: %s", c.name, l.Subject)
		}
		if before, again := subjects[l.MessageID]; again {
			if before != l.Subject {
				t.Errorf("%s: two mails are called %s: %q and %q", c.name, l.MessageID, before, l.Subject)
			}
			continue
		}
		subjects[l.MessageID] = l.Subject
		if strings.HasPrefix(l.MessageID, "wolf.") {
			reports++
		}
	}
	if reports != turns+1 {
		t.Errorf("%s got %d reports of turns 0 to %d", c.name, reports, turns)
	}
}

// nobodysAddress checks that no mail to a captain has another captain's address.
func nobodysAddress(t *testing.T, c *captain, all map[string]*captain) {
	t.Helper()
	for _, l := range c.letters {
		for _, other := range all {
			if other != c && strings.Contains(strings.ToLower(string(l.raw)+l.Text), other.address) {
				t.Errorf("%s learns the address of %s from %q", c.name, other.name, l.Subject)
			}
		}
	}
}

// bounded checks that there is no mail loop: the autoresponder, the vacation reply and
// the bounce are answered at most once, and the robot's inbox is empty.
func bounded(t *testing.T, s *servers, all map[string]*captain, turns int) {
	t.Helper()
	for _, c := range all {
		seen := map[string]bool{}
		for _, l := range c.letters {
			if l.Subject != byHand {
				seen[l.MessageID] = true
			}
		}
		// One report a turn, an answer to each order mail, and one about a message.
		if most := turns + 1 + c.sent + 1; len(seen) > most {
			t.Errorf("%s got %d different mails, want at most %d", c.name, len(seen), most)
		}
	}
	if left := s.folder(t, "starpost", "INBOX"); len(left) != 0 {
		t.Errorf("%d mails are left in the robot's inbox", len(left))
	}
	sent := 0
	for _, c := range all {
		sent += c.sent + c.copies
	}
	words := machineDone(t, s)
	if words != 1 { // once a day
		t.Errorf("%d mails of the answering machine went to the referee, want 1", words)
	}
	if done := s.folder(t, "starpost", "Starpost/Done"); len(done) != sent+words {
		t.Errorf("%d mails in Starpost/Done, want %d", len(done), sent+words)
	}
	kinds := map[string]int{}
	for _, raw := range s.folder(t, "starpost", "Starpost/Ignored") {
		m, err := mime.Read(raw)
		switch {
		case err != nil:
			t.Error(err)
		case strings.Contains(string(raw), "on a beach until Monday"):
			kinds["vacation"]++
		case strings.Contains(string(raw), "I read mail on Fridays"):
			kinds["machine"]++
		case strings.Contains(m.Subject, "Undelivered"):
			kinds["bounce"]++
		case m.Subject == "A mail of the doctor to itself":
			kinds["doctor"]++
		default:
			t.Errorf("an unexpected mail was ignored: %s", m.Subject)
		}
	}
	if got := len(s.folder(t, "dee", "INBOX")); kinds["vacation"] != 1 || kinds["bounce"] != 1 || kinds["doctor"] != 1 || kinds["machine"]+words != got {
		t.Errorf("the robot ignored %v; dee got %d mails", kinds, got)
	}
}

// quotedReplies checks that each mail program told to do so sent replies with the
// orders in place of the quoted template.
func quotedReplies(t *testing.T, s *servers) {
	t.Helper()
	inside := func(text string) bool {
		before, _, ok := strings.Cut(text, "\n#orders ")
		return ok && strings.Contains(before, "\n> ") && !strings.Contains(before, "\n> #end")
	}
	found := map[string]int{}
	for _, raw := range s.folder(t, "starpost", "Starpost/Done") {
		m, err := mime.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		if from := m.Senders(); len(from) == 1 && inside(m.Text) {
			found[from[0]]++
		}
	}
	for _, user := range []string{"ann", "bob", "cid", "dee"} {
		if found[s.address(user)] == 0 {
			t.Errorf("%s never replied inside the quoted report: %v", user, found)
		}
	}
}

// nothingSecret checks that the log has neither the password nor a turn key.
func nothingSecret(t *testing.T, s *servers, dir string) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(log), s.password) {
		t.Error("the log holds the password")
	}
	if strings.Contains(string(log), "starpost+") {
		t.Error("the log holds a plus address, and so a key")
	}
}
