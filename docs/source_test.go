package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// home matches an absolute path on someone's machine. Programs get such paths as parameters and tests from t.TempDir;
// a literal one works only on one machine. System paths (/etc, /dev) are the same everywhere.
var home = regexp.MustCompile(`(^|[^\w./-])(/(` + strings.Join(places, "|") + `)/\w|[A-Za-z]:\\Users\\)`)

// places are folders that hold files of people and programs.
var places = []string{"home", "root", "work", "Users", "tmp", "private", "mnt"}

// mayName reports whether a text contains what every match of home has. Most texts do not, and this check is a
// hundred times faster.
func mayName(text []byte) bool {
	return bytes.Contains(text, []byte(`:\Users\`)) || slices.ContainsFunc(places, func(p string) bool { return bytes.Contains(text, []byte("/"+p+"/")) })
}

// TestSourceNamesNoMachine checks the Go files and the files that tests compare with: a golden file written with
// -update could contain a temporary path.
func TestSourceNamesNoMachine(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && strings.HasPrefix(name, ".") && name != ".ci" {
				return filepath.SkipDir
			}
			return nil
		}
		source := filepath.Ext(path) == ".go" || strings.Contains(filepath.ToSlash(path), "/testdata/")
		if !source || !entry.Type().IsRegular() {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !mayName(text) {
			return nil
		}
		for number, line := range bytes.Split(text, []byte("\n")) {
			if home.Match(line) {
				t.Errorf("%s:%d names a path of one machine: %s", path, number+1, bytes.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatal("found no source file to read")
	}
}

func TestHomeIsRecognised(t *testing.T) {
	// Split, so that this file passes its own test.
	for _, path := range []string{"/ro" + "ot/x", `"/ho` + `me/ada/starpost"`, "file:/tm" + "p/a", "see (/Us" + "ers/ada)", `C:\Us` + `ers\ada`} {
		if !mayName([]byte(path)) || !home.MatchString(path) {
			t.Errorf("%q passes", path)
		}
	}
	for _, path := range []string{"/etc/passwd", "a/home/b", "https://example.org/home/", "root/", "./usr/x"} {
		if home.MatchString(path) {
			t.Errorf("%q is taken for a path of one machine", path)
		}
	}
}
