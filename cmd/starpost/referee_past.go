package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// pastFlags are those of the commands that change what was resolved.
type pastFlags struct {
	refereeFlags
	force, before bool
	later         string
	keep, end     bool
}

func (f *pastFlags) defineRuling(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.force, "force", false, "go beyond what a ship's class allows; that is noted")
	cmd.Flags().BoolVar(&f.before, "before", false, "rulings on ships hold from the beginning of the turn, not from its end")
}

func (f *pastFlags) defineEnd(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.end, "end", false, "do it although it ends the game")
}

func (f *pastFlags) defineLater(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.later, "later", "", "what becomes of later turns: rerun or aside")
	completeFlag(cmd, "later", fixed("rerun", "aside"))
	cmd.Flags().BoolVar(&f.keep, "keep-orders", false, "of turns that are set aside, the first one's orders are in force again")
}

func (f *pastFlags) plan(n int, rulings []string) (referee.Plan, error) {
	p := referee.Plan{Turn: n, Rulings: rulings, Before: f.before, Force: f.force, End: f.end}
	switch f.later {
	case "":
	case "rerun":
		p.Later.Rerun = true
	case "aside":
		p.Later.Aside = true
	default:
		return p, usage("rerun or aside", "--later cannot be %q", f.later)
	}
	p.Later.Keep = f.keep
	return p, nil
}

func turnArgument(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, usage("such as 3", "%q is no turn", text)
	}
	return n, nil
}

// mistakesOf makes a player's mistakes of an amended set with errors.
func mistakesOf(err error, files map[string]string) error {
	bad, ok := errors.AsType[*referee.OrdersError](err)
	if !ok {
		return err
	}
	return &mistakesError{lines: console.Mistakes(files[bad.Name], bad.Diagnostics), msg: bad.Error(), hint: "correct the file"}
}

func rulingCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var dry bool
	cmd := &cobra.Command{
		Use:   "ruling DIR RULING... --why TEXT",
		Short: "Change what came of the last turn",
		Long: `Changes what came of the last turn that was resolved: how a ship stands, or the value
of a die. The turn becomes its next revision; captains for whom something changed are
sent a corrected report, the others hear nothing. A ruling is one of:

  ` + strings.Join(engine.RulingForms(), "\n  ") + `

"fields SHIP" lists what can be set on a ship, and its bounds. Dice and orders of an
earlier turn are for rerun. In a game that is played a phase at a time, phases that
were played since the turn are taken back, if --later aside says so. The reason is told
to those who may see the change: write nothing into it that they may not know.

With --dry-run it shows line by line what would be otherwise, and writes nothing. A
ruling that ends the game wants --end: the secret and all that was hidden go out then.`,
		Example: `  starpost referee wolf ruling set Hood superstructure 12 --why "the hit was counted twice"
  starpost referee wolf ruling set Hood superstructure 12 --dry-run
  starpost referee wolf ruling roll t3.p2.fire.hood.bank-a.hit 4 --why "as thrown at the table"
  starpost referee wolf ruling fields Hood`,
		Args:              wanted("a game directory", "a ruling"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[1] == "fields" {
				return f.fields(cmd, args[0], args[2:])
			}
			what := strings.Join(args[1:], " ")
			if _, _, err := engine.ReadRuling(what); err != nil {
				bad, _ := errors.AsType[*engine.RulingError](err)
				return usage(bad.Hint(), "%s", bad.Problem)
			}
			a, err := f.act(cmd, now(), !dry)
			if err != nil {
				return err
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if err := allowed(g, a.By, "ruling", g.Turn(), now()); err != nil {
				return err
			}
			p, err := f.plan(g.Turn(), []string{what})
			if err != nil {
				return err
			}
			if dry {
				run, err := referee.Retry(g, a, p)
				if err != nil {
					return err
				}
				return f.tell(cmd, g, run, "without --dry-run it counts")
			}
			done, err := referee.Rule(g, a, p, turn.Options{Compose: outgoing.Render})
			if err != nil {
				return err
			}
			return f.tell(cmd, g, done.Rerun, "")
		},
	}
	f.define(cmd, "the reason, which those are told who see the change: `TEXT`")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show what would be otherwise, and write nothing")
	f.defineEnd(cmd)
	f.defineRuling(cmd)
	f.defineLater(cmd)
	return cmd
}

// wanted wants at least these arguments.
func wanted(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usage("usage: "+cmd.UseLine(), "%s wants %s", called(cmd), strings.Join(names[len(args):], " and "))
		}
		return nil
	}
}

