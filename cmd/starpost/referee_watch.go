package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"starpost/pbem/fault"
	records "starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// watchFlags say what to watch, and how.
type watchFlags struct {
	config       string
	once, asJSON bool
	every        time.Duration
}

func watchCommand(now func() time.Time) *cobra.Command {
	var f watchFlags
	cmd := &cobra.Command{
		Use:   "watch DIR [--config FILE]",
		Short: "Watch games: who is missing, deadlines, disputes, mails",
		Long: `Shows the state of games: the turn that is due and its deadline, whose orders are
missing, who is away, pauses, disputes, and with the daemon's configuration the last
mails. DIR is a game, or a directory of games; without it, as in "starpost referee
watch --config FILE", all games of the daemon are watched.

On a terminal the display stays, and is redrawn every minute and when something changes;
Ctrl-C ends it. Elsewhere, and with --once or --json, it is printed once.`,
		Example: `  starpost referee games watch --config starpost.toml
  starpost referee wolf watch --once`,
		Args:              atMost("directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, now) },
	}
	cmd.Flags().StringVar(&f.config, "config", "", "the daemon's configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&f.once, "once", false, "print once and exit")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON once and exit")
	cmd.Flags().DurationVar(&f.every, "every", 2*time.Second, "how often to check for changes: `TIME`")
	return cmd
}

func (f *watchFlags) run(cmd *cobra.Command, args []string, now func() time.Time) (err error) {
	w := &referee.Watcher{Catalogue: catalogue()}
	if f.config != "" {
		if w.Bag.Host, err = lookAtConfig(f.config); err != nil {
			return err
		}
	}
	switch {
	case len(args) == 1:
		if w.Games, err = gamesIn(args[0]); err != nil {
			return err
		}
	case f.config != "":
		var end func() error
		w.Games, end, err = hosted.Finder(cmd.Context(), w.Bag.Host)
		defer func() { err = errors.Join(err, end()) }()
		if err != nil {
			return err
		}
	default:
		return usage("give a game, a directory of games, or --config FILE", "%s needs something to watch", called(cmd))
	}
	if f.every < 100*time.Millisecond {
		return usage("such as 2s", "--every %s is too short", f.every)
	}
	out := cmd.OutOrStdout()
	width, height, live := terminal(out)
	if live && !f.once && !f.asJSON {
		return w.Live(cmd.Context(), out, now, f.every, func() (int, int) {
			if w, h, ok := terminal(out); ok {
				width, height = w, h
			}
			return width, height
		})
	}
	g, err := w.Look(cmd.Context(), now())
	switch {
	case err != nil:
		return err
	case f.asJSON:
		return printJSON(out, g)
	}
	return g.Print(out, 0, time.Local)
}

// gamesIn returns a function that lists the game at dir, or the games in dir, read on each call.
func gamesIn(dir string) (func(context.Context) ([]records.Tree, error), error) {
	_, err := vault.Open(directory.At(dir), catalogue())
	if !errors.Is(err, vault.ErrNotAGame) {
		return func(context.Context) ([]records.Tree, error) { return []records.Tree{directory.At(dir)}, nil }, nil
	}
	all, gerr := directory.Games(dir)
	switch {
	case gerr != nil:
		return nil, err
	case len(all) == 0:
		return nil, fault.New("give the directory of a game, or that in which the games are", "%s: this is neither a game nor a directory of games", dir)
	}
	return func(context.Context) (trees []records.Tree, err error) {
		all, err := directory.Games(dir)
		for _, one := range all {
			trees = append(trees, directory.At(one))
		}
		return trees, err
	}, nil
}

// terminal returns the size of the terminal that a command writes to, or false if it is none.
func terminal(w io.Writer) (width, height int, ok bool) {
	if o, wrapped := w.(*output); wrapped {
		w = o.Writer
	}
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(file.Fd()))
	if err != nil || width < 20 || height < 5 {
		width, height = 80, 24
	}
	return width, height, true
}
