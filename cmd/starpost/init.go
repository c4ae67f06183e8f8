package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"starpost/pbem/config"
	"starpost/pbem/fault"
)

func initCommand() *cobra.Command {
	var first config.First
	cmd := &cobra.Command{
		Use:   "init FILE [--address ADDRESS --imap HOST --smtp HOST]",
		Short: "Write the first settings of a host",
		Long: `Asks five questions and writes the daemon's configuration into FILE: the robot's
address, the server of its mailbox (IMAP), the server that sends its mails (SMTP), the
file with the password of both, and what your house is called. What a flag says is not
asked; without a terminal flags have to say it. A server is HOST, HOST:PORT or
HOST:PORT,TLS, where TLS is tls, starttls or, on this machine only, none.

Nothing is ever written over: FILE may not be there yet, or hold comments alone, as a
package brings it, and then the settings go below them. On a terminal the password may
be typed in if its file is not there yet.

For a FILE below /etc the games and records go below /var/lib/starpost, else beside
FILE. Afterwards try what was written with starpost doctor --config FILE.`,
		Example: `  starpost init starpost.toml
  starpost init /etc/starpost/starpost.toml
  starpost init starpost.toml --address battles@example.org --imap mail.example.org --smtp mail.example.org:587`,
		Args:              exactly("a file to write"),
		ValidArgsFunction: tomlFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeFirst(cmd, args[0], first)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&first.Address, "address", "", "the robot's `ADDRESS`, without a plus tag")
	flags.StringVar(&first.IMAP, "imap", "", "the server of its mailbox: `HOST`, HOST:PORT or HOST:PORT,TLS")
	flags.StringVar(&first.SMTP, "smtp", "", "the server that sends its mails: `HOST`, HOST:PORT or HOST:PORT,TLS")
	flags.StringVar(&first.PasswordFile, "password-file", "", "the `FILE` with the password of both (default secrets/mail)")
	flags.StringVar(&first.Name, "name", "", "what your house is called, before the address in mails (default Starpost)")
	flags.StringVar(&first.User, "user", "", "the `NAME` to log in with (default: the address)")
	flags.StringVar(&first.State, "state", "", "the `DIR` of the daemon's own records")
	flags.StringVar(&first.Games, "games", "", "where the games are: a `PATTERN` such as games/*")
	flags.StringVar(&first.CAFile, "ca-file", "", "a PEM `FILE` of certificates to trust in place of the system's")
	return cmd
}

// writeFirst asks for what is missing and writes the configuration.
func writeFirst(cmd *cobra.Command, file string, first config.First) error {
	if err := unset(file); err != nil {
		return err
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	home := ""
	if strings.HasPrefix(dir+"/", "/etc/") {
		home = "/var/lib/starpost/"
	}
	first.State, first.Games = cmp.Or(first.State, home+"state"), cmp.Or(first.Games, home+"games/*")
	asker := &firstQuestions{file: file, dir: dir, out: cmd.OutOrStdout(), in: bufio.NewReader(cmd.InOrStdin())}
	if f, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		asker.terminal = f
	}
	if err := asker.ask(&first); err != nil {
		return err
	}
	if problems := wrongWith(file, dir, first); problems != nil {
		return mistakes(problems, "say it otherwise; nothing was written", "no settings come of that")
	}
	text := first.Text()
	if err := appendTo(file, text); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "wrote %s\n", file)
	password := first.PasswordFile
	if !filepath.IsAbs(password) {
		password = filepath.Join(dir, password)
	}
	switch _, err := os.Stat(password); {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(w, "now:   put the password alone into %s (mode 0600)\n", password)
		fmt.Fprintf(w, "then:  starpost doctor --config %s\n", file)
	case err != nil:
		return fmt.Errorf("look for the password: %w", err)
	default:
		fmt.Fprintf(w, "now:   starpost doctor --config %s\n", file)
	}
	fmt.Fprintf(w, "       starpost new %s --scenario big-bad-wolf --robot %s --captain Hood=ADDRESS --captain Riskadh=ADDRESS\n", strings.Replace(first.Games, "*", "wolf", 1), first.Address)
	fmt.Fprintf(w, "       starpost serve --config %s\n", file)
	return nil
}

