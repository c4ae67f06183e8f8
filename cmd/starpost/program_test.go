package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the program as a process ("exec starpost") and in a process of their own that runs one
// command after another ("starpost"), as to start a process takes longer than most commands. The program's clock is
// stopped at the time in NOW.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "starpost":
		os.Exit(program(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "starpost-commands":
		if err := runCommands(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
		os.Exit(0)
	}
	os.Exit(withPrograms(m))
}

// withPrograms runs the tests with this binary in the PATH, under the program's names.
func withPrograms(m *testing.M) int {
	dir, err := os.MkdirTemp("", "starpost-bin-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err == nil {
		err = cmp.Or(os.Symlink(self, filepath.Join(dir, "starpost")), os.Symlink(self, filepath.Join(dir, "starpost-commands")))
	}
	if err == nil {
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		panic(err)
	}
	return m.Run()
}

func program(args []string, in io.Reader, out, errs io.Writer) int {
	now, err := time.Parse(time.RFC3339, os.Getenv("NOW"))
	if err != nil {
		fmt.Fprintln(errs, "the test's clock:", err)
		return 99
	}
	return run(context.Background(), args, std{in: in, out: out, err: errs, now: func() time.Time { return now }})
}

// call is a run of the program in a directory, with variables as in [os.Environ]; ended is what came of it.
type (
	call struct {
		Args []string
		Dir  string
		Env  []string
	}
	ended struct {
		Code     int
		Out, Err []byte
	}
)

// runCommands runs each command that it reads, and writes how it ended.
func runCommands(in io.Reader, out io.Writer) error {
	from, to := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var c call
		if err := from.Decode(&c); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		os.Clearenv()
		for _, v := range c.Env {
			name, value, _ := strings.Cut(v, "=")
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
		if err := os.Chdir(c.Dir); err != nil {
			return err
		}
		var stdout, stderr bytes.Buffer
		code := program(c.Args, strings.NewReader(""), &stdout, &stderr)
		if err := os.Chdir(string(filepath.Separator)); err != nil { // the script may remove or unmount the directory
			return err
		}
		if err := to.Encode(ended{code, stdout.Bytes(), stderr.Bytes()}); err != nil {
			return err
		}
	}
}

// programKey is the key of a script's commands among its values.
type programKey struct{}

// commandProcess runs the commands of one script in a process that starts with the first.
type commandProcess struct {
	variables []string // of the environment, by name
	process   *exec.Cmd
	stderr    bytes.Buffer
	to        *gob.Encoder
	from      *gob.Decoder
}

func (p *commandProcess) start(ts *testscript.TestScript) {
	p.process = exec.Command("starpost-commands")
	p.process.Stderr = &p.stderr
	in, err := p.process.StdinPipe()
	ts.Check(err)
	out, err := p.process.StdoutPipe()
	ts.Check(err)
	ts.Check(p.process.Start())
	p.to, p.from = gob.NewEncoder(in), gob.NewDecoder(out)
	ts.Defer(func() {
		if err := cmp.Or(in.Close(), p.process.Wait()); err != nil {
			ts.Fatalf("the process of the commands: %v\n%s", err, &p.stderr)
		}
	})
}

// run runs the program in the directory and with the environment of the script, shows what it writes, and returns its
// exit code.
func (p *commandProcess) run(ts *testscript.TestScript, args []string) int {
	if p.process == nil {
		p.start(ts)
	}
	c := call{Args: args, Dir: ts.MkAbs(".")}
	for _, name := range p.variables {
		if value := ts.Getenv(name); value != "" {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	var e ended
	ts.Check(p.to.Encode(c))
	if err := p.from.Decode(&e); err != nil {
		_ = p.process.Wait()
		ts.Fatalf("starpost %s: %v\n%s", strings.Join(args, " "), err, &p.stderr)
	}
	_, err := ts.Stdout().Write(e.Out)
	ts.Check(err)
	_, err = ts.Stderr().Write(e.Err)
	ts.Check(err)
	return e.Code
}

// env matches a command of scripts that sets variables, and assigned each name in it.
var (
	env      = regexp.MustCompile(`(?m)^(?:\[[^]]+\] *)?env .*$`)
	assigned = regexp.MustCompile(`(\w+)=`)
)

// variables returns the names of the variables that scripts may set. One that a script sets to nothing is not set for
// the commands.
func variables(t *testing.T, files []string) (names []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range env.FindAllString(string(text), -1) {
			for _, m := range assigned.FindAllStringSubmatch(line, -1) {
				names = append(names, m[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// starpostHere is the command "starpost [ARG]..." of scripts.
func starpostHere(ts *testscript.TestScript, neg bool, args []string) {
	if code := ts.Value(programKey{}).(*commandProcess).run(ts, args); (code != 0) != neg {
		ts.Fatalf("exit code %d", code)
	}
}
