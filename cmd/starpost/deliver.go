package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/incoming"
)

func deliverCommand() *cobra.Command {
	var file, from, to string
	cmd := &cobra.Command{
		Use:   "deliver --config FILE [--to ADDRESS] [--from ADDRESS]",
		Short: "Accept a mail from the mail server",
		Long: `Reads one mail from standard input and stores it for the daemon of the
configuration, which picks it up within a second if it runs. Use it from .forward,
procmail, aliases or anything else that can run a program for each mail; the
mailbox needs a section [lmtp] in the configuration. See docs/operating.md.

The exit code is 0 when the mail is on stable storage; 75 when it cannot be stored
now, so the mail server keeps it and tries again; 65 for a mail larger than 10 MB,
and 67 for an address without a mailbox.`,
		Example: `  starpost deliver --config starpost.toml < mail.eml
  starpost deliver --config starpost.toml --to club@example.net --from ann@example.org < mail.eml`,
		Args: func(cmd *cobra.Command, args []string) error { return tryAgain(exactly()(cmd, args)) },
		RunE: func(cmd *cobra.Command, _ []string) error { return tryAgain(deliver(cmd, file, from, to)) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return tryAgain(flagError(cmd, err)) })
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().StringVar(&to, "to", "", "the `ADDRESS` that the mail came to; required if there are several mailboxes")
	cmd.Flags().StringVar(&from, "from", "", "the sender's `ADDRESS` according to the mail server")
	return cmd
}

// tryAgain makes the mail server keep the mail, unless the error already has an exit code: a mistake in the server's
// settings must not bounce mails.
func tryAgain(err error) error {
	if _, coded := errors.AsType[*deliveryError](err); err == nil || coded {
		return err
	}
	return &deliveryError{err, exitTryAgain}
}

func deliver(cmd *cobra.Command, file, from, to string) error {
	c, err := lookAtConfig(file)
	if err != nil {
		return err
	}
	box, err := mailboxOf(c, to)
	if err != nil {
		return err
	}
	if box.LMTP == nil {
		return fault.New("add a section [lmtp] to it in the configuration, and restart the daemon", "%s does not accept handed-over mails", box.Address)
	}
	in, err := incoming.Open(c.State, box.Address)
	if err != nil {
		return err
	}
	if to == "" {
		to = box.Address
	}
	e := incoming.Envelope{To: []string{to}}
	if cmd.Flags().Changed("from") { // empty is the null reverse-path of bounces
		e.ReturnPath = "<" + from + ">"
	}
	switch err := in.Put(e, cmd.InOrStdin()); {
	case errors.Is(err, incoming.ErrTooLarge), errors.Is(err, incoming.ErrEmpty):
		return &deliveryError{err, exitBadMail}
	default:
		return err
	}
}

// mailboxOf returns the mailbox that a mail is addressed to.
func mailboxOf(c *config.Config, to string) (config.Mailbox, error) {
	all := c.Mailboxes()
	if to == "" {
		if len(all) > 1 {
			return config.Mailbox{}, usage("name it by --to", "there are %d mailboxes", len(all))
		}
		return all[0], nil
	}
	for _, box := range all {
		if strings.EqualFold(box.Address, incoming.WithoutTag(to)) {
			return box, nil
		}
	}
	return config.Mailbox{}, &deliveryError{fmt.Errorf("no mailbox of %s has the address %s", c.File, to), exitNoMailbox}
}
