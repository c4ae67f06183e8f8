package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/testkit/processortest"

	"starpost/pbem/config"
)

// inProcess runs a command and reports whether it succeeded.
func inProcess(b *testing.B, args ...string) bool {
	b.Helper()
	return run(b.Context(), args, std{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now}) == 0
}

// BenchmarkReplayOfAFleet writes the page of a battle of twenty ships fought to the end by robots. The game's name
// affects the dice: with this one the battle is long.
func BenchmarkReplayOfAFleet(b *testing.B) {
	bin, dir := built(b), filepath.Join(b.TempDir(), "z")
	cpu(b, bin, "new", dir, "--scenario", "fleet-action", "--seed", "5")
	turns := 0
	for inProcess(b, "turn", dir, "--missing", "robot") { // until it is over
		turns++
	}
	page := filepath.Join(b.TempDir(), "fleet.html")
	var took time.Duration
	n := 0
	for b.Loop() {
		took += cpu(b, bin, "replay", dir, "--out", page)
		n++
	}
	info, err := os.Stat(page)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(took.Milliseconds())/float64(n), "cpu-ms/page")
	b.ReportMetric(float64(info.Size())/1000, "kB")
	b.ReportMetric(float64(turns), "turns")
}

// BenchmarkSiteOfManyGames writes the pages of STARPOST_BENCH_SITE games, and then those of one that changed.
func BenchmarkSiteOfManyGames(b *testing.B) {
	games, err := strconv.Atoi(os.Getenv("STARPOST_BENCH_SITE"))
	if err != nil {
		b.Skip("set STARPOST_BENCH_SITE to a number of games, such as 1000")
	}
	root := b.TempDir()
	do := func(args ...string) {
		if !inProcess(b, args...) {
			b.Fatalf("starpost %s failed", strings.Join(args, " "))
		}
	}
	dir := func(i int) string { return filepath.Join(root, "games", fmt.Sprintf("g%04d", i)) }
	for i := range games {
		do("new", dir(i), "--scenario", "big-bad-wolf", "--seed", strconv.Itoa(i))
		do("turn", dir(i), "--missing", "robot")
		do("turn", dir(i), "--missing", "robot")
	}
	file := filepath.Join(root, "starpost.toml")
	if err := os.WriteFile(file, []byte(siteConfig), 0o600); err != nil {
		b.Fatal(err)
	}
	c, err := config.LoadWithoutSecrets(file)
	if err != nil {
		b.Fatal(err)
	}
	later := time.Now()
	write := func(drawn int) time.Duration { // of all processors, so that a busy machine measures the same
		began := processortest.Time(b)
		later = later.Add(time.Hour)
		sum, err := writeSite(b.Context(), c, c.Site.Dir, later)
		if err = errors.Join(append(sum.Problems, err)...); err != nil || sum.Games != games || sum.Drawn != drawn {
			b.Fatalf("%+v: %v", sum, err)
		}
		return processortest.Time(b) - began
	}
	var all, none, one time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		if err := errors.Join(os.RemoveAll(c.Site.Dir), os.RemoveAll(c.State), os.MkdirAll(c.State, 0o700)); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		all += write(games)
		none += write(0)
		do("turn", dir(n%games), "--missing", "robot")
		one += write(1)
		n++
	}
	ms := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(n) }
	b.ReportMetric(ms(all), "cpu-ms/all")
	b.ReportMetric(ms(none), "cpu-ms/none")
	b.ReportMetric(ms(one), "cpu-ms/one")
	b.ReportMetric(0, "ns/op")
}
