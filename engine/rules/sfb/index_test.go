package sfb

import (
	"flag"
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
	"starpost/engine/testkit/ruleindex"
)

const (
	indexPage   = "../../../docs/reference/rules-index.md"
	lawsOfTurns = "../../testkit/sfbtest/laws_test.go"
)

var files = ruleindex.Files{Read: os.ReadFile, Write: os.WriteFile}

var update = flag.Bool("update", false, "rewrite the index of the rules")

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
	head: `# Index of the cadet game

The same for the [cadet game](rules-sfb-cadet.md): functions of [engine/rules/sfb](../../engine/rules/sfb), and the
cases of the [suite](../../examples/cases).
`,
	paragraph: regexp.MustCompile("(?m)^## ([a-z]+)$|\\*\\*(D4[^*]*)\\*\\* ([^*\n]*)|^\\| (C[0-9]+) \\| (.*) \\|$"),
	comment:   regexp.MustCompile(`\bcadet (D4(?:\.[0-9]+)?|drones|plasma)|\b(?:ruling|rulings|and) (C[0-9]+)`),
	not:       []string{"cadet.go", "house.go", "play/pool.go", "play/block.go", "play/reserve.go", "rulebook/part.go"},
	tests:     map[string]string{"C3": "TestAnyOrdersMakeALawfulTurn"},
}, {
	short: "../../../docs/reference/rules-sfb-house.md", book: house, game: "house",
	head: `# Index of the house rules

And for the [house rules](rules-sfb-house.md).
`,
	paragraph: regexp.MustCompile("(?m)^- \\*\\*([0-9][^*]*)()\\*\\* ([^*\n]*)"),
	comment:   regexp.MustCompile(`\bhouse ([0-9]+\.[0-9]+[ab]?)()`),
	not:       []string{"cadet.go", "house.go"},
}}

// TestIndexOfRules: every paragraph of the summarized books has a function that carries it out and a case or a test
// that shows it, and docs/reference/rules-index.md lists them.
func TestIndexOfRules(t *testing.T) {
	var parts []ruleindex.Part
	for _, x := range indexes {
		part := ruleindex.Part{Head: x.head, Paragraphs: x.paragraphs(t), Functions: x.functions(t), Cases: indexedCases(t, x.game)}
		for n, test := range x.tests {
			if !strings.Contains(files.Texts(t, lawsOfTurns)[lawsOfTurns], "\nfunc "+test+"(") {
				t.Errorf("there is no test %s", test)
			}
			part.Cases[n] = append(part.Cases[n], "`"+test+"`")
		}
		parts = append(parts, part)
	}
	files.Check(t, indexPage, *update, parts...)
}

// paragraphs returns the paragraphs that the document summarizes.
func (x *index) paragraphs(t *testing.T) (out []ruleindex.Paragraph) {
	t.Helper()
	for _, m := range x.paragraph.FindAllStringSubmatch(files.Texts(t, x.short)[x.short], -1) {
		m = append(m, "", "")
		title := ruleindex.Title(m[3] + m[5])
		if m[1] != "" && m[3]+m[5] == "" {
			title = strings.ToUpper(m[1][:1]) + m[1][1:]
		}
		for n := range strings.SplitSeq(m[1]+m[2]+m[4], ", ") {
			out = append(out, ruleindex.Paragraph{Number: n, Title: title})
		}
	}
	out[0].Table = "paragraph"
	return out
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
	for _, text := range files.Texts(t, paths...) {
		for _, m := range example.FindAllStringSubmatch(text, -1) {
			shown[m[1]] = true
		}
	}
	for _, n := range want {
		if !shown[n] {
			t.Errorf("case %s is in no file", n)
		}
	}
}

// indexedCases returns the cases that cite each paragraph of a game, those named after it first.
func indexedCases(t *testing.T, game string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(suite + "sfb-*/*.txt")
	sheets, err2 := filepath.Glob("testdata/allocate/*.txt")
	if err != nil || err2 != nil || len(paths) == 0 || len(sheets) == 0 {
		t.Fatalf("cases: %v, %v, %v, %v", paths, err, sheets, err2)
	}
	paragraph := regexp.MustCompile(game + ` ([A-Za-z0-9.]+(?:, [0-9][0-9.]*[ab]?)*)`)
	return ruleindex.Cases(files.Texts(t, append(sheets, paths...)...), game+"-", func(line string) (out []string) {
		for _, m := range paragraph.FindAllStringSubmatch(line, -1) {
			out = append(out, strings.Split(m[1], ", ")...)
		}
		return out
	})
}

// functions returns the functions that carry out each paragraph.
func (x *index) functions(t *testing.T) map[string][]string {
	t.Helper()
	source := ruleindex.Source{Topics: x.topics(t), Named: func(comment string) (out []string) {
		for _, m := range x.comment.FindAllStringSubmatch(comment, -1) {
			out = append(out, m[1]+m[2])
		}
		return out
	}}
	var code []string
	for _, folder := range []string{".", "rulebook", "play", "forecast", "tell", "sheet", "state"} {
		all, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(all) == 0 {
			t.Fatalf("source in %s: %v, %v", folder, all, err)
		}
		code = append(code, slices.DeleteFunc(all, func(p string) bool { return strings.HasSuffix(p, "_test.go") || slices.Contains(x.not, p) })...)
	}
	source.Files = files.Texts(t, code...)
	return source.Functions(t)
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
