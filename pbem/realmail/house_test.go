//go:build integration

package realmail_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"starpost/pbem/demo"
)

// TestRealHouseRules plays a convoy battle of six ships by the house rules to its end through real mail servers, with four
// captains and four mail programs. They send the orders that reports offer. The captains of the raiders give standing orders
// with their first sets, which later reports then offer, and which move the Fang.
func TestRealHouseRules(t *testing.T) {
	s := realServers(t).world(t, "house")
	bin, dir := build(t), t.TempDir()
	game := filepath.Join(dir, "games", "wolf")
	newGame(t, s, bin, game, "starpost", "drone-raid", "Huron=ann", "Woden=ann", "Thuban=bob", "Saladin=bob", "Fang=cid", "Claw=dee")
	d := newDaemon(t, bin, configure(t, s, dir))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	all := captains(t, s)
	offered, carriedOut := 0, false
	for _, user := range []string{"cid", "dee"} {
		c := all[user]
		write := c.write
		c.write = func(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
			if r.View.Due > 1 && user == "cid" {
				offered += strings.Count(r.Orders, raiding)
				carriedOut = carriedOut || strings.Contains(oneLine(r.Mail.Text), "(pursue nearest to 4 = ")
			}
			r.Orders = steered.ReplaceAllString(r.Orders, "") // standing orders move her
			if r.View.Due == 1 {
				r.Orders = strings.ReplaceAll(r.Orders, "standing\n", "standing\n"+raiding)
			}
			return write(ctx, c, r, raw)
		}
	}
	playOut(t, all)
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if out, err := run(t.Context(), dir, nil, "", bin, "verify", game); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	turns := lastTurn(t, game)
	if turns < 3 || offered != turns-1 {
		t.Errorf("%d turns, and the standing orders of the first stood in %d reports after it", turns, offered)
	}
	for _, c := range all {
		everyReportOnce(t, c, turns)
		nobodysAddress(t, c, all)
	}
	if !carriedOut {
		t.Error("no report tells that the Fang moved by her standing orders")
	}
	nothingSecret(t, s, dir)
	t.Logf("%d turns", turns)
}

// steered matches the movement orders of a phase.
var steered = regexp.MustCompile(`(?m)^ +(?:move|pursue|face|course|hard) .*\n`)

// raiding are the standing orders of the raiders.
const raiding = "  pursue nearest to 4\n  fire all at nearest when range <= 8\n"
