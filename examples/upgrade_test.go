package examples_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program reads the formats and rule sets that docs/upgrade.md lists.
func TestUpgradeTellsWhatIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), "version", "--reads").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "store (ledger.db)") {
		t.Fatalf("the program says\n%s", out)
	}
	made(t, filepath.Join("..", "docs", "upgrade.md"), "reads", fenced(string(out)))
}
