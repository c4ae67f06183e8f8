package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/orderset"
	"starpost/pbem/pgp"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func checkCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check DIR FILE...",
		Short: "Diagnose order files",
		Long: `Reads order files for the turn that is due and tells, line by line, what each
order would do, with all errors and warnings. Nothing is stored. "-" reads
standard input. Files in DIR/orders must also bear the name of their ship. The exit
code is 3 if any file has errors. OpenPGP keys of captains that cannot be used are
warned of.`,
		Example: `  starpost check wolf wolf/orders/Hood.txt
  starpost check wolf - < draft.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage("usage: "+cmd.UseLine(), "check wants a game directory and an order file or more")
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, args []string) error { return check(cmd, args[0], args[1:], asJSON) },
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}

type checkedFile struct {
	File        string              `json:"file"`
	Sets        []checkedSet        `json:"sets"`
	Diagnostics []orders.Diagnostic `json:"diagnostics"`
	OK          bool                `json:"ok"`
}

type checkedSet struct {
	Ship      string             `json:"ship,omitempty"` // its name; empty for a captain's set
	Captain   engine.CaptainName `json:"captain"`
	Turn      int                `json:"turn"`
	Phase     int                `json:"phase,omitempty"`
	OK        bool               `json:"ok"`
	Canonical string             `json:"canonical"`
	Effects   []effect           `json:"effects"`
	Summary   []string           `json:"summary"`

	line int // where it begins
}

type effect struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func check(cmd *cobra.Command, dir string, files []string, asJSON bool) error {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	p, err := turn.Load(g)
	if err != nil {
		return err
	}
	for _, err := range pgp.CheckKeys(g, time.Now()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\nhint: %s\n", err, wayOut(err))
	}
	var out []checkedFile
	var lines []string
	var bad []string
	for _, file := range files {
		src, err := readInput(cmd, "orders", file, orders.MaxBytes)
		if err != nil {
			return err
		}
		var read orderset.Reading
		if f, ok := g.OrderFile(file, src); ok && file != "-" {
			read = p.CheckFile(f) // as the turn will take it
		} else {
			read = p.Check(src)
		}
		c := checkedFile{File: file, Diagnostics: read.Diagnostics, OK: !orders.HasErrors(read.Diagnostics), Sets: []checkedSet{}}
		if c.Diagnostics == nil {
			c.Diagnostics = []orders.Diagnostic{} // a list in JSON, not null
		}
		if !c.OK {
			bad = append(bad, file)
		}
		for _, s := range read.Sets {
			cs := checkedSet{Captain: s.Captain, Turn: s.Turn, Phase: s.Round, OK: s.OK(), Canonical: s.Text, Summary: s.Checked.Summary, Effects: []effect{}, line: s.Raw.Start.Line}
			if s.Ship != "" {
				cs.Ship = s.Name
			}
			for _, e := range s.Checked.Effects {
				cs.Effects = append(cs.Effects, effect{e.Line, e.Text})
			}
			slices.SortStableFunc(cs.Effects, func(a, b effect) int { return cmp.Compare(a.Line, b.Line) })
			c.Sets = append(c.Sets, cs)
		}
		out = append(out, c)
		lines = append(lines, console.Mistakes(file, read.Diagnostics)...)
	}
	if asJSON {
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

func printChecked(w io.Writer, files []checkedFile) {
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
				who = fmt.Sprintf("orders from line %d on", s.line)
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
