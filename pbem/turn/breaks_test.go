package turn_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// standOff returns orders by which the ships of newDuel approach each other for some turns.
func standOff(ship, foe string, near int, breaks string) string {
	return fmt.Sprintf("#orders wolf turn 1 ship %s\npower\n  move 8\n  shields 1:8\nphase 1\n  pursue %s to %d\nphase 2\n  pursue %[2]s to %[3]d\nphase 3\n  pursue %[2]s to %[3]d\nstanding\n  missing repeat\n%[4]s#end\n", ship, foe, near, breaks)
}

func put(t *testing.T, g *vault.Game, sets map[string]string) {
	t.Helper()
	for name, text := range sets {
		if err := g.Orders.Put(vault.At(1), name, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}

func reportOf(t *testing.T, g *vault.Game, ship string) string {
	t.Helper()
	data, err := g.Stages.File(g.Newest(), vault.ReportsDir+"/"+strings.ToLower(ship)+".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestBreaks: one exchange of mails plays phases until a captain wants to be asked. Each captain is told their own
// reason, and once what happened meanwhile. The result is byte for byte the same as with the same orders a phase at a
// time.
func TestBreaks(t *testing.T) {
	sets := map[string]string{
		"Hood":    standOff("Hood", "Riskadh", 8, "break on hit\nbreak when range to nearest <= 20\n"),
		"Riskadh": standOff("Riskadh", "Hood", 3, "break on hit\n"),
	}
	g, phases := newDuel(t, "stcs-basic", vault.CadenceBreak, 5), newDuel(t, "stcs-basic", vault.CadencePhase, 5)
	put(t, g, sets)
	put(t, phases, sets)
	out, err := turn.Resolve(g, turn.Options{Now: noon(1)})
	if err != nil {
		t.Fatal(err)
	}
	if at := g.Newest(); at.Slug() != "2.p1" || len(out.Mails) != 2 {
		t.Fatalf("play stopped after %s with %d mails", at, len(out.Mails))
	}
	for phases.Newest() != g.Newest() {
		if _, err := turn.Resolve(phases, turn.Options{Missing: vault.PolicyStanding, Now: noon(1)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{vault.EventsFile, vault.StateFile} {
		a, err := g.Stages.File(g.Newest(), file)
		if err != nil {
			t.Fatal(err)
		}
		b, err := phases.Stages.File(g.Newest(), file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s is another one than phase by phase", file)
		}
	}
	hood, riskadh := reportOf(t, g, "Hood"), reportOf(t, g, "Riskadh")
	if want := "Play has stopped after 4 phases: Riskadh is within 20."; !strings.Contains(hood, want) {
		t.Errorf("want %q in:\n%s", want, hood)
	}
	if !strings.Contains(riskadh, "Play has stopped after 4 phases.\n") || strings.Contains(riskadh, "within 20") {
		t.Errorf("Riskadh is told whose reason it was:\n%s", riskadh)
	}
	for _, move := range []string{"1133 -> 1131", "1131 -> 1129", "1129 -> 1127"} {
		if n := strings.Count(hood, move); n != 1 {
			t.Errorf("%s is told %d times in:\n%s", move, n, hood)
		}
	}
	for _, at := range []string{"1.p1", "1.p2", "1", "2.p1"} {
		m := manifest(t, g, at)
		if quiet := at != "2.p1"; m.Quiet != quiet || (len(m.Mails) == 0) != quiet {
			t.Errorf("%s: quiet %v with %d mails", at, m.Quiet, len(m.Mails))
		}
	}
	holds(t, g)

	// A program that was stopped in the middle continues there, without being asked.
	if err := os.RemoveAll(g.Stages.Dir(g.Newest())); err != nil {
		t.Fatal(err)
	}
	again, err := vault.Open(directory.At(g.Dir()), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	if !load(t, again).GoesOn() {
		t.Fatalf("after %s it does not go on", again.Newest())
	}
	if _, err := turn.Resolve(again, turn.Options{Now: noon(1)}); err != nil || reportOf(t, again, "Hood") != hood {
		t.Errorf("after %s, %v:\n%s", again.Newest(), err, reportOf(t, again, "Hood"))
	}
}

func manifest(t *testing.T, g *vault.Game, slug string) vault.Manifest {
	t.Helper()
	for n := 0; n <= g.Newest().Turn; n++ {
		stages, err := g.Stages.Of(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range stages {
			if at.Slug() == slug {
				m, err := g.Stages.Manifest(at)
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
		}
	}
	t.Fatalf("there is no %s", slug)
	return vault.Manifest{}
}

// TestStretchIsOver: without a reason to stop, play goes on for at most as many phases as the game says or, with
// stretch always, for exactly as many.
func TestStretchIsOver(t *testing.T) {
	for _, always := range []bool{false, true} {
		g := newDuel(t, "stcs-basic", vault.CadenceBreak, 5)
		path := filepath.Join(g.Dir(), "game.toml")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.Replace(data, []byte("[mail]\n"), fmt.Appendf(nil, "[mail]\nstretch = 5\nstretch_always = %v\n", always), 1)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := g.Refresh(); err != nil {
			t.Fatal(err)
		}
		breaks := "break on lost\n"
		if always {
			breaks = "break on arrived arc contact\nbreak when range to nearest <= 31\n"
		}
		put(t, g, map[string]string{"Hood": standOff("Hood", "Riskadh", 30, breaks), "Riskadh": standOff("Riskadh", "Hood", 30, breaks)})
		if _, err := turn.Resolve(g, turn.Options{Now: noon(1)}); err != nil {
			t.Fatal(err)
		}
		if at := g.Newest().Slug(); at != "2.p2" {
			t.Errorf("always %v: play stopped after %s, want 2.p2", always, at)
		}
		if hood := reportOf(t, g, "Hood"); always == strings.Contains(hood, "You are asked for orders at") {
			t.Errorf("always %v: %s", always, hood)
		}
	}
}

// TestBreakKinds: an unknown order about breaks gets a diagnostic with a hint, and is ignored in a game without
// breaks.
func TestBreakKinds(t *testing.T) {
	for line, want := range map[string]string{
		"break on contact hit":                   "",
		"break never lost":                       "",
		"break as usual":                         "",
		"break when range to nearest <= 12":      "",
		"break on":                               orderset.CodeBadBreak,
		"break on fire":                          orderset.CodeBadBreak,
		"break sometimes hit":                    orderset.CodeBadBreak,
		"break when range to nearest <= 0":       orderset.CodeBadBreak,
		"break when range to nearest <= 12 soon": orderset.CodeBadBreak,
		"break when range to Riskadh <= 12":      orderset.CodeBadBreak,
	} {
		for _, cadence := range []string{vault.CadenceBreak, vault.CadenceTurn} {
			read := load(t, newDuel(t, "stcs-basic", cadence, 1)).Check([]byte(standOff("Hood", "Riskadh", 8, line+"\n")))
			var got []string
			for _, d := range read.Diagnostics {
				if d.Code == orderset.CodeBadBreak || d.Code == orderset.CodeNoBreaks {
					got = append(got, d.Code)
					if d.Pos.Line != 13 || d.Hint == "" {
						t.Errorf("%s: %v", line, d)
					}
				}
			}
			want := want
			if cadence == vault.CadenceTurn {
				want = orderset.CodeNoBreaks
			}
			if strings.Join(got, " ") != want {
				t.Errorf("cadence %s, %s: got %v, want %q", cadence, line, got, want)
			}
		}
	}
}

// TestBreaksOfRobots: battles of every course, and a search by the house rules, end with breaks, and have the same
// events as a phase at a time.
func TestBreaksOfRobots(t *testing.T) {
	enginetest.Sequential(t)
	for rules := range fasa.Courses() {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			askRobots(t, newDuel(t, rules, vault.CadenceBreak, 7))
		})
	}
	t.Run("search by the house rules", func(t *testing.T) {
		t.Parallel()
		search, err := fs.ReadFile(sfb.Family().Scenarios, "scenarios/night-eagle.toml")
		if err != nil {
			t.Fatal(err)
		}
		g := newSearch(t, search)
		if asked, phases := askRobots(t, g); asked*2 > phases {
			t.Errorf("the captains were asked %d times in %d phases, though nobody is in sight for long", asked, phases)
		}
		var said strings.Builder
		for n := range g.Turn() + 1 {
			stages, err := g.Stages.Of(n)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range stages {
				text, err := g.Stages.File(at, "reports/aquila.txt")
				if err != nil {
					t.Fatal(err)
				}
				said.Write(text)
			}
		}
		if text := strings.Join(strings.Fields(said.String()), " "); !strings.Contains(text, "c02 is in sight") {
			t.Errorf("no report says that play stopped at a contact:\n%s", text)
		}
	})
}

// newSearch returns a game of three captains that stops where something happens.
func newSearch(t *testing.T, scenario []byte) *vault.Game {
	t.Helper()
	dir, seed := filepath.Join(t.TempDir(), "search"), uint64(7)
	setup := turn.Setup{Scenario: scenario, ID: "search", Mail: vault.DefaultMail(), Cadence: vault.CadenceBreak, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)}}
	for _, ship := range []string{"Hood", "Saladin", "Aquila"} {
		setup.Captains = append(setup.Captains, vault.Captain{Address: strings.ToLower(ship) + "@example.org", Ships: []string{ship}})
	}
	if _, err := turn.Create(dir, darkCatalogue(), setup); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), darkCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// askRobots plays a game to its end with robots, which are asked whenever captains would be. It returns how often
// they were asked, and the number of phases.
func askRobots(t *testing.T, g *vault.Game) (asked, phases int) {
	t.Helper()
	for ; ; asked++ {
		p := load(t, g)
		if p.Due() == 0 {
			break
		}
		if asked > 200 {
			t.Fatal("the battle has no end")
		}
		for _, seat := range g.Rules().Owed(p.State()) {
			text, err := p.Robot(seat.Ship)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := p.State().Ship(seat.Ship)
			if err := g.Orders.Put(vault.At(p.Due()), s.Name, []byte(text), time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: noon(asked + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	if phases = g.Turn() * g.Rules().Rounds(); asked >= phases {
		t.Errorf("the captains were asked %d times in %d phases", asked, phases)
	}
	holds(t, g)
	return asked, phases
}
