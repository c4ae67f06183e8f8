package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPatterns compiles the expressions that the program compiles only when needed, and finds those that it would
// compile at every start.
func TestPatterns(t *testing.T) {
	found := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if vars, ok := d.(*ast.GenDecl); ok && vars.Tok == token.VAR {
				found += checkPatterns(t, path, vars)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Fatal("found no pattern to compile")
	}
}

// checkPatterns compiles the patterns in a declaration of variables, and returns how many there are.
func checkPatterns(t *testing.T, path string, vars ast.Node) (found int) {
	t.Helper()
	ast.Inspect(vars, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false // it runs only when called
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch of, _ := f.X.(*ast.Ident); {
		case of == nil:
		case of.Name == "regexp":
			t.Errorf("%s compiles an expression whenever the program starts: make it by pattern.New", path)
		case of.Name == "pattern" && f.Sel.Name == "New":
			found++
			if expr, ok := literal(call.Args[0]); !ok {
				t.Errorf("%s has a pattern that is no literal, so that nothing checks it before it is used", path)
			} else if _, err := regexp.Compile(expr); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return true
	})
	return found
}

// literal returns the value of string literals joined by +.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		left, ok := literal(e.X)
		right, also := literal(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}
