//go:build integration

package realmail_test

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/loopback"
)

// The mail bench: games of four captains. Each captain gets a report and sends
// order mails, each with a different set, and each order mail is acknowledged.
// In the same run it is compared to a bare loop, which does the mail work alone
// with the same libraries and the same servers.
const benchCaptains = 4

// benchGames are the numbers of games: few with many mails each, and many with few.
var benchGames = []int{100, 500}

// TestMailBench measures the daemon's mail work. STARPOST_BENCH_MAIL lists the numbers
// of order mails, one for each run. Run it by "make bench-mail", or by
// ".ci/servers make bench-mail" to measure with Dovecot and Postfix too.
// STARPOST_BENCH_PROGRAM=FILE measures that program instead of this source.
// STARPOST_BENCH_PAGES=1 makes captains' mails have an HTML part, so the answers have one too.
// STARPOST_BENCH_PROFILE=FILE runs the daemon inside the test binary and writes CPU
// profiles: FILE for taking in the order mails, FILE.sending for sending the reports and
// FILE.idle for a run without work. Heap profiles have the suffix .heap.
func TestMailBench(t *testing.T) {
	sizes := benchSizes(t)
	for _, games := range benchGames {
		b := newBench(t, games)
		b.table(sizes, "the servers in this program, without TLS", func(n int) figures {
			s := inProcess(t)
			defer s.stop()
			return b.measure(s, n)
		})
		if os.Getenv("STARPOST_TEST_DOMAIN") != "" {
			b.table(sizes, "Dovecot and Postfix, with TLS", func(n int) figures {
				return b.measure(realServers(t), n)
			})
		}
	}
}

func benchSizes(t *testing.T) (sizes []int) {
	t.Helper()
	for word := range strings.FieldsSeq(os.Getenv("STARPOST_BENCH_MAIL")) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) == 0 {
		t.Skip("STARPOST_BENCH_MAIL is not set")
	}
	return sizes
}

// usage is what a process cost.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
}

func (u usage) minus(v usage) usage { return usage{u.wall - v.wall, u.cpu - v.cpu, u.peak} }

// figures are the results of one run.
type figures struct {
	mails, reports          int
	answer                  int // bytes, on average
	idle, intake, sending   usage
	fetch, move, acks, bare usage // by the bare loop; bare sends the reports
	check                   usage // by the bare loop that fetches mails and checks order sets
}

// bench holds the games and mails that all runs share.
type bench struct {
	t        *testing.T
	bin, dir string
	games    int
	mails    [][]byte // order mails, one for each captain of each game
	sent     []taken  // the reports that mails answer
	// acks are the answers that the server accepted, by the number of order mails.
	acks map[int][]taken
}

// measure has the daemon send the reports of all games, take in n order mails
// and acknowledge them.
func (b *bench) measure(s *servers, n int) (f figures) {
	t := b.t
	t.Helper()
	state, err := os.MkdirTemp(b.dir, "run")
	if err != nil {
		t.Fatal(err)
	}
	config := b.configure(s, state)
	b.forgetOrders()
	empty(t, s, "starpost")

	f.mails, f.reports = n, len(b.mails)
	f.sending = b.once(config, ".sending")
	f.idle = b.once(config, ".idle")
	fill(t, s, b.mails, n)
	f.fetch = bareLoop(t, s, state, "fetch", "INBOX", "")
	f.check = bareLoop(t, s, state, "check", "INBOX", filepath.Join(b.dir, "games"))
	f.intake = b.once(config, "")
	b.check(s, state, n)
	f.move = bareLoop(t, s, state, "move", "Starpost/Done", "")
	out := filepath.Join(state, "out")
	b.answersTo(s, n, out)
	f.acks = bareLoop(t, s, state, "send", out, "")
	for _, m := range b.acks[n] {
		f.answer += len(m.raw) / n
	}
	b.reports(out)
	f.bare = bareLoop(t, s, state, "send", out, "")
	f.sending, f.intake = f.sending.minus(f.idle), f.intake.minus(f.idle)
	return f
}

// configure writes a configuration for one run.
func (b *bench) configure(s *servers, state string) string {
	b.t.Helper()
	tls, ca := "tls = \"none\"", ""
	smtpTLS := tls
	if s.ca != "" {
		tls, smtpTLS, ca = "tls = \"tls\"", "tls = \"starttls\"", fmt.Sprintf("ca_file = %q\n", s.ca)
	}
	write(b.t, filepath.Join(state, "password"), s.password)
	server := func(p place, tls string) string {
		return fmt.Sprintf("host = %q\nport = %d\n%s\nuser = %q\npassword_file = \"password\"\n%s", p.host, p.port, tls, s.address("starpost"), ca)
	}
	file := filepath.Join(state, "starpost.toml")
	write(b.t, file, fmt.Sprintf("address = %q\nstate = \"state\"\ngames = [%q]\n[imap]\n%s[smtp]\n%s",
		s.address("starpost"), filepath.Join(b.dir, "games", "*"), server(s.imap, tls), server(s.smtp, smtpTLS)))
	return file
}

