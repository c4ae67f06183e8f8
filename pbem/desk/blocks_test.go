package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/orderset"
	"starpost/pbem/vault"
)

// quotations are the ways in which mail programs introduce the answered mail without marking its
// lines.
var quotations = map[string]string{
	"english":          "On Sun, Mar 1, 2026 at 12:00 PM Starpost <starpost@example.org> wrote:\n",
	"english, wrapped": "On Sun, Mar 1, 2026 at 12:00 PM Starpost The Big Bad Wolf\n<starpost@example.org> wrote:\n",
	"german":           "Am 01.03.2026 um 12:00 schrieb Starpost:\n",
	"french":           "Le dim. 1 mars 2026 à 12:00, Starpost <starpost@example.org> a écrit :\n",
	"japanese":         "2026年3月1日(日) 12:00 Starpost <starpost@example.org>:\n",
	"outlook":          "________________________________\nFrom: Starpost <starpost@example.org>\nSent: Sunday, March 1, 2026 12:00\nTo: Kirk\nSubject: Turn 1\n",
	"outlook, german":  "Von: Starpost <starpost@example.org>\nGesendet: Sonntag, 1. März 2026 12:00\nAn: Kirk\nBetreff: Turn 1\n",
	"original":         "-----Original Message-----\nFrom: Starpost\n",
	"original, german": "-----Ursprüngliche Nachricht-----\nVon: Starpost\n",
}

func TestQuotedTemplateIsNotTheAnswer(t *testing.T) {
	for name, quote := range quotations {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t) // a quoted set that was in force is recognised
			changed := o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F")
			below := "\nHere we go.\n\n" + quote + "\nThe Big Bad Wolf\n\n" + o.template("Kirk")

			h := o.receive("kirk@example.org", robot, changed+below)
			if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 8") {
				t.Errorf("an answer above: %s\n%s", h.Outcome, h.text())
			}
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}

			h = o.receive("kirk@example.org", robot, below)
			if h.Outcome != desk.Refused || !hasCode(h, codes.OnlyQuoted) || o.inForce("Hood") != "" {
				t.Errorf("nothing but the quotation: %s\n%s", h.Outcome, h.text())
			}

			h = o.receive("kirk@example.org", robot, o.template("Kirk")+below)
			if h.Outcome != desk.Done || o.inForce("Hood") == "" {
				t.Errorf("the template on purpose: %s\n%s", h.Outcome, h.text())
			}
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}

			inside := strings.Replace(below, "#end", "final\n#end", 1)
			h = o.receive("kirk@example.org", robot, inside)
			if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "final") {
				t.Errorf("changed inside the quotation: %s\n%s", h.Outcome, h.text())
			}
			if h = o.receive("kirk@example.org", robot, inside); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "final") {
				t.Errorf("the same once more: %s\n%s", h.Outcome, h.text())
			}
			h = o.receive("kirk@example.org", robot, changed+strings.Replace(inside, "\n", "\nThis counts: ", 1))
			if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 8") {
				t.Errorf("new orders above the ones in force: %s\n%s", h.Outcome, h.text())
			}
			h = o.receive("kirk@example.org", robot, inside)
			if h.Outcome != desk.Refused || !hasCode(h, codes.OnlyQuoted) || !strings.Contains(o.inForce("Hood"), "move 8") {
				t.Errorf("a quotation of orders that were replaced: %s\n%s", h.Outcome, h.text())
			}
		})
	}
}

func TestTemplateWithoutQuotation(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4")+"\n\n"+o.template("Kirk"))
	if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:4") {
		t.Errorf("%s\n%s", h.Outcome, h.text())
	}
}

func TestQuotedTemplateAfterItsTurn(t *testing.T) {
	o := newOffice(t)
	old := o.template("Kirk")
	o.resolve()
	h := o.receive("kirk@example.org", robot, o.order("power", "  shields 1:14 2:14 3:14 4:14 5:14")+"\nOn Sunday <starpost@example.org> wrote:\n"+old)
	if h.Outcome != desk.Done || len(h.Diagnostics()) > 1 || h.answer.Message.Subject != "[wolf] Turn 2: orders for Hood accepted" {
		t.Errorf("%s %q %v", h.Outcome, h.answer.Message.Subject, h.Diagnostics())
	}
}

func TestMarkedQuotation(t *testing.T) {
	o := newOffice(t)
	marked := "> " + strings.ReplaceAll(strings.TrimSpace(o.template("Kirk")), "\n", "\n> ") + "\n"
	h := o.receive("kirk@example.org", robot, marked)
	if h.Outcome != desk.Refused || !strings.Contains(h.text(), "remove the >") {
		t.Errorf("%s\n%s", h.Outcome, h.text())
	}
	if h := o.receive("kirk@example.org", robot, o.template("Kirk")+marked); h.Outcome != desk.Done {
		t.Errorf("a marked quotation below: %s\n%s", h.Outcome, h.text())
	}
}

