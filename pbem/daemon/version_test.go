package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOlderRules: a game with an older version of the rules waits, whatever the time, until its
// referee continues it. Captains and referees are told once, and again in answers to orders.
func TestOlderRules(t *testing.T) {
	w, g := refereed(t)
	path := filepath.Join(g.Dir(), "game.toml")
	text := string(must(os.ReadFile(path)))
	is := g.Rules().Version
	older := strings.Replace(text, `version = "`+is+`"`, `version = "1"`, 1)
	if older == text {
		t.Fatalf("the game is of version 1:\n%s", text)
	}
	if err := os.WriteFile(path, []byte(older), 0o600); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	note := sent.to(rita, "trouble")
	if len(note) != 1 || !strings.Contains(note[0].Text, "#rules "+is+" --why REASON") {
		t.Fatalf("the referee is told:\n%s", sent)
	}
	for _, who := range []string{kirk, kor} {
		told := sent.to(who, "the game waits for its referee")
		if len(told) != 1 || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "it uses version 1 of rule set stcs-basic, and the robot now has version "+is+".") {
			t.Fatalf("%s is told:\n%s\n%s", who, sent, told[0].Text)
		}
	}
	w.clock.Advance(30 * 24 * time.Hour)
	if sent = w.run(); len(sent) != 0 || w.turnOf(g) != 1 {
		t.Fatalf("turn %d; sent:\n%s", w.turnOf(g), sent)
	}
	w.box.put(w.order(g, "Kirk", "power", "  move 16", "final"))
	answer := w.run().to(kirk, "")
	if len(answer) != 1 || !strings.Contains(strings.Join(strings.Fields(answer[0].Text), " "), "The game is waiting for its referee") {
		t.Fatalf("the answer to orders:\n%s", answer)
	}
	w.box.put(w.order(g, "Kor", "power", "  move 0", "final"))
	if w.run(); w.turnOf(g) != 1 {
		t.Fatal("a turn was played")
	}
	said, _ := w.rules("#resume\n")
	if !strings.Contains(strings.Join(strings.Fields(said), " "), "from the next turn on: #rules "+is+" --why TEXT") {
		t.Fatal(said)
	}
	if said, _ = w.rules("#process 2 --force\n"); !strings.Contains(said, "rules "+is) || w.turnOf(g) != 1 {
		t.Fatal(said)
	}
	said, sent = w.rules("#rules " + is + " --why the server has a new starpost\n")
	if !strings.Contains(said, "turn 2 is due by") {
		t.Fatal(said)
	}
	for _, who := range []string{kirk, kor} {
		told := sent.to(who, "the rules have another version")
		if len(told) != 1 || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "Rita has switched the game to version "+is+" of its rules from turn 2 on; until now it used version 1: the server has a new starpost.") {
			t.Fatalf("%s is told:\n%s", who, sent)
		}
	}
	if w.run(); w.turnOf(g) != 2 {
		t.Fatalf("turn %d", w.turnOf(g))
	}
}
