package templates

import (
	"strings"
)

// Reply is the body of an answer to commands: what each of them brought.
type Reply struct {
	Game, Title string // of the game that all commands are about; else empty
	Captain     string
	Text        []string // what is said first, in paragraphs
	Commands    []CommandResult
	Notices     []string     // about the mail as a whole
	Diagnostics []Diagnostic // ... and what else was found in it
	Foot        []string     // what may be sent next, one sentence each
}

// CommandResult is what a command brought.
type CommandResult struct {
	Command     string // as it was understood, without keys: "status wolf"
	Text        []string
	List        []string
	Example     string // lines of text, verbatim behind bars; may be empty
	Shown       string // more such lines, as wide as they are: what a command prints
	Diagnostics []Diagnostic
}

// Counts gives the number of errors and of warnings, for subjects.
func (r Reply) Counts() (errors, warnings int) {
	errors, warnings = Ack{Diagnostics: r.Diagnostics}.Counts()
	for _, c := range r.Commands {
		e, w := Ack{Diagnostics: c.Diagnostics}.Counts()
		errors, warnings = errors+e, warnings+w
	}
	return errors, warnings
}

// ReplyText writes an answer to commands as plain text of at most 78 columns, but for what
// is shown as wide as it is.
// Nothing in it starts a line as a command does, so that an answer that quotes
// it does not repeat the command.
func ReplyText(r Reply) string {
	p := &page{b: make([]byte, 0, 4096)}
	p.title(r.Game, r.Title, "Answer")
	if r.Captain != "" {
		p.ends("To your commands:", r.Captain)
	}
	for _, s := range r.Text {
		p.newline()
		p.para("", 0, s)
	}
	p.notices(r.Notices)
	if len(r.Diagnostics) > 0 {
		p.rule("In your mail")
		p.diagnostics(r.Diagnostics)
	}
	for i := range r.Commands {
		c := &r.Commands[i]
		p.rule(c.Command)
		for n, s := range c.Text {
			if n > 0 {
				p.newline()
			}
			p.para("  ", 2, s)
		}
		if len(c.Text) > 0 && len(c.List) > 0 {
			p.newline()
		}
		for _, s := range c.List {
			p.para("  - ", 4, s)
		}
		if c.Example != "" {
			p.newline()
			p.quoted(c.Example)
		}
		if c.Shown != "" {
			p.newline()
			lines(c.Shown, func(line string) {
				p.b = append(p.b, '|')
				if line = strings.TrimRight(line, " "); line != "" {
					p.b = append(p.b, ' ')
					p.put(line)
				}
				p.newline()
			})
		}
		p.diagnostics(c.Diagnostics)
	}
	if len(r.Foot) > 0 {
		p.rule("What you may send")
		for _, s := range r.Foot {
			p.para("  - ", 4, s)
		}
	}
	return string(p.b)
}

func (p *page) diagnostics(all []Diagnostic) {
	for i := range all {
		if i > 0 {
			p.newline()
		}
		p.diagnostic(&all[i])
	}
}

// RelayedMessage is a message of one captain to others, as it is relayed.
type RelayedMessage struct {
	Game, Title string
	Turn        int      // the turn that is due; 0 when the game is over
	From        string   // "Kirk, captain of the Hood"
	To          string   // "you", "side Klingon", "all captains"
	Text        string   // lines, verbatim behind bars
	Foot        []string // how to answer, one sentence each
}

// MessageText writes a relayed message. Its lines stand behind bars, so that
// nothing in it can pass for a command or an order set of who answers it.
func MessageText(l RelayedMessage) string {
	p := &page{b: make([]byte, 0, 2048)}
	p.title(l.Game, l.Title, "Message")
	p.ends("From "+l.From, "to "+l.To)
	p.newline()
	p.foreign(l.Text)
	if len(l.Foot) > 0 {
		p.rule("To answer")
		for _, s := range l.Foot {
			p.para("  ", 2, s)
		}
	}
	return string(p.b)
}