// unset wants a file that is not there, or has no settings.
func unset(file string) error {
	text, err := readFile("the settings", file, 1<<16)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !config.NoSettings(text):
		return fault.New("edit it, or name another file; starpost config check tells what it amounts to", "%s holds settings already, and nothing was changed", file)
	}
	return nil
}

// appendTo adds to a file, or makes it, and has it on stable storage.
func appendTo(file, text string) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		text = "\n" + text
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Sync()
}

// wrongWith are the problems of a configuration, one a line, without places: its text is ours.
func wrongWith(file, dir string, first config.First) (lines []string) {
	_, err := config.Parse(file, []byte(first.Text()), dir)
	problems, ok := errors.AsType[config.Problems](err)
	if err != nil && !ok {
		return []string{err.Error()}
	}
	for _, p := range problems {
		line := p.Message
		if p.Hint != "" {
			line += "; " + p.Hint
		}
		lines = append(lines, line)
	}
	return lines
}

// firstQuestions asks a person.
type firstQuestions struct {
	file, dir string
	in        *bufio.Reader
	out       io.Writer
	terminal  *os.File // nil where there is none
}

// ask fills in what is missing.
func (q *firstQuestions) ask(first *config.First) error {
	questions := []struct {
		flag, text, usual string
		into              *string
		needed            bool
	}{
		{"address", "Address of the robot, to which captains write", "", &first.Address, true},
		{"imap", "Server of its mailbox (IMAP)", "mail.DOMAIN", &first.IMAP, true},
		{"smtp", "Server that sends its mails (SMTP)", "mail.DOMAIN", &first.SMTP, true},
		{"password-file", "File with the password of both", "secrets/mail", &first.PasswordFile, false},
		{"name", "What your house is called", "Starpost", &first.Name, false},
	}
	var missing []string
	// An answer is tried with fitting ones for those that are still to come.
	tried := config.First{Address: "battles@example.org", IMAP: "mail.example.org", SMTP: "mail.example.org", PasswordFile: "secrets/mail", Name: "Starpost", User: first.User, State: first.State, Games: first.Games, CAFile: first.CAFile}
	fields := []*string{&tried.Address, &tried.IMAP, &tried.SMTP, &tried.PasswordFile, &tried.Name}
	for i, one := range questions {
		if *one.into == "" && q.terminal == nil {
			if one.needed {
				missing = append(missing, "--"+one.flag)
			}
			*one.into = cmp.Or(one.usual, "-")
		}
		for *one.into == "" {
			_, domain, _ := strings.Cut(first.Address, "@")
			answer, err := q.line(one.text, strings.ReplaceAll(one.usual, "DOMAIN", domain))
			if err != nil {
				return err
			}
			*fields[i] = answer
			if problems := wrongWith(q.file, q.dir, tried); problems != nil {
				fmt.Fprintln(q.out, strings.Join(problems, "\n"))
				continue
			}
			*one.into = answer
		}
		*fields[i] = *one.into
	}
	if len(missing) > 0 {
		return usage("see: starpost init --help", "there is no terminal to ask at; say it by %s", strings.Join(missing, ", "))
	}
	return q.password(first.PasswordFile)
}

// line asks for a line; an empty one means the usual answer.
func (q *firstQuestions) line(text, usual string) (string, error) {
	if usual != "" {
		text += " [" + usual + "]"
	}
	fmt.Fprintf(q.out, "%s: ", text)
	answer, err := q.in.ReadString('\n')
	if err != nil {
		return "", fault.New("nothing was written", "the questions ended before all were answered")
	}
	return cmp.Or(strings.TrimSpace(answer), usual), nil
}

// password has the password typed in, at a terminal, where its file is not there.
func (q *firstQuestions) password(file string) error {
	if !filepath.IsAbs(file) {
		file = filepath.Join(q.dir, file)
	}
	if _, err := os.Stat(file); q.terminal == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	fmt.Fprintf(q.out, "Password, for %s (not shown; empty: you put it there yourself): ", file)
	typed, err := term.ReadPassword(int(q.terminal.Fd()))
	fmt.Fprintln(q.out)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	if len(typed) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("write the password: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the password: %w", err)
	}
	_, err = f.Write(append(typed, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write the password: %w", err)
	}
	return nil
}
