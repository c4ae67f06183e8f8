package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/pbem/config"
	"starpost/pbem/lobby"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// hosting returns a world with a host that creates games.
func hosting(t *testing.T, l config.Lobby) *world {
	t.Helper()
	w := newWorld(t)
	l.AnswersPerDay = 20
	if l.Games == 0 {
		l.Games = 10
	}
	if l.Create == "" {
		l.Create = config.CreateNobody
	}
	w.cfg.Lobby, w.library = &l, &lobby.Library{Families: []family.Family{fasa.Family()}}
	if err := os.MkdirAll(filepath.Join(w.dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

// games returns the names of the game directories.
func (w *world) games() []string {
	w.t.Helper()
	list, err := filepath.Glob(filepath.Join(w.dir, "games", "*"))
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range list {
		list[i] = filepath.Base(list[i])
	}
	return list
}

// A stranger plays a battle against robots to its end by mail alone. Each mail is acted on and its turn
// played in the same read of the mailbox.
func TestPracticeIsPlayedToItsEnd(t *testing.T) {
	w := hosting(t, config.Lobby{Practice: 1})
	sent := w.joins(ann, "practice run-the-line")
	made := sent.to(ann, "Your game is made")
	reports := sent.to(ann, "begins")
	if len(made) != 1 || len(reports) != 1 || len(w.games()) != 1 || len(sent) != 2 {
		t.Fatalf("sent:\n%s\ngames: %v", sent, w.games())
	}
	id := w.games()[0]
	g := w.load(id)
	if s := g.Settings(); s.Origin != vault.OriginPractice || s.Cadence != vault.CadencePhase || s.Mail.Open {
		t.Errorf("%+v", s)
	}
	if words := made[0].words(); !strings.Contains(words, "Your game is Run the Line, ") || !strings.Contains(words, "Nobody else sees the battle.") || !strings.Contains(words, "cadence=turn") {
		t.Errorf("what is told of the game: %s", words)
	}
	rep := reports[0]
	if !strings.Contains(rep.words(), "Your first battle? Send the order set as it is") {
		t.Errorf("the first report does not say what to do first:\n%s", rep.Text)
	}
	stages := 0
	for ; ; stages++ {
		if stages > 40 {
			t.Fatal("the battle does not end")
		}
		// The template at the end of the report, sent back unchanged.
		block := regexp.MustCompile(`(?s)\n#orders .*?\n#end\n`).FindString(rep.Text)
		if block == "" {
			t.Fatalf("no template in:\n%s", rep.Text)
		}
		w.box.put(w.command(ann, rep.ReplyTo[0].Addr, block))
		sent := w.run()
		got := sent.to(ann, "["+id+"]")
		for _, ack := range sent.to(ann, "accepted") { // a turn that runs at once accepts no changes
			if !strings.Contains(ack.words(), "are in: the turn runs now, and its report follows.") || strings.Contains(ack.Text, "== What you can send") || strings.Contains(ack.Text, "== Time") {
				t.Errorf("the acknowledgement:\n%s", ack.Text)
			}
		}
		at := slices.IndexFunc(got, func(m sentMail) bool {
			return strings.Contains(m.Text, "\n#orders "+id) && m.MessageID != rep.MessageID
		})
		if over := slices.IndexFunc(got, func(m sentMail) bool {
			return strings.Contains(m.Subject, "over") || strings.Contains(m.words(), "battle is over")
		}); over >= 0 {
			break
		}
		if at < 0 {
			p, err := turn.Load(w.load(id))
			if err == nil && p.Due() == 0 {
				break
			}
			t.Fatalf("stage %d: no report:\n%s\n%s", stages, sent, got[0].Text)
		}
		rep = got[at]
	}
	if stages < 3 {
		t.Errorf("it ended after %d exchanges", stages)
	}
	// The reports say how to go on, and so does the answer to free text. A machine that sends the same
	// text twice is answered once.
	if !strings.Contains(rep.Text, "\nTo play another battle, send games (with people) or practice (with robots).\n") {
		t.Errorf("the report does not say how to play on:\n%s", rep.Text)
	}
	for text, n := range map[string]int{"Thanks, that was fun.": 1, "How do I play against people?": 1} {
		w.box.put(w.mail(ann, text))
		w.box.put(w.mail(ann, text))
		got := w.run().to(ann, "")
		if len(got) != n || !strings.Contains(got[0].words(), "The game ended with turn") || !strings.Contains(got[0].words(), "practice as the first line") {
			t.Errorf("%q brings %d answers:\n%s", text, len(got), got)
		}
	}
	// Now another may be created, but two may not run at once.
	w.clock.Advance(2 * time.Hour)
	w.joins(ann, "practice")
	w.box.put(w.mail(ann, "#practice convoy"))
	if sent := w.run(); len(sent.to(ann, "Please confirm")) != 0 || len(w.games()) != 2 || !strings.Contains(sent.to(ann, "")[0].words(), "1 game of yours against robots goes already under way") {
		t.Errorf("sent:\n%s", sent)
	}
}

// An idle practice game ends by itself.
func TestIdlePracticeEnds(t *testing.T) {
	w := hosting(t, config.Lobby{Practice: 1})
	w.joins(ann, "practice")
	for range 4 {
		w.clock.Advance(8 * 24 * time.Hour)
		w.run()
	}
	for range 200 {
		if due, err := w.load(w.games()[0]).Due(); err != nil || due == 0 {
			return
		}
		w.clock.Advance(8 * 24 * time.Hour)
		w.run()
	}
	t.Error("it goes on for ever")
}

// However often a stranger asks, little is sent and little is kept. Nothing is created without a
// confirmation.
func TestPracticeIsBounded(t *testing.T) {
	w := hosting(t, config.Lobby{Practice: 2, Games: 3})
	const mails = 300
	for i := range mails {
		line := "practice"
		if i%2 == 1 {
			line = fmt.Sprintf("practice %s", []string{"convoy", "two-and-two", "raiders", "needle", "kobayashi-maru", "moonrise", "stern-chase"}[i/2%7])
		}
		w.box.put(w.mail(ann, line))
	}
	sent := w.run()
	if n := len(sent.to(ann, "Please confirm")); n != 3 || len(sent) > 20 || len(w.games()) != 0 {
		t.Errorf("%d questions, %d mails, games %v", n, len(sent), w.games())
	}
	data, err := os.ReadFile(filepath.Join(w.dir, "state", "lobby.json"))
	if err != nil || strings.Count(string(data), `"line"`) > 5 || len(data) > 2000 {
		t.Errorf("kept: %s, %v", data, err)
	}
	// A forged token, or one for another address, creates nothing.
	reply := sent.to(ann, "Please confirm")[0].ReplyTo[0].Addr
	w.box.put(w.command(bob, reply, "confirm\n"))
	w.box.put(w.command(ann, robot, "confirm 0006-HP01-E3KS-0E8H\n"))
	if w.run(); len(w.games()) != 0 {
		t.Errorf("made without a confirmation: %v", w.games())
	}
	w.box.put(w.command(ann, reply, "confirm\n"))
	w.box.put(w.command(ann, reply, "confirm\n\nonce more\n"))
	if w.run(); len(w.games()) != 1 {
		t.Errorf("confirmed once, made %v", w.games())
	}
	for i := range 4 {
		who := fmt.Sprintf("p%d@example.org", i)
		w.box.put(w.mail(who, "#practice"))
		if asked := w.run().to(who, "Please confirm"); len(asked) == 1 {
			w.box.put(w.command(who, asked[0].ReplyTo[0].Addr, "confirm\n"))
			w.run()
		}
	}
	if len(w.games()) != 3 {
		t.Errorf("of 3 games that may be made there are %v", w.games())
	}
	for _, bad := range []struct{ line, want string }{
		{"#practice big-bad-wulf", "Did you mean"},
		{"#practice convoy rules stcs-basik", "there is no rule set"},
		{"#practice convoy fast", "is not understood here"},
		{"#practice convoy deadline=1h", "no settings but its cadence, and no guests"},
		{"#create convoy", "such games are not made here"},
	} {
		who := "bad" + strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, bad.line) + "@example.org"
		w.box.put(w.mail(who, bad.line))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), bad.want) {
			t.Errorf("%s: %q not told:\n%s", bad.line, bad.want, sent)
		}
	}
}

