package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The texts are files of the tree. Package examples tests what they show of the program.

var link = regexp.MustCompile(`\]\(([^)\n]+)\)`)

// TestLinksLead checks that every link in the documents leads to a file of the tree, and to a heading in it.
func TestLinksLead(t *testing.T) {
	pages := pages(t)
	if len(pages) < 5 {
		t.Fatalf("found only %d documents", len(pages))
	}
	for file, text := range pages {
		for _, complaint := range deadLinks(file, text, pages) {
			t.Error(complaint)
		}
	}
}

// pages returns the documents by slash-separated path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); file != root && strings.HasPrefix(name, ".") || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(file) != ".md" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		pages[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func deadLinks(file, text string, pages map[string]string) []string {
	var found []string
	for _, m := range link.FindAllStringSubmatch(withoutCode(text), -1) {
		to := m[1]
		if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
			continue
		}
		name, anchor, _ := strings.Cut(to, "#")
		target := file
		if name != "" {
			target = path.Join(path.Dir(file), name)
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); name != "" && err != nil {
			found = append(found, fmt.Sprintf("%s links to %s, which is not there", file, to))
			continue
		}
		if anchor != "" && !hasAnchor(pages[target], anchor) {
			found = append(found, fmt.Sprintf("%s links to %s, but there is no such heading", file, to))
		}
	}
	return found
}

// withoutCode removes fenced blocks.
func withoutCode(text string) string {
	var out strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if !code {
			out.WriteString(line)
		}
	}
	return out.String()
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

// hasAnchor reports whether a page has a heading with the given anchor, made as by the usual renderers.
func hasAnchor(text, anchor string) bool {
	for line := range strings.Lines(withoutCode(text)) {
		title := strings.TrimLeft(line, "#")
		if len(title) == len(line) {
			continue
		}
		made := notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
		if strings.ReplaceAll(made, " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestDeadLinksAreFound(t *testing.T) {
	here := map[string]string{"docs/a.md": "# One\n## Two, and `three`\n"}
	text := "[a](a.md#two-and-three) [b](https://example.org/#x) [c](#one) [d](nowhere.md) [e](#four) [f](../LICENSE)\n```\n[g](code.md)\n```\n"
	here["docs/a.md"] += text
	got := deadLinks("docs/a.md", text, map[string]string{"docs/a.md": here["docs/a.md"]})
	// The file itself is not in the tree, so its own name counts as dead.
	want := []string{"a.md#two-and-three", "nowhere.md", "#four"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i, w := range want {
		if !strings.Contains(got[i], w) {
			t.Errorf("complaint %d is %q, want one about %s", i, got[i], w)
		}
	}
}
