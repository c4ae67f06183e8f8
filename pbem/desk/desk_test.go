package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/lobby"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const robot = "starpost@example.org"

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// catalogue makes its rule sets only once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// office is a desk with The Big Bad Wolf as game "wolf": Kirk has the Hood, Kor the Riskadh.
type office struct {
	t    *testing.T
	game *vault.Game
	desk *desk.Desk
	mail int
}

func newOffice(t *testing.T) *office {
	t.Helper()
	return newOfficeIn(t, t.TempDir())
}

func newOfficeIn(t *testing.T, root string) *office {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed, dir := uint64(1), filepath.Join(root, "wolf")
	mail := vault.DefaultMail()
	mail.Robot = robot
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail,
		Captains: []vault.Captain{
			{Name: "Kirk", Address: "kirk@example.org", Also: []string{"jim@example.net"}, Ships: []string{"Hood"}, PGP: "keys/kirk.asc"},
			{Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	if o.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}, Strangers: true}
	return o
}

func (o *office) Settings() []*vault.Settings {
	return []*vault.Settings{o.game.SharedSettings()}
}

func (o *office) Game(id string) (*vault.Game, error) {
	if id != o.game.ID() {
		return nil, fmt.Errorf("no game %s: %w", id, os.ErrNotExist)
	}
	return o.game, nil
}

func (o *office) Look(id string) (*vault.Game, error) { return o.Game(id) }

func (o *office) Known(string) *lobby.Listing { return nil }

func (o *office) Keep(string, *lobby.Listing) {}

func (o *office) key(captain engine.CaptainName) string {
	return turn.Key(o.game, o.game.Turn()+1, captain)
}

// template returns the order template of a captain, with its key.
func (o *office) template(captain engine.CaptainName) string {
	o.t.Helper()
	p, err := turn.Load(o.game)
	if err != nil {
		o.t.Fatal(err)
	}
	text, err := p.Template(captain, true)
	if err != nil {
		o.t.Fatal(err)
	}
	return text
}

// order returns a valid set for the Hood with its key.
func (o *office) order(lines ...string) string {
	return fmt.Sprintf("#orders wolf turn %d ship Hood key %s\n%s\n#end\n", o.game.Turn()+1, o.key("Kirk"), strings.Join(lines, "\n"))
}

// resolve resolves the due turn with robots.
func (o *office) resolve() {
	o.t.Helper()
	if _, err := turn.Resolve(o.game, turn.Options{Missing: vault.PolicyRobot, Now: began}); err != nil {
		o.t.Fatal(err)
	}
}

type handled struct {
	*desk.Decision
	answer *desk.Answer
	raw    string // of the answer
}

// text returns the answer's text on one line.
func (h handled) text() string {
	if h.answer == nil {
		return ""
	}
	return strings.Join(strings.Fields(h.answer.Message.Text), " ")
}

// receive decides a mail, does the steps and takes the answer.
func (o *office) receive(from, to, text string, headers ...string) handled {
	o.t.Helper()
	o.mail++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: Re: orders\r\nMessage-ID: <%d@example.org>\r\nDate: Sun, 01 Mar 2026 12:00:00 +0000\r\n", from, to, o.mail)
	for _, h := range headers {
		raw += h + "\r\n"
	}
	if !strings.Contains(strings.Join(headers, "\n"), "Content-Type") {
		raw += "Content-Type: text/plain; charset=utf-8\r\n"
	}
	raw += "\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Duration(o.mail) * time.Minute)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	return o.settle(l)
}

