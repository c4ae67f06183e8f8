package sfb

import (
	"bytes"
	"cmp"
	"flag"
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

	"starpost/engine/rules/sfb/rulebook"
)

var update = flag.Bool("update", false, "rewrite the index of the rules")

const indexPage = "../../../docs/reference/rules-index.md"

// index is a part of docs/reference/rules-index.md: the paragraphs of a book summarized in a document, the functions
// that carry them out, and the cases that show them.
type index struct {
	short, head string
	book        func() rulebook.Book
	game        string         // how cases cite the book's paragraphs
	paragraph   *regexp.Regexp // in the document: name, then title
	comment     *regexp.Regexp // in the source: names
	not         []string       // files that only carry out other books
	tests       map[string]string
}

var indexes = []index{{
	short: "../../../docs/reference/rules-sfb-cadet.md", book: cadet, game: "cadet",
	head: `
# Index of the cadet game

The same for the [cadet game](rules-sfb-cadet.md): functions of [engine/rules/sfb](../../engine/rules/sfb), and the
cases of the [suite](../../examples/cases).

| paragraph | | functions | cases |
|---|---|---|---|
`,
	paragraph: regexp.MustCompile("(?m)^## ([a-z]+)$|\\*\\*(D4[^*]*)\\*\\* ([^*\n]*)|^\\| (C[0-9]+) \\| (.*) \\|$"),
	comment:   regexp.MustCompile(`\bcadet (D4(?:\.[0-9]+)?|drones|plasma)|\b(?:ruling|rulings|and) (C[0-9]+)`),
	not:       []string{"cadet.go", "house.go", "play/pool.go", "play/block.go", "play/reserve.go", "rulebook/part.go"},
	tests:     map[string]string{"C3": "TestAnyOrdersMakeALawfulTurn"},
}, {
	short: "../../../docs/reference/rules-sfb-house.md", book: house, game: "house",
	head: `
# Index of the house rules

And for the [house rules](rules-sfb-house.md).

| paragraph | | functions | cases |
|---|---|---|---|
`,
	paragraph: regexp.MustCompile("(?m)^- \\*\\*([0-9][^*]*)()\\*\\* ([^*\n]*)"),
	comment:   regexp.MustCompile(`\bhouse ([0-9]+\.[0-9]+[ab]?)()`),
	not:       []string{"cadet.go", "house.go"},
}}

