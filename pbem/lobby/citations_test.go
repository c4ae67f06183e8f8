package lobby_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/pbem/lobby"
)

func library(t *testing.T) *lobby.Library {
	t.Helper()
	return &lobby.Library{Families: []family.Family{fasa.Family(), sfb.Family(), manual.Family()}, Texts: os.DirFS("../../docs")}
}

// cited returns all citations in the source of the engine, which may appear in a report.
func cited(t *testing.T) []string {
	t.Helper()
	form := regexp.MustCompile(`^((stcs|scs|house|cadet) [A-Z]?[0-9][0-9.]*[a-z]?|cadet [a-z]+|[BCDHR][0-9]+[a-z]?|scenario)$`)
	found := map[string]bool{}
	err := filepath.WalkDir("../../engine", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && form.MatchString(text) {
					found[text] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for c := range found {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

// TestHelpTellsEveryCitation checks that a player of any game can ask for every citation of a report,
// and for each paragraph of the index of rules.
func TestHelpTellsEveryCitation(t *testing.T) {
	l := library(t)
	all := cited(t)
	index, err := os.ReadFile("../../docs/reference/rules-index.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9]+\.[0-9]+) \|`).FindAllStringSubmatch(string(index), -1) {
		if _, stcs, err := l.Citation([]string{"stcs", m[1]}, nil); err != nil || !stcs { // otherwise it belongs to the other family
			all = append(all, "house "+m[1])
		}
	}
	if len(all) < 200 {
		t.Errorf("only %d citations were found", len(all))
	}
	for ask, says := range map[string]string{
		"stcs 4.7": "superstructure", "[D16]": "What a movement point can do", "d16": "What a movement point can do", "house 12.12": "talk in code", "scenario": "scenarios and its name",
	} {
		p, err := l.Page("help", strings.Fields(ask), []lobby.Basis{{Set: "stcs-basic"}})
		if err != nil || !strings.Contains(p.Text, says) || strings.ContainsAny(p.Text, "*|") {
			t.Errorf("help %s: %v\n%s\n%s\n%s", ask, err, p.Title, p.Lead, p.Text)
		}
	}
	for _, f := range l.Families {
		for _, set := range f.Sets {
			ask, err := l.CitationOf(set.Name)
			if err != nil || ask == "" && set.Name != "manual" {
				t.Errorf("%s: no example of a citation: %v", set.Name, err)
			} else if ask != "" {
				if p, err := l.Page("help", strings.Fields(ask)[1:], []lobby.Basis{{Set: set.Name}}); err != nil || !strings.Contains(p.Lead, "("+set.Name+")") {
					t.Errorf("%s: %v, %s", ask, err, p.Lead)
				}
			}
		}
	}
	for _, near := range [][]lobby.Basis{nil, {{Set: "stcs-graduate"}}, {{Set: "sfb-house"}}} {
		for _, c := range all {
			p, err := l.Page("help", strings.Fields(c), near)
			if err != nil || len(p.Text) < 15 || !strings.Contains(p.Title, c) {
				t.Errorf("help %s: %v\n%s\n%s", c, err, p.Title, p.Text)
			}
		}
	}
}

// A number after rules is a section of the reader's own rules, as with the name of the rule set.
func TestSectionsOfOnesOwnRules(t *testing.T) {
	l := library(t)
	short, err := l.Page("rules", []string{"2"}, []lobby.Basis{{Set: "stcs-advanced"}})
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := l.Page("rules", []string{"stcs-advanced", "2"}, nil); err != nil || whole.Title != short.Title || whole.Text != short.Text || short.Text == "" {
		t.Errorf("%v: got %q, want %q", err, short.Title, whole.Title)
	}
	if _, err := l.Page("rules", []string{"2"}, nil); err == nil {
		t.Error("a section of no rules is told")
	}
}
