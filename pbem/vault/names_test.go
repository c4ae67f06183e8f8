package vault

import (
	"strings"
	"testing"

	"starpost/pbem/vault/journal"
)

// A person's name is only a name, in every mail and on every page.
func TestProperName(t *testing.T) {
	for _, good := range []string{"Ann", "Ann O'Hara-Lee", "Mr. T", "Ünal", "李小龙", "e\u0301lan", "R2-D2", "7 of 9"} {
		if p := journal.ProperName(good); p != "" {
			t.Errorf("%q: %s", good, p)
		}
	}
	for _, bad := range []string{
		"", " Ann", "Ann ", "-", ".x", "Ann\u202egro", "Ann\u200b", "Ann\x07", "Ann\nBcc: x", "<b>", "a@b", "*Ann*", "[x](y)", "A&B", "Ann\xff",
		"Ann\u0301\u0301\u0301", "\u0301Ann", "a/b", "Ann|Bob", "#orders", "\u0410nn", strings.Repeat("x", 41),
	} {
		if journal.ProperName(bad) == "" {
			t.Errorf("%q is let in", bad)
		}
	}
	if !SameName("ann o hara", "Ann O'Hara") || SameName("Ann", "Anne") {
		t.Error("names are not held against each other by their letters")
	}
}
