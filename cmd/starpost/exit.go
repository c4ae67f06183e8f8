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

// Exit codes by which a mail server knows what to do with a mail (sysexits.h).
const (
	exitBadMail   = 65 // it goes back to its sender
	exitNoMailbox = 67 // likewise
	exitTryAgain  = 75 // it is kept, and tried again
)

// usageError is a wrong use of the command line.
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

// mistakesError is a player's or a scenario's mistakes: the diagnostics of
// files, printed one a line, and perhaps a last word.
type mistakesError struct {
	fault.Fault
	lines []string
}

// mistakes makes such an error of the last word and its way out.
func mistakes(lines []string, hint, format string, args ...any) error {
	return &mistakesError{*fault.New(hint, format, args...), lines}
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

// wayOut is what a person can do about an error, "" if nothing is known.
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

// wrapRuns has every command suggest near names for its own, and note that it
// began: an error before that is one of the command line.
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

// asUsage makes an error of the command line of what the library found.
func asUsage(cmd *cobra.Command, err error) error {
	if _, ok := errors.AsType[*usageError](err); ok {
		return err
	}
	return usage("see: "+cmd.CommandPath()+" --help", "%s", err)
}

// flagNames reads the names out of the help text: the type that a visit of the
// flags hands over belongs to a library which is not ours to import.
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

// called is a command's name in messages, where the program's own stands already.
func called(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// exactly wants just these arguments, and says what they are.
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

// atMost wants one argument or none.
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

// verbError gives an error of the table the exit code that it has on the command line.
func verbError(err error) error {
	if bad, ok := errors.AsType[*console.Error](err); ok {
		return usage(bad.Way, "%s", bad.Problem)
	}
	if bad, ok := errors.AsType[*console.MistakesError](err); ok {
		return mistakes(bad.Lines, bad.Way, "%s", bad.Problem)
	}
	return err
}
