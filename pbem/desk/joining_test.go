package desk_test

import (
	"regexp"
	"strings"
	"testing"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
)

var tokenShape = regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`)

func TestCommandAddress(t *testing.T) {
	const fresh = "jtk@example.net"
	o := newOffice(t)
	h := o.says("#address " + fresh)
	if len(h.Steps) > 0 || len(h.Mails) != 1 || o.game.Settings().Captains[0].Address != kirk {
		t.Fatalf("%d steps, %d mails", len(h.Steps), len(h.Mails))
	}
	q := h.mail(t, effect.KindConfirm, fresh)
	token := tokenShape.FindString(q.Message.Text)
	if token == "" || q.Message.ReplyTo.Addr != auth.WithKey(robot, token) || len(q.Limits) != 2 || strings.Contains(q.Message.Text, kirk) {
		t.Errorf("%+v\n%s", q.Message, q.Message.Text)
	}
	if strings.Contains(h.text(), token) || strings.Contains(q.Message.Text, o.key("Kirk")) {
		t.Error("a token or key is told to whom it must not be")
	}
	// A repeated request on the same day gives the same mail.
	if again := o.says("#address "+fresh).mail(t, effect.KindConfirm, fresh); again.Message.MessageID != q.Message.MessageID {
		t.Error(again.Message.MessageID)
	}
	// From elsewhere, or without the word, the token has no effect.
	for _, from := range []string{khan, kirk, kor} {
		bad := o.receive(from, q.Message.ReplyTo.Addr, "confirm")
		bad.nothing(t)
		if bad.Outcome == desk.Done {
			t.Errorf("confirmed by %s", from)
		}
	}
	o.receive(fresh, q.Message.ReplyTo.Addr, "I know nothing of this.\n\n> confirm "+token).nothing(t)
	o.receive(fresh, robot, "confirm "+strings.Replace(token, token[:4], "0000", 1)).nothing(t)
	o.receive(fresh, robot, "confirm").nothing(t)

	h = o.receive(fresh, robot, "confirm "+token)
	if h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != fresh || h.answer.Message.To.Addr != fresh || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Fatalf("%s: %s, %+v", h.Outcome, h.Reason, o.game.Settings().Captains)
	}
	told := h.mail(t, effect.KindTold, kirk)
	undo := tokenShape.FindString(told.Message.Text)
	if undo == "" || undo == token || told.Message.ReplyTo.Addr != auth.WithKey(robot, undo) || !strings.Contains(words(told.Message.Text), "restore this address") {
		t.Errorf("%+v\n%s", told.Message.ReplyTo, told.Message.Text)
	}
	for _, wrong := range []string{fresh, "Send help", o.key("Kirk"), "referee"} { // none of these may appear
		if strings.Contains(told.Message.Text, wrong) {
			t.Errorf("the old address is told %q:\n%s", wrong, told.Message.Text)
		}
	}
	if m := h.mail(t, effect.KindReport, fresh); m.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", m.Message)
	}
	// It works once; orders count from the new address, and no longer from the old one.
	o.receive(fresh, robot, "confirm "+token).nothing(t)
	if h := o.receive(fresh, robot, o.order(Plain)); h.Outcome != desk.Done {
		t.Error(h.text())
	}
	if h := o.receive(kirk, o.keyed("Kirk"), o.order(Plain)); h.Outcome != desk.Ignored {
		t.Error(h.text())
	}
	for text, to := range map[string]string{"not an address": "@", "its own": robot, "the robot's with a tag": auth.WithKey(robot, "7K4Q-92FM"), "the same": "JTK@example.net"} {
		h := o.receive(fresh, o.keyed("Kirk"), "#address "+to)
		h.nothing(t)
		if !hasCode2(h, codes.BadAddress) && !hasCode2(h, codes.BadCommand) {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	// After a week it is too late.
	h = o.receive(fresh, o.keyed("Kirk"), "#address kirk@example.com")
	q = h.mail(t, effect.KindConfirm, "kirk@example.com")
	o.mail += 9 * 24 * 60
	o.receive("kirk@example.com", q.Message.ReplyTo.Addr, "confirm").nothing(t)
}

func TestCommandResignAndJoin(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = operator
	o.resolve()
	oldKey := o.key("Kirk")
	join := func() handled { t.Helper(); return o.receive("Khan <"+khan+">", robot, "#join wolf as Hood") }
	refused := func(h handled, want string) {
		t.Helper()
		h.nothing(t)
		if h.Outcome != desk.Ignored || h.answer.Kind != desk.KindStranger || !strings.Contains(h.text(), want) {
			t.Errorf("%s, %s", h.Outcome, h.text())
		}
	}
	refused(join(), `there is no game "wolf" to join`)
	o.set("open = false", "open = true")
	refused(join(), `the seat of "Hood" is not free`)

	h := o.says("#resign")
	if !o.standing().HasVacant("Kirk") || o.game.Settings().Captains[0].Address != "" || h.answer.Message.To.Addr != kirk || h.answer.Message.ReplyTo.Addr != "" {
		t.Fatalf("%+v", o.game.Settings().Captains)
	}
	if h.mail(t, effect.KindTold, kor).Message.Text == "" || !strings.Contains(h.mail(t, effect.KindTold, operator).Message.Subject, "resigned") {
		t.Error("not told")
	}
	if h := o.receive(kirk, auth.WithKey(robot, oldKey), o.order(Plain)); h.Outcome != desk.Ignored {
		t.Errorf("who left still gives orders: %s", h.Reason)
	}
	if h := o.says("#resign"); h.Outcome != desk.Ignored {
		t.Error(h.Reason)
	}

	refused(o.receive(khan, robot, "#join wolf as Riskadh"), "Free are: Hood")
	refused(o.receive(khan, robot, "#join wulf as Hood"), "Did you mean wolf? No game here")
	if h := o.receive(kor, robot, "#join wolf as Hood"); !hasCode2(h, codes.NoSeat) {
		t.Errorf("a captain joins twice: %s", h.text())
	}
	h = join()
	if h.answer != nil || len(h.Mails) != 1 || len(h.Steps) != 0 || h.Outcome != desk.Done {
		t.Fatalf("%s: %d mails, %+v", h.Reason, len(h.Mails), h.answer)
	}
	q := h.mail(t, effect.KindConfirm, khan)
	if len(q.Limits) == 0 || join().mail(t, effect.KindConfirm, khan).Message.MessageID != q.Message.MessageID {
		t.Error("strangers are asked without bounds")
	}
	o.receive("eve@example.com", q.Message.ReplyTo.Addr, "confirm").nothing(t)

	h = o.receive("Khan <"+khan+">", q.Message.ReplyTo.Addr, "\nConfirm\n\n> Please confirm")
	c := o.game.Settings().Captains[0]
	if h.Outcome != desk.Done || c.Address != khan || c.Name != "Kirk" || o.standing().HasVacant("Kirk") {
		t.Fatalf("%s: %+v", h.Reason, c)
	}
	key := o.key("Kirk")
	if key == oldKey || h.answer.Message.To.Addr != khan || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", h.answer.Message.ReplyTo)
	}
	rep := h.mail(t, effect.KindReport, khan)
	if text := rep.Message.Text; !strings.Contains(text, "key "+key) || strings.Contains(text, oldKey) || rep.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("the report has not the new key:\n%s", text)
	}
	for _, to := range []string{kor, operator} {
		if m := h.mail(t, effect.KindTold, to); strings.Contains(m.Message.Text, khan) || !strings.Contains(words(m.Message.Text), "A new captain has taken over the seat of Kirk (Hood)") {
			t.Error(m.Message.Text)
		}
	}
	if h := o.receive(khan, robot, o.order(Plain)); h.Outcome != desk.Done {
		t.Errorf("the new captain's orders: %s", h.text())
	}
	if h := o.receive(khan, robot, strings.Replace(o.order(Plain), key, oldKey, 1)); !hasCode(h, codes.WrongKey) {
		t.Errorf("the old key still fits: %s", h.text())
	}
	// The token no longer works, and a requested report has the new key.
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm").nothing(t)
	if m := o.receive(khan, robot, "#report").mail(t, effect.KindReport, khan); !strings.Contains(m.Message.Text, "key "+key) {
		t.Error("the report that was asked for has not the new key")
	}
}

// TestStrangersAreBounded checks that an unknown sender can cause only a little mail, to themselves or to others.
func TestStrangersAreBounded(t *testing.T) {
	o := newOffice(t)
	o.set("open = false", "open = true")
	ids := map[string]bool{}
	for _, text := range []string{"#join wolf as Hood", "#join wolf as Riskadh", "#confirm", "#confirm 0006-HP01-E3KS-0E8H", "#status wolf", "#message to all\nHi\n#end", "#report", "help"} {
		h := o.receive(khan, robot, text)
		h.nothing(t)
		if h.answer == nil || strings.Contains(h.text(), "Turn 1") || strings.Contains(h.text(), "Kor") {
			t.Errorf("%s: %s", text, h.text())
			continue
		}
		ids[h.answer.Message.MessageID] = true
	}
	if len(ids) != 1 {
		t.Errorf("%d answers in a day", len(ids))
	}
	o.desk.Strangers = false
	if h := o.receive(khan, robot, "#join wolf as Hood"); h.answer != nil {
		t.Error("answered although strangers are ignored")
	}
	o.says("#resign")
	if h := o.receive(khan, robot, "#join wolf as Hood", "Auto-Submitted: auto-replied"); len(h.Mails) > 0 {
		t.Error("an automatic mail joins")
	}
	if h := o.receive(khan, robot, "#join wolf as Hood"); len(h.Mails) != 1 {
		t.Error("an open game is not open")
	}
}

// TestUndoAddress checks that a captain's previous address can restore itself for a week, however often the address was
// changed since, and that keys known to others are void.
func TestUndoAddress(t *testing.T) {
	const thief, other = "thief@example.net", "hideout@example.net"
	o := newOffice(t)
	o.desk.Referee = operator
	move := func(from, to string) handled {
		t.Helper()
		q := o.receive(from, o.keyed("Kirk"), "#address "+to).mail(t, effect.KindConfirm, to)
		h := o.receive(to, q.Message.ReplyTo.Addr, "confirm")
		if h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != to {
			t.Fatalf("%s: %s", h.Outcome, h.Reason)
		}
		return h
	}
	first := move(kirk, thief)
	told := first.mail(t, effect.KindTold, kirk).Message
	if !strings.Contains(words(told.Text), "Ask the referee for more: "+operator+".") {
		t.Error(told.Text)
	}
	token := tokenShape.FindString(told.Text)
	if strings.Contains(first.text(), token) {
		t.Error("the new address gets the token that undoes the change")
	}
	move(thief, other)
	o.receive(other, o.keyed("Kirk"), "#vote draw")
	for _, from := range []string{khan, thief, other, kor} {
		if h := o.receive(from, told.ReplyTo.Addr, "undo"); h.Outcome == desk.Done || len(h.Steps) > 0 {
			t.Errorf("undone by %s", from)
		}
	}
	o.receive(kirk, told.ReplyTo.Addr, "What is this?\n\n> undo "+token).nothing(t)
	o.receive(kirk, robot, "confirm "+token).nothing(t)
	o.receive(kirk, robot, "undo "+strings.Replace(token, token[:4], "0000", 1)).nothing(t)
	o.receive(kirk, robot, "undo").nothing(t)

	stolen := o.key("Kirk")
	h := o.receive(kirk, told.ReplyTo.Addr, "Undo.\n\n> Your address has changed\n")
	if h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != kirk || h.answer.Message.To.Addr != kirk {
		t.Fatalf("%s: %s, %+v", h.Outcome, h.Reason, o.game.Settings().Captains)
	}
	if key := o.key("Kirk"); key == stolen || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") || !strings.Contains(h.mail(t, effect.KindReport, kirk).Message.Text, key) {
		t.Error("the captain has no key that is his alone")
	}
	gone := h.mail(t, effect.KindTold, other).Message
	if text := words(gone.Text); gone.ReplyTo.Addr != "" || !strings.Contains(text, "was undone") || strings.Contains(text, kirk) || strings.Contains(text, "Send help") || !strings.Contains(text, operator) {
		t.Errorf("%s\n%s", gone.ReplyTo.Addr, gone.Text)
	}
	if text := words(h.mail(t, effect.KindTold, operator).Message.Text); !strings.Contains(text, "captain Kirk") || !strings.Contains(text, other) || !strings.Contains(text, kirk) {
		t.Error(text)
	}
	if o.standing().Votes[1]["Kirk"] != "" || !strings.HasSuffix(o.journal(), "address") {
		t.Errorf("%+v: %s", o.standing().Votes, o.journal())
	}
	if h := o.receive(kirk, auth.WithKey(robot, stolen), "#final"); !hasCode2(h, codes.WrongKey) {
		t.Errorf("the key that others know still fits: %s", h.text())
	}
	// It works once, and neither for the other addresses nor after a week.
	o.receive(kirk, told.ReplyTo.Addr, "undo").nothing(t)
	late := move(kirk, thief).mail(t, effect.KindTold, kirk).Message
	o.mail += 9 * 24 * 60
	o.receive(kirk, late.ReplyTo.Addr, "undo").nothing(t)

	// A referee who plays is a captain, and keeps a hidden address.
	o.desk.Referee = kor
	if text := move(thief, kirk).mail(t, effect.KindTold, thief).Message.Text; strings.Contains(text, kor) || strings.Contains(text, "referee") {
		t.Error(text)
	}
	// Without plus addresses the token is only in the text.
	o.desk.NoPlus = true
	q := o.receive(kirk, robot, "#address "+thief+" key "+o.key("Kirk")).mail(t, effect.KindConfirm, thief)
	m := o.receive(thief, robot, "confirm "+tokenShape.FindString(q.Message.Text)).mail(t, effect.KindTold, kirk).Message
	if m.ReplyTo.Addr != "" || o.receive(kirk, robot, "undo "+tokenShape.FindString(m.Text)).Outcome != desk.Done {
		t.Errorf("%s\n%s", m.ReplyTo.Addr, m.Text)
	}
}

// A captain invites another person to a free seat of the game; neither learns an address, nor whether one is a
// captain's.
func TestCommandInvite(t *testing.T) {
	o := newOffice(t)
	refused := func(text, want string) {
		t.Helper()
		if h := o.receive(kor, o.keyed("Kor"), text); len(h.Mails)+len(h.Steps) > 0 || !strings.Contains(h.text(), want) {
			t.Errorf("%s: %d mails, %s", text, len(h.Mails), h.text())
		}
	}
	refused("#invite "+khan, "no seat of the game is free")
	o.says("#resign")
	refused("#invite "+khan, "no seat of the game is free")
	o.set("open = false", "open = true")
	refused("#invite", "want to invite")
	refused("#invite khan", "want to invite")
	refused("#invite khan@nowhere<b>", "not an address that mail can be sent to")
	refused("#invite "+kor, "your own address")
	refused("#invite "+robot, "not an address that mail can be sent to")
	refused("#invite "+khan+" as Riskadh", "is not free")
	if h := o.receive(kor, robot, "#invite "+khan); len(h.Mails) > 0 {
		t.Errorf("without a key: %s", h.text())
	}
	o.receive(kor, o.keyed("Kor"), "#name Ann")
	o.desk.Site = "https://example.org/battles"
	h := o.receive(kor, o.keyed("Kor"), "#invite wolf "+khan+" as Hood")
	q := h.mail(t, effect.KindConfirm, khan)
	if len(q.Limits) != 2 || strings.Contains(q.Message.Text, kor) {
		t.Errorf("%+v\n%s", q.Limits, q.Message.Text)
	}
	// Who invites, to what, the length of a turn, where to look, and when to answer.
	wants(t, words(q.Message.Text), "Captain Kor (Ann), who plays The Big Bad Wolf, invites you to join it as captain Kirk (Hood).",
		"rules stcs-basic, Federation against Klingon, turn 1 is due by Wed 4 Mar 2026, 12:00 UTC", "You have at most 3 days for a turn.",
		"https://example.org/battles/games/wolf.html", "You can do so until Sun 8 Mar 2026.")
	if q.Message.Subject != "[wolf] Invitation to The Big Bad Wolf" {
		t.Errorf("the subject is %q", q.Message.Subject)
	}
	o.receive("eve@example.com", q.Message.ReplyTo.Addr, "confirm").nothing(t)
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm")
	if c := o.game.Settings().Captains[0]; c.Address != khan {
		t.Errorf("%+v", c)
	}
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm").nothing(t)
}

// If a game hides who plays, an invitation names neither the captain nor their seat; it names the seat that is offered.
func TestInvitationsHideWhoInvites(t *testing.T) {
	dark, anonymous := newDark(t, "", ""), newOffice(t)
	dark.set("open = false", "open = true")
	anonymous.set("open = false", "open = true\nanonymous = true")
	for _, o := range []*office{dark, anonymous} {
		o.says("#resign")
		o.receive(kor, o.keyed("Kor"), "#name Ann")
		byCaptain := o.receive(kor, o.keyed("Kor"), "#invite "+khan+" as Hood").mail(t, effect.KindConfirm, khan).Message
		byMaker, err := command.Invitation(&o.desk.Robot, o.game, "Kirk", khan, "daemon", began)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []outgoing.Message{byCaptain, byMaker} {
			title := o.game.Settings().Title
			wants(t, words(m.Text), "A captain of "+title+", whose name the game hides, invites you to ", "captain Kirk (Hood)")
			for _, secret := range []string{"Kor", "Riskadh", "Ann", kor} {
				if strings.Contains(m.Subject+m.Text+m.ReplyTo.Addr+m.MessageID, secret) {
					t.Errorf("%s: who is invited is told %q:\n%s", title, secret, m.Text)
				}
			}
		}
	}
}

// A captain chooses a name, but not that of another captain or of a ship, and only a proper name. In an anonymous game
// it is published only at the end; a successor in the seat has no name yet.
func TestCommandName(t *testing.T) {
	o := newOffice(t)
	refused := func(text, want string) {
		t.Helper()
		if h := o.receive(kor, o.keyed("Kor"), text); len(h.Mails)+len(h.Steps) > 0 || !strings.Contains(h.text(), want) {
			t.Errorf("%q: %d mails, %d steps, %s", text, len(h.Mails), len(h.Steps), h.text())
		}
	}
	if h := o.says("#name wolf Ann O'Hara-Lee"); h.Outcome != desk.Done || o.game.Settings().Captains[0].Player != "Ann O'Hara-Lee" {
		t.Fatalf("%s: %+v", h.text(), o.game.Settings().Captains)
	}
	for _, taken := range []string{"Ann O'Hara-Lee", "ann ohara lee", "Kirk", "Hood", "RISKADH"} {
		refused("#name "+taken, "has that name")
	}
	for _, bad := range []string{"<b>Ann</b>", "a@example.org", "*Ann*", "| Ann", "Ann\u0301\u0301\u0301\u0301", "-", "http://example.org", strings.Repeat("x", 41)} {
		refused("#name "+bad, "name")
	}
	refused("#name", "do you want to be called")
	if c := o.game.Settings().Captains[1]; c.Player != "" {
		t.Errorf("%+v", c)
	}
	status := func() string { t.Helper(); return o.receive(kor, robot, "#status").text() }
	if !strings.Contains(status(), "Kirk is played by Ann O'Hara-Lee") {
		t.Error(status())
	}
	o.set("open = false", "open = false\nanonymous = true")
	if strings.Contains(status(), "Ann") {
		t.Error(status())
	}
	o.says("#resign")
	if c := o.game.Settings().Captains[0]; c.Player != "" {
		t.Errorf("who left is still told of: %+v", c)
	}
}

// A stranger who may not watch a game by mail is referred to its page, if there are pages; the answer reveals nothing
// about a game that is not public.
func TestObserveRefusedGivesThePage(t *testing.T) {
	o := newOffice(t)
	o.desk.Lobby = true
	if h := o.receive(khan, robot, "#observe wolf"); !strings.Contains(h.text(), "not carried out") || strings.Contains(h.text(), "https://") {
		t.Errorf("without pages: %s", h.text())
	}
	o.desk.Site = "https://example.org/battles/"
	secret, none := o.receive(khan, robot, "#observe wolf").text(), o.receive(khan, robot, "#observe wulf").text()
	wants(t, secret, "The pages of the games are at https://example.org/battles/")
	if strings.ReplaceAll(secret, "wolf", "wulf") != none {
		t.Errorf("a game that is not told of shows:\n%s\n%s", secret, none)
	}
	o.set("open = false", "open = true\nobservers = \"none\"")
	wants(t, o.receive(khan, robot, "observe WOLF").text(), "Follow the battle at https://example.org/battles/games/wolf.html")
}

// TestGamesAskForReliability checks that newcomers may join, and captains who missed too many turns may not, and are
// told why.
func TestGamesAskForReliability(t *testing.T) {
	o := newOffice(t).withLobby()
	o.set("open = false", "open = true")
	o.set("zone = \"UTC\"", "zone = \"UTC\"\nreliable = 90")
	o.says("#resign")
	for from, want := range map[string]string{
		"bess@example.org": "only captains with a reliability of 90% may join; your record: reliable 85%: turns answered 17, missed 3; seats given up 0",
		"new@home.example": "", khan: "",
	} {
		h := o.receive(from, robot, "#join wolf as Hood")
		if asked := len(h.Mails) == 1; asked != (want == "") || !asked && !strings.Contains(words(h.text()), want) {
			t.Errorf("%s: %d mails\n%s", from, len(h.Mails), h.text())
		}
	}
	// The record may have changed by the time the question is answered.
	q := o.receive("new@home.example", robot, "#join wolf as Hood").mail(t, effect.KindConfirm, "new@home.example")
	o.set("reliable = 90", "reliable = 91")
	if h := o.receive("new@home.example", q.Message.ReplyTo.Addr, "confirm"); h.Outcome == desk.Done || !strings.Contains(words(h.text()), "reliable 90%: turns answered 1, missed 1") {
		t.Errorf("%s: %s", h.Reason, h.text())
	}
	if list := words(o.receive(khan, robot, "games").text()); !strings.Contains(list, "for captains with a reliability of 91% or more") {
		t.Errorf("the list of games does not tell it:\n%s", list)
	}
	o.desk.Library.Book = nil
	if h := o.receive(khan, robot, "#join wolf as Hood"); len(h.Mails) > 0 || !strings.Contains(words(h.text()), "captains' records have not been read yet") {
		t.Errorf("%s", h.text())
	}
}
