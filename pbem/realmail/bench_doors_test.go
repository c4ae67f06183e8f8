//go:build integration

package realmail_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// TestMailBenchDoors measures how long a running daemon takes from receiving an order mail to sending the answer, and
// how much CPU that costs. Mails arrive one at a time, by IMAP (with IDLE) or by LMTP. It is part of "make bench-mail";
// the servers run in this process, without TLS.
func TestMailBenchDoors(t *testing.T) {
	sizes := benchSizes(t)
	b := newBench(t, benchGames[0])
	fmt.Printf("\n%-12s%8s%14s%14s%14s\n", "mails by", "mails", "half in, ms", "99 of 100, ms", "CPU, ms each")
	for _, n := range sizes {
		for _, door := range []string{"imap", "lmtp", "imap", "lmtp"} {
			took, cpu := b.answered(door, n)
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			fmt.Printf("%-12s%8d%14.1f%14.1f%14.2f\n", door, n, ms(took[n/2]), ms(took[n*99/100]), ms(cpu)/float64(n))
		}
	}
}

// answered returns how long each of n mails took, and the processor time for all.
func (b *bench) answered(door string, n int) (took []time.Duration, cpu time.Duration) {
	t := b.t
	t.Helper()
	b.forgetOrders()
	s := inProcess(t)
	defer s.stop()
	state, err := os.MkdirTemp(b.dir, "run")
	if err != nil {
		t.Fatal(err)
	}
	file, socket := b.configure(s, state), filepath.Join(state, "lmtp")
	put := s.put
	if door == "lmtp" {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, after, _ := strings.Cut(string(text), "[imap]\n")
		_, after, _ = strings.Cut(after, "[smtp]\n")
		write(t, file, fmt.Sprintf("%s[lmtp]\nlisten = \"unix:%s\"\n[smtp]\n%s", before, socket, after))
		put = func(raw []byte) error { return byLMTP("unix", socket, s.address("starpost"), raw) }
	}
	d := newDaemon(t, b.bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	for len(s.taken()) < len(b.mails) { // the reports
		<-s.came
	}
	cmd, before := d.cmd, time.Duration(0)
	for i := range n + 1 { // the first one warms up
		if i == 1 {
			before = processorTimeOf(t, cmd.Process.Pid)
		}
		known, raw, began := len(s.taken()), numbered(t, b.mails, i), time.Now()
		for err := put(raw); err != nil; err = put(raw) {
			if i > 0 || !errors.Is(err, syscall.ENOENT) { // ENOENT: the socket is not open yet
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		for len(s.taken()) == known {
			<-s.came
		}
		took = append(took, time.Since(began))
		if answer := s.taken()[known].raw; !bytes.Contains(answer, []byte("accepted")) {
			t.Fatalf("mail %d is not accepted:\n%s", i, answer)
		}
	}
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return took[1:], cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before
}

// processorTimeOf returns the processor time of a process so far, to a hundredth of a second.
func processorTimeOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(text), ") ") // from the third field on, see proc(5)
	var user, system time.Duration
	if f := strings.Fields(fields); len(f) > 12 {
		_, err = fmt.Sscan(f[11]+" "+f[12], &user, &system)
	}
	if err != nil {
		t.Fatal(err)
	}
	return (user + system) * 10 * time.Millisecond
}

// byLMTP delivers a mail by LMTP.
func byLMTP(network, at, to string, raw []byte) (err error) {
	conn, err := net.Dial(network, at)
	if err != nil {
		return err
	}
	c := smtp.NewClientLMTP(conn)
	defer func() { err = errors.Join(err, c.Quit()) }()
	if err := errors.Join(c.Mail("ann@void.test", nil), c.Rcpt(to, nil)); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, bytes.NewReader(raw))
	_, refused := w.CloseWithLMTPResponse()
	return errors.Join(err, refused)
}
