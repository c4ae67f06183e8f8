package fasa

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/play"
)

const (
	indexPage = "../../../docs/reference/rules-index.md"
	indexHead = `# Index of the rules

Where each paragraph of the tactical courses is carried out, and what shows that it is. Functions
are those of [engine/rules/fasa](../../engine/rules/fasa) that cite the paragraph in an event or above
their code, the first few of them; cases are files of the [suite](../../examples/cases), which [cases.md](../cases.md) describes,
tests stand in its Go files. What the rules say is in the rules in short: [Basic](rules-stcs-basic.md),
[Advanced](rules-stcs-advanced.md) and [Graduate](rules-stcs-graduate.md) Course and
[Command & Control](rules-stcs-command.md). The cadet game follows at the end. This page is made
from code and cases; a test fails when it is out of date or a paragraph has no function or no case:

    go test ./engine/rules/fasa ./engine/rules/sfb -run TestIndexOfRules -update
`
	cadetHead = "\n# Index of the cadet game\n" // the rest is written by engine/rules/sfb
)

// carriedOut is a function that carries out a paragraph.
type carriedOut struct {
	place string // "fire.go discharge"
	cites bool   // cited by an event or a text, not only in the comment above the code
}

// outside returns the paragraphs that functions of the engine carry out, with their files below
// engine.
func outside() map[string][2]string {
	return map[string][2]string{
		"1.1": {"scenario/scenario.go", "Parse"}, // what a scenario gives
		"1.2": {"hex/label.go", "ParseLabel"},    // hexes and their labels
		"2.6": {"victory.go", "endTurn"},         // reinforcements
	}
}

// TestIndexOfRules: every paragraph of the rules is carried out by a function and shown by a case or
// a test, and docs/reference/rules-index.md lists them.
func TestIndexOfRules(t *testing.T) {
	functions, cases, titles := indexedFunctions(t), indexedCases(t), paragraphTitles(t)
	var page bytes.Buffer
	page.WriteString(indexHead)
	chapter := ""
	for _, n := range slices.SortedFunc(slices.Values(listedRules(t)), compareParagraphs) {
		if c, _, _ := strings.Cut(n, "."); c != chapter {
			chapter = c
			fmt.Fprintf(&page, "\n| %s | | functions | cases |\n|---|---|---|---|\n", titles[c])
		}
		where, shown := functions[n], cases[n]
		if test, excused := elsewhere()[n]; excused {
			shown = append(shown, "`"+test+"`")
		}
		if f, elsewhere := outside()[n]; elsewhere {
			data, err := os.ReadFile(filepath.Join("../..", f[0]))
			if err != nil || !bytes.Contains(data, []byte("\nfunc "+f[1]+"(")) {
				t.Errorf("paragraph %s should be carried out by %s in engine/%s, which is not there (%v)", n, f[1], f[0], err)
			}
			where = append(where, "engine/"+f[0]+" `"+f[1]+"`")
		}
		if len(where) == 0 {
			t.Errorf("no function names paragraph %s: cite its topic, or name it above the function that carries it out", n)
		}
		if len(shown) == 0 {
			t.Errorf("paragraph %s has no case", n)
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", n, titles[n], strings.Join(firstFew(where, 3), ", "), strings.Join(firstFew(shown, 3), ", "))
	}
	have, err := os.ReadFile(indexPage)
	have, rest, _ := bytes.Cut(have, []byte(cadetHead))
	if *update {
		if err := os.WriteFile(indexPage, slices.Concat(page.Bytes(), []byte(cadetHead), rest), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil || !bytes.Equal(have, page.Bytes()) {
		t.Errorf("docs/reference/rules-index.md is out of date: go test ./engine/rules/fasa -run TestIndexOfRules -update (%v)", err)
	}
}

// compareParagraphs compares numbers such as 4.9 and 4.10.
func compareParagraphs(a, b string) int {
	number := func(s string) (chapter, paragraph int) {
		x, y, _ := strings.Cut(s, ".")
		chapter, errX := strconv.Atoi(x)
		paragraph, errY := strconv.Atoi(y)
		return max(chapter, play.BoolInt(errX != nil)), max(paragraph, play.BoolInt(errY != nil))
	}
	aChapter, aParagraph := number(a)
	bChapter, bParagraph := number(b)
	return cmp.Or(cmp.Compare(aChapter, bChapter), cmp.Compare(aParagraph, bParagraph))
}

// firstFew returns the first n entries, and how many more there are.
func firstFew(all []string, n int) []string {
	if len(all) <= n+1 {
		return all
	}
	return append(slices.Clone(all[:n]), fmt.Sprintf("%d more", len(all)-n))
}

// paragraphTitles returns the titles of chapters and paragraphs in the rules in short, by number.
func paragraphTitles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../../docs/reference/rules-stcs-*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("rules in short: %v, %v", paths, err)
	}
	out := map[string]string{}
	for _, p := range paths {
		page, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:- \*\*|## )(\d+(?:\.\d+)?) ?([^*\n]*)(?:\*\*)?(.*)`).FindAllStringSubmatch(string(page), -1) {
			if out[m[1]] = strings.TrimRight(m[2], ".,: "); out[m[1]] == "" { // the paragraph has no title: take its first words
				words := strings.Fields(m[3])
				out[m[1]] = strings.TrimRight(strings.Join(words[:min(5, len(words))], " "), ".,: ") + " ..."
			}
		}
	}
	return out
}

