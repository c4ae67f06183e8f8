package command

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/desk/codes"
)

// plain reports whether an unmarked line is a command, for most commands: it names an existing
// game, if any, and has at most two words.
func (f *Finder) plain(cmd *Command) bool {
	return (cmd.Game == "" || f.Games(cmd.Game)) && len(cmd.Words) <= 2
}

// plainAlways is for commands that no sentence begins with.
func plainAlways(*Finder, *Command) bool { return true }

// lines reads the lines below a command on line i, from 0, that belong to it.
func (f *Finder) lines(cmd *Command, i int) {
	cmd.End = orders.Pos{Line: i + 1, Col: utf8.RuneCountInString(f.Page.Lines[i]) + 1}
	if cmd.Verb.lines != nil {
		cmd.Verb.lines(f, cmd, i)
	}
}

// body returns the lines that belong to the command on line i, up to #end. Without #end it adds the
// diagnostic open with its hint.
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

// measure checks the size of a message.
func (f *Finder) measure(cmd *Command, lines int) {
	say := func(message, hint string) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{Pos: cmd.Pos, Code: codes.TooMuch, Message: message, Hint: hint})
	}
	switch {
	case cmd.Text == "" || strings.EqualFold(strings.Trim(cmd.Text, "()[]. "), "your words"):
		say("there is nothing in the message", "put your words between the line #message and the line #end")
	case lines > MaxMessageLines, len(cmd.Text) > MaxMessageBytes:
		say(fmt.Sprintf("the message has %d lines and %d bytes", lines, len(cmd.Text)),
			fmt.Sprintf("a message can have at most %d lines and %d bytes; use fewer words", MaxMessageLines, MaxMessageBytes))
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

// wrapped returns the text of a command, joined with the lines that a mail program wrapped it into:
// up to the next empty or marked line.
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
