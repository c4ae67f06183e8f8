package fasa

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// group is a line of the map in doc.go: files that may call each other, and those of
// the groups before them.
type group struct {
	name  string
	files []string // names, or patterns such as *_orders.go
}

// readGroups reads the map of this package in doc.go, lowest group first.
func readGroups(t *testing.T) []group {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(doc), "// # Groups\n")
	text, _, found := strings.Cut(after, "// # Citations\n")
	if !found {
		t.Fatal("doc.go has no map between the headings Groups and Citations")
	}
	var groups []group
	for line := range strings.Lines(text) {
		head := regexp.MustCompile(`^//\t(\w+) `).FindStringSubmatch(line)
		if head != nil {
			groups = append(groups, group{name: head[1]})
		}
		if len(groups) > 0 {
			last := &groups[len(groups)-1]
			last.files = append(last.files, regexp.MustCompile(`[\w*]+\.go\b`).FindAllString(line, -1)...)
		}
	}
	return groups
}

// groupOf is the place of a file's group in a map: of the group that names it, or else
// of the one that has a pattern for it; -1 without either.
func groupOf(groups []group, file string) int {
	if i := slices.IndexFunc(groups, func(g group) bool { return slices.Contains(g.files, file) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(groups, func(g group) bool {
		return slices.ContainsFunc(g.files, func(pattern string) bool {
			ok, err := filepath.Match(pattern, file)
			return ok && err == nil
		})
	})
}

// checked is a package with its types.
type checked struct {
	set   *token.FileSet
	files []*ast.File
	info  *types.Info
	pkg   *types.Package
}

// checkFiles gives files of this package their types.
func checkFiles(set *token.FileSet, files []*ast.File, imports types.Importer) (*checked, error) {
	c := &checked{set: set, files: files, info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
	var err error
	c.pkg, err = (&types.Config{Importer: imports}).Check("starpost/engine/rules/fasa", set, files, c.info)
	return c, err
}

// checkedPackage is this package without tests.
func checkedPackage(t *testing.T) *checked {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-trimpath", "-export", "-deps", "-json=ImportPath,Export,GoFiles", ".")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}
	exports := map[string]string{}
	var names []string
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("read what go list says: %v", err)
		}
		exports[p.ImportPath], names = p.Export, p.GoFiles // the last is this package
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	c, err := checkFiles(set, files, importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// puts tells whether a function puts a part, the guns of a kind or a book together: a
// value that holds functions of all groups, to be called when their turn comes.
func puts(f *types.Func) bool {
	results := f.Signature().Results()
	if results.Len() != 1 {
		return false
	}
	named, ok := results.At(0).Type().(*types.Named)
	return ok && slices.Contains([]string{"part", "gunnery", "Book"}, named.Obj().Name())
}

// against lists the calls that run from a group to one after it. A function that is
// handed on counts as called.
func (c *checked) against(groups []group) []string {
	last := len(groups) - 1
	of := func(f *types.Func) int {
		if puts(f) {
			return last
		}
		return groupOf(groups, filepath.Base(c.set.Position(f.Pos()).Filename))
	}
	var found []string
	for _, file := range c.files {
		name := filepath.Base(c.set.Position(file.Pos()).Filename)
		for _, d := range file.Decls {
			from := groupOf(groups, name)
			if f, ok := d.(*ast.FuncDecl); ok && puts(c.info.Defs[f.Name].(*types.Func)) {
				from = last
			}
			if from < 0 {
				continue // TestCallsRunOneWay wants a group for the file
			}
			ast.Inspect(d, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if f, ok := c.info.Uses[id].(*types.Func); ok && f.Pkg() == c.pkg && of(f.Origin()) > from {
					found = append(found, fmt.Sprintf("%s: %s is of group %s, which comes after %s",
						c.set.Position(id.Pos()), f.Name(), groups[of(f.Origin())].name, groups[from].name))
				}
				return true
			})
		}
	}
	return found
}

// TestCallsRunOneWay: calls run from the last group of the map in doc.go to the first,
// every file has a group, and the map names no file that is not there.
func TestCallsRunOneWay(t *testing.T) {
	c, groups := checkedPackage(t), readGroups(t)
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
	}
	if got, want := strings.Join(names, " "), "tables ship board words cites book orders play check tell robot books"; got != want {
		t.Fatalf("the map in doc.go has the groups %s, expected %s", got, want)
	}
	there := map[string]bool{}
	for _, f := range c.files {
		name := filepath.Base(c.set.Position(f.Pos()).Filename)
		there[name] = true
		if name != "doc.go" && groupOf(groups, name) < 0 {
			t.Errorf("%s has no group: give it one in the map of doc.go, or a name such as %s", name, strings.TrimSuffix(name, ".go")+"_orders.go")
		}
	}
	for _, g := range groups {
		for _, f := range g.files {
			if !strings.Contains(f, "*") && !there[f] {
				t.Errorf("the map in doc.go has %s in group %s, and there is no such file", f, g.name)
			}
		}
	}
	for _, line := range c.against(groups) {
		t.Error(line)
	}
}

// A call against the direction is found: of a function, of a method, of a function that
// is handed on; what puts a part together may name them all.
func TestCallsAgainstTheDirectionAreFound(t *testing.T) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, f := range []struct{ name, text string }{
		{"low.go", "package fasa\ntype part struct{ f func() }\ntype low struct{}\nfunc (low) up() { high() }\nfunc handed() any { return high }\nvar table = high\nfunc fine() { low{}.up() }\nfunc lowPart() part { return part{high} }\n"},
		{"high.go", "package fasa\nfunc high() { low{}.up(); fine() }\nfunc (low) above() {}\nfunc again() { lowPart() }\n"},
		{"top.go", "package fasa\nfunc top() { lowPart(); high(); low{}.above() }\n"},
	} {
		file, err := parser.ParseFile(set, f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	c, err := checkFiles(set, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := c.against([]group{{"one", []string{"low.go"}}, {"two", []string{"high.go"}}, {"three", []string{"t*.go"}}})
	want := []string{
		"low.go:4:19: high is of group two, which comes after one",
		"low.go:5:28: high is of group two, which comes after one",
		"low.go:6:13: high is of group two, which comes after one",
		"high.go:4:16: lowPart is of group three, which comes after two",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
