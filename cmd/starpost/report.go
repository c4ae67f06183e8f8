package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/engine"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

type lookFlags struct {
	as         string
	turn       int
	phase      int
	html, json bool
	mail       bool
	template   bool
	schema     bool
}

func reportCommand() *cobra.Command {
	f := lookFlags{turn: -1}
	cmd := &cobra.Command{
		Use:   "report DIR --as SHIP[/POST] [--turn N [--phase K]]",
		Short: "Print a captain's report",
		Long: `Prints the report of a ship's captain for the last turn, or another; in a game played
phase by phase, for the last phase. SHIP/POST is the officer at a post on a ship; vacant
posts are in the captain's report. --template prints only the order template for what is
due, ready to edit.

Text and view are stored with the turn. HTML and mail are drawn from them; the same
version of the program always draws the same bytes.`,
		Example: `  starpost report wolf --as Hood
  starpost report wolf --as Hood --turn 2 --html > turn2.html
  starpost report wolf --as Hood --mail > turn.eml
  starpost report wolf --as Hood --template > wolf/orders/Hood.txt
  starpost report --schema`,
		Args: func(cmd *cobra.Command, args []string) error {
			asked := 0
			for _, form := range []bool{f.html, f.json, f.mail, f.template, f.schema} {
				if form {
					asked++
				}
			}
			if asked > 1 {
				return usage("the report as text needs none of them", "give one of --html, --json, --mail, --template and --schema, not %d", asked)
			}
			if f.schema {
				return exactly()(cmd, args)
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
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.as, "as", "", "print the report of this `SHIP`, or SHIP/POST")
	fl.IntVar(&f.turn, "turn", -1, "print turn `N`")
	fl.Lookup("turn").DefValue = "the last"
	fl.IntVar(&f.phase, "phase", 0, "print phase `K` of it (default: the whole turn, if it is over)")
	fl.BoolVar(&f.html, "html", false, "print HTML, with the map as a picture")
	fl.BoolVar(&f.json, "json", false, "print the view as JSON")
	fl.BoolVar(&f.mail, "mail", false, "print the mail that the captain gets")
	fl.BoolVar(&f.template, "template", false, "print only the order template for the turn that is due")
	fl.BoolVar(&f.schema, "schema", false, "print the JSON Schema of --json")
	completeFlag(cmd, "as", shipsOfGame)
	stores.Flag(cmd)
	return cmd
}

// at returns the stage to look at.
func (f *lookFlags) at() vault.Stage { return vault.Stage{Turn: f.turn, Round: f.phase} }

// open returns the game, and the position and seat that the flags select.
func (f *lookFlags) open(cmd *cobra.Command, dir string) (g *vault.Game, p *turn.Position, seat engine.Seat, err error) {
	if f.as == "" {
		return nil, nil, seat, usage("give --as SHIP", "whose report? each captain may know something different")
	}
	g, err = openGame(cmd, dir)
	if err != nil {
		return nil, nil, seat, err
	}
	newest := g.Newest()
	switch {
	case f.turn > newest.Turn || f.turn < -1:
		return nil, nil, seat, usage(fmt.Sprintf("the last is turn %d", newest.Turn), "there is no turn %d", f.turn)
	case f.turn == -1 && f.phase == 0, f.turn == newest.Turn && f.phase == 0:
		f.turn, f.phase = newest.Turn, newest.Round
	case f.turn == -1:
		f.turn = newest.Turn
	}
	if _, err := g.Stages.Manifest(f.at()); f.phase != 0 && err != nil {
		return nil, nil, seat, usage(fmt.Sprintf("the last is %s", newest), "there is no %s", f.at())
	}
	p, err = turn.Load(g)
	if err != nil {
		return nil, nil, seat, err
	}
	if seat, err = p.FindSeat(f.as); err != nil {
		return nil, nil, seat, usage(wayOut(err), "%s", err)
	}
	if s, _ := p.State().Ship(seat.Ship); seat.Post != "" && s.Crew[seat.Post] == "" {
		seat.Post = "" // the captain's seat covers this post
	}
	return g, p, seat, nil
}

// orders returns the order template of a ship's captain. If ships have posts, it is the template of the seat alone,
// because order files contain one set each.
func (f *lookFlags) orders(g *vault.Game, p *turn.Position, s *engine.Ship) (string, error) {
	if len(g.Rules().Posts()) == 0 {
		return p.Template(s.Captain, false)
	}
	seat, err := p.FindSeat(f.as)
	if err != nil {
		return "", err
	}
	return p.SeatTemplate(seat)
}

func (f *lookFlags) report(cmd *cobra.Command, dir string) error {
	g, p, seat, err := f.open(cmd, dir)
	if err != nil {
		return err
	}
	s, _ := p.State().Ship(seat.Ship)
	name := engine.OrderSetName(s.Name, seat.Post)
	if f.template {
		text, err := f.orders(g, p, s)
		if err != nil {
			return err
		}
		if text == "" {
			return usage(g.CommandLine("status"), "%s owes no orders", name)
		}
		fmt.Fprint(cmd.OutOrStdout(), text)
		return nil
	}
	form := turn.Text
	switch {
	case f.html:
		form = turn.HTML
	case f.json:
		form = turn.JSON
	}
	d, err := turn.Draw(g, f.at())
	if err != nil {
		return err
	}
	if f.mail {
		return printMail(cmd, d, s.Officer(seat.Post), f.at())
	}
	data, err := d.Report(seat, form)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no report for %s: %w", f.at(), name, err)
	}
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(data)
	return err
}

// printMail prints the mail to a captain.
func printMail(cmd *cobra.Command, d *turn.Drawing, captain engine.CaptainName, at vault.Stage) error {
	name := d.MailTo(captain)
	if name == "" {
		return usage("leave --mail out for the report as text", "no mail with %s went to captain %s: there was no address, or nothing changed in it", at, captain)
	}
	raw, without, err := d.Mail(name)
	if without != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: the mail is without its page: %v\n", without)
	}
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(raw)
	return err
}
