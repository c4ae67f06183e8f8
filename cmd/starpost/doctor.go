package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
)

func doctorCommand() *cobra.Command {
	var file, nameServer, trial string
	var asJSON, repair, health, resend bool
	patience := clock.Span(doctor.PlusMailTimeout)
	cmd := &cobra.Command{
		Use:   "doctor --config FILE [--repair | --resend | --health] | --try DIR",
		Short: "Check everything the daemon needs",
		Long: `Checks the mailbox, the outgoing server, the clock, the state directory, its store and
every game. It reports what is wrong and how to fix it. The exit code is 1 if anything
is wrong.

It also sends a mail to the mailbox's own address with a plus tag, as in captains'
replies with a turn key, and waits for it to arrive: a minute, or --wait; --wait 0 sends
none. It reports what the receiving server found out about the sender.

Then it asks a name server, the system's or the one in --dns, what receivers of your
mails will find: MX, SPF, DMARC, the DKIM key of [dkim], and the sending server's
reverse name. It also reports how many mails went out and came back, and the limits of
large providers.

--repair instead repairs the daemon's own records: the store from its copy and the game
directories, the incoming mails, and what a crash left in games. No server is asked and
nothing is sent. You can repeat it; it does nothing while a daemon runs.

--resend sends all mails again that were given up in the last 30 days because a server
refused them permanently. They keep their Message-IDs and go out within a poll if the
daemon runs, otherwise at its next start.

--health only checks whether the daemon is running and has read its mailboxes recently.
It changes nothing, needs no password, and is quick: use it for monitoring, say every
minute.

With --try a new version checks, before it takes over, whether it can continue with DIR:
it replays and compares every game there, and checks that it can read the store. DIR is
a backup, or a folder with games or with the daemon's records and games. Nothing in it
is changed, no configuration is needed, and a daemon of the old version may run
meanwhile.`,
		Example: `  starpost doctor --config /etc/starpost.toml
  starpost doctor --try /var/lib/starpost
  starpost doctor --config /etc/starpost.toml --repair
  starpost doctor --config /etc/starpost.toml --resend
  starpost doctor --config /etc/starpost.toml --health`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			chosen := 0
			for _, one := range []bool{repair, resend, health, trial != ""} {
				if one {
					chosen++
				}
			}
			if chosen > 1 {
				return usage("see: starpost doctor --help", "use only one of --repair, --resend, --health and --try")
			}
			if trial != "" {
				return diagnose(cmd, nil, asJSON, func(tell func(watch.Check)) error { return doctor.Try(cmd.Context(), trial, catalogue(), tell) })
			}
			if !health {
				return diagnoseFile(cmd, file, asJSON, func(c *config.Config, tell func(watch.Check)) error {
					switch {
					case resend:
						return doctor.Resend(cmd.Context(), c, tell)
					case repair:
						return daemon.Repair(cmd.Context(), process.Options{Config: c, Catalogue: catalogue()}, tell)
					}
					doctor.Examine(cmd.Context(), c, catalogue(), patience.Duration(), tell)
					doctor.Sending(cmd.Context(), c, nameServer, tell)
					return nil
				})
			}
			c, err := lookAtConfig(file)
			if err != nil {
				return err
			}
			return diagnose(cmd, c, asJSON, func(tell func(watch.Check)) error {
				for _, check := range watch.Health(c, time.Now()) {
					tell(check)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&repair, "repair", false, "repair the daemon's own records")
	cmd.Flags().Func("wait", "how long to wait for the test mail: `TIME` such as 5m, 0 to send none (default 1m)", func(text string) (err error) {
		patience, err = clock.ParseSpan(text)
		return err
	})
	cmd.Flags().StringVar(&nameServer, "dns", "", "the name server to ask: an `ADDRESS` with or without a port")
	cmd.Flags().StringVar(&trial, "try", "", "replay all games in `DIR` with this program")
	cmd.Flags().BoolVar(&resend, "resend", false, "resend the mails that were given up")
	cmd.Flags().BoolVar(&health, "health", false, "only check whether the daemon is running")
	return cmd
}

func diagnoseFile(cmd *cobra.Command, file string, asJSON bool, look func(c *config.Config, tell func(watch.Check)) error) error {
	c, err := loadConfig(file)
	if err != nil {
		return err
	}
	return diagnose(cmd, c, asJSON, func(tell func(watch.Check)) error { return look(c, tell) })
}

// diagnose prints the results of checks; failed checks are an error. There may be no configuration.
func diagnose(cmd *cobra.Command, c *config.Config, asJSON bool, look func(tell func(watch.Check)) error) error {
	w := cmd.OutOrStdout()
	var checks []watch.Check
	bad := 0
	tell := func(check watch.Check) {
		checks = append(checks, check)
		if !check.OK() {
			bad++
		}
		if asJSON {
			return
		}
		if check.OK() {
			fmt.Fprintf(w, "ok   %s: %s\n", check.What, check.Found)
			return
		}
		fmt.Fprintf(w, "BAD  %s: %s\n", check.What, check.Problem)
		if check.Hint != "" {
			fmt.Fprintf(w, "     hint: %s\n", check.Hint)
		}
	}
	if err := look(tell); err != nil {
		return err
	}
	if c != nil {
		for _, warning := range c.Warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", warning)
		}
	}
	if asJSON {
		if err := printJSON(w, checks); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d checks failed", bad, len(checks))
	}
	return nil
}
