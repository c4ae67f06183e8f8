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

// The messages in the guide's table of troubles are ones that the program gives:
// each part, "..." aside, stands in its source.
func TestTroublesAreReal(t *testing.T) {
	guide := filepath.Join("..", "docs", "referee.md")
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
	// A message is put together from parts; what stands between them in the
	// source is of no matter.
	all := source.String()
	rows := 0
	for line := range strings.Lines(chapter(t, guide, "Troubles")) {
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
