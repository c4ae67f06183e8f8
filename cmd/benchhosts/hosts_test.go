//go:build linux

package benchhosts_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/store/postgres"
)

// poll is the shortest interval that the configuration allows.
const poll = 5 * time.Second

// program builds the program, unless STARPOST_BENCH_PROGRAM names one.
func program(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("STARPOST_BENCH_PROGRAM"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "starpost")
	cmd := exec.Command("go", "build", "-o", path, "starpost/cmd/starpost")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return path
}

// configure writes the configuration of a host that serves one mailbox.
func configure(t *testing.T, mails *mailServers, at postgres.Place, address string) (file string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "host")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "starpost.toml")
	text := fmt.Sprintf("address = %q\nstate = %q\npoll = %q\n[store]\nurl = %q\nlease = \"5m\"\n%s[log]\nlevel = \"warn\"\nformat = \"text\"\n",
		address, filepath.Join(dir, "state"), poll, at.URL, mails.sections(address))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// host is a process of the program.
type host struct {
	t     *testing.T
	cmd   *exec.Cmd
	state string
	ended chan error
}

// serve starts the program. When the process ends, its error (or nil) is sent to ended.
func serve(t *testing.T, bin, config string, ended chan error) *host {
	t.Helper()
	h := &host{t: t, cmd: exec.Command(bin, "serve", "--config", config), state: filepath.Join(filepath.Dir(config), "state"), ended: make(chan error, 1)}
	h.cmd.Env = append(os.Environ(), passwordEnv+"="+password)
	h.cmd.Stderr = os.Stderr
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		err := h.cmd.Wait()
		h.ended <- err
		ended <- err
	}()
	t.Cleanup(h.stop)
	return h
}

// rest waits until the host has looked at all its games and waits for mails.
func (h *host) rest(ctx context.Context) {
	h.t.Helper()
	for {
		var beat watch.Heartbeat
		data, err := os.ReadFile(filepath.Join(h.state, watch.HeartbeatFile))
		if err == nil && json.Unmarshal(data, &beat) == nil && beat.PID == h.cmd.Process.Pid && !beat.Next.IsZero() && len(beat.Mailboxes) > 0 {
			return
		}
		select {
		case err := <-h.ended:
			h.t.Fatalf("a host has ended: %v", err)
		case <-ctx.Done():
			h.t.Fatal("a host does not come to rest")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// signal sends the process a signal.
func (h *host) signal(s os.Signal) {
	h.t.Helper()
	if err := h.cmd.Process.Signal(s); err != nil {
		h.t.Error(err)
	}
}

// stop ends the process, unless it has ended.
func (h *host) stop() {
	if h.cmd.Process.Signal(syscall.SIGCONT) != nil || h.cmd.Process.Signal(os.Interrupt) != nil {
		return
	}
	if err := <-h.ended; err != nil {
		h.t.Errorf("a host ended with %v", err)
	}
	h.ended <- nil
}

// cpu returns the processor time of the host so far.
func (h *host) cpu() time.Duration {
	h.t.Helper()
	own, _, _, err := times(h.cmd.Process.Pid)
	if err != nil {
		h.t.Fatal(err)
	}
	return own
}

// memory returns the peak of the host's resident memory so far, in MB.
func (h *host) memory() int {
	h.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", h.cmd.Process.Pid))
	if err != nil {
		h.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest + " 0")[0])
	if err != nil {
		h.t.Fatal(err)
	}
	return kb >> 10
}

// times returns the processor times of a process and of its children that have ended, and its parent.
func times(pid int) (own, children time.Duration, parent int, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, 0, err
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(rest)
	const (
		ppid, utime = 1, 11 // index from the field state, which is number 3 in proc(5)
		tick        = 10 * time.Millisecond
	)
	var ticks [4]time.Duration
	for i := range ticks {
		n, cerr := strconv.Atoi(f[utime+i])
		ticks[i], err = time.Duration(n)*tick, cmp.Or(err, cerr)
	}
	parent, perr := strconv.Atoi(f[ppid])
	return ticks[0] + ticks[1], ticks[2] + ticks[3], parent, errors.Join(err, perr)
}

// serverTime returns the processor time of a postmaster and all its children, including ended ones.
func serverTime(postmaster int) (time.Duration, error) {
	sum, children, _, err := times(postmaster)
	if err != nil {
		return 0, err
	}
	sum += children
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, dir := range all {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			return 0, err
		}
		if own, _, parent, err := times(pid); err == nil && parent == postmaster { // it may have ended by now
			sum += own
		}
	}
	return sum, nil
}
