package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/loopback"
)

// BenchmarkServeGames runs the daemon as a process on copies of one game. It measures the start, the memory after it,
// the cost of a poll while nothing happens, and the time for fifty turns that are due at once. STARPOST_BENCH_GAMES
// lists the numbers of games; without it the benchmark is skipped.
func BenchmarkServeGames(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("figures of processes are read from /proc")
	}
	sizes := strings.Fields(os.Getenv("STARPOST_BENCH_GAMES"))
	if len(sizes) == 0 {
		b.Skip("set STARPOST_BENCH_GAMES, such as to \"1000 5000 100000\"")
	}
	bin := built(b)
	for _, size := range sizes {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size, func(b *testing.B) {
			games := copiedGames(b, bin, n)
			for b.Loop() {
				o := newHosting(b, bin, games)
				serveIdle(b, o)
				serveDue(b, o)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	benchPoll = 5 * time.Second // the minimum
	dueGames  = 50
)

// copiedGames makes a folder of n games that wait for orders.
func copiedGames(b *testing.B, bin string, n int) string {
	b.Helper()
	from, games := filepath.Join(b.TempDir(), "copied"), filepath.Join(b.TempDir(), "games")
	cpu(b, bin, "new", from, "--scenario", "big-bad-wolf", "--seed", "1", "--robot", "starpost@fleet.example")
	// Captains without an address get no mail: the daemon only has to wait.
	const links = 50_000 // of one file; ext4 allows 65,000
	for i := range n {
		if i > 0 && i%links == 0 {
			next := filepath.Join(b.TempDir(), filepath.Base(from))
			if err := os.CopyFS(next, os.DirFS(from)); err != nil {
				b.Fatal(err)
			}
			from = next
		}
		id := fmt.Sprintf("w%06d", i)
		if err := copyGame(from, filepath.Join(games, id), id); err != nil {
			b.Fatal(err)
		}
	}
	return games
}

// copyGame copies a game with hard links, except for the files that contain its name.
func copyGame(from, to, id string) error {
	old := filepath.Base(from)
	hash := func(data []byte) []byte { s := sha256.Sum256(data); return []byte(hex.EncodeToString(s[:])) }
	var was, is []byte // the manifest's hash of state.json
	rename := func(name string, text []byte) []byte {
		text = bytes.ReplaceAll(text, []byte(`"game": "`+old+`"`), []byte(`"game": "`+id+`"`))
		switch name {
		case "game.toml":
			text = bytes.Replace(text, []byte(`id = "`+old+`"`), []byte(`id = "`+id+`"`), 1)
			text = bytes.Replace(text, []byte(`change_window = "30m"`), []byte(`change_window = "0s"`), 1)
			for _, who := range []string{"Hood", "Riskadh"} {
				seat := "name = \"" + who + "\"\naddress = \""
				text = bytes.Replace(text, []byte(seat), []byte(seat+strings.ToLower(who)+"."+id+"@fleet.example"), 1)
			}
		case "manifest.json":
			text = bytes.Replace(text, was, is, 1)
		}
		return text
	}
	state, err := os.ReadFile(filepath.Join(from, "turns", "0000", "state.json"))
	if err != nil {
		return err
	}
	was, is = hash(state), hash(rename("state.json", state))
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		there := filepath.Join(to, rel)
		switch e.Name() {
		case "game.toml", "state.json", "manifest.json":
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(there, rename(e.Name(), text), 0o600))
		}
		if e.IsDir() {
			return os.MkdirAll(there, 0o700)
		}
		return os.Link(path, there)
	})
}

// hosting is a folder of games with a mail server and a configuration. They stay the same for each start, because a
// daemon remembers what it has seen of games under a configuration.
type hosting struct{ bin, games, state, config string }

func newHosting(b *testing.B, bin, games string) *hosting {
	b.Helper()
	users := []loopback.User{{Address: "starpost@fleet.example", Password: "secret"}}
	for i := range 2 * dueGames {
		for _, who := range []string{"hood", "riskadh"} {
			users = append(users, loopback.User{Address: fmt.Sprintf("%s.w%06d@fleet.example", who, i), Password: "secret"})
		}
	}
	server, err := loopback.Start(users, loopback.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Close(); err != nil {
			b.Error(err)
		}
	})
	h := &hosting{bin: bin, games: games, state: filepath.Join(filepath.Dir(games), "state"), config: filepath.Join(b.TempDir(), "starpost.toml")}
	imap, smtp := strings.Split(server.IMAPAddr(), ":"), strings.Split(server.SMTPAddr(), ":")
	text := fmt.Sprintf("address = \"starpost@fleet.example\"\nstate = %q\ngames = [%q]\npoll = %q\n[imap]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"none\"\nuser = \"starpost@fleet.example\"\npassword_env = \"STARPOST_BENCH\"\n[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"none\"\n[log]\nlevel = \"error\"\n",
		h.state, filepath.Join(games, "*"), benchPoll, imap[1], smtp[1])
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return h
}