// indexedCases returns the cases that cite each paragraph, those named after it first.
func indexedCases(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, p := range caseFiles(t) {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(p), ".txt")
		for line := range strings.Lines(string(data)) {
			rest, ok := strings.CutPrefix(line, "cite")
			if !ok {
				continue
			}
			for _, n := range regexp.MustCompile(`(house )?\b\d+\.\d+\b`).FindAllString(rest, -1) {
				if strings.HasPrefix(n, "house ") { // for games in the dark
					continue
				}
				if !slices.Contains(out[n], name) {
					out[n] = append(out[n], name)
				}
			}
		}
	}
	for n := range out {
		slices.SortStableFunc(out[n], func(a, b string) int {
			return play.BoolInt(!strings.HasPrefix(a, "stcs-"+n+"-")) - play.BoolInt(!strings.HasPrefix(b, "stcs-"+n+"-"))
		})
	}
	return out
}

// indexedFunctions returns the functions that carry out each paragraph: first those with events and
// texts that cite it, then those that name it in the comment above their code.
func indexedFunctions(t *testing.T) map[string][]string {
	t.Helper()
	numbers := topicParagraphs(t)
	found := map[string][]carriedOut{}
	for _, p := range sourceFiles(t, false) {
		tree, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || filepath.Dir(p) == "cites" {
				continue
			}
			place := carriedOut{place: p + " `" + f.Name.Name + "`", cites: true}
			for _, name := range topicsIn(f) {
				for _, number := range numbers[name] {
					found[number] = append(found[number], place)
				}
			}
			place.cites = false
			for _, number := range namedAbove(f.Doc.Text()) {
				found[number] = append(found[number], place)
			}
		}
	}
	out := map[string][]string{}
	for n, places := range found {
		slices.SortStableFunc(places, func(a, b carriedOut) int { return play.BoolInt(b.cites) - play.BoolInt(a.cites) })
		for _, p := range places {
			if !slices.Contains(out[n], p.place) {
				out[n] = append(out[n], p.place)
			}
		}
	}
	return out
}

// topicsIn returns the names of the topics that a function cites.
func topicsIn(f *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := sel.X.(*ast.Ident); ok && of.Name == "cites" {
				out = append(out, sel.Sel.Name)
			}
		}
		return true
	})
	return out
}

// topicParagraphs returns the paragraphs in which the courses treat topics, by the names of the
// topics' constants.
func topicParagraphs(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for o, topic := range readSource(t).topics {
		for _, book := range []course{basicCourse(), advancedCourse(), graduateCourse()} {
			for _, c := range book.Cites[topic] {
				if n, ok := strings.CutPrefix(c, "stcs "); ok && !slices.Contains(out[o.Name()], n) {
					out[o.Name()] = append(out[o.Name()], n)
				}
			}
		}
	}
	return out
}

// namedAbove returns the paragraphs that a comment names, such as 4.3 to 4.6 in "(stcs 4.3 to 4.6)".
func namedAbove(comment string) []string {
	var out []string
	comment = strings.Join(strings.Fields(comment), " ")
	for _, m := range regexp.MustCompile(`\bstcs (\d+(?:\.\d+)?(?:(?:, | to | and )\d+(?:\.\d+)?)*)`).FindAllStringSubmatch(comment, -1) {
		last := ""
		for _, part := range regexp.MustCompile(` to |, | and |[^ ,]+`).FindAllString(m[1], -1) {
			switch {
			case part == ", " || part == " and " || part == " to ":
				if part != " to " {
					last = ""
				}
				continue
			case !strings.Contains(part, "."):
				last = ""
				continue
			}
			if last != "" { // a range within one chapter
				chapter, from, _ := strings.Cut(last, ".")
				_, upto, _ := strings.Cut(part, ".")
				a, errA := strconv.Atoi(from)
				b, errB := strconv.Atoi(upto)
				for i := a + 1; errA == nil && errB == nil && i < b; i++ {
					out = append(out, chapter+"."+strconv.Itoa(i))
				}
			}
			out = append(out, part)
			last = part
		}
	}
	return out
}

// TestNamedAbove: lists and ranges of paragraphs in comments are understood.
func TestNamedAbove(t *testing.T) {
	for comment, want := range map[string][]string{
		"lets it (stcs 4.6).":                 {"4.6"},
		"hits (stcs 4.5, rulings D5, D6).":    {"4.5"},
		"rolls (stcs 4.3 to 4.6), and more":   {"4.3", "4.4", "4.5", "4.6"},
		"goes (stcs 7.4, 7.5, ruling\n// D2)": {"7.4", "7.5"},
		"all of it (stcs 2).":                 nil,
		"burst (stcs 9.5, 9.7, 9.8, 14.6).":   {"9.5", "9.7", "9.8", "14.6"},
	} {
		if got := namedAbove(comment); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", comment, got, want)
		}
	}
}
