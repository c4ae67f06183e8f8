//go:build integration

package realmail_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"starpost/pbem/demo"
)

// made finds the name of a game in the subject of a mail about it.
var made = regexp.MustCompile(`^\[([a-z0-9-]+)\]`)

// TestRealStrangers has people with just a mail program find a game, join it, learn an order, play,
// resign, and take over a seat from the list, through real mail servers. One plays a practice game
// to its end, and gets the battle as a page.
func TestRealStrangers(t *testing.T) {
	s := realServers(t).world(t, "guest")
	bin, dir := build(t), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := configure(t, s, dir, "answers_per_hour = 100")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text)+"[lobby]\ncreate = \"anyone\"\noffer = [\"big-bad-wolf\"]\npractice = 1\ngames = 5\n")
	d := newDaemon(t, bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob, cid, dee := person(t, s, "ann"), person(t, s, "bob"), person(t, s, "cid"), person(t, s, "dee")
	robot := s.address("starpost")
	d.awaitMailbox(ctx)

	// Bob makes a game, which waits for players. Ann asks in plain words, and finds it.
	bob.mail(ctx, t, robot, "create big-bad-wolf")
	bob.confirms(ctx, t, "request")
	bob.await(ctx, t, "Your game is made")
	first := bob.await(ctx, t, "begins: ")
	name := made.FindStringSubmatch(first.Subject)
	if name == nil {
		t.Fatalf("no game in %q", first.Subject)
	}
	game := name[1]
	ann.mail(ctx, t, robot, "Hello, is there a game I can join?")
	ann.says(ctx, t, "", "join "+game+" as Riskadh")
	ann.mail(ctx, t, robot, "join "+game)
	ann.confirms(ctx, t, "join")
	ann.await(ctx, t, "Welcome aboard")
	second := ann.await(ctx, t, "begins: ") // the report, not the notice, which may arrive first

	// She asks about an order, and sends the orders that the report offers.
	ann.reply(ctx, t, second, "help pursue")
	ann.says(ctx, t, "pursue", "A condition follows when")
	for c, l := range map[*captain]letter{ann: second, bob: first} {
		if !strings.Contains(l.Text, "; comments: remove the semicolon") {
			t.Errorf("the first orders are not a teacher's:\n%s", l.Text)
		}
		c.reply(ctx, t, l, l.orders(t, "")+"\n#final")
		c.await(ctx, t, "accepted")
	}
	bob.await(ctx, t, "Turn 1: report")

	// She resigns, and Cid takes the seat from the list.
	ann.reply(ctx, t, ann.await(ctx, t, "Turn 1: report"), "resign")
	ann.await(ctx, t, "You resigned")
	cid.mail(ctx, t, robot, "games")
	cid.says(ctx, t, "", "join "+game+" as Riskadh")
	cid.mail(ctx, t, robot, "join "+game+" as Riskadh")
	cid.confirms(ctx, t, "join")
	cid.await(ctx, t, "Welcome aboard")
	report := cid.await(ctx, t, "report for Riskadh")
	cid.reply(ctx, t, report, report.orders(t, "")+"\n#final")
	cid.await(ctx, t, "accepted")

	battle := dee.practises(ctx, t, robot)
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for _, g := range []string{game, battle} {
		if out, err := run(t.Context(), dir, nil, "", bin, "verify", filepath.Join("games", g)); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	all := map[string]*captain{"ann": ann, "bob": bob, "cid": cid, "dee": dee}
	for _, c := range all {
		nobodysAddress(t, c, all)
	}
	if left := s.folder(t, "starpost", "INBOX"); len(left) != 0 {
		t.Errorf("%d mails are left in the robot's inbox", len(left))
	}
	nothingSecret(t, s, dir)
}

// confirms waits for a request to confirm something, and confirms it.
func (c *captain) confirms(ctx context.Context, t *testing.T, what string) {
	t.Helper()
	c.reply(ctx, t, c.await(ctx, t, "Please confirm: "+what), "confirm")
}

// practises plays a battle against robots to its end, by the orders that each report offers, and
// returns the name of the game.
func (c *captain) practises(ctx context.Context, t *testing.T, robot string) string {
	t.Helper()
	c.mail(ctx, t, robot, "practice run-the-line")
	c.confirms(ctx, t, "request")
	c.await(ctx, t, "Your game is made")
	for range 60 {
		l, err := c.next(ctx, "begins: Quicksilver", "begins: Warden", "report for Quicksilver", "report for Warden", "The battle is over", "over after")
		if err != nil {
			t.Fatal(err)
		}
		r, err := demo.ReadReport(l.raw, catalogue())
		switch {
		case err != nil || r.View == nil:
			t.Fatalf("%q is no report: %v", l.Subject, err)
		case r.View.Result != nil:
			if !strings.Contains(string(l.raw), r.View.Game+"-replay.html") {
				t.Errorf("the last report brings no page of the battle:\n%s", l.Text)
			}
			return r.View.Game
		}
		c.reply(ctx, t, l, r.Orders)
	}
	t.Fatal("the practice game does not end")
	return ""
}
