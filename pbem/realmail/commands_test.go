//go:build integration

package realmail_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/demo"
)

// gathering is a game of four captains with its host.
type gathering struct {
	t                       *testing.T
	s                       *servers
	bin, dir, game          string
	robot                   string // address
	ann, bob, cid, eve, fay *captain
}

// TestRealCommands sends the commands that captains may use in addition to orders, through
// real mail servers. Captains ask, send messages, go away, vote, change their address and
// resign; a stranger takes over a seat.
func TestRealCommands(t *testing.T) {
	s := realServers(t).world(t, "talk")
	bin, dir := build(t), t.TempDir()
	g := &gathering{t: t, s: s, bin: bin, dir: dir, game: filepath.Join(dir, "games", "wolf"), robot: s.address("starpost")}
	newGame(t, s, bin, g.game, "starpost", "three-on-three", "Kongo=ann", "Loknar=ann", "Chilkoot=bob", "Devisor=cid", "Talon=cid", "Saber=eve")
	newGame(t, s, bin, filepath.Join(dir, "games", "ghost"), "starpost", "big-bad-wolf", "Hood=fay", "Riskadh=gone")
	d := newDaemon(t, bin, configure(t, s, dir, "answers_per_hour = 100"))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	for user, c := range map[string]**captain{"ann": &g.ann, "bob": &g.bob, "cid": &g.cid, "eve": &g.eve, "fay": &g.fay} {
		*c = person(t, s, user)
	}
	first := map[*captain]letter{}
	for _, c := range []*captain{g.ann, g.bob, g.cid, g.eve} {
		first[c] = c.await(ctx, t, "begins")
	}
	g.asks(ctx, first[g.ann])
	g.talks(ctx, first)
	second := g.waitsAndEnds(ctx, first)
	g.changesHands(ctx, second)
	g.agrees(ctx)
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if out, err := run(t.Context(), dir, nil, "", bin, "verify", g.game); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if left := s.folder(t, "starpost", "INBOX"); len(left) != 0 {
		t.Errorf("%d mails are left in the robot's inbox", len(left))
	}
	nothingSecret(t, s, dir)
}

// keyed returns the orders that a report offers, with last instead of the line "final".
func (l letter) keyed(t *testing.T, last string) string {
	t.Helper()
	r, err := demo.ReadReport(l.raw, catalogue())
	if err != nil || r.Orders == "" {
		t.Fatalf("no orders in %q: %v", l.Subject, err)
	}
	return strings.ReplaceAll(r.Orders, "final\n", last)
}

// orders returns the same as keyed, without the turn key.
func (l letter) orders(t *testing.T, last string) string {
	t.Helper()
	return keyInHead.ReplaceAllString(l.keyed(t, last), "$1")
}

// inForce returns the names of the ships and captains that have order sets for the
// due turn.
func (g *gathering) inForce() string {
	g.t.Helper()
	files, err := filepath.Glob(filepath.Join(g.game, "orders", "*.txt"))
	if err != nil {
		g.t.Fatal(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".txt")
	}
	return strings.Join(files, " ")
}

// asks has a captain send queries, check orders, send them and cancel some. Queries need no key.
func (g *gathering) asks(ctx context.Context, first letter) {
	g.t.Helper()
	ann := g.ann
	for _, text := range []string{"help", "#status", "#report turn 0", "#cancel"} {
		ann.mail(ctx, g.t, g.robot, text)
	}
	ann.reply(ctx, g.t, first, "#check\n\n"+first.orders(g.t, ""))
	ann.says(ctx, g.t, "What you can send", "as captain Ann")
	ann.says(ctx, g.t, "[wolf] Status before turn 1", "Chilkoot (Bob): orders are missing")
	again := ann.await(ctx, g.t, "begins")
	ann.await(ctx, g.t, "Report of turn 0")
	if again.MessageID == first.MessageID || again.orders(g.t, "") != first.orders(g.t, "") {
		g.t.Errorf("the report that was asked for again is another one:\n%s", again.Text)
	}
	ann.await(ctx, g.t, "cancel not done")
	ann.says(ctx, g.t, "Orders checked, not stored", "The order sets in this mail were not stored")
	if got := g.inForce(); got != "" {
		g.t.Errorf("after a check %s is in force", got)
	}
	ann.reply(ctx, g.t, first, first.orders(g.t, ""))
	ann.await(ctx, g.t, "accepted")
	if got := g.inForce(); got != "Kongo Loknar" {
		g.t.Errorf("in force is %q", got)
	}
	ann.reply(ctx, g.t, first, "#cancel ship Loknar")
	ann.await(ctx, g.t, "orders dropped")
	if got := g.inForce(); got != "Kongo" {
		g.t.Errorf("after the set of one ship was dropped %q is in force", got)
	}
}

