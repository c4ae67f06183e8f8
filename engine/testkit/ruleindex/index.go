// Package ruleindex makes the index of a rule book: for each of its paragraphs the functions that carry it out and the
// cases that show it. Each family of rules keeps its parts of one page by it.
package ruleindex

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Part is a part of the page.
type Part struct {
	Head       string // its heading, on a line that begins with "# ", and the text up to the first table
	Paragraphs []Paragraph
	Functions  map[string][]string // by number of a paragraph: file and name of a function
	Cases      map[string][]string // names of cases and tests
}

// Paragraph is a paragraph of the rules.
type Paragraph struct {
	Number, Title string
	Table         string // title of the table that begins with it; "" for none
}

// Files reads and writes files, as package os does: this package opens none by itself.
type Files struct {
	Read  func(path string) ([]byte, error)
	Write func(path string, text []byte, mode fs.FileMode) error
}

// Texts returns the texts of files by path.
func (f Files) Texts(t *testing.T, paths ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, p := range paths {
		data, err := f.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = string(data)
	}
	return out
}

// Check compares parts with those on a page, or puts them there.
func (f Files) Check(t *testing.T, page string, update bool, parts ...Part) {
	t.Helper()
	have := f.Texts(t, page)[page]
	want := have
	for _, p := range parts {
		want = p.on(t, want)
	}
	switch {
	case want == have:
	case !update:
		t.Errorf("%s is out of date: run this test with -update", page)
	default:
		if err := f.Write(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// on returns a page with the part on it, in place of what stands below its heading. Each paragraph must have a function
// and a case.
func (p *Part) on(t *testing.T, page string) string {
	t.Helper()
	if len(p.Paragraphs) < 10 {
		t.Fatalf("%d paragraphs: %q", len(p.Paragraphs), p.Head)
	}
	parts := regexp.MustCompile(`(?m)^# `).Split(page, -1)
	heading, _, _ := strings.Cut(p.Head, "\n")
	i := slices.IndexFunc(parts, func(s string) bool { return strings.HasPrefix("# "+s, heading+"\n") })
	if i < 0 {
		t.Fatalf("the page has no heading %q", heading)
	}
	parts[i] = strings.TrimPrefix(p.text(t), "# ")
	if i+1 < len(parts) {
		parts[i] += "\n"
	}
	return strings.Join(parts, "# ")
}

// text returns the part.
func (p *Part) text(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(p.Head)
	for _, of := range p.Paragraphs {
		functions, cases := p.Functions[of.Number], p.Cases[of.Number]
		if len(functions) == 0 {
			t.Errorf("no function names paragraph %s: cite its topic, or name it above the function that carries it out", of.Number)
		}
		if len(cases) == 0 {
			t.Errorf("paragraph %s has no case", of.Number)
		}
		if of.Table != "" {
			fmt.Fprintf(&b, "\n| %s | | functions | cases |\n|---|---|---|---|\n", of.Table)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", of.Number, of.Title, strings.Join(few(functions), ", "), strings.Join(few(cases), ", "))
	}
	return b.String()
}

// few returns the first three entries, and how many more there are.
func few(all []string) []string {
	const n = 3
	if len(all) <= n+1 {
		return all
	}
	return append(slices.Clone(all[:n]), fmt.Sprintf("%d more", len(all)-n))
}

// Title returns the title of a paragraph: its first words.
func Title(paragraph string) string {
	words := strings.Fields(paragraph)
	return strings.TrimRight(strings.Join(words[:min(5, len(words))], " "), ".,:; ") + " ..."
}

// Source is code that carries out rules.
type Source struct {
	Files  map[string]string   // text by path
	Topics map[string][]string // paragraphs, by name of the constant that stands for them: Name, or package.Name
	Named  func(comment string) []string
}

// Functions returns the functions and variables that carry out each paragraph: first those that cite a topic, then
// those whose comments name it.
func (s *Source) Functions(t *testing.T) map[string][]string {
	t.Helper()
	cite, name := map[string][]string{}, map[string][]string{}
	for _, p := range slices.Sorted(maps.Keys(s.Files)) {
		tree, err := parser.ParseFile(token.NewFileSet(), p, s.Files[p], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			of, begin := declared(d)
			if of == "" {
				continue
			}
			put := func(in map[string][]string, numbers []string) {
				for _, n := range numbers {
					if place := p + " `" + of + "`"; !slices.Contains(in[n], place) {
						in[n] = append(in[n], place)
					}
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					put(cite, s.Topics[n.Name])
				case *ast.SelectorExpr:
					if of, ok := n.X.(*ast.Ident); ok {
						put(cite, s.Topics[of.Name+"."+n.Sel.Name])
					}
				}
				return true
			})
			for _, c := range tree.Comments {
				if c.Pos() >= begin && c.End() <= d.End() {
					put(name, s.Named(strings.Join(strings.Fields(c.Text()), " ")))
				}
			}
		}
	}
	for n, places := range name {
		for _, p := range places {
			if !slices.Contains(cite[n], p) {
				cite[n] = append(cite[n], p)
			}
		}
	}
	return cite
}

// declared returns the name of a function or variable, and where its comment begins.
func declared(d ast.Decl) (name string, begin token.Pos) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			return d.Name.Name, d.Doc.Pos()
		}
		return d.Name.Name, d.Pos()
	case *ast.GenDecl:
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok && d.Doc != nil && d.Tok == token.VAR {
			return v.Names[0].Name, d.Doc.Pos()
		}
	}
	return "", 0
}

// Cases returns the names of the case files, given by path, that cite each paragraph. Those named after it, with the
// prefix and its number, come first. Cited returns the paragraphs that a line cites.
func Cases(files map[string]string, prefix string, cited func(line string) []string) map[string][]string {
	out := map[string][]string{}
	line := regexp.MustCompile(`(?m)^cite +(.*)`)
	for _, p := range slices.Sorted(maps.Keys(files)) {
		name := strings.TrimSuffix(path.Base(p), ".txt")
		for _, n := range cited(line.FindString(files[p])) {
			if !slices.Contains(out[n], name) {
				out[n] = append(out[n], name)
			}
		}
	}
	for n := range out {
		other := func(name string) int {
			if strings.HasPrefix(name, prefix+strings.ToLower(n)+"-") {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(out[n], func(a, b string) int { return cmp.Compare(other(a), other(b)) })
	}
	return out
}
