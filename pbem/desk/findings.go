package desk

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/lobby"
)

// maxCommands bounds how many commands of one mail are acted on.
const maxCommands = 20

// findCommands looks for commands in the mail's own text: on lines that begin
// with the mark, outside order sets and quotations; on the first line that says
// something, and in the subject, also without the mark. p is that text.
func (c *Decision) findCommands(p *blocks.Page) {
	f := c.finder(p)
	if cmd := f.bare(c.in.Mail.Subject, 0); cmd != nil {
		f.found = append(f.found, cmd)
	}
	f.text()
	if len(f.found) == 0 && c.answersQuestion() {
		if cmd := f.alone(); cmd != nil {
			f.found = append(f.found, cmd)
		}
	}
	c.commands = f.distinct()
	c.strays = f.loose
	for _, cmd := range c.commands {
		c.keys = append(c.keys, cmd.Key)
	}
}

// gameNamed tells whether there is a game of that name of which the sender may know: his own, or one that strangers
// are told of.
func (c *Decision) gameNamed(name string) bool {
	all := c.desk.senders().named(name, c.desk.Games.Settings())
	if len(all) == 0 {
		return false
	}
	sender := ""
	if from := c.in.Mail.Senders(); len(from) > 0 {
		sender = from[0]
	}
	is := func(id string) bool { return strings.EqualFold(id, name) }
	return slices.ContainsFunc(all, Listed) || slices.ContainsFunc(c.desk.seats(sender), func(s seat) bool { return is(s.game) }) ||
		slices.ContainsFunc(c.desk.refereeSeats(sender), func(s refereeSeat) bool { return is(s.game) })
}

// scenarioNamed tells whether there is a scenario of that name, where games are made by mail.
func (c *Decision) scenarioNamed(name string) bool {
	if c.desk.Hosting == nil || strings.EqualFold(name, anyScenario) {
		return c.desk.Hosting != nil
	}
	_, err := c.desk.Library.Scenario(name, "")
	return err == nil
}

// cited tells whether reports cite the rules by these words.
func (c *Decision) cited(words []string) bool {
	if c.desk.Library == nil {
		return false
	}
	_, ok, err := c.desk.Library.Citation(words, nil)
	return ok && err == nil
}

// finder is a search in a text.
func (c *Decision) finder(p *blocks.Page) finder {
	return finder{p: p, games: c.gameNamed, scenario: c.scenarioNamed, cited: c.cited}
}

// finder is the search for commands in one text.
type finder struct {
	p     *blocks.Page
	games func(string) bool
	// scenario tells whether games of that name can be made by mail.
	scenario func(string) bool
	// cited tells whether reports cite the rules by these words.
	cited func([]string) bool
	found []*Command
	loose []orders.Diagnostic
	odd   int // marks that begin no command
}

// Bounds of what is looked at, and said, of marks that begin no command.
const (
	maxOdd    = 200
	maxStrays = 5
)

