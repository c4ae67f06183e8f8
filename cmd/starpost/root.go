package main

import (
	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/cmd/stores"
	"starpost/cmd/suite"
)

// newRoot builds the command tree.
func newRoot(s std) *cobra.Command {
	root := &cobra.Command{
		Use:   "starpost",
		Short: "Tactical starship battles by electronic mail",
		Long: `Starpost hosts tactical starship battles by electronic mail: it reads plain-text orders
from a mailbox, answers each mail, resolves a turn when all orders are in or time is
up, and mails every captain a report and a map with only what that captain may know.

The same engine resolves turns from order files on disk.`,
		Example: `  starpost demo
  starpost new wolf --scenario big-bad-wolf
  starpost check wolf wolf/orders/Hood.txt
  starpost turn wolf
  starpost report wolf --as Hood`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          exactly(),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:       about.Version(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: "play", Title: "Play a game from files:"},
		&cobra.Group{ID: "mail", Title: "Play by mail:"},
		&cobra.Group{ID: "look", Title: "Built in:"},
	)
	for group, cmds := range map[string][]*cobra.Command{
		"play": {
			newCommand(s.now), checkCommand(), rehearseCommand(), turnCommand(s.now), statusCommand(s.now),
			reportCommand(), mapCommand(), composeCommand(), replayCommand(), verifyCommand(), archiveCommand(s.now), campaignCommand(),
		},
		"mail": {
			demoCommand(), serveCommand(), deliverCommand(), siteCommand(s.now), recordCommand(s.now), cupCommand(s.now),
			refereeCommand(s.now), explainCommand(), initCommand(), dkimCommand(),
			configCommand(), doctorCommand(), backupCommand(), storesKit().Move(), storesKit().Checkout(s.now), storesKit().Checkin(s.now), stores.Command(storesKit()), clearCommand(s.now),
		},
		"look": {shipsCommand(), rulesCommand(), scenariosCommand(), balanceCommand(), allocateCommand(), suite.Command(usage)},
	} {
		for _, c := range cmds {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	root.AddCommand(completionCommand(), manCommand(), versionCommand())
	root.SetHelpCommand(helpCommand())
	return root
}
