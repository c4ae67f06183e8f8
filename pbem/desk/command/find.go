package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/attribution"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/lobby"
)

// Max bounds how many commands of one mail are acted on.
const Max = 20

// Finder is the search for commands in one text.
type Finder struct {
	Page *blocks.Page
	// Games tells whether there is a game of that name.
	Games func(string) bool
	// Scenario tells whether games of that name can be made by mail.
	Scenario func(string) bool
	// Cited tells whether reports cite the rules by these words.
	Cited func([]string) bool

	found []*Command
	loose []orders.Diagnostic
	odd   int // marks that begin no command
}

// Bounds of what is looked at, and said, of marks that begin no command.
const (
	maxOdd    = 200
	maxStrays = 5
)

// Find looks for commands: on lines that begin with the mark, outside order sets and
// quotations; on the first line that says something, and in the subject, also without
// the mark. Where none stands there and answers tells that the mail may answer a question,
// the word that does is looked for elsewhere. Beside the commands are remarks about
// marks that begin none.
func (f *Finder) Find(subject string, answers func() bool) ([]*Command, []orders.Diagnostic) {
	if cmd := f.bare(subject, 0); cmd != nil {
		f.found = append(f.found, cmd)
	}
	f.text()
	if len(f.found) == 0 && answers() {
		if cmd := f.alone(); cmd != nil {
			f.found = append(f.found, cmd)
		}
	}
	all := f.distinct()
	return all, f.loose
}

// Any tells whether there is a command in the text.
func (f *Finder) Any() bool {
	f.text()
	return len(f.found) > 0
}

// text looks at every line.
func (f *Finder) text() {
	first := true
	for i := 0; i < len(f.Page.Lines) && len(f.found) <= 2*Max; i++ {
		line := f.Page.Lines[i]
		if blocks.Marked(line) || f.Page.Inside(i) || strings.TrimSpace(line) == "" {
			first = first && !f.Page.Inside(i)
			continue
		}
		text := strings.TrimSpace(line)
		if text[0] != '#' {
			if first && !f.Page.Quoted(i) {
				if cmd := f.bare(line, i+1); cmd != nil {
					f.found = append(f.found, cmd)
					i = max(i, cmd.End.Line-1)
				}
			}
			first = false
			continue
		}
		first = false
		if cmd := f.marked(i); cmd != nil {
			f.found = append(f.found, cmd)
			i = max(i, cmd.End.Line-1)
		}
	}
}

// bare reads a line that is nothing but a command without its mark.
func (f *Finder) bare(line string, n int) *Command {
	if len(line) > maxCommandBytes {
		return nil
	}
	words := wordsOf(line, 1)
	if len(words) == 0 {
		return nil
	}
	if v, ok := Lookup(words[0].text); ok && v.Lines {
		if n == 0 {
			return nil
		}
		return f.bareLines(readCommand(v, orders.Pos{Line: n, Col: words[0].col}, words[1:], f.Games), n-1)
	}
	// "Status." says the same.
	last := &words[len(words)-1]
	last.text = strings.TrimRight(last.text, ".!")
	v, ok := Lookup(words[0].text)
	if !ok {
		return nil
	}
	cmd := readCommand(v, orders.Pos{Line: n, Col: words[0].col}, words[1:], f.Games)
	if !cmd.OK() || cmd.Game != "" && v.Name != "observe" && !f.Games(cmd.Game) && (v.Name != "join" || cmd.Ship != "" || cmd.Side != "" || !f.Scenario(cmd.Game)) {
		return nil
	}
	if v.Name == "practice" || v.Name == "create" { // "practice makes perfect" wants no game
		w, err := lobby.ReadWish(cmd.Words)
		if err != nil || w.Scenario != "" && !f.Scenario(w.Scenario) {
			return nil
		}
	} else if n := len(cmd.Words); n > 2 && v.Name != "handbook" || n == 2 && v.Name == "help" && !strings.Contains(cmd.Words[1], "-") && !f.Cited(cmd.Words) {
		return nil // "help me please" asks for no text
	}
	cmd.End = orders.Pos{Line: n, Col: utf8.RuneCountInString(line) + 1}
	return cmd
}

// bareLines takes the lines that belong to a command without its mark on line i, from 0; nil where
// nothing ends them, for so people begin sentences.
func (f *Finder) bareLines(cmd *Command, i int) *Command {
	if !cmd.OK() {
		return nil
	}
	f.lines(cmd, i)
	if slices.ContainsFunc(cmd.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == codes.OpenMessage }) {
		return nil
	}
	return cmd
}

