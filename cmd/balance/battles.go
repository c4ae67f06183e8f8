package balance

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/engine/scenario"
	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/trial"
)

// Kit is what battles need from the program: its errors, its output, its files.
type Kit struct {
	Usage    func(hint, format string, args ...any) error
	Mistakes func(hint, format string, args ...any) error
	Nearest  func(name string, known []string, all string) string
	Show     func(cmd *cobra.Command, asJSON bool, data any, text func(io.Writer)) error
	Columns  func(out io.Writer, write func(io.Writer)) // aligns tab-separated text
	Config   func(file string) (*config.Config, error)
	Tricks   func() []string // names of the tricks of all rule sets, and AllTricks
	Progress func(w io.Writer, steps int) (at func(int), done func())
}

// Battles are the battles to play, as set by the command's flags.
type Battles struct {
	Kit
	Number int      // how many, or at most how many
	Seed   uint64   // of the dice of the first battle
	Trick  string   // a name, AllTricks, or "" for none
	Skill  []string // "SIDE=PERCENT": in what percentage of turns the side's robots know what they are doing
	Sure   bool     // stop when it is clear how the sides compare
	Vary   string   // "SHIP.FIELD=LOW..HIGH"; "" to vary nothing
	Save   string   // a configuration file; "" for none
}

// Played is the scenario to play, the file it is from, and its rules.
type Played struct {
	File     string
	Rules    *engine.Rules
	Scenario *scenario.Scenario
}

// Play plays the battles and shows the result. If strict, unbalanced sides are an error.
func (b Battles) Play(cmd *cobra.Command, p Played, asJSON, strict bool) error {
	if b.Trick != "" && (b.Sure || b.Vary != "" || b.Save != "") {
		return b.Usage("leave --trick out", "--trick does not go with --sure, --vary or --save")
	}
	var err error
	if p.Rules, err = b.skilled(p); err != nil {
		return err
	}
	if b.Sure || b.Vary != "" {
		return b.untilSure(cmd, p, asJSON, strict)
	}
	if b.Trick != "" {
		return b.tryTricks(cmd, p, asJSON, strict)
	}
	r, sc := p.Rules, p.Scenario
	at, done := b.Progress(cmd.ErrOrStderr(), b.Number)
	var result trial.Result
	result, err = trial.Run(cmd.Context(), r, sc, b.Number, b.Seed, at)
	done()
	if err != nil {
		return fmt.Errorf("play %s: %w", p.File, err)
	}
	if err := b.keep(r, sc, result.Score(), result.Battles); err != nil {
		return err
	}
	err = b.Show(cmd, asJSON, result, func(w io.Writer) { b.showTrial(w, result) })
	if err == nil && strict && !result.Even() {
		return b.Mistakes("change places, numbers or goals, and try again", "%s is not balanced: a side wins more than %d%% of the battles", p.File, trial.Fair)
	}
	return err
}

// skilled returns the rules with the robots that --skill asks for.
func (b Battles) skilled(p Played) (*engine.Rules, error) {
	r := p.Rules
	if len(b.Skill) > 0 && (b.Save != "" || b.Trick != "") {
		return r, b.Usage("leave --skill out", "--skill does not go with --save or --trick")
	}
	var sides []string
	for _, s := range p.Scenario.Sides {
		sides = append(sides, s.ID)
	}
	for _, skill := range b.Skill {
		side, percent, _ := strings.Cut(skill, "=")
		if !slices.Contains(sides, side) {
			return r, b.Usage(b.Nearest(side, sides, "its sides: "), "--skill %s: %s has no side %q", skill, p.Scenario.Name, side)
		}
		n, err := strconv.ParseUint(strings.TrimSuffix(percent, "%"), 10, 32)
		if err != nil || n > 100 {
			return r, b.Usage("such as --skill "+side+"=60", "--skill %s: %q is no number from 0 to 100", skill, percent)
		}
		r = robots.Skilled(r, side, uint32(n))
	}
	return r, nil
}

// untilSure has robots play until it is clear how the sides compare.
func (b Battles) untilSure(cmd *cobra.Command, p Played, asJSON, strict bool) error {
	if b.Vary != "" && b.Save != "" {
		return b.Usage("leave one of them out", "--save keeps the score of the scenario as it is, --vary changes it")
	}
	r, sc := p.Rules, p.Scenario
	at, done := b.Progress(cmd.ErrOrStderr(), b.Number)
	results, err := b.each(cmd.Context(), r, sc, func(n, most int) { at(n * b.Number / most) })
	done()
	if hint := fault.Hint(err); hint != "" {
		return b.Usage(hint, "%s", err)
	}
	if err != nil {
		return fmt.Errorf("play %s: %w", p.File, err)
	}
	if err := b.keep(r, sc, results[0].Score, results[0].Battles); err != nil {
		return err
	}
	if err := b.Show(cmd, asJSON, results, func(w io.Writer) { err = b.showSure(w, r, sc, results) }); err != nil {
		return err
	}
	if strict && !slices.ContainsFunc(results, func(s trial.Sure) bool { return s.Verdict == trial.VerdictFair }) {
		return b.Mistakes("change places, numbers or goals, and try again", "%s is not known to be balanced", p.File)
	}
	return err
}

