// Package stores has the commands for the database that several hosts share, and opens games that are kept in one.
package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/report"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/vault"
)

// Kit is what the commands need from the program: how to read a configuration, and how to check arguments and flags.
type Kit struct {
	Exactly  func(names ...string) cobra.PositionalArgs
	Config   func(file string) (*config.Config, error)
	Complete func(cmd *cobra.Command) // the flag config
	// The commands for games in the database also need these.
	Usage     func(hint, format string, args ...any) error
	Catalogue func() vault.Catalogue
	Progress  func(w io.Writer, steps int, what string) (at func(int), done func())
	GameFirst cobra.CompletionFunc
}

// Command returns "starpost store".
func Command(kit Kit) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Prepare and inspect the database that several hosts share",
		Long: `Prepares and inspects the PostgreSQL database that section [store] of the configuration
names. It holds games and the daemon's records of mails: those received, those to be
sent, and the answer to each. Without that section all of it is a file in the state
directory, and nothing needs preparing. See docs/many-hosts.md.`,
		Example: "  starpost store init --config starpost.toml\n  starpost store status --config starpost.toml",
		Args:    kit.Exactly(),
	}
	cmd.AddCommand(
		part(kit, "init", "Make the tables in an empty database", `Makes the tables in a database created with PostgreSQL's "createdb". --fill then copies
the store file of the state directory: mails, answers, mails waiting to be sent. Stop
all daemons first. The file does not change, and is no longer used. You can run the
command again: existing tables are left alone.`, prepare),
		part(kit, "migrate", "Bring the tables to the format of this version", `Brings the tables to the format of this version of starpost, after an upgrade. Stop all
hosts of earlier versions and make a backup first.`, migrate),
		part(kit, "check", "Check that the database keeps what it confirms", `Checks that the server does not lose what it has confirmed, that the tables are those of
this version, and that every incoming mail is stored unchanged.`, check),
		part(kit, "status", "Show what is in the database", `Shows which host serves each mailbox and how long its lease lasts, which games are
checked out, how many mails are waiting to be sent or were given up, and which
addresses bounce.`, status),
	)
	return cmd
}

func part(kit Kit, name, short, long string, do func(*cobra.Command, *config.Config) error) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: name + " --config FILE", Short: short, Long: long,
		Example: "  starpost store " + name + " --config starpost.toml",
		Args:    kit.Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := kit.Config(file)
			if err != nil {
				return err
			}
			if c.Store == nil {
				return fault.New("add it: [store] with url = \"postgres://USER@HOST/DATABASE\"; without, the store is a file and needs nothing", "%s has no section [store]", file)
			}
			return do(cmd, c)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	kit.Complete(cmd)
	if name == "init" {
		cmd.Flags().Bool("fill", false, "copy the store file of the state directory")
	}
	return cmd
}

func makeTables(ctx context.Context, c *config.Config) (from int, err error) {
	at, err := hosted.Place(c.Store)
	if err != nil {
		return 0, err
	}
	return postgres.Init(ctx, at)
}

func prepare(cmd *cobra.Command, c *config.Config) error {
	from, err := makeTables(cmd.Context(), c)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if from == 0 {
		fmt.Fprintln(out, "The tables are made.")
	} else {
		fmt.Fprintf(out, "The tables are there, in format %d.\n", postgres.Formats())
	}
	fill, err := cmd.Flags().GetBool("fill")
	if err != nil || !fill {
		return err
	}
	mails, err := hosted.Fill(cmd.Context(), c)
	if errors.Is(err, sqlstore.ErrFilled) {
		return &fault.Fault{Way: "leave --fill out, or make the database anew: dropdb, createdb, starpost store init --fill", Err: err}
	}
	if err == nil {
		fmt.Fprintf(out, "Copied what %s holds, with %d mails that came.\n", hosted.File(c), mails)
	}
	return err
}

func migrate(cmd *cobra.Command, c *config.Config) error {
	from, err := makeTables(cmd.Context(), c)
	switch {
	case err != nil:
		return err
	case from == postgres.Formats():
		fmt.Fprintf(cmd.OutOrStdout(), "The tables are in format %d, as they must be.\n", from)
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "The tables are brought from format %d to %d.\n", from, postgres.Formats())
	}
	return nil
}

func check(cmd *cobra.Command, c *config.Config) error {
	return hosted.View(cmd.Context(), c, func(s *sqlstore.Store) error {
		whole, damaged, err := s.VerifyRaws(cmd.Context())
		if err != nil {
			return err
		}
		for _, sha := range damaged {
			fmt.Fprintf(cmd.OutOrStdout(), "damaged: mail %s\n", sha)
		}
		if len(damaged) > 0 {
			return fault.New("restore the server's backup, or ask the senders to send them again", "%s damaged", report.Count(len(damaged), "mail"))
		}
		fmt.Fprintf(cmd.OutOrStdout(), "The server keeps what it confirms; the tables are in format %d; %s checked, none damaged.\n", postgres.Formats(), report.Count(whole, "mail"))
		return nil
	})
}

func status(cmd *cobra.Command, c *config.Config) (err error) {
	o, err := hosted.Inspect(cmd.Context(), c)
	if err != nil {
		return err
	}
	in, err := hosted.Games(cmd.Context(), c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	checkedOut, err := in.CheckedOut(cmd.Context())
	if err != nil {
		return err
	}
	served, err := hosted.Served(cmd.Context(), c)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	for _, m := range served {
		read := "not read yet"
		if !m.Looked.IsZero() {
			read = "read last " + m.Looked.Format("2006-01-02 15:04:05 UTC")
		}
		holder := "served by no host"
		if m.Holder != "" {
			holder = fmt.Sprintf("%s, for %s unless it renews its lease", m.Holder, m.Left.Round(time.Second))
		}
		fmt.Fprintf(out, "mailbox     %s: %s, %s\n", m.Mailbox, holder, read)
	}
	for _, h := range checkedOut {
		fmt.Fprintf(out, "checked out %s: %s\n", h.Game, h.Holder)
	}
	fmt.Fprintf(out, "to be sent  %d\ngiven up    %d\n", o.Waiting, o.GivenUp)
	for _, b := range o.Bouncing {
		fmt.Fprintf(out, "comes back  %s: %d mails, the last %s (%s)\n", b.Address, b.Mails, b.Last.Format("2006-01-02 15:04"), b.Why)
	}
	return nil
}
