package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// maxFiling is the largest filing that is read; a rule set may have less.
const maxFiling = 1 << 20

type fileFlags struct {
	refereeFlags
	missing, later    string
	blank, dry, again bool
}

func fileCommand(now func() time.Time) *cobra.Command {
	var f fileFlags
	cmd := &cobra.Command{
		Use:   "file DIR TURN FILE",
		Short: "File the turn of a game that a referee plays",
		Long: `Files a turn of a game whose rules the program does not know: the
captains write orders in their own words, and you write what came of them. FILE is a
text of sections: #all, #side NAME and #ship NAME with words for those who are to
read them, and #rulings that move ships, set tracks of their sheets, roll dice and
say who sees whom; "-" is standard input. starpost rules SET lists the rulings.

--blank prints a filing to be filled in, with the orders in it as remarks. With
--dry-run nothing is written: you get the dice, and each captain's report as it
would go out. The value of a die depends on its name, so it stays what you saw.

With mistakes in the filing nothing is changed and the exit code is 3. TURN is named
so that a late command does nothing.

--again files a turn that was filed before in another way: it is resolved anew with
the same orders and dice as its next revision, and a captain for whom something
changed gets a corrected report. With --dry-run you see what would change. Of turns
after it --later says whether they are resolved again too (rerun) or taken back
(aside).`,
		Example: `  starpost referee reach file 3 --blank > turn-3.txt
  starpost referee reach file 3 turn-3.txt --dry-run
  starpost referee reach file 3 turn-3.txt --why "the barge moves first, as we said"
  starpost referee reach file 3 turn-3b.txt --again --why "I had forgotten the slag"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.blank {
				return exactly("a game directory", "the number of the turn")(cmd, args)
			}
			return exactly("a game directory", "the number of the turn", "a file")(cmd, args)
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, now()) },
	}
	f.define(cmd, "a word for the record: `TEXT`")
	fl := cmd.Flags()
	fl.BoolVar(&f.blank, "blank", false, "print a filing to be filled in")
	fl.BoolVar(&f.dry, "dry-run", false, "show the dice and each captain's report, but write nothing")
	fl.StringVar(&f.missing, "missing", "", "standing: file although orders are missing and the time is not up")
	fl.BoolVar(&f.again, "again", false, "file a turn that is played already in another way")
	fl.StringVar(&f.later, "later", "", "with --again, what becomes of the turns after it: rerun or aside")
	completeFlag(cmd, "missing", fixed(vault.Standing))
	completeFlag(cmd, "later", fixed("rerun", "aside"))
	return cmd
}

func (f *fileFlags) run(cmd *cobra.Command, args []string, now time.Time) error {
	a, err := f.act(cmd, now, false)
	if err != nil {
		return err
	}
	no, err := strconv.Atoi(args[1])
	if err != nil || no < 1 {
		return usage("such as 3", "%q is no number of a turn", args[1])
	}
	if f.missing != "" && f.missing != vault.Standing {
		return usage("--missing "+vault.Standing, "--missing: what becomes of a ship without orders is the referee's to say")
	}
	switch {
	case f.later != "" && f.later != "rerun" && f.later != "aside":
		return usage("rerun or aside", "--later: %q is neither", f.later)
	case f.later != "" && !f.again, f.again && f.blank:
		return usage("see: "+cmd.CommandPath()+" --help", "--later goes with --again, and --again with a file")
	}
	g, err := vault.Open(args[0], catalogue())
	if err != nil {
		return err
	}
	if err := allowed(g, a.By, "file", no, now); err != nil {
		return err
	}
	if f.again {
		return f.refile(cmd, g, args, no, a)
	}
	p, err := turn.Load(g)
	if err != nil {
		return err
	}
	if err := p.Fileable(no); err != nil {
		return err
	}
	if f.blank {
		text, err := p.BlankFiling()
		if err != nil {
			return err
		}
		fmt.Fprint(cmd.OutOrStdout(), text)
		return nil
	}
	data, err := readInput(cmd, "the filing", args[2], maxFiling)
	if err != nil {
		return err
	}
	if err := filingRemarks(cmd, g, args[2], p.CheckFiled(data)); err != nil {
		return err
	}
	o := turn.Options{
		Missing: f.missing, Now: now, Compose: outgoing.Render, DryRun: f.dry, Keep: f.dry,
		Filed: &turn.Filed{Turn: no, Data: data, By: a.By, Why: a.Why},
	}
	out, err := turn.Resolve(g, o)
	if nr, ok := errors.AsType[*turn.NotReadyError](err); ok {
		return unready(args[0], nr)
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), resolvedTurn{
			Game: g.ID(), Turn: out.Turn, Dir: out.Dir, Mails: len(out.Mails), Deadline: out.Deadline,
			Missing: out.Missing, Result: out.State.Result, Events: out.Events,
		})
	}
	if f.dry {
		console.Reports(cmd.OutOrStdout(), out)
	}
	return console.Played(cmd.OutOrStdout(), args[0], g, out)
}

// filingRemarks tells what is to be said of a filing; with mistakes it is an error.
func filingRemarks(cmd *cobra.Command, g *vault.Game, file string, ds []orders.Diagnostic) error {
	if orders.HasErrors(ds) {
		return &mistakesError{lines: console.Mistakes(file, ds), msg: file + " cannot be filed; nothing was changed", hint: "the rulings: starpost rules " + g.Rules().Name}
	}
	for _, l := range console.Mistakes(file, ds) {
		fmt.Fprintln(cmd.ErrOrStderr(), l)
	}
	return nil
}

// refile files a turn that was played in another way.
func (f *fileFlags) refile(cmd *cobra.Command, g *vault.Game, args []string, no int, a referee.Act) error {
	if no > g.Turn() {
		return usage("leave --again out", "turn %d of %s is not played yet", no, g.ID())
	}
	data, err := readInput(cmd, "the filing", args[2], maxFiling)
	if err != nil {
		return err
	}
	ds, err := turn.FiledBefore(g, no, data)
	if err != nil {
		return err
	}
	if err := filingRemarks(cmd, g, args[2], ds); err != nil {
		return err
	}
	change := turn.Change{Filed: data, By: a.By, Why: a.Why, Now: a.Now}
	w := cmd.OutOrStdout()
	if f.dry {
		run, err := turn.Redo(g, no, change, f.later == "rerun")
		if err != nil {
			return err
		}
		if err := tellChanges(cmd, g, run); err != nil {
			return err
		}
		fmt.Fprintln(w, "dry run: nothing was written")
		return nil
	}
	out, err := turn.Correct(g, no, change, turn.Later{Rerun: f.later == "rerun", Aside: f.later == "aside", Keep: true}, turn.Options{Compose: outgoing.Render})
	if err != nil {
		return err
	}
	if f.asJSON {
		type again struct {
			Turn  int    `json:"turn"`
			Dir   string `json:"dir"`
			Mails int    `json:"mails"`
		}
		var all []again
		for _, o := range out.Outcomes {
			all = append(all, again{o.Turn, o.Dir, len(o.Mails)})
		}
		return printJSON(w, struct {
			Game  string  `json:"game"`
			Turns []again `json:"turns"`
			Aside int     `json:"aside,omitempty"` // the last of the turns that were taken back
		}{g.ID(), all, out.Aside})
	}
	if err := tellChanges(cmd, g, out.Rerun); err != nil {
		return err
	}
	for _, o := range out.Outcomes {
		fmt.Fprintf(w, "turn %d is filed again, in %s; corrected reports: %d\n", o.Turn, o.Dir, len(o.Mails))
	}
	return nil
}

// tellChanges shows what is otherwise in turns that were filed again: lines that
// went with -, lines that came with +.
func tellChanges(cmd *cobra.Command, g *vault.Game, run *turn.Rerun) error {
	w := cmd.OutOrStdout()
	for _, t := range run.Turns {
		var sides [2][]string
		for i, p := range []turn.Played{t.Was, t.Is} {
			v, err := engine.BuildView(g.Rules(), p.State, p.Events, engine.Viewer{All: true})
			if err != nil {
				return err
			}
			for _, c := range g.Rules().Present(v).Phases {
				for _, l := range c.Lines {
					sides[i] = append(sides[i], l.Text)
				}
			}
		}
		fmt.Fprintf(w, "turn %d:\n", t.Turn)
		same := true
		for _, e := range turn.CompareLines(sides[0], sides[1]) {
			if e.Same {
				continue
			}
			same = false
			if e.A >= 0 {
				fmt.Fprintln(w, "  - "+e.Was)
			}
			if e.B >= 0 {
				fmt.Fprintln(w, "  + "+e.Is)
			}
		}
		if same {
			fmt.Fprintln(w, "  nothing is otherwise")
		}
	}
	if run.Aside > 0 {
		fmt.Fprintf(w, "turns up to %d are taken back\n", run.Aside)
	}
	return nil
}

// unready is a turn that cannot be filed yet.
func unready(dir string, nr *turn.NotReadyError) error {
	m := &mistakesError{msg: nr.Error() + "; nothing was changed", hint: "correct the files, or remove them; starpost check diagnoses them"}
	if len(nr.Bad) == 0 {
		m.hint = "wait for them, or file without: --missing " + vault.Standing
	}
	for _, b := range nr.Bad {
		m.lines = append(m.lines, console.Mistakes(b.File, b.Diagnostics)...)
	}
	for _, s := range nr.Missing {
		m.lines = append(m.lines, fmt.Sprintf("%s: orders missing (captain %s)", filepath.Join(dir, "orders", s.Name+".txt"), s.Captain))
	}
	return m
}
