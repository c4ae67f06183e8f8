package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fromElsewhere are messages of the system and of libraries.
var fromElsewhere = []string{
	"connection refused", "no such host", "certificate signed by unknown authority", "file is not a database",
}

// The messages in the guide's table of troubles are real: each part between "..." is in the program's source.
func TestTroublesAreReal(t *testing.T) {
	guide := operating
	var source strings.Builder
	for _, dir := range []string{"cmd", "pbem", "engine"} {
		err := filepath.WalkDir(filepath.Join("..", dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			source.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range fromElsewhere {
		source.WriteString(name + "\n")
	}
	// A message is composed of parts; the source between them does not matter.
	all := source.String()
	rows := 0
	for line := range strings.Lines(chapter(t, guide, "Troubleshooting")) {
		cell, ok := strings.CutPrefix(line, "| `")
		if !ok {
			continue
		}
		rows++
		cell, _, _ = strings.Cut(cell, " | ")
		for _, message := range regexp.MustCompile("[^`]+").FindAllString(cell, -1) {
			for part := range strings.SplitSeq(message, "...") {
				for piece := range strings.SplitSeq(part, ": ") {
					if piece = strings.Trim(piece, " ,:"); len(piece) > 3 && !strings.Contains(all, piece) {
						t.Errorf("nothing in the program says %q", piece)
					}
				}
			}
		}
	}
	if rows < 10 {
		t.Errorf("the guide has %d troubles", rows)
	}
}

// Scripts play the disputes worked through in the guide, and check its output: each command of the guide is in its
// script, and the lines below it, except "...", are in what the script compares, in that order.
func TestDisputesAreWorkedThrough(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("disputes", "*.md"))
	if err != nil || len(pages) != 9 {
		t.Fatalf("eight disputes and a list of them: %q, %v", pages, err)
	}
	index := string(read(t, "disputes", "README.md"))
	for _, file := range pages {
		text := string(read(t, file))
		marked := regexp.MustCompile(`(?m)^<!-- script: (\w+) -->$`).FindStringSubmatch(text)
		if filepath.Base(file) == "README.md" {
			continue
		}
		if marked == nil || !strings.Contains(index, "("+filepath.Base(file)+")") {
			t.Fatalf("%s names no script, or is not in the list", file)
		}
		name := marked[1]
		t.Run(name, func(t *testing.T) {
			printed := script(t, filepath.Join("..", "cmd", "starpost", "testdata", "script", name+".txtar"))
			shown := 0
			for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
				for _, command := range strings.Split("\n"+block[1], "\n$ ")[1:] {
					line, rest, _ := strings.Cut(command, "\n")
					out, ok := printed[unquoted(line)]
					if !ok {
						t.Errorf("the script does not run %q", line)
						continue
					}
					shown++
					inOrder(t, line, out, rest)
				}
			}
			if shown < 3 || shown != len(printed) {
				t.Errorf("the page shows %d commands, the script compares the output of %d", shown, len(printed))
			}
		})
	}
}

// script returns the expected output of each command in a script.
func script(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, files, _ := strings.Cut(string(data), "\n-- ")
	held := map[string]string{}
	for f := range strings.SplitSeq("\n"+files, "\n-- ") {
		name, body, _ := strings.Cut(strings.TrimPrefix(f, "\n"), " --\n")
		held[name] = body
	}
	printed := map[string]string{}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		want, ok := strings.CutPrefix(l, "cmp stdout ")
		if !ok {
			continue
		}
		command := strings.TrimPrefix(lines[i-1], "exec ")
		out, held := held[want]
		if !strings.HasPrefix(command, "starpost ") || !held || out == "" {
			t.Fatalf("%s:%d: %q after %q", file, i+1, l, lines[i-1])
		}
		printed[unquoted(command)] = out
	}
	return printed
}

// unquoted removes the quotation marks from a command, as shells and scripts quote differently.
func unquoted(command string) string { return strings.NewReplacer(`"`, "", "'", "").Replace(command) }

// inOrder looks for lines in a text, in order. There may be others between two of them only if the page says so.
func inOrder(t *testing.T, command, text, lines string) {
	t.Helper()
	have := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	gap, at := false, 0
	for l := range strings.Lines(lines) {
		l = strings.TrimSuffix(l, "\n")
		if l == "..." {
			gap = true
			continue
		}
		for gap && at < len(have) && have[at] != l {
			at++
		}
		if at >= len(have) || have[at] != l {
			t.Errorf("%s\nprints no %q there", command, l)
			return
		}
		gap, at = false, at+1
	}
	if !gap && at < len(have) {
		t.Errorf("%s\ngoes on with %q", command, have[at])
	}
}
