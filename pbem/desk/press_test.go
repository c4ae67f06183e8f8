package desk_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/pbem/archive"
	"starpost/pbem/chain"
	"starpost/pbem/cup"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/site"
	"starpost/pbem/vault/journal"
)

// One message goes to several captains. Each sees only the recipients that they may know about, and how to
// reply.
func TestMessageToSeveral(t *testing.T) {
	o := newAmbush(t)
	h := o.receive(kor, o.keyed("Kor"), "#message to Hood, dagger and Riskadh\nParley?\n#end")
	if len(h.Mails) != 2 || len(h.Steps) != 1 {
		t.Fatalf("%d mails, %d steps: %s", len(h.Mails), len(h.Steps), h.text())
	}
	wants(t, h.text(), "goes to Kirk and Chang")
	m := h.mail(t, effect.KindMessage, kirk).Message
	if text := m.Text + m.Subject + m.MessageID + strings.Join(m.References, " "); strings.Contains(text, "Dagger") || strings.Contains(text, "Chang") || strings.Contains(text, "@example.org>\n") {
		t.Errorf("Kirk is told who lies in ambush:\n%s", text)
	}
	wants(t, words(m.Text), "to you", `"#message to Riskadh"`)
	wants(t, words(h.mail(t, effect.KindMessage, chang).Message.Text), "to you and Kirk", `To answer everyone it went to: "#message to Riskadh, Hood"`)
	wants(t, words(o.receive(kor, o.keyed("Kor"), "message Hood, all: Hear me.").mail(t, effect.KindMessage, kirk).Message.Text), "to you and all captains", "| Hear me.", `"#message to Riskadh, all"`)

	for to, want := range map[string]string{
		"Hood, Nobody": `nobody called "Nobody"`, "Riskadh, Kor": "for yourself", "Hood, referee": `nobody called "referee"`, ",": "nobody called",
		strings.Repeat("Hood, ", 50): "at most 20 names; this has 50",
	} {
		h := o.receive(kor, o.keyed("Kor"), "#message to "+to+"\nParley?\n#end")
		h.nothing(t)
		if !hasCode2(h, codes.NoAddressee) || !strings.Contains(words(h.text()), want) {
			t.Errorf("to %s: %s", to, h.text())
		}
	}
	// A hidden captain does not exist, in a list as well.
	for _, to := range []string{"Riskadh, Dagger", "Riskadh and Chang"} {
		if h := o.says("#message to " + to + "\nParley?\n#end"); len(h.Mails) > 0 || !strings.Contains(h.text(), "there is nobody called") {
			t.Errorf("to %s: %d mails, %s", to, len(h.Mails), h.text())
		}
	}
	o.set(`messages = "open"`, `messages = "side"`)
	o.receive(kor, o.keyed("Kor"), "#message to Dagger, Hood\nParley?\n#end").nothing(t)
	if h := o.receive(kor, o.keyed("Kor"), "#message to Dagger, Chang\nNow!\n#end"); len(h.Mails) != 1 {
		t.Errorf("%d mails: %s", len(h.Mails), h.text())
	}
}

// A message and its replies form one thread for each participant, and for no one else.
func TestMessagesMakeThreads(t *testing.T) {
	o := newAmbush(t)
	first := o.receive(kor, o.keyed("Kor"), "#message to Hood, Dagger\nParley?\n#end")
	toKirk := first.mail(t, effect.KindMessage, kirk).Message
	second := o.receive(kirk, toKirk.ReplyTo.Addr, "#message to Riskadh\nNever!\n#end", "In-Reply-To: "+toKirk.MessageID)
	back := second.mail(t, effect.KindMessage, kor).Message
	// In Kor's own mail program the acknowledgement of the message belongs to its thread.
	if back.InReplyTo != first.answer.Message.MessageID || back.References[len(back.References)-1] != back.InReplyTo || back.Subject != "Re: [wolf] Message from Kor (Riskadh)" {
		t.Errorf("%s, in reply to %s, %v", back.Subject, back.InReplyTo, back.References)
	}
	third := o.receive(kor, o.keyed("Kor"), "#message to Hood, Dagger\nThen fight.\n#end", "References: "+strings.Join(back.References, " ")+" "+back.MessageID)
	m := third.mail(t, effect.KindMessage, kirk).Message
	if m.InReplyTo != second.answer.Message.MessageID || !slices.Contains(m.References, toKirk.MessageID) || m.Subject != "Re: "+toKirk.Subject {
		t.Errorf("%s, in reply to %s, %v", m.Subject, m.InReplyTo, m.References)
	}
	// Chang did not get Kirk's reply, and no reference reveals it.
	m = third.mail(t, effect.KindMessage, chang).Message
	if want := first.mail(t, effect.KindMessage, chang).Message.MessageID; m.InReplyTo != want || slices.Contains(m.References, second.answer.Message.MessageID) || strings.Contains(strings.Join(m.References, " "), strings.TrimPrefix(second.answer.Message.MessageID, "<ack")[:20]) {
		t.Errorf("in reply to %s, want %s; %v", m.InReplyTo, want, m.References)
	}
	// For a captain who joins a thread later, it begins there.
	secret := o.receive(chang, o.keyed("Chang"), "#message to Riskadh\nI am behind the moon.\n#end").mail(t, effect.KindMessage, kor).Message
	m = o.receive(kor, o.keyed("Kor"), "#message to Hood\nSurrender!\n#end", "In-Reply-To: "+secret.MessageID).mail(t, effect.KindMessage, kirk).Message
	if m.Subject != "[wolf] Message from Kor (Riskadh)" || strings.Contains(strings.Join(m.References, " "), effect.KindMessage) {
		t.Errorf("%s, %v", m.Subject, m.References)
	}
	// A mail that a captain did not get cannot be a thread for that captain.
	m = o.says("#message to Riskadh\nHello?\n#end", "In-Reply-To: "+secret.MessageID).mail(t, effect.KindMessage, kor).Message
	if strings.HasPrefix(m.Subject, "Re:") {
		t.Errorf("%s answers %s", m.Subject, m.InReplyTo)
	}
	all, err := o.game.Journal.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	for _, e := range all {
		if d := journal.DataOf[journal.MessageData](e); e.Kind == journal.Message && d.Answers != "" {
			answers = append(answers, string(e.Captain)+": "+d.Text)
		}
	}
	if want := []string{"Kirk: Never!", "Kor: Then fight.", "Kor: Surrender!"}; !slices.Equal(answers, want) {
		t.Errorf("%q, want %q", answers, want)
	}
}