func TestTwoBlocksForOneShip(t *testing.T) {
	o := newOffice(t)
	first, second := o.order("power", "  shields 2:4"), o.order("power", "  shields 2:6")
	h := o.receive("kirk@example.org", robot, first+"\n"+second)
	if h.Outcome != desk.Refused || !hasCode(h, orderset.CodeTwoSets) || o.inForce("Hood") != "" {
		t.Errorf("%s\n%s", h.Outcome, h.text())
	}
	if h := o.receive("kirk@example.org", robot, first+"\n"+first); h.Outcome != desk.Done {
		t.Errorf("the same set twice: %s\n%s", h.Outcome, h.text())
	}
}

func TestSeveralBlocksOneAnswer(t *testing.T) {
	o := newOffice(t)
	good, bad := o.order("power", "  shields 2:4"), strings.Replace(o.order("final"), "wolf", "bear", 1)
	h := o.receive("kirk@example.org", robot, good+bad)
	if h.Outcome != desk.Done || len(h.Steps) != 1 {
		t.Fatalf("%s: %s", h.Outcome, h.Reason)
	}
	if !strings.Contains(h.answer.Message.Subject, "1 of 2 sets accepted, 1 error") {
		t.Errorf("subject %q", h.answer.Message.Subject)
	}
	if !strings.Contains(h.text(), "you do not play in a game \"bear\" under this address") || !strings.Contains(h.text(), "accepted") {
		t.Errorf("answer:\n%s", h.answer.Message.Text)
	}
}

func TestCaptainsBlock(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", robot, strings.Replace(o.order("wait"), "ship Hood", "captain Kirk", 1))
	if h.Outcome != desk.Done || o.inForce("@Kirk") == "" {
		t.Errorf("%s\n%s", h.Outcome, h.text())
	}
	h = o.receive("kirk@example.org", robot, strings.Replace(o.order("wait"), "ship Hood", "captain Kor", 1))
	if h.Outcome != desk.Refused || o.inForce("@Kor") != "" {
		t.Errorf("another captain: %s\n%s", h.Outcome, h.text())
	}
}

func TestAttachedOrders(t *testing.T) {
	o := newOffice(t)
	text := "--x\nContent-Type: text/plain\n\nSee the file.\n--x\nContent-Type: text/plain; name=hood.txt\nContent-Disposition: attachment; filename=hood.txt\n\n" +
		o.order("power", "  shields 2:4") + "\n--x--\n"
	h := o.receive("kirk@example.org", robot, text, "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=x")
	if h.Outcome != desk.Done {
		t.Errorf("%s: %s\n%s", h.Outcome, h.Reason, h.text())
	}
}

func TestAnswerIsNoLongerThanItMustBe(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", robot, o.order(strings.Repeat(strings.Repeat("x y ", 100)+"\n", 2000)))
	if n := len(h.raw); n > 700_000 || !strings.Contains(h.text(), "Only the first 400 lines") {
		t.Errorf("%d bytes in answer to 800 000", n)
	}
}

func TestMailWithoutText(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", robot, "R0lGODlhAQABAAAAACw=", "Content-Type: image/gif", "Content-Transfer-Encoding: base64")
	if h.Outcome != desk.Refused || !hasCode(h, codes.Unreadable) || h.answer == nil {
		t.Errorf("%s: %s", h.Outcome, h.Reason)
	}
}

func TestGameOver(t *testing.T) {
	o := newOffice(t)
	last := ""
	for {
		due, err := o.game.Due()
		if err != nil {
			t.Fatal(err)
		}
		if due == 0 {
			break
		}
		last = o.order("final")
		o.resolve()
	}
	h := o.receive("kirk@example.org", robot, strings.Replace(last, "turn ", "turn 1", 1))
	if h.Outcome != desk.Refused || h.answer == nil {
		t.Fatal(h.Reason)
	}
	h = o.receive("kirk@example.org", robot, last)
	if !hasCode(h, orderset.CodeGameOver) {
		t.Errorf("%v", h.Diagnostics())
	}
}

// FuzzReceive checks for any mail of a captain: no panic, at most one answer, no key in it, and
// nothing stored without the key.
func FuzzReceive(f *testing.F) {
	f.Add("#orders wolf turn 1 ship Hood key KEY\npower\n move 8\n#end\n")
	f.Add("#orders wolf turn 1 ship Hood key KEY\ncancel\n#end\nOn 1 March 2026 a@b.c wrote:\n#orders wolf turn 2 captain Kirk\n#end")
	f.Add("#orders KEY\n")
	f.Add("> #orders wolf\n#orders\n#orders wolf turn 99999 ship \n\n-----Original Message-----\n")
	root, o := f.TempDir(), (*office)(nil)
	f.Fuzz(func(t *testing.T, text string) {
		if o == nil {
			o = newOfficeIn(t, root)
		}
		o.t = t
		key := o.key("Kirk")
		h := o.receive("kirk@example.org", robot, strings.ReplaceAll(text, "KEY", key))
		if len(h.Steps) > 0 && !strings.Contains(text, "KEY") {
			t.Errorf("stored without the key: %+v", h.Steps)
		}
		if h.answer == nil || strings.Contains(h.answer.Message.Text+h.answer.Message.HTML, key) {
			t.Errorf("no answer, or one with a key: %+v", h.answer)
		}
		for _, s := range h.Steps {
			if set, ok := s.(effect.OrderStep); ok {
				if err := o.game.Orders.Drop(vault.At(set.Turn), set.Name); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
