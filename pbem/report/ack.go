package report

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/templates"
)

// SetReading is the result of reading one ship's order set in a text.
type SetReading struct {
	View        *engine.View  // of the captain, with the ship in focus; nil if the ship is unknown
	Ship        engine.ShipID // "" if unknown
	Post        string        // on the ship; "" for the captain's
	Raw         orders.Raw    // the block as written
	Source      string        // the whole text
	Diagnostics []orders.Diagnostic
	Checked     engine.Checked
}

// AckDetails holds what else an acknowledgement says.
type AckDetails struct {
	Verdict  templates.Verdict
	Notices  []string
	InForce  string // which set is in force, in words: "the set of 12:04"
	Set      string // that set in canonical form, without a key; may be ""
	Now      time.Time
	Deadline time.Time
	Zone     *time.Location
	Own      string   // name of the captain's own time zone; "" for none
	Missing  []string // seats without orders; nil if the game keeps that secret
	HowTo    []string // what to mail next, and where to
}

// Ack builds the acknowledgement of one order set. Line numbers, also those of
// diagnostics, count from the block's #orders line, which is 1, because mail
// programs show no line numbers.
func Ack(r *engine.Rules, read SetReading, a AckDetails) templates.Ack {
	out := templates.Ack{
		Game: read.Raw.Head.Game, Turn: read.Raw.Head.Turn, Phase: read.Raw.Head.Phase, Ship: read.Raw.Head.Name,
		Verdict: a.Verdict, Notices: a.Notices, InForce: a.InForce, Set: a.Set,
		Missing: a.Missing, Answer: a.HowTo, Deadline: TimeFor(a.Deadline, a.Zone, a.Own), Left: TimeLeft(a.Now, a.Deadline),
	}
	first := max(read.Raw.Start.Line, 1)
	out.Diagnostics = Diagnostics(read.Source, read.Diagnostics, first)
	out.Lines = ackLines(read, first, r != nil && r.Language.Free != "")
	for _, s := range read.Checked.Summary {
		out.Sums = append(out.Sums, sentence(s))
	}
	if v := read.View; v != nil {
		out.Game, out.Title, out.Captain = v.Game, v.Title, string(v.Viewer.Captain)
		if s, ok := v.Ship(read.Ship); ok {
			out.Ship, out.ShipTitle = engine.OrderSetName(s.Name, read.Post), shipTitle(s)
			if len(read.Checked.Path) > 0 {
				out.Forecast = forecastMap(r, v, read.Ship, read.Checked.Path)
			}
		}
	}
	out.Headline = verdictLine(out)
	return out
}

func verdictLine(a templates.Ack) string {
	errs, warns := a.Counts()
	who := ""
	if a.Ship != "" {
		who = " for " + a.Ship + ","
	}
	if a.Turn > 0 { // 0 if the #orders line has no turn
		who += fmt.Sprintf(" turn %d,", a.Turn)
	}
	if a.Phase > 0 {
		who += fmt.Sprintf(" phase %d,", a.Phase)
	}
	switch a.Verdict {
	case templates.Accepted:
		if warns > 0 {
			return fmt.Sprintf("Your orders%s are accepted, with %s.", who, plural(warns, "warning"))
		}
		return fmt.Sprintf("Your orders%s are accepted.", who)
	case templates.Refused:
		return fmt.Sprintf("Your orders%s were not accepted: %s. No set is in force.", who, plural(errs, "error"))
	case templates.Kept:
		return fmt.Sprintf("Your orders%s were not accepted: %s. Your earlier set stays in force.", who, plural(errs, "error"))
	case templates.Checked:
		return fmt.Sprintf("Your orders%s were checked and not stored: %s, %s.", who, plural(errs, "error"), plural(warns, "warning"))
	case templates.Canceled:
		return fmt.Sprintf("Your orders%s were dropped.", who)
	case templates.Untrusted:
		return fmt.Sprintf("Your orders%s were not accepted: %s. Nothing was changed.", who, plural(errs, "error"))
	}
	return fmt.Sprintf("Your orders%s are %s.", who, a.Verdict)
}

// sentence turns words into a sentence: with an upper-case first letter and a full stop.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + strings.TrimRight(s[size:], ".") + "."
}

// ackLines returns the lines of the block with their effects, without comments.
// In a free-form language only a whole line can be a comment.
func ackLines(read SetReading, first int, free bool) []templates.AckLine {
	effects := map[int][]string{}
	for _, e := range read.Checked.Effects {
		effects[e.Line] = append(effects[e.Line], e.Text)
	}
	if len(read.Raw.Lines) == 0 {
		return nil
	}
	out := make([]templates.AckLine, 0, len(read.Raw.Lines))
	message := false // between #text and #endtext, where a semicolon starts no comment
	for _, l := range read.Raw.Lines {
		text := l.Text
		mark, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
		switch {
		case mark == "#text":
			message = !strings.HasSuffix(strings.TrimSpace(rest), "#endtext")
		case mark == "#endtext":
			message = false
		case !message && !(free && mark != "" && mark[0] != ';'):
			text, _, _ = strings.Cut(text, ";")
		}
		text = strings.TrimRight(text, " \t\r")
		if strings.TrimSpace(text) == "" && len(effects[l.N]) == 0 {
			continue
		}
		out = append(out, templates.AckLine{No: l.N - first + 1, Text: text, Effect: strings.Join(effects[l.N], "; ")})
	}
	return out
}

// Diagnostics converts the diagnostics of a text for the templates and adds the
// lines that they are about. Line numbers count from first.
func Diagnostics(source string, ds []orders.Diagnostic, first int) []templates.Diagnostic {
	if len(ds) == 0 {
		return nil
	}
	lines := strings.Split(source, "\n")
	out := make([]templates.Diagnostic, 0, len(ds))
	for _, d := range ds {
		t := templates.Diagnostic{
			Severity: templates.Error, Line: max(d.Pos.Line-first+1, 0), Col: d.Pos.Col, Code: d.Code, Text: d.Message, Hint: d.Hint,
		}
		if d.Severity == orders.Warning {
			t.Severity = templates.Warning
		}
		if n := d.Pos.Line; n >= 1 && n <= len(lines) {
			// An #orders line may hold the key, which is never sent back.
			t.Source = masked(strings.TrimRight(lines[n-1], " \t\r"))
			t.Width = wordWidth(t.Source, d.Pos.Col)
		}
		out = append(out, t)
	}
	return out
}

// wordWidth returns how many runes the word has from col on, at least 1.
func wordWidth(line string, col int) int {
	runes := []rune(line)
	n := 0
	for i := col - 1; i >= 0 && i < len(runes) && runes[i] != ' ' && runes[i] != '\t'; i++ {
		n++
	}
	return max(n, 1)
}
