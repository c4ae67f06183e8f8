package examples_test

import (
	"debug/elf"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var operating = filepath.Join("..", "docs", "operating.md")

// builtIn are the fields of every line of the log.
var builtIn = []string{"time", "level", "msg"}

// TestLogFieldsAreTold compares the table of log fields with the source: it must describe exactly the fields that are
// written. (Some reach a logger through a list; for a described field it is enough that its name is in the source.)
func TestLogFieldsAreTold(t *testing.T) {
	written := map[string]string{} // field to a place
	words := map[string]bool{}     // every string in the source
	for _, root := range []string{"../pbem", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for _, key := range logKeys(n) {
						written[key] = path
					}
				case *ast.BasicLit:
					if word, err := strconv.Unquote(n.Value); err == nil {
						words[word] = true
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(written) < 20 {
		t.Fatalf("found only %d fields", len(written))
	}
	told := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| (`[a-z0-9_`, ]+`) \\|").FindAllStringSubmatch(chapter(t, operating, "The log"), -1) {
		for key := range strings.SplitSeq(m[1], ",") {
			told[strings.Trim(key, "` ")] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(written)) {
		if !told[key] {
			t.Errorf("%s writes the log field %q, which docs/operating.md does not tell", written[key], key)
		}
	}
	for key := range told {
		if !words[key] && !slices.Contains(builtIn, key) {
			t.Errorf("docs/operating.md tells of a log field %q, which nobody writes", key)
		}
	}
}

// logKeys returns the constant keys that a call passes to a logger.
func logKeys(call *ast.CallExpr) []string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	from, ok := map[string]int{"Debug": 1, "Info": 1, "Warn": 1, "Error": 1, "Log": 3, "With": 0}[sel.Sel.Name]
	if !ok || !strings.EqualFold(lastName(sel.X), "log") {
		return nil
	}
	var keys []string
	for i := from; i < len(call.Args); i += 2 {
		lit, ok := call.Args[i].(*ast.BasicLit)
		if !ok {
			continue
		}
		if key, err := strconv.Unquote(lit.Value); err == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CallExpr: // log.With(...).Info
		if sel, ok := x.Fun.(*ast.SelectorExpr); ok {
			return lastName(sel.X)
		}
	}
	return ""
}

// systemd accepts the units, and they have the promised settings.
func TestUnits(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not there")
	}
	files, err := filepath.Glob(filepath.Join("serve", "starpost*.*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("units %v, %v", files, err)
	}
	dir := t.TempDir()
	for _, file := range files {
		text := strings.ReplaceAll(string(read(t, file)), "/usr/local/bin/starpost", "/bin/true")
		write(t, filepath.Join(dir, filepath.Base(file)), text)
	}
	for _, file := range files {
		out, err := exec.CommandContext(t.Context(), verify, "verify", "--man=no", filepath.Join(dir, filepath.Base(file))).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// The programs and files that the units and the container file use exist.
func TestUnitsCallWhatThereIs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`(?m)(?:/usr/local/bin/starpost|"starpost",|ENTRYPOINT \["starpost"\]\nCMD \[) ?(.*)$`)
	flags := regexp.MustCompile(`--[a-z]+`)
	calls := 0
	for _, file := range []string{"starpost.service", "starpost-once.service", "starpost-backup.service", "Containerfile"} {
		for _, m := range call.FindAllStringSubmatch(string(read(t, "serve", file)), -1) {
			words := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(`" ,[]'`, r) })
			args := words[:1]
			if words[0] == "config" {
				args = words[:2]
			}
			calls++
			help, err := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), append(slices.Clone(args), "--help")...).CombinedOutput()
			if err != nil {
				t.Errorf("%s calls starpost %s: %v", file, m[1], err)
			}
			for _, flag := range flags.FindAllString(m[1], -1) {
				if !strings.Contains(string(help), flag) {
					t.Errorf("%s calls starpost %s, which knows no %s", file, m[1], flag)
				}
			}
		}
	}
	if calls < 6 {
		t.Errorf("only %d calls were found", calls)
	}
}

// The program built by the container file needs no system library, and contains the time zones.
func TestContainerProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("containers are Linux")
	}
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	build := regexp.MustCompile(`(?m)^RUN make composer\n(?:#.*\n)*RUN (CGO_ENABLED=0) (go build .*) -o /out/starpost (\./cmd/starpost)$`).FindStringSubmatch(string(read(t, "serve", "Containerfile")))
	if build == nil || build[1] != buildEnv || strings.ReplaceAll(build[2], "'", "") != "go "+strings.Join(buildArgs, " ") {
		t.Errorf("the container file builds with %q, these tests with %s go %q", build, buildEnv, buildArgs)
	}
	file, err := elf.Open(filepath.Join(binDir, "starpost"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program wants a loader")
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), "new", "wolf", "--scenario", "big-bad-wolf", "--zone", "Europe/Berlin")
	cmd.Dir, cmd.Env = t.TempDir(), []string{"ZONEINFO=/nowhere"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("without an environment: %v\n%s", err, out)
	}
}
