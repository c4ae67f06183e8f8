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
	"runtime/debug"
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
// has tripled, and more often near half a gigabyte, as with a hundred thousand games. GOGC and GOMEMLIMIT in the
// environment take precedence.
func brief(args []string) {
	switch {
	case os.Getenv("GOGC") != "":
	case slices.Contains(args, "serve"):
		debug.SetGCPercent(200)
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(1 << 29)
		}
	default:
		debug.SetGCPercent(800)
	}
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
