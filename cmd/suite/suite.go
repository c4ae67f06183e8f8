// Package suite has the command that prints the conformance cases of the rules, tests other engines against them, or
// answers cases as an engine itself.
package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/rulesets"
	"starpost/engine/conformance"
	"starpost/engine/family"
	"starpost/examples/cases"
	"starpost/pbem/vault"
)

// Usage makes an error for a wrong command line: a hint, and what is wrong.
type Usage func(hint, format string, args ...any) error

// Command returns "starpost cases".
func Command(usage Usage) *cobra.Command {
	var asJSON, answer bool
	var program string
	var within time.Duration
	cmd := &cobra.Command{
		Use:   "cases [CASE ...]",
		Short: "List the conformance cases of the rules, or check an engine against them",
		Long: `Lists the cases, one a line. A CASE is a rule set, a paragraph such as "stcs 3.5", or a
name, in which * stands for anything; without one, all cases are meant.

--json prints each case as a line of JSON. --run starts a program that reads a case a
line and answers each with a line, and compares the answers with what the cases expect.
--answer makes this program such an engine: it reads cases and answers. docs/cases.md
describes cases, questions and answers.`,
		Example: `  starpost cases
  starpost cases "stcs 3.5" --json
  starpost cases "stcs 4.6" --run "starpost cases --answer"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if answer {
				return conformance.Answers(cmd.InOrStdin(), cmd.OutOrStdout(), vault.CatalogueOf(rulesets.Families()...).Rules)
			}
			suite, err := conformance.Load(cases.Files)
			if err != nil {
				return err
			}
			chosen, err := choose(suite, args, usage)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printCases(cmd.OutOrStdout(), suite, chosen)
			case cmd.Flags().Changed("run"):
				words := strings.Fields(program)
				if len(words) == 0 {
					return usage("--run PROGRAM", "--run names no program")
				}
				return runCases(cmd, suite, chosen, words, within)
			}
			return list(cmd.OutOrStdout(), chosen)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each case")
	cmd.Flags().StringVar(&program, "run", "", "check a `PROGRAM`, with its arguments, against the cases")
	cmd.Flags().BoolVar(&answer, "answer", false, "read cases from standard input and answer them")
	cmd.Flags().DurationVar(&within, "within", time.Minute, "how long the program of --run may take for each case")
	cmd.MarkFlagsMutuallyExclusive("json", "run", "answer")
	return cmd
}

// choose returns the cases that the words select, each once, in the order of the suite.
func choose(suite *conformance.Suite, words []string, usage Usage) ([]*conformance.Case, error) {
	for _, w := range words {
		if !slices.ContainsFunc(suite.Cases, func(c *conformance.Case) bool { return c.About(w) }) {
			return nil, usage("starpost cases lists them; write a rule set, a paragraph such as \"stcs 3.5\", or a name", "no case is about %q", w)
		}
	}
	if len(words) == 0 {
		return suite.Cases, nil
	}
	var out []*conformance.Case
	for _, c := range suite.Cases {
		if slices.ContainsFunc(words, c.About) {
			out = append(out, c)
		}
	}
	return out, nil
}

// list prints the names and titles of cases, one a line.
func list(w io.Writer, chosen []*conformance.Case) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range chosen {
		if _, err := fmt.Fprintf(t, "%s\t%s\n", strings.TrimSuffix(c.Name, ".txt"), c.Title); err != nil {
			return err
		}
	}
	return t.Flush()
}

// printCases prints each case with its expectations, one line of JSON each.
func printCases(w io.Writer, suite *conformance.Suite, chosen []*conformance.Case) error {
	yard, enc := newShipyard(suite), json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, c := range chosen {
		q, err := c.Whole(c.RuleSet())
		if err != nil {
			return err
		}
		if err := yard.equip(&q); err != nil {
			return err
		}
		if err := enc.Encode(q); err != nil {
			return fmt.Errorf("write JSON: %w", err)
		}
	}
	return nil
}

// shipyard finds the data of ship classes. The rule sets' own classes are read once.
type shipyard struct {
	suite    *conformance.Suite
	families []family.Family
	lists    map[string]*family.Designs // by family
}

func newShipyard(suite *conformance.Suite) *shipyard {
	return &shipyard{suite, rulesets.Families(), map[string]*family.Designs{}}
}

// equip adds the data of the ship classes that a question names.
func (y *shipyard) equip(q *conformance.Question) error {
	i := slices.IndexFunc(y.families, func(f family.Family) bool {
		return f.Designs != nil && slices.ContainsFunc(f.Sets, func(s family.RuleSet) bool { return s.Name == q.Rules })
	})
	if i < 0 {
		return nil
	}
	q.Tables = y.suite.Tables(*q)
	tables := map[string][]byte{}
	for name, text := range q.Tables {
		tables[name] = []byte(text)
	}
	list := y.lists[y.families[i].Name]
	if list == nil || len(tables) > 0 {
		var err error
		if list, err = y.families[i].Designs(tables); err != nil {
			return fmt.Errorf("%s: %w", q.Case, err)
		}
	}
	if len(tables) == 0 {
		y.lists[y.families[i].Name] = list
	}
	q.Classes = map[string]any{}
	for _, name := range q.ShipClasses() {
		if i := slices.IndexFunc(list.All, func(d family.Design) bool { return d.Name == name }); i >= 0 {
			q.Classes[name] = list.All[i].Data
		}
	}
	return nil
}

// runCases checks a program against cases. Any wrong answer makes it return an error.
func runCases(cmd *cobra.Command, suite *conformance.Suite, chosen []*conformance.Case, words []string, within time.Duration) error {
	run := exec.CommandContext(cmd.Context(), words[0], words[1:]...)
	run.Stderr = cmd.ErrOrStderr()
	run.WaitDelay = within // processes that it started may keep its pipes open
	in, err := run.StdinPipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", words[0], err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", words[0], err)
	}
	if err := run.Start(); err != nil {
		return fmt.Errorf("start %s: %w", words[0], err)
	}
	end := func() { // the caller reports what went wrong
		_ = run.Process.Kill()
		_ = out.Close()
	}
	limit := func() *time.Timer { return time.AfterFunc(within, end) }
	asked := conformance.NewEngine(in, out)
	yard, tally := newShipyard(suite), caseTally{out: cmd.OutOrStdout()}
	for _, c := range chosen {
		if err = tally.ask(yard, c, asked, limit); err != nil {
			end()
			break
		}
	}
	closed, timer := in.Close(), limit()
	ended := errors.Join(closed, run.Wait())
	switch late := !timer.Stop(); {
	case err != nil:
		return err
	case late:
		return fmt.Errorf("%s does not end when there are no more cases", words[0])
	case ended != nil:
		return fmt.Errorf("%s: %w", words[0], ended)
	}
	return tally.close()
}

// caseTally counts how an engine answers cases.
type caseTally struct {
	out                            io.Writer
	passed, part, declined, failed int
}

// ask puts one case to an engine; the timer that limit starts stops the engine if it takes too long.
func (t *caseTally) ask(yard *shipyard, c *conformance.Case, asked *conformance.Engine, limit func() *time.Timer) error {
	q, bad := c.Question(c.RuleSet())
	if len(bad) > 0 {
		return fmt.Errorf("%s:%d: %s", c.Name, bad[0].Line, bad[0].Message)
	}
	if err := yard.equip(&q); err != nil {
		return err
	}
	timer := limit()
	a, err := asked.Ask(q)
	if !timer.Stop() && err != nil {
		err = errors.New("no answer in time (--within)")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q.Case, err)
	}
	if a.Declined != "" {
		t.declined++
		return t.say("%s: declined: %s\n", c.Name, a.Declined)
	}
	failures, skipped := c.Compare(a)
	switch {
	case len(failures) > 0:
		t.failed++
		for _, f := range failures {
			if err := t.say("%s:%d: %s\n", c.Name, f.Line, f.Message); err != nil {
				return err
			}
		}
	case skipped > 0:
		t.part++
	default:
		t.passed++
	}
	return nil
}

// close prints the counts; failed cases are an error.
func (t *caseTally) close() error {
	if err := t.say("%d passed, %d passed in what was answered, %d declined, %d failed\n", t.passed, t.part, t.declined, t.failed); err != nil {
		return err
	}
	if t.failed > 0 {
		return fmt.Errorf("%d cases came out otherwise", t.failed)
	}
	return nil
}

func (t *caseTally) say(format string, args ...any) error {
	_, err := fmt.Fprintf(t.out, format, args...)
	return err
}
