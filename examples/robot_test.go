package examples_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/loopback"
)

// The example robot plays a whole battle by mail against the host's robot: real servers deliver each report, the robot
// has its orders checked with the view alone, and all of them are accepted.
func TestRobotPlaysByMail(t *testing.T) {
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("python3 is not there, so robot.py is not run: %v", err)
	}
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(read(t, "robot.py"), []byte("\n")); lines > 80 {
		t.Errorf("the example has %d lines, want at most 80", lines)
	}
	servers, got := mailServers(t, loopback.Options{RequireLogin: true}, loopback.User{Address: "ann@example.org", Password: "sesame"})
	subjects := func() (all []string) { // of the robot's mails
		for _, raw := range got("ann@example.org") {
			_, rest, _ := strings.Cut(string(raw), "\r\nSubject: ")
			subject, _, _ := strings.Cut(rest, "\r\n")
			all = append(all, subject)
		}
		return all
	}
	work := t.TempDir()
	write(t, filepath.Join(work, "starpost.toml"), onThisMachine(t, servers))
	write(t, filepath.Join(work, "password"), "sesame\n")
	do := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "PASSWORD=sesame", "PATH="+binDir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	starpost := filepath.Join(binDir, "starpost")
	do(starpost, "new", "games/wolf", "--scenario", "big-bad-wolf", "--robot", "battles@example.org", "--captain", "Hood=ann@example.org", "--captain", "Riskadh=robot", "--seed", "1")
	script, err := filepath.Abs("robot.py")
	if err != nil {
		t.Fatal(err)
	}
	const most = 40 // turns
	for turn := 0; !strings.Contains(do(starpost, "status", "games/wolf"), "\nover since turn"); turn++ {
		if turn > most {
			t.Fatalf("the battle has no end: %s", strings.Join(subjects(), "\n"))
		}
		do(starpost, "serve", "--once", "--config", "starpost.toml")
		do(program, "-B", script, "ann@example.org", "battles@example.org", servers.IMAPAddr(), servers.SMTPAddr())
	}
	do(starpost, "verify", "games/wolf")
	reports, accepted := 0, 0
	for _, s := range subjects() {
		switch {
		case strings.Contains(s, "report for Hood"), strings.Contains(s, "begins: Hood, orders for turn 1"), strings.Contains(s, "The battle is over"):
			reports++
		case strings.HasSuffix(s, "accepted") && !strings.HasSuffix(s, "not accepted"):
			accepted++
		default:
			t.Errorf("a mail that is neither a report nor takes orders: %s", s)
		}
	}
	if reports < 3 || accepted != reports-1 { // the last report says that it is over
		t.Errorf("%d reports and %d answers that orders are accepted:\n%s", reports, accepted, strings.Join(subjects(), "\n"))
	}
	t.Logf("%d turns", reports-1)
}

// The program gives the answer to check that the document shows.
func TestCheckInTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), args...)
		cmd.Dir = work
		out, err := cmd.Output()
		return string(out), err
	}
	if _, err := run("new", "wolf", "--scenario", "big-bad-wolf", "--seed", "1"); err != nil {
		t.Fatal(err)
	}
	view, err := run("report", "wolf", "--as", "Hood", "--json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(work, "wolf-hood-0.json"), view)
	const orders = "#orders wolf turn 1 ship Hood\npower\n  move 99\n#end\n"
	write(t, filepath.Join(work, "draft.txt"), orders)
	out, err := run("check", "--json", "--view", "wolf-hood-0.json", "draft.txt")
	if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() != 3 {
		t.Fatalf("orders with a mistake: %v", err)
	}
	made(t, filepath.Join("..", "docs", "api.md"), "check", fenced("$ cat draft.txt\n"+orders+"$ starpost check --json --view wolf-hood-0.json draft.txt\n"+out))
}
