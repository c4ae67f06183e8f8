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
	"starpost/pbem/desk/effect"
)

// Max limits how many commands of one mail are decided.
const Max = 20

// Limits for marks that begin no command: how many are examined, and how many are reported.
const (
	maxOdd    = 200
	maxStrays = 5
)

// Find finds commands: on lines that begin with the mark, outside order sets and quotations; and,
// also without the mark, on the first non-empty line and in the subject. If there are none and
// answers reports that the mail may answer a question, it looks for the word of the answer
// elsewhere. It also returns remarks about marks that begin no command.
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

// Any reports whether there is a command in the text.
func (f *Finder) Any() bool {
	f.text()
	return len(f.found) > 0
}

// text examines every line.
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

// bare reads a line that is a complete command without its mark; nil if it is not.
func (f *Finder) bare(line string, n int) *Command {
	if len(line) > maxCommandBytes {
		return nil
	}
	words := commandWords(line, n)
	if len(words) == 0 {
		return nil
	}
	if v, ok := Lookup(words[0].Text); ok && v.Lines {
		if n == 0 {
			return nil
		}
		return f.bareLines(readCommand(v, orders.Pos{Line: n, Col: words[0].Pos.Col}, words[1:], f.Games), n-1)
	}
	// Accept "Status." as well.
	last := &words[len(words)-1]
	last.Text = strings.TrimRight(last.Text, ".!")
	v, ok := Lookup(words[0].Text)
	if !ok {
		return nil
	}
	cmd := readCommand(v, orders.Pos{Line: n, Col: words[0].Pos.Col}, words[1:], f.Games)
	if !cmd.OK() || v.plain != nil && !v.plain(f, cmd) || v.plain == nil && !f.plain(cmd) {
		return nil
	}
	cmd.End = orders.Pos{Line: n, Col: utf8.RuneCountInString(line) + 1}
	return cmd
}

// bareLines reads the lines that belong to an unmarked command on line i, from 0; nil without an
// #end, because a sentence may begin with the same word.
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

// marked reads the command with its mark on line i, from 0, and the lines that belong to it.
func (f *Finder) marked(i int) *Command {
	line := f.Page.Lines[i]
	if len(line) > maxCommandBytes {
		return nil
	}
	words := commandWords(line, i+1)
	name := strings.TrimPrefix(words[0].Text, "#")
	words[0].Text = name
	if name == "" { // "# status" means "#status"
		if words = words[1:]; len(words) == 0 {
			return nil
		}
		name = words[0].Text
	}
	at := orders.Pos{Line: i + 1, Col: words[0].Pos.Col}
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

// unknown adds a remark about a mark that begins no command, if a similar command exists.
func (f *Finder) unknown(i int, at orders.Pos, name string) {
	switch strings.ToLower(name) {
	case "orders", "end", "text", "endtext", "": // part of order sets
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
		Pos: at, Code: codes.UnknownCommand, Message: fmt.Sprintf("there is no command %q", effect.Shortened(name)), Hint: fmt.Sprintf("did you mean #%s?", near),
	})
}

// distinct drops repeated commands, such as one in the subject and, perhaps with more words, in the
// first line; it numbers and limits the rest.
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
				Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("a mail can have at most %d commands; this one and those after it were ignored", Max),
				Hint: "send the rest in another mail",
			})
			break
		}
		cmd.N = len(out) + 1
		out = append(out, cmd)
	}
	return out
}

// alone finds the word that answers a question if it is not the first of the mail: below the
// quotation, or below a greeting. It must be alone on the first line of a paragraph.
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
			continue // a word of a wrapped sentence
		}
		v, _ := Lookup(text)
		at := orders.Pos{Line: i + 1, Col: 1}
		return &Command{Verb: v, N: 1, Pos: at, End: orders.Pos{Line: i + 1, Col: len(line) + 1}}
	}
	return nil
}
