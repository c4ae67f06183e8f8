package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/orders"
	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
	"starpost/templates"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the daemon's configuration, or print templates",
		Long: `Commands about the daemon's configuration. An annotated example is
examples/starpost.toml.`,
		Example: "  starpost config check /etc/starpost.toml",
		Args:    exactly(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check a configuration and print the effective settings",
		Long: `Reads a configuration, reports all mistakes with line and column, and prints the
effective settings with every default filled in and every secret hidden.
The exit code is 3 if there are mistakes.`,
		Example:           "  starpost config check /etc/starpost.toml",
		Args:              exactly("a configuration file"),
		ValidArgsFunction: tomlFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(args[0])
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), c.Effective())
			for _, w := range c.Warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), w)
			}
			return nil
		},
	})
	cmd.AddCommand(&cobra.Command{
		Use:   "template [FILE]",
		Short: "Print a built-in template of mails or pages",
		Long: `Prints a built-in template file. Edit it and put it into the folder named by [mail]
templates in the configuration. Without FILE, lists all templates. docs/templates.md
explains what templates can contain.`,
		Example: `  starpost config template
  starpost config template parts.txt > /etc/starpost/templates/parts.txt`,
		Args: atMost("template file"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return templates.Files(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(templates.Files(), "\n"))
				return nil
			}
			text := templates.File(args[0])
			if text == nil {
				return usage(orders.DidYouMean("%s", args[0], templates.Files(), "there are "+strings.Join(templates.Files(), ", ")), "there is no template file %s", args[0])
			}
			_, err := cmd.OutOrStdout().Write(text)
			return err
		},
	})
	return cmd
}

// loadConfig reads a configuration with the secrets it refers to; its mistakes are printed one a line.
func loadConfig(file string) (*config.Config, error) { return loadConfigBy(config.Load, file) }

// lookAtConfig is loadConfig without secrets, for commands that log in nowhere.
func lookAtConfig(file string) (*config.Config, error) {
	return loadConfigBy(config.LoadWithoutSecrets, file)
}

// completeConfig adds a completion to the flag config.
func completeConfig(cmd *cobra.Command) { completeFlag(cmd, "config", tomlFile) }

// loadConfigBy is loadConfig with the given function to read the file.
func loadConfigBy(load func(string) (*config.Config, error), file string) (*config.Config, error) {
	if file == "" {
		return nil, usage("an annotated example is examples/starpost.toml", "which configuration? give --config FILE")
	}
	c, err := load(file)
	if problems, ok := errors.AsType[config.Problems](err); ok {
		var lines []string
		for _, p := range problems {
			lines = append(lines, p.String())
		}
		return nil, mistakes(lines, "an annotated example is examples/starpost.toml", "%s cannot be used as it is", file)
	}
	if err != nil && wayOut(err) == "" {
		return nil, fault.New("an annotated example is examples/starpost.toml", "%s", err)
	}
	return c, err
}

// storesKit returns what the commands for games and mails in a database need from the program.
func storesKit() stores.Kit {
	return stores.Kit{
		Exactly: exactly, Config: lookAtConfig, Complete: completeConfig, Usage: usage, Catalogue: catalogue, GameFirst: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		Progress: func(w io.Writer, steps int, what string) (at func(int), done func()) {
			bar := newProgress(w, steps, what)
			return bar.at, bar.done
		},
	}
}

// openGame opens the game given to a command: a directory, or with --store the name of a game in a database. The
// connection stays open until the program ends.
func openGame(cmd *cobra.Command, name string) (*vault.Game, error) {
	tree, _, err := storesKit().Tree(cmd, name)
	if err != nil {
		return nil, err
	}
	return vault.Open(tree, catalogue())
}
