package desk_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/orderset"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// crewRules returns the Basic Course with two more posts on each ship: only the engineer orders the
// engines, and helm and captain are told.
func crewRules(map[string][]byte) (*engine.Rules, error) {
	lib, err := tables.Builtin()
	if err != nil {
		return nil, err
	}
	r, err := fasa.Basic(lib)
	if err != nil {
		return nil, err
	}
	lang := *r.Language
	lang.Posts = []string{"engineer", "helm"}
	r.Language = lang.Compiled()
	r.Due = func(g *engine.Game) (due []engine.Seat) {
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			due = append(due, engine.Seat{Ship: id})
			for _, post := range []string{"engineer", "helm"} {
				if s.Crew[post] != "" {
					due = append(due, engine.Seat{Ship: id, Post: post})
				}
			}
		}
		return due
	}
	r.Tell = func(_ *engine.View, seat engine.Seat, b orders.Block) []engine.Word {
		power, ok := b.Group("power", 0)
		if seat.Post != "engineer" || !ok {
			return nil
		}
		return []engine.Word{{Posts: []string{"helm"}, Title: "the engineer's totals", Lines: []string{orders.FormatStatement(power.Statements[0])}}}
	}
	r.Check = func(_ *engine.View, _ engine.ShipID, b orders.Block) (out engine.Checked) {
		if power, ok := b.Group("power", 0); ok && b.Head.Kind != "engineer" {
			st := power.Statements[0]
			out.Diagnostics = []orders.Diagnostic{{Pos: st.Pos, Code: orders.CodeOtherPost, Message: st.Verb + " is an order of the engineer, not of the " + b.Head.Kind}}
		}
		return out
	}
	r.Template = func(v *engine.View, _ engine.ShipID) (set orders.Set) {
		if v.Viewer.Post == "engineer" {
			set.Say("power", 0, "move 6")
		}
		set.Say("", 0, "final")
		return set
	}
	return r, nil
}

const (
	scott = "scott@example.org"
	sulu  = "sulu@example.org"
)

// newBridge returns an office in which Hood has Kirk as captain, Scott as engineer, and Sulu at the helm,
// who also has a second address; Riskadh has Kor, and a free seat at the helm.
func newBridge(t *testing.T) *office {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	cat := vault.Catalogue{"stcs-basic": crewRules}
	seed, dir := uint64(1), filepath.Join(t.TempDir(), "wolf")
	mail := vault.DefaultMail()
	mail.Robot, mail.Open, mail.Start, mail.Messages = robot, true, vault.StartNow, vault.TalkNone
	if _, err = turn.Create(dir, cat, turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail,
		Captains: []vault.Captain{
			{Posts: []string{"riskadh.helm"}},
			{Name: "Scott", Address: scott, Posts: []string{"Hood.engineer"}},
			{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}},
			{Name: "Sulu", Address: sulu, Also: []string{"sulu@example.net"}, Posts: []string{"Hood.helm"}},
			{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	if o.game, err = vault.Open(directory.At(dir), cat); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}, Strangers: true}
	return o
}

// TestPostsByMail checks that each post is ordered from its own address with its own key, and that a set,
// an order or a key of another post is refused with words that say which post it belongs to; nothing else
// of the set in force is lost.
func TestPostsByMail(t *testing.T) {
	o := newBridge(t)
	set := func(head string, key engine.CaptainName, lines string) string {
		return "#orders wolf turn 1 " + head + " key " + o.key(key) + "\n" + lines + "\n#end\n"
	}
	totals := "power\n  move 8"
	for _, test := range []struct {
		name, from, text string
		outcome          desk.Outcome
		code, says       string
		stored           string
	}{
		{"his own", scott, set("engineer Hood", "Scott", totals), desk.Done, "", "Your orders for Hood.engineer, turn 1, are accepted", "Hood.engineer"},
		{"another's post", sulu, set("engineer Hood", "Sulu", totals), desk.Refused, orderset.CodeOtherPost, "the orders of the engineer of Hood are given by Scott, not by you", ""},
		{"the captain for a post", kirk, set("engineer Hood", "Kirk", totals), desk.Refused, orderset.CodeOtherPost, "your orders are those that begin with ship Hood", ""},
		{"a post for the captain", scott, set("ship Hood", "Scott", "final"), desk.Refused, orderset.CodeOtherPost, "the orders of the captain of Hood are given by Kirk", ""},
		{"another's order", sulu, set("helm Hood", "Sulu", "final\n"+totals), desk.Refused, orders.CodeOtherPost, "move is an order of the engineer, not of the helm", ""},
		{"the key of another post", sulu, set("helm Hood", "Scott", "final"), desk.Refused, codes.WrongKey, "", ""},
		{"a post that there is not", kirk, set("bridge Hood", "Kirk", "final"), desk.Refused, orders.CodeHeadKind, "expected ship, captain, engineer, helm", ""},
		{"a post on another ship", scott, set("engineer Riskadh", "Scott", totals), desk.Refused, orderset.CodeUnknownShip, "you have no ship \"Riskadh\"", ""},
		{"a vacant post", kor, set("engineer Riskadh", "Kor", totals), desk.Done, "", "", "Riskadh.engineer"},
	} {
		h := o.receive(test.from, robot, test.text)
		if h.Outcome != test.outcome || test.code != "" && !hasCode(h, test.code) || !strings.Contains(h.text()+h.answer.Message.Subject, test.says) {
			t.Errorf("%s: %s %v, want %s %s %q:\n%s", test.name, h.Outcome, h.Diagnostics(), test.outcome, test.code, test.says, h.text())
		}
		if test.stored != "" && o.inForce(test.stored) == "" {
			t.Errorf("%s: no set is in force", test.name)
		}
		if o.inForce("Hood.engineer") == "" {
			t.Errorf("%s: the engineer's set is lost", test.name)
		}
	}
}

