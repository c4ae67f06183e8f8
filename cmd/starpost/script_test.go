package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/record/directory"
	"starpost/pbem/store"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

var update = flag.Bool("update", false, "write what commands print into the scripts that compare it")

// oldGames is the folder with games of earlier versions; see old.
var oldGames string

// TestScripts runs testdata/script. Besides the usual commands there are:
//
//	starpost [ARG]...        run the program; "exec starpost" where it needs a process of its own or an input
//	code N starpost [ARG]... / code N exec PROGRAM [ARG]...
//	                         the program ends with this exit code
//	keep PATH / kept PATH    remember a file or tree; it must be as remembered
//	alter FILE OLD NEW       replace the first OLD, which must exist
//	resum DIR FILE OLD NEW   alter, and put the file's new hash into the manifest of the turn DIR
//	cut FILE SIZE            truncate
//	fill FILE SIZE TEXT      make a file of that size from repeated text
//	noise FILE SIZE          make a file of that size that is not text
//	json FILE                the file, or stdout, holds exactly one JSON value
//	private DIR              only its owner can read anything in it, and no file is executable
//	old VERSION NAME...      unpack games of testdata/version-VERSION
//	sums PATH                print hash and name of each file below it
//	seal REPORT              set $SEAL to the first line of the report's hash of the record so far,
//	                         and $SPACED to the same as copied by hand
//	beacon [ROUND FILE]      write a round of a test beacon as a relay returns it; without arguments,
//	                         set $CHAIN, $KEY, $GENESIS and $PERIOD of the beacon
//	database                 set $DATABASE to the URL of a database with the tables of a store; only if [postgres]
//	hold DIR / release DIR   someone else locks the game, and unlocks it
func TestScripts(t *testing.T) { runScripts(t, scripts(t)) }

// TestPostgresScripts runs the scripts that use a PostgreSQL server.
func TestPostgresScripts(t *testing.T) {
	if os.Getenv(server) == "" {
		t.Skipf("no server: %s is not set; .ci/postgres starts one", server)
	}
	runScripts(t, []string{filepath.Join("testdata", "script", "move.txtar"), filepath.Join("testdata", "script", "checkout.txtar")})
}

// server names the variable with the URL of a PostgreSQL server, as set by .ci/postgres.
const server = "STARPOST_TEST_POSTGRES"

func runScripts(t *testing.T, files []string) {
	t.Helper()
	var err error
	if oldGames, err = filepath.Abs("testdata"); err != nil {
		t.Fatal(err)
	}
	set := variables(t, files)
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars,
				"NOW=2026-01-05T12:00:00Z",
				"GORACE=atexit_sleep_ms=0", // without this, every process under the race detector waits a second
				"GOGC="+os.Getenv("GOGC"),
			)
			p := &commandProcess{variables: slices.Clone(set)}
			for _, v := range env.Vars {
				name, _, _ := strings.Cut(v, "=")
				p.variables = append(p.variables, name)
			}
			env.Values[programKey{}] = p
			env.Values[keptTrees{}] = map[string]map[string]string{}
			env.Values[heldGames{}] = map[string]*vault.Game{}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "postgres" {
				return os.Getenv(server) != "", nil
			}
			return condition(name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"starpost": starpostHere, "code": code, "above": above, "keep": keep, "kept": kept, "alter": alter, "resum": resum, "cut": cut,
			"fill": fill, "noise": noise, "json": isJSON, "private": private, "old": old, "sums": sums, "seal": seal, "mount": mount, "hold": hold, "release": release, "remount-ro": remountReadOnly, "received": received, "beacon": beaconOf,
			"database": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 0 {
					ts.Fatalf("usage: database")
				}
				at := postgrestest.Place(t)
				_, err := postgres.Init(t.Context(), at)
				ts.Check(err)
				ts.Setenv("DATABASE", at.URL)
			},
		},
	})
}

// concurrent matches the commands that do several things at once.
var concurrent = regexp.MustCompile(`starpost (serve|demo|balance|site|doctor|status --config)`)

// scripts returns the files in testdata/script. Under the race detector it returns those with concurrent commands.
func scripts(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatal("no scripts", err)
	}
	if enginetest.Share == 1 {
		return all
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if concurrent.Match(text) {
			files = append(files, file)
		}
	}
	return files
}

