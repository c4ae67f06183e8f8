package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the top of the checkout, relative to this folder.
const root = ".."

// goTool runs the go command at the top of the checkout and returns its output.
func goTool(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return out
}

// packages lists the module's packages, including those behind the integration tag.
func packages(t *testing.T) []listed {
	t.Helper()
	out := goTool(t, "list", "-tags=integration",
		"-json=ImportPath,Name,Imports,TestImports,XTestImports,Deps", "./...")
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("read what go list says: %v", err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		t.Fatal("go list found no package")
	}
	return pkgs
}

func TestImportsRunOneWay(t *testing.T) {
	for _, line := range trespasses(packages(t)) {
		t.Error(line)
	}
}

func TestLibrariesStayInTheirAdapters(t *testing.T) {
	for _, line := range strays(packages(t)) {
		t.Error(line)
	}
}

// The linter cannot express "each folder except itself", so it has one rule for each rule set.
func TestLinterKnowsEveryRuleSet(t *testing.T) {
	config, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages(t) {
		r, ok := layerOf(p.ImportPath)
		if !ok || !r.apart || p.ImportPath == r.path {
			continue
		}
		name := sublayer(p.ImportPath, r.path)
		if !bytes.Contains(config, []byte("/engine/rules/"+name+"/**")) {
			t.Errorf(".golangci.yml has no depguard rule for rule set %s", name)
		}
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	for _, line := range vagueNames(packages(t)) {
		t.Error(line)
	}
}

// The rules themselves are tested on packages that do not exist: a table that forbids nothing would pass everything.
func TestTrespassesAreFound(t *testing.T) {
	const (
		toml = "github.com/BurntSushi/toml"
		imap = "github.com/emersion/go-imap/v2/imapclient"
	)
	tests := []struct {
		name string
		pkg  listed
		want string // part of the only complaint; empty for none
	}{
		{"orders on its own", listed{ImportPath: "starpost/orders", Imports: []string{"strings"}, Deps: []string{"strings", "os"}}, ""},
		{"orders uses engine", listed{ImportPath: "starpost/orders", Imports: []string{"starpost/engine"}, Deps: []string{"starpost/engine"}}, "orders uses starpost/engine, but"},
		{"orders uses a library", listed{ImportPath: "starpost/orders", Deps: []string{toml}}, "through another"},
		{"orders opens a file", listed{ImportPath: "starpost/orders", Imports: []string{"os"}}, "imports os"},
		{"templates uses orders", listed{ImportPath: "starpost/templates", Imports: []string{"starpost/orders"}, Deps: []string{"starpost/orders"}}, "it may use the standard library"},
		{"engine uses orders and toml", listed{ImportPath: "starpost/engine/hex", Deps: []string{"starpost/orders", "starpost/engine", toml + "/internal"}}, ""},
		{"engine uses its rule set", listed{ImportPath: "starpost/engine", Deps: []string{"starpost/engine/rules/fasa"}}, "knows no rule set by name"},
		{"engine tests use a rule set", listed{ImportPath: "starpost/engine", XTestImports: []string{"starpost/engine/rules/fasa", "os"}}, ""},
		{"engine tests use the shell", listed{ImportPath: "starpost/engine", TestImports: []string{"starpost/pbem/vault"}}, "the tests of starpost/engine import"},
		{"engine reads the clock", listed{ImportPath: "starpost/engine/dice", Imports: []string{"time"}}, "imports time"},
		{"engine serves a page", listed{ImportPath: "starpost/engine", Imports: []string{"net/http"}}, "imports net/http"},
		{"engine draws from the old source", listed{ImportPath: "starpost/engine", Imports: []string{"math/rand"}}, "imports math/rand"},
		{"engine draws from the new source", listed{ImportPath: "starpost/engine", Imports: []string{"math/rand/v2", "embed"}}, ""},
		{"engine speaks IMAP", listed{ImportPath: "starpost/engine", Imports: []string{imap}, Deps: []string{imap}}, imap},
		{"a rule set uses the engine", listed{ImportPath: "starpost/engine/rules/sfb", Deps: []string{"starpost/engine", "starpost/engine/rules/sfb/tables"}}, ""},
		{"a rule set uses a kit for tests", listed{ImportPath: "starpost/engine/rules/sfb", Deps: []string{"starpost/engine/testkit/sfbtest"}}, "knows no other"},
		{"a rule set's tests use a kit", listed{ImportPath: "starpost/engine/rules/sfb", XTestImports: []string{"starpost/engine/testkit/sfbtest"}}, ""},
		{"a rule set uses another", listed{ImportPath: "starpost/engine/rules/sfb", Deps: []string{"starpost/engine/rules/fasa"}}, "knows no other"},
		{"a rule set's tests use another", listed{ImportPath: "starpost/engine/rules/sfb", TestImports: []string{"starpost/engine/rules/fasa"}}, "the tests of"},
		{"the shell uses the engine", listed{ImportPath: "starpost/pbem/desk", Imports: []string{"time", "os"}, Deps: []string{"starpost/engine", "starpost/templates", imap}}, ""},
		{"the shell uses a rule set", listed{ImportPath: "starpost/pbem/desk", Deps: []string{"starpost/engine/rules/fasa"}}, "is handed its rule sets"},
		{"the shell's tests use a rule set", listed{ImportPath: "starpost/pbem/desk", TestImports: []string{"starpost/engine/rules/fasa"}}, ""},
		{"the shell uses the commands", listed{ImportPath: "starpost/pbem/desk", Deps: []string{"starpost/cmd/starpost"}}, "uses starpost/cmd/starpost"},
		{"the commands use everything", listed{ImportPath: "starpost/cmd/starpost", Deps: []string{"starpost/pbem", "starpost/engine/rules/sfb", "starpost/engine/rules/fasa"}}, ""},
		{"a package in no layer", listed{ImportPath: "starpost/attic"}, "stands in no layer"},
		{"a name like a layer", listed{ImportPath: "starpost/ordersmith"}, "stands in no layer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := trespasses([]listed{test.pkg})
			switch {
			case test.want == "" && len(got) != 0:
				t.Errorf("allowed, but: %s", strings.Join(got, "\n"))
			case test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)):
				t.Errorf("want one complaint with %q, got %q", test.want, got)
			}
		})
	}
}

func TestTrespassNamesTheWay(t *testing.T) {
	got := trespasses([]listed{
		{
			ImportPath: "starpost/pbem/desk", Imports: []string{"starpost/engine"},
			Deps: []string{"starpost/engine", "starpost/engine/rules/fasa"},
		},
		{
			ImportPath: "starpost/engine", Imports: []string{"starpost/engine/rules/fasa"},
			Deps: []string{"starpost/engine/rules/fasa"},
		},
	})
	if len(got) != 2 || !strings.Contains(got[0], "fasa through starpost/engine") {
		t.Errorf("the complaint does not say how the package got there: %q", got)
	}
}

func TestVagueNamesAreFound(t *testing.T) {
	got := vagueNames([]listed{
		{ImportPath: "starpost/pbem/util/strings", Name: "strings"},
		{ImportPath: "starpost/pbem/vault", Name: "helpers"},
		{ImportPath: "starpost/pbem/commonwealth", Name: "commonwealth"},
	})
	if len(got) != 2 {
		t.Errorf("want two complaints, got %q", got)
	}
}
