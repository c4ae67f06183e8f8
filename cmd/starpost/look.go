package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/orders"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Tell whose orders are in and what is due",
		Long:    `Tells the turn that is due, its deadline, and for every ship whether its orders are in.`,
		Example: "  starpost status wolf\n  starpost status wolf --json",
		Args:    exactly("a game directory"),
		RunE:    func(cmd *cobra.Command, args []string) error { return status(cmd, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}

type statusShip struct {
	Ship    string `json:"ship"`
	Captain string `json:"captain"`
	Side    string `json:"side"`
	Status  string `json:"status"`
	In      bool   `json:"in"`
	Final   bool   `json:"final,omitempty"`
	Wait    bool   `json:"wait,omitempty"`
}

func status(cmd *cobra.Command, dir string, asJSON bool) error {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	p, err := turn.Load(g)
	if err != nil {
		return err
	}
	ready, err := p.Ready()
	if err != nil {
		return err
	}
	m, err := g.Manifest(g.Turn())
	if err != nil {
		return err
	}
	state := p.State()
	in := map[string]turn.ShipState{}
	for _, s := range ready.Ships {
		in[s.ID] = s
	}
	var ships []statusShip
	for _, s := range state.Ships {
		ships = append(ships, statusShip{
			Ship: s.Name, Captain: s.Captain, Side: s.Side, Status: string(s.Status),
			In: in[s.ID].In, Final: in[s.ID].Final, Wait: in[s.ID].Wait,
		})
	}
	if asJSON {
		bad := map[string][]orders.Diagnostic{}
		for _, b := range ready.Bad {
			bad[b.File] = b.Diagnostics
		}
		return printJSON(cmd.OutOrStdout(), struct {
			Game     string                         `json:"game"`
			Title    string                         `json:"title"`
			Rules    string                         `json:"rules"`
			Turn     int                            `json:"turn"`
			Due      int                            `json:"due,omitempty"`
			Deadline time.Time                      `json:"deadline,omitzero"`
			Ships    []statusShip                   `json:"ships"`
			Bad      map[string][]orders.Diagnostic `json:"bad,omitempty"`
			Result   *engine.Result                 `json:"result,omitempty"`
		}{state.ID, state.Title, state.Rules, state.Turn, p.Due(), m.Deadline, ships, bad, state.Result})
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s (%s), %s: turn %d is played\n", state.Title, state.ID, state.Rules, state.Turn)
	if state.Result != nil {
		fmt.Fprintln(w, state.Result.Describe(func(id string) string {
			if s, ok := state.Side(id); ok {
				return s.Name
			}
			return id
		}))
	} else {
		fmt.Fprintf(w, "turn %d is due", p.Due())
		if !m.Deadline.IsZero() {
			fmt.Fprintf(w, ", deadline %s", reports.When(m.Deadline, nil))
		}
		fmt.Fprintln(w)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "SHIP\tCAPTAIN\tSIDE\tSTATE\tORDERS")
	for _, s := range ships {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", s.Ship, s.Captain, s.Side, s.Status, orderState(s, state.Result != nil))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, b := range ready.Bad {
		for _, l := range mistakes(b.File, b.Diagnostics) {
			fmt.Fprintln(cmd.ErrOrStderr(), l)
		}
	}
	return nil
}

func orderState(s statusShip, over bool) string {
	switch {
	case over || s.Status != string(engine.Active):
		return "-"
	case s.In && s.Final:
		return "in, final"
	case s.In && s.Wait:
		return "in, waits"
	case s.In:
		return "in"
	}
	return "missing"
}

type lookFlags struct {
	as         string
	turn       int
	html, json bool
	template   bool
	schema     bool
}

func reportCommand() *cobra.Command {
	f := lookFlags{turn: -1}
	cmd := &cobra.Command{
		Use:   "report DIR --as SHIP [--turn N]",
		Short: "Print a captain's report",
		Long: `Prints the report of a ship's captain: of the last turn, or another. --template
prints just the order template for the turn that is due, ready to be edited.`,
		Example: `  starpost report wolf --as Hood
  starpost report wolf --as Hood --turn 2 --html > turn2.html
  starpost report wolf --as Hood --template > wolf/orders/Hood.txt
  starpost report --schema`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.schema {
				return cobra.NoArgs(cmd, args)
			}
			return exactly("a game directory")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.schema {
				_, err := cmd.OutOrStdout().Write(reports.Schema())
				return err
			}
			return f.report(cmd, args[0])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.as, "as", "", "whose report: a ship")
	fl.IntVar(&f.turn, "turn", -1, "of which turn (default: the last)")
	fl.BoolVar(&f.html, "html", false, "as HTML, with the map as a picture")
	fl.BoolVar(&f.json, "json", false, "machine output: the view itself")
	fl.BoolVar(&f.template, "template", false, "only the order template for the turn that is due")
	fl.BoolVar(&f.schema, "schema", false, "print the JSON Schema of the machine output")
	cmd.MarkFlagsMutuallyExclusive("html", "json", "template", "schema")
	return cmd
}

// open finds the game and the ship, and the turn that is asked for.
func (f *lookFlags) open(dir string) (*vault.Game, *turn.Position, *engine.Ship, error) {
	if f.as == "" {
		return nil, nil, nil, usage("give --as SHIP", "whose report? each captain may know something else")
	}
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return nil, nil, nil, err
	}
	if f.turn > g.Turn() || f.turn < -1 {
		return nil, nil, nil, usage(fmt.Sprintf("turns 0 to %d are there", g.Turn()), "there is no turn %d yet", f.turn)
	}
	if f.turn == -1 {
		f.turn = g.Turn()
	}
	p, err := turn.Load(g)
	if err != nil {
		return nil, nil, nil, err
	}
	s, err := p.FindShip(f.as)
	if err != nil {
		return nil, nil, nil, err
	}
	return g, p, s, nil
}

func (f *lookFlags) report(cmd *cobra.Command, dir string) error {
	g, p, s, err := f.open(dir)
	if err != nil {
		return err
	}
	if f.template {
		text, err := p.Template(s.Captain, false)
		if err != nil {
			return err
		}
		if text == "" {
			return usage("starpost status "+dir, "%s owes no orders", s.Name)
		}
		fmt.Fprint(cmd.OutOrStdout(), text)
		return nil
	}
	ext := "txt"
	switch {
	case f.html:
		ext = "html"
	case f.json:
		ext = "json"
	}
	data, err := g.ReadFile(f.turn, path.Join("reports", s.ID+"."+ext))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("turn %d has no report for %s: %w", f.turn, s.Name, err)
	}
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(data)
	return err
}