// fields lists what can be set on a ship.
func (f *pastFlags) fields(cmd *cobra.Command, dir string, args []string) error {
	if len(args) != 1 {
		return usage("such as: starpost referee wolf ruling fields Hood", "fields wants one ship")
	}
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	if f.asJSON {
		dials, err := console.Fields(io.Discard, g, args[0])
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), dials)
	}
	_, err = console.Fields(cmd.OutOrStdout(), g, args[0])
	return err
}

// tell tells what a rerun makes of the turns. If it does not count yet, how says what
// has it count; else it is "".
func (f *pastFlags) tell(cmd *cobra.Command, g *vault.Game, run *turn.Rerun, how string) error {
	c, err := console.Correct(g, run, how == "")
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), c)
	}
	if c.Warning != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+c.Warning)
	}
	c.Print(cmd.OutOrStdout(), how)
	return nil
}

func rerunCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var with, amend []string
	var commit bool
	cmd := &cobra.Command{
		Use:   "rerun DIR TURN [--with RULING]... [--amend SHIP=FILE]... [--commit --why TEXT]",
		Short: "Resolve a turn again, with changes",
		Long: `Resolves a turn again from its stored orders and with the same dice, with rulings or
amended orders if there are any, and shows line by line what is otherwise. Nothing is
written without --commit. Later turns are resolved again after it from their own orders
(--later rerun) or taken back (--later aside); with --keep-orders the orders of the
first of these are in force again.`,
		Example: `  starpost referee wolf rerun 3 --with "roll t3.p2.fire.hood.bank-a.hit 4"
  starpost referee wolf rerun 3 --amend Hood=hood.txt --later rerun --commit --why "his mail was lost"`,
		Args:              exactly("a game directory", "a turn"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := turnArgument(args[1])
			if err != nil {
				return err
			}
			a, err := f.act(cmd, now(), commit)
			if err != nil {
				return err
			}
			p, err := f.plan(n, with)
			if err != nil {
				return err
			}
			files, err := amendments(cmd, &p, amend)
			if err != nil {
				return err
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if err := allowed(g, a.By, "rerun", n, now()); err != nil {
				return err
			}
			if !commit {
				run, err := referee.Retry(g, a, p)
				if err != nil {
					return mistakesOf(err, files)
				}
				return f.tell(cmd, g, run, "--commit has it count")
			}
			done, err := referee.Rerun(g, a, p, turn.Options{Compose: outgoing.Render})
			if err != nil {
				return mistakesOf(err, files)
			}
			return f.tell(cmd, g, done.Rerun, "")
		},
	}
	f.define(cmd, "the reason, which those are told who see a change: `TEXT`")
	f.defineRuling(cmd)
	f.defineLater(cmd)
	cmd.Flags().StringArrayVar(&with, "with", nil, "a ruling, as the command ruling takes it: `RULING`")
	cmd.Flags().StringArrayVar(&amend, "amend", nil, "orders that replace a ship's: `SHIP=FILE`")
	cmd.Flags().BoolVar(&commit, "commit", false, "have it count")
	f.defineEnd(cmd)
	return cmd
}

// amendments reads the files of --amend.
func amendments(cmd *cobra.Command, p *referee.Plan, all []string) (files map[string]string, err error) {
	files = map[string]string{}
	for _, a := range all {
		name, file, ok := strings.Cut(a, "=")
		if !ok || name == "" || file == "" {
			return nil, usage("such as --amend Hood=hood.txt", "--amend wants SHIP=FILE, not %q", a)
		}
		text, err := readInput(cmd, "amended orders", file, vault.MaxOrders)
		if err != nil {
			return nil, err
		}
		files[name] = file
		p.Orders = append(p.Orders, referee.Amendment{Name: name, Text: text})
	}
	return files, nil
}

func rollbackCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	cmd := &cobra.Command{
		Use:   "rollback DIR TURN [--keep-orders] --why TEXT",
		Short: "Take all turns after one back",
		Long: `Takes all turns after TURN back: TURN is the last one from then on, and the one after
it is due again, with a whole turn's time. The turns that are taken back stay in the
game's directory, but count no more. With --keep-orders the orders that the first of
them was played with are in force; captains may change them.`,
		Example:           `  starpost referee wolf rollback 3 --why "the mail server had lost two mails"`,
		Args:              exactly("a game directory", "a turn"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := turnArgument(args[1])
			if err != nil {
				return err
			}
			a, err := f.act(cmd, now(), true)
			if err != nil {
				return err
			}
			return f.do(cmd, args[0], a.Now, func(g *vault.Game) (vault.Timing, error) { return referee.Rollback(g, a, n, f.keep) })
		},
	}
	f.define(cmd, "the reason, which the captains are told: `TEXT`")
	cmd.Flags().BoolVar(&f.keep, "keep-orders", false, "the orders of the first turn that is taken back are in force again")
	return cmd
}

func amendCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	cmd := &cobra.Command{
		Use:   "amend DIR SHIP FILE --why TEXT",
		Short: "Replace a ship's orders for the turn that is due",
		Long: `Replaces the orders of a ship, or with @NAME what a captain says for all his ships,
for the turn that is due. They must be in order, as a captain's own. What the captain
sends later replaces them in turn. FILE is - for standard input. Orders of a turn that
was resolved are for rerun.`,
		Example:           `  starpost referee wolf amend Hood hood.txt --why "sent by telephone"`,
		Args:              exactly("a game directory", "a ship", "a file"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := f.act(cmd, now(), true)
			if err != nil {
				return err
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if err := allowed(g, a.By, "", 0, now()); err != nil {
				return err
			}
			name := args[1]
			if !strings.HasPrefix(name, "@") {
				p, err := turn.Load(g)
				if err != nil {
					return err
				}
				s, err := p.FindShip(name)
				if err != nil {
					return err
				}
				name = s.Name
			}
			text, err := readInput(cmd, "amended orders", args[2], vault.MaxOrders)
			if err != nil {
				return err
			}
			set, err := referee.Amend(g, a, referee.Amendment{Name: name, Text: text})
			if err != nil {
				return mistakesOf(err, map[string]string{name: args[2]})
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), amendedSet{Game: g.ID(), Turn: set.Turn, Name: set.Name, Captain: set.Captain, Text: set.Text, Diagnostics: set.Diagnostics})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: the orders of %s for turn %d are those of %s now\n", g.ID(), set.Name, set.Turn, args[2])
			for _, line := range console.Mistakes(args[2], set.Diagnostics) {
				fmt.Fprintln(cmd.ErrOrStderr(), line)
			}
			return nil
		},
	}
	f.define(cmd, "the reason: `TEXT`")
	return cmd
}

// amendedSet is the machine output of an amended order set.
type amendedSet struct {
	Game        string              `json:"game"`
	Turn        int                 `json:"turn"`
	Name        string              `json:"name"`
	Captain     string              `json:"captain"`
	Text        string              `json:"text"`
	Diagnostics []orders.Diagnostic `json:"diagnostics,omitempty"`
}

func whatifCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var with []string
	n := -1
	cmd := &cobra.Command{
		Use:   "whatif DIR --with RULINGS [--with RULINGS]...",
		Short: "Try several changes of a turn side by side",
		Long: `Tries several changes of a turn, each by itself, and shows what comes of them side by
side. Each --with is one case: a ruling, or several, parted by semicolons. Nothing is
written.`,
		Example:           `  starpost referee wolf whatif --turn 3 --with "roll t3.p2.fire.hood.bank-a.hit 4" --with "set Hood shield-2 6; set Hood shield-1 0" --later rerun`,
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(with) == 0 {
				return usage(`such as --with "set Hood superstructure 7"`, "whatif wants --with")
			}
			a, err := f.act(cmd, now(), false)
			if err != nil {
				return err
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if n < 0 {
				n = g.Turn()
			}
			if err := allowed(g, a.By, "whatif", n, now()); err != nil {
				return err
			}
			var plans []referee.Plan
			for _, w := range with {
				var rulings []string
				for r := range strings.SplitSeq(w, ";") {
					if r = strings.TrimSpace(r); r != "" {
						rulings = append(rulings, r)
					}
				}
				p, err := f.plan(n, rulings)
				if err != nil {
					return err
				}
				plans = append(plans, p)
			}
			all, err := referee.WhatIf(g, a, plans...)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), all)
			}
			console.SideBySide(cmd.OutOrStdout(), n, with, all)
			return nil
		},
	}
	f.define(cmd, "is not needed: nothing is written: `TEXT`")
	f.defineRuling(cmd)
	f.defineLater(cmd)
	cmd.Flags().StringArrayVar(&with, "with", nil, "a case, one ruling or several: `RULINGS`")
	cmd.Flags().IntVar(&n, "turn", -1, "the turn: `N`; without, the last that was resolved")
	return cmd
}

