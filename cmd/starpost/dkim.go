package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/dkim"
	"starpost/pbem/fault"
)

func dkimCommand() *cobra.Command {
	var domain, selector string
	cmd := &cobra.Command{
		Use:   "dkim KEYFILE --domain DOMAIN [--selector NAME]",
		Short: "Make a key that mails are signed with, and tell what to publish",
		Long: `Makes a private key (RSA, 2048 bits) in KEYFILE, which only its owner may read, and
prints the record to publish in the domain name system and the settings that have the
daemon sign its mails with it (DKIM, RFC 6376). A key that is there already is left as
it is, and only its record is printed.

Sign only if your mail server does not: large providers do it themselves.`,
		Example: `  starpost dkim secrets/dkim --domain example.org
  starpost dkim secrets/dkim-2027 --domain example.org --selector sp2027`,
		Args: exactly("a file for the key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if domain == "" {
				return usage("give --domain DOMAIN: that of the robot's address", "it is not said which domain signs")
			}
			key, made, err := keyIn(args[0])
			if err != nil {
				return err
			}
			record, err := key.Record()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if made {
				fmt.Fprintf(w, "made %s; keep it as you keep a password\n\n", args[0])
			}
			fmt.Fprintf(w, "Publish this record:\n\n%s._domainkey.%s. IN TXT %s\n", selector, domain, zoneText(record))
			fmt.Fprintf(w, "\nand then have mails signed by these settings:\n\n[dkim]\ndomain = %q\nselector = %q\nkey_file = %q\n", domain, selector, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&domain, "domain", "", "the `DOMAIN` of the robot's address")
	cmd.Flags().StringVar(&selector, "selector", config.DKIMSelector, "the `NAME` of the key in the domain")
	return cmd
}

// zoneText is a record as zone files have it: in parts of at most 255 bytes (RFC 1035, 3.3.14).
func zoneText(record string) string {
	const most = 255
	text := ""
	for ; len(record) > most; record = record[most:] {
		text += fmt.Sprintf("%q ", record[:most])
	}
	return "( " + text + fmt.Sprintf("%q )", record)
}

// keyIn reads the key in a file, or makes one where there is no file.
func keyIn(file string) (key dkim.Key, made bool, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return key, false, fmt.Errorf("write the key: %w", err)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		text, err := readFile("the key", file, 16<<10)
		if err != nil {
			return key, false, err
		}
		if key, err = dkim.ParseKey(text); err != nil {
			return key, false, fault.New("name another file for a new key; nothing was changed", "%s: %s", file, err)
		}
		return key, false, nil
	}
	if err != nil {
		return key, false, fmt.Errorf("write the key: %w", err)
	}
	if key, err = dkim.NewKey(); err == nil {
		err = writeSigningKey(f, key)
	}
	return key, true, errors.Join(err, f.Close())
}

func writeSigningKey(f *os.File, key dkim.Key) error {
	text, err := key.PEM()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(f, string(text)); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	return nil
}
