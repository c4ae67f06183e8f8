//go:build integration

package realmail_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// robotDaemon is "starpost serve" as a process, which may be stopped, killed and
// started again.
type robotDaemon struct {
	t         *testing.T
	bin, file string
	log       *os.File
	mu        sync.Mutex
	cmd       *exec.Cmd
	ended     chan error
}

// configure writes a configuration for the games below dir, with more settings
// that stand in no section.
func configure(t *testing.T, s *servers, dir string, more ...string) string {
	t.Helper()
	secret := filepath.Join(dir, "password")
	write(t, secret, s.password+"\n")
	file := filepath.Join(dir, "starpost.toml")
	write(t, file, fmt.Sprintf(`address = %[1]q
referee = %[2]q
state = "state"
games = ["games/*"]
poll = "5s"
change_window = "0s"
%[9]s
[imap]
host = %[3]q
port = %[4]d
tls = "tls"
user = %[1]q
password_file = %[5]q
ca_file = %[6]q
[smtp]
host = %[7]q
port = %[8]d
tls = "starttls"
user = %[1]q
password_file = %[5]q
ca_file = %[6]q
[log]
level = "debug"
format = "json"
`, s.address("starpost"), s.address("umpire"), s.imap.host, s.imap.port, secret, s.ca, s.smtp.host, s.smtp.port, strings.Join(more, "\n")))
	return file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func newDaemon(t *testing.T, bin, file string) *robotDaemon {
	t.Helper()
	log, err := os.Create(filepath.Join(filepath.Dir(file), "log"))
	if err != nil {
		t.Fatal(err)
	}
	d := &robotDaemon{t: t, bin: bin, file: file, log: log}
	t.Cleanup(func() {
		if d.running() {
			if err := d.stop(syscall.SIGKILL); err != nil {
				t.Log(err)
			}
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			if text, err := os.ReadFile(log.Name()); err == nil {
				t.Logf("the daemon's log, its end:\n%s", text[max(0, len(text)-20_000):])
			}
		}
	})
	return d
}

func (d *robotDaemon) running() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cmd != nil
}

func (d *robotDaemon) start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	cmd := exec.Command(d.bin, "serve", "--config", d.file)
	cmd.Stdout, cmd.Stderr = d.log, d.log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	d.cmd, d.ended = cmd, ended
	return nil
}

// stop ends the process by a signal. One that may tidy up must end well.
func (d *robotDaemon) stop(signal syscall.Signal) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.cmd.Process.Signal(signal); err != nil {
		return fmt.Errorf("signal the daemon: %w", err)
	}
	err := <-d.ended
	d.cmd = nil
	if signal != syscall.SIGKILL && err != nil {
		return fmt.Errorf("the daemon did not end well after %v: %w", signal, err)
	}
	return nil
}