// TestTwoPeopleOnOnePost checks that the last good set counts, and that both are told.
func TestTwoPeopleOnOnePost(t *testing.T) {
	o := newBridge(t)
	text := "#orders wolf turn 1 helm Hood key " + o.key("Sulu") + "\n"
	o.receive(sulu, robot, text+"wait\n#end\n")
	h := o.receive("sulu@example.net", robot, text+"final\n#end\n")
	if !strings.Contains(o.inForce("Hood.helm"), "final") || h.answer.Message.To.Addr != "sulu@example.net" {
		t.Errorf("in force is %q, told is %s", o.inForce("Hood.helm"), h.answer.Message.To.Addr)
	}
	told := h.mail(t, effect.KindTold, sulu)
	if !strings.Contains(words(told.Message.Text), "came from another address of this seat") || len(h.Mails) != 1 {
		t.Errorf("%d mails: %s", len(h.Mails), told.Message.Text)
	}
	if o.receive(sulu, robot, text+"bogus\n#end\n"); !strings.Contains(o.inForce("Hood.helm"), "final") {
		t.Error("a set with a mistake took the place of a good one")
	}
}

// TestPostTemplateThatComesBack checks that the orders from an officer's report do not count when a
// machine sends them back.
func TestPostTemplateThatComesBack(t *testing.T) {
	o := newBridge(t)
	for captain, name := range map[engine.CaptainName]string{"Kirk": "Hood", "Scott": "Hood.engineer", "Sulu": "Hood.helm"} {
		from := map[engine.CaptainName]string{"Kirk": kirk, "Scott": scott, "Sulu": sulu}[captain]
		if h := o.receive(from, robot, o.template(captain), "List-Id: <club.example.org>"); h.Outcome != desk.Ignored || len(h.Steps) > 0 || o.inForce(name) != "" {
			t.Errorf("%s: %s (%s), in force is %q", captain, h.Outcome, h.Reason, o.inForce(name))
		}
	}
}

