// Package setup writes a host's first settings. It asks for what the flags leave open, checks each answer as the daemon
// will, and overwrites nothing.
package setup

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

	"golang.org/x/term"

	"starpost/pbem/config"
	"starpost/pbem/fault"
)

// MissingError lists the flags that are required because there is no terminal to ask on.
type MissingError struct{ Flags []string }

// Error names the flags.
func (e *MissingError) Error() string {
	return "there is no terminal to ask on; use " + strings.Join(e.Flags, ", ")
}

// MistakesError lists what is wrong with answers that make no valid settings, one problem a line.
type MistakesError struct{ Lines []string }

// Error does not list the problems: see Lines.
func (e *MistakesError) Error() string { return "these answers do not make valid settings" }

// Write asks for what is missing in first and writes the configuration to a file, which must not exist or must
// contain only comments. It prints the next steps to out. Errors include [MissingError] and [MistakesError].
func Write(file string, first config.First, in io.Reader, out io.Writer) error {
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
	q := &questions{file: file, dir: dir, out: out, in: bufio.NewReader(in)}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		q.terminal = f
	}
	if err := q.ask(&first); err != nil {
		return err
	}
	if wrong := q.wrong(first); wrong != nil {
		return &MistakesError{wrong}
	}
	if err := appendTo(file, first.Text()); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	fmt.Fprintf(out, "wrote %s\n", file)
	run, err := runAs(q.path(first.State))
	if err != nil {
		return fmt.Errorf("look for the state directory: %w", err)
	}
	password := q.path(first.PasswordFile)
	switch _, err := os.Stat(password); {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(out, "now:   put only the password into %s (mode 0600)\n", password)
		fmt.Fprintf(out, "then:  %s doctor --config %s\n", run, file)
	case err != nil:
		return fmt.Errorf("look for the password: %w", err)
	default:
		fmt.Fprintf(out, "now:   %s doctor --config %s\n", run, file)
	}
	fmt.Fprintf(out, "       %s new %s --scenario big-bad-wolf --robot %s --captain Hood=ADDRESS --captain Riskadh=ADDRESS\n", run, strings.Replace(first.Games, "*", "wolf", 1), first.Address)
	fmt.Fprintf(out, "       %s serve --config %s\n", run, file)
	return nil
}

// unset returns an error if a file exists and has settings.
func unset(file string) error {
	has, err := config.HasSettings(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if has {
		return fault.New("edit it, or name another file; starpost config check shows the settings", "%s already has settings; nothing was changed", file)
	}
	return nil
}

// appendTo appends to a file, creating it if necessary, and syncs it to stable storage.
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
	return errors.Join(handOver(f, filepath.Dir(file)), f.Sync())
}

// questions asks the person at the terminal.
type questions struct {
	file, dir string
	in        *bufio.Reader
	out       io.Writer
	terminal  *os.File // nil if there is none
}

// path resolves a path in the settings.
func (q *questions) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(q.dir, file)
}

// wrong returns the problems of a configuration, one a line. It leaves out line numbers, as the text is generated.
func (q *questions) wrong(first config.First) (lines []string) {
	_, err := config.Parse(q.file, []byte(first.Text()), q.dir)
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

// ask fills in what is missing, from the terminal or with defaults.
func (q *questions) ask(first *config.First) error {
	// Each answer is checked together with valid placeholders for those that are still missing.
	tried := config.First{
		Address: "battles@example.org", IMAP: "mail.example.org", SMTP: "mail.example.org", PasswordFile: "secrets/mail", Name: "Starpost",
		User: first.User, State: first.State, Games: first.Games, CAFile: first.CAFile,
	}
	var missing []string
	for _, one := range []struct {
		flag, text, usual string
		answer, tried     *string
	}{
		{"address", "The robot's address, which captains write to", "", &first.Address, &tried.Address},
		{"imap", "Its mailbox server (IMAP)", "mail.DOMAIN", &first.IMAP, &tried.IMAP},
		{"smtp", "Its outgoing server (SMTP)", "mail.DOMAIN", &first.SMTP, &tried.SMTP},
		{"password-file", "File with the password for both", "secrets/mail", &first.PasswordFile, &tried.PasswordFile},
		{"name", "Name of your house", "Starpost", &first.Name, &tried.Name},
	} {
		if *one.answer == "" && q.terminal == nil {
			// Server names are not guessed when there is no terminal to correct them on.
			if one.usual == "" || strings.Contains(one.usual, "DOMAIN") {
				missing = append(missing, "--"+one.flag)
				continue
			}
			*one.answer = one.usual
		}
		for *one.answer == "" {
			_, domain, _ := strings.Cut(first.Address, "@")
			answer, err := q.line(one.text, strings.ReplaceAll(one.usual, "DOMAIN", domain))
			if err != nil {
				return err
			}
			*one.tried = answer
			if wrong := q.wrong(tried); wrong != nil {
				fmt.Fprintln(q.out, strings.Join(wrong, "\n"))
				continue
			}
			*one.answer = answer
		}
		*one.tried = *one.answer
	}
	if len(missing) > 0 {
		return &MissingError{missing}
	}
	return q.password(first.PasswordFile)
}

// line asks for a line; an empty one means the default.
func (q *questions) line(text, usual string) (string, error) {
	if usual != "" {
		text += " [" + usual + "]"
	}
	fmt.Fprintf(q.out, "%s: ", text)
	answer, err := q.in.ReadString('\n')
	if err != nil {
		return "", fault.New("nothing was written", "not all questions were answered")
	}
	return cmp.Or(strings.TrimSpace(answer), usual), nil
}

// password asks for the password at the terminal if its file does not exist.
func (q *questions) password(file string) error {
	file = q.path(file)
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
	if err := os.MkdirAll(filepath.Dir(file), 0o711); err != nil { // the daemon's user must reach the file; only the file is private
		return fmt.Errorf("write the password: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the password: %w", err)
	}
	_, err = f.Write(append(typed, '\n'))
	if err := errors.Join(err, handOver(f, q.dir), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write the password: %w", err)
	}
	return nil
}
