package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"starpost/pbem/console"
	"starpost/pbem/vault"
)

// maxScenario is the maximum size of a scenario or table, as in the engine.
const maxScenario = 1 << 20

// readFile reads a file up to one byte beyond the limit, so that its parser can tell it is too large. What names the
// contents for errors.
func readFile(what, name string, limit int64) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, usage("give a file", "read %s: %s is a directory", what, name)
	}
	if data, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return data, nil
}

// readInput is readFile, with "-" for standard input.
func readInput(cmd *cobra.Command, what, name string, limit int64) ([]byte, error) {
	if name != "-" {
		return readFile(what, name, limit)
	}
	data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s from standard input: %w", what, err)
	}
	return data, nil
}

// show prints data as JSON, or text.
func show(cmd *cobra.Command, asJSON bool, data any, text func(io.Writer)) error {
	if asJSON {
		return printJSON(cmd.OutOrStdout(), data)
	}
	text(cmd.OutOrStdout())
	return nil
}

// columns aligns tab-separated columns.
func columns(out io.Writer, write func(io.Writer)) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	write(w)
	_ = w.Flush() // out remembers write errors
}

// table prints rows in columns.
func table(out io.Writer, rows ...[]string) {
	columns(out, func(w io.Writer) {
		for _, r := range rows {
			fmt.Fprintln(w, strings.Join(r, "\t"))
		}
	})
}

// printJSON prints a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// progress shows long work on a terminal, and nothing elsewhere.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(w io.Writer, steps int, what string) progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(steps, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(), progressbar.OptionSetWidth(30))}
}

// at sets the number of steps done. Errors of the progress bar are ignored.
func (p progress) at(n int) {
	if p.bar != nil {
		_ = p.bar.Set(n)
	}
}

func (p progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// std is what the program gets from outside: its streams and the clock.
type std struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
}

// allowed checks who looks at a turn of a game in which a referee plays. A look by a referee who plays is recorded,
// and announced to all.
func allowed(g *vault.Game, name, looks string, at int, now time.Time) error {
	r, err := console.Who(g, name)
	if err != nil || looks == "" {
		return verbError(err)
	}
	return console.By{Referee: r, Now: now}.Looked(g, looks, at)
}

// output remembers the first write error, so that a command fails if its output could not be written, for example to
// a full disk.
type output struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
