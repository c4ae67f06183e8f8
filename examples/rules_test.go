package examples_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/tables"
)

var (
	rulesDoc = filepath.Join("..", "docs", "reference", "rules-stcs-basic.md")
	laterDoc = filepath.Join("..", "docs", "reference", "rules-stcs-advanced.md")
	lastDoc  = filepath.Join("..", "docs", "reference", "rules-stcs-graduate.md")
	crewDoc  = filepath.Join("..", "docs", "reference", "rules-stcs-command.md")
	cadetDoc = filepath.Join("..", "docs", "reference", "rules-sfb-cadet.md")
	houseDoc = filepath.Join("..", "docs", "reference", "rules-sfb-house.md")
	blindDoc = filepath.Join("..", "docs", "reference", "rules-blind.md") // of hidden play under any rules
)

// The document shows the program's charts.
func TestRulesShowTheCharts(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(lib.Charts))
	longest := 0
	for _, n := range names {
		longest = max(longest, len(lib.Charts[n]))
	}
	var out strings.Builder
	out.WriteString("| range | " + strings.Join(names, " | ") + " |\n" + strings.Repeat("|--:", len(names)+1) + "|\n")
	for rng := 1; rng <= longest; rng++ {
		fmt.Fprintf(&out, "| %d |", rng)
		for _, n := range names {
			cell := ""
			if need := lib.ToHit(n, rng); need > 0 {
				cell = strconv.Itoa(need)
			}
			fmt.Fprintf(&out, " %s |", cell)
		}
		out.WriteByte('\n')
	}
	made(t, rulesDoc, "charts", out.String())
}

var citation = regexp.MustCompile(`^(stcs [0-9]+\.[0-9]+|D[0-9]+|cadet ([a-z]+|C[0-9]+|D4(\.[0-9]+)?)|house [0-9]+\.[0-9]+[ab]?)$`)

// Every citation in reports is explained in one of the documents.
func TestRulesExplainEveryCitation(t *testing.T) {
	docs := []string{rulesDoc, laterDoc, lastDoc, crewDoc}
	page := ""
	for _, doc := range docs {
		page += string(read(t, doc))
	}
	ofBoxes := map[string][]string{"cadet": {cadetDoc}, "house": {houseDoc, blindDoc}}
	found := 0
	for _, dir := range []string{filepath.Join("..", "engine"), filepath.Join("..", "pbem")} {
		for _, cite := range citationsIn(t, dir) {
			found++
			game, paragraph, _ := strings.Cut(cite, " ")
			if docs, ok := ofBoxes[game]; ok {
				if !slices.ContainsFunc(docs, func(doc string) bool {
					page, err := os.ReadFile(doc)
					return err == nil && explainedForBoxes(string(page), paragraph)
				}) {
					t.Errorf("reports may cite %s, which none of %s explains", cite, strings.Join(docs, ", "))
				}
				continue
			}
			entry := "| " + cite + " |"
			if number, ok := strings.CutPrefix(cite, "stcs "); ok {
				entry = "- **" + number
			}
			if !strings.Contains(page, entry+" ") && !strings.Contains(page, entry+"*") {
				t.Errorf("reports may cite %s, which none of %s explains", cite, strings.Join(docs, ", "))
			}
		}
	}
	if found == 0 {
		t.Error("found no citation in the source")
	}
}

// explainedForBoxes reports whether the summaries of the cadet game or the house rules explain a paragraph: in a
// section with a heading, after a bold number, or in a row of the rulings.
func explainedForBoxes(page, paragraph string) bool {
	number := regexp.QuoteMeta(paragraph)
	return regexp.MustCompile(`(?m)^## ` + number + `( |$)|^- \*\*.*\b` + number + `(,.*)?\*\* |^\| ` + number + ` \| `).MatchString(page)
}

func citationsIn(t *testing.T, dir string) []string {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && citation.MatchString(s) {
					seen[s] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(seen))
}