// talks sends messages to one captain, to a side and to all, and a reply. No captain
// may learn an address by it. Messages to an address that does not exist bounce, so
// that the address is noted as failing.
func (g *gathering) talks(ctx context.Context, first map[*captain]letter) {
	g.t.Helper()
	ghost := g.fay.await(ctx, g.t, "[ghost]")
	for _, text := range []string{"Hello?", "Is anybody there?"} {
		g.fay.reply(ctx, g.t, ghost, "#message to Riskadh\n"+text+"\n#end")
	}
	g.ann.reply(ctx, g.t, first[g.ann], "#message to Devisor\nYield!\n#end")
	g.ann.reply(ctx, g.t, first[g.ann], "#message to side\nFollow me.\n#end")
	g.bob.reply(ctx, g.t, first[g.bob], "#message to all\nGood game!\n#end")
	heard := g.cid.await(ctx, g.t, "Message from Ann")
	if !strings.Contains(heard.Text, "| Yield!") {
		g.t.Errorf("the message says\n%s", heard.Text)
	}
	g.cid.reply(ctx, g.t, heard, "#message to Kongo\nNever!\n#end")
	g.bob.says(ctx, g.t, "Message from Ann", "| Follow me.")
	for _, c := range []*captain{g.ann, g.cid, g.eve} {
		c.says(ctx, g.t, "Message from Bob", "| Good game!")
	}
	g.ann.says(ctx, g.t, "Re: [wolf] Message from Ann", "| Never!")
	for c, want := range map[*captain]int{g.ann: 2, g.bob: 1, g.cid: 2, g.eve: 1} {
		got := 0
		for _, l := range c.letters {
			if strings.Contains(l.Subject, "Message from") {
				got++
			}
		}
		if got != want {
			g.t.Errorf("%s got %d messages, want %d", c.name, got, want)
		}
	}
	all := map[string]*captain{"ann": g.ann, "bob": g.bob, "cid": g.cid, "eve": g.eve}
	for _, c := range all {
		nobodysAddress(g.t, c, all)
	}
	person(g.t, g.s, "umpire").says(ctx, g.t, "the address fails", "captain Gone of game ghost")
	out, err := run(ctx, g.dir, nil, "", g.bin, "doctor", "--config", filepath.Join(g.dir, "starpost.toml"))
	if want := "mails come back from " + g.s.address("gone") + " (3 of them"; err == nil || !strings.Contains(err.Error(), want) {
		g.t.Errorf("doctor does not say %q: %v\n%s", want, err, out)
	}
}

// waitsAndEnds sends the orders of all captains. Bob says final and takes it back
// before Ann, the last of the others, says it. When Bob says it again, the turn
// runs at once.
func (g *gathering) waitsAndEnds(ctx context.Context, first map[*captain]letter) map[*captain]letter {
	g.t.Helper()
	from, to := time.Now().AddDate(0, 0, 20).Format(time.DateOnly), time.Now().AddDate(0, 0, 22).Format(time.DateOnly)
	g.cid.reply(ctx, g.t, first[g.cid], "#away "+from+" "+to)
	for c, last := range map[*captain]string{g.ann: "", g.bob: "wait\n", g.cid: "final\n", g.eve: "final\n"} {
		c.reply(ctx, g.t, first[c], first[c].orders(g.t, last))
	}
	for c := range first {
		c.await(ctx, g.t, "accepted")
	}
	g.cid.await(ctx, g.t, "Absence noted")
	g.bob.await(ctx, g.t, "Cid will be away")
	// While Ann's orders are not final, Bob's final does not run the turn, and Bob may take it back.
	for _, word := range []string{"final", "wait"} {
		g.bob.reply(ctx, g.t, first[g.bob], "#"+word)
		g.bob.await(ctx, g.t, "Turn 1: "+word)
	}
	g.ann.reply(ctx, g.t, first[g.ann], "#final")
	g.ann.await(ctx, g.t, "Turn 1: final")
	g.ann.mail(ctx, g.t, g.robot, "#status")
	g.ann.says(ctx, g.t, "Status before turn 1", "you said final")
	g.bob.reply(ctx, g.t, first[g.bob], "#final")
	second := map[*captain]letter{}
	for c := range first {
		second[c] = c.await(ctx, g.t, "Turn 1: report")
	}
	return second
}

