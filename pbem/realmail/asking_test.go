//go:build integration

package realmail_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"starpost/pbem/demo"
)

// TestRealAsking uses mail programs that reply to the sender, ignoring Reply-To, and put the quotation below the reply.
// A captain asks the referee in plain prose and by message, and gets answers. A stranger and a new address confirm, one
// by In-Reply-To, one by the quotation alone. An order set is accepted by the key that is quoted below it.
func TestRealAsking(t *testing.T) {
	s := realServers(t).world(t, "asks")
	bin, dir := build(t), t.TempDir()
	game := filepath.Join(dir, "games", "wolf")
	newGame(t, s, bin, game, "starpost", "big-bad-wolf", "Hood=ann")
	d := newDaemon(t, bin, configure(t, s, dir))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, eve, fay, referee := person(t, s, "ann"), person(t, s, "eve"), person(t, s, "fay"), person(t, s, "umpire")
	report := ann.await(ctx, t, "begins")

	// Both prose and messages to the referee reach the referee. Plain replies go back.
	for _, c := range []struct{ asks, subject, told, answer string }{
		{"Dear host,\n\nI do not see where Riskadh may be.\n", "Your words went to the referee", "I do not see where Riskadh may be.", "That is for you to find out: look for her."},
		{"#message to referee\nMay I ram her?\n#end\n", "Message sent to the referee", "May I ram her?", "No, by no rule of this course."},
	} {
		ann.above(ctx, t, report, c.asks, threaded)
		ann.await(ctx, t, c.subject)
		asked := referee.await(ctx, t, "Message from Ann")
		if !strings.Contains(oneLine(asked.Text), c.told) || strings.Contains(string(asked.raw), ann.address) {
			t.Errorf("the referee is asked\n%s", asked.raw)
		}
		referee.above(ctx, t, asked, c.answer+"\n", threaded)
		referee.await(ctx, t, "Your answer goes to")
		if got := ann.await(ctx, t, "A word from the referee"); !strings.Contains(oneLine(got.Text), c.answer) || strings.Contains(string(got.raw), referee.address) {
			t.Errorf("the captain is told\n%s", got.raw)
		}
	}

	// A stranger takes the other seat, then moves to another address.
	fay.mail(ctx, t, s.address("starpost"), "join wolf as Riskadh")
	fay.above(ctx, t, fay.await(ctx, t, "Please confirm: join"), "confirm\n", threaded)
	fay.await(ctx, t, "Welcome aboard")
	fay.above(ctx, t, fay.await(ctx, t, "begins: Riskadh"), "address "+eve.address+"\n", threaded)
	eve.above(ctx, t, eve.await(ctx, t, "Please confirm: address"), "confirm\n", alone)
	eve.await(ctx, t, "Your new address")

	// Order sets without a key, above the quoted report that has it.
	for c, l := range map[*captain]letter{ann: report, eve: eve.await(ctx, t, "begins: Riskadh")} {
		r, err := demo.ReadReport(l.raw, catalogue())
		if err != nil {
			t.Fatal(err)
		}
		c.above(ctx, t, l, keyInHead.ReplaceAllString(r.Orders, "$1"), map[*captain]bool{ann: alone, eve: threaded}[c])
		c.await(ctx, t, "accepted")
	}
	ann.await(ctx, t, "Turn 1: report")
	eve.await(ctx, t, "Turn 1: report")

	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if out, err := run(t.Context(), dir, nil, "", bin, "verify", game); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	all := map[string]*captain{"ann": ann, "eve": eve, "fay": fay}
	for user, c := range all {
		if user != "fay" { // who named the new address herself
			nobodysAddress(t, c, all)
		}
	}
	// Each mail went to the plain address and had its text before the quotation. Those sent alone had no other
	// reference to the mail they answer.
	bare, sent := 0, 0
	for _, raw := range s.folder(t, "starpost", "Starpost/Done") {
		text := string(raw)
		head, body, _ := strings.Cut(text, "\r\n\r\n")
		if !strings.Contains(body, "\r\n\t") {
			continue
		}
		if sent++; !strings.Contains(head, "\r\nIn-Reply-To:") && !strings.Contains(head, "\r\nReferences:") {
			bare++
		}
		if strings.HasPrefix(body, "\t") || strings.Contains(head, "starpost+") {
			t.Errorf("a reply that was to be above, and to the plain address:\n%s", text)
		}
	}
	if sent != 9 || bare != 2 {
		t.Errorf("%d replies with a quotation by tabs, %d of them with nothing else to tell what they answer", sent, bare)
	}
	nothingSecret(t, s, dir)
}

// Whether a reply names the mail that it answers in its header.
const (
	threaded = true
	alone    = false
)

// above has mutt reply to the sender of a mail, ignoring Reply-To, with the words above a quotation that is marked by tabs.
// If threaded is false, the reply has neither In-Reply-To nor References.
func (c *captain) above(ctx context.Context, t *testing.T, to letter, words string, threaded bool) {
	t.Helper()
	drop := ""
	if !threaded {
		drop = "!body && /^In-Reply-To:/ { next }\n"
	}
	editor, err := c.editor(words+"\n", drop+"{ print }\n!body && /^$/ { while ((getline line < typed) > 0) print line; body = 1 }")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.muttReplies(ctx, to.raw, editor, `reply_to=no indent_string="	" edit_headers=yes`); err != nil {
		shown, _ := os.ReadFile(filepath.Join(c.home, "screen"))
		t.Fatalf("%v\n%q", err, shown)
	}
	c.sent++
}
