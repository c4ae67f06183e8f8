package examples_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"starpost/pbem/loopback"
)

// The annotated configuration and the crontab's command play a turn through real servers. Only the servers' addresses
// are changed, and the password comes from a file.
func TestHostingFromCron(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	servers, got := mailServers(t, loopback.Options{}, loopback.User{Address: "ann@example.org"}, loopback.User{Address: "bo@example.net"})

	home := t.TempDir()
	work := filepath.Join(home, "starpost")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(work, "starpost.toml"), onThisMachine(t, servers))
	write(t, filepath.Join(work, "password"), "sesame\n")
	if err := os.Symlink(filepath.Join(binDir, "starpost"), filepath.Join(work, "starpost")); err != nil {
		t.Fatal(err)
	}
	sh := func(line string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(filepath.Join(work, "starpost.log")) // may not exist
			t.Fatalf("$ %s\n%v\n%s%s", line, err, out, log)
		}
	}
	cron := cronCommand(t)
	sh("./starpost doctor --config starpost.toml")
	sh("./starpost new games/wolf --scenario big-bad-wolf --robot battles@example.org" +
		" --captain Hood=ann@example.org --captain Riskadh=bo@example.net")
	sh(cron)
	reports, others := got("ann@example.org"), got("bo@example.net")
	if len(reports) != 1 || len(others) != 1 {
		t.Fatalf("%d and %d mails went to the captains, not one each", len(reports), len(others))
	}

	// A captain sends back the order set from the end of the report.
	text := plainText(t, reports[0])
	at := strings.LastIndex(text, "#orders")
	if at < 0 {
		t.Fatalf("the report has no order set:\n%s", text)
	}
	letter := "From: ann@example.org\r\nTo: battles@example.org\r\nSubject: orders\r\nMessage-ID: <1@example.org>\r\n\r\n" +
		strings.ReplaceAll(text[at:], "\n", "\r\n")
	if err := smtp.SendMail(servers.SMTPAddr(), nil, "ann@example.org", []string{"battles@example.org"}, []byte(letter)); err != nil {
		t.Fatal(err)
	}
	sh(cron)
	reports = got("ann@example.org")
	if len(reports) != 2 {
		t.Fatalf("%d mails went to the captain, not report and acknowledgement", len(reports))
	}
	if m, err := mail.ReadMessage(bytes.NewReader(reports[1])); err != nil || !strings.Contains(m.Header.Get("Subject"), "accepted") {
		t.Errorf("the answer is not that the orders are accepted: %v\n%s", err, reports[1])
	}
}

// mailServers starts mail servers with the account battles@example.org, with password sesame, and others. Got returns
// the mails delivered to an address.
func mailServers(t *testing.T, o loopback.Options, others ...loopback.User) (servers *loopback.Server, got func(address string) [][]byte) {
	t.Helper()
	var mu sync.Mutex
	all := map[string][][]byte{}
	o.OnDelivery = func(_, to string, raw []byte) {
		mu.Lock()
		defer mu.Unlock()
		all[to] = append(all[to], bytes.Clone(raw))
	}
	servers, err := loopback.Start(append(others, loopback.User{Address: "battles@example.org", Password: "sesame"}), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := servers.Close(); err != nil {
			t.Error(err)
		}
	})
	return servers, func(address string) [][]byte {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all[address])
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// onThisMachine returns examples/starpost.toml with local servers and a password file.
func onThisMachine(t *testing.T, s *loopback.Server) string {
	t.Helper()
	text := string(read(t, "starpost.toml"))
	for _, addr := range []string{s.IMAPAddr(), s.SMTPAddr()} {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatal(err)
		}
		const there = `host = "mail.example.org"`
		if !strings.Contains(text, there) {
			t.Fatalf("starpost.toml has no line %s", there)
		}
		text = strings.Replace(text, there, fmt.Sprintf("host = %q\nport = %s\ntls = \"none\"", host, port), 1)
	}
	return regexp.MustCompile(`(?m)^password_env = .*$`).ReplaceAllString(text, `password_file = "password"`)
}

// cronCommand returns the command in the crontab's only line.
func cronCommand(t *testing.T) string {
	t.Helper()
	for line := range strings.Lines(string(read(t, "serve", "crontab"))) {
		if words := strings.SplitN(strings.TrimSpace(line), " ", 6); len(words) == 6 && !strings.HasPrefix(line, "#") {
			return words[5]
		}
	}
	t.Fatal("serve/crontab has no line")
	return ""
}

// plainText returns the first text/plain part of a mail.
func plainText(t *testing.T, raw []byte) string {
	t.Helper()
	head, body, ok := bytes.Cut(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\nContent-Type: text/plain"))
	if !ok {
		t.Fatalf("a mail without plain text:\n%s", head)
	}
	fields, text, _ := strings.Cut("Content-Type: text/plain"+string(body), "\n\n")
	text, _, _ = strings.Cut(text, "\n--")
	if !strings.Contains(fields, "quoted-printable") {
		return text
	}
	out, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The script restarts the daemon when it exits or crashes, and gives up if a restart would not help.
func TestKeepRunning(t *testing.T) {
	dir := t.TempDir()
	// A daemon that fails twice, is then told to stop, and records its arguments.
	write(t, filepath.Join(dir, "starpost"), "#!/bin/sh\necho \"$@\" >>calls\nn=$(wc -l <calls)\n[ \"$n\" -lt 3 ] && exit \"$n\"\nexit \"$LAST\"\n")
	if err := os.Chmod(filepath.Join(dir, "starpost"), 0o700); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("serve", "keep-running.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for last, want := range map[string]int{"0": 0, "3": 3} {
		if err := os.RemoveAll(filepath.Join(dir, "calls")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), script, "my.toml")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "STARPOST_PAUSE=0", "LAST="+last)
		out, _ := cmd.CombinedOutput() // the exit code tells
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("after the daemon's code %s the script ends with %d, not %d\n%s", last, code, want, out)
		}
		if calls := string(read(t, dir, "calls")); calls != strings.Repeat("serve --config my.toml\n", 3) {
			t.Errorf("the daemon was called\n%s", calls)
		}
	}
}
