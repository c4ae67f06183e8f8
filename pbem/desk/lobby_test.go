package desk_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/rating"
	"starpost/pbem/vault"
)

const stranger = "sam@example.org"

// withLobby lets strangers ask for the texts of the FASA rule sets.
func (o *office) withLobby() *office {
	o.t.Helper()
	o.desk.Lobby = true
	o.desk.Library = &lobby.Library{Families: []family.Family{fasa.Family()}, Texts: os.DirFS("../../docs"), Book: func() *rating.Book {
		return rating.Make([]rating.Game{{
			ID: "wolf", Title: "Wolf", Set: "stcs-basic", Ended: time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC), Odds: 0.5,
			Sides: [2]rating.Side{{Name: "Federation", Players: []rating.Player{{Address: "bess@example.org", Name: "Bess"}}}, {Name: "Klingon", Players: []rating.Player{{Address: "ann@example.org", Name: "Ann"}}}},
		}}, []rating.Service{
			{Address: "bess@example.org", Conduct: rating.Conduct{Answered: 17, Missed: 3}}, {Address: "new@home.example", Conduct: rating.Conduct{Answered: 1, Missed: 1}},
		}, time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC))
	}}
	return o
}

// TestTextsByMail asks for texts as captain and as stranger: both get the same.
func TestTextsByMail(t *testing.T) {
	o := newOffice(t).withLobby()
	o.desk.Strangers = true
	for ask, want := range map[string][]string{
		"rules":                         {"By stcs-basic, the rules of", "A turn: ", "Other rule sets:", "- book-one: ", "rules and its name"},
		"rules stcs-basic":              {"A turn: ", "fire", "rules stcs-basic 1", "- 3: Power and movement", "Scenarios made for these rules: big-bad-wolf, convoy", "To play: join big-bad-wolf", "practice big-bad-wolf", "rules stcs-basic sources"},
		"rules stcs-basic sources":      {"- STCS rules, Basic Course", "The rules themselves: rules stcs-basic"},
		"rules stcs-basic 3":            {"3.1", "The other sections: rules stcs-basic"},
		"ships":                         {"Navies", "- klingon: "},
		"ships klingon":                 {"What each line means: class, power", "- d-7m, 44, "},
		"ships constitution-hood":       {"class constitution-hood"},
		"scenarios":                     {"- big-bad-wolf: The Big Bad Wolf, 2 ships", "To play it: join big-bad-wolf"},
		"scenarios convoy":              {"The Convoy Goes Through (convoy)", "- Thuban, class ", "To play it: join convoy, or right away against robots: practice convoy", "Its rules: rules stcs-basic", "A ship of it: ships "},
		"handbook":                      {"- 1: Your first evening", "handbook 1"},
		"handbook 1":                    {"all you need tonight", "pursue Riskadh to 8", "Shield 2 is ahead"},
		"handbook 3":                    {"Press reply"},
		"handbook 19":                   {"Several officers on one ship", "- 19.1: ", "handbook 19.1"},
		"handbook 19.2":                 {"Handbook: ", "The other chapters: handbook"},
		"handbook 19.99":                {"E552", "handbook 19.1 to 19."},
		"handbook the engineer":         {"Handbook: The engineer"},
		"handbook reading the report":   {"Handbook: Reading the report"},
		"help pursue":                   {"pursue SHIP"},
		"#help pursue stcs-advanced":    {"pursue, in stcs-advanced"},
		"help range":                    {"when range"},
		"help conn":                     {"conn steer for SHIP [to RANGE]", "for captains without a map"},
		"help SHIP":                     {"SHIP stands for"},
		"help D16":                      {"What D16 means", "What a movement point can do", "The section it is in: rules stcs-basic"},
		"help [stcs 4.7]":               {"What stcs 4.7 means", "- 4-6; engine; 4.10"},
		"help scenario":                 {"This comes from"},
		"help orders":                   {"Orders:"},
		"help e103":                     {"E103: more power wanted than there is", "What to do: "},
		"help E550":                     {"E550: words to another captain"},
		"help W999":                     {"E552", "there is no order"},
		"rules stcs-basik":              {"E552", "did you mean", "rules stcs-basic"},
		"ships enterprize":              {"E552", "there is no navy or class"},
		"handbook 99":                   {"E552", "a number from 1 to"},
		"scenarios big-bad-wulf":        {"E552", "scenarios big-bad-wolf"},
		"record":                        {"Ratings", "1. Bess: 1662, deviation 290; won 1, drawn 0, lost 0", "record and the name"},
		"record ann":                    {"The record of ann", "2026-05-04 Wolf: lost as Klingon against Bess (stcs-basic)"},
		"record bes":                    {"E552", "record Bess", "no captain called"},
		"games":                         {"Games"},
		"help":                          {"handbook [CHAPTER]: "},
		"#rules stcs-basic 3 4 5 6 7 8": {"E531", "is not understood"},
	} {
		for _, from := range []string{kirk, stranger} {
			h := o.receive(from, robot, ask)
			if h.answer == nil {
				t.Errorf("%s from %s: no answer, %s", ask, from, h.Reason)
				continue
			}
			text := words(h.answer.Message.Subject + "\n" + h.text())
			for _, w := range want {
				if !strings.Contains(text, words(w)) {
					t.Errorf("%s from %s: %q is missing in\n%s", ask, from, w, h.text())
				}
			}
			if kind := h.answer.Kind; from == stranger && kind != desk.KindText {
				t.Errorf("%s: the answer is of kind %s", ask, kind)
			}
			if len(h.Steps) > 0 || len(h.answer.Message.Text) > 32<<10 {
				t.Errorf("%s: %d steps, %d bytes", ask, len(h.Steps), len(h.answer.Message.Text))
			}
			if from == stranger && strings.Contains(text, "Kirk") {
				t.Errorf("%s tells a stranger of a captain:\n%s", ask, text)
			}
		}
	}
}

