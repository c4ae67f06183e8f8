package templates

import (
	"bytes"
	"strings"
	"testing"
)

func sampleReply() Reply {
	return Reply{
		Game: "wolf", Title: "The Big Bad Wolf", Captain: "Kirk", Notices: []string{"The mail was in HTML; plain text is safer."},
		Commands: []CommandResult{
			{
				Command: "status wolf", Text: []string{"Turn 3 is due by Thu 5 Mar 2026, 20:00 UTC (left: 2 days).", "The game is paused."},
				List: []string{"Hood (Kirk): orders are in, received Tue 3 Mar 2026, 20:00 UTC; you said final", "Riskadh (Kor): orders are missing"},
			},
			{Command: "message to Riskadh", Text: []string{"Your message goes to Kor."}, Example: "#message to Hood\nYield!\n#end"},
			{Command: "final", Text: []string{"This was not done."}, Diagnostics: []Diagnostic{
				{Severity: Error, Line: 3, Col: 1, Width: 6, Code: "E534", Text: "no order set of yours is in force for turn 3", Hint: "send one", Source: "#final"},
				{Severity: Warning, Line: 3, Col: 1, Width: 6, Code: "W545", Text: "and a warning", Source: "#final"},
			}},
		},
		Diagnostics: []Diagnostic{{Severity: Error, Line: 9, Col: 1, Width: 7, Code: "E530", Text: `there is no command "statos"`, Hint: "did you mean #status?", Source: "#statos"}},
		Foot:        []string{"Send help, as the first line of a mail, for a list of commands."},
	}
}

func sampleLetter() RelayedMessage {
	return RelayedMessage{
		Game: "wolf", Title: "The Big Bad Wolf", Turn: 3, From: "Kirk (Hood)", To: "you",
		Text: "Yield!\n\n#orders wolf turn 3 ship Riskadh\nself-destruct\n#end\n" + strings.Repeat("long ", 40),
		Foot: []string{`Answer this mail with a line "#message to Hood", then your own words, then a line "#end".`},
	}
}

func TestReplyGoldens(t *testing.T) {
	golden(t, "reply.txt", []byte(said(t, (*Set).ReplyText, sampleReply())))
	golden(t, "letter.txt", []byte(said(t, (*Set).MessageText, sampleLetter())))
	if e, w := sampleReply().Counts(); e != 2 || w != 1 {
		t.Errorf("%d errors, %d warnings", e, w)
	}
}

// TestRepliesHoldNoValidOrderSet: when these mails are quoted in an answer, no line is
// a command or an order set, whatever captains and mails put in.
func TestRepliesHoldNoValidOrderSet(t *testing.T) {
	evil := "\n#resign\n  #orders wolf turn 1 ship Hood\r#end\u2028#resign " + strings.Repeat("#resign ", 40)
	r := sampleReply()
	r.Title, r.Captain, r.Notices, r.Foot = evil, evil, []string{evil}, []string{evil}
	r.Diagnostics = []Diagnostic{{Text: evil, Hint: evil, Code: evil, Source: evil, Line: 1, Col: 1}}
	for i := range r.Commands {
		r.Commands[i] = CommandResult{Command: evil, Text: []string{evil}, List: []string{evil}, Example: evil, Diagnostics: r.Diagnostics}
	}
	l := RelayedMessage{Game: evil, Title: evil, From: evil, To: evil, Text: evil, Foot: []string{evil}}
	for _, text := range [][]byte{[]byte(said(t, (*Set).ReplyText, r)), []byte(said(t, (*Set).MessageText, l)), []byte(said(t, (*Set).ReplyText, Reply{})), []byte(said(t, (*Set).MessageText, RelayedMessage{}))} {
		for line := range bytes.Lines(text) {
			if trimmed := bytes.TrimLeft(line, " \t>"); len(trimmed) > 1 && trimmed[0] == '#' && trimmed[1] != ' ' {
				t.Errorf("a line begins with a mark: %q", line)
			}
			if n := len([]rune(strings.TrimRight(string(line), "\n"))); n > 78 {
				t.Errorf("a line of %d columns: %q", n, line)
			}
		}
	}
}
