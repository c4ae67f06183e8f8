package archive

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// forger alters the game of an archive and then makes all hashes again, as the referee could.
type forger struct {
	dir   string
	files map[string]string // files of the game, by path
	bases []string          // directories of turns, in the order of their creation
}

func newForger(tb testing.TB, dir string, members map[string]string) *forger {
	tb.Helper()
	f := &forger{dir: dir, files: map[string]string{}}
	for name, text := range members {
		if rel, ok := strings.CutPrefix(name, gameDir+"/"); ok {
			f.files[rel] = text
			if path.Base(rel) == vault.ManifestFile {
				f.bases = append(f.bases, path.Base(path.Dir(rel)))
			}
		}
	}
	slices.Sort(f.bases)
	writeTree(tb, dir, f.files)
	if err := os.MkdirAll(filepath.Join(dir, "orders"), 0o700); err != nil {
		tb.Fatal(err)
	}
	return f
}

// with returns the game after a change of a file, with all hashes rebuilt.
func (f *forger) with(name, text string) (map[string]string, error) {
	out := map[string]string{name: text}
	get := func(name string) string {
		if text, ok := out[name]; ok {
			return text
		}
		return f.files[name]
	}
	if name == "secret" {
		s, err := dice.ParseSecret(strings.TrimSpace(text))
		if err != nil {
			return out, nil //nolint:nilerr // a secret that is none has no hash
		}
		settings, err := vault.ParseSettings([]byte(f.files["game.toml"]), "game.toml")
		if err != nil {
			return nil, err
		}
		settings.SecretSHA256 = dice.Commit(s)
		data, err := settings.Encode()
		if err != nil {
			return nil, err
		}
		out["game.toml"] = string(data)
	}
	sums := map[string]string{}
	for _, base := range f.bases {
		var m vault.Manifest
		if err := json.Unmarshal([]byte(get("turns/"+base+"/"+vault.ManifestFile)), &m); err != nil {
			return nil, err
		}
		for file := range m.Files {
			m.Files[file] = vault.Hash([]byte(get("turns/" + base + "/" + file)))
		}
		if m.Turn > 0 {
			m.Previous = sums[vault.Stage{Turn: m.Turn - 1, Revision: 1}.Base()]
		}
		data, err := json.MarshalIndent(m, "", " ")
		if err != nil {
			return nil, err
		}
		out["turns/"+base+"/"+vault.ManifestFile] = string(data) + "\n"
		sums[base] = vault.Hash(append(data, '\n'))
	}
	// The only line of the journal names the manifest of the only revision.
	var e journal.Entry
	if err := json.Unmarshal([]byte(f.files[vault.JournalFile]), &e); err != nil {
		return nil, err
	}
	var d journal.ReviseData
	if err := e.Decode(&d); err != nil {
		return nil, err
	}
	d.Manifest = sums[vault.Stage{Turn: d.Turn, Revision: d.Revision}.Base()]
	var err error
	if e.Data, err = json.Marshal(d); err != nil {
		return nil, err
	}
	line, err := json.Marshal(e)
	out[vault.JournalFile] = string(line) + "\n"
	return out, err
}

// verify verifies the game with some altered files. It skips the archive's own description and list
// of hashes, which can be rebuilt as well.
func (f *forger) verify(files map[string]string, heads []string) (v *Verdict, err error) {
	put := func(name, text string) error {
		return os.WriteFile(filepath.Join(f.dir, filepath.FromSlash(name)), []byte(text), 0o600)
	}
	sums := map[string]string{}
	for name, text := range f.files {
		if other, ok := files[name]; ok {
			text = other
			if err := put(name, other); err != nil {
				return nil, err
			}
		}
		sums[gameDir+"/"+name] = vault.Hash([]byte(text))
	}
	defer func() {
		for name := range files {
			err = errors.Join(err, put(name, f.files[name]))
		}
	}()
	v = &Verdict{}
	if err := v.game(f.dir, sums, VerifyOptions{Catalogue: catalogue(), Heads: heads}); err != nil {
		return nil, err
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(x finding) bool { return x.File == infoFile })
	return v, nil
}

var forgedStep = flag.Int("forged-step", 6, "how many forged bytes are passed over for one that is tried; 1 takes minutes")

// TestForgeriesWithNewHashesAreFound alters each byte of the secret, the rulings and a turn's
// orders, and some of the rest, and makes all hashes again. The replay reveals any change of the
// outcome, and any form in which the program does not write a file. The remaining changes do not
// affect the course of the game; the hash in a single report reveals them too.
func TestForgeriesWithNewHashesAreFound(t *testing.T) {
	dir, g := world(t)
	archived, made := makeArchive(t, dir, g, "a.zip")
	files := unzip(t, archived)
	last := made.Stages[len(made.Stages)-1]
	if last.Revision != 2 || !last.Current {
		t.Fatalf("the last stage is %+v", last)
	}
	type task struct {
		name string
		at   int
	}
	var tasks []task
	for _, name := range guarded(files) {
		step := 1
		switch {
		case strings.HasSuffix(name, vault.EventsFile):
			step = 1999 // events are compared as a whole with those of the replay
		case strings.Contains(name, "/orders/") && !strings.Contains(name, "/0003/"):
			step = 29 // all of them have been tried once, and it takes minutes
		}
		step *= *forgedStep
		for i := 0; i < len(files[name]); i += step {
			tasks = append(tasks, task{strings.TrimPrefix(name, gameDir+"/"), i})
		}
	}
	f := newForger(t, filepath.Join(dir, "forge"), files)
	// Without an alteration, and with hashes rebuilt, there are no findings.
	asItIs, err := f.with("secret", f.files["secret"])
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.verify(asItIs, []string{last.Seal, made.SecretSHA256}); err != nil || len(v.Findings) > 0 {
		t.Fatalf("the forger's own hashes: %v, %v", v.Findings, err)
	}
	silent := map[string]int{} // changes that only a report's hash reveals, by file
	for _, k := range tasks {
		data := []byte(f.files[k.name])
		data[k.at] ^= byte(1 + k.at%7)
		altered, err := f.with(k.name, string(data))
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.verify(altered, []string{last.Seal, made.Stages[len(made.Stages)-2].Seal, made.SecretSHA256})
		if err != nil {
			t.Fatalf("byte %d of %s: %v", k.at, k.name, err)
		}
		byHead := slices.ContainsFunc(v.Findings, func(x finding) bool { return strings.HasPrefix(x.Problem, "no turn has the hash") })
		switch {
		case len(v.Findings) == 0:
			t.Errorf("byte %d of %s, now %q, is not found", k.at, k.name, data[k.at])
		case byHead && slices.IndexFunc(v.Findings, func(x finding) bool { return !strings.HasPrefix(x.Problem, "no turn has the hash") }) < 0:
			silent[k.name]++
		}
	}
	// Only the time of a ruling does not affect anything.
	for name, n := range silent {
		if path.Base(name) != vault.RulingsFile || n > len("2026-05-04T18:00:00Z") {
			t.Errorf("%s: %d bytes are found by the hash of a report alone", name, n)
		}
	}
	t.Logf("%d bytes tried; found by the hash of a report alone: %v", len(tasks), silent)
}