func mapCommand() *cobra.Command {
	f := lookFlags{turn: -1}
	var svg bool
	cmd := &cobra.Command{
		Use:     "map DIR --as SHIP [--turn N]",
		Short:   "Print the map as a captain sees it",
		Long:    `Prints the map of a ship's captain as text, or with --svg as a picture.`,
		Example: "  starpost map wolf --as Hood\n  starpost map wolf --as Hood --svg > map.svg",
		Args:    exactly("a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, _, s, err := f.open(args[0])
			if err != nil {
				return err
			}
			if svg {
				data, err := g.ReadFile(f.turn, path.Join("reports", s.ID+".svg"))
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(data)
				return err
			}
			v, err := turn.ViewAt(g, f.turn, s.Name)
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), strings.TrimRight(reports.ASCII(g.Rules(), v), "\n")+"\n")
			return nil
		},
	}
	cmd.Flags().StringVar(&f.as, "as", "", "whose map: a ship")
	cmd.Flags().IntVar(&f.turn, "turn", -1, "of which turn (default: the last)")
	cmd.Flags().BoolVar(&svg, "svg", false, "as a picture")
	return cmd
}

func verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Play every turn again and compare all of it",
		Long: `Plays every turn again from its orders and the game's secret and compares states,
events and dice byte for byte, and all other files with their hashes. What was
changed is named. The exit code is 1 if anything was.`,
		Example: "  starpost verify wolf",
		Args:    exactly("a game directory"),
		RunE:    func(cmd *cobra.Command, args []string) error { return verify(cmd, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}

func verify(cmd *cobra.Command, dir string, asJSON bool) error {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), g.Turn()+1, "verifying")
	found, err := turn.Verify(g, func(n int) { bar.at(n) })
	bar.done()
	if err != nil {
		return err
	}
	if asJSON {
		if found == nil {
			found = []turn.Finding{}
		}
		if err := printJSON(cmd.OutOrStdout(), found); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		if !asJSON {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d turns are just as they were played\n", g.ID(), g.Turn()+1)
		}
		return nil
	}
	for _, f := range found {
		fmt.Fprintln(cmd.ErrOrStderr(), f)
	}
	return &hintedError{
		msg:  fmt.Sprintf("%s is not as it was played: %d findings", g.ID(), len(found)),
		hint: "restore the named files from a backup, or take them for what they are: altered",
	}
}

type hintedError struct{ msg, hint string }

func (e *hintedError) Error() string { return e.msg }
func (e *hintedError) Hint() string  { return e.hint }
