package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// alone are packages with something concurrent that the race detector need not watch.
var alone = map[string]string{
	"pbem/crash": "it starts the program and kills it: the detector would watch the test alone", "cmd/benchhosts": "the same", "pbem/realmail": "the same",
	"engine/rehearsal": "only tests run in parallel, and play battles as those of pbem/trial do", "engine/testkit/fasatest": "the same", "pbem/report": "the same",
	"pbem/cup": "only tests run in parallel, and pair entrants",
}

// TestRaceDetectorWatchesWhatIsConcurrent: each package with tests in which something concurrent starts is in the lists
// RACE or BOTH of the Makefile, whose tests run under the race detector, or is alone.
func TestRaceDetectorWatchesWhatIsConcurrent(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	watched, both := map[string]bool{}, map[string]bool{}
	for _, list := range regexp.MustCompile(`(?m)^(RACE|BOTH) +:= (.+)$`).FindAllSubmatch(makefile, -1) {
		for folder := range strings.FieldsSeq(string(list[2])) {
			folder = strings.TrimPrefix(folder, "./")
			watched[folder], both[folder] = true, string(list[1]) == "BOTH"
		}
	}
	first := map[string]string{} // by folder: a place
	tested := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if bytes.Contains(text, []byte("enginetest."+"Sequential(t)")) && !both[folder] {
			t.Errorf("%s: a test is skipped under the race detector, and %s is not in BOTH in the Makefile", path, folder)
		}
		tested[folder] = tested[folder] || strings.HasSuffix(path, "_test.go")
		if places := concurrency(t, path, text); len(places) > 0 {
			first[folder] = places[0]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, place := range first {
		if tested[folder] && !watched[folder] && alone[folder] == "" {
			t.Errorf("%s: put ./%s into RACE or BOTH in the Makefile, so that the race detector looks on", place, folder)
		}
		if watched[folder] && alone[folder] != "" {
			t.Errorf("%s is alone and watched", folder)
		}
	}
	for folder := range watched {
		if !tested[folder] {
			t.Errorf("the Makefile names %s, where no test is", folder)
		}
	}
	for folder := range alone {
		if first[folder] == "" {
			t.Errorf("nothing is concurrent in %s", folder)
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
