package daemon_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine/rules/sfb/state"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb"
	"starpost/pbem/auth"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// boxes returns a world with a game of ships with damage boxes: Kirk's Constellation against Kor's
// Destruction.
func boxes(t *testing.T, cadence string) (*world, *vault.Game) {
	t.Helper()
	w := newWorld(t)
	w.cat = vault.CatalogueOf(sfb.Family())
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(3)
	dir := filepath.Join(w.dir, "games", "meet")
	if _, err := turn.Create(dir, w.cat, turn.Setup{
		Scenario: files["encounter"], ID: "meet", Mail: schedule(), Cadence: cadence,
		Captains: []vault.Captain{
			{Name: "Kirk", Address: kirk, Ships: []string{"Constellation"}},
			{Name: "Kor", Address: kor, Ships: []string{"Destruction"}},
		},
		Referees: []vault.Referee{{Name: "Rita", Address: rita}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), w.cat)
	if err != nil {
		t.Fatal(err)
	}
	w.run()
	return w, g
}

// sheet returns a mail with orders for a ship, for the due turn or a phase of it.
func (w *world) sheet(g *vault.Game, captain string, phase int, lines string) string {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	ship, due, at := map[string]string{"Kirk": "Constellation", "Kor": "Destruction"}[captain], g.Turn()+1, ""
	if phase > 0 {
		at = fmt.Sprintf("phase %d ", phase)
	}
	return w.mail(strings.ToLower(captain)+"@example.org", fmt.Sprintf("#orders meet turn %d %sship %s key %s\n%s\n#end\n", due, at, ship, turn.Key(g, due, engine.CaptainName(captain)), lines))
}

// TestMistakesInBoxesByMail: each mistake is answered with its line, its code and a remedy, the
// other lines with their effect. A correct set is accepted afterwards.
func TestMistakesInBoxesByMail(t *testing.T) {
	w, g := boxes(t, "")
	w.box.put(w.sheet(g, "Kirk", 0, "power\n  speed 12\n  arm photon-a photon-b\nfinal"))
	w.box.put(w.sheet(g, "Kor", 0, "power\n  speed 16\n  phasers 4\nphase 4\n  launch drone-1 at Constellation on 16\nfinal"))
	w.run()
	w.box.put(w.sheet(g, "Kirk", 0, strings.Join([]string{
		"power", "  speed 17", "  arm photon-a", "  hold photon-b", "  reinforce 1:9",
		"phase 1", "  move L L L", "phase 2", "  fire phasers at Destruction when range <= 4", "standing", "  lose other cloak lab",
	}, "\n")))
	w.box.put(w.sheet(g, "Kor", 0, strings.Join([]string{
		"power", "  speed 16", "  arm disruptor-a disruptor-b", "  reinforce 1:1",
		"phase 1", "  launch drone-1 at d1", "phase 2", "  fire ph-1 at Constellation on 3", "  launch drone-1 at Constellation on 5",
	}, "\n")))
	sent := w.run()
	for who, want := range map[string][]string{
		kirk: {
			"line 3, column 9: error E201: speed 17 is too fast", "at most 16, after 12 last turn",
			"line 4, column 3: error E202: 17 energy wanted of the warp engines, which give 16", "lower it by 1",
			"line 5, column 3: error E205: photon-b is not armed: it has had 1 of 2 turns of arming", "arm photon-b",
			"line 8, column 10: warning W210: L, word 2: by then she has moved 1 of the 2 hexes straight that her turn mode requires", "it becomes F",
			`line 12, column 14: error E214: cadet-federation has no other boxes called "cloak"`, "her banks of that kind are shuttle, lab, transporter, battery, apr",
			"moves on impulses 1 2 3", "photon-a is armed", "Destruction does not move: ph-2",
		},
		kor: {
			"line 5, column 3: error E103: 21 energy wanted, there are 20", "lower it by 1",
			"line 7, column 21: error E212: d1 is not a ship: this order is for ships", "name a ship",
			"line 9, column 33: error E211: impulse 3 is not in phase 2", "impulse 3 is in phase 1",
			"disruptor-b is armed", "drone-1 has 3 drones",
		},
	} {
		answers := sent.to(who, "not accepted")
		if len(answers) != 1 {
			t.Fatalf("%v", sent)
		}
		text := strings.Join(strings.Fields(answers[0].Text), " ")
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s is not told %q:\n%s", who, part, answers[0].Text)
			}
		}
	}
	w.box.put(w.sheet(g, "Kirk", 0, "power\n  speed 12\n  arm photon-a photon-b\nstanding\n  lose other lab"))
	if sent = w.run(); len(sent.to(kirk, "accepted")) != 1 || len(sent.to(kirk, "not accepted")) != 0 {
		t.Errorf("%v", sent)
	}
}

