package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"starpost/cmd/setup"
	"starpost/pbem/config"
	"starpost/pbem/dkim"
)

func initCommand() *cobra.Command {
	var first config.First
	cmd := &cobra.Command{
		Use:   "init FILE [--address ADDRESS --imap HOST --smtp HOST]",
		Short: "Write a host's first settings",
		Long: `Asks five questions and writes the daemon's configuration into FILE: the robot's
address, its mailbox server (IMAP), its outgoing server (SMTP), the file with the
password for both, and the name of your house. Flags answer questions in advance;
without a terminal they must answer all of them. A server is HOST, HOST:PORT or
HOST:PORT,TLS, where TLS is tls, starttls or, on this machine only, none.

Nothing is ever overwritten: FILE must not exist, or must contain only comments, as
installed by a package; the settings then go below them. On a terminal you can type in
the password if its file does not exist yet.

For a FILE below /etc the games and records go below /var/lib/starpost, otherwise next
to FILE. Then check the settings with starpost doctor --config FILE.`,
		Example: `  starpost init starpost.toml
  starpost init /etc/starpost/starpost.toml
  starpost init starpost.toml --address battles@example.org --imap mail.example.org --smtp mail.example.org:587`,
		Args:              exactly("a file to write"),
		ValidArgsFunction: tomlFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := setup.Write(args[0], first, cmd.InOrStdin(), cmd.OutOrStdout())
			if missing, ok := errors.AsType[*setup.MissingError](err); ok {
				return usage("see: starpost init --help", "%s", missing)
			}
			if wrong, ok := errors.AsType[*setup.MistakesError](err); ok {
				return mistakes(wrong.Lines, "write it differently; nothing was written", "%s", wrong)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&first.Address, "address", "", "the robot's `ADDRESS`, without a plus tag")
	flags.StringVar(&first.IMAP, "imap", "", "the mailbox server (IMAP): `HOST`, HOST:PORT or HOST:PORT,TLS")
	flags.StringVar(&first.SMTP, "smtp", "", "the outgoing server (SMTP): `HOST`, HOST:PORT or HOST:PORT,TLS")
	flags.StringVar(&first.PasswordFile, "password-file", "", "the `FILE` with the password for both (default secrets/mail)")
	flags.StringVar(&first.Name, "name", "", "the name of your house, shown before the address in mails (default Starpost)")
	flags.StringVar(&first.User, "user", "", "the `NAME` to log in with (default: the address)")
	flags.StringVar(&first.State, "state", "", "the `DIR` for the daemon's own records")
	flags.StringVar(&first.Games, "games", "", "where the games are: a `PATTERN` such as games/*")
	flags.StringVar(&first.CAFile, "ca-file", "", "a PEM `FILE` of certificates to trust instead of the system's")
	return cmd
}

func dkimCommand() *cobra.Command {
	var domain, selector string
	cmd := &cobra.Command{
		Use:   "dkim KEYFILE --domain DOMAIN [--selector NAME]",
		Short: "Make a key for signing mails, and show the record to publish",
		Long: `Makes a private key (RSA, 2048 bits) in KEYFILE, readable only by its owner, and prints
the record to publish in the domain name system and the settings that make the daemon
sign its mails with it (DKIM, RFC 6376). An existing key is left as it is, and only its
record is printed.

Sign only if your mail server does not: large providers sign mails themselves.`,
		Example: `  starpost dkim secrets/dkim --domain example.org
  starpost dkim secrets/dkim-2027 --domain example.org --selector sp2027`,
		Args: exactly("a file for the key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if domain == "" {
				return usage("give --domain DOMAIN: that of the robot's address", "which domain signs? none is given")
			}
			key, made, err := dkim.KeyIn(args[0])
			if err != nil {
				return err
			}
			record, err := key.Record()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if made {
				fmt.Fprintf(w, "made %s; keep it safe like a password\n\n", args[0])
			}
			fmt.Fprintf(w, "Publish this record:\n\n%s._domainkey.%s. IN TXT %s\n", selector, domain, dkim.ZoneText(record))
			fmt.Fprintf(w, "\nthen sign mails with these settings:\n\n[dkim]\ndomain = %q\nselector = %q\nkey_file = %q\n", domain, selector, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&domain, "domain", "", "the `DOMAIN` of the robot's address")
	cmd.Flags().StringVar(&selector, "selector", config.DKIMSelector, "the `NAME` of the key in the domain")
	return cmd
}
