package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/engine/rehearsal"
	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/orderset"
	"starpost/pbem/rehearse"
)

type rehearseFlags struct {
	as      string
	view    string
	against []string
	times   int
	seed    uint64
	json    bool
}

func rehearseCommand() *cobra.Command {
	var f rehearseFlags
	cmd := &cobra.Command{
		Use:   "rehearse DIR --as SHIP[/POST] [FILE...] | --view VIEW [FILE...]",
		Short: "Try out orders against what others may do",
		Long: `Plays the turn that is due many times with different dice, using only what a captain
knows, and prints ranges: hits, damage, losses, where ships end. FILEs contain the
captain's orders ("-" reads standard input); without any, those in force are played.
What the captain cannot know is assumed from the ship's class, and listed at the end.

Robots command the other ships. --against makes one keep her course without firing, or
take orders from a file. Nothing is stored, and the dice are not those of the game; the
same --seed gives the same answer. In a game played phase by phase, the phase that is
due is rehearsed. A game under a table's own rules cannot be rehearsed.

With --view no game directory is needed: the JSON file that comes with each report by
mail gives the situation, and only the orders in FILEs are played.`,
		Example: `  starpost rehearse wolf --as Hood draft.txt
  starpost rehearse wolf --as Hood --against riskadh=keep --times 500
  starpost rehearse wolf --as Hood --against riskadh=riskadh.txt --json
  starpost rehearse --view wolf-hood-3.json draft.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.view != "" && f.as != "":
				return usage("leave out --as", "a view says whose it is")
			case len(args) < 1 && f.view == "":
				return usage("usage: "+cmd.UseLine(), "rehearse needs a game directory")
			case f.as == "" && f.view == "":
				return usage("give --as SHIP", "whose orders? each captain knows something different")
			case f.times < 1:
				return usage(fmt.Sprintf("%d is usual", rehearsal.UsualTimes), "--times %d is not a number of battles", f.times)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			task, err := f.task(cmd, args)
			if err != nil {
				return err
			}
			return f.rehearse(cmd, task)
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.as, "as", "", "rehearse for this `SHIP`, or SHIP/POST")
	fl.StringVar(&f.view, "view", "", "rehearse from the view of a report, a JSON `FILE`, instead of a game directory")
	fl.StringArrayVar(&f.against, "against", nil, "how another ship acts: `SHIP=robot`, SHIP=keep or SHIP=FILE with orders (repeatable)")
	fl.IntVar(&f.times, "times", rehearsal.UsualTimes, fmt.Sprintf("how `MANY` battles to play, at most %d", rehearsal.MaxTimes))
	fl.Uint64Var(&f.seed, "seed", 1, "derive the dice from this `NUMBER`")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	completeFlag(cmd, "as", shipsOfGame)
	return cmd
}

// task returns what is known, from a view or a game directory, and the captain's orders.
func (f *rehearseFlags) task(cmd *cobra.Command, args []string) (task rehearsal.Task, err error) {
	task = rehearsal.Task{Times: f.times, Seed: f.seed, Budget: 10 * rehearsal.UsualBudget}
	if f.view != "" {
		g, v, err := known(cmd, f.view)
		if err != nil {
			return task, err
		}
		task.Rules, task.View = g.Rules, v
		task.Sets, err = ordersIn(cmd, args, func(src []byte) orderset.Reading { return g.Check(src, v.Viewer.Captain) })
		return task, err
	}
	g, p, seat, err := (&lookFlags{as: f.as, turn: -1}).open(cmd, args[0])
	if err != nil {
		return task, err
	}
	task.Rules = g.Rules()
	if task.View, err = p.View(seat); err != nil {
		return task, err
	}
	s, _ := p.State().Ship(seat.Ship)
	captain := s.Holder(seat.Post)
	if len(args) == 1 {
		task.Sets, err = rehearse.InForce(g, p, captain)
		return task, err
	}
	task.Sets, err = ordersIn(cmd, args[1:], func(src []byte) orderset.Reading { return p.CheckAs(src, captain) })
	return task, err
}

func (f *rehearseFlags) rehearse(cmd *cobra.Command, task rehearsal.Task) error {
	named := map[engine.ShipID]string{} // files of orders for other ships
	for _, word := range f.against {
		other, file, err := rehearse.Other(word)
		if err != nil {
			return usage(wayOut(err), "%s", err)
		}
		if file != "" {
			text, err := readInput(cmd, "orders", file, orders.MaxBytes)
			if err != nil {
				return err
			}
			other.Text = string(text)
		}
		named[other.Ship] = file
		task.Others = append(task.Others, other)
	}
	bands, err := rehearsal.Run(task)
	var refused *rehearsal.Refusal
	switch {
	case errors.As(err, &refused) && len(refused.Diagnostics) > 0:
		return mistakes(console.Mistakes(named[refused.Ship], refused.Diagnostics), refused.Way, "%s", refused)
	case errors.As(err, &refused):
		return usage(refused.Way, "%s", refused)
	case err != nil:
		return err
	}
	return show(cmd, f.json, bands, func(w io.Writer) { fmt.Fprint(w, rehearse.Text(bands)) })
}

// ordersIn reads the order sets in files.
func ordersIn(cmd *cobra.Command, files []string, look func(src []byte) orderset.Reading) (out []rehearsal.Set, err error) {
	var lines []string
	for _, file := range files {
		src, err := readInput(cmd, "orders", file, orders.MaxBytes)
		if err != nil {
			return nil, err
		}
		read := look(src)
		if orders.HasErrors(read.Diagnostics) {
			lines = append(lines, console.Mistakes(file, read.Diagnostics)...)
		}
		out = append(out, read.Rehearsed()...)
	}
	if len(lines) > 0 {
		return nil, mistakes(lines, "", "the orders have mistakes; nothing was played")
	}
	return out, nil
}
