// Package cups has the commands with which a referee runs cups and ladders. Package pbem/cup says what a cup is.
package cups

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/cup"
	"starpost/pbem/cup/play"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
	"starpost/pbem/site"
)

// Kit is what the commands need from the program: its errors, its arguments, its files.
type Kit struct {
	Now      func() time.Time
	Usage    func(hint, format string, args ...any) error
	Mistakes func(hint, format string, args ...any) error
	Nearest  func(name string, known []string, all string) string
	Exactly  func(names ...string) cobra.PositionalArgs
	AtMost   func(name string) cobra.PositionalArgs
	Show     func(cmd *cobra.Command, asJSON bool, data any, text func(io.Writer)) error
	Read     func(what, name string) ([]byte, error)
	Config   func(file, club string) (*config.Config, error)
	Host     func(c *config.Config, now time.Time) (play.Host, bool)
	Look     func(ctx context.Context, c *config.Config, now time.Time) (site.Summary, error)
	Complete func(cmd *cobra.Command)
}

// Command returns "starpost cup".
func Command(kit Kit) *cobra.Command {
	f := &cupFlags{Kit: kit}
	cmd := &cobra.Command{
		Use:   "cup",
		Short: "Run cups and ladders",
		Long: `A cup is a list of entrants and rounds of games between them: by the Swiss system, as a
round robin, as a knock-out, or as a ladder on which captains challenge those above. Its
file sets how it is played; see docs/cups.md. Captains enter by mail, or you enter them
here. pair makes the games of the next round once the previous round is over.

The state directory of the configuration keeps each cup as an append-only journal. Its
games go where games made by mail go.`,
		Example: `  starpost cup new summer.toml --config starpost.toml
  starpost cup enter summer Ann ann@example.org --config starpost.toml
  starpost cup pair summer --config starpost.toml
  starpost cup rule summer summer-r1-2 Ann --why vanished --config starpost.toml
  starpost cup status summer --config starpost.toml`,
		Args: f.Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&f.config, "config", "", "the daemon's configuration, a TOML `FILE`")
	cmd.PersistentFlags().StringVar(&f.club, "club", "", "the club that runs the cup, its `NAME` in the configuration (default: the first mailbox's)")
	kit.Complete(cmd)
	cmd.AddCommand(f.newCup(), f.enter(), f.withdraw(), f.challenge(), f.replace(), f.pair(), f.rule(), f.close(), f.status())
	return cmd
}

type cupFlags struct {
	Kit
	config, club, why string
}

// host returns where the configuration's cups are played.
func (f *cupFlags) host() (h play.Host, c *config.Config, err error) {
	if c, err = f.Config(f.config, f.club); err != nil {
		return h, nil, err
	}
	h, ok := f.Host(c, f.Now())
	if !ok {
		return h, nil, f.Usage(`such as games = ["/var/lib/starpost/games/*"]`, "the games of cups have no folder: games of the configuration names none with * at its end")
	}
	return h, c, nil
}

// referee returns the source of entries made by these commands.
func (f *cupFlags) referee() cup.Source {
	return cup.Source{By: cup.ByReferee, Why: f.why, Now: f.Now()}
}

// whyFlag adds the flag for a reason.
func (f *cupFlags) whyFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&f.why, "why", "", "the reason, which everyone can read: `TEXT`")
	return cmd
}

// change adds one entry to a cup.
func (f *cupFlags) change(name string, entry func(c *cup.Cup) (cup.Entry, error)) (*cup.Cup, error) {
	h, _, err := f.host()
	if err != nil {
		return nil, err
	}
	return h.Cups.Change(name, func(c *cup.Cup) ([]cup.Entry, error) {
		e, err := entry(c)
		return []cup.Entry{e}, err
	})
}

// entrantOf finds an entrant by name or address.
func (f *cupFlags) entrantOf(c *cup.Cup, who string) (int, error) {
	if n := c.Find(who); n > 0 {
		return n, nil
	}
	return 0, f.Usage(f.Nearest(who, c.Names(), "there are "), "%s has no entrant %q", c.Settings.Title, who)
}

