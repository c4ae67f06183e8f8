//go:build integration

package realmail_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/demo"
)

// crews are two ships with four officers each, who use several mail programs.
type crews struct {
	t              *testing.T
	s              *servers
	bin, dir, game string
	all            map[string]*captain
	seats          map[string]string // names of their order sets, by user
}

// TestRealCrews plays a battle of two ships with four officers each (eight mailboxes) to its end
// through real mail servers. Hood's helm sends nothing for two turns: standing orders are used, then
// Hood's captain relieves the helm and gives its orders from then on. Riskadh's science officer is
// away for a turn, and comes back. Both captains hold fire until the third turn.
func TestRealCrews(t *testing.T) {
	s := realServers(t).world(t, "crew")
	empty(t, s, "gus")
	empty(t, s, "hal")
	c := &crews{t: t, s: s, bin: build(t), dir: t.TempDir(), all: map[string]*captain{}, seats: map[string]string{
		"ann": "Hood", "bob": "Hood.engineer", "cid": "Hood.helm", "dee": "Hood.science",
		"eve": "Riskadh", "fay": "Riskadh.engineer", "gus": "Riskadh.helm", "hal": "Riskadh.science",
	}}
	c.game = filepath.Join(c.dir, "games", "wolf")
	args := []string{"new", c.game, "--scenario", "big-bad-wolf", "--rules", "stcs-command", "--robot", s.address("starpost"), "--seed", "1", "--mail", "change_window=0s"}
	for user, seat := range c.seats {
		args = append(args, "--captain", fmt.Sprintf("%s=%s <%s>", seat, strings.ToUpper(user[:1])+user[1:], s.address(user)))
		c.all[user] = person(t, s, user)
	}
	for user, write := range map[string]writer{
		"ann": byReplyTo, "bob": byNail, "cid": bySwaks, "dee": byMutt, "eve": inTurn(byMH, byReplyTo), "fay": byNailInside, "gus": bySwaks, "hal": byMuttInside,
	} {
		c.all[user].write = write
	}
	if _, err := run(t.Context(), "", nil, "", c.bin, args...); err != nil {
		t.Fatal(err)
	}
	d := newDaemon(t, c.bin, configure(t, s, c.dir, "answers_per_hour = 100"))
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	turns := 0
	for over := false; !over && turns < 40; turns++ {
		over = c.turn(ctx, turns)
	}
	turns--
	if turns < 4 {
		t.Errorf("the battle was over after %d turns, before the captain gave the orders of the helm", turns)
	}
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if out, err := run(t.Context(), c.dir, nil, "", c.bin, "verify", c.game); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for user, o := range c.all {
		everyReportOnce(t, o, turns)
		nobodysAddress(t, o, c.all)
		c.onlyHis(user)
	}
	if left := s.folder(t, "starpost", "INBOX"); len(left) != 0 {
		t.Errorf("%d mails are left in the robot's inbox", len(left))
	}
	nothingSecret(t, s, c.dir)
	t.Logf("%d turns", turns)
}

