package engine_test

import (
	"bytes"
	"testing"

	"starpost/engine"
)

// TestForRules puts another rule set in the place of a scenario's own: that line is
// another, all else is as it was.
func TestForRules(t *testing.T) {
	file := []byte("# rules = \"toy\" in a remark\nformat = 1\nname = \"x\"\nrules = \"toy\" # its own\nside = [{id = \"a\"}, {id = \"b\"}]\n" +
		"[[ship]]\nname = \"One\"\nside = \"a\"\nclass = \"c\"\nhex = \"0101\"\nheading = \"A\"\n" +
		"[[ship]]\nname = \"Two\"\nside = \"b\"\nclass = \"c\"\nhex = \"0201\"\nheading = \"A\"\n")
	want := bytes.Replace(file, []byte("rules = \"toy\" # its own"), []byte("rules = \"other\""), 1)
	if got := engine.ForRules(file, "other"); !bytes.Equal(got, want) {
		t.Errorf("got:\n%s", got)
	}
	if got := engine.ForRules(file, "toy"); !bytes.Equal(got, file) {
		t.Errorf("for its own rule set:\n%s", got)
	}
	if got := engine.ForRules([]byte("rules ="), "other"); string(got) != "rules =" {
		t.Errorf("what is no scenario became:\n%s", got)
	}
}
