package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWhatWouldTellTooMuchIsShownNotTo: each row in the table of possible leaks in games in the dark names existing
// tests and cases.
func TestWhatWouldTellTooMuchIsShownNotTo(t *testing.T) {
	text, err := os.ReadFile("reference/rules-blind.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## What would tell too much")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := 0
	for row := range strings.Lines(table) {
		if !strings.HasPrefix(row, "| ") || strings.HasPrefix(row, "| what") {
			continue
		}
		rows++
		cells := strings.Split(row, "|")
		shown := regexp.MustCompile("`([^`]+): ([^`]+)`").FindAllStringSubmatch(cells[len(cells)-2], -1)
		if len(shown) == 0 && !strings.Contains(cells[len(cells)-2], "left as it is:") {
			t.Errorf("nothing shows %s", strings.TrimSpace(cells[1]))
		}
		for _, m := range shown {
			if !isThere(t, m[1], m[2]) {
				t.Errorf("there is no %s in %s", m[2], m[1])
			}
		}
	}
	if rows < 8 {
		t.Errorf("the table has %d rows", rows)
	}
}

// isThere reports whether a test, or a file of cases, is in a package.
func isThere(t *testing.T, pkg, name string) bool {
	t.Helper()
	if !strings.HasPrefix(name, "Test") {
		found, err := filepath.Glob(filepath.Join("..", pkg, name))
		return err == nil && len(found) == 1
	}
	files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