// serving is a daemon running on a folder of games.
type serving struct {
	cmd  *exec.Cmd
	took time.Duration // until it had looked at every game
}

// start starts the daemon with an environment variable, and waits until it is idle.
func (o *hosting) start(b *testing.B, env string) *serving {
	b.Helper()
	s := &serving{cmd: exec.Command(o.bin, "serve", "--config", o.config, "--take-over")}
	s.cmd.Env = append(os.Environ(), "STARPOST_BENCH=secret", env)
	s.cmd.Stderr = os.Stderr
	begun := time.Now()
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.stop)
	for {
		var h watch.Heartbeat
		if data, err := os.ReadFile(filepath.Join(o.state, watch.HeartbeatFile)); err == nil && json.Unmarshal(data, &h) == nil && h.PID == s.cmd.Process.Pid && !h.Next.IsZero() {
			s.took = time.Since(begun)
			return s
		}
		if time.Since(begun) > 10*time.Minute {
			b.Fatal("the daemon does not come to rest")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (s *serving) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt) // it may have ended
	_ = s.cmd.Wait()
}

// cpu returns the processor time the daemon has used.
func (s *serving) cpu(b *testing.B) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(rest)
	user, uerr := strconv.Atoi(f[11])
	system, serr := strconv.Atoi(f[12])
	if err := cmp.Or(uerr, serr); err != nil {
		b.Fatal(err)
	}
	const tick = 10 * time.Millisecond
	return time.Duration(user+system) * tick
}

// memory returns a figure from /proc about the daemon's memory, in MB.
func (s *serving) memory(b *testing.B, what string) float64 {
	b.Helper()
	kb, err := kilobytes(s.cmd.Process.Pid, what)
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}

// serveIdle measures a daemon that waits for a few polls.
func serveIdle(b *testing.B, o *hosting) {
	b.Helper()
	o.start(b, "").stop() // after this run the games are known
	s := o.start(b, "")
	b.ReportMetric(s.took.Seconds(), "s/start")
	b.ReportMetric(s.cpu(b).Seconds(), "cpu-s/start")
	time.Sleep(7 * benchPoll / 2) // files that have just changed are read twice, and watched
	const polls = 6
	before := s.cpu(b)
	time.Sleep(polls * benchPoll)
	b.ReportMetric(float64((s.cpu(b)-before).Milliseconds())/polls, "cpu-ms/poll")
	b.ReportMetric(s.memory(b, "VmRSS:"), "MB-idle")
	b.ReportMetric(s.memory(b, "VmHWM:"), "MB-most")
	s.stop()
}

// serveDue puts the orders of two turns into fifty games each, first for one processor, then for all, and reports how
// long the turns take.
func serveDue(b *testing.B, o *hosting) {
	b.Helper()
	one := resolveDue(b, o, "GOMAXPROCS=1", 0)
	all := resolveDue(b, o, "", dueGames)
	b.ReportMetric(one.Seconds()*1000, "ms/50-turns-on-one")
	b.ReportMetric(all.Seconds()*1000, "ms/50-turns-on-all")
	b.ReportMetric(one.Seconds()/all.Seconds(), "times-faster")
}

// resolveDue puts the orders of a turn into fifty games and returns the time from the first resolved turn to the
// last.
func resolveDue(b *testing.B, o *hosting, env string, first int) time.Duration {
	b.Helper()
	for i := first; i < first+dueGames; i++ {
		id := fmt.Sprintf("w%06d", i)
		for _, ship := range []string{"Hood", "Riskadh"} {
			text, err := os.ReadFile(filepath.Join("..", "..", "examples", "wolf", "turn-1", ship+".txt"))
			if err != nil {
				b.Fatal(err)
			}
			text = bytes.ReplaceAll(text, []byte("#orders wolf"), []byte("#orders "+id))
			if err := os.WriteFile(filepath.Join(o.games, id, "orders", ship+".txt"), text, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	s := o.start(b, env)
	defer s.stop()
	begin, end := time.Now(), time.Time{}
	for i := first; i < first+dueGames; i++ {
		info, err := os.Stat(filepath.Join(o.games, fmt.Sprintf("w%06d", i), "turns", "0001"))
		if err != nil {
			b.Fatal(err)
		}
		if at := info.ModTime(); at.Before(begin) {
			begin = at
		}
		if at := info.ModTime(); at.After(end) {
			end = at
		}
	}
	return end.Sub(begin)
}
