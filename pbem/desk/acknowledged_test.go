package desk_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
)

// quote quotes a text like a mail program, with marks or without.
func quote(text, mark string) string {
	text = strings.TrimSpace(text)
	if mark == "" {
		return "\n\n________________________________\nFrom: Starpost <starpost@example.org>\nSent: Sunday, March 1, 2026 12:00\nTo: Kirk\nSubject: orders accepted\n\n" + text + "\n"
	}
	return "\n\nOn Sun, 1 Mar 2026 at 12:00, Starpost <starpost@example.org> wrote:\n" + mark + strings.ReplaceAll(text, "\n", "\n"+mark) + "\n"
}

// unbarred removes the bars from a text, like programs that take them for decoration.
func unbarred(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "| "); ok {
			lines[i] = rest
		}
	}
	return strings.Join(lines, "\n")
}

// barredSet returns the set that an acknowledgement shows.
func barredSet(t *testing.T, text string) string {
	t.Helper()
	from := strings.Index(text, "| #orders")
	to := strings.Index(text, "| #end")
	if from < 0 || to < from {
		t.Fatalf("no set behind bars:\n%s", text)
	}
	return text[from:to] + "| #end\n"
}

// keptFor sends a set with a mistake, and returns the answer, which shows the set that stays in
// force.
func keptFor(t *testing.T, o *office) handled {
	t.Helper()
	h := o.receive(kirk, robot, o.order("power", "  warp 9"))
	if !hasErrors(h) || h.answer == nil {
		t.Fatal(h.text())
	}
	return h
}

// A set from an acknowledgement counts as quoted if it comes back unchanged. A changed set is the
// captain's, but nothing behind bars is ever taken, because others' words have bars too: the
// captain is told to remove them.
func TestAnswersToAnAcknowledgement(t *testing.T) {
	var first, last string
	begin := func() *office {
		o := newOffice(t)
		older := o.receive(kirk, robot, o.order("power", "  move 4", "phase 2", "  move F"))
		first = keptFor(t, o).answer.Message.Text
		newer := o.receive(kirk, robot, o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F"))
		last = keptFor(t, o).answer.Message.Text
		if older.Outcome != desk.Done || newer.Outcome != desk.Done {
			t.Fatal(older.text(), newer.text())
		}
		return o
	}
	edit := func(text string) string {
		for _, phase := range []string{"| phase 1", "| phase 2"} {
			if before, after, ok := strings.Cut(text, phase); ok {
				return before + "|   shields 2:4\n  " + phase + after
			}
		}
		return text
	}
	mine := begin().order("power", "  shields 1:3")
	set := barredSet(t, last)
	for name, c := range map[string]struct {
		text, inForce, code string
	}{
		"thanks above the older, marked":          {"Thanks!" + quote(first, "> "), "move 8", codes.OnlyQuoted},
		"thanks above the older, no marks":        {"Thanks!" + quote(first, ""), "move 8", codes.OnlyQuoted},
		"thanks above the newer, no marks":        {"Thanks!" + quote(last, ""), "move 8", codes.OnlyQuoted},
		"the older, bars lost":                    {"Thanks!" + quote(unbarred(first), ""), "move 8", codes.OnlyQuoted},
		"the older copied with its bars":          {barredSet(t, first) + quote(first, "> "), "move 8", codes.OnlyQuoted},
		"changed in the quotation, no marks":      {"Changed below." + quote(edit(last), ""), "move 8", orders.CodeQuoted},
		"changed in the quotation, bars lost":     {"Changed below." + quote(unbarred(edit(last)), ""), "shields 2:4", ""},
		"changed in the quotation of the older":   {"Changed below." + quote(edit(first), ""), "move 8", orders.CodeQuoted},
		"copied with bars and changed":            {edit(set) + quote(last, "> "), "move 8", orders.CodeQuoted},
		"copied with bars and changed, no marks":  {edit(set) + quote(last, ""), "move 8", orders.CodeQuoted},
		"a changed line without its bar":          {strings.Replace(edit(set), "|   shields", "shields", 1), "move 8", orders.CodeQuoted},
		"copied without bars, as it was":          {unbarred(barredSet(t, first)) + quote(last, "> "), "move 4", ""},
		"changed behind bars and marks":           {"Changed below." + quote(edit(last), "> "), "move 8", orders.CodeQuoted},
		"new orders above the older":              {mine + quote(first, ""), "shields 1:3", ""},
		"new orders above the older, bars lost":   {mine + quote(unbarred(first), ""), "shields 1:3", ""},
		"new orders above a changed quotation":    {mine + quote(edit(last), ""), "shields 1:3", ""},
		"a command above the older":               {"status" + quote(first, ""), "move 8", ""},
		"a command above the newer, behind marks": {"status" + quote(last, "> "), "move 8", ""},
	} {
		o := begin()
		h := o.receive(kirk, o.keyed("Kirk"), c.text)
		if got := o.inForce("Hood"); !strings.Contains(got, c.inForce) || c.code != "" && !hasCode(h, c.code) || c.code == "" && hasErrors(h) {
			t.Errorf("%s: %s (%s) %v\nin force:\n%s\n%s", name, h.Outcome, h.Reason, h.Diagnostics(), got, h.answer.Message.Text)
		}
		if c.code == codes.OnlyQuoted {
			wants(t, h.text(), "from an earlier mail of yours and is only quoted here; nothing was stored", "without > or |")
		}
	}
}

// The page of an acknowledgement, as programs quote it.
func TestAnswersToThePageOfAnAcknowledgement(t *testing.T) {
	o := newOffice(t)
	o.receive(kirk, robot, o.order("power", "  move 4", "phase 2", "  move F"))
	mistaken := o.order("power", "  warp 9")
	if plain := keptFor(t, o); plain.answer.Message.HTML != "" {
		t.Errorf("a mail without a page was refused with one:\n%s", plain.answer.Message.HTML)
	}
	older := o.receive(kirk, robot, "<pre>"+mistaken+"</pre>", "Content-Type: text/html; charset=utf-8")
	o.receive(kirk, robot, o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F"))
	_, page, _ := strings.Cut(older.answer.Message.HTML, "<body")
	_, page, _ = strings.Cut(page, ">")
	page, _, _ = strings.Cut(page, "</body>")
	if !hasErrors(older) || !strings.Contains(page, "| phase 2") {
		t.Fatalf("no page that shows the set in force: %s\n%s", older.Reason, page)
	}
	for name, c := range map[string]struct{ page, inForce string }{
		"as it was": {page, "move 8"},
		"changed":   {strings.Replace(page, "| phase 2", "|   shields 2:4\n| phase 2", 1), "move 8"},
	} {
		for _, around := range [][2]string{
			{"<div>On Sun, 1 Mar 2026 at 12:00, Starpost &lt;starpost@example.org&gt; wrote:</div><blockquote type=\"cite\">", "</blockquote>"},
			{"<hr><div><b>From:</b> Starpost &lt;starpost@example.org&gt;<br><b>Sent:</b> Sunday, March 1, 2026 12:00<br><b>To:</b> Kirk<br><b>Subject:</b> x</div>", ""},
		} {
			html := "<html><body><p>Well, well.</p>" + around[0] + c.page + around[1] + "</body></html>"
			if h := o.receive(kirk, o.keyed("Kirk"), base64.StdEncoding.EncodeToString([]byte(html)), "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64"); !strings.Contains(o.inForce("Hood"), c.inForce) {
				t.Errorf("%s, %s: %s (%s), in force\n%s", name, around[0][:8], h.Outcome, h.Reason, o.inForce("Hood"))
			}
		}
	}
}
