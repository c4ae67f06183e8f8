package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/fault"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Look at the daemon's configuration",
		Long: `Commands about the daemon's configuration. An annotated example is
examples/starpost.toml.`,
		Example: "  starpost config check /etc/starpost.toml",
		Args:    exactly(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check a configuration and print what it amounts to",
		Long: `Reads a configuration, tells all its mistakes with line and column, and prints the
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
	return cmd
}

// loadConfig reads a configuration with the secrets that it points at; its
// mistakes are printed one a line.
func loadConfig(file string) (*config.Config, error) { return loadConfigBy(config.Load, file) }

// loadConfigBy is loadConfig with another way to read it.
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