// People who wait for a game get one when there are enough, and not twice.
func TestWaitingListMakesAGame(t *testing.T) {
	w := hosting(t, config.Lobby{Practice: 1, Offer: []string{"big-bad-wolf rules=stcs-advanced deadline=2d", "two-and-two"}})
	sent := w.joins(ann, "join any")
	if m := sent.to(ann, "You wait for a game"); len(m) != 1 || !strings.Contains(m[0].words(), "1 more is still needed") || len(w.games()) != 0 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.box.put(w.mail(ann, "join any"))
	w.run()
	w.box.put(w.mail("kim@example.org", "games"))
	if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), "big-bad-wolf (1 waiting), two-and-two (1 waiting)") {
		t.Errorf("sent:\n%s", sent)
	}
	// Someone who asks in plain words is told so too, if no seat is free.
	w.box.put(w.mail("zoe@example.org", "Hello, is there a game I can join?"))
	if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), "two-and-two (1 waiting)") || !strings.Contains(sent[0].words(), "practice as the first line") {
		t.Errorf("sent:\n%s", sent)
	}
	w.joins("kim@example.org", "join two-and-two")
	if len(w.games()) != 1 {
		t.Fatalf("two wait for two-and-two: %v", w.games())
	}
	g := w.load(w.games()[0])
	if s := g.Settings(); s.Origin != vault.OriginMail || s.Captains[0].Address == "" || s.Captains[1].Address == "" || s.Mail.Start != "" {
		t.Errorf("%+v", s)
	}
	// Someone who is in a game no longer waits, and someone who leaves the list is not counted.
	w.joins(bob, "join big-bad-wolf")
	w.box.put(w.mail(bob, "leave list"))
	if sent := w.run().to(bob, "You left the waiting list"); len(sent) != 1 {
		t.Error("not told")
	}
	w.joins("lee@example.org", "join any")
	if len(w.games()) != 1 {
		t.Fatalf("%v", w.games())
	}
	sent = w.joins("mia@example.org", "join big-bad-wolf")
	if len(w.games()) != 2 || len(sent.to("lee@example.org", "begins")) != 1 || len(sent.to("mia@example.org", "begins")) != 1 {
		t.Fatalf("%v; sent:\n%s", w.games(), sent)
	}
	if g := w.load(w.games()[0]); g.Settings().Rules != "stcs-advanced" || g.Settings().Mail.Deadline.String() != "48h" {
		t.Errorf("%+v", g.Settings())
	}
}

