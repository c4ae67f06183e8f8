package examples_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/pbem/archive"
	"starpost/pbem/beacon"
	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// python runs a script of this folder, or skips the test if it cannot.
func python(t *testing.T, script string, args ...string) (out string, failed bool) {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("python3 is not there, so %s is not run: %v", script, err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"-B", script}, args...)...)
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(text), err != nil
}

// rolledIn returns the dice of events as the script prints them: "TURN DIE NAME VALUE ".
func rolledIn(events []engine.Event) string {
	var b strings.Builder
	for _, e := range events {
		if roll, ok := e.Body.(*engine.Roll); ok {
			fmt.Fprintf(&b, "%d %s %s %d \n", e.Turn, roll.Dice, roll.Name, roll.Value)
		}
	}
	return b.String()
}

// printed returns the lines about dice that the script printed.
func printed(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) >= 4 && strings.Trim(f[0], "0123456789") == "" && !strings.HasSuffix(strings.TrimSpace(line), "wrong") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestScriptOfDice: an independent program computes the dice of an archive, from the file, from the unpacked archive,
// and from the game's directory.
func TestScriptOfDice(t *testing.T) {
	g := lucky(t, 2)
	file := filepath.Join(t.TempDir(), "wolf.zip")
	if _, err := archive.Make(t.Context(), archive.Options{Game: g, To: file, Early: true, Catalogue: catalogue()}); err != nil {
		t.Fatal(err)
	}
	folder := unpacked(t, file)
	for _, from := range []string{file, folder, g.Dir()} {
		hasDice(t, g, from)
	}
	// An altered die is detected.
	events := filepath.Join(folder, "game", "turns", "0002", "events.jsonl")
	before, after, ok := strings.Cut(string(read(t, events)), `"dice":"d10","value":`)
	if !ok {
		t.Fatal("no die in turn 2")
	}
	other := before + `"dice":"d10","value":1` + after // 3 to 13, 10 to 110
	if err := os.WriteFile(events, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, failed := python(t, "dice.py", folder); !failed || !strings.Contains(out, "the game has 1") || !strings.Contains(out, "dice, 1 wrong") {
		t.Errorf("an altered die: failed %v\n%s", failed, out)
	}
}

func TestScriptOfOldDice(t *testing.T) {
	g := lucky(t, 1)
	hasDice(t, g, g.Dir())
}

// hasDice compares what the script prints for some files with the dice of their game.
func hasDice(t *testing.T, g *vault.Game, from string) {
	t.Helper()
	var want strings.Builder
	for n := 1; n <= g.Turn(); n++ {
		events, err := g.Stages.Events(vault.Stage{Turn: n})
		if err != nil {
			t.Fatal(err)
		}
		want.WriteString(rolledIn(events))
	}
	out, failed := python(t, "dice.py", from)
	if got := printed(out); failed || got != want.String() || strings.Count(got, "\n") < 20 {
		t.Errorf("%s: failed %v\n%s", filepath.Base(from), failed, out)
	}
}

func unpacked(t *testing.T, file string) (folder string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}()
	folder = t.TempDir()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// public has robots play some turns with dice from a beacon, and returns the game and the dice.
func public(t *testing.T, key *fakerelay.Key, cadence string) (g *vault.Game, thrown string) {
	t.Helper()
	scenarios, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed, now := uint64(wolfSeed), time.Unix(key.Genesis, 0)
	dir := filepath.Join(t.TempDir(), "wolf")
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario.ForRules(scenarios["big-bad-wolf"], "stcs-advanced"), ID: "wolf", Cadence: cadence, Mail: vault.DefaultMail(), Secret: dice.FromSeed(seed), Seed: &seed,
		Dice: vault.DiceBeacon, Beacon: vault.BeaconSettings{Chain: key.Hash, Key: key.Key, Genesis: key.Genesis, Period: key.Period}, Options: turn.Options{Now: now},
	})
	if err != nil {
		t.Fatal(err)
	}
	if g, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	for g.Turn() < 5 {
		now = now.Add(time.Hour)
		o := turn.Options{Now: now, Missing: vault.PolicyRobot}
		c, err := turn.Close(g, "starpost", o)
		if err != nil {
			t.Fatal(err)
		}
		o.Beacon = key.Sign(c.CloseData.Round)
		out, err := turn.Resolve(g, o)
		if err != nil {
			t.Fatal(err)
		}
		if out.Round == 0 {
			thrown += rolledIn(out.Events)
		}
		if out.State.Result != nil {
			break
		}
	}
	return g, thrown
}