// settle decides a mail, does the steps and takes the answer, and then does it all again, as after
// a crash: the result must be the same.
func (o *office) settle(l identity.Incoming) handled {
	o.t.Helper()
	o.game.Disregard(l.SHA256)
	defer o.game.Disregard("")
	once := func() handled {
		c, err := o.desk.Decide(l)
		if err != nil {
			o.t.Fatal(err)
		}
		for range 2 {
			for _, s := range c.Steps {
				if err := s.Do(); err != nil {
					o.t.Fatal(err)
				}
			}
		}
		h := handled{Decision: c}
		if h.answer, err = c.Answer(l.Received); err != nil {
			o.t.Fatal(err)
		}
		if h.answer != nil {
			if err := h.answer.WriteText(); err != nil {
				o.t.Fatal(err)
			}
			data, err := outgoing.Render(h.answer.Message)
			if err != nil {
				o.t.Fatal(err)
			}
			h.raw = string(data)
		}
		for _, m := range c.Mails {
			if _, err := outgoing.Render(m.Message); err != nil {
				o.t.Fatal(err)
			}
		}
		return h
	}
	h := once()
	again := once()
	if !reflect.DeepEqual(again.Steps, h.Steps) || !reflect.DeepEqual(again.Mails, h.Mails) || again.raw != h.raw || again.Outcome != h.Outcome {
		o.t.Errorf("judged again:\n%+v\n%+v\n%s\nbefore:\n%+v\n%+v\n%s", again.Steps, again.Mails, again.raw, h.Steps, h.Mails, h.raw)
	}
	return h
}

// inForce returns the stored set of a ship for the due turn, "" for none.
func (o *office) inForce(name string) string {
	o.t.Helper()
	files, err := o.game.Orders.For(vault.At(o.game.Turn() + 1))
	if err != nil {
		o.t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == name {
			return string(f.Text)
		}
	}
	return ""
}

func hasCode(h handled, code string) bool {
	for _, d := range h.Diagnostics() {
		if d.Code == code {
			return true
		}
	}
	return false
}

func TestTemplateSentBackIsStored(t *testing.T) {
	o := newOffice(t)
	h := o.receive("James Kirk <kirk@example.org>", robot, o.template("Kirk"))
	if h.Outcome != desk.Done || len(h.Steps) != 1 {
		t.Fatalf("%s: %s\n%s", h.Outcome, h.Reason, h.text())
	}
	got := o.inForce("Hood")
	if !strings.HasPrefix(got, "#orders wolf turn 1 ship Hood\n") || strings.Contains(got, "key") {
		t.Errorf("stored:\n%s", got)
	}
	m := h.answer.Message
	if m.Subject != "[wolf] Turn 1: orders for Hood accepted" {
		t.Errorf("subject %q", m.Subject)
	}
	if m.To.Addr != "kirk@example.org" || m.InReplyTo != "1@example.org" || m.Auto != outgoing.AutoReplied {
		t.Errorf("message: %+v", m)
	}
	for _, want := range []string{"In force", "Forecast", "Wed 4 Mar 2026"} {
		if !strings.Contains(m.Text, want) && !strings.Contains(h.text(), want) {
			t.Errorf("the answer lacks %q:\n%s", want, m.Text)
		}
	}
	if os.Getenv("SHOW") != "" {
		t.Log("\n" + m.Text)
	}
	for _, want := range []string{"X-Loop: starpost", "Auto-Submitted: auto-replied", "References: <" + strings.ReplaceAll(o.key("Kirk"), "-", "") + ".reply@example.org> <1@example.org>", "List-Id: The Big Bad Wolf <wolf.example.org>"} {
		if !strings.Contains(h.raw, want) {
			t.Errorf("the answer has no header %q:\n%s", want, h.raw[:800])
		}
	}
}

func TestNoAnswerShowsAKey(t *testing.T) {
	o := newOffice(t)
	key := o.key("Kirk")
	for _, text := range []string{
		o.template("Kirk"),
		strings.Replace(o.template("Kirk"), "key", "kex", 1),
		"#orders wolf turn 1 ship Hood key " + key + " key " + key + "\nbogus\n#end",
		"#orders wolf turn 1 ship Hood\nmove key " + key + "\n#end",
		"#orders wolf turn 1 ship Hood " + key + "\nfinal\n#end",
		"#orders " + key + " wolf turn 1 ship Hood\nfinal\n#end",
		"#orders wolf turn 1 ship " + key + "\nfinal " + key + "\n#end",
		"my key is " + key,
	} {
		h := o.receive("kirk@example.org", auth.WithKey(robot, key), text)
		for _, form := range []string{key, strings.ReplaceAll(key, "-", ""), strings.ToLower(key)} {
			if strings.Contains(h.answer.Message.Text, form) || strings.Contains(h.answer.Message.HTML, form) || strings.Contains(h.answer.Message.Subject, form) {
				t.Errorf("the answer to\n%s\nshows the key:\n%s", text, h.answer.Message.Text)
			}
			if strings.Contains(h.Reason, form) {
				t.Errorf("the reason shows the key: %s", h.Reason)
			}
		}
	}
}