// A captain who has finished a game may have one created. Others join it, and it begins when all seats
// are taken. Invited people are asked.
func TestCreateByMail(t *testing.T) {
	w := hosting(t, config.Lobby{Create: config.CreateAnyone})
	for line, want := range map[string]string{
		"#create": "which scenario", "#create convoy open=true": `"open" cannot be set by mail`, "#create convoy deadline=never": "deadline cannot be", "#create convoy reliable 900%": "reliable = 900 is not a percentage",
		"#create convoy reliable much": "reliable cannot be", "#create convoy schedule=Tue,8pm": `word 2, "8pm", is not a day`, `#create convoy schedule="Tue 20:00`: "is not closed",
		"#create convoy invite":          "is not understood here",
		"#create convoy invite " + robot: "not an address that can be invited", "#create convoyy": "Did you mean", "#create ghost-hunt rules stcs-basic": "the scenario",
	} {
		who := fmt.Sprintf("x%d@example.org", len(line))
		w.box.put(w.mail(who, line))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), want) {
			t.Errorf("%s: %q not told:\n%s\n%s", line, want, sent, sent[0].Text)
		}
	}
	sent := w.joins(ann, "create two-and-two rules stcs-basic deadline=2d reliable 90% schedule=\"Tue Fri 20:00 Europe/Berlin\" invite "+bob)
	if len(w.games()) != 1 || len(sent.to(ann, "Your game is made")) != 1 || len(sent.to(ann, "begins")) != 1 {
		t.Fatalf("%v; sent:\n%s", w.games(), sent)
	}
	asked := sent.to(bob, "")
	if len(asked) != 1 || strings.Contains(asked[0].raw, ann) {
		t.Fatalf("the invitation: %v", asked)
	}
	g := w.load(w.games()[0])
	if w.timing(g).Opening == nil || g.Settings().Mail.Deadline.String() != "48h" || g.Settings().Mail.Reliable != 90 || g.Zone().String() != "Europe/Berlin" {
		t.Errorf("%+v", g.Settings())
	}
	list := func(want ...string) {
		t.Helper()
		w.box.put(w.mail("kim@example.org", "games"))
		sent := w.run()
		if len(sent) != 1 {
			t.Fatalf("sent:\n%s", sent)
		}
		for _, o := range append(want, g.ID(), "Federation against") {
			if !strings.Contains(sent[0].words(), o) {
				t.Errorf("no %q in\n%s", o, sent[0].Text)
			}
		}
		if strings.Contains(sent[0].raw, ann) || strings.Contains(sent[0].raw, bob) {
			t.Errorf("an address is told:\n%s", sent[0].Text)
		}
	}
	list("it begins when all seats are taken", "; free: ", "join "+g.ID()+" as ")
	w.box.put(w.command(bob, asked[0].ReplyTo[0].Addr, "confirm\n"))
	if sent = w.run(); len(sent.to(bob, "the game begins")) != 1 || w.timing(g).Opening != nil || !strings.Contains(sent.to(bob, "Welcome")[0].words(), "All seats are taken, so the game begins.") {
		t.Errorf("sent:\n%s", sent)
	}
	list("turn 1 is due by ", "No game has a free seat now.")
	w = hosting(t, config.Lobby{Create: config.CreateCaptains})
	w.box.put(w.mail(ann, "#create two-and-two"))
	if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), "for captains who have played one to its end") {
		t.Errorf("sent:\n%s", sent)
	}
}

