package turn_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// TestVerifyLooksAtTheJournal alters the journal after turns were committed with it.
func TestVerifyLooksAtTheJournal(t *testing.T) {
	g := newPond(t, 9)
	for n := 1; n <= 2; n++ {
		for _, kind := range []string{journal.Pause, journal.Resume} {
			var data any
			if kind == journal.Pause {
				data = journal.PauseData{}
			}
			e := journal.NewEntry(kind, "referee", at(n), data)
			if _, err := g.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		sendAll(t, g)
		resolve(t, g, "")
	}
	clean(t, g)
	path := filepath.Join(g.Dir(), vault.JournalFile)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(sound, []byte("\n"))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"altered", bytes.Replace(sound, []byte("referee"), []byte("daemon"), 1), "journal.jsonl:2: the entry does not follow the one before"},
		{"cut off", bytes.Join(lines[:3], nil), "journal.jsonl: the entry is not there any more with which the journal ended when turn 2 was committed"},
		{"a torn line", append(bytes.Clone(sound), "{"...), ""},
	} {
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := proof.Verify(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || c.want == "" || !strings.HasPrefix(found[0].String(), c.want) {
			t.Errorf("%s: %v", c.name, found)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) != 2 {
		t.Errorf("gone: %v, %v", found, err)
	}
}
