package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"starpost/pbem/vault"
)

// The README shows parts of a real report: the second turn of examples/wolf as the captain of the Hood reads it.
func TestReadmeShowsAReport(t *testing.T) {
	g, _ := wolf(t)
	text, err := g.Stages.File(vault.At(2), "reports/hood.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, part := range []string{"Map", "What happened", "Hood: shields"} {
		body := section(t, string(text), part)
		if part == "What happened" {
			_, after, ok := strings.Cut(body, "\nPhase 2\n")
			phase, _, ok2 := strings.Cut(after, "\nPhase 3\n")
			if !ok || !ok2 {
				t.Fatalf("the report tells no phase 2:\n%s", body)
			}
			body = body[:strings.Index(body, "\n")+1] + "...\nPhase 2\n" + phase
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(strings.TrimRight(body, "\n") + "\n")
	}
	made(t, readme, "report", fenced(out.String()))
}

// section returns one part of a text report, with its heading.
func section(t *testing.T, text, title string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n== "+title+" ==")
	if !ok {
		t.Fatalf("the report has no part %q", title)
	}
	body, _, _ := strings.Cut("== "+title+" =="+rest, "\n== ")
	return body
}

// binDir is where the program is built, if a test needs it.
var binDir string

func TestMain(m *testing.M) {
	var err error
	if binDir, err = os.MkdirTemp("", "starpost-examples-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(binDir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// buildEnv and buildArgs are those of the container file: they make one file that needs nothing from the system.
const buildEnv = "CGO_ENABLED=0"

var buildArgs = []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}

// binary builds the program once for all tests that run it.
var binary = sync.OnceValue(func() error {
	cmd := exec.Command("go", append(slices.Clone(buildArgs), "-o", filepath.Join(binDir, "starpost"), "../cmd/starpost")...)
	cmd.Env = append(os.Environ(), buildEnv)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
})

// Commands marked as runnable in the documents are run in their own folder, and print what the document shows.
func TestCommandsInDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	files := documents(t)
	ran := 0
	for _, file := range files {
		blocks := runnable(string(read(t, file)))
		if len(blocks) == 0 {
			continue
		}
		ran++
		t.Run(filepath.Base(filepath.Dir(file))+"-"+filepath.Base(file), func(t *testing.T) {
			work := t.TempDir()
			here, err := filepath.Abs(".")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(here, filepath.Join(work, "examples")); err != nil {
				t.Fatal(err)
			}
			env := append(os.Environ(), "PATH="+binDir+string(os.PathListSeparator)+os.Getenv("PATH"), "EDITOR=true")
			for _, b := range blocks {
				for _, c := range b {
					c.run(t, work, env)
				}
			}
		})
	}
	if ran == 0 {
		t.Error("no document has commands marked runnable")
	}
}

// shownCommand is a command in a document and the output shown, in which "..." stands for any number of lines. If no
// output is shown, it is not checked.
type shownCommand struct {
	line  string
	shown []string
}

var runnableBlock = regexp.MustCompile("(?ms)^<!-- runnable -->\n```console\n(.*?)^```$")

func runnable(page string) [][]shownCommand {
	var blocks [][]shownCommand
	for _, m := range runnableBlock.FindAllStringSubmatch(page, -1) {
		var b []shownCommand
		more := false
		for line := range strings.Lines(m[1]) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasPrefix(line, "$ "):
				b = append(b, shownCommand{line: line[2:]})
			case more:
				b[len(b)-1].line += "\n" + line
			case len(b) > 0:
				b[len(b)-1].shown = append(b[len(b)-1].shown, line)
			}
			more = strings.HasSuffix(line, `\`) && len(b) > 0 && len(b[len(b)-1].shown) == 0
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func (c shownCommand) run(t *testing.T, work string, env []string) {
	t.Helper()
	// A document may show a failure, by showing the lines of the error.
	cmd := exec.CommandContext(t.Context(), "sh", "-c", c.line)
	cmd.Dir, cmd.Env = work, env
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(strings.Join(c.shown, "\n"), "starpost: ") {
		t.Fatalf("$ %s\n%v\n%s", c.line, err, out)
	}
	if len(c.shown) > 0 && !fits(strings.Split(strings.TrimRight(string(out), "\n"), "\n"), c.shown) {
		t.Errorf("$ %s\nprints\n%s\nbut the document shows\n%s", c.line, out, strings.Join(c.shown, "\n"))
	}
}

// fits matches lines against a pattern in which "..." stands for any lines.
func fits(got, want []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case strings.TrimSpace(want[0]) == "...":
		for i := range len(got) + 1 {
			if fits(got[i:], want[1:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && strings.TrimRight(got[0], " ") == strings.TrimRight(want[0], " ") && fits(got[1:], want[1:])
}

// documents returns the files of all texts for users.
func documents(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/reference/*.md", "*.md", "*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}
