package crash_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/clock"
	records "starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/vault"
)

var hostsShare = flag.Int("hosts", 0, "how many hosts share a database in TestPostgresHostsDie; 0 for no such test")

// restart names the variable with a program that ends the server as a crash would, and starts it again; .ci/postgres sets it.
const restart = "STARPOST_TEST_POSTGRES_RESTART"

// shortLease is that of their mailboxes, and the shortest that there may be.
const shortLease = "6s"

// aHost is one of several, over all its lives.
type aHost struct {
	config string
	*served
}

// newSharedWorld has its games in a database of its own.
func newSharedWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), at: postgrestest.Place(t)}
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
	return w.begin(seed, gameIDs, mailing)
}

// TestPostgresHostsDie has hosts share a database, and kills them (SIGKILL), stops them for more than two leases (SIGSTOP, then SIGCONT), cuts
// their connections to the server, or has that end and start again, whenever: one thing after the other, until the battles are over, and
// new battles until that was done often enough: once for 25 of -kills. Games, mails and store are what one host leaves that nothing happens to, to the byte.
//
// It waits for leases to pass, so it belongs to "make crash".
func TestPostgresHostsDie(t *testing.T) {
	if *hostsShare == 0 {
		t.Skip("runs with -hosts")
	}
	want := undisturbed(t, 1)
	luck := rand.New(rand.NewPCG(11, 12))
	did, battles, again := map[string]int{}, 0, 0
	times := max(4, *howOften/25) // each takes a thousand times as long as a kill alone
	for done := 0; done < times && !t.Failed(); battles++ {
		w := newSharedWorld(t, 1)
		hosts := make([]*aHost, *hostsShare)
		for i := range hosts {
			hosts[i] = &aHost{config: w.configureFor(filepath.Join(w.dir, fmt.Sprint("state", i)))}
			hosts[i].served = serve(t, nil, "--config", hosts[i].config)
		}
		w.state = filepath.Join(w.dir, "state0")
		for !w.isOver() {
			if done++; done > times {
				break
			}
			time.Sleep(time.Duration(luck.IntN(1500)) * time.Millisecond)
			did[w.disturb(t, hosts, luck)]++
		}
		until(t, "the end of the battles", w.isOver)
		for _, h := range hosts {
			if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			if end, err := how(<-h.ended, true, false); end != stopped {
				t.Errorf("it ended with %v\n%s", err, tail(h.log.String(), 8000))
			}
		}
		last := serve(t, nil, "--config", hosts[0].config, "--once")
		if err := <-last.ended; err != nil {
			t.Errorf("the last run: %v\n%s", err, tail(last.log.String(), 8000))
		}
		w.rest()
		w.check(want, false)
		for id, copies := range w.copies {
			if len(copies) > 1 {
				again += len(copies) - 1
				t.Logf("%d times: %s, %q to %s", len(copies), id, copies[0].Subject, copies[0].to)
			}
		}
		if t.Failed() {
			for i, h := range hosts {
				t.Logf("host %d:\n%s", i, tail(h.log.String(), 30000))
			}
		}
	}
	t.Logf("%v in %d times %d battles; %d mails went out again", did, battles, len(gameIDs), again)
}

// disturb does one thing to one of the hosts, and says what.
func (w *world) disturb(t *testing.T, hosts []*aHost, luck *rand.Rand) string {
	t.Helper()
	h := hosts[luck.IntN(len(hosts))]
	serving := func() {
		for _, o := range hosts {
			if lines := strings.Split(o.log.String(), "\n"); strings.Contains(strings.Join(lines, ""), "serving the mailbox") && len(o.ended) == 0 {
				h = o // rather one that does something
			}
		}
	}
	if luck.IntN(3) > 0 {
		serving()
	}
	lease, err := time.ParseDuration(shortLease)
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"kill", "stop", "cut"}
	if os.Getenv(restart) != "" {
		kinds = append(kinds, "restart")
	}
	kind := kinds[luck.IntN(len(kinds))]
	switch kind {
	case "kill":
		if err := h.cmd.Process.Kill(); err != nil {
			t.Fatalf("%v: it had ended\n%s", err, tail(h.log.String(), 8000))
		}
		if err := <-h.ended; err == nil {
			t.Error("it ended in order, though it was killed")
		}
		time.Sleep(time.Duration(luck.IntN(int(2 * lease))))
		h.served = serve(t, nil, "--config", h.config)
	case "stop":
		if err := h.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2*lease + time.Duration(luck.IntN(int(lease))))
		if err := h.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	case "cut":
		if err := postgrestest.Exec(t.Context(), w.at, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
	case "restart":
		if out, err := exec.Command(os.Getenv(restart)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return kind
}

// configureFor writes a second configuration, of another state directory, in which it is.
func (w *world) configureFor(state string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	path := state + ".toml"
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), fmt.Sprintf("state = %q", w.state), fmt.Sprintf("state = %q", state), 1)), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}
