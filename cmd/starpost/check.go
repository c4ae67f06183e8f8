package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/rulesets"
	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/compose"
	"starpost/pbem/console"
	"starpost/pbem/orderset"
	"starpost/pbem/pgp"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

type checkFlags struct {
	view         string
	json, schema bool
}

func checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check DIR FILE... | --view VIEW FILE...",
		Short: "Diagnose order files",
		Long: `Reads order files for the turn that is due and shows, line by line, what each order
would do, with all errors and warnings. Nothing is stored. "-" reads standard input.
Files in DIR/orders must also be named after their ship. The exit code is 3 if any
file has errors. Unusable OpenPGP keys of captains give a warning.

With --view no game directory is needed: the JSON file that comes with each report by
mail gives the situation. This is for captains who play by mail, and their programs.`,
		Example: `  starpost check wolf wolf/orders/Hood.txt
  starpost check wolf - < draft.txt
  starpost check --view wolf-3-hood.json draft.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.schema && len(args) > 0:
				return usage("leave out the files", "the schema is the same for all files")
			case f.schema:
			case f.view != "" && len(args) < 1:
				return usage("usage: "+cmd.UseLine(), "check --view needs at least one order file")
			case f.view == "" && len(args) < 2:
				return usage("usage: "+cmd.UseLine(), "check needs a game directory and at least one order file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.schema:
				_, err := cmd.OutOrStdout().Write(orderset.Schema())
				return err
			case f.view != "":
				g, v, err := known(cmd, f.view)
				if err != nil {
					return err
				}
				return f.check(cmd, args, func(_ string, src []byte) orderset.Reading { return g.Check(src, v.Viewer.Captain) })
			}
			look, err := byGame(cmd, args[0])
			if err != nil {
				return err
			}
			return f.check(cmd, args[1:], look)
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
	}
	cmd.Flags().StringVar(&f.view, "view", "", "check against the view of a report, a JSON `FILE`, instead of a game directory")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.schema, "schema", false, "print the JSON Schema of --json")
	return cmd
}

// byGame returns a function that checks files with everything known of a game.
func byGame(cmd *cobra.Command, dir string) (func(file string, src []byte) orderset.Reading, error) {
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		return nil, err
	}
	p, err := turn.Load(g)
	if err != nil {
		return nil, err
	}
	for _, err := range pgp.CheckKeys(g, time.Now()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\nhint: %s\n", err, wayOut(err))
	}
	return func(file string, src []byte) orderset.Reading {
		if f, ok := g.Orders.File(file, src); ok && file != "-" {
			return p.CheckFile(f) // as the turn will read it
		}
		return p.Check(src)
	}, nil
}

// known reads a report's view from a file, and returns the game as its captain knows it.
func known(cmd *cobra.Command, file string) (*orderset.Game, *engine.View, error) {
	data, err := readInput(cmd, "view", file, compose.MaxRequest)
	if err != nil {
		return nil, nil, err
	}
	g, v, err := compose.New(rulesets.Families()).Known(data)
	if err != nil {
		return nil, nil, mistakes(nil, wayOut(err), "%s cannot be read: %s", file, err)
	}
	return g, v, nil
}

func (f *checkFlags) check(cmd *cobra.Command, files []string, look func(file string, src []byte) orderset.Reading) error {
	var out []orderset.File
	var lines []string
	var bad []string
	for _, file := range files {
		src, err := readInput(cmd, "orders", file, orders.MaxBytes)
		if err != nil {
			return err
		}
		read := look(file, src)
		c := read.Data(file)
		if !c.OK {
			bad = append(bad, file)
		}
		out = append(out, c)
		lines = append(lines, console.Mistakes(file, read.Diagnostics)...)
	}
	if f.json {
		if err := printJSON(cmd.OutOrStdout(), out); err != nil {
			return err
		}
	} else {
		printChecked(cmd.OutOrStdout(), out)
	}
	if len(bad) > 0 {
		return mistakes(lines, "", "errors in %s; nothing was changed", strings.Join(bad, ", "))
	}
	for _, l := range lines {
		fmt.Fprintln(cmd.ErrOrStderr(), l)
	}
	return nil
}

func printChecked(w io.Writer, files []orderset.File) {
	for _, f := range files {
		for _, s := range f.Sets {
			verdict := "good"
			if !s.OK {
				verdict = "with errors"
			}
			who := "orders of " + s.Ship
			switch {
			case s.Ship != "":
			case s.Captain != "":
				who = "orders of captain " + string(s.Captain)
			default:
				who = fmt.Sprintf("orders from line %d on", s.Line)
			}
			if s.Turn > 0 {
				who += " for " + vault.Stage{Turn: s.Turn, Round: s.Phase}.String()
			}
			fmt.Fprintf(w, "%s: %s: %s\n", f.File, who, verdict)
			for _, e := range s.Effects {
				fmt.Fprintf(w, "  line %d: %s\n", e.Line, e.Text)
			}
			for _, line := range s.Summary {
				fmt.Fprintf(w, "  %s\n", line)
			}
		}
	}
}