func (f *cupFlags) newCup() *cobra.Command {
	return &cobra.Command{
		Use:   "new FILE --config FILE",
		Short: "Create a cup from its settings file",
		Long: `Reads the file, checks that its games can be made, and opens the cup for entries. Later
changes to the file have no effect. An existing cup of that name is left alone.`,
		Example: `  starpost cup new summer.toml --config starpost.toml`,
		Args:    f.Exactly("a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, _, err := f.host()
			if err != nil {
				return err
			}
			text, err := f.Read("the cup", args[0])
			if err != nil {
				return err
			}
			s, err := h.New(string(text))
			if err != nil {
				return f.Mistakes(fault.Hint(err), "%s: %s", args[0], err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "cup %s: %s, %s, %s by %s, each pair plays %s\n", s.Name, s.Title, s.Format, s.Scenario, s.Rules,
				map[string]string{cup.SidesOnce: "once", cup.SidesBoth: "both sides"}[s.Sides])
			if s.Entry == cup.EntryMail {
				fmt.Fprintf(cmd.OutOrStdout(), "captains enter it by mail, with the line: cup join %s\n", s.Name)
			}
			return nil
		},
	}
}

func (f *cupFlags) enter() *cobra.Command {
	return &cobra.Command{
		Use:   "enter CUP NAME ADDRESS...",
		Short: "Enter a captain, or a team with an address for each board",
		Long: `Enters a captain or, in a team cup, a team: its name, then the addresses of its captains
in board order, each as ADDRESS or "NAME <ADDRESS>".`,
		Example: `  starpost cup enter summer Ann ann@example.org --config starpost.toml
  starpost cup enter league Comets ann@example.org bo@example.org --config starpost.toml`,
		Args: cobra.MinimumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			var members []cup.Member
			for _, text := range args[2:] {
				m, err := f.member(text)
				if err != nil {
					return err
				}
				m.Name = cmp.Or(m.Name, map[bool]string{true: args[1]}[len(args) == 3])
				members = append(members, m)
			}
			c, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) { return c.Enter(f.referee(), args[1], members) })
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is in %s: %s\n", args[1], c.Settings.Title, c.State())
			return nil
		},
	}
}

func (f *cupFlags) withdraw() *cobra.Command {
	return f.whyFlag(&cobra.Command{
		Use:   "withdraw CUP ENTRANT",
		Short: "Take an entrant out of a cup",
		Long: `Withdraws an entrant, given by name or address. Finished games still count, unfinished
games count as lost in the cup, and the entrant is not paired again.`,
		Example: `  starpost cup withdraw summer Ann --why busy --config starpost.toml`,
		Args:    f.Exactly("a cup", "an entrant"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) {
				n, err := f.entrantOf(c, args[1])
				if err != nil {
					return cup.Entry{}, err
				}
				return c.Withdraw(f.referee(), n)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s has withdrawn from %s: %s\n", args[1], c.Settings.Title, c.State())
			return nil
		},
	})
}

func (f *cupFlags) challenge() *cobra.Command {
	return &cobra.Command{
		Use:     "challenge CUP FROM TO",
		Short:   "Record a challenge on a ladder",
		Long:    "Records that FROM challenges TO. The next pair makes their games.",
		Example: `  starpost cup challenge rungs Bo Ann --config starpost.toml`,
		Args:    f.Exactly("a cup", "who challenges", "whom"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) {
				from, err := f.entrantOf(c, args[1])
				if err != nil {
					return cup.Entry{}, err
				}
				to, err := f.entrantOf(c, args[2])
				if err != nil {
					return cup.Entry{}, err
				}
				return c.Challenge(f.referee(), from, to)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s challenges %s\n", args[1], args[2])
			return nil
		},
	}
}

func (f *cupFlags) replace() *cobra.Command {
	return &cobra.Command{
		Use:   "replace CUP CAPTAIN NEW",
		Short: "Replace a captain in a cup",
		Long: `Puts another person in a captain's place. Give the captain's address; except in team
cups, the name works too. NEW is ADDRESS or "NAME <ADDRESS>". NEW gets the games from
the next round on; hand over a game in progress with starpost referee replace. The
entrant keeps the name and the points.`,
		Example: `  starpost cup replace summer ann@example.org "Zoe <zoe@example.org>" --config starpost.toml`,
		Args:    f.Exactly("a cup", "a captain", "who takes over"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.member(args[2])
			if err != nil {
				return err
			}
			c, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) { return c.Replace(f.referee(), args[1], m) })
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s plays on for %s in %s\n", args[2], args[1], c.Settings.Title)
			return nil
		},
	}
}

// member parses a captain's address.
func (f *cupFlags) member(text string) (cup.Member, error) {
	a, err := mail.ParseAddress(text)
	if err != nil {
		return cup.Member{}, f.Usage(`such as ann@example.org or "Ann <ann@example.org>"`, "%q is not a mail address", text)
	}
	return cup.Member{Name: a.Name, Address: a.Address}, nil
}