// TestIndexOfRules: every paragraph of the summarized books has a function that carries it out and a case or a test
// that shows it, and docs/reference/rules-index.md lists them.
func TestIndexOfRules(t *testing.T) {
	page := new(bytes.Buffer)
	for _, x := range indexes {
		x.write(t, page)
	}
	have, err := os.ReadFile(indexPage)
	courses, mine, _ := bytes.Cut(have, []byte(indexes[0].head[:strings.Index(indexes[0].head[1:], "\n")+2]))
	if *update {
		if err := os.WriteFile(indexPage, slices.Concat(courses, page.Bytes()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil || !strings.HasSuffix(page.String(), string(mine)) || len(mine) < 1000 {
		t.Errorf("docs/reference/rules-index.md is out of date: go test ./engine/rules/sfb -run TestIndexOfRules -update (%v)", err)
	}
}

// write writes the part.
func (x *index) write(t *testing.T, page *bytes.Buffer) {
	t.Helper()
	short, err := os.ReadFile(x.short)
	if err != nil {
		t.Fatal(err)
	}
	functions, cases := x.functions(t), indexedCases(t, x.game)
	for n, test := range x.tests {
		if laws, err := os.ReadFile("../../testkit/sfbtest/laws_test.go"); err != nil || !bytes.Contains(laws, []byte("\nfunc "+test+"(")) {
			t.Errorf("there is no test %s (%v)", test, err)
		}
		cases[n] = append(cases[n], "`"+test+"`")
	}
	page.WriteString(x.head)
	found := 0
	for _, m := range x.paragraph.FindAllStringSubmatch(string(short), -1) {
		m = append(m, "", "")
		words := strings.Fields(m[3] + m[5])
		title := strings.TrimRight(strings.Join(words[:min(5, len(words))], " "), ".,:; ") + " ..."
		if m[1] != "" && len(words) == 0 {
			title = strings.ToUpper(m[1][:1]) + m[1][1:]
		}
		for n := range strings.SplitSeq(m[1]+m[2]+m[4], ", ") {
			found++
			where, shown := functions[n], cases[n]
			if len(where) == 0 {
				t.Errorf("no function names paragraph %s of %s: cite its topic, or name it above the function that carries it out", n, x.game)
			}
			if len(shown) == 0 {
				t.Errorf("paragraph %s of %s has no case", n, x.game)
			}
			fmt.Fprintf(page, "| %s | %s | %s | %s |\n", n, title, strings.Join(firstFew(where), ", "), strings.Join(firstFew(shown), ", "))
		}
	}
	if found < 10 {
		t.Fatalf("found %d paragraphs in %s", found, x.short)
	}
}

// TestWorkedExamplesHaveCases: the paragraphs on damage, the examples of the printed procedure (C1 to C4) and the
// fifteen of the design each have a case in plain text.
func TestWorkedExamplesHaveCases(t *testing.T) {
	want := strings.Fields("D4.1 D4.2 D4.21 D4.22 D4.221 D4.222 D4.223 D4.3 D4.4 D4.41 D4.42 D4.5")
	for _, p := range want {
		if len(indexedCases(t, "cadet")[p]) == 0 {
			t.Errorf("paragraph %s has no case", p)
		}
	}
	want = strings.Fields("C1 C2 C3 C4")
	for n := 1; n <= 15; n++ {
		want = append(want, strconv.Itoa(n))
	}
	paths, _ := filepath.Glob(suite + "sfb-*/*.txt")
	example, shown := regexp.MustCompile(`\bcase ([C0-9]+)`), map[string]bool{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range example.FindAllStringSubmatch(string(data), -1) {
			shown[m[1]] = true
		}
	}
	for _, n := range want {
		if !shown[n] {
			t.Errorf("case %s is in no file", n)
		}
	}
}

// firstFew returns the first entries, and how many more there are.
func firstFew(all []string) []string {
	const n = 3
	if len(all) <= n+1 {
		return all
	}
	return append(slices.Clone(all[:n]), fmt.Sprintf("%d more", len(all)-n))
}

// indexedCases returns the cases that cite each paragraph of a game, those named after it first.
func indexedCases(t *testing.T, game string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(suite + "sfb-*/*.txt")
	sheets, err2 := filepath.Glob("testdata/allocate/*.txt")
	if err != nil || err2 != nil || len(paths) == 0 || len(sheets) == 0 {
		t.Fatalf("cases: %v, %v, %v, %v", paths, err, sheets, err2)
	}
	cite, paragraph := regexp.MustCompile(`(?m)^cite +(.*)`), regexp.MustCompile(game+` ([A-Za-z0-9.]+(?:, [0-9][0-9.]*[ab]?)*)`)
	out := map[string][]string{}
	for _, p := range append(sheets, paths...) {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(p), ".txt")
		for _, m := range paragraph.FindAllStringSubmatch(string(cite.Find(data)), -1) {
			for number := range strings.SplitSeq(m[1], ", ") {
				out[number] = append(out[number], name)
			}
		}
	}
	for n := range out {
		named := func(name string) bool {
			return strings.HasPrefix(strings.TrimPrefix(name, game+"-"), strings.ToLower(n)+"-")
		}
		slices.SortStableFunc(out[n], func(a, b string) int { return cmp.Compare(rulebook.BoolInt(named(b)), rulebook.BoolInt(named(a))) })
	}
	return out
}

// functions returns the functions that carry out each paragraph: those that use its topic, and those that name it in
// a comment.
func (x *index) functions(t *testing.T) map[string][]string {
	t.Helper()
	var paths []string
	for _, folder := range []string{".", "rulebook", "play", "forecast", "tell", "sheet", "state"} {
		all, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(all) == 0 {
			t.Fatalf("source in %s: %v, %v", folder, all, err)
		}
		paths = append(paths, all...)
	}
	numbers := x.topics(t)
	out := map[string][]string{}
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") || slices.Contains(x.not, p) {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			name, begin := "", d.Pos()
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name = d.Name.Name; d.Doc != nil {
					begin = d.Doc.Pos()
				}
			case *ast.GenDecl:
				if v, ok := d.Specs[0].(*ast.ValueSpec); ok && d.Doc != nil && d.Tok == token.VAR {
					name, begin = v.Names[0].Name, d.Doc.Pos()
				}
			}
			if name == "" {
				continue
			}
			in := map[string]bool{}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					for _, number := range numbers[id.Name] {
						in[number] = true
					}
				}
				return true
			})
			for _, c := range tree.Comments {
				if c.Pos() < begin || c.End() > d.End() {
					continue
				}
				for _, m := range x.comment.FindAllStringSubmatch(strings.Join(strings.Fields(c.Text()), " "), -1) {
					in[m[1]+m[2]] = true
				}
			}
			for number := range in {
				out[number] = append(out[number], p+" `"+name+"`")
			}
		}
	}
	return out
}

// topics returns the paragraphs cited for each topic, by the topic's constant. The constants are in the order of
// their values.
func (x *index) topics(t *testing.T) map[string][]string {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "rulebook/book.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	book := x.book()
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for i, spec := range g.Specs {
			name := spec.(*ast.ValueSpec).Names[0].Name
			if !strings.HasPrefix(name, "On") {
				continue
			}
			for _, c := range book.Cites[rulebook.Topic(i)] {
				if n, ok := strings.CutPrefix(c, x.game+" "); ok {
					out[name] = append(out[name], n)
				}
			}
		}
	}
	if len(out) == 0 || len(out) > len(book.Cites) {
		t.Fatalf("topics: %q", slices.Sorted(maps.Keys(out)))
	}
	return out
}
