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

	"starpost/pbem/demo"
)

// coded is a blind battle of two sides that only send coded messages. Hood is so near to Riskadh that eight boxes break the
// code in one turn, whatever the die shows. Kongo can hear the messages, but is too far away to break the code.
const coded = `format = 1
name = "coded-talk"
title = "Coded talk"
rules = "sfb-house"
last_turn = 6
[blind]
[[side]]
id = "federation"
[[side]]
id = "klingon"
[[ship]]
name = "Hood"
side = "federation"
class = "federation-ca"
hex = "1010"
heading = "A"
[[ship]]
name = "Kongo"
side = "federation"
class = "federation-ca"
hex = "1024"
heading = "A"
[[ship]]
name = "Riskadh"
side = "klingon"
class = "klingon-d7"
hex = "1012"
heading = "A"
[[ship]]
name = "Gurkan"
side = "klingon"
class = "klingon-d7"
hex = "1060"
heading = "A"
[[victory]]
side = "federation"
when = "drive-off"
[[victory]]
side = "klingon"
when = "drive-off"
`

// TestRealCodes has four captains with four mail programs send coded messages through real mail servers. Ann breaks
// the enemy's code in turn 4. From then on her reports have the enemy's messages, but no earlier mail has them and no
// mail to her partner Bob.
func TestRealCodes(t *testing.T) {
	s := realServers(t).world(t, "codes")
	bin, dir := build(t), t.TempDir()
	scenario, game := filepath.Join(dir, "coded-talk.toml"), filepath.Join(dir, "games", "wolf")
	if err := os.WriteFile(scenario, []byte(coded), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"new", game, "--scenario", scenario, "--robot", s.address("starpost"), "--seed", "1"}
	for ship, user := range map[string]string{"Hood": "ann", "Kongo": "bob", "Riskadh": "cid", "Gurkan": "dee"} {
		args = append(args, "--captain", fmt.Sprintf("%s=%s <%s>", ship, strings.ToUpper(user[:1])+user[1:], s.address(user)))
	}
	if _, err := run(t.Context(), "", nil, "", bin, args...); err != nil {
		t.Fatal(err)
	}
	d := newDaemon(t, bin, configure(t, s, dir))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	all := captains(t, s)
	told := map[string]map[int]string{} // reports, by captain and turn
	for user, c := range all {
		write := c.write
		told[user] = map[int]string{}
		texts := told[user]
		c.write = func(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
			texts[r.View.Turn] = oneLine(r.Mail.Text)
			head, _, _ := strings.Cut(r.Orders, "\n")
			r.Orders = fmt.Sprintf("%s\npower\n  speed 0\nmessage side\n#text\nThe word of %s in turn %d\n#endtext\n", head, user, r.View.Due)
			if user == "ann" && r.View.Due == 4 {
				r.Orders += "decode any with 8\n"
			}
			r.Orders += "final\n#end\n"
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
	const turns = 6
	if got := lastTurn(t, game); got != turns {
		t.Fatalf("the battle had %d turns, want %d", got, turns)
	}
	reads := map[string]func(of string, turn int) bool{ // which messages of others each may read
		"ann": func(of string, turn int) bool { return of == "bob" || of == "cid" && turn >= 4 },
		"bob": func(of string, _ int) bool { return of == "ann" },
		"cid": func(of string, _ int) bool { return of == "dee" },
		"dee": func(of string, _ int) bool { return of == "cid" },
	}
	for user, c := range all {
		for turn := 1; turn < turns; turn++ { // the last report discloses everything
			text := told[user][turn]
			if text == "" {
				t.Errorf("%s answered no report of turn %d", user, turn)
			}
			for of := range all {
				word := fmt.Sprintf("The word of %s in turn %d", of, turn)
				if got := strings.Contains(text, word); of != user && got != reads[user](of, turn) {
					t.Errorf("%s, turn %d: reads %q: %t", user, turn, word, got)
				}
			}
		}
		for _, l := range c.letters {
			for of := range all {
				for turn := 1; turn < turns; turn++ {
					word := fmt.Sprintf("The word of %s in turn %d", of, turn)
					if of != user && !reads[user](of, turn) && strings.Contains(oneLine(l.Text), word) && !strings.Contains(l.Subject, "The battle is over") && !strings.Contains(oneLine(l.Text), "battle is over") {
						t.Errorf("a mail to %s, %q, has %q", user, l.Subject, word)
					}
				}
			}
		}
		everyReportOnce(t, c, turns)
		nobodysAddress(t, c, all)
	}
	nothingSecret(t, s, dir)
}
