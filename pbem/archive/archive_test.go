package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine/rules/fasa"
	"starpost/pbem/config"
	"starpost/pbem/demo"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// catalogue makes its rule sets only once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// played returns the demonstration game, with a referee's ruling on its end.
var played = sync.OnceValues(func() (map[string]string, error) {
	all, err := fasa.Scenarios()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "starpost-archive-test-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r, err := demo.Run(context.Background(), demo.Options{Seed: 1, Dir: filepath.Join(dir, "demo"), Catalogue: catalogue(), Scenario: all["big-bad-wolf"]})
	if err != nil {
		return nil, err
	}
	g, err := vault.Open(directory.At(r.Game), catalogue())
	if err != nil {
		return nil, err
	}
	act := referee.Act{By: "Rita", Why: "rita@example.org counted again", Now: time.Date(2026, 5, 4, 18, 0, 0, 0, time.UTC)}
	if _, err := referee.Rerun(g, act, referee.Plan{Turn: g.Turn(), Rulings: []string{"set Riskadh superstructure 3"}}, turn.Options{}); err != nil {
		return nil, err
	}
	return readTree(filepath.Join(dir, "demo"))
})

// readTree reads all files below a directory.
func readTree(dir string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	return out, err
}

func writeTree(tb testing.TB, dir string, files map[string]string) {
	tb.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// world returns a directory with the game in wolf and the daemon's state in state.
func world(tb testing.TB) (dir string, g *vault.Game) {
	tb.Helper()
	files, err := played()
	if err != nil {
		tb.Fatal(err)
	}
	dir = tb.TempDir()
	writeTree(tb, dir, files)
	if err := os.MkdirAll(filepath.Join(dir, "wolf", "orders"), 0o700); err != nil {
		tb.Fatal(err)
	}
	if g, err = vault.Open(directory.At(filepath.Join(dir, "wolf")), catalogue()); err != nil {
		tb.Fatal(err)
	}
	return dir, g
}

func makeArchive(tb testing.TB, dir string, g *vault.Game, name string) (string, Result) {
	tb.Helper()
	to := filepath.Join(dir, name)
	made, err := Make(tb.Context(), Options{Game: g, To: to, Catalogue: catalogue(), Bag: referee.Postbag{Host: &config.Config{State: filepath.Join(dir, "state")}}})
	if err != nil {
		tb.Fatal(err)
	}
	return to, made
}

// unzip reads the members of an archive.
func unzip(tb testing.TB, path string) map[string]string {
	tb.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() {
		if err := z.Close(); err != nil {
			tb.Error(err)
		}
	}()
	out := map[string]string{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			tb.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			tb.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}

// rezip writes an archive of members, with a new list of hashes.
func rezip(tb testing.TB, path string, files map[string]string) {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	files = maps.Clone(files)
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != sumsFile {
			list.WriteString(vault.Hash([]byte(files[name])) + "  " + name + "\n")
		}
	}
	files[sumsFile] = list.String()
	// In the order of archives, so that only the content reveals the forgery.
	names := slices.Collect(maps.Keys(files))
	place := func(name string) string {
		switch {
		case strings.HasPrefix(name, gameDir+"/"):
			return "0" + strings.ReplaceAll(name, "/", "\x00")
		case strings.HasPrefix(name, mailsDir+"/"):
			return "1" + name
		}
		return map[string]string{infoFile: "2", readmeFile: "3", sumsFile: "4"}[name] + name
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(place(a), place(b)) })
	for _, name := range names {
		w, err := z.CreateHeader(header(name))
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func TestArchive(t *testing.T) {
	dir, g := world(t)
	path, made := makeArchive(t, dir, g, "a.zip")
	if made.Mails == 0 || len(made.LeftOut) > 0 || !made.Over || len(made.Telling) != 2 {
		t.Errorf("made %+v", made)
	}
	v, err := Verify(t.Context(), path, VerifyOptions{Catalogue: catalogue(), Heads: []string{made.Stages[2].Seal[:48], strings.ToUpper(made.SecretSHA256)}})
	if err != nil || !v.Sound || v.Sum != made.Sum || v.Dice < 20 {
		t.Fatalf("verdict %+v: %v", v, err)
	}
	if v.Heads[0].Of != "the record up to turn 2" || v.Heads[1].Of != "the secret" {
		t.Errorf("heads %+v", v.Heads)
	}
	if len(v.Rulings) != 1 || v.Rulings[0].By != "Rita" || len(v.Revisions) != 1 || v.Revisions[0].Why != "(an address) counted again" {
		t.Errorf("rulings %+v, revisions %+v", v.Rulings, v.Revisions)
	}
	// Each report has the same hash as the archive.
	for _, s := range v.Stages {
		report, err := os.ReadFile(filepath.Join(dir, "wolf", "turns", vault.Stage{Turn: s.Turn, Revision: s.Revision}.Base(), "reports", "hood.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(report)), ""), "Hashoftherecordsofar:"+s.Seal) {
			t.Errorf("the report of %s does not have the hash", s)
		}
	}
	// It contains no address, except in the referee's own words.
	for name, text := range unzip(t, path) {
		if strings.Contains(text, "fleet.example") || strings.Contains(text, "rita@") && !slices.Contains(made.Telling, name) {
			t.Errorf("%s has an address", name)
		}
	}
	// The same game gives the same bytes, also from a copy, and from the game in an archive.
	other, _ := makeArchive(t, dir, g, "b.zip")
	same(t, path, other)
	dir2, g2 := world(t)
	other, _ = makeArchive(t, dir2, g2, "b.zip")
	same(t, path, other)
	plain, err := Make(t.Context(), Options{Game: g, To: filepath.Join(dir, "plain.zip"), Catalogue: catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	writeTree(t, filepath.Join(dir, "out"), unzip(t, path))
	again, err := vault.Open(directory.At(filepath.Join(dir, "out", gameDir)), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), Options{Game: again, To: filepath.Join(dir, "again.zip"), Catalogue: catalogue()}); err != nil {
		t.Fatal(err)
	}
	same(t, plain.File, filepath.Join(dir, "again.zip"))
}

func same(t *testing.T, a, b string) {
	t.Helper()
	one, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, two) {
		t.Errorf("%s and %s differ", a, b)
	}
}

// guarded returns the members of which each byte matters.
func guarded(files map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		base := filepath.Base(name)
		if base == "secret" || base == vault.EventsFile || base == vault.RulingsFile || strings.Contains(name, "/orders/") {
			out = append(out, name)
		}
	}
	return out
}

// TestEachAlteredByteIsFound alters each byte of orders, events, secret and rulings: the list of
// hashes reveals it.
func TestEachAlteredByteIsFound(t *testing.T) {
	dir, g := world(t)
	path, _ := makeArchive(t, dir, g, "a.zip")
	files := unzip(t, path)
	sums := map[string]string{}
	for name, text := range files {
		sums[name] = vault.Hash([]byte(text))
	}
	tried := 0
	for _, name := range guarded(files) {
		data := []byte(files[name])
		for i := range data {
			was := data[i]
			data[i] ^= byte(1 + i%255)
			sums[name] = vault.Hash(data)
			v := &Verdict{}
			v.sums([]byte(files[sumsFile]), sums)
			if len(v.Findings) != 1 || v.Findings[0].File != name {
				t.Fatalf("byte %d of %s: %v", i, name, v.Findings)
			}
			data[i] = was
			tried++
		}
		sums[name] = vault.Hash(data)
	}
	if tried < 40_000 {
		t.Errorf("%d bytes were tried", tried)
	}
}

type finding = proof.Finding

// TestKilledWhileWriting checks that an archive has its name only when it is complete and verified,
// and that leftovers of a killed process do no harm.
func TestKilledWhileWriting(t *testing.T) {
	dir, g := world(t)
	to, part := filepath.Join(dir, "a.zip"), filepath.Join(dir, ".a.zip.part")
	if err := os.WriteFile(part, []byte("half an archive, and longer than the whole one"+strings.Repeat("!", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	seen := false
	_, err := Make(ctx, Options{Game: g, To: to, Catalogue: catalogue(), Progress: func(int) {
		if _, err := os.Lstat(to); err == nil {
			t.Error("it has its name before it was verified")
		}
		_, err := os.Lstat(part)
		seen = err == nil
		kill()
	}})
	if err != nil || !seen {
		t.Fatalf("not written aside: %v, %v", seen, err)
	}
	other, _ := makeArchive(t, dir, g, "b.zip")
	if _, err := os.Lstat(part); err == nil {
		t.Error("what was written aside is still there")
	}
	if v, err := Verify(t.Context(), to, VerifyOptions{Catalogue: catalogue()}); err != nil || !v.Sound {
		t.Errorf("%+v, %v", v, err)
	}
	if err := os.WriteFile(part, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	ctx, kill = context.WithCancel(t.Context())
	kill()
	if _, err := Make(ctx, Options{Game: g, To: to, Catalogue: catalogue()}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one: %v", err)
	}
	for _, name := range []string{to, part} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	again, _ := makeArchive(t, dir, g, "a.zip")
	same(t, again, other)
}
