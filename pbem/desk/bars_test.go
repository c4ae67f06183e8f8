package desk_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// padded returns text that a mail wraps into lines, each of which would begin or end something
// without a bar in front.
func padded(parts ...string) string {
	pad := " ;" + strings.Repeat("p", 67)
	return "Surrender! " + strings.Repeat("x", 60) + pad + " " + strings.Join(parts, pad+" ") + pad
}

var traps = map[string]string{
	"cancel":     padded("#orders wolf turn 1 ship Riskadh", "cancel", "#end"),
	"unmarked":   padded("orders wolf turn 1 ship Riskadh", "power", "move 4", "end"),
	"wide":       padded("\uff03orders wolf turn 1 ship Riskadh", "cancel", "#end"),
	"drawn":      padded("**#orders** wolf turn 1 ship Riskadh", "cancel", "#end"),
	"a quote":    padded("' #orders wolf turn 1 ship Riskadh", "cancel", "#end"),
	"barred":     padded("| #orders wolf turn 1 ship Riskadh", "| cancel", "| #end"),
	"a command":  padded("#resign", "#final", "# final"),
	"short":      plainTrap,
	"long words": strings.Repeat("x", 68) + "#resign" + strings.Repeat("y", 61) + "#orders wolf turn 1 ship Riskadh",
}

// plainTrap has lines that begin something without being wrapped.
const plainTrap = "One more thing.\n' #orders wolf turn 2 ship Riskadh\norders wolf turn 2 ship Riskadh\n\uff03orders wolf turn 2 ship Riskadh\n**#orders** wolf turn 2 ship Riskadh\n  power\n# resign"

var mayBegin = regexp.MustCompile("^[ \t|*_+~`'\"-]*([#\uff03]|(?i:orders)\\b)")

// behindBars checks the lines of a text between those that contain from and to: each must have a
// bar, and none may begin a block or command without it.
func behindBars(t *testing.T, name, text, from, to string) {
	t.Helper()
	_, text, ok := strings.Cut(text, from)
	text, _, ends := strings.Cut(text, to)
	if !ok || !ends {
		t.Fatalf("%s: no such part in\n%s", name, text)
	}
	_, text, _ = strings.Cut(text, "\n")
	n := 0
	for line := range strings.Lines(text) {
		bare, barred := strings.CutPrefix(strings.TrimSpace(line), "|")
		switch {
		case strings.TrimSpace(line) == "":
		case !barred:
			t.Errorf("%s: without a bar: %q", name, line)
		case mayBegin.MatchString(bare):
			t.Errorf("%s: without a guard: %q", name, line)
		case len([]rune(line)) > 76:
			t.Errorf("%s: long enough to be broken again: %q", name, line)
		default:
			n++
		}
	}
	if raws, _ := orders.ScanText(text); n < 3 || len(raws) > 0 {
		t.Errorf("%s: %d lines, %d blocks in\n%s", name, n, len(raws), text)
	}
}

// spoken converts HTML into plain text like a mail program.
func spoken(page string) string {
	page = strings.ReplaceAll(page, "\n", " ")
	page = regexp.MustCompile(`<br>|</p>|</div>|</h2>`).ReplaceAllString(page, "$0\n")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, ""))
}

// However a captain's message is wrapped, the recipient does not submit it as orders by replying,
// and no line of it could be.
func TestOthersWordsKeepTheirBars(t *testing.T) {
	o, passed := newOffice(t), 0
	for name, words := range traps {
		h := o.says("#message to Riskadh\n" + words + "\n#end\n")
		if len(h.Mails) != 1 {
			continue // refused whole, which is just as good
		}
		passed++
		m := h.mail(t, effect.KindMessage, kor).Message
		behindBars(t, name, m.Text, "to you\n", "== How to answer")
		for how, quoted := range map[string]string{
			"unmarked":   "Never!\n\n" + m.Text,
			"at the top": m.Text,
			"below":      "Never!\n\nFrom: Starpost <" + robot + ">\nSent: Sunday, March 1, 2026 10:59 AM\nTo: Kor <" + kor + ">\nSubject: x\n\n" + m.Text,
		} {
			if back := o.receive(kor, m.ReplyTo.Addr, quoted); len(back.Steps) > 0 || len(back.Mails) > 0 {
				t.Errorf("%s, %s: the quoted message does something: %s", name, how, back.Reason)
			}
		}
		page := "<div>Never!</div><blockquote><pre>" + html.EscapeString(m.Text) + "</pre></blockquote>"
		if back := o.receive(kor, m.ReplyTo.Addr, page, "Content-Type: text/html; charset=utf-8"); len(back.Steps) > 0 || len(back.Mails) > 0 {
			t.Errorf("%s, HTML: the quoted message does something: %s", name, back.Reason)
		}
	}
	if passed < len(traps)/2 {
		t.Errorf("only %d of %d were passed on", passed, len(traps))
	}
}

// The same in the reports, as text and as HTML, with words from the #text of an order set; and its
// lines stay in order.
func TestTextsOfOrderSetsKeepTheirBars(t *testing.T) {
	passed := 0
	for name, words := range traps {
		o := newOffice(t)
		set := o.order("message Riskadh", "#text", "One", words, "Two", "#endtext")
		if h := o.receive(kirk, robot, set); h.Outcome != desk.Done {
			continue // refused whole, which is just as good
		}
		passed++
		o.resolve()
		d, err := turn.Draw(o.game, vault.Stage{Turn: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []turn.Form{turn.Text, turn.HTML} {
			b, err := d.Report(engine.Seat{Ship: "riskadh"}, form)
			if err != nil {
				t.Fatal(err)
			}
			text, lead := string(b), "  "
			if form == turn.HTML {
				text, lead = spoken(text), " "
			}
			_, text, _ = strings.Cut(text, "Messages")
			behindBars(t, name+string(form), strings.Replace(text, "| One", "\n| One", 1), "Hood", "\n"+lead+"| Two")
			if form == turn.Text && (strings.Contains(text, "One\n  |\n") || !strings.Contains(text, "  | One\n  | ") || !strings.Contains(text, "\n  | Two\n")) {
				t.Errorf("%s: lines come apart:\n%s", name, text[:min(len(text), 600)])
			}
		}
	}
	if passed < len(traps)/2 {
		t.Errorf("only %d of %d came to a report", passed, len(traps))
	}
}