// firstLine returns the first paragraph of an answer on one line.
func firstLine(h handled) string {
	line, _, _ := strings.Cut(strings.TrimSpace(h.answer.Message.Text), "\n\n")
	return one(line)
}

// TestTextsAreOfTheRulesThatAreMeant asks without the name of a rule set: the answer is about the
// sender's own game, or else about a game that they can join here, and its first line says so.
func TestTextsAreOfTheRulesThatAreMeant(t *testing.T) {
	o := officeOf(t, "stern-chase", vault.DefaultMail(), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Kiev"}},
		vault.Captain{Name: "Kor", Address: "kor@example.org", Ships: []string{"Stingtongue", "Biter"}})
	set := o.game.Settings().Rules
	for _, c := range []struct{ from, ask, first string }{
		{kirk, "help pursue", "By " + set + ", the rules of your game wolf:"},
		{kirk, "help orders", "By " + set + ", the rules of your game wolf:"},
		{kirk, "rules", "By " + set + ", the rules of your game wolf:"},
		{kirk, "#help pursue stcs-basic", "By stcs-basic:"},
		{stranger, "help pursue", "By stcs-basic, the rules of the scenario big-bad-wolf, which the handbook starts with:"},
	} {
		if h := o.receive(c.from, robot, c.ask); firstLine(h) != c.first {
			t.Errorf("%s from %s begins with %q, want %q", c.ask, c.from, firstLine(h), c.first)
		}
	}
	requests, err := lobby.OpenRequests(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.desk.Hosting = &lobby.Hosting{Offers: []lobby.Wish{{Scenario: "convoy", Rules: "stcs-graduate"}}, Requests: requests}
	want := "By stcs-graduate, the rules of the scenario convoy, which is offered here:"
	for _, ask := range []string{"help pursue", "rules"} {
		if h := o.receive(stranger, robot, ask); firstLine(h) != want {
			t.Errorf("%s begins with %q, want %q", ask, firstLine(h), want)
		}
	}
	o.says("#resign")
	want = "By " + set + ", the rules of the game wolf, which has free seats:"
	for _, ask := range []string{"help pursue", "rules"} {
		if h := o.receive(stranger, robot, ask); firstLine(h) != want {
			t.Errorf("%s begins with %q, want %q", ask, firstLine(h), want)
		}
	}
	// A word that these rules lack is looked up in others, and the answer says so.
	if line := firstLine(o.receive(stranger, robot, "help relieve")); line != set+", the rules of the game wolf, which has free seats, has no \"relieve\". By stcs-command:" {
		t.Error(line)
	}
}

// TestAnswersBeginWithWhatMatters checks that help begins with what a novice needs, in the words of the
// novice's own rules, that a stranger is welcomed, that no text repeats the subject, and that the
// program's remarks about itself come last.
func TestAnswersBeginWithWhatMatters(t *testing.T) {
	o := officeOf(t, "first-command", vault.DefaultMail(), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Valiant"}}, vault.Captain{Name: "Kor", Ships: []string{"Bane"}})
	paragraphs := func(from, ask string) []string {
		return strings.Split(o.receive(from, robot, ask).answer.Message.Text, "\n\n")
	}
	for from, first := range map[string][]string{
		kirk:     {"To play: reply to your last report", "To see what is due", "help fire. All orders", "help E020, help scs 1.1", "message SHIP: your words"},
		stranger: {"To watch a battle", "To play against people", "scenarios", "handbook 1", "help fire. All orders"},
	} {
		lines := paragraphs(from, "help")
		for i, want := range first {
			if !strings.Contains(one(lines[i]), want) {
				t.Errorf("line %d of help is %q, want %q", i+1, lines[i], want)
			}
		}
	}
	lines := paragraphs(stranger, "Hello, what is this?")
	if !strings.HasPrefix(lines[0], "Welcome. Seats are free in 1 game.") || !strings.Contains(lines[len(lines)-1], "This address belongs to a program") {
		t.Errorf("a stranger is told\n%s", strings.Join(lines, "\n\n"))
	}
	for _, ask := range []string{"handbook 1", "help fire", "rules book-one 3", "scenarios convoy", "ships klingon"} {
		if m := o.receive(kirk, robot, ask).answer.Message; strings.Contains(one(m.Text), m.Subject) {
			t.Errorf("%s: the text repeats %q", ask, m.Subject)
		}
	}
	set := strings.Replace(o.order("power", "  move 4"), "ship Hood", "ship Valiant", 1)
	if line, _, _ := strings.Cut(o.receive(kirk, robot, set).answer.Message.Text, "\n"); !strings.HasPrefix(line, "Your orders for Valiant, turn 1, are accepted") {
		t.Errorf("an answer begins with %q", line)
	}
}

// TestStrangersFindAGame plays a stranger who asks in plain words, and takes the seat in the answer.
func TestStrangersFindAGame(t *testing.T) {
	o := newOffice(t).withLobby()
	o.desk.Strangers = true
	const plain = "Hello, is there a game I can join?"
	if h := o.receive(stranger, robot, plain); h.answer == nil || !strings.Contains(words(h.text()), "No game has a free seat now") {
		t.Fatalf("%s: %s", h.Reason, h.text())
	}
	o.says("#resign")
	o.set("open = false", "open = true")
	h := o.receive(stranger, robot, plain)
	if h.answer == nil || strings.Contains(h.text(), kirk) {
		t.Fatalf("%s: %s", h.Reason, h.text())
	}
	_, line, ok := strings.Cut(words(h.text()), "first line:")
	if !ok {
		t.Fatalf("no way on:\n%s", h.text())
	}
	join := strings.Join(strings.Fields(line)[:4], " ")
	o.receive(stranger, robot, join).mail(t, effect.KindConfirm, stranger)

	// Without a lobby, strangers get only the usual answer.
	o.desk.Lobby = false
	if h := o.receive("zoe@example.org", robot, "rules"); h.answer == nil || h.answer.Kind != desk.KindStranger || strings.Contains(h.text(), "stcs-basic") {
		t.Errorf("%s: %s", h.Reason, h.text())
	}
}

// TestSentencesAskForNoText checks that prose at the start of a mail is not a request.
func TestSentencesAskForNoText(t *testing.T) {
	o := newOffice(t).withLobby()
	for _, line := range []string{"rules are rules, I know", "ships seem to be slow today", "games people play"} {
		if h := o.receive(kirk, robot, line); h.answer == nil || h.answer.Kind != desk.KindHelp {
			t.Errorf("%s: %s\n%s", line, h.Reason, h.text())
		}
	}
}