// TestImpulsesOfARoundByMail: a round has four impulses. An order names one of its round's
// impulses, in words or by a condition, and fires on it.
func TestImpulsesOfARoundByMail(t *testing.T) {
	w, g := boxes(t, vault.CadencePhase)
	give := func(phase int, kirks, kors string) sentMails {
		w.box.put(w.sheet(g, "Kirk", phase, kirks+"\nfinal"))
		w.box.put(w.sheet(g, "Kor", phase, kors+"\nfinal"))
		return w.run()
	}
	power := "power\n  speed 12\n  phasers 3\n"
	give(1, power+"phase 1\n  move F F F\n  fire ph-1 at Destruction when impulse = 3", power+"phase 1\n  move F F F")
	if at := w.newest(g); at != "turn 1, phase 1" {
		t.Fatalf("at %s", at)
	}
	sent := give(2, "phase 2\n  fire ph-2 at Destruction on 3", "phase 2\n  move F F F")
	refused := sent.to(kirk, "phase 2: orders for Constellation not accepted")
	if len(refused) != 1 || !strings.Contains(strings.Join(strings.Fields(refused[0].Text), " "), "E211: impulse 3 is not in phase 2 | fire ph-2 at Destruction on 3 | ^ Hint: phase 2 is impulses 5 to 8; impulse 3 is in phase 1") {
		t.Fatalf("%v", sent)
	}
	w.box.put(w.sheet(g, "Kirk", 2, "phase 2\n  fire ph-2 at Destruction on 6 when range > 5\nfinal"))
	w.run()
	give(3, "phase 3\n  pursue Destruction", "phase 3\n  launch drone-1 at Constellation on 10")
	sent = give(4, "phase 4\n  fire ph-3 at Destruction when impulse >= 15 or range <= 2", "phase 4\n  fire phasers at Constellation on 16")
	reports := sent.to(kirk, "report")
	if len(reports) != 1 || !regexp.MustCompile(`Impulse 10: Destruction\s+launches\s+d1`).MatchString(reports[0].Text) {
		t.Fatalf("%v", sent)
	}
	if err := g.Refresh(); err != nil {
		t.Fatal(err)
	}
	events, err := g.Stages.Events(vault.At(g.Turn()))
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, e := range events {
		switch b := e.Body.(type) {
		case *state.Fire:
			told = append(told, fmt.Sprintf("%s %s %d", b.Ship, b.Weapon, b.Impulse))
		case *state.Launch:
			told = append(told, fmt.Sprintf("%s %s %d", b.Ship, b.Weapon, e.Phase))
		case *engine.Skip:
			told = append(told, fmt.Sprintf("%s not: %s", b.Ship, b.Reason))
		}
	}
	want := []string{
		"constellation ph-1 3", "constellation ph-2 6", "destruction drone-1 10", "constellation not: ph-3: the target is out of its arc RS",
		"destruction ph-1 16", "destruction ph-2 16",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}

// TestRefereeOfBoxesByMail: a referee sets a box, stored energy, and the place and target of a
// drone, previews the effect, amends orders and resolves again.
func TestRefereeOfBoxesByMail(t *testing.T) {
	w, g := boxes(t, "")
	w.box.put(w.sheet(g, "Kirk", 0, "power\n  speed 12\nfinal"))
	w.box.put(w.sheet(g, "Kor", 0, "power\n  speed 16\n  phasers 4\nphase 4\n  launch drone-1 at Constellation on 16\nfinal"))
	w.run()
	for _, step := range []struct{ send, want, told string }{
		{"#ruling fields Destruction", "disruptor-a.armed 0", ""},
		{"#ruling fields d1", "target constellation (a ship on the map)", ""},
		{"#ruling set Destruction ph-4 0 --dry-run", "ph-4 was 1, is 0", ""},
		{"#ruling set Destruction ph-4 0 --why counted wrong", "it now counts", "Destruction: ph-4 was 1, is 0"},
		{"#ruling set Destruction capacitors 1 --why counted wrong", "it changes the reports of Kor |", ""},
		{"#ruling move d1 1710 C --why misread", "it now counts", "d1 is moved from 1808 F to 1710 C"},
		{"#ruling set d1 target Constelation --why x", "did you mean \"Constellation\"?", ""},
		{"#ruling set d1 target Destruction --why misread", "it now counts", "d1: target was constellation, is destruction"},
		{"#ruling set Destruction cloak-box 0 --why x", "Destruction has no \"cloak-box\"", ""},
		{"#rerun 1 --with set Constellation shield-1 9 --before --why x", "shield-1 was 16, is 9", ""},
		{"#amend Constellation --why sent by telephone\n#orders meet turn 2 ship Constellation\npower\n  speed 12\n  arm photon-a\n#end", "the orders of Constellation for turn 2 are replaced", ""},
		{"#preview --as Constellation", "photon-a has 1 of 2 turns of arming", ""},
	} {
		g = must(vault.Open(directory.At(g.Dir()), w.cat))
		answer, sent := w.asks(rita, auth.WithKey(robot, referee.Key(g, g.Turn()+1, "Rita")), step.send+"\n")
		answer = strings.Join(strings.Fields(answer), " ")
		if !strings.Contains(answer, step.want) {
			t.Errorf("%s: no %q in\n%s", step.send, step.want, answer)
		}
		for _, who := range []string{kirk, kor} {
			told := ""
			for _, m := range sent.to(who, "CORRECTED") {
				told += strings.Join(strings.Fields(m.Text), " ")
			}
			if step.told != "" && !strings.Contains(told, step.told) {
				t.Errorf("%s: %s is not told %q but %s\n%v", step.send, who, step.told, told, sent)
			}
		}
	}
	g = must(vault.Open(directory.At(g.Dir()), w.cat))
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}
