package daemon_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/pbem/daemon/process"
)

// stepsIn returns the steps in the sources of packages: calls of before or Before with a constant
// name.
func stepsIn(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		in, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(in) == 0 {
			t.Fatalf("no sources in %s: %v", dir, err)
		}
		files = append(files, in...)
	}
	var found []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !strings.EqualFold(called(call.Fun), "before") {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if step, err := strconv.Unquote(lit.Value); err == nil {
					found = append(found, step)
				}
			}
			return true
		})
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func called(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// Tests kill only at the listed steps: a step missing from the list would never be tested.
func TestEveryStepIsListed(t *testing.T) {
	want := stepsIn(t, "process", "watch", "games", "intake", "sender")
	for _, s := range stepsIn(t, filepath.Join("..", "vault"), filepath.Join("..", "record", "directory")) {
		want = append(want, "vault "+s)
	}
	listed := process.Steps()
	for _, s := range want {
		if !slices.Contains(listed, s) {
			t.Errorf("%q is asked about, but stands in no table of steps", s)
		}
	}
	for _, s := range listed {
		if !slices.Contains(want, s) {
			t.Errorf("%q stands in a table of steps, but nothing asks about it", s)
		}
	}
	if len(want) < 20 {
		t.Errorf("only %d steps were found", len(want))
	}
}
