package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
)

// With the daemon's configuration, status lists captains whose mails bounce.
func TestStatusTellsOfBounces(t *testing.T) {
	dir := t.TempDir()
	program := func(args ...string) string {
		t.Helper()
		var out, complaint bytes.Buffer
		if code := run(t.Context(), args, std{out: &out, err: &complaint, now: time.Now}); code != 0 {
			t.Fatalf("starpost %q: %d\n%s", args, code, complaint.String())
		}
		return out.String()
	}
	game, file := filepath.Join(dir, "wolf"), filepath.Join(dir, "starpost.toml")
	program("new", game, "--scenario", "big-bad-wolf", "--robot", "battles@example.org", "--captain", "Hood=ann@example.org", "--captain", "Riskadh=bob@example.org")
	if err := os.WriteFile(file, []byte(`address = "battles@example.org"
state = "state"
games = ["wolf"]
[imap]
host = "mail.example.org"
user = "x"
password_env = "NOT_SET"
[smtp]
host = "mail.example.org"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := program("status", game, "--config", file); strings.Contains(got, "come back") {
		t.Errorf("without a store:\n%s", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := sqlite.Open(filepath.Join(dir, "state", "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		for _, to := range []string{"Bob@example.org", "stranger@example.org"} {
			if _, err := l.RecordBounce(t.Context(), store.Bounce{
				Cause: fmt.Sprint(n), MessageID: fmt.Sprint(n), Address: to, At: time.Now(), Permanent: n > 0, Status: "5.1.1", Diagnostic: "no such user",
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := program("status", game, "--config", file); !strings.Contains(got, "mails to Riskadh (bob@example.org) come back: 2 ") || strings.Contains(got, "stranger") ||
		!strings.Contains(got, "(5.1.1 no such user)") || strings.Contains(got, "fails") {
		t.Errorf("%s", got)
	}
	if got := program("status", game, "--config", file, "--json"); !strings.Contains(got, `"letters": 2`) {
		t.Errorf("%s", got)
	}
}

// Doctor repairs without contacting any server, and says what it did.
func TestDoctorRepairs(t *testing.T) {
	dir := t.TempDir()
	program := func(want int, args ...string) string {
		t.Helper()
		var out, complaint bytes.Buffer
		if code := run(t.Context(), args, std{out: &out, err: &complaint, now: time.Now}); code != want {
			t.Fatalf("starpost %q: %d\n%s%s", args, code, out.String(), complaint.String())
		}
		return out.String() + complaint.String()
	}
	file := filepath.Join(dir, "starpost.toml")
	program(0, "new", filepath.Join(dir, "wolf"), "--scenario", "big-bad-wolf", "--robot", "battles@example.org", "--captain", "Hood=ann@example.org")
	if err := os.WriteFile(file, []byte("address = \"battles@example.org\"\nstate = \"state\"\ngames = [\"wolf\"]\n"+
		"[imap]\nhost = \"localhost\"\nport = 1\nuser = \"x\"\npassword_env = \"NOT_SET\"\n[smtp]\nhost = \"localhost\"\nport = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NOT_SET", "set")
	if got := program(0, "doctor", "--repair", "--config", file); !strings.Contains(got, "ok   store: new") || !strings.Contains(got, "wolf, turn 0 played; waiting mails: 1") {
		t.Errorf("%s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "state", "ledger.db"), []byte("this is no database, but a text that is long enough to be one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := program(0, "doctor", "--repair", "--config", file); !strings.Contains(got, "restored from its copy, the damaged file is now ") {
		t.Errorf("%s", got)
	}
	if got := program(0, "doctor", "--repair", "--config", file); !strings.Contains(got, "ok   store: whole") {
		t.Errorf("%s", got)
	}
	release, err := disk.Lock(filepath.Join(dir, "state"))
	if err != nil {
		t.Fatal(err)
	}
	if got := program(1, "doctor", "--repair", "--config", file); !strings.Contains(got, "another daemon") || !strings.Contains(got, fmt.Sprint("pid ", os.Getpid())) {
		t.Errorf("%s", got)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}
