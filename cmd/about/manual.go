package about

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// WriteManual writes the manual pages of a command and all its subcommands into a directory, which it creates.
func WriteManual(cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write manual pages: %w", err)
	}
	file := filepath.Join(dir, manName(cmd)+".1")
	if err := os.WriteFile(file, []byte(page(cmd)), 0o644); err != nil {
		return fmt.Errorf("write manual pages: %w", err)
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := WriteManual(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns a command's page in the man(7) language. It has no date, so that the same program writes the same bytes.
func page(cmd *cobra.Command) string {
	var b strings.Builder
	name := manName(cmd)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"starpost %s\" \"Starpost\"\n", strings.ToUpper(roff(name)), roff(Version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", paragraphs(cmd.Long))
	asIs := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roffLines(text))
		}
	}
	cmd.InitDefaultHelpFlag()
	asIs("OPTIONS", cmd.LocalFlags().FlagUsages())
	asIs("EXAMPLES", cmd.Example)
	var also []string
	if cmd.HasParent() {
		also = append(also, manName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			also = append(also, manName(sub))
		}
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", strings.Join(also, " (1),\n.BR "))
	}
	return b.String()
}

// paragraphs formats running text, and keeps the line breaks of indented parts such as tables.
func paragraphs(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if strings.Contains("\n"+part, "\n  ") {
			part = ".nf\n" + roffLines(part) + "\n.fi"
		} else {
			part = roffLines(part)
		}
		b.WriteString(part + "\n")
	}
	return b.String()
}

func roffLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = roff(l)
	}
	return strings.Join(lines, "\n")
}

// roff escapes a line: backslashes and hyphens are special to the formatter, as are dots and quotes at the start of a
// line.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
