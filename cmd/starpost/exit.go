package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"starpost/orders"
)

// Exit codes.
const (
	exitDone     = 0
	exitFailure  = 1
	exitUsage    = 2
	exitMistakes = 3 // a player's or a scenario's mistakes
)

// usageError is a wrong use of the command line.
type usageError struct {
	msg, hint string
}

func (e *usageError) Error() string { return e.msg }
func (e *usageError) Hint() string  { return e.hint }

func usage(hint, format string, args ...any) error {
	return &usageError{msg: fmt.Sprintf(format, args...), hint: hint}
}

// mistakesError is a player's or a scenario's mistakes: the diagnostics of
// files, printed one a line, and perhaps a last word.
type mistakesError struct {
	lines []string
	msg   string
	hint  string
}

func (e *mistakesError) Error() string { return e.msg }
func (e *mistakesError) Hint() string  { return e.hint }

// mistakes gathers the diagnostics of a file.
func mistakes(file string, ds []orders.Diagnostic) []string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = fmt.Sprintf("%s:%s", file, d)
		if d.Hint != "" {
			lines[i] += " (" + d.Hint + ")"
		}
	}
	return lines
}

// report prints an error as the program does, and gives the exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	code := exitFailure
	if m, ok := errors.AsType[*mistakesError](err); ok {
		code = exitMistakes
		for _, l := range m.lines {
			fmt.Fprintln(w, l)
		}
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		code = exitUsage
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(w, "starpost: %s\n", msg)
	}
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok && h.Hint() != "" {
		for line := range strings.Lines(h.Hint()) {
			fmt.Fprintf(w, "hint: %s\n", strings.TrimRight(line, "\n"))
		}
	}
	return code
}

// exactly wants just these arguments, and says what they are.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		if len(args) < len(names) {
			return usage("usage: "+cmd.UseLine(), "%s wants %s", cmd.CommandPath(), strings.Join(names[len(args):], " and "))
		}
		return usage("usage: "+cmd.UseLine(), "%s does not want %q", cmd.CommandPath(), args[len(names)])
	}
}