func TestWho(t *testing.T) {
	o := newOffice(t)
	set := func(key string) string {
		return "#orders wolf turn 1 ship Hood" + key + "\npower\n  move 8\nphase 1\n  move F\nphase 3\n  move F\n#end\n"
	}
	good := " key " + o.key("Kirk")
	for _, test := range []struct {
		name, from, to, text string
		outcome              desk.Outcome
		code                 string
		answered             string // address, "" for none
	}{
		{"key in the block", "kirk@example.org", robot, set(good), desk.Done, "", "kirk@example.org"},
		{"key in the address", "kirk@example.org", auth.WithKey(robot, o.key("Kirk")), set(""), desk.Done, "", "kirk@example.org"},
		{"another registered address", "jim@example.net", robot, set(good), desk.Done, "", "jim@example.net"},
		{"another spelling of the address", "<Kirk+games@EXAMPLE.org>", robot, set(good), desk.Done, "", "kirk@example.org"},
		{"no key", "kirk@example.org", robot, set(""), desk.Refused, codes.NoKey, "kirk@example.org"},
		{"wrong key", "kirk@example.org", robot, set(" key AAAA-BBBB"), desk.Refused, codes.WrongKey, "kirk@example.org"},
		{"another captain's key", "kirk@example.org", robot, set(" key " + o.key("Kor")), desk.Refused, codes.WrongKey, "kirk@example.org"},
		{"a right key from a stranger", "khan@example.com", robot, set(good), desk.Ignored, "", "khan@example.com"},
		{"two authors", "kirk@example.org, khan@example.com", robot, set(good), desk.Refused, codes.NotYours, "kirk@example.org"},
		{"another captain's ship", "kor@example.org", robot, strings.Replace(set(" key "+o.key("Kor")), "Riskadh", "Hood", 1), desk.Refused, orderset.CodeUnknownShip, "kor@example.org"},
		{"another captain's ship and key", "kor@example.org", robot, set(good), desk.Refused, codes.WrongKey, "kor@example.org"},
		{"unknown ship", "kirk@example.org", robot, strings.Replace(set(good), "Hood", "Hodd", 1), desk.Refused, orderset.CodeUnknownShip, "kirk@example.org"},
		{"unknown game", "kirk@example.org", robot, strings.Replace(set(good), "wolf", "wulf", 1), desk.Refused, codes.UnknownGame, "kirk@example.org"},
		{"no game", "kirk@example.org", robot, strings.Replace(set(good), "wolf ", "", 1), desk.Refused, orders.CodeHeadGame, "kirk@example.org"},
		{"later turn", "kirk@example.org", robot, strings.Replace(set(good), "turn 1", "turn 3", 1), desk.Done, orderset.CodeLaterTurn, "kirk@example.org"},
		{"far turn", "kirk@example.org", robot, strings.Replace(set(good), "turn 1", "turn 300", 1), desk.Refused, orderset.CodeFarTurn, "kirk@example.org"},
		{"our own address", robot, robot, set(good), desk.Ignored, "", ""},
		{"no sender", "", robot, set(good), desk.Ignored, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}
			h := o.receive(test.from, test.to, test.text)
			if h.Outcome != test.outcome {
				t.Errorf("outcome %s, want %s: %s\n%s", h.Outcome, test.outcome, h.Reason, h.text())
			}
			if test.code != "" && !hasCode(h, test.code) {
				t.Errorf("no %s among %v", test.code, h.Diagnostics())
			}
			to := ""
			if h.answer != nil {
				to = h.answer.Message.To.Addr
			}
			if to != test.answered {
				t.Errorf("answered %q, want %q", to, test.answered)
			}
			stored := o.inForce("Hood") != "" && test.name != "later turn"
			if want := test.outcome == desk.Done && test.code == ""; stored != want {
				t.Errorf("stored: %v, want %v", stored, want)
			}
			if test.code == codes.WrongKey || test.code == codes.NoKey {
				if strings.Contains(h.text(), "Forecast") || strings.Contains(h.text(), "move 8") || strings.Contains(h.text(), "In force") {
					t.Errorf("the answer tells of the ship:\n%s", h.answer.Message.Text)
				}
				if h.answer.Message.ReplyTo.Addr != "" {
					t.Errorf("the answer gives a key away: %s", h.answer.Message.ReplyTo.Addr)
				}
			}
		})
	}
}

