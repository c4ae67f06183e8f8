package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDependenciesAreExplained compares three lists: what go.mod requires, what the packages import, and what
// docs/dependencies.md explains.
func TestDependenciesAreExplained(t *testing.T) {
	var mod struct {
		Require []struct {
			Path, Version string
			Indirect      bool
		}
	}
	if err := json.Unmarshal(goTool(t, "mod", "edit", "-json"), &mod); err != nil {
		t.Fatalf("read what go mod edit says: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	pkgs := packages(t)

	versions := map[string]string{}
	for _, m := range mod.Require {
		versions[m.Path] = m.Version
		if _, known := libraryOf(m.Path); !known && !m.Indirect {
			t.Errorf("go.mod requires %s: give it a row in docs and in docs/dependencies.md", m.Path)
		}
	}
	for _, lib := range libraries {
		version, required := versions[lib.path]
		switch {
		case !required:
			t.Errorf("docs knows %s, which go.mod does not require", lib.path)
		case !imported(pkgs, lib.path):
			t.Errorf("docs knows %s, which no package imports: drop it there, in docs/dependencies.md and by go mod tidy", lib.path)
		case !explained(string(text), lib.path, version):
			t.Errorf("docs/dependencies.md has no heading with `%s` and %s", lib.path, version)
		}
	}
}

// TestFlawedVersionsStayAway checks that indirect modules are newer than versions with known flaws.
func TestFlawedVersionsStayAway(t *testing.T) {
	for path, least := range map[string][3]int{
		"github.com/cloudflare/circl": {1, 6, 5}, // earlier ones accept a false signature
	} {
		version := strings.TrimSpace(string(goTool(t, "list", "-m", "-f", "{{.Version}}", path)))
		var v [3]int
		if _, err := fmt.Sscanf(version, "v%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
			t.Errorf("%s: version %q: %v", path, version, err)
		}
		if slices.Compare(v[:], least[:]) < 0 {
			t.Errorf("%s is built in as %s, which has a known flaw: at least v%d.%d.%d is wanted", path, version, least[0], least[1], least[2])
		}
	}
}

func imported(pkgs []listed, path string) bool {
	return slices.ContainsFunc(pkgs, func(p listed) bool {
		return slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports),
			func(imp string) bool { return within(imp, path) })
	})
}

// explained reports whether a heading of the text names the library and its version.
func explained(text, path, version string) bool {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") && slices.Contains(words, "`"+path+"`") && slices.Contains(words, version) {
			return true
		}
	}
	return false
}

func TestExplainedWantsNameAndVersion(t *testing.T) {
	const text = "# Dependencies\n\n### `example.org/a` v1.2.3\n\n`example.org/b` v1.0.0 is not a heading.\n"
	for _, test := range []struct {
		path, version string
		want          bool
	}{
		{"example.org/a", "v1.2.3", true},
		{"example.org/a", "v1.2.4", false},
		{"example.org/a/b", "v1.2.3", false},
		{"example.org/b", "v1.0.0", false},
	} {
		if got := explained(text, test.path, test.version); got != test.want {
			t.Errorf("explained(%s %s) = %v", test.path, test.version, got)
		}
	}
}

func TestStraysAreFound(t *testing.T) {
	const imap, rapid = "github.com/emersion/go-imap/v2/imapclient", "pgregory.net/rapid"
	for _, test := range []struct {
		name string
		pkg  listed
		want string
	}{
		{"in its adapter", listed{ImportPath: "starpost/pbem/mailbox", Imports: []string{imap, "os"}}, ""},
		{"out of its adapter", listed{ImportPath: "starpost/pbem/desk", Imports: []string{imap}}, "which only pbem/mailbox"},
		{"in tests", listed{ImportPath: "starpost/pbem/desk", XTestImports: []string{imap, rapid}}, ""},
		{"a test library in the program", listed{ImportPath: "starpost/pbem/desk", Imports: []string{rapid}}, "which only tests may"},
		{"unknown", listed{ImportPath: "starpost/pbem/desk", TestImports: []string{"example.org/new"}}, "a new library"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(strays([]listed{test.pkg}), "\n")
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("want %q, got %q", test.want, got)
			}
		})
	}
}
