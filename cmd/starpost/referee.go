package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// refereeCommand groups a referee's commands: starpost referee DIR COMMAND. The library wants commands before
// arguments, so the directory and the command are swapped, and either order is accepted.
func refereeCommand(now func() time.Time) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "referee DIR COMMAND",
		Short: "Act on a game as its referee",
		Long: `Acts on a game as its referee. Everything goes into the game's journal
(DIR/journal.jsonl). A resolved turn is never overwritten: a changed turn is kept beside
it as its next revision. The daemon may run meanwhile: at its next pass it carries out
the consequences and informs the captains. Referees can send the same commands by mail,
except key, watch and archive.`,
		Example: `  starpost referee wolf pause --why "the referee is ill"
  starpost referee wolf extend 2d --why "the mail server was down"
  starpost referee wolf resume`,
		DisableFlagParsing: true, // flags belong to the subcommand
		RunE:               refereeRun,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			var words []string
			for _, c := range cmd.Commands() {
				words = append(words, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
	all := []*cobra.Command{keyCommand(now), watchCommand(now), archiveCommand(now)}
	for _, v := range console.Verbs() {
		if !v.MailOnly {
			all = append(all, verbCommand(v, now))
		}
	}
	for _, c := range all {
		// Usage shows the order used in all texts.
		line := "starpost referee DIR " + strings.Replace(c.Use, " DIR", "", 1)
		c.SetUsageTemplate(strings.Replace(c.UsageTemplate(), "{{.UseLine}}", line, 1))
		cmd.AddCommand(c)
	}
	return cmd
}

func refereeRun(cmd *cobra.Command, args []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	switch {
	case len(args) == 0, args[0] == "--help", args[0] == "-h":
		return cmd.Help()
	case strings.HasPrefix(args[0], "-"), len(args) == 1, strings.HasPrefix(args[1], "-"):
		return usage("usage: starpost referee DIR COMMAND", "referee needs a game directory and a command: %s", strings.Join(names, ", "))
	}
	sub, _, err := cmd.Find(args[1:2])
	if err != nil || sub == cmd {
		return unknownCommand(cmd, args[1])
	}
	root := cmd.Root()
	root.SetArgs(append([]string{cmd.Name(), args[1], args[0]}, args[2:]...))
	return root.ExecuteContext(cmd.Context())
}

// verbCommand makes a command from a row of the table shared with mails.
func verbCommand(v *console.Verb, now func() time.Time) *cobra.Command {
	var config, by string
	var asJSON bool
	after := cobra.ShellCompDirectiveNoFileComp
	if v.Input != "" {
		after = cobra.ShellCompDirectiveDefault
	}
	cmd := &cobra.Command{
		Use: v.Usage("DIR"), Short: v.Short, Long: v.Long, Example: "  starpost referee wolf " + strings.Join(v.Examples, "\n  starpost referee wolf "),
		Args: func(cmd *cobra.Command, args []string) error {
			_, err := verbRequest(cmd, v, args)
			return err
		},
		ValidArgsFunction: gameFirst(after),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := verbRequest(cmd, v, args)
			if err != nil {
				return err
			}
			by = strings.TrimSpace(by)
			if by == "" || len(by) > 60 || strings.ContainsFunc(by, unicode.IsControl) {
				return usage("such as --by Rita", "--by is not a name")
			}
			for i := range r.Texts {
				if r.Texts[i].Text, err = readInput(cmd, "the file", r.Texts[i].File, vault.MaxOrders); err != nil {
					return err
				}
			}
			return doVerb(cmd, args[0], r, console.By{Referee: vault.Referee{Name: by}, Now: now()}, config, asJSON)
		},
	}
	stores.Flag(cmd)
	fl := cmd.Flags()
	for _, f := range v.Options() {
		switch {
		case f.Many:
			fl.StringArray(f.Name, nil, f.Doc)
		case f.Value != "":
			fl.String(f.Name, "", f.Doc)
		default:
			fl.Bool(f.Name, false, f.Doc)
		}
		if f.Choices != nil {
			completeFlag(cmd, f.Name, fixed(f.Choices...))
		}
	}
	if v.Mails {
		fl.StringVar(&config, "config", "", "the daemon's configuration, a TOML `FILE`, to include mails received and sent")
		completeConfig(cmd)
	}
	fl.StringVar(&by, "by", referee.ByReferee, "your `NAME`, as captains see it")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verbRequest parses a command line. Texts are only named; they are read later.
func verbRequest(cmd *cobra.Command, v *console.Verb, args []string) (*console.Request, error) {
	if len(args) == 0 {
		return nil, usage("usage: "+cmd.UseLine(), "%s needs a game directory", called(cmd))
	}
	r := &console.Request{Verb: v, Args: slices.Clone(args[1:])}
	if n := len(r.Args); v.Input != "" && n > v.Wants() {
		r.Args, r.Texts = r.Args[:n-1], []referee.Amendment{{File: r.Args[n-1]}}
	}
	for _, f := range v.Options() {
		if !cmd.Flags().Changed(f.Name) {
			continue
		}
		var words []string
		var err error
		switch {
		case f.Many:
			words, err = cmd.Flags().GetStringArray(f.Name)
		case f.Value != "":
			words = make([]string, 1)
			words[0], err = cmd.Flags().GetString(f.Name)
		}
		if f.Files {
			for _, w := range words {
				name, file, ok := strings.Cut(w, "=")
				if !ok || name == "" || file == "" {
					return nil, usage("such as --"+f.Name+" Hood=hood.txt", "--%s needs SHIP=FILE, not %q", f.Name, w)
				}
				r.Texts = append(r.Texts, referee.Amendment{Name: name, File: file})
			}
			words = nil
		}
		if err == nil {
			err = r.Set(f.Name, words...)
		}
		if err != nil {
			return nil, verbError(err)
		}
	}
	return r, verbError(r.Check())
}

// doVerb executes a command and prints the result.
func doVerb(cmd *cobra.Command, dir string, r *console.Request, by console.By, file string, asJSON bool) error {
	c := console.Console{}
	g, err := openGame(cmd, dir)
	if err != nil {
		return err
	}
	if file != "" {
		settings, err := loadConfigBy(config.LoadWithTemplates, file)
		if err != nil {
			return err
		}
		c.Bag.Host, c.Templates = settings, settings.Templates
	}
	if r.Verb.Changes || r.Verb.Looks {
		if by.Referee, err = console.Who(g, by.Referee.Name); err != nil {
			return verbError(err)
		}
	}
	done, err := c.Do(cmd.Context(), g, by, r)
	for _, line := range done.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	if err != nil {
		return verbError(err)
	}
	return show(cmd, asJSON, done.Data, func(w io.Writer) { fmt.Fprint(w, done.Text) })
}

func keyCommand(now func() time.Time) *cobra.Command {
	var renew bool
	var by, why string
	cmd := &cobra.Command{
		Use:   "key DIR NAME [--renew]",
		Short: "Print a referee's key",
		Long: `Prints the key that authenticates a referee's mails until the next turn. The robot sends
it with each turn. --renew replaces it from now on, and the robot mails the new one.`,
		Example:           "  starpost referee wolf key Rita\n  starpost referee wolf key Rita --renew",
		Args:              exactly("a game directory", "a referee"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := openGame(cmd, args[0])
			if err != nil {
				return err
			}
			r, err := referee.FindReferee(g, args[1])
			if err != nil {
				return err
			}
			if renew {
				if err := referee.Renew(g, referee.Act{By: by, Why: why, Now: now()}, r.Name); err != nil {
					return err
				}
			}
			fmt.Fprintln(cmd.OutOrStdout(), referee.Key(g, g.Turn()+1, r.Name))
			return nil
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the record: `TEXT`")
	cmd.Flags().StringVar(&by, "by", referee.ByReferee, "your `NAME`, for the record")
	cmd.Flags().BoolVar(&renew, "renew", false, "replace the key")
	stores.Flag(cmd)
	return cmd
}