func TestAutomaticMailIsNotAnswered(t *testing.T) {
	o := newOffice(t)
	for _, header := range []string{
		"Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <x.example.org>", "Return-Path: <>", "X-Loop: starpost",
		"Content-Type: multipart/report; report-type=delivery-status; boundary=x",
	} {
		if h := o.receive("kirk@example.org", robot, o.template("Kirk"), header); h.answer != nil || h.Outcome != desk.Ignored || len(h.Steps) > 0 {
			t.Errorf("%s: %s, %d steps, answer %v", header, h.Outcome, len(h.Steps), h.answer)
		}
	}
}

func TestStrangers(t *testing.T) {
	o := newOffice(t)
	a := o.receive("khan@example.com", robot, "hello")
	b := o.receive("Khan <KHAN@example.com>", robot, "hello again\n"+o.template("Kirk"))
	if a.answer == nil || b.answer == nil || a.answer.Message.MessageID != b.answer.Message.MessageID {
		t.Error("a stranger is to be answered once a day")
	}
	if strings.Contains(b.text(), "wolf") || strings.Contains(b.text(), "Hood") {
		t.Errorf("a stranger is told of the game: %s", b.text())
	}
	o.desk.Strangers = false
	if h := o.receive("khan@example.com", robot, "hello"); h.answer != nil {
		t.Error("answered although strangers are ignored")
	}
}

// A captain whose mail holds nothing for the robot gets help once an hour.
func TestHelpOnceAnHour(t *testing.T) {
	o := newOffice(t)
	a := o.receive("kirk@example.org", robot, "When do we start?")
	b := o.receive("kirk@example.org", robot, "Hello?")
	if a.Outcome != desk.Ignored || a.answer == nil || a.answer.Kind != desk.KindHelp {
		t.Fatalf("%s, %+v", a.Outcome, a.answer)
	}
	if a.answer.Message.MessageID != b.answer.Message.MessageID {
		t.Error("help is sent twice in an hour")
	}
	if !strings.Contains(a.answer.Message.Text, "#orders wolf turn 1 ship Hood\n") {
		t.Errorf("no example:\n%s", a.answer.Message.Text)
	}
	if !strings.Contains(a.text(), "All you need to do: reply to your last report") {
		t.Errorf("it is not said what to do:\n%s", a.answer.Message.Text)
	}
	o.mail += 60
	if c := o.receive("kirk@example.org", robot, "Hello?"); c.answer == nil || c.answer.Message.MessageID == a.answer.Message.MessageID {
		t.Error("an hour later there is silence")
	}
}

