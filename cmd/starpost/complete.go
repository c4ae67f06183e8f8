package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine/scenario"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

// A completion offers words to a shell. If it fails, it offers nothing: an error message would not help while the
// command line is still being typed.
type completion = cobra.CompletionFunc

// fixed always offers the same words.
func fixed(words ...string) completion {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// gameFirst offers directories for the first argument, the game; after says what to offer for others.
func gameFirst(after cobra.ShellCompDirective) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, after
	}
}

// tomlFile offers TOML files.
func tomlFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
}

// once offers words for the first argument only.
func once(words func() []string) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// shipsOfGame offers the ships of the game in the first argument.
func shipsOfGame(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	g, err := vault.Open(directory.At(args[0]), catalogue())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	state, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, s := range state.Ships {
		if !s.Small() {
			names = append(names, cobra.CompletionWithDesc(s.Name, s.Title))
			for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
				names = append(names, cobra.CompletionWithDesc(s.Name+"/"+post, s.Title))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// shipsOfScenario offers SHIP= for the ships of the scenario in --scenario.
func shipsOfScenario(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	const address = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	name, err := cmd.Flags().GetString("scenario")
	if err != nil || name == "" {
		return nil, address
	}
	_, data, err := readScenario(name)
	if err != nil {
		return nil, address
	}
	s, _ := scenario.Parse(data)
	if s == nil {
		return nil, address
	}
	var words []string
	for _, sh := range s.Ships {
		words = append(words, sh.Name+"=")
	}
	return words, address
}

// completeScenarios offers the built-in scenarios, and files.
func completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarioNames(), cobra.ShellCompDirectiveDefault
}

// mailKeys offers KEY= for each key of a game's [mail] section.
func mailKeys(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, k := range vault.MailKeys() {
		words = append(words, k+"=")
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeFlag adds a completion to a flag that was just defined, so registering it cannot fail.
func completeFlag(cmd *cobra.Command, flag string, f completion) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

func completionCommand() *cobra.Command {
	shells := map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        (*cobra.Command).GenZshCompletion,
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands in a shell",
		Long: `Prints a script for ` + strings.Join(names, ", ") + `. With it the shell completes
commands and flags, built-in scenarios and ship classes, policies, and the ships
of a game after --as.`,
		Example: `  source <(starpost completion bash)
  starpost completion bash > /etc/bash_completion.d/starpost
  starpost completion zsh > "${fpath[1]}/_starpost"
  starpost completion fish > ~/.config/fish/completions/starpost.fish`,
		Args:              exactly("a shell: " + strings.Join(names, ", ")),
		ValidArgsFunction: once(func() []string { return names }),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := shells[args[0]]
			if !ok {
				return usage("one of: "+strings.Join(names, ", "), "there is no completion for %q", args[0])
			}
			return write(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		Long:  `Shows what a command does, its flags, and examples; the same as COMMAND --help.`,
		Example: `  starpost help
  starpost help new
  starpost help config check`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var words []string
			if about, _, err := cmd.Root().Find(args); err == nil {
				for _, c := range about.Commands() {
					if c.IsAvailableCommand() {
						words = append(words, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