// AllTricks stands for each of the tricks where the name of one is expected.
const AllTricks = "all"

// tryTricks has robots play against the chosen trick, or all tricks.
func (b Battles) tryTricks(cmd *cobra.Command, p Played, asJSON, strict bool) error {
	r, sc := p.Rules, p.Scenario
	tricks := r.Tricks
	if b.Trick != AllTricks {
		tricks = slices.DeleteFunc(slices.Clone(tricks), func(t engine.Trick) bool { return !strings.EqualFold(t.Name, b.Trick) })
	}
	switch {
	case len(r.Tricks) == 0:
		return b.Usage("leave --trick out", "the rule set %s has no tricks", r.Name)
	case len(tricks) == 0:
		return b.Usage(b.Nearest(b.Trick, b.Tricks(), "one of: "), "there is no trick %q", b.Trick)
	}
	at, done := b.Progress(cmd.ErrOrStderr(), b.Number*len(tricks))
	var results []trial.Against
	var lost []string
	for i, t := range tricks {
		a, err := trial.RunTrick(cmd.Context(), r, sc, t, b.Number, b.Seed, func(n int) { at(i*b.Number + n) })
		if err != nil {
			done()
			return fmt.Errorf("play %s against the trick %s: %w", p.File, t.Name, err)
		}
		if results = append(results, a); !a.Beats() {
			lost = append(lost, a.Trick)
		}
	}
	done()
	err := b.Show(cmd, asJSON, results, func(w io.Writer) { b.showTricks(w, sc, results) })
	if err == nil && strict && len(lost) > 0 {
		return b.Mistakes("give robots better orders", "robots of %s win less than %d%% of the battles of %s against: %s", r.Name, trial.Beaten, p.File, strings.Join(lost, ", "))
	}
	return err
}

func (b Battles) showTricks(out io.Writer, sc *scenario.Scenario, results []trial.Against) {
	first := results[0]
	fmt.Fprintf(out, "%s by %s: %d battles of robots against each trick, dice of seeds %d to %d\n\n", first.Scenario, first.Rules, first.Battles, first.Seed, first.Seed+uint64(first.Battles)-1)
	b.Columns(out, func(w io.Writer) {
		fmt.Fprint(w, "TRICK\tROBOTS WIN")
		for _, s := range sc.Sides {
			fmt.Fprintf(w, "\tAS %s", strings.ToUpper(s.ID))
		}
		fmt.Fprintln(w, "\tIT WINS\tDRAWS\tTHE TRICK")
		for _, a := range results {
			fmt.Fprintf(w, "%s\t%d", a.Trick, a.Robots)
			for _, n := range a.Sides {
				fmt.Fprintf(w, "\t%d", n)
			}
			fmt.Fprintf(w, "\t%d\t%d\t%s\n", a.Won, a.Draws+a.Endless, a.Doc)
		}
	})
}

func (b Battles) showTrial(out io.Writer, r trial.Result) {
	fmt.Fprintf(out, "%s by %s: %d battles of robots, dice of seeds %d to %d\n\n", r.Scenario, r.Rules, r.Battles, r.Seed, r.Seed+uint64(r.Battles)-1)
	b.Columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "SIDE\tWINS\tSHARE\tTRUE SHARE, 95% SURE")
		for _, s := range r.Sides {
			fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%% to %.1f%%\n", s.ID, s.Wins, s.Share, s.Low, s.High)
		}
		fmt.Fprintf(w, "draws\t%d\n", r.Draws)
		if r.Endless > 0 {
			fmt.Fprintf(w, "not over in time\t%d\n", r.Endless)
		}
		fmt.Fprintf(w, "\nturns\t%.1f on average; half of the battles took %d to %d, the longest %d\n", r.Turns.Mean, r.Turns.Lower, r.Turns.Upper, r.Turns.Longest)
	})
	fmt.Fprintln(out, "\nDECIDED BY")
	b.Columns(out, func(w io.Writer) {
		for _, d := range r.Decided {
			fmt.Fprintf(w, "%d\t%s\t%s\n", d.Battles, cmp.Or(d.Side, "draw"), d.Why)
		}
	})
	verdict := fmt.Sprintf("fair: no side wins more than %d%%", trial.Fair)
	if !r.Even() {
		verdict = fmt.Sprintf("not fair: a side wins more than %d%%", trial.Fair)
	}
	fmt.Fprintf(out, "\n%s\n", verdict)
}