// text looks at every line.
func (f *finder) text() {
	first := true
	for i := 0; i < len(f.p.Lines) && len(f.found) <= 2*maxCommands; i++ {
		line := f.p.Lines[i]
		if blocks.Marked(line) || f.p.Inside(i) || strings.TrimSpace(line) == "" {
			first = first && !f.p.Inside(i)
			continue
		}
		text := strings.TrimSpace(line)
		if text[0] != '#' {
			if first && !f.p.Quoted(i) {
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
func (f *finder) bare(line string, n int) *Command {
	if len(line) > maxCommandBytes {
		return nil
	}
	words := wordsOf(line, 1)
	if len(words) == 0 {
		return nil
	}
	if v, ok := verbOf(words[0].text); ok && v.Lines {
		if n == 0 {
			return nil
		}
		return f.bareLines(readCommand(v, orders.Pos{Line: n, Col: words[0].col}, words[1:], f.games), n-1)
	}
	// "Status." says the same.
	last := &words[len(words)-1]
	last.text = strings.TrimRight(last.text, ".!")
	v, ok := verbOf(words[0].text)
	if !ok {
		return nil
	}
	cmd := readCommand(v, orders.Pos{Line: n, Col: words[0].col}, words[1:], f.games)
	if !cmd.OK() || cmd.Game != "" && v.Name != "observe" && !f.games(cmd.Game) && (v.Name != "join" || cmd.Ship != "" || cmd.Side != "" || !f.scenario(cmd.Game)) {
		return nil
	}
	if v.Name == "practice" || v.Name == "create" { // "practice makes perfect" wants no game
		w, err := lobby.ReadWish(cmd.Words)
		if err != nil || w.Scenario != "" && !f.scenario(w.Scenario) {
			return nil
		}
	} else if n := len(cmd.Words); n > 2 && v.Name != "handbook" || n == 2 && v.Name == "help" && !strings.Contains(cmd.Words[1], "-") && !f.cited(cmd.Words) {
		return nil // "help me please" asks for no text
	}
	cmd.End = orders.Pos{Line: n, Col: utf8.RuneCountInString(line) + 1}
	return cmd
}

// bareLines takes the lines that belong to a command without its mark on line i, from 0; nil where
// nothing ends them, for so people begin sentences.
func (f *finder) bareLines(cmd *Command, i int) *Command {
	if !cmd.OK() {
		return nil
	}
	f.lines(cmd, i)
	if slices.ContainsFunc(cmd.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == CodeOpenMessage }) {
		return nil
	}
	return cmd
}

// lines takes the lines below a command, on line i from 0, that belong to it.
func (f *finder) lines(cmd *Command, i int) {
	cmd.End = orders.Pos{Line: i + 1, Col: utf8.RuneCountInString(f.p.Lines[i]) + 1}
	switch {
	case cmd.Verb.Name == "protest":
		f.reason(cmd, i)
	case cmd.Verb.Name == "allocate":
		f.allocation(cmd, i)
	case cmd.Verb.Name == "message" && cmd.Text != "":
		cmd.Text = f.wrapped(cmd, i, maxMessageBytes)
		f.measure(cmd, 1)
	case cmd.Verb.Name == "message":
		f.message(cmd, i)
	}
}

// marked reads the command whose mark stands on line i, from 0, with the lines
// that belong to it.
func (f *finder) marked(i int) *Command {
	line := f.p.Lines[i]
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
	v, ok := verbOf(name)
	if !ok {
		f.unknown(i, at, name)
		return nil
	}
	if f.p.Quoted(i) {
		return nil
	}
	cmd := readCommand(v, at, words[1:], f.games)
	f.lines(cmd, i)
	return cmd
}

// unknown says something about a mark that begins no command, if a word like it
// does.
func (f *finder) unknown(i int, at orders.Pos, name string) {
	switch strings.ToLower(name) {
	case "orders", "end", "text", "endtext", "": // theirs
		return
	}
	if f.odd++; f.odd > maxOdd || len(name) > maxCommandBytes/10 {
		return
	}
	near := orders.Suggest(name, verbs())
	if near == "" || orders.Suggest(name, []string{"orders"}) != "" || f.p.Quoted(i) || len(f.loose) >= maxStrays {
		return
	}
	f.loose = append(f.loose, orders.Diagnostic{
		Pos: at, Code: CodeUnknownCommand, Message: fmt.Sprintf("there is no command %q", shorten(name)), Hint: fmt.Sprintf("did you mean #%s?", near),
	})
}

// message takes the lines of a message, up to #end.
func (f *finder) message(cmd *Command, i int) {
	if lines, ok := f.body(cmd, i, "the message has no #end; it was not sent", "put a line with nothing but #end below your words"); ok {
		cmd.Text = strings.Join(trimBlank(lines), "\n")
		f.measure(cmd, len(lines))
	}
}

// allocation takes the lines of volleys, dice and such, up to #end.
func (f *finder) allocation(cmd *Command, i int) {
	lines, ok := f.body(cmd, i, "the volleys have no #end; nothing was allocated", "put a line with nothing but #end below them")
	if cmd.Text, cmd.TextLine = strings.Join(lines, "\n"), i+2; ok && (len(lines) > maxMessageLines || len(cmd.Text) > maxMessageBytes) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: CodeTooMuch, Message: fmt.Sprintf("there are %d lines and %d bytes", len(lines), len(cmd.Text)),
			Hint: fmt.Sprintf("at most %d lines and %d bytes go with one command", maxMessageLines, maxMessageBytes),
		})
		cmd.Text = ""
	}
}

