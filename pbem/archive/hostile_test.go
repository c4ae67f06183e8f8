package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

func hinted(err error) string {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return h.Hint()
	}
	return ""
}

// packed returns a handmade ZIP file.
func packed(t *testing.T, fill func(z *zip.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := fill(z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func entry(h zip.FileHeader, data string) func(z *zip.Writer) error {
	return func(z *zip.Writer) error {
		w, err := z.CreateHeader(&h)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, data)
		return err
	}
}

// TestHostileArchivesAreRefused checks that a file that is not an archive, or a malicious one, is
// refused with an explanation, takes little memory, and leaves nothing on the disk.
func TestHostileArchivesAreRefused(t *testing.T) {
	dir, g := world(t)
	path, _ := makeArchive(t, dir, g, "a.zip")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	names := func(all ...string) []byte {
		return packed(t, func(z *zip.Writer) error {
			for _, n := range all {
				if err := entry(zip.FileHeader{Name: n}, "x")(z); err != nil {
					return err
				}
			}
			return nil
		})
	}
	link := zip.FileHeader{Name: "game/secret"}
	link.SetMode(fs.ModeSymlink | 0o777)
	many := make([]string, 60_000)
	for i := range many {
		many[i] = "mails/" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + vault.Hash([]byte{byte(i), byte(i >> 8)})[:8]
	}
	patched := func(at int, value uint32) []byte {
		out := bytes.Clone(good)
		binary.LittleEndian.PutUint32(out[len(out)-22+at:], value)
		return out
	}
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"nothing":       {nil, "this is not a ZIP file"},
		"a text":        {[]byte(strings.Repeat("no archive\n", 100)), "this is not a ZIP file"},
		"cut":           {good[:len(good)-500], "this is not a ZIP file"},
		"more behind":   {append(bytes.Clone(good), "more"...), "this is not a ZIP file"},
		"more before":   {append([]byte("more"), good...), "it is damaged"},
		"another zip":   {names("game/game.toml"), "has no archive.json"},
		"a path out":    {names("archive.json", "game/../../etc/x"), "cannot be a file name"},
		"a root":        {names("/etc/x"), "cannot be a file name"},
		"a drive":       {names("game/C:x"), "cannot be a file name"},
		"backslashes":   {names(`game\..\..\x`), "cannot be a file name"},
		"a long name":   {names("game/" + strings.Repeat("n", 400)), "cannot be a file name"},
		"another place": {names("bin/sh"), "does not belong"},
		"twice":         {names("game/secret", "game/secret"), "is in it twice"},
		"nearly twice":  {names("game/secret", "game/SECRET"), "is in it twice"},
		"file and dir":  {names("game/a", "game/a/b"), "both a file and a directory"},
		"a link":        {packed(t, entry(link, "/etc/passwd")), "not a regular file"},
		"many":          {names(many...), "its table of contents is too large, with"},
		"a huge table":  {patched(12, 0x7fffffff), "it is damaged"},
		"table nowhere": {patched(16, 0x7fffffff), "it is damaged"},
		"several disks": {patched(4, 1), "it is damaged"},
		"wrong count":   {patched(8, 0x00010001), "not a ZIP file, or it is damaged"},
		"strange packer": {packed(t, func(z *zip.Writer) error {
			z.RegisterCompressor(99, plainPacker)
			return entry(zip.FileHeader{Name: "game/x", Method: 99}, "x")(z)
		}), "unknown method"},
		"a bomb":     {bomb(t, 400, 400<<20), "bytes, more than"},
		"a sly bomb": {bomb(t, 60, 10), "damaged"},
		"many bombs": {bombs(t, 10, 60<<20), "unpack to more"},
		"format 9":   {packed(t, entry(zip.FileHeader{Name: infoFile}, `{"format": 9}`)), "format 9 of archives is not known"},
		"no info":    {packed(t, entry(zip.FileHeader{Name: infoFile}, `{"format": 1, "x": 2}`)), "was altered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			file := filepath.Join(t.TempDir(), "x.zip")
			if err := os.WriteFile(file, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			_, err := Verify(t.Context(), file, VerifyOptions{Catalogue: catalogue()})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.says) || hinted(err) == "" {
				t.Errorf("%v (%s), want %q", err, hinted(err), c.says)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 80<<20 {
				t.Errorf("it took %d bytes", took)
			}
			if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func plainPacker(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 1) }

// bomb returns a file of that many MiB of zeros that declares another size.
func bomb(t *testing.T, size int, says uint64) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // the data so far refers to nothing before it, so it can be repeated
		t.Fatal(err)
	}
	one := packed.Len()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all, end := packed.Bytes()[:one], packed.Bytes()[one:]
	return rawZip(t, map[string][2]any{infoFile: {append(bytes.Repeat(all, size), end...), says}})
}

// bombs returns several files, each just small enough.
func bombs(t *testing.T, n int, says uint64) []byte {
	t.Helper()
	all := map[string][2]any{}
	for i := range n {
		all["mails/"+string(rune('a'+i))] = [2]any{[]byte{3, 0}, says}
	}
	return rawZip(t, all)
}

func rawZip(t *testing.T, all map[string][2]any) []byte {
	t.Helper()
	return packed(t, func(z *zip.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			data := all[name][0].([]byte)
			w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(data)), UncompressedSize64: all[name][1].(uint64)})
			if err != nil {
				return err
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestAlteredFilesAreFound checks that any alteration in an archive is reported, even with a new
// list of hashes.
func TestAlteredFilesAreFound(t *testing.T) {
	dir, g := world(t)
	path, made := makeArchive(t, dir, g, "a.zip")
	files := unzip(t, path)
	for name, c := range map[string]struct {
		alter func(m map[string]string)
		file  string // file in the finding
	}{
		"a state":          {func(m map[string]string) { replace(m, "game/turns/0002/state.json", `"turn":`, `"turn" :`) }, "game/turns/0002/state.json"},
		"no events":        {func(m map[string]string) { delete(m, "game/turns/0002/events.jsonl") }, "game/turns/0002/events.jsonl"},
		"no manifest":      {func(m map[string]string) { delete(m, "game/turns/0002/manifest.json") }, "game/turns/0002"},
		"no turn":          {func(m map[string]string) { drop(m, "game/turns/0002/") }, "game/turns/0002"},
		"no secret":        {func(m map[string]string) { delete(m, "game/secret") }, "game/secret"},
		"another secret":   {func(m map[string]string) { m["game/secret"] = strings.Repeat("ab", 32) + "\n" }, "game/secret"},
		"no secret at all": {func(m map[string]string) { m["game/secret"] = "hush" }, "game/secret"},
		"the scenario":     {func(m map[string]string) { m["game/scenario.toml"] += "\n# more\n" }, "scenario.toml"},
		"the settings":     {func(m map[string]string) { m["game/game.toml"] += "\n# more\n" }, "game/game.toml"},
		"an address":       {func(m map[string]string) { replace(m, "game/game.toml", `address = ""`, `address = "a@b.c"`) }, "game/game.toml"},
		"more tables":      {func(m map[string]string) { m["game/ships/x.toml"] = "" }, "game/ships/x.toml"},
		"an extra file":    {func(m map[string]string) { m["game/turns/0001/more.txt"] = "x" }, "game/turns/0001/more.txt"},
		"an extra turn":    {func(m map[string]string) { m["game/turns/0001.r7/state.json"] = "x" }, "game/turns/0001.r7/state.json"},
		"the journal":      {func(m map[string]string) { replace(m, "game/journal.jsonl", `"prev":"0`, `"prev":"1`) }, "game/journal.jsonl"},
		"no journal":       {func(m map[string]string) { delete(m, "game/journal.jsonl") }, "game/turns/0004.r2"},
		"what it is of":    {func(m map[string]string) { replace(m, infoFile, `"turn": 4,`, `"turn": 5,`) }, infoFile},
		"no game":          {func(m map[string]string) { drop(m, "game/") }, "game"},
		"garbage":          {func(m map[string]string) { m["game/game.toml"] = strings.Repeat("[[a]]\n", 1000) }, "game/game.toml"},
		"a deep state":     {func(m map[string]string) { m["game/turns/0001/state.json"] = strings.Repeat("[", 200_000) }, "game/turns/0001/state.json"},
	} {
		t.Run(name, func(t *testing.T) {
			m := maps.Clone(files)
			c.alter(m)
			to := filepath.Join(t.TempDir(), "x.zip")
			rezip(t, to, m)
			v, err := Verify(t.Context(), to, VerifyOptions{Catalogue: catalogue()})
			if err != nil {
				t.Fatal(err)
			}
			if v.Sound || v.Panic != "" || !slices.ContainsFunc(v.Findings, func(f finding) bool { return strings.Contains(f.File, c.file) || strings.Contains(f.Problem, c.file) }) {
				t.Errorf("%v\n%s", v.Findings, v.Panic)
			}
		})
	}
	// A list that was not rebuilt.
	m := maps.Clone(files)
	m["mails/0001.txt"] += "more"
	v := &Verdict{}
	sums := map[string]string{}
	for name, text := range m {
		sums[name] = vault.Hash([]byte(text))
	}
	if v.sums([]byte(files[sumsFile]), sums); len(v.Findings) != 1 || v.Findings[0].File != "mails/0001.txt" {
		t.Errorf("an altered mail: %v", v.Findings)
	}
	// A game of another program.
	for change, want := range map[string]string{`version = "3"|version = "9"`: "version 9 of rule set stcs-basic", `rules = "stcs-basic"|rules = "scs-basic"`: `rule set "scs-basic"`} {
		m := maps.Clone(files)
		was, is, _ := strings.Cut(change, "|")
		replace(m, "game/game.toml", was, is)
		to := filepath.Join(dir, "other.zip")
		rezip(t, to, m)
		if _, err := Verify(t.Context(), to, VerifyOptions{Catalogue: catalogue()}); !errors.Is(err, errRules) || !strings.Contains(err.Error(), want) || !strings.Contains(hinted(err), "verify it with") {
			t.Errorf("%v (%s)", err, hinted(err))
		}
	}
	// Hashes that were in no report.
	for _, h := range []string{strings.Repeat("ab", 32), "abcd", made.Stages[1].Seal[:20]} {
		v, err := Verify(t.Context(), path, VerifyOptions{Catalogue: catalogue(), Heads: []string{h}})
		if err != nil || len(v.Findings) != 1 || v.Heads[0].Of != "" {
			t.Errorf("%s: %+v, %v", h, v, err)
		}
	}
}

func replace(m map[string]string, name, was, is string) {
	if !strings.Contains(m[name], was) {
		panic(name + " has no " + was)
	}
	m[name] = strings.Replace(m[name], was, is, 1)
}

func drop(m map[string]string, prefix string) {
	maps.DeleteFunc(m, func(name, _ string) bool { return strings.HasPrefix(name, prefix) })
}

// TestInvalidRequestsAreRefused checks that a failed request leaves nothing behind.
func TestInvalidRequestsAreRefused(t *testing.T) {
	dir, g := world(t)
	try := func(o Options, want error, says string) {
		t.Helper()
		o.Catalogue = catalogue()
		_, err := Make(t.Context(), o)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), says) || hinted(err) == "" {
			t.Errorf("%v (%s)", err, hinted(err))
		}
		left, err := filepath.Glob(filepath.Join(dir, ".*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
	path, _ := makeArchive(t, dir, g, "a.zip")
	try(Options{Game: g, To: path}, ErrExists, "something is already")
	try(Options{Game: g, To: filepath.Join(dir, "no", "b.zip")}, fs.ErrNotExist, "cannot write")
	orders := filepath.Join(dir, "wolf", "turns", "0002", "orders", "Hood.txt")
	data, err := os.ReadFile(orders)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(orders, append(data, "; more\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	try(Options{Game: g, To: filepath.Join(dir, "b.zip")}, errUnsound, "Hood.txt was altered")
	if err := os.Remove(filepath.Join(dir, "wolf", "turns", "0002", vault.ManifestFile)); err != nil {
		t.Fatal(err)
	}
	if g, err = vault.Open(directory.At(filepath.Join(dir, "wolf")), catalogue()); err != nil {
		t.Fatal(err)
	}
	try(Options{Game: g, To: filepath.Join(dir, "b.zip")}, errUnsound, "the record of the game is broken")
	if _, err := os.Stat(filepath.Join(dir, "b.zip")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is an archive: %v", err)
	}
}
