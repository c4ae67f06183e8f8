//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// robotDaemon is "starpost serve" as a process, which can be stopped, killed and
// started again.
type robotDaemon struct {
	t         *testing.T
	bin, file string
	log       *os.File
	user      *syscall.Credential // that it runs as; nil for the user of the test
	mu        sync.Mutex
	cmd       *exec.Cmd
	ended     chan error
}

// configure writes a configuration for the games below dir, with more top-level
// settings. The robot logs in by password.
func configure(t *testing.T, s *servers, dir string, more ...string) string {
	t.Helper()
	return configureBy(t, s, dir, s.byPassword(t, dir), more...)
}

// login returns the settings for logging in as a user to a server, "imap" or "smtp".
// They come last in their section, because in TOML a table may only come last.
type login func(server, user string) string

func (s *servers) byPassword(t *testing.T, dir string) login {
	t.Helper()
	secret := filepath.Join(dir, "password")
	write(t, secret, s.password+"\n")
	return func(string, string) string { return fmt.Sprintf("password_file = %q\n", secret) }
}

func configureBy(t *testing.T, s *servers, dir string, by login, more ...string) string {
	t.Helper()
	file := filepath.Join(dir, "starpost.toml")
	write(t, file, fmt.Sprintf("address = %q\nreferee = %q\nstate = \"state\"\ngames = [\"games/*\"]\npoll = \"5s\"\nchange_window = \"0s\"\n%s\n%s"+
		"[log]\nlevel = \"debug\"\nformat = \"json\"\n",
		s.address("starpost"), s.address("umpire"), strings.Join(more, "\n"), s.sections("", "starpost", by)))
	return file
}

// addMailbox adds the mailbox of a user to a configuration.
func addMailbox(t *testing.T, s *servers, file, user string, by login) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, fmt.Sprintf("%s[[mailbox]]\naddress = %q\n%s", text, s.address(user), s.sections("mailbox.", user, by)))
}

// sections returns the sections of a configuration for the mailbox and the outgoing
// server of a user.
func (s *servers) sections(before, user string, by login) string {
	return s.section(before+"imap", user, by) + s.section(before+"smtp", user, by)
}

// section returns one of the sections. Its name ends in imap or smtp.
func (s *servers) section(name, user string, by login) string {
	kind := name[len(name)-len("imap"):]
	p, tls := s.imap, "tls"
	if kind == "smtp" {
		p, tls = s.smtp, "starttls"
	}
	return fmt.Sprintf("[%s]\nhost = %q\nport = %d\ntls = %q\nuser = %q\nca_file = %q\n%s", name, p.host, p.port, tls, s.address(user), s.ca, by(kind, user))
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: d.user}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	d.cmd, d.ended = cmd, ended
	return nil
}

// awaitMailbox waits until the log says that the mailbox was opened: mails from before the daemon's first start do not
// count.
func (d *robotDaemon) awaitMailbox(ctx context.Context) {
	d.t.Helper()
	for {
		text, err := os.ReadFile(d.log.Name())
		switch {
		case err != nil:
			d.t.Fatal(err)
		case bytes.Contains(text, []byte(`"msg":"mailbox opened"`)):
			return
		case ctx.Err() != nil:
			d.t.Fatalf("the daemon has opened no mailbox:\n%s", text)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// signal sends the process a signal that does not end it.
func (d *robotDaemon) signal(signal syscall.Signal) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cmd.Process.Signal(signal)
}

// stop ends the process by a signal. Unless killed, the process must exit without an error.
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