func (f *cupFlags) pair() *cobra.Command {
	return &cobra.Command{
		Use:   "pair CUP",
		Short: "Record results, pair the next round and make its games",
		Long: `Records the results of finished games. When the round is over, pairs the next one and
makes its games; after the last round, ends the cup. It is safe to repeat: it lists
games still being played, and makes any that could not be made before.`,
		Example: `  starpost cup pair summer --config starpost.toml`,
		Args:    f.Exactly("a cup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, c, err := f.host()
			if err != nil {
				return err
			}
			sum, err := f.Look(cmd.Context(), c, f.Now())
			if err != nil {
				return err
			}
			before, err := h.Cups.Read(args[0])
			if err != nil {
				return err
			}
			paired, err := h.Pair(cmd.Context(), args[0], f.referee(), rating.Strengths(sum.Played, f.Now()))
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if paired.Paired == before.Paired {
				fmt.Fprintf(w, "%s: %s\n", paired.Settings.Title, paired.State())
				return nil
			}
			fmt.Fprintf(w, "%s, round %d:\n", paired.Settings.Title, paired.Paired)
			for _, p := range paired.Pairings(paired.Paired) {
				fmt.Fprintf(w, "  %s\n", p.Text)
				for _, g := range p.Games {
					fmt.Fprintf(w, "    %s: %s\n", g.ID, g.Text)
				}
			}
			return nil
		},
	}
}

func (f *cupFlags) rule() *cobra.Command {
	return f.whyFlag(&cobra.Command{
		Use:   "rule CUP GAME RESULT --why TEXT",
		Short: "Decide a game that will not end or has a disputed result",
		Long: `Decides how a game counts in the cup, whatever its own result. RESULT is the name of the
winning entrant, draw, or none (no points for either). Rounds already paired stay as
they are; the standings change.`,
		Example: `  starpost cup rule summer summer-r1-2 Ann --why vanished --config starpost.toml
  starpost cup rule summer summer-r1-3 draw --why outage --config starpost.toml`,
		Args: f.Exactly("a cup", "a game", "a result"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) { return c.Rule(f.referee(), args[1], args[2]) })
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s counts as %s: %s\n", args[1], args[2], c.State())
			return nil
		},
	})
}

func (f *cupFlags) close() *cobra.Command {
	return f.whyFlag(&cobra.Command{
		Use:     "close CUP",
		Short:   "End a cup early, or end a ladder",
		Long:    "Ends a cup: no more rounds are paired, and only rulings change the standings.",
		Example: `  starpost cup close rungs --why over --config starpost.toml`,
		Args:    f.Exactly("a cup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.change(args[0], func(c *cup.Cup) (cup.Entry, error) { return c.Close(f.referee()) })
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", c.Settings.Title, c.State())
			return nil
		},
	})
}

// cupStatus is a cup's status as JSON. It holds no addresses.
type cupStatus struct {
	Name      string    `json:"name"`
	Title     string    `json:"title"`
	Format    string    `json:"format"`
	Round     int       `json:"round"`
	Rounds    int       `json:"rounds,omitempty"` // as far as known; none for a ladder
	Over      bool      `json:"over"`
	State     string    `json:"state"`
	Standings []cup.Row `json:"standings"`
	Disputed  []string  `json:"disputed,omitempty"` // games whose results are disputed, each with the reason given
}

func (f *cupFlags) status() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [CUP]",
		Short: "Show a cup's standings, or list the cups",
		Long: `Shows the recorded standings of a cup and its games in progress; pair reads the results
of games that ended since. Without a name, lists the cups. No address is shown.`,
		Example: `  starpost cup status --config starpost.toml
  starpost cup status summer --config starpost.toml --json`,
		Args: f.AtMost("cup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, _, err := f.host()
			if err != nil {
				return err
			}
			names := args
			if len(names) == 0 {
				if names, err = h.Cups.Names(); err != nil {
					return err
				}
			}
			all, cups := []cupStatus{}, []*cup.Cup{}
			var problems []error
			for _, name := range names {
				c, err := h.Cups.Read(name)
				if err != nil {
					problems = append(problems, f.unknownCup(h.Cups, name, err))
					continue
				}
				cups = append(cups, c)
				all = append(all, cupStatus{name, c.Settings.Title, c.Settings.Format, c.Paired, c.Last(), c.Over(), c.State(), c.Standings(), c.Disputed()})
			}
			if len(args) > 0 && len(problems) > 0 {
				return problems[0]
			}
			return errors.Join(append(problems, f.Show(cmd, asJSON, all, func(w io.Writer) {
				for i, c := range cups {
					if len(args) > 0 {
						fmt.Fprint(w, c.Text(0))
						for _, d := range c.Disputed() {
							fmt.Fprintf(w, "Disputed, for you to rule on: %s\n", d)
						}
					} else {
						fmt.Fprintf(w, "%s: %s (%s), %s\n", all[i].Name, all[i].Title, all[i].Format, all[i].State)
					}
				}
				if len(all) == 0 {
					fmt.Fprintln(w, "there are no cups; create one: starpost cup new FILE")
				}
			}))...)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// unknownCup adds the nearest cup names to err if no cup has the given name.
func (f *cupFlags) unknownCup(all cup.Cups, name string, err error) error {
	names, listed := all.Names()
	if !errors.Is(err, cup.ErrNone) || listed != nil || len(names) == 0 {
		return err
	}
	return fault.New(f.Nearest(name, names, "there are "), "%s", strings.TrimSuffix(err.Error(), "\n"))
}
