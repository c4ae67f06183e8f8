package crash_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	records "starpost/pbem/record/postgres"
	"starpost/pbem/store/hosted"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/vault"
)

var (
	hostsShare = flag.Int("hosts", 3, "how many hosts share a database in TestPostgresHostsDie; 0 for no such test")
	ofEach     = flag.Int("times", 1, "how often TestPostgresHostsDie disturbs hosts in each way")
	atOnce     = flag.Int("worlds", 4, "how many battles TestPostgresHostsDie has at once (if -parallel allows that)")
	onlyKind   = flag.String("kind", "", "the one way in which TestPostgresHostsDie disturbs hosts; all if empty")
)

// aHost is one of several hosts, over all its lives.
type aHost struct {
	config   string
	stopFile string // see STARPOST_CRASH_STOP_FILE
	database []*line
	mail     []*line
	*served
}

// start begins a life, and waits until the host serves the mailbox or waits for another host that does. It must not be
// called without a database, because a starting host that finds none ends.
func (h *aHost) start(t *testing.T) {
	t.Helper()
	h.served = serve(t, []string{"STARPOST_CRASH_STOP_FILE=" + h.stopFile}, "--config", h.config)
	until(t, "the start", func() bool { return strings.Contains(h.log.String(), "the mailbox") }, h.served)
}

// pair is a PostgreSQL server and its synchronous standby.
type pair struct{ primary, standby *postgrestest.Server }

// sharedWorld is a world whose games are in a database that several hosts share.
type sharedWorld struct {
	*world
	servers *pair
	hosts   []*aHost
	steps   *stepsLeft
	early   string // the step before which the first host stops at its start; "" for none
	luck    *rand.Rand
	began   []time.Time // when each disturbance began
}

// newSharedWorld starts a world and its hosts. The first host stops before the step early, if that is not "".
func newSharedWorld(t *testing.T, seed uint64, ids []string, servers *pair, early string) *sharedWorld {
	t.Helper()
	addrs := []string{servers.primary.Addr(), servers.standby.Addr()}
	w := &sharedWorld{world: &world{t: t, dir: t.TempDir(), at: postgrestest.Schema(t, postgrestest.URL(addrs...))}, servers: servers, early: early}
	if _, err := store.Init(t.Context(), w.at); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.shared, err = records.Open(t.Context(), w.at); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.shared.Close(); err != nil {
			t.Error(err)
		}
	})
	mailing := vault.DefaultMail()
	mailing.ChangeWindow, mailing.Missing = clock.Span(12*time.Hour), vault.PolicyHold
	w.paced = true
	w.begin(seed, ids, mailing)
	for i := range *hostsShare {
		h := &aHost{stopFile: filepath.Join(w.dir, fmt.Sprint("stop", i))}
		at := place{state: filepath.Join(w.dir, fmt.Sprint("state", i))}
		var behind []string
		for _, addr := range addrs {
			l := newLine(t, addr)
			h.database, behind = append(h.database, l), append(behind, l.Listen)
		}
		u, err := url.Parse(w.at.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.Host = strings.Join(behind, ",")
		at.url = u.String()
		for _, to := range []struct {
			addr string
			line *string
		}{{w.server.IMAPAddr(), &at.imap}, {w.server.SMTPAddr(), &at.smtp}} {
			l := newLine(t, to.addr)
			h.mail, *to.line = append(h.mail, l), l.Listen
		}
		h.config = w.configureFor(at, at.state+".toml")
		if i == 0 && early != "" {
			h.stopBefore(t, early)
		}
		h.start(t)
		w.hosts = append(w.hosts, h)
	}
	w.state = filepath.Join(w.dir, "state0")
	return w
}

// tally sums up all worlds of a test.
type tally struct {
	sync.Mutex
	did                  map[string]int
	battles, mails, more int // more: mails that went out again
}

func (s *tally) String() string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(s.did)) {
		all = append(all, fmt.Sprintf("%s %d", kind, s.did[kind]))
	}
	return fmt.Sprintf("%s; in %d battles with %d mails of captains; %d mails went out again", strings.Join(all, ", "), s.battles, s.mails, s.more)
}

// TestPostgresHostsDie disturbs hosts that share a database while they play, in each of the ways of disturbances, one
// after the other. It plays new battles until each disturbance has happened -times times, in several worlds at once.
// Games, mails and store must be, byte for byte, those of a single undisturbed host.
func TestPostgresHostsDie(t *testing.T) {
	if *hostsShare == 0 || !postgrestest.Available() {
		t.Skip("runs with -hosts, in .ci/postgres")
	}
	want := undisturbed(t, 1)
	began := time.Now()
	sum, steps := &tally{did: map[string]int{}}, newStepsLeft()
	t.Run("worlds", func(t *testing.T) {
		for i, todo := range dealt(*atOnce) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel() // most of it is waiting
				primary := postgrestest.Start(t)
				servers := &pair{primary, primary.NewStandby(t)}
				luck := rand.New(rand.NewPCG(11, uint64(i)))
				for n := 0; len(todo) > 0 && !t.Failed(); n++ {
					t.Run(fmt.Sprint("battle", n), func(t *testing.T) {
						ids := gameIDs
						if len(todo) < 8 {
							ids = ids[:1]
						}
						early := ""
						if todo[0] == "stop at a step" {
							early = firstStep
						}
						w := newSharedWorld(t, 1, ids, servers, early)
						w.luck, w.steps = luck, steps
						todo = w.fight(want.of(ids), todo, sum)
					})
				}
			})
		}
	})
	t.Logf("%v; in %s", sum, time.Since(began).Round(time.Second))
	t.Logf("stopped before these steps: %v", steps.did)
	for _, step := range append(steps.queue, firstStep) {
		if sum.did["stop at a step"] >= 4*len(steps.queue) && steps.did[step] == 0 {
			t.Errorf("no host was stopped before %q", step)
		}
	}
}

