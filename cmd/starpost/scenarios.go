package main

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine/scenario"
	"starpost/pbem/console"
)

func scenariosCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scenarios [NAME]",
		Short: "List the built-in scenarios, or print one",
		Long: `Lists the scenarios with their rule sets, sides and ships. With a name, prints the
scenario file, a good start for your own.`,
		Example: `  starpost scenarios
  starpost scenarios convoy > my-convoy.toml
  starpost new mine --scenario my-convoy.toml`,
		Args: atMost("scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := builtinScenarios()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				data, err := scenarioNamed(files, args[0])
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(data)
				return err
			}
			return listScenarios(cmd, files, asJSON)
		},
		ValidArgsFunction: once(scenarioNames),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

type scenarioRow struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	Rules  string   `json:"rules"`
	Sides  []string `json:"sides"`
	Ships  int      `json:"ships"`
	Source string   `json:"source"`
	Text   string   `json:"text"`
}

func listScenarios(cmd *cobra.Command, files map[string][]byte, asJSON bool) error {
	var rows []scenarioRow
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s, diags := scenario.Parse(files[name])
		if s == nil {
			return mistakes(console.Mistakes(name+".toml", diags), "", "a built-in scenario is broken")
		}
		row := scenarioRow{Name: name, Title: s.Title, Rules: s.Rules, Ships: len(s.Ships), Source: s.Source, Text: strings.TrimSpace(s.Text)}
		for _, side := range s.Sides {
			row.Sides = append(row.Sides, side.Name)
		}
		rows = append(rows, row)
	}
	lines := [][]string{{"NAME", "RULES", "SHIPS", "TITLE", "SIDES"}}
	for _, r := range rows {
		lines = append(lines, []string{r.Name, r.Rules, strconv.Itoa(r.Ships), r.Title, strings.Join(r.Sides, ", ")})
	}
	return show(cmd, asJSON, rows, func(w io.Writer) { table(w, lines...) })
}
