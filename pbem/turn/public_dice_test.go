package turn_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/testkit/processortest"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/beacon"
	"starpost/pbem/beacon/fakerelay"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// testBeacon has a round every 10 seconds.
func testBeacon(tb testing.TB) *fakerelay.Key {
	tb.Helper()
	key, err := fakerelay.NewKey("turn", noon(0).Add(-time.Hour))
	if err != nil {
		tb.Fatal(err)
	}
	key.Period = 10
	return key
}

// beaconOf returns the settings of a game with the dice of a beacon.
func beaconOf(s *fakerelay.Key) vault.BeaconSettings {
	return vault.BeaconSettings{Chain: s.Hash, Key: s.Key, Genesis: s.Genesis, Period: s.Period}
}

// newPublic creates a duel with public dice.
func newPublic(tb testing.TB, cadence string, b vault.BeaconSettings) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	dir := filepath.Join(tb.TempDir(), "wolf")
	seed := uint64(5)
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario.ForRules(all["big-bad-wolf"], "stcs-advanced"), ID: "wolf", Mail: vault.DefaultMail(), Cadence: cadence,
		Captains: []vault.Captain{{Address: "kirk@example.org", Ships: []string{"Hood"}}, {Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		Dice:     vault.DiceBeacon, Beacon: b, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return reopened(tb, dir)
}

func reopened(tb testing.TB, dir string) *vault.Game {
	tb.Helper()
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// robotOrders stores the robots' orders for what is due.
func robotOrders(tb testing.TB, g *vault.Game) {
	tb.Helper()
	p := load(tb, g)
	for _, id := range p.State().InFight() {
		text, err := p.Robot(id)
		if err != nil {
			tb.Fatal(err)
		}
		s, _ := p.State().Ship(id)
		if err := g.Orders.Put(p.DueStage(), s.Name, []byte(text), time.Time{}); err != nil {
			tb.Fatal(err)
		}
	}
}

// withLuck adds luck lines to Hood's orders.
func withLuck(t *testing.T, g *vault.Game, words string) {
	t.Helper()
	text, err := os.ReadFile(g.Orders.Path("Hood"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	if err := g.Orders.Put(load(t, g).DueStage(), "Hood", []byte(head+"\nluck "+words+"\n"+rest), time.Time{}); err != nil {
		t.Fatal(err)
	}
}

// TestPublicDice plays a battle with the dice of a beacon, a turn and a phase at a time. No turn is played before its
// beacon is available, nothing after the closing counts, and everything can be verified.
func TestPublicDice(t *testing.T) {
	for _, cadence := range []string{vault.CadenceTurn, vault.CadencePhase} {
		t.Run(cadence, func(t *testing.T) {
			t.Parallel()
			source := testBeacon(t)
			g := newPublic(t, cadence, beaconOf(source))
			rolls, told := 0, 0
			for n := 1; n <= 12 && load(t, g).Due() > 0; n++ {
				robotOrders(t, g)
				if n < 3 {
					withLuck(t, g, fmt.Sprint("fair winds ", n))
				}
				now := noon(n)
				if _, err := turn.Resolve(g, turn.Options{Now: now}); err == nil || !strings.Contains(err.Error(), "not closed yet") {
					t.Fatalf("not closed: %v", err)
				}
				c, err := turn.Close(g, "daemon", turn.Options{Now: now})
				if err != nil {
					t.Fatal(err)
				}
				if at := source.TimeOf(c.CloseData.Round); at.Before(now.Add(time.Minute)) || at.After(now.Add(time.Minute+10*time.Second)) {
					t.Errorf("closed at %s, with the dice of %s", now, at)
				}
				late(t, g)
				g = reopened(t, g.Dir()) // as after a kill of the host
				if again, err := turn.Close(g, "daemon", turn.Options{Now: now.Add(time.Hour)}); err != nil || again.CloseData != c.CloseData {
					t.Fatalf("closed again: %+v, not %+v (%v)", again, c, err)
				}
				if _, err := turn.Resolve(g, turn.Options{Now: now}); !isType[*turn.NoBeaconError](err) {
					t.Fatalf("no beacon: %v", err)
				}
				refuses(t, g, source, c.CloseData.Round)
				out, err := turn.Resolve(g, turn.Options{Now: now.Add(time.Minute), Beacon: source.Sign(c.CloseData.Round), Keep: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range out.Events[told:] {
					if r, ok := e.Body.(*engine.Roll); ok {
						words := out.State.Luck
						die := dice.ForBeacon(g.Secret(), "wolf", out.Turn, words, dice.Beacon{Chain: source.Hash, Round: c.CloseData.Round, Randomness: source.Sign(c.CloseData.Round).Randomness()})
						if got := die.Roll(r.Name.String(), r.Dice); got != r.Value {
							t.Errorf("%s is %d, by the recipe %d", r.Name, r.Value, got)
						}
						rolls++
					}
				}
				if told = len(out.Events); out.Round == 0 {
					told = 0
				}
				text := string(out.Reports[engine.Seat{Ship: "hood"}].Text)
				if !strings.Contains(strings.Join(strings.Fields(text), " "), "Dice: public, round") {
					t.Errorf("the report does not say whence the dice are:\n%s", text)
				}
				if _, err := os.Stat(filepath.Join(g.Dir(), vault.ClosingDir)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the closing is still there: %v", err)
				}
			}
			if rolls == 0 {
				t.Error("no dice were thrown")
			}
			holds(t, g)
		})
	}
}

// late sends other orders after the closing, by hand and by mail: they do not count, and the captain is told.
func late(t *testing.T, g *vault.Game) {
	t.Helper()
	p := load(t, g)
	text, err := p.Robot("hood")
	if err != nil {
		t.Fatal(err)
	}
	read := p.Check([]byte(text))
	if len(read.Sets) != 1 || !slices.ContainsFunc(read.Sets[0].Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orderset.CodeClosed }) {
		t.Fatalf("a late set: %v", read.Diagnostics)
	}
	if err := os.WriteFile(g.Orders.Path("Hood"), []byte(strings.Replace(text, "#end", "luck late words\n#end", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refuses tries beacons other than the named one.
func refuses(t *testing.T, g *vault.Game, source *fakerelay.Key, round uint64) {
	t.Helper()
	good := source.Sign(round)
	other, err := fakerelay.NewKey("another", time.Unix(source.Genesis, 0))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]beacon.Beacon{
		"another round":    source.Sign(round + 1),
		"another's key":    {Chain: source.Hash, Round: round, Signature: other.Sign(round).Signature},
		"another chain":    other.Sign(round),
		"infinity":         {Chain: source.Hash, Round: round, Signature: append([]byte{0xc0}, make([]byte, 47)...)},
		"cut off":          {Chain: source.Hash, Round: round, Signature: good.Signature[:47]},
		"of another round": {Chain: source.Hash, Round: round, Signature: source.Sign(round - 1).Signature},
	} {
		if _, err := turn.Resolve(g, turn.Options{Now: noon(99), Beacon: b}); err == nil {
			t.Fatalf("%s was taken", name)
		}
	}
}

// playPublic creates a game with public dice and plays a turn of it.
func playPublic(t *testing.T, b vault.BeaconSettings, source *fakerelay.Key) *vault.Game {
	t.Helper()
	g := newPublic(t, "", b)
	robotOrders(t, g)
	c, err := turn.Close(g, "daemon", turn.Options{Now: noon(1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(g, turn.Options{Now: noon(2), Beacon: source.Sign(c.CloseData.Round)}); err != nil {
		t.Fatal(err)
	}
	holds(t, g)
	return g
}

// TestPublicDiceForged: a host who owns all files alters what was told before the dice existed, and keeps the
// journal's chain and the turn's manifest consistent.
func TestPublicDiceForged(t *testing.T) {
	source := testBeacon(t)
	for _, c := range []struct{ name, pattern, with, want string }{
		{"other orders", `"sets":"[0-9a-f]{4}`, `"sets":"aaaa`, "these are not the orders that were closed"},
		{"another round", `("chain":"[0-9a-f]+","round":)[0-9]+`, `${1}17`, "the captains were told round 17"},
		{"another chain", `"chain":"[0-9a-f]{4}`, `"chain":"aaaa`, "the captains were told round"},
		{"closed when the dice were known", `"time":"2026-11-22T`, `"time":"2026-11-29T`, "before the orders were closed"},
		{"no closing", `"kind":"close"`, `"kind":"ready"`, "no entry closes turn 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := playPublic(t, beaconOf(source), source)
			forgeJournal(t, g, c.pattern, c.with)
			wantFinding(t, g.Dir(), c.want)
		})
	}
	t.Run("another beacon", func(t *testing.T) {
		g := playPublic(t, beaconOf(source), source)
		b := source.Sign(1)
		b.Round = 2
		file := filepath.Join(g.Stages.Dir(vault.At(1)), beacon.File)
		data, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		forgeFile(t, g, file, data)
		wantFinding(t, g.Dir(), "signature does not hold")
	})
	t.Run("other settings", func(t *testing.T) {
		g := playPublic(t, beaconOf(source), source)
		file := filepath.Join(g.Dir(), "game.toml")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, bytes.Replace(data, []byte("period = 10"), []byte("period = 20"), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		wantFinding(t, g.Dir(), "not what the game was made with")
	})
}

// forgeJournal alters the last line of the journal, and the newest turn with it.
func forgeJournal(t *testing.T, g *vault.Game, pattern, with string) {
	t.Helper()
	file := filepath.Join(g.Dir(), vault.JournalFile)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	last := len(lines) - 1
	old := lines[last]
	if strings.Contains(pattern, `"kind"`) { // one without data
		lines[last] = regexp.MustCompile(`"data":\{[^}]*\},`).ReplaceAll(old, nil)
	}
	lines[last] = regexp.MustCompile(pattern).ReplaceAll(lines[last], []byte(with))
	if bytes.Equal(old, lines[last]) {
		t.Fatalf("%s does not fit %s", pattern, old)
	}
	if err := os.WriteFile(file, append(bytes.Join(lines, []byte("\n")), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, filepath.Join(g.Stages.Dir(vault.At(1)), vault.ManifestFile), vault.Hash(old), vault.Hash(lines[last]))
}

// forgeFile replaces a file of the newest turn, and its hash.
func forgeFile(t *testing.T, g *vault.Game, file string, data []byte) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	replaceIn(t, filepath.Join(g.Stages.Dir(vault.At(1)), vault.ManifestFile), vault.Hash(old), vault.Hash(data))
}

func replaceIn(t *testing.T, file, was, is string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(was)) {
		t.Fatalf("%s has no %s", file, was)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(data, []byte(was), []byte(is)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFinding(t *testing.T, dir, want string) {
	t.Helper()
	found, err := proof.Verify(reopened(t, dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(found, func(f proof.Finding) bool { return strings.Contains(f.Problem, want) }) {
		t.Errorf("not found %q: %v", want, found)
	}
}

// TestOwnDiceInstead: if the game allows it from its start, a turn without a beacon uses the host's own dice, and
// report and journal say so.
func TestOwnDiceInstead(t *testing.T) {
	source := testBeacon(t)
	for _, mode := range []string{vault.ElseOwn, vault.ElseHold} {
		b := beaconOf(source)
		b.Else = mode
		g := newPublic(t, "", b)
		robotOrders(t, g)
		if _, err := turn.Close(g, "daemon", turn.Options{Now: noon(1)}); err != nil {
			t.Fatal(err)
		}
		e := journal.NewEntry(journal.OwnDice, "daemon", noon(2), nil)
		e.Turn = 1
		if _, err := g.Append(e); err != nil {
			t.Fatal(err)
		}
		out, err := turn.Resolve(g, turn.Options{Now: noon(2), Keep: true})
		if mode == vault.ElseHold {
			if err == nil {
				t.Error("own dice where the game waits")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if text := string(out.Reports[engine.Seat{Ship: "hood"}].Text); !strings.Contains(text, "the host's own, since no beacon was available") {
			t.Errorf("the report does not say so:\n%s", text)
		}
		holds(t, g)
		forgeJournal(t, g, `"kind":"own-dice"`, `"kind":"ready"`)
		wantFinding(t, g.Dir(), "the host's own dice count, and the journal")
	}
}

// TestPublicDiceAgain: a turn that a referee resolves again keeps its beacon, and one that is taken back is closed
// again.
func TestPublicDiceAgain(t *testing.T) {
	source := testBeacon(t)
	g := playPublic(t, beaconOf(source), source)
	was, err := os.ReadFile(filepath.Join(g.Stages.Dir(vault.At(1)), beacon.File))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Correct(g, 1, turn.Change{By: "Pat", Why: "a trial", Now: noon(3)}, turn.Later{}, nil, turn.Options{Now: noon(3)}); err != nil {
		t.Fatal(err)
	}
	is, err := os.ReadFile(filepath.Join(g.Stages.Dir(vault.At(1)), beacon.File))
	if err != nil || !bytes.Equal(was, is) {
		t.Errorf("another beacon (%v)", err)
	}
	holds(t, g)
	if _, err := vault.Rollback(g, vault.Act{By: "Pat", Why: "a trial", Now: noon(3)}, 0, time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	robotOrders(t, g)
	c, err := turn.Close(g, "daemon", turn.Options{Now: noon(4)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(g, turn.Options{Now: noon(5), Beacon: source.Sign(c.CloseData.Round)}); err != nil {
		t.Fatal(err)
	}
	holds(t, g)
}

// TestPublicDiceBroken: nothing is played if a closing has been altered.
func TestPublicDiceBroken(t *testing.T) {
	source := testBeacon(t)
	for name, damage := range map[string]func(dir string) error{
		"no directory": os.RemoveAll,
		"a set altered": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), []byte("#orders wolf turn 1 ship Hood\n#end\n"), 0o600)
		},
		"a set more": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "orders", "@Kirk.txt"), []byte("#orders wolf turn 1 captain Kirk\nluck now\n#end\n"), 0o600)
		},
		"torn": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "closing.json"), []byte("{\"turn\":"), 0o600)
		},
		"too large": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), make([]byte, 2<<20), 0o600)
		},
		"of another turn": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "closing.json"), []byte(`{"turn":2}`), 0o600)
		},
	} {
		g := newPublic(t, "", beaconOf(source))
		robotOrders(t, g)
		c, err := turn.Close(g, "daemon", turn.Options{Now: noon(1)})
		if err != nil {
			t.Fatal(err)
		}
		if err := damage(filepath.Join(g.Dir(), vault.ClosingDir)); err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Resolve(reopened(t, g.Dir()), turn.Options{Now: noon(2), Beacon: source.Sign(c.CloseData.Round)}); !errors.Is(err, vault.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func isType[E error](err error) bool { _, ok := errors.AsType[E](err); return ok }

// BenchmarkDice resolves the first turn of a duel, alternately with the host's dice and with public ones: closed,
// verified, played. It reports the CPU time of both.
func BenchmarkDice(b *testing.B) {
	source, now := testBeacon(b), noon(1)
	var cpu [2]time.Duration
	for b.Loop() {
		own, public := newDuel(b, "stcs-advanced", "", 5), newPublic(b, "", beaconOf(source))
		for i, g := range []*vault.Game{own, public} {
			robotOrders(b, g)
			now = now.Add(time.Hour) // a separate round for each
			o := turn.Options{Now: now}
			before := processortest.Time(b)
			if g == public {
				c, err := turn.Close(g, "daemon", o)
				if err != nil {
					b.Fatal(err)
				}
				cpu[i] += processortest.Time(b) - before
				o.Beacon = source.Sign(c.CloseData.Round) // the beacon's own work is not measured
				before = processortest.Time(b)
			}
			if _, err := turn.Resolve(g, o); err != nil {
				b.Fatal(err)
			}
			cpu[i] += processortest.Time(b) - before
		}
	}
	b.ReportMetric(float64(cpu[0].Microseconds())/float64(b.N)/1000, "own-cpu-ms")
	b.ReportMetric(float64(cpu[1].Microseconds())/float64(b.N)/1000, "public-cpu-ms")
}