// dealt deals the disturbances out to at most n worlds, in random order.
func dealt(n int) [][]string {
	var all []string
	for kind := range disturbances() {
		if *onlyKind == "" || *onlyKind == kind {
			all = append(all, slices.Repeat([]string{kind}, *ofEach)...)
		}
	}
	slices.Sort(all)
	rand.New(rand.NewPCG(11, 12)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	worlds := make([][]string, min(n, len(all)))
	for i, kind := range all {
		worlds[i%len(worlds)] = append(worlds[i%len(worlds)], kind)
	}
	return worlds
}

// fight plays battles with disturbances from todo, checks the results, and returns the disturbances that are left.
func (w *sharedWorld) fight(want history, todo []string, sum *tally) []string {
	t := w.t
	t.Helper()
	did := map[string]int{}
	for len(todo) > 0 && !t.Failed() {
		// Captains act before a disturbance and during it.
		w.allow(1)
		late := w.luck.IntN(2)
		time.AfterFunc(w.upTo(2*lease), func() { w.allow(late) })
		time.Sleep(w.upTo(1500 * time.Millisecond))
		if w.isOver() {
			break
		}
		w.began = append(w.began, time.Now())
		t.Logf("disturbance %d: %s", len(w.began), todo[0])
		if !disturbances()[todo[0]](w) {
			break // the battles ended before it happened
		}
		did[todo[0]]++
		todo = todo[1:]
	}
	w.hurry()
	until(t, "the end of the battles", w.isOver)
	// A mail of uncertain delivery goes out again only after a minute, also with serve --once.
	until(t, "the last mail", func() bool {
		time.Sleep(time.Second)
		o, err := hosted.Inspect(t.Context(), &config.Config{State: w.state, Store: &config.Store{URL: w.at.URL}})
		return err == nil && o.Waiting == 0
	})
	for _, h := range w.hosts {
		if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if end, err := how(<-h.ended, true, false); end != stopped {
			t.Errorf("it ended with %v\n%s", err, tail(h.log.String(), 8000))
		}
	}
	last := serve(t, nil, "--config", w.hosts[0].config, "--once")
	if err := <-last.ended; err != nil {
		t.Errorf("the last run: %v\n%s", err, tail(last.log.String(), 8000))
	}
	w.rest()
	w.check(want, false)
	more := w.checkMore()
	if t.Failed() {
		for i, h := range w.hosts {
			t.Logf("host %d:\n%s", i, tail(h.log.String(), 30000))
		}
	}
	sum.Lock()
	defer sum.Unlock()
	for kind, n := range did {
		sum.did[kind] += n
	}
	sum.battles, sum.mails, sum.more = sum.battles+len(w.games), sum.mails+len(w.mails), sum.more+more
	return todo
}

// checkMore checks that at most one mail went out again for each disturbance, which happened after the mail went out or
// was under way then. It returns how many did in all.
func (w *sharedWorld) checkMore() (more int) {
	w.t.Helper()
	type again struct{ first, last int } // the disturbances that may be the cause, from 1
	var all []again
	for id, copies := range w.copies {
		for i, c := range copies[1:] {
			a := again{max(w.begunBy(copies[i].at), 1), w.begunBy(c.at)}
			all = append(all, a)
			w.t.Logf("%s went out again by disturbances %d to %d, %s later: %q to %s", id, a.first, a.last, c.at.Sub(copies[i].at).Round(time.Millisecond), c.Subject, c.to)
		}
	}
	slices.SortFunc(all, func(a, b again) int { return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.first, b.first)) })
	taken := map[int]bool{}
	for _, a := range all {
		for taken[a.first] {
			a.first++
		}
		if taken[a.first] = true; a.first > a.last {
			w.t.Errorf("by disturbance %d more mails went out again than there were disturbances", a.last)
		}
	}
	return len(all)
}

// begunBy returns how many disturbances had begun at a time.
func (w *sharedWorld) begunBy(at time.Time) int {
	n, _ := slices.BinarySearchFunc(w.began, at, time.Time.Compare)
	return n
}

// serving returns the host that serves the mailbox, according to the logs, or the first one if none does yet.
func (w *sharedWorld) serving() *aHost {
	since := func(h *aHost) string { // lines begin with a time, which sorts as text
		log := h.log.String()
		i := strings.LastIndex(log, `msg="serving the mailbox"`)
		if i < 0 || len(h.ended) > 0 {
			return ""
		}
		return log[strings.LastIndex(log[:i], "\n")+1 : i]
	}
	return slices.MaxFunc(w.hosts, func(a, b *aHost) int { return cmp.Compare(since(a), since(b)) })
}