// body takes the lines that belong to the command on line i, up to #end. Without #end it
// says so, with a way out.
func (f *finder) body(cmd *Command, i int, open, hint string) (lines []string, ok bool) {
	for n := i + 1; n < len(f.p.Lines) && !f.p.Inside(n); n++ {
		text := strings.TrimSpace(f.p.Lines[n])
		if strings.EqualFold(strings.TrimRight(text, ". "), "#end") {
			cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.p.Lines[n]) + 1}
			return lines, true
		}
		if len(lines) > 2*maxMessageLines {
			break
		}
		lines = append(lines, strings.TrimRight(f.p.Lines[n], " \t\r"))
	}
	cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{Pos: cmd.Pos, Code: CodeOpenMessage, Message: open, Hint: hint})
	return nil, false
}

// measure bounds a message.
func (f *finder) measure(cmd *Command, lines int) {
	say := func(message, hint string) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{Pos: cmd.Pos, Code: CodeTooMuch, Message: message, Hint: hint})
	}
	switch {
	case cmd.Text == "" || strings.EqualFold(strings.Trim(cmd.Text, "()[]. "), "your words"):
		say("there is nothing in the message", "put your words between the line #message and the line #end")
	case lines > maxMessageLines, len(cmd.Text) > maxMessageBytes:
		say(fmt.Sprintf("the message has %d lines and %d bytes", lines, len(cmd.Text)),
			fmt.Sprintf("a message has at most %d lines and %d bytes; say it in fewer words", maxMessageLines, maxMessageBytes))
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
func (f *finder) wrapped(cmd *Command, i, most int) string {
	words := cmd.Text
	for n := i + 1; n < len(f.p.Lines) && !f.p.Inside(n); n++ {
		text := strings.TrimSpace(f.p.Lines[n])
		if text == "" || text[0] == '#' || f.p.Quoted(n) {
			if strings.EqualFold(strings.TrimRight(text, ". "), "#end") {
				cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.p.Lines[n]) + 1}
			}
			break
		}
		if len(words)+len(text) <= 2*most {
			words = strings.TrimSpace(words + " " + text)
		}
		cmd.End = orders.Pos{Line: n + 1, Col: utf8.RuneCountInString(f.p.Lines[n]) + 1}
	}
	return words
}

// reason takes the whole reason of a protest.
func (f *finder) reason(cmd *Command, i int) {
	if cmd.Event > 0 {
		cmd.Text = f.wrapped(cmd, i, maxReasonBytes)
	}
	switch {
	case cmd.Event == 0 || !cmd.OK():
	case cmd.Text == "":
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: CodeBadCommand, Message: "the reason is missing", Hint: "say behind the number what is wrong with the event",
		})
	case len(cmd.Text) > maxReasonBytes:
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: CodeTooMuch, Message: fmt.Sprintf("the reason has %d bytes", len(cmd.Text)),
			Hint: fmt.Sprintf("a reason has at most %d bytes; say it in fewer words", maxReasonBytes),
		})
	}
}

// distinct leaves out commands that are there twice, such as in the subject and
// in the first line, which may say more, numbers the rest, and bounds them.
func (f *finder) distinct() []*Command {
	var out []*Command
	for _, cmd := range f.found {
		twice := slices.ContainsFunc(out, func(o *Command) bool {
			return o.OK() && cmd.OK() && o.String() == cmd.String() && o.Text == cmd.Text && o.Token == cmd.Token && (cmd.Key == "" || o.Key == cmd.Key)
		})
		if twice || cmd.Pos.Line == 0 && slices.ContainsFunc(f.found, func(o *Command) bool { return o.OK() && strings.HasPrefix(o.String(), cmd.String()+" ") }) {
			continue
		}
		if len(out) == maxCommands {
			f.loose = append(f.loose, orders.Diagnostic{
				Pos: cmd.Pos, Code: CodeTooMuch, Message: fmt.Sprintf("a mail has at most %d commands; from here on none was acted on", maxCommands),
				Hint: "send the rest in another mail",
			})
			break
		}
		cmd.N = len(out) + 1
		out = append(out, cmd)
	}
	return out
}
