package daemon_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/cup"
	"starpost/pbem/cup/play"
	"starpost/pbem/desk/command"
	"starpost/pbem/vault"
)

// cupWorld returns a host with a cup that people may enter by mail.
func cupWorld(t *testing.T, keys string) (*world, play.Host) {
	t.Helper()
	w := hosting(t, config.Lobby{})
	h := play.Host{
		Cups: cup.In(w.cfg.State), Library: w.library, Catalogue: catalogue(), Folder: filepath.Join(w.dir, "games"), Robot: w.cfg.Address, Now: w.clock.Now(),
	}
	if _, err := h.New("name = \"summer\"\ntitle = \"Summer cup\"\nscenario = \"big-bad-wolf\"\n" + keys); err != nil {
		t.Fatal(err)
	}
	return w, h
}

func (w *world) pair(h play.Host) (*cup.Cup, error) {
	return h.Pair(w.t.Context(), "summer", cup.Source{By: cup.ByReferee, Now: h.Now}, func(string, string) int { return 1500 })
}

// TestFloodOfEntries checks that many entries from one address, or with forged senders, cause only a few confirmation
// mails and no entry. A person who was asked before the flood can still confirm.
func TestFloodOfEntries(t *testing.T) {
	w, h := cupWorld(t, "format = \"swiss\"\n")
	w.box.put(w.mail(ann, "cup join summer as Ann"))
	asked := w.run().to(ann, "Please confirm")
	if len(asked) != 1 {
		t.Fatalf("%d questions to Ann", len(asked))
	}
	questions := func(from func(n int) string, mails int) (n int) {
		t.Helper()
		for i := range mails {
			w.box.put(w.mail(from(i), fmt.Sprintf("cup join summer as Captain %d", i)))
		}
		for _, m := range w.run() {
			if strings.Contains(m.Subject, "Please confirm") {
				n++
			}
		}
		return n
	}
	if n := questions(func(int) string { return bob }, 20); n != command.QuestionsTo {
		t.Errorf("%d questions to one address, want %d", n, command.QuestionsTo)
	}
	if n := questions(func(n int) string { return fmt.Sprintf("forged-%d@victim.example", n%10) }, 40); n > 10*command.QuestionsTo {
		t.Errorf("%d questions to ten addresses, want at most %d each", n, command.QuestionsTo)
	}
	w.box.put(w.command(ann, asked[0].ReplyTo[0].Addr, "confirm\n"))
	w.run()
	if c, err := h.Cups.Read("summer"); err != nil || len(c.Entrants) != 1 {
		t.Errorf("%+v, %v: want Ann alone", c.Entrants, err)
	}
}

