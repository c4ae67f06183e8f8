package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/loopback"
)

// built builds the program as users get it.
func built(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "starpost")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in the Makefile
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}

// cpu runs the program and returns the processor time of the process.
func cpu(b *testing.B, bin string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(bin, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("starpost %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// BenchmarkTurnProcess resolves turns of the fleet action with twenty captains, each with an address, as whole
// processes: start-up, resolution, texts, views and mail headers, written and synced. To get the cost of a captain,
// subtract a process that starts and opens the game (starpost status).
func BenchmarkTurnProcess(b *testing.B) {
	bin := built(b)
	dir := filepath.Join(b.TempDir(), "fleet")
	args := []string{"new", dir, "--scenario", "fleet-action", "--seed", "1", "--robot", "starpost@fleet.example"}
	ships := fleetShips(b)
	for _, s := range ships {
		args = append(args, "--captain", fmt.Sprintf("%s=%s@fleet.example", s, strings.ToLower(s)))
	}
	cpu(b, bin, args...)
	var turns, starts time.Duration
	n := 0
	b.ResetTimer()
	for b.Loop() {
		starts += cpu(b, bin, "status", dir)
		turns += cpu(b, bin, "turn", dir, "--missing", "standing")
		if n++; n%5 == 0 { // before the battle is over, begin another
			b.StopTimer()
			if err := os.RemoveAll(dir); err != nil {
				b.Fatal(err)
			}
			cpu(b, bin, args...)
			b.StartTimer()
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(n) }
	b.ReportMetric(ms(turns), "cpu-ms/turn")
	b.ReportMetric(ms(starts), "cpu-ms/start")
	b.ReportMetric(ms(turns-starts)/float64(len(ships)), "cpu-ms/captain")
	b.ReportMetric(0, "ns/op")
}

// fleetShips names the ships of the fleet action.
func fleetShips(b *testing.B) []string {
	b.Helper()
	files, err := builtinScenarios()
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	ship := false
	sc := bufio.NewScanner(strings.NewReader(string(files["fleet-action"])))
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		if strings.HasPrefix(line, "[") {
			ship = line == "[[ship]]"
		}
		if name, ok := strings.CutPrefix(line, "name = "); ok && ship {
			names = append(names, strings.Trim(name, `"`))
		}
	}
	return names
}

// BenchmarkVersionProcess measures start-up alone: tables, expressions and templates are made only when needed.
func BenchmarkVersionProcess(b *testing.B) {
	bin := built(b)
	least := time.Hour // noise only adds
	for b.Loop() {
		least = min(least, cpu(b, bin, "--version"))
	}
	b.ReportMetric(float64(least.Microseconds())/1000, "cpu-ms/least")
}

// BenchmarkDemoProcess plays the demonstration as a whole process.
func BenchmarkDemoProcess(b *testing.B) {
	bin := built(b)
	var total time.Duration
	n := 0
	for b.Loop() {
		total += cpu(b, bin, "demo", "--seed", strconv.Itoa(n), "--keep", filepath.Join(b.TempDir(), strconv.Itoa(n)))
		n++
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(n), "cpu-ms/battle")
}

// BenchmarkAllocateProcess allocates a volley of 1,000 points as a process. To get its cost, subtract a process that
// prints its version.
func BenchmarkAllocateProcess(b *testing.B) {
	bin := built(b)
	sheet := filepath.Join(b.TempDir(), "big.toml")
	text := "name = \"big\"\nshields = \"0 0 0 0 0 0\"\nturn_mode = \"1 to 16\"\n[banks]\n"
	for i := range 20 {
		text += fmt.Sprintf("b%d = \"60 %s\"\n", i, []string{"hull", "warp", "lab", "esg"}[i%4])
	}
	if err := os.WriteFile(sheet, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	var volleys, starts time.Duration
	n := 0
	for b.Loop() {
		starts += cpu(b, bin, "--version")
		volleys += cpu(b, bin, "allocate", sheet, "1:1000", "--seed", "1")
		n++
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(n) }
	b.ReportMetric(ms(starts), "cpu-ms/start")
	b.ReportMetric(ms(volleys-starts), "cpu-ms/volley")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkIdleDaemon starts the daemon on a game and reports its memory once it is idle.
func BenchmarkIdleDaemon(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("memory is read from /proc")
	}
	bin := built(b)
	for b.Loop() {
		b.ReportMetric(float64(idle(b, bin))/1024, "MB-resident")
	}
	b.ReportMetric(0, "ns/op")
}

// idle returns the resident memory of a waiting daemon, in KB.
func idle(b *testing.B, bin string) int {
	b.Helper()
	sent := make(chan struct{}, 10)
	server, err := loopback.Start([]loopback.User{
		{Address: "starpost@fleet.example", Password: "secret"},
		{Address: "hood@fleet.example", Password: "secret"},
		{Address: "riskadh@fleet.example", Password: "secret"},
	}, loopback.Options{OnDelivery: func(string, string, []byte) { sent <- struct{}{} }})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			b.Error(err)
		}
	}()
	dir := b.TempDir()
	cpu(b, bin, "new", filepath.Join(dir, "wolf"), "--scenario", "big-bad-wolf", "--robot", "starpost@fleet.example", "--captain", "Hood=hood@fleet.example", "--captain", "Riskadh=riskadh@fleet.example")
	file := filepath.Join(dir, "starpost.toml")
	imap, smtp := strings.Split(server.IMAPAddr(), ":"), strings.Split(server.SMTPAddr(), ":")
	text := fmt.Sprintf("address = \"starpost@fleet.example\"\nstate = %q\ngames = [%q]\n[imap]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"none\"\nuser = \"starpost@fleet.example\"\npassword_env = \"STARPOST_BENCH\"\n[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"none\"\n",
		filepath.Join(dir, "state"), filepath.Join(dir, "wolf"), imap[1], smtp[1])
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	cmd := exec.CommandContext(ctx, bin, "serve", "--config", file)
	cmd.Env = append(os.Environ(), "STARPOST_BENCH=secret")
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }() // it was killed, which is an error
	for range 2 {
		<-sent
	}
	kb, err := kilobytes(cmd.Process.Pid, "VmRSS:")
	if err != nil {
		b.Fatal(err)
	}
	return kb
}

// kilobytes returns a figure from /proc about the memory of a process.
func kilobytes(pid int, what string) (int, error) {
	file := fmt.Sprintf("/proc/%d/status", pid)
	status, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == what {
			return strconv.Atoi(f[1])
		}
	}
	return 0, fmt.Errorf("no %s in %s", what, file)
}
