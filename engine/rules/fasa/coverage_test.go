package fasa

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// elsewhere returns the rules that no battle shows, each with the test that checks it.
func elsewhere() map[string]string {
	return map[string]string{
		"5.3":  "TestBalance",        // a figure of scenarios, not of a battle
		"12.4": "TestVictoriesAddUp", // campaigns continue between battles
		"12.6": "TestVictories",      // ... how points are shared
		"24.1": "TestEqualShares",
		"12.7": "TestVictoriesAddUp", // ... between captain and crew
		"12.8": "TestNewRating",      // ... and what they are used for
		"12.9": "TestFateOf",         // ... who is rescued
		"18.1": "TestBalance",        // scenarios are balanced before a battle
		"18.2": "TestBalanceWays",    // ... in two ways
	}
}

// TestEveryRuleHasACase: each number in the list of rules of this package is at the head of at least
// one case, or a test that checks it is named.
func TestEveryRuleHasACase(t *testing.T) {
	cited := citedByCases(t)
	tests := testNames(t)
	numbers := listedRules(t)
	if len(numbers) < 100 {
		t.Errorf("found only %d rules", len(numbers))
	}
	for _, n := range numbers {
		where, excused := elsewhere()[n]
		switch {
		case excused && cited["stcs "+n]:
			t.Errorf("rule %s has a case and needs no excuse", n)
		case excused && !tests[where]:
			t.Errorf("rule %s should be examined by %s, which is not there", n, where)
		case !excused && !cited["stcs "+n]:
			t.Errorf("rule %s is at the head of no case", n)
		}
	}
	for n := range elsewhere() {
		if !slices.Contains(numbers, n) {
			t.Errorf("there is no rule %s", n)
		}
	}
	for n := 15; n <= 26; n++ { // the worked examples of the later courses
		if id := fmt.Sprintf("C%d", n); !cited[id] {
			t.Errorf("example %s is at the head of no case", id)
		}
	}
}