// received stores a mail in the store of a state directory: received FILE DIR.
func received(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "received FILE DIR")
	raw := []byte(ts.ReadFile(args[0]))
	l, err := sqlite.Open(filepath.Join(ts.MkAbs(args[1]), "ledger.db"))
	ts.Check(err)
	_, err = l.RecordStored(context.Background(), store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 1}, SHA256: store.ContentHash(raw)}, raw)
	ts.Check(errors.Join(err, l.Close()))
}

func need(ts *testscript.TestScript, neg bool, args []string, n int, form string) {
	if neg || len(args) < n {
		ts.Fatalf("usage: %s", form)
	}
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "code N starpost [ARG]..., or code N exec PROGRAM [ARG]...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if args[1] != "exec" {
		if args[1] != "starpost" {
			ts.Fatalf("%s needs exec", args[1])
		}
		got = ts.Value(programKey{}).(*commandProcess).run(ts, args[2:])
	} else if err = ts.Exec(args[2], args[3:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
}

// above compares what was printed above the first line with a given beginning to a file: above MARK FILE.
func above(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "above MARK FILE")
	got, _, ok := strings.Cut(ts.ReadFile("stdout"), "\n"+args[0])
	if want := ts.ReadFile(args[1]); !ok || strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
		ts.Fatalf("above %q (there: %t) stands\n%s\nnot\n%s", args[0], ok, got, want)
	}
}

type keptTrees struct{}

func trees(ts *testscript.TestScript) map[string]map[string]string {
	return ts.Value(keptTrees{}).(map[string]map[string]string)
}

func keep(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "keep PATH")
	trees(ts)[args[0]] = tree(ts, ts.MkAbs(args[0]))
}

func kept(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "kept PATH")
	before, ok := trees(ts)[args[0]]
	if !ok {
		ts.Fatalf("%s was not kept before", args[0])
	}
	after := tree(ts, ts.MkAbs(args[0]))
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != after[name] {
			ts.Fatalf("%s: before %q, now %q", filepath.Join(args[0], name), before[name], after[name])
		}
	}
}

// tree returns everything below a path: mode and hash by name. It leaves out the lock file, which names the lock
// holder and is not part of a game.
func tree(ts *testscript.TestScript, root string) map[string]string {
	found := map[string]string{}
	ts.Check(filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == ".lock" {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			found[name] += fmt.Sprintf(" %d bytes %s", len(data), hex.EncodeToString(sum[:8]))
		}
		return nil
	}))
	return found
}

func alter(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "alter FILE OLD NEW")
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	if !bytes.Contains(data, []byte(args[1])) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, bytes.Replace(data, []byte(args[1]), []byte(args[2]), 1), 0o644))
}

func resum(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 4, "resum DIR FILE OLD NEW")
	file, manifest := filepath.Join(args[0], args[1]), filepath.Join(args[0], vault.ManifestFile)
	was := vault.Hash([]byte(ts.ReadFile(file)))
	alter(ts, false, []string{file, args[2], args[3]})
	alter(ts, false, []string{manifest, was, vault.Hash([]byte(ts.ReadFile(file)))})
}

func cut(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "cut FILE SIZE")
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size(ts, args[1])))
}

func fill(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "fill FILE SIZE TEXT")
	n := int(size(ts, args[1]))
	line := []byte(args[2] + "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat(line, n/len(line)+1)[:n], 0o644))
}

func noise(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "noise FILE SIZE")
	data := make([]byte, size(ts, args[1]))
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

func size(ts *testscript.TestScript, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	ts.Check(err)
	return n
}

func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "json FILE")
	if text := ts.ReadFile(args[0]); !json.Valid([]byte(text)) {
		ts.Fatalf("%s is not JSON", args[0])
	}
}

func private(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "private DIR")
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			ts.Fatalf("%s has mode %o, not %o", path, info.Mode().Perm(), want)
		}
		return nil
	}))
}

type heldGames struct{}

// old unpacks games made by earlier versions of starpost. Version 1 of the tactical courses: wolf, unfinished, with a
// turn changed by its referee; duel, by phases, in the middle of a turn. Version 2: moon, played by mail, with
// rulings; gambit, by phases; lamp, in the dark, by phases. Dark games of others: hush, version 2 of the house rules;
// band, version 1 of Book One; night, version 1 of the cadet game. Names that begin with won are archives of finished
// games: won in both versions, won-dark of Book One.
func old(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "old VERSION NAME...")
	for _, name := range args[1:] {
		data, err := os.ReadFile(filepath.Join(oldGames, "version-"+args[0], name+".zip"))
		ts.Check(err)
		if strings.HasPrefix(name, "won") {
			ts.Check(os.WriteFile(ts.MkAbs(name+".zip"), data, 0o600))
			continue
		}
		in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		ts.Check(err)
		ts.Check(os.CopyFS(ts.MkAbs("."), in))
	}
}

