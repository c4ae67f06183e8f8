package vault

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"

	"starpost/engine/dice"
)

func TestCreateAndOpen(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	want := settings()
	want.Format, want.SecretSHA256 = Format, dice.Commit(dice.FromSeed(1))
	if got := g.Settings(); !reflect.DeepEqual(got, want) {
		t.Errorf("settings\n%+v\nwant\n%+v", got, want)
	}
	if g.Turn() != 0 || g.ID() != "pond" || g.Secret().String() != dice.FromSeed(1).String() {
		t.Errorf("turn %d, id %s", g.Turn(), g.ID())
	}
	if due, err := g.Due(); due != 1 || err != nil {
		t.Errorf("due %d, %v", due, err)
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("secret: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory of a game is open to others: %v, %v", info.Mode(), err)
	}
	state, err := g.Stages.State(At(0))
	if err != nil || len(state.Ships) != 2 || state.Ships[0].Captain != "Ann Lee" {
		t.Errorf("state %+v, %v", state, err)
	}
	if again, err := g.Stages.State(At(0)); again != state || err != nil {
		t.Error("the state is read twice")
	}
	if ev, err := g.Stages.Events(At(0)); len(ev) > 0 || err != nil {
		t.Errorf("events %v, %v", ev, err)
	}
	if sc, err := g.Scenario(); string(sc) != toyScenario || err != nil {
		t.Errorf("scenario, %v", err)
	}
	if string(g.Tables()["ships/tub.toml"]) != "# a tub\n" {
		t.Errorf("tables %v", g.Tables())
	}
	m, err := g.Stages.Manifest(At(0))
	if err != nil || len(m.Base) != 2 || !m.Deadline.Equal(day(3)) {
		t.Errorf("manifest %+v, %v", m, err)
	}
	mails, err := g.Stages.Outbox(Stage{Turn: 0})
	if err != nil || len(mails) != 1 || mails[0].To != "bob@example.org" || mails[0].MessageID != "<a@b>" || mails[0].Name != "bob.eml" {
		t.Errorf("outbox %+v, %v", mails, err)
	}
	if data, err := os.ReadFile(mails[0].Path); err != nil || !strings.HasPrefix(string(data), "To: bob") {
		t.Errorf("mail %q, %v", data, err)
	}
	if c, ok := want.CaptainOf("BEA"); !ok || len(c.Addresses()) != 2 {
		t.Errorf("captain of Bea: %+v", c)
	}
	a, err := g.Stages.Audit(Stage{Turn: 0})
	if err != nil || a.Problem != "" || len(a.Damaged) > 0 {
		t.Errorf("audit %+v, %v", a.Damaged, err)
	}
	if games, err := directory.Games(filepath.Dir(dir)); err != nil || len(games) != 1 || games[0] != dir {
		t.Errorf("games %v, %v", games, err)
	}
}

func TestCreateInto(t *testing.T) {
	n := func(t *testing.T) NewGame {
		t.Helper()
		_, files := content(t, 0)
		return NewGame{Settings: settings(), Scenario: []byte(toyScenario), Secret: dice.FromSeed(1), Fill: Files(files...)}
	}
	t.Run("an empty directory, with what a crash left", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, ".new", "turns"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Create(directory.At(dir), n(t)); err != nil {
			t.Fatal(err)
		}
		open(t, dir)
		if _, err := os.Stat(filepath.Join(dir, ".new")); !errors.Is(err, os.ErrNotExist) {
			t.Error("the leftover is still there")
		}
	})
	t.Run("a directory with something in it", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Create(directory.At(dir), n(t))
		if !errors.Is(err, record.ErrExists) || hinted(err) == "" || !strings.Contains(err.Error(), "mine") {
			t.Errorf("got %v", err)
		}
		if got := tree(t, dir); len(got) != 1 {
			t.Errorf("left %v", got)
		}
	})
	t.Run("a game", func(t *testing.T) {
		dir := create(t)
		before := tree(t, dir)
		if err := Create(directory.At(dir), n(t)); !errors.Is(err, record.ErrExists) {
			t.Errorf("got %v", err)
		}
		if !reflect.DeepEqual(tree(t, dir), before) {
			t.Error("the game was changed")
		}
	})
	t.Run("a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Create(directory.At(filepath.Join(file, "game")), n(t)); err == nil {
			t.Error("no error")
		}
	})
	t.Run("bad settings", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "x")
		bad := n(t)
		bad.Settings.ID = "two words"
		if err := Create(directory.At(dir), bad); !errors.Is(err, ErrSettings) {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Error("the directory was made")
		}
	})
}

