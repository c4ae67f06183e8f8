package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
)

// listFile is the only file that may name the families.
const listFile = "cmd/rulesets/rulesets.go"

// ruleNames matches the name of any family or rule set as a word, and an import of a family's package. A name that is
// an English word (manual) counts only in quotes.
func ruleNames(families ...family.Family) *regexp.Regexp {
	var names []string
	for _, f := range families {
		names = append(names, "engine/rules/"+f.Name)
		for _, s := range append(f.Sets, family.RuleSet{Name: f.Name}) {
			if strings.Contains(s.Name, "-") || s.Name == f.Name && len(f.Sets) > 1 {
				names = append(names, `\b`+s.Name+`\b`)
			} else {
				names = append(names, `^`+s.Name+`$`, `["'`+"`"+`]`+s.Name+`["'`+"`"+`]`)
			}
		}
	}
	return regexp.MustCompile(strings.Join(names, "|"))
}

// named lists the imports and string literals of a Go file that name a rule set.
func named(t *testing.T, path string, source any, names *regexp.Regexp) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if name := names.FindString(text); name != "" {
				found = append(found, files.Position(lit.Pos()).String()+" names "+name)
			}
		}
		return true
	})
	return found
}

// New rule sets are added to their family, new families to the list.
func TestOnlyTheListNamesRuleSets(t *testing.T) {
	families := []family.Family{fasa.Family(), sfb.Family(), manual.Family()}
	entries, err := os.ReadDir(filepath.Join(root, "engine", "rules"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range families {
		known[f.Name] = true
	}
	folders := map[string]bool{}
	for _, e := range entries {
		folders[e.Name()] = true
	}
	if !maps.Equal(known, folders) {
		t.Fatalf("this test knows the families %v, but engine/rules has %v", slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(folders)))
	}
	names := ruleNames(families...)
	if found := named(t, filepath.Join(root, listFile), nil, names); len(found) != len(families) {
		t.Errorf("%s: got %q, want an import of each family and no more", listFile, found)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case entry.IsDir() && strings.HasPrefix(rel, "engine/testkit/") && rel != "engine/testkit/enginetest":
			return filepath.SkipDir // the checks of a family know its rule sets
		case entry.IsDir() && (rel == "engine/rules" || strings.HasPrefix(entry.Name(), ".") && path != root):
			return filepath.SkipDir
		case entry.IsDir(), filepath.Ext(path) != ".go", strings.HasSuffix(path, "_test.go"), rel == listFile:
			return nil
		}
		files++
		for _, line := range named(t, path, nil, names) {
			t.Error(line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("read %d files only", files)
	}
}

func TestNamesOfRuleSetsAreRecognised(t *testing.T) {
	names := ruleNames(
		family.Family{Name: "sfb", Sets: []family.RuleSet{{Name: "sfb-cadet"}, {Name: "sfb-house"}}},
		family.Family{Name: "manual", Sets: []family.RuleSet{{Name: "manual"}}},
	)
	for _, text := range []string{`import "starpost/engine/rules/sfb"`, `import "starpost/engine/rules/manual"`, `const a = "play sfb-cadet now"`, "const a = \"manual\"", "const a = `rules = \"manual\"`", `const a = "as sfb has it"`} {
		if len(named(t, "a.go", "package a\n"+text, names)) == 0 {
			t.Errorf("%s passes", text)
		}
	}
	for _, text := range []string{`import "starpost/engine/rules"`, `const a = "see the manual"`, "const a = 1 // sfb-cadet", `const a = "sfbx"`} {
		if found := named(t, "a.go", "package a\n"+text, names); len(found) != 0 {
			t.Errorf("%s: got %q", text, found)
		}
	}
}
