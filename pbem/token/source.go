package token

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"starpost/pbem/fault"
)

// maxToken limits a token, or a file with one, in bytes.
const maxToken = 16 << 10

// Fixed is a known token.
type Fixed string

// Token returns it.
func (f Fixed) Token(context.Context) (string, error) { return string(f), nil }

// Refused does nothing: there is no other.
func (Fixed) Refused(string) {}

// File is a file with the token as its only line. It is read again each time, because some program
// renews it.
type File string

// Token reads the file.
func (f File) Token(context.Context) (string, error) { return readLine(string(f)) }

// Refused does nothing: the file may change.
func (File) Refused(string) {}

// readLine returns the only line of a file.
func readLine(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", &Error{Fault: fault.Fault{Err: err, Way: "The file must be there, be readable for the daemon, and hold the token alone."}}
	}
	text, err := io.ReadAll(io.LimitReader(file, maxToken+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return "", &Error{Fault: fault.Fault{Err: fmt.Errorf("read %s: %w", path, err)}}
	}
	line := strings.TrimRight(string(text), "\r\n")
	if line == "" || len(line) > maxToken || strings.ContainsAny(line, "\r\n") {
		return "", &Error{Fault: fault.Fault{Err: fmt.Errorf("%s does not hold exactly one line", path), Way: "Put the token alone into that file."}}
	}
	return line, nil
}

// Command is a program that prints the token as the first line of its output. It is run without a
// shell and without input.
type Command struct {
	Args  []string      // the program and its arguments
	Limit time.Duration // it is killed after that; 0 means 30 s
}

// Token runs the program.
func (c Command) Token(ctx context.Context) (string, error) {
	limit := c.Limit
	if limit <= 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &bounded{left: maxToken}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Stdout = out
	cmd.WaitDelay = time.Second // a child process may keep the output open
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("%s did not end in time: %w", c.Args[0], ctx.Err())
	} else if err != nil {
		// Not its output: that could be the secret itself.
		err = fmt.Errorf("%s: %w", c.Args[0], err)
	}
	if err != nil {
		return "", &Error{Fault: fault.Fault{Err: err, Way: "Run token_command by hand, as the daemon's user: it must print the token and end with code 0."}}
	}
	line, _, _ := strings.Cut(out.buf.String(), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", &Error{Fault: fault.Fault{Err: fmt.Errorf("%s printed nothing", c.Args[0]), Way: "Its first line must be the token."}}
	}
	return line, nil
}

// Refused does nothing: the program knows when to get another.
func (Command) Refused(string) {}

// bounded keeps the start of what is written to it.
type bounded struct {
	buf  bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	b.buf.Write(p[:n])
	return len(p), nil
}

// Error is a failure to obtain a token.
type Error struct {
	fault.Fault
	temporary bool
}

// Temporary reports whether another try may help without intervention.
func (e *Error) Temporary() bool { return e.temporary }
