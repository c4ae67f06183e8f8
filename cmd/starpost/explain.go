package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/orders"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/identity"
	"starpost/pbem/fault"
	"starpost/pbem/mime"
	"starpost/pbem/pgp"
	"starpost/pbem/readonly"
	"starpost/pbem/referee"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

func explainCommand() *cobra.Command {
	var file string
	var asJSON, asRaw bool
	cmd := &cobra.Command{
		Use:   "explain MAIL [--config FILE]",
		Short: "Show how the robot reads a raw mail",
		Long: `Reads a raw mail (a file, "-" for standard input, or with a configuration the
SHA-256 that names an incoming mail in the log) and shows how the robot would handle
it now: the sender and how far it is trusted, whether the mail counts as automatic,
which part was read, the order sets in canonical form, every diagnostic, and the
answer it would send. Nothing is changed.

Only a running daemon knows which mails it left unanswered (it mentions them in the
next answer), and which map a previous answer showed (it does not draw it again).
Without a configuration no games are known, every sender is a stranger, and no
answer is shown.`,
		Example: `  starpost explain mail.eml --config /etc/starpost.toml
  starpost explain - --json < mail.eml
  starpost explain 5f0c...e2 --config /etc/starpost.toml --raw > mail.eml`,
		Args: exactly("a file with a raw mail"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var c *config.Config
			if file != "" {
				var err error
				if c, err = lookAtConfig(file); err != nil { // no server is contacted, so no secret is needed
					return err
				}
			}
			raw, err := mailToExplain(cmd, args[0], c)
			if err != nil {
				return err
			}
			if asRaw {
				_, err := cmd.OutOrStdout().Write(raw)
				return err
			}
			return explain(cmd, raw, c, asJSON)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the daemon's configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&asRaw, "raw", false, "print the mail as it came")
	return cmd
}

// mailToExplain reads a mail from a file, standard input or, by its hash, the store.
func mailToExplain(cmd *cobra.Command, name string, c *config.Config) ([]byte, error) {
	if !store.IsContentHash(name) || c == nil {
		return readInput(cmd, "the mail", name, mime.MaxBytes)
	}
	raw, err := referee.Postbag{Host: c}.Load(cmd.Context(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New("use the sha256 from a line \"mail handled\" in the log; mails handled long ago are removed", "no mail of that name is stored")
	}
	return raw, err
}

func explain(cmd *cobra.Command, raw []byte, c *config.Config, asJSON bool) (err error) {
	cat := catalogue()
	var languages []*orders.Language
	for _, n := range slices.Sorted(maps.Keys(cat)) {
		r, err := cat.Rules(n, nil)
		if err != nil {
			return err
		}
		languages = append(languages, r.Language)
	}
	sum := sha256.Sum256(raw)
	m, readErr := mime.Read(raw)
	l := identity.Incoming{Mail: m, Err: readErr, SHA256: hex.EncodeToString(sum[:]), Received: time.Now()}
	var e desk.Explanation
	if c == nil {
		none := readonly.New(nil)
		d := &desk.Desk{Registry: identity.Registry{Signatures: pgp.Checker{}, Games: none}, Services: command.Services{Allocate: allocators(), Library: library(), Listings: none}}
		e, err = d.Explain(l, languages)
	} else {
		e, err = daemon.Explain(cmd.Context(), process.Options{Config: c, Catalogue: cat, Library: library(), Allocate: allocators()}, l, languages)
	}
	if err != nil {
		return err
	}
	bounce, isBounce := mime.ReadBounce(raw)
	if asJSON {
		out := explained{Explanation: e}
		if isBounce {
			out.Bounce = &bounce
		}
		return printJSON(cmd.OutOrStdout(), out)
	}
	printExplanation(cmd.OutOrStdout(), e)
	if isBounce {
		fmt.Fprintf(cmd.OutOrStdout(), "bounce:    mail %s to %s %s, %s: %s\n", bounce.MessageID, bounce.Recipient, bounce.Action, bounce.Status, bounce.Diagnostic)
	}
	return nil
}

// explained is an explanation, and what a mail server says in the mail.
type explained struct {
	desk.Explanation
	Bounce *mime.Bounce `json:"bounce,omitempty"`
}

func printExplanation(w io.Writer, e desk.Explanation) {
	fmt.Fprintf(w, "from:      %s\nsubject:   %s\ntrust:     %s\n", e.From, e.Subject, e.Trust)
	if e.Results != "" {
		fmt.Fprintf(w, "server:    %s\n", e.Results)
	}
	if e.Automatic {
		fmt.Fprintf(w, "automatic: %s\n", e.Why)
	} else {
		fmt.Fprintln(w, "automatic: no")
	}
	fmt.Fprintf(w, "part read: %s\noutcome:   %s (%s)\n", e.Part, e.Outcome, e.Reason)
	for i, b := range e.Blocks {
		taken := "not taken"
		if b.Taken {
			taken = "taken"
		}
		in := ""
		if b.Part != e.Part {
			in = " in " + b.Part
		}
		fmt.Fprintf(w, "\nblock %d%s: game %s, %s, %s: %s\n", i+1, in, b.Game, vault.Stage{Turn: b.Turn, Round: b.Phase}, b.Ship, taken)
		for line := range strings.Lines(b.Canonical) {
			fmt.Fprintf(w, "  %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for i, c := range e.Commands {
		done := "not done"
		if c.Done {
			done = "done"
		}
		where := "subject"
		if c.Line > 0 {
			where = fmt.Sprintf("line %d", c.Line)
		}
		fmt.Fprintf(w, "\ncommand %d: %s, %s: %s\n", i+1, where, c.Command, done)
	}
	for _, m := range e.Errors {
		fmt.Fprintf(w, "error:   %s\n", m)
	}
	for _, m := range e.Warnings {
		fmt.Fprintf(w, "warning: %s\n", m)
	}
	for _, m := range e.Mails {
		fmt.Fprintf(w, "mail:    to %s: %s\n", m.To, m.Subject)
	}
	if a := e.Answer; a != nil {
		fmt.Fprintf(w, "\nanswer to %s: %s\n\n%s", a.To, a.Subject, a.Text)
	}
}
