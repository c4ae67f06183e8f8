package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/vault"
)

// newClub returns a host with a club's mailbox. Its members are Kirk, by name, and everyone at example.com.
func newClub(t *testing.T) *pair {
	t.Helper()
	w := hosting(t, config.Lobby{Practice: 2})
	members := filepath.Join(w.dir, "members.txt")
	if err := os.WriteFile(members, []byte("# of the north\n@EXAMPLE.com\n\nkirk@example.org # since May\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPair(w)
	p.cfg.Referee = "host@example.org"
	p.cfg.More[0].Club = &config.Club{
		Name: "North Sea", MembersFile: members, Joining: "Write to Ann.", GamesEach: 2, Referee: "umpire@example.net",
		Mail: &config.Mail{Footer: "North Sea, since 1998"}, Limits: p.cfg.Limits, Public: config.Public{Lobby: &config.Lobby{AnswersPerDay: 20, Create: config.CreateNobody, Practice: 5, Games: 10}},
	}
	return p
}

// writes sends a mail to a mailbox, and returns what that mailbox sends.
func (p *pair) writes(from, to, text string) sentMails {
	p.t.Helper()
	box := robot
	if strings.HasSuffix(to, "@example.net") {
		box = club
	}
	p.sides[box].box.put(p.command(from, to, text))
	if err := p.once(); err != nil {
		p.t.Fatal(err)
	}
	sent := p.sent(box)
	for address := range p.sides {
		if more := p.sent(address); len(more) > 0 {
			p.t.Errorf("a mail to %s brings mails from %s: %s", to, address, more)
		}
	}
	return sent
}

// The club's games are shown at its mailbox only, and the host's games never there. Non-members may look.
func TestClubKeepsToItself(t *testing.T) {
	p := newClub(t)
	open := schedule()
	open.Robot, open.Open, open.Observers = club, true, "public"
	p.game("cub", open)
	open.Robot = robot
	p.game("wolf", open)
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	p.sent(robot)
	if sent := p.sent(club); len(sent) == 0 || !strings.Contains(sent[0].Text, "North Sea, since 1998") || !strings.Contains(sent[0].Text, "umpire@example.net") || strings.Contains(sent[0].Text, "host@example.org") {
		t.Errorf("the club's reports: %s", sent)
	}
	const stranger = "eve@example.org"
	for address, own := range map[string]string{robot: "wolf", club: "cub"} {
		if sent := p.writes(stranger, address, "games"); len(sent) != 1 || !strings.Contains(sent[0].words(), own) {
			t.Errorf("%s does not tell of %s: %s", address, own, sent)
		}
	}
	for _, ask := range []string{"games", "hello, what is this?", "observe wolf", "observe cub", "status wolf", "join wolf", "replay wolf", "#message wolf Hood: hi", "help"} {
		for _, from := range []string{stranger, kirk} {
			for address, other := range map[string]string{robot: "cub", club: "wolf"} {
				ask := strings.ReplaceAll(strings.ReplaceAll(ask, "wolf", "X"), "cub", "wolf")
				ask = strings.ReplaceAll(ask, "X", other)
				for _, m := range p.writes(from, address, ask) {
					told := strings.ReplaceAll(m.raw, ask, "")
					if strings.Contains(told, "The game "+other) || strings.Contains(told, other+": ") || strings.Contains(told, "["+other+"]") || strings.Contains(told, map[string]string{robot: club, club: robot}[address]) {
						t.Errorf("%s asks %s for %q and is told of %s:\n%s", from, address, ask, other, m.raw)
					}
				}
			}
		}
	}
}

// A club counts its answers separately: a sender who has used up the answers of one mailbox still gets those of the
// other.
func TestAnswersOfAClubAreCountedApart(t *testing.T) {
	p := newClub(t)
	p.cfg.More[0].Club.Limits = config.Limits{AnswersPerHour: 2, SetAnswersPerHour: 200, StrangersPerDay: 240}
	ask := func(to string) (got int) {
		for range 4 {
			got += len(p.writes(kirk, to, "games"))
		}
		return got
	}
	if n := ask(club); n != 2 {
		t.Errorf("the club answers %d of 4 mails, want 2", n)
	}
	if n := ask(robot); n != 4 {
		t.Errorf("the host answers %d of 4 mails, want all", n)
	}
	p.cfg.More[0].Club.StrangersPerDay = 0
	if sent := p.writes("eve@example.org", club, "hello"); len(sent) != 0 {
		t.Errorf("a club that answers no strangers sends %s", sent)
	}
	if sent := p.writes("eve@example.org", robot, "hello"); len(sent) != 1 {
		t.Errorf("the host sends %s, want an answer", sent)
	}
}

// Non-members get no seat, and are told how to become members. Members get as many seats as the club allows.
func TestSeatsOfAClubAreForMembers(t *testing.T) {
	p := newClub(t)
	open := schedule()
	open.Robot, open.Open = club, true
	p.made("cub", "big-bad-wolf", open, vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	p.sent(club)
	const stranger = "eve@example.org"
	if sent := p.writes(stranger, club, "games"); len(sent) != 1 || !strings.Contains(sent[0].words(), "cub") {
		t.Errorf("a stranger looks: %s", sent)
	}
	for _, ask := range []string{"join cub", "practice", "cup join spring"} {
		sent := p.writes(stranger, club, ask)
		if len(sent) != 1 || !strings.Contains(sent[0].words(), "for members of North Sea") || !strings.Contains(sent[0].words(), "Write to Ann.") {
			t.Errorf("%q brings %s", ask, sent)
		}
	}
	joins := func(who, line string) sentMails {
		t.Helper()
		asked := p.writes(who, club, line).to(who, "Please confirm")
		if len(asked) != 1 {
			t.Fatalf("%s: no question to %s", line, who)
		}
		return p.writes(who, asked[0].ReplyTo[0].Addr, "confirm\n")
	}
	const member = "bo@example.com"
	if sent := joins(member, "join cub as Riskadh"); len(sent.to(member, "Welcome aboard")) != 1 {
		t.Errorf("a member joins: %s", sent)
	}
	sent := joins(member, "practice")
	if made := sent.to(member, "Your game is made"); len(made) != 1 || len(p.games()) != 2 || p.load(p.games()[1]).Settings().Mail.Robot != club || made[0].Senders()[0] != club {
		t.Fatalf("a member practises: %s", sent)
	}
	if sent := p.writes(member, club, "practice"); len(sent) != 1 || !strings.Contains(sent[0].words(), "you already play 2 games here; the limit is 2") {
		t.Errorf("a third game: %s", sent)
	}
	// A seat in the club does not count at the host, where the same address is another person.
	if sent := p.writes(member, robot, "practice").to(member, "Please confirm"); len(sent) != 1 {
		t.Errorf("at the host: %s", sent)
	}
	// While the list of members is unavailable, only requests for a seat wait.
	file := p.cfg.More[0].Club.MembersFile
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	p.sides[club].box.put(p.command("cy@example.com", club, "practice"))
	p.sides[club].box.put(p.command("di@example.com", club, "scenarios"))
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	if sent := p.sent(club); len(sent) != 1 || sent[0].to != "di@example.com" {
		t.Errorf("without its members: %s", sent)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	if err := p.once(); err != nil {
		t.Fatal(err)
	}
	if sent := p.sent(club); len(sent.to("cy@example.com", "Please confirm")) != 1 {
		t.Errorf("with its members: %s", sent)
	}
	// Someone who is no longer a member when confirming gets nothing.
	question := p.writes(kirk, club, "practice").to(kirk, "Please confirm")
	if len(question) != 1 {
		t.Fatalf("no question to a member")
	}
	if err := os.WriteFile(p.cfg.More[0].Club.MembersFile, []byte("@example.com\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if sent := p.writes(kirk, question[0].ReplyTo[0].Addr, "confirm\n"); len(p.games()) != 2 || len(sent) != 1 || !strings.Contains(sent[0].words(), "for members of North Sea") {
		t.Errorf("%d games: %s", len(p.games()), sent)
	}
}