// edit replaces text in a file.
func edit(tb testing.TB, path, from, to string) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	changed := strings.Replace(string(data), from, to, 1)
	if changed == string(data) {
		tb.Fatalf("%s has no %q", path, from)
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// TestOpenNamesTheTrouble lists the possible problems of a directory: the error names the file,
// says what is wrong, and has a hint.
func TestOpenNamesTheTrouble(t *testing.T) {
	remove := func(names ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(append([]string{dir}, names...)...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	change := func(name, from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { t.Helper(); edit(t, filepath.Join(dir, name), from, to) }
	}
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	sound := create(t)
	for g := open(t, sound); g.Turn() < 2; {
		if err := commitNext(t, g); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		harm func(*testing.T, string)
		kind error
		want string // in the message
		hint string // in the hint
	}{
		"nothing there":       {func(t *testing.T, dir string) { t.Helper(); remove()(t, dir) }, ErrNotAGame, "not a game directory", "starpost new"},
		"no game.toml":        {remove("game.toml"), ErrNotAGame, "game.toml", "backup"},
		"no secret":           {remove("secret"), ErrDamaged, "secret: the file is missing", "backup"},
		"another secret":      {write("secret", dice.FromSeed(2).String()), ErrDamaged, "secret: the secret does not match its hash", "backup"},
		"half a secret":       {write("secret", "abcd"), ErrDamaged, "secret: game secret: 4 characters", "backup"},
		"no turns":            {remove("turns"), ErrDamaged, "turns: the directory is missing", "backup"},
		"no set-up":           {remove("turns", "0000"), ErrDamaged, "0000: the turn is missing", "backup"},
		"a gap":               {remove("turns", "0001"), ErrDamaged, "0001: the turn is missing, but turn 2", "backup"},
		"truncated game.toml": {write("game.toml", "format = 1\nid = \"po"), ErrSettings, "game.toml:2", "backup"},
		"empty game.toml":     {write("game.toml", ""), ErrSettings, "game.toml: format 0", "format 1"},
		"unknown key":         {change("game.toml", "grace =", "grase ="), ErrSettings, `unknown key "mail.grase"`, `"grace"`},
		"unknown rule set":    {change("game.toml", `rules = "toy"`, `rules = "toi"`), ErrSettings, `unknown rule set "toi"`, `"toy"`},
		"other version":       {change("game.toml", `version = "1"`, `version = "9"`), ErrSettings, "uses version 9", "a starpost that has version 9"},
		"unknown policy":      {change("game.toml", `missing = "standing"`, `missing = "sit"`), ErrSettings, `missing = "sit"`, "forfeit"},
		"bad zone":            {change("game.toml", `zone = "UTC"`, `zone = "Mars"`), ErrSettings, "Mars", "Europe/Berlin"},
		"bad span":            {change("game.toml", `deadline = "72h"`, `deadline = "soon"`), ErrSettings, "game.toml:", ""},
		"bad address":         {change("game.toml", `"bob@example.org"`, `"bob at home"`), ErrSettings, "bob at home", "kirk@example.org"},
		"one ship, two":       {change("game.toml", `["Bea"]`, `["Bea", "ada"]`), ErrSettings, "ship ada has two captains", ""},
		"two of a name":       {change("game.toml", `"Bob"`, `"ann lee"`), ErrSettings, "two captains", "different names"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyOf(t, sound)
			tc.harm(t, dir)
			_, err := Open(directory.At(dir), catalogue)
			if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v", err)
			}
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Hint(), tc.hint) {
				t.Errorf("%v: hint %q", err, hinted(err))
			}
			if strings.Contains(err.Error(), dice.FromSeed(1).String()) {
				t.Error("the secret is in the message")
			}
		})
	}
}

