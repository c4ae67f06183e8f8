// Command starpost runs tactical starship battles by electronic mail.
//
// It holds no logic of its own: each subcommand has a file, reads its flags and
// calls the packages below ("Architecture" in CONTRIBUTING.md).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"syscall"
	"time"
	_ "time/tzdata" // deadlines name time zones, and small servers may lack the database

	"starpost/cmd/rulesets"
)

func main() {
	brief(os.Args[1:])
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], std{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now})
	stop()
	os.Exit(code)
}

// brief tunes the garbage collector. Short commands collect late, as collection took a third of the time of `starpost
// turn`; with 800 there is none before 32 MB. The daemon runs long and should stay small: it collects when its heap
// has tripled, and more often near half a gigabyte, as with a hundred thousand games; where games alone take most of
// that, the limit makes room. GOGC and GOMEMLIMIT in the environment take precedence.
func brief(args []string) {
	switch {
	case os.Getenv("GOGC") != "":
	case slices.Contains(args, "serve"):
		debug.SetGCPercent(growth)
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(leastLimit)
			keepRoom(leastLimit)
		}
	default:
		debug.SetGCPercent(800)
	}
}

const (
	growth     = 200 // percent by which the daemon's heap may grow between collections
	leastLimit = 1 << 29
)

// keepRoom raises the memory limit after each collection that leaves more than half of it in use, and lowers it
// again, down to the least. Near a fixed limit the collector would never rest. Twice what is in use leaves room for two thirds of that,
// as the limit also counts memory that is not the heap's, or free but in pieces. While the limit comes before the
// growth, only the limit counts: the runtime then also omits its collection every two minutes, which would cost an
// idle daemon with many games most of its CPU.
func keepRoom(least int64) {
	runtime.AddCleanup(new([64]byte), func(struct{}) { // not reached from anywhere, so the next collection runs this
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		live := int64(sample[0].Value.Uint64()) //nolint:gosec // a heap is smaller than 2^63
		limit := max(least, 2*live)
		debug.SetMemoryLimit(limit)
		percent := growth
		if live+live*growth/100 > limit {
			percent = -1
		}
		debug.SetGCPercent(percent)
		keepRoom(least)
	}, struct{}{})
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, s std) int {
	out := &output{Writer: s.out}
	s.out = out
	if err := rulesets.Check(families()); err != nil {
		return report(s.err, err)
	}
	began := false
	root := newRoot(s)
	wrapRuns(root, &began)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err != nil && !began:
		err = asUsage(cmd, err)
	case err == nil && out.err != nil:
		err = fmt.Errorf("write the output: %w", out.err)
	}
	return report(s.err, err)
}