// Messages are published when the game is over, as their writers were told, and not before.
func TestMessagesArePublishedAtTheEnd(t *testing.T) {
	o := newOffice(t)
	sent := func(captain engine.CaptainName, from, text string) handled {
		t.Helper()
		h := o.receive(from, o.keyed(captain), text)
		if len(h.Mails) != 1 {
			t.Fatalf("%d mails: %s", len(h.Mails), h.text())
		}
		return h
	}
	public := func() string {
		t.Helper()
		web := filepath.Join(t.TempDir(), "web")
		sum, err := site.Write(t.Context(), site.Options{Dirs: []string{o.game.Dir()}, Cups: cup.In(t.TempDir()), Catalogue: catalogue(), Folder: web, Now: began})
		if err = errors.Join(append(sum.Problems, err)...); err != nil {
			t.Fatal(err)
		}
		said, err := chain.Press(o.game)
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(web, "games", "wolf.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said {
			if !strings.Contains(string(page), m.Text) {
				t.Errorf("the page lacks %q", m.Text)
			}
		}
		if len(said) != strings.Count(string(page), "<blockquote>") {
			t.Errorf("the page has other messages than %v:\n%s", said, page)
		}
		return fmt.Sprint(said)
	}
	sent("Kirk", kirk, "#message to Riskadh\nUnpublished one\n#end")
	o.set(`messages = "open"`, "messages = \"open\"\npress = \"all\"")
	h := sent("Kirk", kirk, "#message to Riskadh\nPrivate one, write to kirk@example.org\n#end")
	wants(t, h.text(), "can read it")
	wants(t, words(h.Mails[0].Message.Text), "everyone can read this message")
	sent("Kor", kor, "#message to all\nOpen one\n#end")
	o.desk.Referee = operator
	sent("Kor", kor, "#message to referee\nQuestion to the referee\n#end")
	if got := public(); got != "[]" {
		t.Errorf("before the end: %s", got)
	}
	for captain, from := range map[engine.CaptainName]string{"Kirk": kirk, "Kor": kor} {
		o.receive(from, o.keyed(captain), "#vote draw")
	}
	o.resolve()
	got := public()
	wants(t, got, "Kirk (Hood) Kor (Riskadh) Private one", "Kor (Riskadh) all captains Open one")
	for _, secret := range []string{"Unpublished", "Question", kirk, kor} {
		if strings.Contains(got, secret) {
			t.Errorf("%q is published: %s", secret, got)
		}
	}
	file := filepath.Join(t.TempDir(), "wolf.zip")
	if made, err := archive.Make(t.Context(), archive.Options{Game: o.game, To: file, Catalogue: catalogue()}); err != nil || !made.Messages {
		t.Errorf("%+v, %v", made.Info, err)
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}()
	text, err := fs.ReadFile(z, "mails/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, words(string(text)), "Kirk (Hood) to Kor (Riskadh) Private one, write to (an address)")
	o.set(`press = "all"`, `press = "open"`)
	if got := public(); strings.Contains(got, "Private") || !strings.Contains(got, "Open one") {
		t.Errorf("press = open: %s", got)
	}
	o.set("press = \"open\"\n", "")
	if got := public(); got != "[]" {
		t.Errorf("without press: %s", got)
	}
}
