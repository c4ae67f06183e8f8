package docs

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the figures in testdata/house.txt to what is counted now")

// A law limits one figure of a package, a type or a file. The compiler keeps the layers apart; these laws keep each
// package small enough to find one's way in.
type law struct {
	name string
	most int    // allowed without an entry in the list
	why  string // what to do about a violation
}

var laws = []law{
	{"package-lines", 6000, "a package has one job that can be read in a day: move a part of it into a package below"},
	{"type-methods", 60, "a type with so many methods is several types: give each job a type of its own"},
	{"struct-fields", 30, "group the fields that are used together into types"},
	{"file-lines", 500, "split the file by concept"},
	{"short-files", 0, "fold files of less than 60 lines into the one they belong to; a package comment, a build tag or a table may stand alone"},
	{"arrows-up", 0, "in a package of more than 15 files, files use each other in one direction: move what both sides need below them"},
	{"idle-exports", 0, "no other package uses these names: write them small, or remove them"},
	{"stray-kits", 0, "kits for tests stand below engine/testkit or pbem/testkit, so that a reader tells them from the game"},
}

// breaches are the violations of laws, as "law subject" with its figure.
type breaches map[string]int

const houseList = "testdata/house.txt"

// TestLawsOfTheHouse compares violations of the laws with the list of those that existed when the laws were made. A
// listed figure may only fall, and the list must be updated at once.
func TestLawsOfTheHouse(t *testing.T) {
	h := readHouse(t)
	found := h.breaches()
	listed := readBreaches(t, houseList)
	for _, line := range compare(found, listed) {
		t.Error(line)
	}
	if t.Failed() {
		for _, key := range slices.Sorted(maps.Keys(found)) {
			if found[key] > listed[key] {
				t.Logf("%s:\n\t%s", key, strings.Join(h.places[key], "\n\t"))
			}
		}
	}
	if !*update {
		return
	}
	lowered := breaches{}
	for key, n := range found {
		if was, ok := listed[key]; ok {
			lowered[key] = min(n, was)
		}
	}
	if err := os.WriteFile(houseList, lowered.text(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare lists what is worse than the list, and which entries are out of date.
func compare(found, listed breaches) (complaints []string) {
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if found[key] > listed[key] {
			name, subject, _ := strings.Cut(key, " ")
			i := slices.IndexFunc(laws, func(l law) bool { return l.name == name })
			complaints = append(complaints, fmt.Sprintf("%s of %s: got %d, want at most %d: %s", name, subject, found[key], max(listed[key], laws[i].most), laws[i].why))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(listed)) {
		if found[key] < listed[key] {
			complaints = append(complaints, fmt.Sprintf("%s is down from %d to %d: lower %s, by go test ./docs -run LawsOfTheHouse -update", key, listed[key], found[key], houseList))
		}
	}
	return complaints
}

// text returns a line for each violation, sorted: law, subject, figure.
func (b breaches) text() []byte {
	var out bytes.Buffer
	out.WriteString("# What still goes against the laws of the house (house_test.go): law, subject, figure.\n# Figures fall and lines go; none is added.\n")
	for _, key := range slices.Sorted(maps.Keys(b)) {
		fmt.Fprintf(&out, "%s %d\n", key, b[key])
	}
	return out.Bytes()
}

func readBreaches(t *testing.T, name string) breaches {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	listed := breaches{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.Atoi(line[at+1:])
		if at < 0 || err != nil {
			t.Fatalf("%s:%d: want law, subject and figure, got %q", name, i+1, line)
		}
		listed[line[:at]] = n
	}
	return listed
}

// TestListOfBreachesOnlyShrinks: worse and new figures are reported, and so are improved ones.
func TestListOfBreachesOnlyShrinks(t *testing.T) {
	listed := breaches{"file-lines engine/labs.go": 837, "type-methods engine.Turn": 94}
	tests := []struct {
		name  string
		found breaches
		want  string
	}{
		{"nothing has changed", breaches{"file-lines engine/labs.go": 837, "type-methods engine.Turn": 94}, ""},
		{"a file grew", breaches{"file-lines engine/labs.go": 838, "type-methods engine.Turn": 94}, "got 838, want at most 837"},
		{"a new long file", breaches{"file-lines engine/dark.go": 501, "file-lines engine/labs.go": 837, "type-methods engine.Turn": 94}, "got 501, want at most 500"},
		{"a type lost methods", breaches{"file-lines engine/labs.go": 837, "type-methods engine.Turn": 61}, "down from 94 to 61"},
		{"a file was split", breaches{"type-methods engine.Turn": 94}, "down from 837 to 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := compare(test.found, listed)
			if test.want == "" && len(got) > 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
				t.Errorf("got %q, want one complaint with %q", got, test.want)
			}
		})
	}
}

// TestArrowsUp: files in one order have no backward arrows, and two that use each other have one.
func TestArrowsUp(t *testing.T) {
	a := arrows{}
	for _, pair := range [][2]string{{"a.go", "b.go"}, {"b.go", "c.go"}, {"a.go", "c.go"}} {
		a.add(pair[0], pair[1], "x")
	}
	if up := a.up(); len(up) != 0 {
		t.Errorf("arrows up of files in one order: got %v, want none", up)
	}
	a.add("c.go", "a.go", "y")
	a.add("d.go", "a.go", "x")
	if up := a.up(); len(up) != 1 || up[0] != "c.go -> a.go: y" {
		t.Errorf("arrows up with one that runs back: got %v, want c.go -> a.go: y", up)
	}
}