func sums(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "sums PATH")
	files := tree(ts, ts.MkAbs(args[0]))
	drawn(ts, ts.MkAbs(args[0]), files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if mode, sum, isFile := strings.Cut(files[name], " bytes "); isFile {
			_, size, _ := strings.Cut(mode, " ")
			_, err := fmt.Fprintf(ts.Stdout(), "%s %s %s\n", sum, size, filepath.ToSlash(name))
			ts.Check(err)
		}
	}
}

// drawn adds the drawings of a game's turns to its files, under the names they had as files.
func drawn(ts *testscript.TestScript, dir string, files map[string]string) {
	g, err := vault.Open(directory.At(dir), catalogue())
	ts.Check(err)
	for name := range maps.Clone(files) {
		stage, isStage := strings.CutSuffix(filepath.ToSlash(name), "/"+vault.ManifestFile)
		at, known := vault.StageOf(path.Base(stage))
		if !isStage || !known {
			continue
		}
		m, err := g.Stages.Manifest(at)
		ts.Check(err)
		d, err := turn.Draw(g, at)
		ts.Check(err)
		for mail := range m.Mails {
			raw, without, err := d.Mail(mail)
			ts.Check(errors.Join(err, without))
			files[stage+"/outbox/"+mail] = drawnSum(raw)
		}
		for file := range m.Files {
			seat, isReport := strings.CutPrefix(strings.TrimSuffix(file, ".txt"), vault.ReportsDir+"/")
			if !isReport || path.Ext(file) != ".txt" {
				continue
			}
			ship, post, _ := strings.Cut(seat, ".")
			for _, form := range []turn.Form{turn.HTML, turn.SVG, turn.JSON} {
				data, err := d.Report(engine.Seat{Ship: engine.ShipID(ship), Post: post}, form)
				ts.Check(err)
				files[stage+"/reports/"+seat+"."+string(form)] = drawnSum(data)
			}
		}
	}
}

func drawnSum(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("- %d bytes %s", len(data), hex.EncodeToString(sum[:8]))
}

func seal(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "seal REPORT")
	_, text, _ := strings.Cut(ts.ReadFile(args[0]), "record so far: ")
	digits, _, ok := strings.Cut(text, "\n")
	if !ok || len(digits) != 48 {
		ts.Fatalf("%s has no hash of the record", args[0])
	}
	ts.Setenv("SEAL", digits)
	ts.Setenv("SPACED", strings.ToUpper(digits[:10])+" "+digits[10:])
}

func hold(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "hold DIR")
	g, err := vault.Open(directory.At(ts.MkAbs(args[0])), catalogue())
	ts.Check(err)
	ts.Check(g.Lock())
	held := ts.Value(heldGames{}).(map[string]*vault.Game)
	held[args[0]] = g
	ts.Defer(func() { ts.Check(g.Unlock()) })
}

func release(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "release DIR")
	g, ok := ts.Value(heldGames{}).(map[string]*vault.Game)[args[0]]
	if !ok {
		ts.Fatalf("%s was not held", args[0])
	}
	ts.Check(g.Unlock())
}

func beaconOf(ts *testscript.TestScript, neg bool, args []string) {
	s, err := fakerelay.NewKey("scripts", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	ts.Check(err)
	s.Period = 10
	if len(args) == 0 {
		for name, value := range map[string]string{
			"CHAIN": s.Hash, "KEY": s.Key, "GENESIS": strconv.FormatInt(s.Genesis, 10), "PERIOD": strconv.FormatInt(s.Period, 10),
		} {
			ts.Setenv(name, value)
		}
		return
	}
	need(ts, neg, args, 2, "beacon [ROUND FILE]")
	round, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	b := s.Sign(round)
	text := fmt.Sprintf("{\"round\":%d,\"randomness\":%q,\"signature\":%q}", b.Round, b.Randomness(), hex.EncodeToString(b.Signature))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}
