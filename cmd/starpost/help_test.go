package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func commands(t *testing.T) *cobra.Command {
	t.Helper()
	return newRoot(std{in: strings.NewReader(""), out: new(bytes.Buffer), err: new(bytes.Buffer), now: time.Now})
}

// TestEveryCommandHelps holds each command to a text and examples that name
// commands and flags which are there, with arguments that they take.
func TestEveryCommandHelps(t *testing.T) {
	root := commands(t)
	root.InitDefaultHelpCmd()
	seen := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		seen++
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s: no short or long text, or no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 90 {
				t.Errorf("%s: a line of the help is too wide: %s", c.CommandPath(), line)
			}
		}
		for line := range strings.Lines(c.Example) {
			_, words, ok := strings.Cut(line, "starpost ")
			if !ok {
				t.Errorf("%s: an example without the program: %s", c.CommandPath(), line)
				continue
			}
			example(t, words)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if seen < 15 {
		t.Errorf("only %d commands were seen", seen)
	}
}

// example looks at one command line up to what belongs to the shell.
func example(t *testing.T, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " > ")
	line, _, _ = strings.Cut(line, " < ")
	root := commands(t) // flags keep what was parsed before
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(strings.Fields(strings.TrimRight(line, ")\n")))
	if err != nil || c == root {
		t.Errorf("starpost %s: no such command: %v", line, err)
		return
	}
	if err := c.ParseFlags(rest); err != nil {
		t.Errorf("starpost %s: %v", line, err)
		return
	}
	if c.Args == nil {
		return
	}
	if err := c.Args(c, c.Flags().Args()); err != nil {
		t.Errorf("starpost %s: %v", line, err)
	}
}

// TestFlagNames: the names for suggestions are read from the help text.
func TestFlagNames(t *testing.T) {
	c, _, err := commands(t).Find([]string{"turn"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(flagNames(c), " "); got != "all beacon by dry-run json missing" {
		t.Errorf("got %q", got)
	}
}