// listedRules returns the numbers in the list of rules of this package.
func listedRules(t *testing.T) []string {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\b\d+\.\d+\b`).FindAllString(string(doc), -1)
}

// unplayed returns the rulings of the rules in short that no case shows, each with the reason.
func unplayed() map[string]string {
	return map[string]string{
		"D2":  "how a game's dice come about: the cases script theirs",
		"D9":  unseen()["D9"],
		"D55": "how ships of a scenario are built: no case plays it",
	}
}

// TestRulesInShortAndCasesAgree: the rules in short have exactly the paragraphs that this package
// lists, each of which TestEveryRuleHasACase finds in a case; cases and source cite no others; and
// the rulings of the rules in short are those that cases cite.
func TestRulesInShortAndCasesAgree(t *testing.T) {
	told := map[string]bool{}
	paths, err := filepath.Glob("../../../docs/reference/rules-stcs-*.md")
	if err != nil || len(paths) != 4 {
		t.Fatalf("rules in short: %v, %v", paths, err)
	}
	for _, p := range paths {
		page, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:- \*\*|\| )(\d+\.\d+|D\d+)\b`).FindAllStringSubmatch(string(page), -1) {
			if told[m[1]] && m[1][0] != 'D' { // a later course may change a ruling
				t.Errorf("%s: %s is told twice", p, m[1])
			}
			told[m[1]] = true
		}
	}
	listed, cited := listedRules(t), citedByCases(t)
	for _, n := range listed {
		if !told[n] {
			t.Errorf("no rules in short tell of %s, which doc.go lists", n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(told)) {
		_, excused := unplayed()[n]
		switch {
		case n[0] != 'D' && !slices.Contains(listed, n):
			t.Errorf("doc.go does not list %s, which the rules in short tell of", n)
		case n[0] == 'D' && excused == cited[n]:
			t.Errorf("%s: cited by a case: %v; excuse: %q", n, cited[n], unplayed()[n])
		}
	}
	for _, c := range slices.Sorted(maps.Keys(cited)) {
		if n := strings.TrimPrefix(c, "stcs "); n[0] != 'C' && !told[n] {
			t.Errorf("a case cites %s, of which no rules in short tell", c)
		}
	}
	for c := range citedInSource(t) {
		if !told[c] {
			t.Errorf("the source cites stcs %s, of which no rules in short tell", c)
		}
	}
}

// sourceFiles returns the Go files of the family: its tests if tests is set, otherwise the others.
func sourceFiles(t *testing.T, tests bool) []string {
	t.Helper()
	var out []string
	for _, folder := range append(ruleFolders(), "board", "cites", "robot", "ship", "tables") {
		all, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(all) == 0 {
			t.Fatalf("source in %s: %v, %v", folder, all, err)
		}
		out = append(out, slices.DeleteFunc(all, func(p string) bool { return strings.HasSuffix(p, "_test.go") != tests })...)
	}
	return out
}

// citedInSource returns the rules that code, comments and texts of this family name.
func citedInSource(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, p := range append(sourceFiles(t, false), sourceFiles(t, true)...) {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bstcs (\d+\.\d+)`).FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
	}
	return out
}

// caseFiles returns the cases of this family, including those for rules of the tests, but not those in the dark.
func caseFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{suite + "stcs-*/*.txt", suite + "book-one/*.txt", "testdata/cases-*/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("cases %s: %v, %v", pattern, paths, err)
		}
		all = append(all, paths...)
	}
	return all
}

// citedByCases returns the citations at the heads of all cases.
func citedByCases(t *testing.T) map[string]bool {
	t.Helper()
	paths := slices.DeleteFunc(caseFiles(t), func(p string) bool { return strings.Contains(p, "book-one") })
	out := map[string]bool{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(line, "cite"); ok {
				for _, c := range regexp.MustCompile(`(house )?\b[CD]?\d+(\.\d+)?\b`).FindAllString(rest, -1) {
					switch {
					case strings.HasPrefix(c, "house "): // for games in the dark
						continue
					case strings.Contains(c, "."):
						c = "stcs " + c
					}
					out[c] = true
				}
			}
		}
	}
	return out
}

// testNames returns the names of this package's tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, p := range sourceFiles(t, true) {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
	}
	return out
}

// unseen returns citations that the code may make and no case does, each with the reason.
func unseen() map[string]string {
	return map[string]string{
		"D9":        "cases are played a turn at one go; the laws of rounds play them phase by phase",
		"stcs 3.1":  "what the description of the power orders cites",
		"stcs 7.7":  "what the description of an order to the sensors cites",
		"stcs 17.3": "the last guard of a ship that has no movement points, and is given no order to turn",
		"stcs 24.2": "what the description of the order to learn cites",
	}
}

// TestEveryCitationIsSeen plays all cases and checks that every rule and ruling that an event of this
// package may cite is cited by an event of a case.
func TestEveryCitationIsSeen(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{"stcs-basic", "stcs-advanced", "stcs-graduate", foggyCases, "stcs-command"} {
		for _, c := range casesIn(t, dir) {
			c.play() // the tests of cases report its failures
			for _, e := range c.Events {
				for _, rule := range e.Rule {
					seen[rule] = true
				}
				if b, fired := e.Body.(*ship.Fire); fired {
					for _, rule := range b.Rules { // those that only the firer is told
						seen[rule] = true
					}
				}
			}
		}
	}
	for _, c := range citationsOfCode(t) {
		why, excused := unseen()[c]
		if excused == seen[c] {
			t.Errorf("%s: seen in a case: %v; excuse: %q", c, seen[c], why)
		}
	}
}

// citationsOfCode returns the rules and rulings that the source of this package names.
func citationsOfCode(t *testing.T) []string {
	t.Helper()
	shape := regexp.MustCompile(`^(stcs [0-9]+\.[0-9]+|D[0-9]+)$`)
	out := map[string]bool{}
	for _, p := range sourceFiles(t, false) {
		tree, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && shape.MatchString(s) {
					out[s] = true
				}
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(out))
}

// TestBookOneInShortAndCasesAgree: the paragraphs and rulings of Book One in short are those at the
// heads of its cases, except for what no battle shows.
func TestBookOneInShortAndCasesAgree(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/rules-book-one.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:- \*\*|\| )(\d+\.\d+|[BD]\d+)\b`).FindAllStringSubmatch(string(page), -1) {
		told[m[1]] = true
	}
	cited := map[string]bool{}
	paths, err := filepath.Glob(suite + "book-one/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range regexp.MustCompile(`(?m)^cite .*$`).FindAllString(string(data), -1) {
			for _, n := range regexp.MustCompile(`\d+\.\d+|\b[BD]\d+`).FindAllString(line, -1) {
				cited[n] = true
				if !told[n] {
					t.Errorf("%s cites %s, of which Book One in short does not tell", p, n)
				}
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(told)) {
		if !cited[n] {
			t.Errorf("%s is at the head of no case", n)
		}
	}
	for _, citations := range cites.BookOne() {
		for _, c := range citations {
			if n, ok := strings.CutPrefix(c, "scs "); ok && !told[n] {
				t.Errorf("the book cites %s, of which Book One in short does not tell", c)
			}
		}
	}
}

// TestBookOneSplitsByItsTable: one to twenty points are split over five phases as printed.
func TestBookOneSplitsByItsTable(t *testing.T) {
	for i, want := range []string{
		"0 0 1 0 0", "0 1 0 1 0", "1 0 1 0 1", "1 1 0 1 1", "1 1 1 1 1", "1 1 2 1 1", "1 2 1 2 1", "2 1 2 1 2", "2 2 1 2 2", "2 2 2 2 2",
		"2 2 3 2 2", "2 3 2 3 2", "3 2 3 2 3", "3 3 2 3 3", "3 3 3 3 3", "3 3 4 3 3", "3 4 3 4 3", "4 3 4 3 4", "4 4 3 4 4", "4 4 4 4 4",
	} {
		if got := tactical.JoinInts(bookOne().Split.Points(i + 1)); got != want {
			t.Errorf("%d points: got %s, want %s", i+1, got, want)
		}
	}
	four3 := third(tactical.Ratio{A: 4, B: 1})
	for power, want := range []int{0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7} {
		if got := four3.Points(power); got != want {
			t.Errorf("%d power at %s: got %d points, want %d", power, four3, got, want)
		}
	}
	for from, want := range map[tactical.Ratio]tactical.Ratio{{A: 3, B: 1}: {A: 1, B: 1}, {A: 2, B: 1}: {A: 2, B: 3}, {A: 6, B: 1}: {A: 2, B: 1}, {}: {}} {
		if got := third(from); got != want {
			t.Errorf("a third of %s: got %s, want %s", from, got, want)
		}
	}
}

// TestBookOneRefusesOtherSplits: a ship's state with another book's number of phases is refused.
func TestBookOneRefusesOtherSplits(t *testing.T) {
	r := rulesOf(t, bookOneRules)
	for _, split := range []string{"[1,1,1]", "[1,1,1,1,1,1]", "[]"} {
		_, err := r.DecodeSystem([]byte(`{"shields":[{},{},{},{},{},{}],"alloc":{"split":` + split + `}}`))
		if err == nil || !strings.Contains(err.Error(), "expected 6 and 5") {
			t.Errorf("split %s: %v", split, err)
		}
	}
	if _, err := r.DecodeSystem([]byte(`{"shields":[{},{},{},{},{},{}],"alloc":{"split":[1,1,2,1,1]}}`)); err != nil {
		t.Error(err)
	}
}