func TestDamagedFilesOfATurn(t *testing.T) {
	sound := create(t)
	if err := commitNext(t, open(t, sound)); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		file string
		harm func(t *testing.T, path string)
		want string
	}{
		"state altered":     {StateFile, func(t *testing.T, p string) { t.Helper(); edit(t, p, `"points": 3`, `"points": 4`) }, "truncated or was altered"},
		"state truncated":   {StateFile, func(t *testing.T, p string) { t.Helper(); truncate(t, p) }, "truncated or was altered"},
		"state missing":     {StateFile, func(t *testing.T, p string) { t.Helper(); removeFile(t, p) }, "the file is missing"},
		"manifest missing":  {ManifestFile, func(t *testing.T, p string) { t.Helper(); removeFile(t, p) }, "the file is missing"},
		"manifest cut":      {ManifestFile, func(t *testing.T, p string) { t.Helper(); truncate(t, p) }, "truncated or altered"},
		"manifest of other": {ManifestFile, func(t *testing.T, p string) { t.Helper(); edit(t, p, `"turn": 1`, `"turn": 7`) }, "turn 7"},
		"manifest, newer":   {ManifestFile, func(t *testing.T, p string) { t.Helper(); edit(t, p, `"format": 1`, `"format": 9`) }, "format 9"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyOf(t, sound)
			path := filepath.Join(dir, "turns", "0001", tc.file)
			tc.harm(t, path)
			_, err := open(t, dir).Stages.State(At(1))
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), tc.want) || hinted(err) == "" {
				t.Errorf("got %v (hint %q)", err, hinted(err))
			}
		})
	}
	g := open(t, sound)
	for _, err := range []error{
		func() error { _, err := g.Stages.State(At(5)); return err }(),
		func() error { _, err := g.Stages.Events(At(-1)); return err }(),
		func() error { _, err := g.Stages.File(At(0), "reports/nobody.txt"); return err }(),
		func() error { _, err := g.Stages.File(At(0), "../../secret"); return err }(),
	} {
		if !errors.Is(err, ErrNoTurn) || hinted(err) == "" {
			t.Errorf("got %v", err)
		}
	}
}

func truncate(tb testing.TB, path string) {
	tb.Helper()
	info, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		tb.Fatal(err)
	}
}

func removeFile(tb testing.TB, path string) {
	tb.Helper()
	if err := os.Remove(path); err != nil {
		tb.Fatal(err)
	}
}

func TestAuditFindsAll(t *testing.T) {
	dir := create(t)
	if err := os.WriteFile(filepath.Join(dir, "turns", "0000", "reports", "eve.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "turns", "0000", "reports", "ada.txt"), "fine", "bad")
	edit(t, filepath.Join(dir, "scenario.toml"), "The Pond", "The Lake")
	removeFile(t, filepath.Join(dir, "ships", "tub.toml"))
	removeFile(t, filepath.Join(dir, "turns", "0000", "outbox", "bob.eml"))
	a, err := open(t, dir).Stages.Audit(Stage{Turn: 0})
	if err != nil || a.Problem != "" {
		t.Fatal(a.Problem, err)
	}
	got := map[string]string{}
	for _, d := range a.Damaged {
		got[d.Name] = d.Problem()
	}
	want := map[string]string{
		"reports/eve.txt": "the file does not belong to the turn: it was added later",
		"reports/ada.txt": "the file was altered or truncated after the turn was committed",
		"scenario.toml":   "the file was altered or truncated after the turn was committed",
		"ships/tub.toml":  "the file is missing",
		"outbox/bob.eml":  "the file is missing",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