// TestTotalsAreMailedAtOnce checks that what the rules tell others aboard about a set goes to them when
// it is stored, and to no one else: once, unless it changes or is withdrawn.
func TestTotalsAreMailedAtOnce(t *testing.T) {
	o := newBridge(t)
	text := "#orders wolf turn 1 engineer Hood key " + o.key("Scott") + "\npower\n  move 8\n#end\n"
	h := o.receive(scott, robot, text)
	m := h.mail(t, effect.KindTold, sulu).Message
	if len(h.Mails) != 1 || m.Subject != "[wolf] Hood, turn 1: the engineer's totals" || !strings.Contains(m.Text, "move 8") || strings.Contains(m.Text+m.ReplyTo.Addr, o.key("Scott")) {
		t.Errorf("%d mails, %q:\n%s", len(h.Mails), m.Subject, m.Text)
	}
	later := strings.Replace(text, "turn 1", "turn 3", 1)
	other := strings.Replace(text, "move 8", "move 5", 1)
	cancel := strings.Replace(text, "power\n  move 8", "cancel", 1)
	word := "message Kirk\n#text\nOn my way.\n#endtext"
	withdrawn := "the engineer's totals withdrawn"
	for _, test := range []struct{ what, text, subject, says string }{
		{"checked", "#check\n" + text, "", ""},
		{"refused", strings.Replace(text, "move 8", "move none", 1), "", ""},
		{"for a later turn", later, "", ""},
		{"one for a later turn cancelled", strings.Replace(cancel, "turn 1", "turn 3", 1), "", ""},
		{"the same once more", strings.Replace(text, "#end", "final\n#end", 1), "", ""},
		{"other totals", other, "the engineer's totals", "have changed. Instead of what you were told, now: move 5"},
		{"a set without totals", strings.Replace(text, "power\n  move 8", word, 1), withdrawn, "they no longer say so"},
		{"none to none", strings.Replace(text, "power\n  move 8", word+"\nwait", 1), "", ""},
		{"given again", text, "the engineer's totals", "as they stand now: move 8"},
		{"a cancelled set", cancel, withdrawn, "they were cancelled"},
		{"cancelled twice", cancel, "", ""},
		{"given once more", text, "the engineer's totals", "as they stand now: move 8"},
		{"cancelled by a command", "#cancel turn 1 key " + o.key("Scott"), withdrawn, "they were cancelled"},
	} {
		h := o.receive(scott, robot, test.text)
		if test.subject == "" {
			if len(h.Mails) > 0 {
				t.Errorf("%s: %s is told: %s", test.what, h.Mails[0].Message.To.Addr, h.Mails[0].Message.Text)
			}
			continue
		}
		if m := h.mail(t, effect.KindTold, sulu).Message; len(h.Mails) != 1 || m.Subject != "[wolf] Hood, turn 1: "+test.subject || !strings.Contains(words(m.Text), test.says) {
			t.Errorf("%s: %d mails, %q:\n%s", test.what, len(h.Mails), m.Subject, m.Text)
		}
	}
}

