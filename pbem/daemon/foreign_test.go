package daemon_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/pbem/vault"
)

// files returns the content of all files below a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// alter replaces a text in a file.
func alter(t *testing.T, file, was, is string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), was) {
		t.Fatalf("%s: %v, want %q in it", file, err, was)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), was, is, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A game that another program made is named and left as it is. The others go on.
func TestForeignGamesAreLeftAsTheyAre(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  []string
	}{
		"of an unknown rule set": {
			func(t *testing.T, dir string) {
				t.Helper()
				alter(t, filepath.Join(dir, "game.toml"), `rules = "stcs-basic"`, `rules = "sfb-cadet"`)
			},
			[]string{`unknown rule set "sfb-cadet"`},
		},
		"with a field of another version": {
			func(t *testing.T, dir string) {
				t.Helper()
				turn := filepath.Join(dir, "turns", "0000")
				state, err := os.ReadFile(filepath.Join(turn, vault.StateFile))
				if err != nil {
					t.Fatal(err)
				}
				alter(t, filepath.Join(turn, vault.StateFile), `"turn": 0,`, `"turn": 0, "weather": "calm",`)
				is, err := os.ReadFile(filepath.Join(turn, vault.StateFile))
				if err != nil {
					t.Fatal(err)
				}
				alter(t, filepath.Join(turn, vault.ManifestFile), vault.Hash(state), vault.Hash(is))
			},
			[]string{`its field "weather" is unknown here`, "it was written by version " + fasa.Version + " of rule set stcs-basic"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			bear, wolf := w.game("bear", schedule()), w.game("wolf", schedule())
			for _, captain := range []engine.CaptainName{"Kirk", "Kor"} {
				w.box.put(w.order(wolf, captain, "final"))
			}
			test.spoil(t, bear.Dir())
			before := files(t, bear.Dir())
			d := w.open()
			_, err := d.Once(t.Context())
			if cerr := d.Close(); cerr != nil {
				t.Fatal(cerr)
			}
			for _, part := range test.want {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want %q in it", err, part)
				}
			}
			if got := w.turnOf(wolf); got != 1 {
				t.Errorf("the other game is at turn %d, want 1: %v", got, err)
			}
			if after := files(t, bear.Dir()); !maps.Equal(before, after) {
				t.Errorf("the game was changed: it has %d files, and had %d", len(after), len(before))
			}
		})
	}
}
