package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The map of pbem in CONTRIBUTING has a line for each package, and names functions as package.function or
// package.Type.method.
const mapHeading = "## Packages in `pbem`"

var (
	mapLine = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|")
	symbol  = regexp.MustCompile("`([a-z]+\\.[A-Za-z.]+)`")
)

// TestMapNamesEveryPackage: each package of pbem has one line, and there are no other lines.
func TestMapNamesEveryPackage(t *testing.T) {
	var got, want []string
	for _, m := range mapLine.FindAllStringSubmatch(mapOfPbem(t), -1) {
		got = append(got, m[1])
	}
	entries, err := os.ReadDir(filepath.Join(root, "pbem"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		want = append(want, e.Name())
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the map has the packages %v, want %v", got, want)
	}
}

// TestMapNamesFunctionsThatExist finds functions in the map that were renamed or removed.
func TestMapNamesFunctionsThatExist(t *testing.T) {
	names := symbol.FindAllStringSubmatch(mapOfPbem(t), -1)
	if len(names) < 25 {
		t.Fatalf("the map names %d functions, want at least 25", len(names))
	}
	declared := map[string][]string{} // by package
	for _, m := range names {
		pkg, name, _ := strings.Cut(m[1], ".")
		if declared[pkg] == nil {
			declared[pkg] = functions(t, pkg)
		}
		if !slices.Contains(declared[pkg], name) {
			t.Errorf("CONTRIBUTING.md names %s, got no such function in package %s", m[1], pkg)
		}
	}
}

// TestFunctionsAreFound: functions and methods of a package are listed under the names that the map uses.
func TestFunctionsAreFound(t *testing.T) {
	got := functions(t, "vault")
	for name, want := range map[string]bool{"Open": true, "Game.Commit": true, "Commit": false, "Game.commit": true, "Game": false} {
		if slices.Contains(got, name) != want {
			t.Errorf("function %s of vault: got %t, want %t", name, !want, want)
		}
	}
}

// mapOfPbem returns that chapter of CONTRIBUTING.
func mapOfPbem(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), mapHeading+"\n")
	if !ok {
		t.Fatalf("CONTRIBUTING.md has no chapter %q", mapHeading)
	}
	chapter, _, _ := strings.Cut(after, "\n## ")
	return chapter
}

// functions lists the functions, and the methods as Type.method, of the packages with a name.
func functions(t *testing.T, pkg string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Base(filepath.Dir(path)) != pkg || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				names = append(names, receiver(f)+f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// receiver returns the type of a method followed by a dot, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	name, _ := of.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name + "."
}