// TestTalkAboard checks that officers may write to each other at once, even if captains may not, and that
// no one else gets the messages.
func TestTalkAboard(t *testing.T) {
	o := newBridge(t)
	for _, test := range []struct {
		from    string
		captain engine.CaptainName
		to      string
		want    []string
	}{
		{sulu, "Sulu", "engineer", []string{scott}},
		{scott, "Scott", "captain", []string{kirk}},
		{kirk, "Kirk", "crew", []string{scott, sulu}},
		{kor, "Kor", "helm", nil},
		{sulu, "Sulu", "Riskadh", nil},
	} {
		h := o.receive(test.from, robot, "#message to "+test.to+" key "+o.key(test.captain)+"\nAll power to the bow.\n#end\n")
		var got []string
		for _, m := range h.Mails {
			got = append(got, m.Message.To.Addr)
			if !strings.Contains(m.Message.Text, "All power to the bow.") {
				t.Error(m.Message.Text)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s to %s: reached %q, want %q: %s", test.captain, test.to, got, test.want, h.text())
		}
	}
}

// TestJoinAPost checks that a post with its own seat can be joined by its name; one without is the
// captain's.
func TestJoinAPost(t *testing.T) {
	o := newBridge(t)
	h := o.receive("mara@example.org", robot, "join wolf as Riskadh engineer")
	if !strings.Contains(h.text(), "Riskadh.engineer is not a separate seat in this game") || !strings.Contains(h.text(), "Free are: Riskadh.helm") {
		t.Error(h.text())
	}
	h = o.receive("mara@example.org", robot, "join wolf as Riskadh bridge")
	if !strings.Contains(h.text(), `ships of this game have no post "bridge"; their posts are engineer and helm`) || !strings.Contains(h.text(), "Free are: Riskadh.helm") {
		t.Error(h.text())
	}
	h = o.receive("mara@example.org", robot, "join wolf as Hood helm")
	if !strings.Contains(h.text(), `the seat of "Hood helm" is not free`) {
		t.Error(h.text())
	}
	if h = o.receive(sulu, robot, "#vote draw key "+o.key("Sulu")); h.Outcome == desk.Done || !strings.Contains(h.text(), "an officer has no vote") || len(h.Mails) > 0 {
		t.Errorf("%s: %s", h.Outcome, h.text())
	}
	q := o.receive("mara@example.org", robot, "join wolf as Riskadh helm").mail(t, effect.KindConfirm, "mara@example.org")
	if !strings.Contains(words(q.Message.Text), "asked from this address to join The Big Bad Wolf as helm of Riskadh.") {
		t.Error(q.Message.Text)
	}
	h = o.receive("mara@example.org", q.Message.ReplyTo.Addr, "confirm")
	if !strings.Contains(words(h.text()), "You are now helm of Riskadh.") {
		t.Error(h.text())
	}
	if c, _ := o.game.Settings().CaptainOf("Riskadh.helm"); c.Address != "mara@example.org" || c.Name != "helm of Riskadh" {
		t.Fatalf("%+v: %s", c, h.text())
	}
	if m := h.mail(t, effect.KindReport, "mara@example.org").Message; !strings.Contains(m.Text, "#orders wolf turn 1 helm Riskadh") {
		t.Errorf("the report offers no orders of the helm:\n%s", m.Text)
	}
	if h = o.receive(scott, robot, "#resign key "+o.key("Scott")); !strings.Contains(words(h.text()), "You gave up your seat as Scott, engineer of Hood.") {
		t.Error(h.text())
	}
	if m := h.mail(t, effect.KindTold, kirk).Message; !strings.Contains(words(m.Text), "Scott (Hood.engineer) gave up the post.") {
		t.Error(m.Text)
	}
	if h := o.receive("mara@example.org", robot, "status"); !strings.Contains(h.text(), "Riskadh.helm (helm of Riskadh): orders are missing") {
		t.Error(h.text())
	}
}

// TestPostsLeakNothing plays two games; in one the engineer gives other orders, writes to the captain,
// and makes mistakes. Whatever the helm is sent, requests or does wrong, the bytes are the same in both:
// answers, reports, templates, lists of events, errors and log messages.
func TestPostsLeakNothing(t *testing.T) {
	hash := regexp.MustCompile(`[0-9a-f]{8,}`)
	game := func(secret string) (got []string) {
		o := newBridge(t)
		o.game.Rules().Mates = &engine.Mates{
			Station: func(s *engine.Ship, _ []string) any { return s.System },
			Aboard: func(_ *engine.Game, e *engine.Event, _ engine.ShipID, posts []string) ([]string, bool) {
				_, absent := e.Body.(*engine.Absent)
				return nil, absent || slices.Contains(posts, "engineer")
			},
		}
		keep := func(what string, h handled) {
			got = append(got, what+": "+h.Reason+"\n"+h.raw)
			for _, m := range h.Mails {
				if m.Message.To.Addr == sulu {
					raw, err := outgoing.Render(m.Message)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, what+", told: "+string(raw))
				}
			}
		}
		engineer := func(turnNo string) {
			head := "#orders wolf turn " + turnNo + " engineer Hood key " + o.key("Scott") + "\n"
			h := o.receive(scott, robot, head+"power\n  move 8\n  "+secret+"#end\n")
			h.raw, h.Decision.Reason = "", ""
			keep("the engineer's set", h)
			h = o.receive(scott, robot, head+"bogus "+secret+"#end\n")
			h.raw, h.Decision.Reason = "", ""
			keep("the engineer's mistake", h)
		}
		engineer("1")
		for _, text := range []string{
			"status", "help", "report", "#check\n#orders wolf turn 1 helm Hood key " + o.key("Sulu") + "\npower\n  move 3\nfinal\n#end\n",
			"#orders wolf turn 1 engineer Hood key " + o.key("Sulu") + "\npower\n  move 3\n#end\n",
			"#orders wolf turn 1 helm Hood key " + o.key("Sulu") + "\nwait\n#end\n",
			"#cancel turn 1 ship Hood.engineer key " + o.key("Sulu"), "#final turn 1 key " + o.key("Sulu"),
			"#message to engineer key " + o.key("Sulu") + "\nHow much is there?\n#end\n",
		} {
			keep(text, o.receive(sulu, robot, text))
		}
		out, err := turn.Resolve(o.game, turn.Options{Missing: vault.PolicyStanding, Now: began, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		d, err := turn.Draw(o.game, vault.Stage{Turn: out.Turn})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range out.Mails {
			if m.Captain == "Sulu" {
				raw, _, err := d.Mail(m.Name)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, "report: "+string(raw))
			}
		}
		engineer("2")
		for _, text := range []string{"status", "report 1", "#protest key " + o.key("Sulu") + " 1", "#protest key " + o.key("Sulu") + " 1.2 it was otherwise", "#orders wolf turn 2 helm Hood key " + o.key("Sulu") + "\nbogus\n#end\n"} {
			keep(text, o.receive(sulu, robot, text))
		}
		return got
	}
	one, two := game("shields 1:6\nmessage captain\n#text\nShe cannot take more.\n#endtext\n"), game("shields 3:2\n")
	if len(one) != len(two) {
		t.Fatalf("%d mails and answers against %d", len(one), len(two))
	}
	key := newBridge(t).key("Scott")
	for i := range one {
		if a, b := hash.ReplaceAllString(one[i], "(hash)"), hash.ReplaceAllString(two[i], "(hash)"); a != b {
			t.Errorf("the helm learns of the engineer's orders:\n%s\nagainst\n%s", a, b)
		}
		for _, word := range []string{"cannot take more", "1:6", key} {
			if strings.Contains(one[i], word) {
				t.Errorf("the helm is shown %q:\n%s", word, one[i])
			}
		}
	}
}