// lines takes the lines below a command, on line i from 0, that belong to it.
func (f *Finder) lines(cmd *Command, i int) {
	cmd.End = orders.Pos{Line: i + 1, Col: utf8.RuneCountInString(f.Page.Lines[i]) + 1}
	switch {
	case cmd.Verb.Name == "protest":
		f.reason(cmd, i)
	case cmd.Verb.Name == "allocate":
		f.allocation(cmd, i)
	case cmd.Verb.Name == "message" && cmd.Text != "":
		cmd.Text = f.wrapped(cmd, i, MaxMessageBytes)
		f.measure(cmd, 1)
	case cmd.Verb.Name == "message":
		f.message(cmd, i)
	}
}

// marked reads the command whose mark stands on line i, from 0, with the lines
// that belong to it.
func (f *Finder) marked(i int) *Command {
	line := f.Page.Lines[i]
	if len(line) > maxCommandBytes {
		return nil
	}
	words := wordsOf(line, 1)
	name := strings.TrimPrefix(words[0].text, "#")
	words[0].text = name
	if name == "" { // "# status" is meant for "#status"
		if words = words[1:]; len(words) == 0 {
			return nil
		}
		name = words[0].text
	}
	at := orders.Pos{Line: i + 1, Col: words[0].col}
	v, ok := Lookup(name)
	if !ok {
		f.unknown(i, at, name)
		return nil
	}
	if f.Page.Quoted(i) {
		return nil
	}
	cmd := readCommand(v, at, words[1:], f.Games)
	f.lines(cmd, i)
	return cmd
}

// unknown says something about a mark that begins no command, if a word like it
// does.
func (f *Finder) unknown(i int, at orders.Pos, name string) {
	switch strings.ToLower(name) {
	case "orders", "end", "text", "endtext", "": // theirs
		return
	}
	if f.odd++; f.odd > maxOdd || len(name) > maxCommandBytes/10 {
		return
	}
	near := orders.Suggest(name, verbs())
	if near == "" || orders.Suggest(name, []string{"orders"}) != "" || f.Page.Quoted(i) || len(f.loose) >= maxStrays {
		return
	}
	f.loose = append(f.loose, orders.Diagnostic{
		Pos: at, Code: codes.UnknownCommand, Message: fmt.Sprintf("there is no command %q", Shorten(name)), Hint: fmt.Sprintf("did you mean #%s?", near),
	})
}

// message takes the lines of a message, up to #end.
func (f *Finder) message(cmd *Command, i int) {
	if lines, ok := f.body(cmd, i, "the message has no #end; it was not sent", "put a line with nothing but #end below your words"); ok {
		cmd.Text = strings.Join(trimBlank(lines), "\n")
		f.measure(cmd, len(lines))
	}
}

// allocation takes the lines of volleys, dice and such, up to #end.
func (f *Finder) allocation(cmd *Command, i int) {
	lines, ok := f.body(cmd, i, "the volleys have no #end; nothing was allocated", "put a line with nothing but #end below them")
	if cmd.Text, cmd.TextLine = strings.Join(lines, "\n"), i+2; ok && (len(lines) > MaxMessageLines || len(cmd.Text) > MaxMessageBytes) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("there are %d lines and %d bytes", len(lines), len(cmd.Text)),
			Hint: fmt.Sprintf("at most %d lines and %d bytes go with one command", MaxMessageLines, MaxMessageBytes),
		})
		cmd.Text = ""
	}
}

// body takes the lines that belong to the command on line i, up to #end. Without #end it
// says so, with a way out.
func (f *Finder) body(cmd *Command, i int, open, hint string) (lines []string, ok bool) {
	for n := i + 1; n < len(f.Page.Lines) && !f.Page.Inside(n); n++ {
		text := strings.TrimSpace(f.Page.Lines[n])
		if strings.EqualFold(strings.TrimRight(text, ". "), "#end") {
			cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.Page.Lines[n]) + 1}
			return lines, true
		}
		if len(lines) > 2*MaxMessageLines {
			break
		}
		lines = append(lines, strings.TrimRight(f.Page.Lines[n], " \t\r"))
	}
	cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{Pos: cmd.Pos, Code: codes.OpenMessage, Message: open, Hint: hint})
	return nil, false
}