// TestCupByMail makes four people enter by mail, one leave again, and two enter in a later round. Games are created
// automatically, and the standings are sent by mail.
func TestCupByMail(t *testing.T) {
	w, h := cupWorld(t, "format = \"swiss\"\nsides = \"once\"\n")
	people := []string{ann, bob, "kim@example.org", "lee@example.org"}
	for i, who := range people {
		sent := w.joins(who, fmt.Sprintf("cup join summer as Captain %c", 'A'+i))
		if m := sent.to(who, "Summer cup"); len(m) != 1 || !strings.Contains(m[0].words(), "You are in Summer cup") {
			t.Fatalf("sent:\n%s", sent)
		}
	}
	says := func(who, line, want string) {
		t.Helper()
		w.box.put(w.mail(who, line))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), want) {
			t.Errorf("%s: sent:\n%s\nwant %s", line, sent, want)
		}
	}
	says(ann, "cup join summer as Captain Z", "Captain A is already in Summer cup")
	says("zoe@example.org", "cup join summer as Captain B", "the name Captain B is or was taken in Summer cup")
	says("zoe@example.org", "cup leave summer", "you are not in Summer cup")
	says("zoe@example.org", "cup join sumer", `there is no cup "sumer"`)
	says("zoe@example.org", "cup", "summer: Summer cup. Swiss system, big-bad-wolf by stcs-basic. 4 entrants, not begun")
	says(ann, "cup status summer", "To leave it: cup leave summer")
	if _, err := w.pair(h); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	for _, who := range people {
		if m := sent.to(who, "begins"); len(m) != 1 || len(w.games()) != 2 {
			t.Fatalf("%s got %d games of %v; sent:\n%s", who, len(m), w.games(), sent)
		}
	}
	if m := w.joins("lee@example.org", "cup leave summer").to("lee@example.org", "Summer cup"); len(m) != 1 || !strings.Contains(m[0].words(), "You have left Summer cup") {
		t.Errorf("lee was told %v", m)
	}
	if _, err := w.pair(h); !errors.Is(err, cup.ErrUnfinished) {
		t.Errorf("while a game is played: %v", err)
	}
	_, err := h.Cups.Change("summer", func(c *cup.Cup) ([]cup.Entry, error) {
		e, err := c.Rule(cup.Source{By: cup.ByReferee, Why: "abandoned", Now: h.Now}, c.Open()[0].Game.ID, "draw")
		return []cup.Entry{e}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.pair(h)
	if err != nil || c.Paired != 2 {
		t.Fatalf("after the round: %v", err)
	}
	w.run()
	says(ann, "cup status summer", "3 entrants, round 2 of 2, 1 game being played")
	if text := c.Text(0); strings.Contains(text, "@") {
		t.Errorf("an address is told:\n%s", text)
	}
}

// TestEnteringSurvivesKills: after a kill at any step and a restart, the person is entered once and told so.
func TestEnteringSurvivesKills(t *testing.T) {
	base, h := cupWorld(t, "format = \"swiss\"\n")
	base.box.put(base.mail(ann, "cup join summer as Ann"))
	reply := base.run().to(ann, "Please confirm")[0].ReplyTo[0].Addr
	mail := base.command(ann, reply, "confirm\n")
	for kill := 0; ; kill++ {
		w := base.again(t)
		w.library = base.library
		w.box.put(mail)
		steps := 0
		w.before = func(string) error {
			if steps++; steps > kill {
				return errKill
			}
			return nil
		}
		_, err := w.once()
		w.before = nil
		sent := w.delivered()
		killed := err != nil
		if killed {
			sent = append(sent, w.run()...)
		}
		c, err := cup.In(w.cfg.State).Read("summer")
		if err != nil || len(c.Entrants) != 1 {
			t.Fatalf("killed after %d steps: %v, entrants %+v", kill, err, c)
		}
		ids := map[string]bool{}
		for _, m := range sent.to(ann, "Summer cup") {
			ids[m.MessageID] = true
			if !strings.Contains(m.words(), "You are in Summer cup") {
				t.Errorf("killed after %d steps she is told %s", kill, m.words())
			}
		}
		if len(ids) != 1 {
			t.Fatalf("killed after %d steps she is told %d times\n%s", kill, len(ids), sent)
		}
		if !killed {
			break
		}
	}
	if c, err := h.Cups.Read("summer"); err != nil || len(c.Entrants) != 0 {
		t.Errorf("the first world has %v, %v", c, err)
	}
}

// TestCupTellsItsEntrants: the start of each round, a dispute, its decision and the end are sent once to those
// concerned, also after a restart. No one learns an address or, in an anonymous cup, a name before its end.
func TestCupTellsItsEntrants(t *testing.T) {
	w, h := cupWorld(t, "format = \"swiss\"\nsides = \"once\"\nrounds = 1\nanonymous = true\n")
	w.cfg.Referee = "umpire@example.org"
	people := []string{ann, bob, "kim@example.org"}
	for i, who := range people {
		w.joins(who, fmt.Sprintf("cup join summer as Person %c", 'A'+i))
	}
	c, err := w.pair(h)
	if err != nil {
		t.Fatal(err)
	}
	secret := func(sent sentMails) {
		t.Helper()
		for _, m := range sent {
			for i, who := range people {
				if strings.Contains(m.words(), who) || strings.Contains(m.words(), fmt.Sprintf("Person %c", 'A'+i)) && m.to != who {
					t.Errorf("%s is told who %s is: %s", m.to, who, m.words())
				}
			}
		}
	}
	sent := w.run()
	secret(sent)
	for _, who := range people {
		if m := sent.to(who, "Round 1 is paired"); len(m) != 1 || !strings.Contains(m[0].words(), "round 1 of 1") {
			t.Errorf("%s got %d mails about the round; sent:\n%s", who, len(m), sent)
		}
	}
	game := c.Open()[0].Game.ID
	_, second := c.Players(c.Open()[0])
	sent = w.joins(second.Address, "cup dispute summer "+game+" he vanished")
	if m := sent.to(w.cfg.Referee, "disputed"); len(m) != 1 || !strings.Contains(m[0].words(), "he vanished") {
		t.Errorf("the referee got %v", m)
	}
	secret(sent)
	_, err = h.Cups.Change("summer", func(c *cup.Cup) ([]cup.Entry, error) {
		e, err := c.Rule(cup.Source{By: cup.ByReferee, Why: "so it is", Now: h.Now}, game, second.Name)
		return []cup.Entry{e}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	sent = w.run()
	if m := sent.to(second.Address, "was decided"); len(m) != 1 || !strings.Contains(m[0].words(), "so it is") {
		t.Errorf("the winner is told %v; sent:\n%s", m, sent)
	}
	for _, who := range people {
		if m := sent.to(who, "Summer cup is over"); len(m) != 1 || !strings.Contains(m[0].words(), "Person A") {
			t.Errorf("%s is told of the end %d times; sent:\n%s", who, len(m), sent)
		}
	}
}

// TestFeedByMail: a captain gets a feed address: the same one when asking again, and another one on request. A
// stranger gets none.
func TestFeedByMail(t *testing.T) {
	w := newWorld(t)
	w.cfg.Site = &config.Site{Dir: filepath.Join(w.dir, "www"), URL: "https://games.example"}
	w.made("wolf", "big-bad-wolf", schedule(), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}})
	w.run()
	asks := func(who, line string) string {
		t.Helper()
		w.box.put(w.mail(who, line))
		sent := w.run()
		if len(sent) != 1 || sent[0].to != who {
			t.Fatalf("%s: sent:\n%s", line, sent)
		}
		return regexp.MustCompile(`https://games\.example/feeds/[a-z2-7]{32}\.xml`).FindString(sent[0].raw)
	}
	first := asks(kirk, "feed")
	if first == "" || asks(kirk, "feed") != first {
		t.Errorf("the feed is %q, and another one when asked again", first)
	}
	second := asks(kirk, "feed new")
	if second == "" || second == first || asks(kirk, "feed") != second {
		t.Errorf("the new feed is %q, the first was %q", second, first)
	}
	if none := asks(kirk, "feed off"); none != "" {
		t.Errorf("after it ended it is %q", none)
	}
	if third := asks(kirk, "feed"); third == first || third == second || third == "" {
		t.Errorf("after it ended and was asked for again it is %q", third)
	}
}

// TestCreateWithAScenarioOfOnesOwn: where the host allows it, a game is created from a scenario attached to the mail.
// A scenario with a mistake is refused, with the line of the mistake.
func TestCreateWithAScenarioOfOnesOwn(t *testing.T) {
	w := hosting(t, config.Lobby{Create: config.CreateAnyone, Games: 5, Attached: true})
	text, err := w.library.Scenario("big-bad-wolf", "")
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.Replace(string(text), "The Big Bad Wolf", "The Small Good Sheep", 1)
	brings := func(scenario string) sentMails {
		w.box.put(w.mail(ann, "--b\nContent-Type: text/plain\n\ncreate attached deadline=3d\n--b\nContent-Type: application/toml; name=mine.toml\nContent-Disposition: attachment; filename=mine.toml\n\n"+
			scenario+"\n--b--\n", "MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="b"`))
		return w.run()
	}
	if sent := brings("name = 3\n"); len(sent) != 1 || !strings.Contains(sent[0].words(), "the scenario, line 1") {
		t.Errorf("a mistake is answered with:\n%s", sent[0].words())
	}
	asked := brings(mine).to(ann, "Please confirm")
	if len(asked) != 1 {
		t.Fatal("no question came")
	}
	w.box.put(w.command(ann, asked[0].ReplyTo[0].Addr, "confirm\n"))
	sent := w.run()
	if m := sent.to(ann, "Your game is made"); len(m) != 1 || len(w.games()) != 1 || !strings.HasPrefix(w.games()[0], "attached-") {
		t.Fatalf("the games are %v; sent:\n%s", w.games(), sent)
	}
	if m := w.run().to(ann, "The Small Good Sheep begins"); len(m)+len(sent.to(ann, "The Small Good Sheep begins")) != 1 {
		t.Errorf("the first report did not come")
	}
	w = hosting(t, config.Lobby{Create: config.CreateAnyone, Games: 5})
	if sent := brings(mine); len(sent) != 1 || !strings.Contains(sent[0].words(), "are not made here") {
		t.Errorf("where nobody may bring one: %s", sent)
	}
}
