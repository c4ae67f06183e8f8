package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/fault"
)

// Exit codes.
const (
	exitDone     = 0
	exitFailure  = 1
	exitUsage    = 2
	exitMistakes = 3 // a player's or a scenario's mistakes
)

// Exit codes that tell a mail server what to do with a mail (sysexits.h).
const (
	exitBadMail   = 65 // returned to its sender
	exitNoMailbox = 67 // likewise
	exitTryAgain  = 75 // kept, and tried again
)

// usageError is an error in the command line.
type usageError struct{ fault.Fault }

func usage(hint, format string, args ...any) error {
	return &usageError{*fault.New(hint, format, args...)}
}

// deliveryError is an error with one of the exit codes for mail servers.
type deliveryError struct {
	err  error
	code int
}

func (e *deliveryError) Error() string { return e.err.Error() }
func (e *deliveryError) Unwrap() error { return e.err }

// mistakesError is a player's or a scenario's mistakes: the diagnostics of files, printed one a line, and an optional
// last line.
type mistakesError struct {
	fault.Fault
	lines []string
}

// mistakes makes a mistakesError from diagnostics, the last line and its hint.
func mistakes(lines []string, hint, format string, args ...any) error {
	return &mistakesError{*fault.New(hint, format, args...), lines}
}

// report prints an error and returns the exit code.
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
	if d, ok := errors.AsType[*deliveryError](err); ok {
		code = d.code
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(w, "starpost: %s\n", msg)
	}
	for line := range strings.Lines(wayOut(err)) {
		fmt.Fprintf(w, "hint: %s\n", strings.TrimRight(line, "\n"))
	}
	return code
}

// wayOut returns what a person can do about an error, "" if unknown.
func wayOut(err error) string {
	if known := fault.Hint(err); known != "" {
		return known
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free some space and try again"
	case errors.Is(err, fs.ErrPermission):
		return "run as a user with permission to do that, or change the permissions"
	case errors.Is(err, fs.ErrNotExist):
		return "check the spelling of the path"
	}
	return ""
}

// wrapRuns makes every command suggest similar names for its subcommands, and set began when it starts: an error
// before that is one of the command line.
func wrapRuns(cmd *cobra.Command, began *bool) {
	cmd.SuggestionsMinimumDistance = 2
	if work := cmd.RunE; work != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*began = true
			return work(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		wrapRuns(sub, began)
	}
}

// asUsage turns an error of the command library into a usage error.
func asUsage(cmd *cobra.Command, err error) error {
	if _, ok := errors.AsType[*usageError](err); ok {
		return err
	}
	return usage("see: "+cmd.CommandPath()+" --help", "%s", err)
}

// flagNames parses the names of flags out of the help text. Visiting the flags would need a type from a library that
// this program does not import.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	for line := range strings.Lines(cmd.Flags().FlagUsages()) {
		if _, flag, ok := strings.Cut(line, "--"); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(flag), " ")
			names = append(names, name)
		}
	}
	return names
}

// flagError adds the nearest flag to an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	hint := "see: " + cmd.CommandPath() + " --help"
	unknown, ok := errors.AsType[interface {
		error
		GetSpecifiedName() string
		GetSpecifiedShortnames() string
	}](err)
	if ok && unknown.GetSpecifiedShortnames() == "" {
		hint = orders.DidYouMean("--%s", unknown.GetSpecifiedName(), flagNames(cmd), hint)
	}
	return usage(hint, "%s", err)
}

// called returns a command's name for messages, without the name of the program.
func called(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// exactly accepts exactly these arguments; names are for messages.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) && cmd.HasSubCommands() {
			return unknownCommand(cmd, args[0])
		}
		if len(args) == len(names) {
			return nil
		}
		if len(args) < len(names) {
			return usage("usage: "+cmd.UseLine(), "%s needs %s", called(cmd), strings.Join(names[len(args):], " and "))
		}
		return usage("usage: "+cmd.UseLine(), "%s does not take %q", called(cmd), args[len(names)])
	}
}

// atMost accepts at most one argument.
func atMost(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage("usage: "+cmd.UseLine(), "%s takes at most one %s; %q is one too many", called(cmd), name, args[1])
		}
		return nil
	}
}

// unknownCommand names the nearest command.
func unknownCommand(parent *cobra.Command, name string) error {
	hint := "see: " + parent.CommandPath() + " --help"
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(hint, "%s has no command %q", called(parent), name)
}

// verbError converts an error of the command table, so that the program exits with the right code.
func verbError(err error) error {
	if bad, ok := errors.AsType[*console.Error](err); ok {
		return usage(bad.Way, "%s", bad.Problem)
	}
	if bad, ok := errors.AsType[*console.MistakesError](err); ok {
		return mistakes(bad.Lines, bad.Way, "%s", bad.Problem)
	}
	return err
}
