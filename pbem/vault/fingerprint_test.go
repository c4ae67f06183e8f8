package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/record/directory"

	"starpost/engine/dice"
)

func TestFingerprint(t *testing.T) {
	text := []byte("123456789")
	hash := "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"
	for name, want := range map[string]string{
		StateFile: hash, EventsFile: hash, "orders/Hood.txt": hash, "reports.txt": hash,
		"reports/hood.txt": "crc32c e3069283 9", "outbox/kirk.eml": "crc32c e3069283 9",
	} {
		if got := Fingerprint(name, text); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := Fingerprint("reports/x.txt", nil); got != "crc32c 00000000 0" {
		t.Errorf("of nothing: %s", got)
	}
}

// TestDamagedReports checks that any damage to a report or a mail is reported when it is read and
// when the turn is audited.
func TestDamagedReports(t *testing.T) {
	text := "Report of turn 1 for Hood\nnothing happened\n"
	for _, name := range []string{"reports/hood.txt", "outbox/kirk.eml"} {
		dir := t.TempDir()
		if err := Create(directory.At(dir), NewGame{
			Settings: settings(), Scenario: []byte(toyScenario), Secret: dice.FromSeed(1),
			Fill: Files(File{StateFile, []byte("{}")}, File{name, []byte(text)}),
		}); err != nil {
			t.Fatal(err)
		}
		g := open(t, dir)
		path := filepath.Join(dir, "turns", "0000", filepath.FromSlash(name))
		harmed := []string{"", text[:len(text)-1], text + "\n", text + "\x00", strings.ToUpper(text), text[1:]}
		for i := range len(text) {
			harmed = append(harmed, text[:i]+string(text[i]^1)+text[i+1:])
		}
		for _, other := range harmed {
			if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := g.Stages.File(At(0), name); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
				t.Errorf("%q was read: %v", other, err)
			}
			a, err := g.Stages.Audit(Stage{Turn: 0})
			if err != nil || len(a.Damaged) != 1 || a.Damaged[0] != (Damage{Name: name}) {
				t.Errorf("%q: %+v, %v", other, a.Damaged, err)
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if data, err := g.Stages.File(At(0), name); err != nil || string(data) != text {
			t.Errorf("%q, %v", data, err)
		}
		if a, err := g.Stages.Audit(Stage{Turn: 0}); err != nil || len(a.Damaged) != 0 {
			t.Errorf("%+v, %v", a.Damaged, err)
		}
		removeFile(t, path)
		if a, err := g.Stages.Audit(Stage{Turn: 0}); err != nil || len(a.Damaged) != 1 || a.Damaged[0] != (Damage{Name: name, Missing: true}) {
			t.Errorf("%+v, %v", a.Damaged, err)
		}
	}
}