// turn has all officers read the report of a turn and answer it. In the first two turns, for which the
// helm of Hood sends nothing, it then resolves the turn. It reports whether the battle is over.
func (c *crews) turn(ctx context.Context, played int) (over bool) {
	what := fmt.Sprintf("Turn %d: report for ", played)
	if played == 0 {
		what = " begins: "
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for user, o := range c.all {
		group.Go(func() {
			ended, err := c.officer(ctx, o, user, what, played+1)
			mu.Lock()
			defer mu.Unlock()
			if over = over || ended; err != nil {
				errs = append(errs, fmt.Errorf("%s, after turn %d: %w", user, played, err))
			}
		})
	}
	group.Wait()
	if len(errs) > 0 {
		c.t.Fatal(errs)
	}
	if !over && played < 2 {
		// Stand in for the deadline, because the helm sends nothing.
		if out, err := run(ctx, c.dir, nil, "", c.bin, "turn", c.game, "--missing", "standing"); err != nil {
			c.t.Fatalf("%v\n%s", err, out)
		}
	}
	return over
}

// officer has an officer read their report, and answer it unless absent. It reports whether the battle is over.
func (c *crews) officer(ctx context.Context, o *captain, user, what string, due int) (over bool, err error) {
	l, err := o.next(ctx, what+c.seats[user], "The battle is over")
	if err != nil {
		return false, err
	}
	r, err := demo.ReadReport(l.raw, catalogue())
	switch {
	case err != nil || r.View == nil:
		return false, fmt.Errorf("%q is no report: %w", l.Subject, err)
	case r.View.Result != nil:
		return true, nil
	case user == "cid" && due > 2:
		if r.Orders != "" || !strings.Contains(oneLine(l.Text), "You are relieved as helm of Hood") {
			return false, fmt.Errorf("he is relieved, and is asked for %q", r.Orders)
		}
		return false, nil
	case user == "cid":
		return false, nil
	case user == "hal" && due == 1:
		now := time.Now()
		o.reply(ctx, c.t, l, fmt.Sprintf("#away %s %s", now.Format(time.DateOnly), now.AddDate(0, 0, 2).Format(time.DateOnly)))
		_, err := o.next(ctx, "Absence noted")
		return false, err
	case user == "ann" && due == 2:
		r.Orders = strings.Replace(r.Orders, "#end", "relieve helm\n#end", 1)
	case user == "ann" && due > 2 && !strings.Contains(r.Orders, "phase 1"):
		return false, fmt.Errorf("she gives the orders of the helm, and is not offered them:\n%s", r.Orders)
	}
	gate := strings.NewReplacer("fire hold", "fire free")
	if due <= 3 {
		gate = strings.NewReplacer("fire free", "fire hold")
	}
	r.Orders = gate.Replace(r.Orders)
	if !strings.Contains(r.Orders, "\nfinal\n") {
		r.Orders = strings.Replace(r.Orders, "#end", "final\n#end", 1)
	}
	o.sent++
	if err := o.write(ctx, o, r, l.raw); err != nil {
		return false, err
	}
	ack, err := o.next(ctx, fmt.Sprintf("Turn %d: orders for %s", due, c.seats[user]))
	if err == nil && !strings.Contains(ack.Subject, "accepted") || strings.Contains(ack.Subject, "not accepted") {
		err = fmt.Errorf("%s\n%s", ack.Subject, ack.Text)
	}
	return false, err
}

// next waits for a mail with one of some subjects, and never returns the same mail twice.
func (c *captain) next(ctx context.Context, subjects ...string) (letter, error) {
	for {
		for i := range c.letters {
			l := &c.letters[i]
			for _, s := range subjects {
				if !l.awaited && (strings.HasSuffix(l.Subject, s) || strings.Contains(l.Subject, s+" ") || strings.Contains(l.Subject, s+",")) {
					l.awaited = true
					return *l, nil
				}
			}
		}
		if _, err := c.news(ctx); err != nil {
			return letter{}, fmt.Errorf("waiting for %q: %w", subjects, err)
		}
	}
}

// onlyHis checks that no mail to an officer has the orders, or the totals, of another post. The
// captain of Hood, who relieved the helm, may have the helm's.
func (c *crews) onlyHis(user string) {
	seat := c.seats[user]
	ship, post, _ := strings.Cut(seat, ".")
	mark := map[string]string{"totals move": "engineer", "choose shield": "science", "arm bank-": "helm", "fire hold\n": ""}
	totals := 0
	for _, l := range c.all[user].letters {
		_, orders, _ := strings.Cut(l.Text, "\n#orders ")
		for word, whose := range mark {
			if strings.Contains(orders, word) && whose != post && !(whose == "helm" && seat == "Hood") {
				c.t.Errorf("%s, the %s of %s, is mailed %q: %s", user, post, ship, word, l.Subject)
			}
		}
		if strings.HasSuffix(l.Subject, ": totals of the engineer") {
			totals++
		}
	}
	if told := totals > 0; told != (post == "helm" || post == "science" || seat == "Hood") {
		c.t.Errorf("%s, the %s of %s, is told the totals %d times", user, post, ship, totals)
	}
}