// once runs the daemon until nothing is left to do, and returns what it cost. The
// suffix goes to the name of the profile, if one is written.
func (b *bench) once(config, suffix string) usage {
	b.t.Helper()
	log, err := os.OpenFile(filepath.Join(filepath.Dir(config), "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	defer shut(log)
	cmd := exec.CommandContext(b.t.Context(), b.bin, "serve", "--config", config, "--once")
	if profile := os.Getenv("STARPOST_BENCH_PROFILE"); profile != "" {
		cmd = profiled(b.t, config, profile+suffix)
	}
	cmd.Stdout, cmd.Stderr = log, log
	u, err := cost(cmd)
	if err != nil {
		text, rerr := os.ReadFile(log.Name())
		b.t.Fatalf("serve --once: %v %v\n%s", err, rerr, text[max(0, len(text)-5000):])
	}
	return u
}

// cost runs a command and returns what it cost. Peak memory is polled, because the
// kernel's figure for an ended child includes the parent's memory.
func cost(cmd *exec.Cmd) (u usage, err error) {
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case err = <-ended:
			tick.Stop()
			u.wall, u.cpu = time.Since(began), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
			return u, err
		case <-tick.C:
			u.peak = max(u.peak, highWater(cmd.Process.Pid))
		}
	}
}

// highWater returns the peak of a process's resident memory so far, in bytes, or 0
// if it is unknown.
func highWater(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}

// forgetOrders resets all games to before the first orders. The files are moved
// away, not removed: ext4 skips inodes that were freed in the last half minute,
// which would make creating the next files five times as expensive.
func (b *bench) forgetOrders() {
	b.t.Helper()
	aside, err := os.MkdirTemp(b.dir, "aside")
	if err != nil {
		b.t.Fatal(err)
	}
	n := 0
	for _, pattern := range []string{"orders", "journal.jsonl"} {
		found, err := filepath.Glob(filepath.Join(b.dir, "games", "*", pattern))
		if err != nil {
			b.t.Fatal(err)
		}
		for _, path := range found {
			if err := os.Rename(path, filepath.Join(aside, strconv.Itoa(n))); err != nil {
				b.t.Fatal(err)
			}
			n++
		}
	}
}

// check checks that all mails are handled, all orders stored and all answers sent.
func (b *bench) check(s *servers, state string, n int) {
	b.t.Helper()
	if done := s.count(b.t, "starpost", "Starpost/Done"); done < n {
		b.t.Errorf("%d mails in Starpost/Done, want %d", done, n)
	}
	stored, err := filepath.Glob(filepath.Join(b.dir, "games", "*", "orders", "*.txt"))
	if err != nil || len(stored) < min(n, len(b.mails)) {
		b.t.Errorf("%d order sets are stored (%v)", len(stored), err)
	}
	db := b.store(state)
	defer shut(db)
	var acks, open int
	if err := db.QueryRow("SELECT count(*) FILTER (WHERE kind = 'ack' AND state = 'sent'), count(*) FILTER (WHERE state <> 'sent') FROM outbox").Scan(&acks, &open); err != nil {
		b.t.Fatal(err)
	}
	if acks != n || open != 0 {
		b.t.Errorf("%d acknowledgements were sent, want %d; %d mails are open", acks, n, open)
	}
}

func (b *bench) store(state string) *sql.DB {
	b.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(state, "state", "ledger.db")+"?mode=ro")
	if err != nil {
		b.t.Fatal(err)
	}
	return db
}

// answersTo writes the answers to the order mails into a directory, each as a
// file with the recipient in its name. Real servers discard the answers; for them
// it uses those of the earlier run with servers in this process.
func (b *bench) answersTo(s *servers, n int, dir string) {
	b.t.Helper()
	if s.taken != nil {
		b.acks[n] = slices.DeleteFunc(s.taken(), func(m taken) bool { return !bytes.Contains(m.raw, []byte("\r\nMessage-Id: <ack.")) })
	}
	if len(b.acks[n]) != n {
		b.t.Fatalf("%d answers are known, want %d", len(b.acks[n]), n)
	}
	b.fresh(dir)
	for i, m := range b.acks[n] {
		write(b.t, filepath.Join(dir, fmt.Sprintf("%06d_%s", i, m.to)), string(m.raw))
	}
}

// reports writes the reports into a directory in the same way.
func (b *bench) reports(dir string) {
	b.t.Helper()
	b.fresh(dir)
	for i, m := range b.sent {
		write(b.t, filepath.Join(dir, fmt.Sprintf("%06d_%s", i, m.to)), string(m.raw))
	}
}

