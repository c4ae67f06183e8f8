// Command starpost runs tactical starship battles by electronic mail.
//
// It holds no logic of its own: each subcommand has a file, reads its flags and
// hands on to the rooms below (see docs/architecture in the CONTRIBUTING guide).
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // deadlines name time zones, and small servers may have no table of them
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], std{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// std are the program's streams.
type std struct {
	in       io.Reader
	out, err io.Writer
}

// run is the whole program: it returns the exit code.
func run(ctx context.Context, args []string, s std) int {
	root := newRoot(s)
	root.SetArgs(args)
	return report(s.err, root.ExecuteContext(ctx))
}
