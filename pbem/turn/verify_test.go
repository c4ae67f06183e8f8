package turn_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// played returns a game of three turns, the second with policies.
func played(t *testing.T) *vault.Game {
	t.Helper()
	g := newPond(t, 9)
	sendAll(t, g)
	resolve(t, g, "")
	send(t, g, "#orders pond turn 2 ship Ada\nphase 1\n move F\n#end")
	resolve(t, g, vault.PolicyStanding)
	sendAll(t, g)
	resolve(t, g, "")
	clean(t, g)
	return g
}

// change replaces text in a file once.
func change(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(from)) {
		t.Fatalf("%s has no %q", path, from)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte(from), []byte(to), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyNamesTheDifference alters one thing at a time. Each must be found and named, and
// nothing else reported.
func TestVerifyNamesTheDifference(t *testing.T) {
	sound := played(t)
	for name, tc := range map[string]struct {
		harm func(t *testing.T, dir string)
		want []string // findings, by the start and a part after "..."
	}{
		"nothing": {func(*testing.T, string) {}, nil},
		"an event": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0001/events.jsonl"), `"left":99`, `"left":98`)
		}, []string{"turns/0001/events.jsonl:2: event 2, field left: the file has 98, the replay gives 99"}},
		"a die": {func(t *testing.T, dir string) {
			t.Helper()
			line := dieLine(t, filepath.Join(dir, "turns/0001/events.jsonl"))
			change(t, filepath.Join(dir, "turns/0001/events.jsonl"), line, strings.Replace(line, `"value":`, `"value":9`, 1))
		}, []string{"turns/0001/events.jsonl:...field value: the file has 9"}},
		"an event dropped": {func(t *testing.T, dir string) {
			t.Helper()
			file := filepath.Join(dir, "turns/0003/events.jsonl")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := bytes.Cut(data, []byte("\n"))
			if err := os.WriteFile(file, rest, 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/events.jsonl:1: event 1, field ..."}},
		"events cut off": {func(t *testing.T, dir string) {
			t.Helper()
			file := filepath.Join(dir, "turns/0003/events.jsonl")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			end := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			if err := os.WriteFile(file, data[:end], 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/events.jsonl:...the file ends here; the replay goes on with {"}},
		"an event added": {func(t *testing.T, dir string) {
			t.Helper()
			file := filepath.Join(dir, "turns/0003/events.jsonl")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, append(data, "{}\n"...), 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/events.jsonl:...the replay ends here; the file goes on with {}"}},
		"an event that is no event": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0001/events.jsonl"), `{"seq":1,`, `{"seq":1`)
		}, []string{"turns/0001/events.jsonl:1: event 1, the file is truncated or no longer JSON"}},
		"a state": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0002/state.json"), `"tank": 9`, `"tank": 8`)
		}, []string{"turns/0002/state.json:...field ships[abe].system.tank: the file has 8"}},
		"a state's spacing": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0002/state.json"), `"turn": 2`, `"turn":  2`)
		}, []string{"turns/0002/state.json:...the same values are written differently"}},
		"a state cut": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Truncate(filepath.Join(dir, "turns/0002/state.json"), 200); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0002/state.json:...the file is truncated or no longer JSON"}},
		"a state gone": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "turns/0001/state.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0001/state.json: the file is missing"}},
		"the set-up": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0000/state.json"), `"hull": 6`, `"hull": 7`)
		}, []string{"turns/0000/state.json:...field ships[abe].system.hull: the file has 7, the replay gives 6"}},
		"the scenario": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "scenario.toml"), "The Pond", "The Lake")
		}, []string{"scenario.toml: the file was altered", "turns/0000/state.json: the set-up cannot be made again"}},
		"orders": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0001/orders/Bea.txt"), "move F", "move L")
		}, []string{"turns/0001/orders/Bea.txt: the file was altered", "turns/0001/state.json: the turn cannot be played again, because its orders were altered"}},
		"orders gone": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "turns/0001/orders/Bea.txt")); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0001/orders/Bea.txt: the file is missing", "turns/0001/state.json: the turn cannot be played again"}},
		"a report": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0003/reports/bea.txt"), "Bea", "Boa")
		}, []string{"turns/0003/reports/bea.txt: the file was altered"}},
		"a report cut": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Truncate(filepath.Join(dir, "turns/0003/views.json"), 500); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/views.json: the file was altered or truncated"}},
		"a mail": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0003/outbox.json"), "\"name\": \"Bob\"", "\"name\": \"Rob\"")
		}, []string{"turns/0003/outbox.json: the file was altered or truncated"}},
		"a mail's checksum": {func(t *testing.T, dir string) {
			t.Helper()
			rehash(t, dir, 2, "outbox.json", "crc32c 00000000 1")
		}, []string{"turns/0002/outbox.json: the file was altered or truncated", "turns/0002/manifest.json: the file was altered: turn 3"}},
		"a mail gone": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "turns/0003/outbox.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/outbox.json: the file is missing"}},
		"a file too many": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, "turns/0003/orders/Eve.txt"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0003/orders/Eve.txt: the file does not belong to the turn"}},
		"a manifest's policy": {func(t *testing.T, dir string) {
			t.Helper()
			change(t, filepath.Join(dir, "turns/0002/manifest.json"), `"abe": "standing"`, `"abe": "forfeit"`)
		}, []string{
			"turns/0002/events.jsonl:1: event 1, field policy: the file has \"standing\", the replay gives \"forfeit\" (the manifest agrees",
			"turns/0002/state.json:...the replay gives", "turns/0002/manifest.json: the file was altered: turn 3 was made after another one",
		}},
		"a manifest's hash": {func(t *testing.T, dir string) {
			t.Helper()
			rehash(t, dir, 2, "state.json", strings.Repeat("0", 64))
		}, []string{"turns/0002/manifest.json: the hash of state.json was altered", "turns/0002/manifest.json: the file was altered: turn 3"}},
		"a state with its hash": {func(t *testing.T, dir string) {
			t.Helper()
			file := filepath.Join(dir, "turns/0002/state.json")
			change(t, file, `"tank": 9`, `"tank": 8`)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rehash(t, dir, 2, "state.json", vault.Hash(data))
		}, []string{
			"turns/0002/state.json:...(the manifest agrees with the file", "turns/0002/manifest.json: the file was altered: turn 3",
			"turns/0003/events.jsonl:", "turns/0003/state.json:", // it was really played from another state
		}},
		"a manifest gone": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "turns/0002/manifest.json")); err != nil {
				t.Fatal(err)
			}
		}, []string{"turns/0002/manifest.json: the file is missing", "turns/0003/state.json: the turn cannot be played again, because the state before it is not known"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "pond")
			if err := os.CopyFS(dir, os.DirFS(sound.Dir())); err != nil {
				t.Fatal(err)
			}
			tc.harm(t, dir)
			var seen []int
			found, err := proof.Verify(openPond(t, dir), func(n int) { seen = append(seen, n) })
			if err != nil || len(seen) != 4 {
				t.Fatalf("%v, looked at %v", err, seen)
			}
			if len(found) != len(tc.want) {
				t.Fatalf("found %d: %v", len(found), found)
			}
			for i, f := range found {
				start, part, _ := strings.Cut(tc.want[i], "...")
				if got := f.String(); !strings.HasPrefix(got, start) || !strings.Contains(got, part) {
					t.Errorf("found %s\nwant  %s", got, tc.want[i])
				}
			}
		})
	}
}

func dieLine(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, `"type":"roll"`) {
			return line
		}
	}
	t.Fatal("no die was thrown")
	return ""
}

// rehash writes another hash into a manifest.
func rehash(t *testing.T, dir string, n int, name, hash string) {
	t.Helper()
	file := filepath.Join(dir, "turns", "000"+string(rune('0'+n)), "manifest.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m vault.Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	m.Files[name] = hash
	if data, err = json.MarshalIndent(m, "", " "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