// A kill between any two steps of creating a game leaves one game and one mail of each kind.
func TestMakingAGameSurvivesKills(t *testing.T) {
	for _, line := range []string{"practice", "create two-and-two invite " + bob} {
		t.Run(line, func(t *testing.T) { makingSurvivesKills(t, line) })
	}
}

func makingSurvivesKills(t *testing.T, line string) {
	t.Helper()
	base := hosting(t, config.Lobby{Practice: 1, Create: config.CreateAnyone})
	base.box.put(base.mail(ann, line))
	reply := base.run().to(ann, "Please confirm")[0].ReplyTo[0].Addr
	mail := base.command(ann, reply, "confirm\n")
	want := ""
	for kill := -1; ; kill++ {
		w := base.again(t)
		w.library = base.library
		w.box.put(mail)
		steps := 0
		w.before = func(string) error {
			if steps++; kill >= 0 && steps > kill {
				return errKill
			}
			return nil
		}
		_, err := w.once()
		w.before = nil
		sent := w.delivered()
		if kill >= 0 && err == nil {
			break
		}
		if kill >= 0 {
			sent = append(sent, w.run()...)
		}
		ids := map[string]bool{}
		for _, m := range sent {
			ids[m.MessageID] = true
		}
		got := fmt.Sprint(w.games(), len(ids), len(sent.to(ann, "begins")) > 0, len(sent.to(ann, "Your game is made")) > 0, len(sent.to(bob, "")) > 0)
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("killed after %d steps: %s, want %s\n%s", kill, got, want, sent)
		}
	}
}
