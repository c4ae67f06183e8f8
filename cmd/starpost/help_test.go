package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func commands(t *testing.T) *cobra.Command {
	t.Helper()
	return newRoot(std{in: strings.NewReader(""), out: new(bytes.Buffer), err: new(bytes.Buffer), now: time.Now})
}

// TestEveryCommandHelps checks that each command has a text, and examples with existing commands and flags and valid
// arguments.
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

// example checks one command line, without the parts for the shell.
func example(t *testing.T, line string) {
	t.Helper()
	words, err := shellWords(strings.TrimRight(line, ")\n"))
	if err != nil {
		t.Errorf("starpost %s: %v", line, err)
		return
	}
	root := commands(t) // flags keep previously parsed values
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(words)
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

// shellWords splits a command into words like a shell, up to a comment, a redirection or the next command.
func shellWords(line string) ([]string, error) {
	var out []string
	var word strings.Builder
	inside, quote := false, rune(0)
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, inside = c, true
		case c == ' ':
			if inside {
				out = append(out, word.String())
			}
			word.Reset()
			inside = false
		case strings.ContainsRune("<>|;&#", c) && !inside:
			return out, nil
		case strings.ContainsRune(";)", c):
			return append(out, word.String()), nil
		default:
			inside = true
			word.WriteRune(c)
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if inside {
		out = append(out, word.String())
	}
	return out, nil
}

// TestCommandsOfDocuments checks that each command line in a document's examples uses an existing command with valid
// flags and arguments.
func TestCommandsOfDocuments(t *testing.T) {
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() == "testdata" || e.IsDir() && len(e.Name()) > 2 && e.Name()[0] == '.' {
			return cmp.Or(err, fs.SkipDir)
		}
		if filepath.Ext(file) != ".md" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fenced := false
		for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
			fenced = fenced != strings.HasPrefix(line, "```")
			m := documented.FindStringSubmatch(line)
			if m == nil || !fenced && !strings.HasPrefix(line, "    ") {
				continue
			}
			found++
			t.Run(filepath.Base(file), func(t *testing.T) { example(t, m[1]) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 80 {
		t.Errorf("only %d commands were found", found)
	}
}

var documented = regexp.MustCompile(`^(?:    )?(?:\$ )?(?:time )?(?:\./)?starpost ([^.].*)\n$`)

// TestFlagNames checks that flag names are found in the help text.
func TestFlagNames(t *testing.T) {
	c, _, err := commands(t).Find([]string{"turn"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(flagNames(c), " "); got != "all beacon by dry-run json missing" {
		t.Errorf("got %q", got)
	}
}
