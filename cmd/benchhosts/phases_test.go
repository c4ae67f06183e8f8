//go:build linux

package benchhosts_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// work is what the hosts did in a phase.
type work struct {
	mails, turns int
	took         time.Duration   // up to the last answer or report
	delays       []time.Duration // from mail to answer
	polls        int             // polls by each host while nothing happened
}

// phase calls do, which gives the hosts work, and adds a line on what they cost until they had nothing left to do.
func (w *world) phase(name string, do func() work) {
	w.t.Helper()
	before := w.usage()
	done := do()
	until(w.t, "the hosts to finish", func() bool {
		return number(w.t, w.db, "SELECT (SELECT count(*) FROM mails WHERE state < 4) + (SELECT count(*) FROM outbox WHERE state IN ('queued', 'ambiguous'))") == 0
	})
	u := w.usage().minus(before)
	if len(w.hosts) > 0 {
		w.mails.settle(w.ended) // discard extra mails, such as those at the end of a game
	}
	each := float64(max(done.mails, done.polls*len(w.hosts)))
	per := func(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000/each) }
	line := []string{name, fmt.Sprint(done.mails), fmt.Sprint(done.turns), fmt.Sprintf("%.1f", u.wall.Seconds()), "", "", "", "", per(u.hosts), per(u.database), fmt.Sprintf("%.0f", float64(u.wal)/each)}
	if len(done.delays) > 0 {
		slices.Sort(done.delays)
		line[4], line[5] = fmt.Sprintf("%.1f", float64(done.mails)/done.took.Seconds()), fmt.Sprintf("%.1f", float64(done.turns)/done.took.Seconds())
		line[6], line[7] = millis(done.delays[len(done.delays)/2]), millis(done.delays[len(done.delays)*99/100])
	}
	w.lines = append(w.lines, line)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.0f", float64(d.Microseconds())/1000) }

// print prints the table. Costs of a phase are per mail or, if no mails came, per poll of a host.
func (w *world) print() {
	w.t.Helper()
	fmt.Printf("%d games, %d hosts\n", w.games, len(w.configs))
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	head := []string{"phase", "mails", "turns", "seconds", "mails/s", "turns/s", "p50 ms", "p99 ms", "host ms", "database ms", "WAL bytes"}
	for _, line := range append([][]string{head}, w.lines...) {
		if _, err := fmt.Fprintln(out, strings.Join(line, "\t")+"\t"); err != nil {
			w.t.Error(err)
		}
	}
	if err := out.Flush(); err != nil {
		w.t.Error(err)
	}
}

// idle waits for some polls of the hosts while nothing happens in the games.
func (w *world) idle(polls int) work {
	select {
	case d := <-w.mails.deliveries:
		w.t.Fatalf("a mail to %s, although nothing happened", d.To)
	case err := <-w.ended:
		w.t.Fatalf("a host has ended: %v", err)
	case <-time.After(time.Duration(polls) * poll):
	}
	return work{polls: polls}
}

// order is a captain's mail.
type order struct {
	mailbox, captain string
	raw              []byte
	delivered        int // how many mails the captain should get
	sent             time.Time
	got              int
}

// orders returns the mails of the next n captains: alternately all in a game, which completes its turn, and one in a game.
func (w *world) orders(n int) (all []*order, turns int) {
	w.t.Helper()
	for whole := true; len(all) < n; whole = !whole {
		if w.next >= w.games {
			w.t.Fatalf("%d games have too few captains for so many mails: raise -games", w.games)
		}
		m, mailbox := w.fill.model(w.next)
		id, robot := copyID(w.next), robotAddress(mailbox)
		w.next++
		captains := 1
		if whole && n-len(all) >= len(m.orders) {
			captains = len(m.orders)
			turns++
		}
		for i := range captains {
			o := &order{mailbox: robot, captain: strings.ReplaceAll(m.captains[i], m.id, id), raw: m.order(i, id, robot), delivered: 1}
			if captains == len(m.orders) {
				o.delivered++ // the report
			}
			all = append(all, o)
		}
	}
	return all, turns
}

// await waits until every captain has the expected mails. Times are measured from began.
func (w *world) await(orders []*order, turns int, began time.Time) work {
	w.t.Helper()
	by, open := map[string]*order{}, 0
	for _, o := range orders {
		by[o.captain], open = o, open+o.delivered
	}
	done := work{mails: len(orders), turns: turns}
	for open > 0 {
		d := w.mails.next(w.ended)
		o := by[d.To]
		if o == nil {
			w.t.Fatalf("a mail to %s, who has not written", d.To)
		}
		if o.got++; o.got <= o.delivered {
			open--
		}
		if o.got == 1 {
			done.delays = append(done.delays, d.At.Sub(o.sent))
		}
		done.took = max(done.took, d.At.Sub(began))
	}
	return done
}

// oneByOne delivers mails to the hosts at a constant rate.
func (w *world) oneByOne(perSecond int) work {
	w.t.Helper()
	orders, turns := w.orders(int(spanFlag.Seconds() * float64(perSecond)))
	began := time.Now()
	for i, o := range orders {
		o.sent = began.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
	}
	go func() {
		for _, o := range orders {
			time.Sleep(time.Until(o.sent))
			w.mails.put(o.mailbox, o.raw)
		}
	}()
	return w.await(orders, turns, began)
}

// heap delivers mails while the hosts are suspended, then resumes them.
func (w *world) heap() work {
	w.t.Helper()
	orders, turns := w.orders(*mailsFlag)
	for _, h := range w.hosts {
		h.signal(syscall.SIGSTOP)
	}
	for _, o := range orders {
		w.mails.put(o.mailbox, o.raw)
	}
	w.mails.settle(w.ended)
	began := time.Now()
	for _, o := range orders {
		o.sent = began
	}
	for _, h := range w.hosts {
		h.signal(syscall.SIGCONT)
	}
	return w.await(orders, turns, began)
}