// TestScriptOfPublicDice checks games with a beacon, by turns and by phases.
func TestScriptOfPublicDice(t *testing.T) {
	key, err := fakerelay.NewKey(t.Name(), began)
	if err != nil {
		t.Fatal(err)
	}
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		g, want := public(t, key, cadence)
		dir := g.Dir()
		out, failed := python(t, "dice.py", dir)
		if got := printed(out); failed || got != want || strings.Count(got, "\n") < 15 || strings.Count(out, ": round ") < 2 || strings.Count(out, "was closed with the hash") < 2 {
			t.Errorf("failed %v\n%s\nwant\n%s", failed, out, want)
		}
		if strings.Contains(out, "which captains were not told") {
			t.Errorf("a closing is not found:\n%s", out)
		}
		// Hashes from mails: of a closing, of an order set, and of neither.
		_, rest, _ := strings.Cut(out, "turn 1 was closed with the hash ")
		set := vault.Hash(read(t, dir, "turns", "0001", "orders", "Hood.txt"))
		if out, failed := python(t, "dice.py", dir, strings.Fields(rest)[0], set); failed || !strings.Contains(out, ": the closing of turn 1") || !strings.Contains(out, ": orders/Hood.txt of turn 1") {
			t.Errorf("hashes of mails: failed %v\n%s", failed, out)
		}
		if out, failed := python(t, "dice.py", dir, strings.Repeat("0", 64)); !failed || !strings.Contains(out, "nothing of the game has this hash") {
			t.Errorf("a hash of nothing: failed %v\n%s", failed, out)
		}
		// Different orders than were closed, another round, and other randomness.
		orders := filepath.Join(dir, "turns", "0002", "orders", "Hood.txt")
		was := read(t, orders)
		put(t, orders, append([]byte("; more\n"), was...))
		if out, failed := python(t, "dice.py", dir); !failed || strings.Count(out, "which captains were not told") != 1 {
			t.Errorf("other orders: failed %v\n%s", failed, out)
		}
		put(t, orders, was)
		file := filepath.Join(dir, "turns", "0001", beacon.File)
		if cadence == vault.CadencePhase {
			file = filepath.Join(dir, "turns", "0001.p1", beacon.File)
		}
		other, err := key.Sign(99).Encode()
		if err != nil {
			t.Fatal(err)
		}
		put(t, file, other)
		if out, failed := python(t, "dice.py", dir); !failed || !strings.Contains(out, "the game has") {
			t.Errorf("another round: failed %v\n%s", failed, out)
		}
		put(t, file, []byte(strings.Replace(string(other), `"randomness": "`, `"randomness": "0`, 1)))
		if out, failed := python(t, "dice.py", dir); !failed || !strings.Contains(out, "the randomness is not the SHA-256") {
			t.Errorf("other randomness: failed %v\n%s", failed, out)
		}
	}
}

func put(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestScriptOfBeacons: an independent program, written from the standards, accepts good signatures and finds what is
// wrong with bad ones.
func TestScriptOfBeacons(t *testing.T) {
	key, err := fakerelay.NewKey(t.Name(), began)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string, b beacon.Beacon) string {
		t.Helper()
		text, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	made := func(first, last byte) []byte {
		b := make([]byte, 48)
		b[0], b[47] = first, last
		return b
	}
	published, err := beacon.Parse(beacon.Quicknet().Hash, 1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39")
	if err != nil {
		t.Fatal(err)
	}
	later := published
	later.Round++
	if out, failed := python(t, "beacon.py", file("a.json", published), file("b.json", later), file("c.json", key.Sign(1))); !failed ||
		!strings.Contains(out, "a.json: round 1000 holds") || !strings.Contains(out, "b.json: round 1001 does not hold: it is not by this key") ||
		!strings.Contains(out, "c.json: round 1 does not hold: it is of chain "+key.Hash) {
		t.Errorf("rounds of quicknet: failed %v\n%s", failed, out)
	}
	if out, failed := python(t, "beacon.py", "--key", key.Key, file("d.json", key.Sign(1)), file("e.json", key.Sign(123456789))); failed || strings.Count(out, " holds") != 2 {
		t.Errorf("rounds of our own: failed %v\n%s", failed, out)
	}
	for want, sig := range map[string][]byte{
		"the point at infinity":              made(0xc0, 0),
		"not on the curve":                   made(0x80, 1),
		"outside of the subgroup":            made(0x80, 0),
		"none of the field":                  append([]byte{0x9f}, make([]byte, 47)...),
		"not a compressed point of 48 bytes": made(0, 1),
		"it is not by this key":              key.Sign(2).Signature,
	} {
		if out, failed := python(t, "beacon.py", "--key", key.Key, file("f.json", beacon.Beacon{Chain: key.Hash, Round: 1, Signature: sig})); !failed || !strings.Contains(out, "does not hold: ") || !strings.Contains(out, want) {
			t.Errorf("%s: failed %v\n%s", want, failed, out)
		}
	}
}

// TestPublicDiceInTheDocument runs the commands of docs/public-dice.md, and reads its beacon and key.
func TestPublicDiceInTheDocument(t *testing.T) {
	page := string(read(t, "..", "docs", "public-dice.md"))
	if n := strings.Count(page, "\n"); n > 60 {
		t.Errorf("the page has %d lines, at most 60 are wanted", n)
	}
	_, rest, _ := strings.Cut(page, "```json\n")
	text, _, _ := strings.Cut(rest, "```")
	b, err := beacon.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := beacon.Quicknet().Verify(b, b.Round); err != nil {
		t.Error(err)
	}
	if !strings.Contains(page, "\n"+beacon.Quicknet().Key+"\n") {
		t.Error("the key of the chain is not there")
	}
	if want := fmt.Sprintf("%x  -\n", beacon.Message(b.Round)); !strings.Contains(page, want) {
		t.Errorf("the message of the round is not there: %s", want)
	}
	for _, program := range []string{"sh", "date", "perl", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("what the page has one type is not tried: %v", err)
		}
	}
	ran := 0
	for _, block := range strings.Split(page, "```console\n$ ")[1:] {
		block, _, _ = strings.Cut(block, "```")
		line, want, _ := strings.Cut(block, "\n")
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		if got, err := cmd.CombinedOutput(); err != nil || string(got) != want {
			t.Errorf("%s\ngives %s, %v\nwant %s", line, got, err, want)
		}
		ran++
	}
	if ran != 3 {
		t.Errorf("%d commands, want 3", ran)
	}
}