func previewCommand(now func() time.Time) *cobra.Command {
	var f refereeFlags
	var as, missing string
	cmd := &cobra.Command{
		Use:   "preview DIR [--as SHIP] [--missing POLICY]",
		Short: "Resolve the turn that is due without writing anything",
		Long: `Resolves the turn that is due with the orders that are in, tells all that would happen,
and writes nothing. With --as it prints the report that the captain of a ship would
get. For ships without orders the standing ones serve, unless --missing says otherwise.`,
		Example:           "  starpost referee wolf preview\n  starpost referee wolf preview --as Hood",
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if missing != "" {
				if err := knownPolicy(missing); err != nil {
					return err
				}
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if err := allowed(g, f.by, "preview", g.Turn()+1, now()); err != nil {
				return err
			}
			p, err := turn.Load(g)
			if err != nil {
				return err
			}
			ship := ""
			if as != "" {
				s, err := p.FindShip(as)
				if err != nil {
					return err
				}
				ship = s.ID
			}
			out, err := referee.Preview(g, missing, now())
			if nr, ok := errors.AsType[*turn.NotReadyError](err); ok {
				m := &mistakesError{msg: nr.Error(), hint: nr.Hint()}
				for _, b := range nr.Bad {
					m.lines = append(m.lines, console.Mistakes(b.File, b.Diagnostics)...)
				}
				return m
			}
			if err != nil {
				return err
			}
			switch {
			case ship != "" && f.asJSON:
				_, err = cmd.OutOrStdout().Write(out.Reports[ship].JSON)
				return err
			case ship != "":
				_, err = cmd.OutOrStdout().Write(out.Reports[ship].Text)
				return err
			case f.asJSON:
				return printJSON(cmd.OutOrStdout(), resolvedTurn{Game: g.ID(), Turn: out.Turn, Deadline: out.Deadline, Missing: out.Missing, Result: out.State.Result, Events: out.Events})
			}
			return console.Played(cmd.OutOrStdout(), args[0], g, out)
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "machine output")
	cmd.Flags().StringVar(&f.by, "by", "", "who looks, where a referee plays: `NAME`")
	cmd.Flags().StringVar(&as, "as", "", "the report for the captain of `SHIP`")
	cmd.Flags().StringVar(&missing, "missing", "", "policy for ships without orders: "+strings.Join(vault.Policies(), ", "))
	completeFlag(cmd, "missing", fixed(vault.Policies()...))
	return cmd
}

func processCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var missing string
	cmd := &cobra.Command{
		Use:   "process DIR TURN [--missing POLICY] [--force]",
		Short: "Resolve the turn that is named, now",
		Long: `Resolves a turn now, before its deadline. The turn is named so that a command which
comes too late does nothing: if it was resolved before, that is said, and the exit code
is 0. Ships without orders need --missing or --force, which takes the game's own policy
and also lets a game go on that is paused.`,
		Example:           "  starpost referee wolf process 4",
		Args:              exactly("a game directory", "a turn"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := turnArgument(args[1])
			if err != nil {
				return err
			}
			if missing != "" {
				if err := knownPolicy(missing); err != nil {
					return err
				}
			}
			a, err := f.act(cmd, now(), false)
			if err != nil {
				return err
			}
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			if err := allowed(g, a.By, "process", n, now()); err != nil {
				return err
			}
			out, played, err := referee.Process(g, a, n, f.force, turn.Options{Missing: missing, Compose: outgoing.Render})
			if nr, ok := errors.AsType[*turn.NotReadyError](err); ok {
				m := &mistakesError{msg: nr.Error() + "; nothing was changed", hint: nr.Hint() + ", or --force"}
				for _, b := range nr.Bad {
					m.lines = append(m.lines, console.Mistakes(b.File, b.Diagnostics)...)
				}
				return m
			}
			if err != nil {
				return err
			}
			if played {
				m, err := g.Manifest(n)
				if err != nil {
					return err
				}
				if f.asJSON {
					return printJSON(cmd.OutOrStdout(), resolvedTurn{Game: g.ID(), Turn: n, Dir: g.TurnDir(n), Events: []engine.Event{}})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "turn %d of %s was resolved before, %s: nothing was done\n", n, g.ID(), reports.When(m.Resolved, time.UTC))
				return nil
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), resolvedTurn{
					Game: g.ID(), Turn: out.Turn, Dir: out.Dir, Mails: len(out.Mails), Deadline: out.Deadline,
					Missing: out.Missing, Result: out.State.Result, Events: out.Events,
				})
			}
			return console.Played(cmd.OutOrStdout(), args[0], g, out)
		},
	}
	f.define(cmd, "the reason, if a paused game is let go on: `TEXT`")
	cmd.Flags().BoolVar(&f.force, "force", false, "with the game's policy for missing orders, and also if it is paused")
	cmd.Flags().StringVar(&missing, "missing", "", "policy for ships without orders: "+strings.Join(vault.Policies(), ", "))
	completeFlag(cmd, "missing", fixed(vault.Policies()...))
	return cmd
}
