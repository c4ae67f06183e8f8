package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRaceDetectorWatchesWhatIsConcurrent: the packages of ALONE in the Makefile, which are tested without the race
// detector, start nothing concurrent, and nor do their tests.
func TestRaceDetectorWatchesWhatIsConcurrent(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^ALONE +:= (.+)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("the Makefile has no list ALONE")
	}
	for folder := range strings.FieldsSeq(string(list[1])) {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("ALONE names %s, where no Go file is (%v)", folder, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, place := range concurrency(t, file, text) {
				t.Errorf("%s: take %s out of ALONE in the Makefile, so that the race detector looks on", place, folder)
			}
		}
	}
}

// concurrency returns the places where a file starts something concurrent: by a go statement, a group, a parallel test
// or a server.
func concurrency(t *testing.T, name string, text []byte) (places []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		found := false
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			switch f.Sel.Name {
			case "Go":
				found = len(n.Args) == 1 // of a group; a ship's has more
			case "Parallel":
				found = len(n.Args) == 0
			case "Serve", "ListenAndServe", "NewServer", "NewTLSServer", "AfterFunc":
				found = true
			}
		}
		if found {
			places = append(places, fmt.Sprint(set.Position(n.Pos())))
		}
		return true
	})
	return places
}

func TestConcurrencyIsFound(t *testing.T) {
	const text = `package p

func f(t *testing.T) {
	go f(t)
	t.Parallel()
	group.Go(func() {})
	httptest.NewServer(nil)
	way.Go(word, mode)
	rapid.Parallel(t)
	f(t)
}
`
	got := strings.Join(concurrency(t, "p.go", []byte(text)), " ")
	if want := "p.go:4:2 p.go:5:2 p.go:6:2 p.go:7:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
