package docs

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestBrowsersGetNoLibrariesOfTemplates: the browser program links nothing that would make it larger without being
// used.
func TestBrowsersGetNoLibrariesOfTemplates(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "../cmd/composer")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, "starpost/templates") {
		t.Fatalf("these are no packages of the composer: %q", all)
	}
	for _, heavy := range []string{"html/template", "text/template", "regexp", "crypto/tls", "net/http"} {
		if slices.Contains(all, heavy) {
			t.Errorf("the composer links %s", heavy)
		}
	}
}