// changesHands has Eve resign, and a stranger take over her seat. Bob then moves to
// Eve's address, which has become free.
func (g *gathering) changesHands(ctx context.Context, second map[*captain]letter) {
	g.t.Helper()
	g.eve.reply(ctx, g.t, second[g.eve], "#resign")
	g.eve.await(ctx, g.t, "You resigned")
	g.ann.await(ctx, g.t, "Eve has resigned")
	g.eve.reply(ctx, g.t, second[g.eve], second[g.eve].orders(g.t, "final\n"))
	g.fay.mail(ctx, g.t, g.robot, "#join wolf as Saber")
	g.bob.reply(ctx, g.t, second[g.bob], "#address "+g.eve.address)
	seat, move := g.fay.await(ctx, g.t, "Please confirm: join"), g.eve.await(ctx, g.t, "Please confirm: address")
	g.eve.await(ctx, g.t, "Your mail to")  // Eve is a stranger now, so her orders are not accepted
	g.bob.reply(ctx, g.t, move, "confirm") // not valid from the old address
	g.bob.await(ctx, g.t, "confirm not done")
	g.fay.reply(ctx, g.t, seat, "confirm")
	g.eve.reply(ctx, g.t, move, "confirm")
	g.fay.await(ctx, g.t, "Welcome aboard")
	report := g.fay.await(ctx, g.t, "report for Saber")
	g.ann.await(ctx, g.t, "Eve has a new captain")
	g.eve.await(ctx, g.t, "Your new address")
	g.eve.await(ctx, g.t, "report for Chilkoot")
	if told := g.bob.await(ctx, g.t, "Your address has changed"); strings.Contains(string(told.raw), g.eve.address) {
		g.t.Errorf("the old address learns the new one:\n%s", told.raw)
	}
	g.bob.reply(ctx, g.t, second[g.bob], second[g.bob].orders(g.t, "final\n"))
	g.fay.reply(ctx, g.t, report, report.orders(g.t, ""))
	g.bob.await(ctx, g.t, "Your mail to")
	g.fay.await(ctx, g.t, "accepted")
	if got := g.inForce(); got != "Saber" {
		g.t.Errorf("after the seats have changed hands %q is in force", got)
	}
}

// agrees has all captains vote for a draw, which ends the game.
func (g *gathering) agrees(ctx context.Context) {
	g.t.Helper()
	all := []*captain{g.ann, g.cid, g.fay, g.eve}
	for _, c := range all {
		c.mail(ctx, g.t, g.robot, "#report wolf")
	}
	for _, c := range all {
		c.reply(ctx, g.t, c.await(ctx, g.t, "Report of turn 1"), "vote wolf draw")
	}
	for _, c := range all {
		c.await(ctx, g.t, "Turn 2: vote")
		c.await(ctx, g.t, "over after turn 2. The battle is a draw")
	}
	journal, err := os.ReadFile(filepath.Join(g.game, "journal.jsonl"))
	if err != nil {
		g.t.Fatal(err)
	}
	for kind, want := range map[string]int{"message": 4, "away": 1, "resign": 1, "join": 1, "address": 1, "vote-draw": 4} {
		if got := strings.Count(string(journal), fmt.Sprintf("%q:%q", "kind", kind)); got != want {
			g.t.Errorf("the journal has %d of %s, want %d:\n%s", got, kind, want, journal)
		}
	}
}
