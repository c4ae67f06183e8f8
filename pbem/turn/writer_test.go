package turn_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestMemoryUsedAgain: whichever worker renders, with fresh or reused memory, the same files are
// written, and the outcome holds what was written.
func TestMemoryUsedAgain(t *testing.T) {
	sound := newFleets(t, 7)
	var first map[string]string
	for _, o := range []turn.Options{{Workers: 1}, {Workers: 1, Keep: true}, {Workers: 3, Keep: true}, {Workers: 20}} {
		t.Run(fmt.Sprintf("%d workers, keep %v", o.Workers, o.Keep), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "fleets")
			if err := copyTree(dir, sound.Dir()); err != nil {
				t.Fatal(err)
			}
			g, err := vault.Open(directory.At(dir), catalogue())
			if err != nil {
				t.Fatal(err)
			}
			o.Now = noon(3)
			out, err := turn.Resolve(g, o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := g.Stages.Manifest(vault.At(3))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name := range m.Files {
				data, err := g.Stages.File(vault.At(3), name)
				if err != nil {
					t.Fatal(err)
				}
				got[name] = string(data)
			}
			if first == nil {
				first = got
			}
			if len(got) <= 7+4 || len(got) != len(first) {
				t.Errorf("%d files, first %d", len(got), len(first))
			}
			for name, data := range got {
				if first[name] != data {
					t.Errorf("%s differs", name)
				}
			}
			// Mails are complete, and carry the report of their own captain.
			for _, m := range out.Mails {
				raw := string(posted(t, g, vault.Stage{Turn: 3}, m.Name))
				if !strings.Contains(raw, "report for "+strings.ToUpper(strings.TrimSuffix(m.Name, ".eml"))+"\r\n") {
					t.Errorf("%s is another captain's", m.Name)
				}
				if strings.Contains(raw, "quoted-printable") || strings.Contains(raw, "base64") {
					t.Errorf("%s is encoded", m.Name)
				}
			}
			if !o.Keep {
				if out.Reports != nil {
					t.Error("reports are kept")
				}
				return
			}
			for seat, r := range out.Reports {
				if got["reports/"+string(seat.Ship)+".txt"] != string(r.Text) || string(drawn(t, g, 3, string(seat.Ship), turn.JSON)) != string(r.View.JSON()) {
					t.Errorf("the report of %s is kept otherwise than it is written", seat)
				}
			}
		})
	}
}
