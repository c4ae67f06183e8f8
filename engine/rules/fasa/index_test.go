package fasa

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/rules/fasa/play"
	"starpost/engine/testkit/ruleindex"
)

const indexPage = "../../../docs/reference/rules-index.md"

var files = ruleindex.Files{Read: os.ReadFile, Write: os.WriteFile}

const indexHead = `# Index of the rules

Where each paragraph of the tactical courses is carried out, and what shows that it is. Functions
are those of [engine/rules/fasa](../../engine/rules/fasa) that cite the paragraph in an event or above
their code, the first few of them; cases are files of the [suite](../../examples/cases), which [cases.md](../cases.md) describes,
tests stand in its Go files. What the rules say is in the rules in short: [Basic](rules-stcs-basic.md),
[Advanced](rules-stcs-advanced.md) and [Graduate](rules-stcs-graduate.md) Course and
[Command & Control](rules-stcs-command.md). The cadet game follows at the end. This page is made
from code and cases; a test fails when it is out of date or a paragraph has no function or no case:

    go test ./engine/rules/fasa ./engine/rules/sfb -run TestIndexOfRules -update
`

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
	titles := paragraphTitles(t)
	code := slices.DeleteFunc(sourceFiles(t, false), func(p string) bool { return filepath.Dir(p) == "cites" })
	source := ruleindex.Source{Files: files.Texts(t, code...), Topics: topicParagraphs(t), Named: namedAbove}
	part := ruleindex.Part{Head: indexHead, Functions: source.Functions(t), Cases: ruleindex.Cases(files.Texts(t, caseFiles(t)...), "stcs-", citedOnLine)}
	chapter := ""
	for _, n := range slices.SortedFunc(slices.Values(listedRules(t)), compareParagraphs) {
		of := ruleindex.Paragraph{Number: n, Title: titles[n]}
		if c, _, _ := strings.Cut(n, "."); c != chapter {
			chapter, of.Table = c, titles[c]
		}
		part.Paragraphs = append(part.Paragraphs, of)
	}
	for n, test := range elsewhere() {
		part.Cases[n] = append(part.Cases[n], "`"+test+"`")
	}
	for n, f := range outside() {
		file := filepath.Join("../..", f[0])
		if !strings.Contains(files.Texts(t, file)[file], "\nfunc "+f[1]+"(") {
			t.Errorf("paragraph %s should be carried out by %s in engine/%s, which is not there", n, f[1], f[0])
		}
		part.Functions[n] = append(part.Functions[n], "engine/"+f[0]+" `"+f[1]+"`")
	}
	files.Check(t, indexPage, *update, part)
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

// paragraphTitles returns the titles of chapters and paragraphs in the rules in short, by number.
func paragraphTitles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../../docs/reference/rules-stcs-*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("rules in short: %v, %v", paths, err)
	}
	out := map[string]string{}
	pages := files.Texts(t, paths...)
	for _, p := range paths {
		for _, m := range regexp.MustCompile(`(?m)^(?:- \*\*|## )(\d+(?:\.\d+)?) ?([^*\n]*)(?:\*\*)?(.*)`).FindAllStringSubmatch(pages[p], -1) {
			if out[m[1]] = strings.TrimRight(m[2], ".,: "); out[m[1]] == "" { // the paragraph has no title: take its first words
				out[m[1]] = ruleindex.Title(m[3])
			}
		}
	}
	return out
}

// citedOnLine returns the paragraphs that a line of citations names, but for those of the house rules, for games in the
// dark.
func citedOnLine(line string) (out []string) {
	for _, n := range regexp.MustCompile(`(house )?\b\d+\.\d+\b`).FindAllString(line, -1) {
		if !strings.HasPrefix(n, "house ") {
			out = append(out, n)
		}
	}
	return out
}

// topicParagraphs returns the paragraphs in which the courses treat topics, by the names of the
// topics' constants with that of their package.
func topicParagraphs(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for o, topic := range readSource(t).topics {
		for _, book := range []course{basicCourse(), advancedCourse(), graduateCourse()} {
			for _, c := range book.Cites[topic] {
				name := "cites." + o.Name()
				if n, ok := strings.CutPrefix(c, "stcs "); ok && !slices.Contains(out[name], n) {
					out[name] = append(out[name], n)
				}
			}
		}
	}
	return out
}

// namedAbove returns the paragraphs that a comment names, such as 4.3 to 4.6 in "(stcs 4.3 to 4.6)".
func namedAbove(comment string) []string {
	var out []string
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
		"lets it (stcs 4.6).":               {"4.6"},
		"hits (stcs 4.5, rulings D5, D6).":  {"4.5"},
		"rolls (stcs 4.3 to 4.6), and more": {"4.3", "4.4", "4.5", "4.6"},
		"goes (stcs 7.4, 7.5, ruling D2)":   {"7.4", "7.5"},
		"all of it (stcs 2).":               nil,
		"burst (stcs 9.5, 9.7, 9.8, 14.6).": {"9.5", "9.7", "9.8", "14.6"},
	} {
		if got := namedAbove(comment); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", comment, got, want)
		}
	}
}