func (b *bench) fresh(dir string) {
	b.t.Helper()
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		b.t.Fatal(err)
	}
}

// inProcess starts mail servers in this process.
func inProcess(t *testing.T) *servers {
	t.Helper()
	const password = "open sesame"
	var mu sync.Mutex
	var got []taken
	came := make(chan struct{}, 1)
	l, err := loopback.Start([]loopback.User{{Address: "starpost@fleet.test", Password: password}}, loopback.Options{
		RequireLogin: true, Sink: "void.test", OnDelivery: func(_, to string, raw []byte) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, taken{to, raw})
			select {
			case came <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &servers{domain: "fleet.test", password: password, imap: parsePlace(t, l.IMAPAddr()), smtp: parsePlace(t, l.SMTPAddr()), came: came}
	s.stop = func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	s.taken = func() []taken {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(got)
	}
	s.put = func(raw []byte) error { return l.Put(s.address("starpost"), raw) }
	return s
}

// table runs the bench for all sizes and prints the results.
func (b *bench) table(sizes []int, title string, run func(n int) figures) {
	var all []figures
	for _, n := range sizes {
		all = append(all, run(n))
	}
	per := func(d time.Duration, n int) string {
		return fmt.Sprintf("%.3f", float64(d.Microseconds())/1000/float64(cmp.Or(n, 1)))
	}
	ratio := func(a, b time.Duration) string {
		return fmt.Sprintf("%.2f", float64(a)/float64(max(b, 1)))
	}
	var w strings.Builder
	fmt.Fprintf(&w, "\n%s: %d games, %d reports\n", title, b.games, len(b.mails))
	fmt.Fprintf(&w, "%-34s", "order mails")
	for _, f := range all {
		fmt.Fprintf(&w, "%10d", f.mails)
	}
	row := func(name, unit string, cell func(f figures) string) {
		fmt.Fprintf(&w, "\n%-34s", name)
		for _, f := range all {
			fmt.Fprintf(&w, "%10s", cell(f))
		}
		if unit != "" {
			fmt.Fprintf(&w, "  %s", unit)
		}
	}
	row("taken in, stored, acknowledged", "ms a mail", func(f figures) string { return per(f.intake.wall, f.mails) })
	row("  bare: fetch and parse", "ms a mail", func(f figures) string { return per(f.fetch.wall, f.mails) })
	row("  bare: send the answers", "ms a mail", func(f figures) string { return per(f.acks.wall, f.mails) })
	row("  bare: move", "ms a mail", func(f figures) string { return per(f.move.wall, f.mails) })
	row("  ratio to fetch and send", "goal 1.2", func(f figures) string { return ratio(f.intake.wall, f.fetch.wall+f.acks.wall) })
	row("  own CPU", "ms a mail, goal 0.75", func(f figures) string { return per(f.intake.cpu, f.mails) })
	row("  own CPU of the bare loop", "ms a mail", func(f figures) string { return per(f.fetch.cpu+f.acks.cpu, f.mails) })
	row("  ratio of the CPU", "", func(f figures) string { return ratio(f.intake.cpu, f.fetch.cpu+f.acks.cpu) })
	row("  ... to a loop that checks the sets", "goal 1.8", func(f figures) string { return ratio(f.intake.cpu, f.check.cpu+f.acks.cpu) })
	row("  an answer", "KB, goal 8", func(f figures) string { return fmt.Sprintf("%.1f", float64(f.answer)/1024) })
	row("  peak memory", "MB, goal 150", func(f figures) string { return fmt.Sprintf("%.0f", float64(f.intake.peak)/(1<<20)) })
	row("reports sent", "ms a mail", func(f figures) string { return per(f.sending.wall, f.reports) })
	row("  bare: send the same", "ms a mail", func(f figures) string { return per(f.bare.wall, f.reports) })
	row("  ratio", "goal 1.2", func(f figures) string { return ratio(f.sending.wall, f.bare.wall) })
	row("  own CPU", "ms a mail", func(f figures) string { return per(f.sending.cpu, f.reports) })
	row("  own CPU of the bare loop", "ms a mail", func(f figures) string { return per(f.bare.cpu, f.reports) })
	row("started, games opened", "s", func(f figures) string { return fmt.Sprintf("%.2f", f.idle.wall.Seconds()) })
	row("  own CPU", "s", func(f figures) string { return fmt.Sprintf("%.2f", f.idle.cpu.Seconds()) })
	row("growth of the time a mail", "to the first run, goal 1", func(f figures) string {
		return ratio(f.intake.wall*time.Duration(all[0].mails), all[0].intake.wall*time.Duration(f.mails))
	})
	fmt.Println(w.String())
}