func TestBadSetsAreAnsweredWithPositions(t *testing.T) {
	o := newOffice(t)
	valid := "power\n  move 8\nphase 1\n  move F\nphase 3\n  move F"
	if h := o.receive("kirk@example.org", robot, o.order(valid)); h.Outcome != desk.Done {
		t.Fatal(h.text())
	}
	before := o.inForce("Hood")
	for _, test := range []struct{ name, text, want string }{
		{"unknown verb", o.order("power", "  mvoe 8"), "Line 3, column 3: error E020"},
		{"unknown target", o.order(valid, "phase 2", "  fire bank-a at Riskad"), "Riskadh"},
		{"more power than there is", o.order("power", "  move 44", "  shields 2:16"), "error E1"},
		{"shield over its limit", o.order("power", "  shields 2:99"), "error E1"},
		{"too many words", o.order("power", "  move 4", "phase 2", "  move F F F F"), "error E1"},
		{"no #end", strings.Replace(o.order(valid), "#end\n", "", 1), "no #end"},
		{"wrong turn", strings.Replace(o.order(valid), "turn 1", "turn 0", 1), "turn 1 is due"},
		{"binary", o.order(valid) + strings.Repeat("\x01\x02\x03\xff", 500), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := o.receive("kirk@example.org", robot, "Hello!\n\n"+test.text)
			if test.want == "" {
				return
			}
			if h.Outcome != desk.Refused || !strings.Contains(strings.ToLower(h.text()), strings.ToLower(test.want)) {
				t.Errorf("%s, want %q in\n%s", h.Outcome, test.want, h.answer.Message.Text)
			}
			if !strings.Contains(h.answer.Message.Subject, "not accepted, 1 error") && !strings.Contains(h.answer.Message.Subject, "errors") {
				t.Errorf("subject %q", h.answer.Message.Subject)
			}
			if !strings.Contains(h.text(), "Your earlier set stays in force") || !strings.Contains(h.text(), "received Sun 1 Mar 2026, 12:01 UTC") {
				t.Errorf("it is not said what is in force:\n%s", h.answer.Message.Text)
			}
			if o.inForce("Hood") != before {
				t.Error("the earlier set is gone")
			}
		})
	}
}

func TestLaterSetReplacesWhole(t *testing.T) {
	o := newOffice(t)
	o.receive("kirk@example.org", robot, o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F"))
	o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4", "final"))
	if got := o.inForce("Hood"); strings.Contains(got, "move") || !strings.Contains(got, "final") {
		t.Errorf("in force:\n%s", got)
	}
}

func TestCancel(t *testing.T) {
	o := newOffice(t)
	o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4"))
	mixed := o.receive("kirk@example.org", robot, o.order("cancel", "final"))
	if mixed.Outcome != desk.Refused || !hasCode(mixed, codes.CancelMixed) || o.inForce("Hood") == "" {
		t.Errorf("cancel among orders: %s\n%s", mixed.Outcome, mixed.text())
	}
	h := o.receive("kirk@example.org", robot, o.order("  Cancel ; changed my mind"))
	if h.Outcome != desk.Done || o.inForce("Hood") != "" || h.answer.Message.Subject != "[wolf] Turn 1: orders for Hood dropped" {
		t.Errorf("%s, %q, in force %q\n%s", h.Outcome, h.answer.Message.Subject, o.inForce("Hood"), h.answer.Message.Text)
	}
	if again := o.receive("kirk@example.org", robot, o.order("cancel")); again.Outcome != desk.Done {
		t.Errorf("a second cancel: %s", again.text())
	}
}

func TestLateSet(t *testing.T) {
	o := newOffice(t)
	text := o.template("Kirk")
	o.receive("kirk@example.org", robot, text)
	o.resolve()
	h := o.receive("kirk@example.org", robot, text)
	if h.Outcome != desk.Refused || !hasCode(h, orderset.CodePastTurn) || !strings.Contains(h.text(), "turn 2 is due") {
		t.Errorf("%s\n%s", h.Outcome, h.answer.Message.Text)
	}
	if !strings.Contains(h.text(), "This same set was in force when turn 1 was resolved") {
		t.Errorf("no word that it was played:\n%s", h.answer.Message.Text)
	}
	old := strings.Replace(text, "turn 1", "turn 2", 1)
	if h := o.receive("kirk@example.org", robot, old); !hasCode(h, codes.WrongKey) || !strings.Contains(h.text(), "earlier turn") {
		t.Errorf("an old key: %s", h.text())
	}
}

func TestAllIn(t *testing.T) {
	o := newOffice(t)
	o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4"))
	h := o.receive("kor@example.org", robot, o.template("Kor"))
	if !strings.Contains(h.text(), "All orders for turn 1 are in") || !strings.Contains(h.text(), "30m") {
		t.Errorf("%s", h.answer.Message.Text)
	}
}