// measure bounds a message.
func (f *Finder) measure(cmd *Command, lines int) {
	say := func(message, hint string) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{Pos: cmd.Pos, Code: codes.TooMuch, Message: message, Hint: hint})
	}
	switch {
	case cmd.Text == "" || strings.EqualFold(strings.Trim(cmd.Text, "()[]. "), "your words"):
		say("there is nothing in the message", "put your words between the line #message and the line #end")
	case lines > MaxMessageLines, len(cmd.Text) > MaxMessageBytes:
		say(fmt.Sprintf("the message has %d lines and %d bytes", lines, len(cmd.Text)),
			fmt.Sprintf("a message has at most %d lines and %d bytes; say it in fewer words", MaxMessageLines, MaxMessageBytes))
		cmd.Text = ""
	}
}

func trimBlank(lines []string) []string {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// wrapped is the text of a command and the lines that a mail program broke it into: those up to the
// next one that is empty, or marked.
func (f *Finder) wrapped(cmd *Command, i, most int) string {
	words := cmd.Text
	for n := i + 1; n < len(f.Page.Lines) && !f.Page.Inside(n); n++ {
		text := strings.TrimSpace(f.Page.Lines[n])
		if text == "" || text[0] == '#' || f.Page.Quoted(n) {
			if strings.EqualFold(strings.TrimRight(text, ". "), "#end") {
				cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.Page.Lines[n]) + 1}
			}
			break
		}
		if len(words)+len(text) <= 2*most {
			words = strings.TrimSpace(words + " " + text)
		}
		cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.Page.Lines[n]) + 1}
	}
	return words
}

// reason takes the whole reason of a protest.
func (f *Finder) reason(cmd *Command, i int) {
	if cmd.Event > 0 {
		cmd.Text = f.wrapped(cmd, i, maxReasonBytes)
	}
	switch {
	case cmd.Event == 0 || !cmd.OK():
	case cmd.Text == "":
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.BadCommand, Message: "the reason is missing", Hint: "say behind the number what is wrong with the event",
		})
	case len(cmd.Text) > maxReasonBytes:
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("the reason has %d bytes", len(cmd.Text)),
			Hint: fmt.Sprintf("a reason has at most %d bytes; say it in fewer words", maxReasonBytes),
		})
	}
}

// distinct leaves out commands that are there twice, such as in the subject and
// in the first line, which may say more, numbers the rest, and bounds them.
func (f *Finder) distinct() []*Command {
	var out []*Command
	for _, cmd := range f.found {
		twice := slices.ContainsFunc(out, func(o *Command) bool {
			return o.OK() && cmd.OK() && o.String() == cmd.String() && o.Text == cmd.Text && o.Token == cmd.Token && (cmd.Key == "" || o.Key == cmd.Key)
		})
		if twice || cmd.Pos.Line == 0 && slices.ContainsFunc(f.found, func(o *Command) bool { return o.OK() && strings.HasPrefix(o.String(), cmd.String()+" ") }) {
			continue
		}
		if len(out) == Max {
			f.loose = append(f.loose, orders.Diagnostic{
				Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("a mail has at most %d commands; from here on none was acted on", Max),
				Hint: "send the rest in another mail",
			})
			break
		}
		cmd.N = len(out) + 1
		out = append(out, cmd)
	}
	return out
}

// alone finds the word that answers a question where it is not the first one of the mail: below
// what is quoted, or below a greeting. It stands alone on its line, which begins a paragraph.
func (f *Finder) alone() *Command {
	quoted := func(line string) bool {
		return blocks.Marked(line) || blocks.Barred(line) || strings.HasPrefix(line, "\t")
	}
	for i, line := range f.Page.Lines {
		text := strings.TrimRight(strings.TrimSpace(line), ".!")
		if f.Page.Inside(i) || quoted(line) || !strings.EqualFold(text, "confirm") && !strings.EqualFold(text, "undo") {
			continue
		}
		if i > 0 && strings.TrimSpace(f.Page.Lines[i-1]) != "" && !quoted(f.Page.Lines[i-1]) && !attribution.EndsInColon(strings.TrimSpace(f.Page.Lines[i-1])) {
			continue // a word of a sentence that was broken there
		}
		v, _ := Lookup(text)
		at := orders.Pos{Line: i + 1, Col: 1}
		return &Command{Verb: v, N: 1, Pos: at, End: orders.Pos{Line: i + 1, Col: len(line) + 1}}
	}
	return nil
}
