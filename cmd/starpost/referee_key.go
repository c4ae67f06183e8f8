package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

func keyCommand(now func() time.Time) *cobra.Command {
	var renew bool
	var by, why string
	cmd := &cobra.Command{
		Use:   "key DIR NAME [--renew]",
		Short: "Print a referee's key",
		Long: `Prints the key with which a referee's mails are his while the turn that is due is due.
The robot sends it with each turn. With --renew it is another one from now on, and the
robot mails it.`,
		Example:           "  starpost referee wolf key Rita\n  starpost referee wolf key Rita --renew",
		Args:              exactly("a game directory", "a referee"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := vault.Open(directory.At(args[0]), catalogue())
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
	cmd.Flags().StringVar(&by, "by", referee.ByReferee, "who acts: `NAME`")
	cmd.Flags().BoolVar(&renew, "renew", false, "make it another one")
	return cmd
}
