package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
)

// mailed is what was found in a mail.
type mailed struct {
	commands []*Command
	strays   []orders.Diagnostic
}

// found returns the commands of a mail to a host whose games the sender does not know.
func found(subject, text string) mailed {
	raws, _ := orders.Scan([]byte(text))
	no := func(string) bool { return false }
	f := &Finder{Page: blocks.NewPage(text, raws), Games: no, Scenario: no, Cited: func([]string) bool { return false }}
	commands, strays := f.Find(subject, func() bool { return false })
	return mailed{commands, strays}
}

// told returns a command on one line: as understood, or the code and place of its mistake.
func told(cmd *Command) string {
	for _, d := range cmd.Diagnostics {
		if d.Severity == orders.Error {
			return fmt.Sprintf("%s %d:%d", d.Code, d.Pos.Line, d.Pos.Col)
		}
	}
	out := cmd.String()
	if cmd.Key != "" {
		out += " key " + cmd.Key
	}
	if cmd.Token != "" {
		out += " token " + cmd.Token
	}
	if cmd.Text != "" {
		out += fmt.Sprintf(" %q", cmd.Text)
	}
	return out
}

func TestCommandLines(t *testing.T) {
	for line, want := range map[string]string{
		"#help":                     "help",
		"#HELP":                     "help",
		"  #help   ; please":        "help",
		"# help":                    "help",
		"#status":                   "status",
		"#status wolf":              "status wolf",
		"#status wulf":              "status wulf", // reported as unknown later
		"#status wolf now":          "E531 1:14",
		"#status 3":                 "E531 1:9",
		"#report":                   "report",
		"#report 3":                 "report turn 3",
		"#report wolf 3":            "report wolf turn 3",
		"#report wolf turn 3":       "report wolf turn 3",
		"#report turn 3 wolf":       "report wolf turn 3",
		"#report turn three":        "E531 1:14",
		"#report 3 4":               "E531 1:9",
		"#report -3":                "E531 1:9",
		"#report 99999999999999999": "E531 1:9",
		"#check":                    "check",
		"#check wolf":               "E531 1:8",
		"#cancel":                   "cancel",
		"#cancel wolf turn 3 ship Hood key 7K4Q-92FM":   "cancel wolf turn 3 ship Hood key 7K4Q-92FM",
		"#cancel ship Hood":                             "cancel ship Hood",
		"#cancel Hood":                                  "cancel Hood",
		"#final key 7K4Q-92FM":                          "final key 7K4Q-92FM",
		"#final key 7K4Q 92FM":                          "final key 7K4Q-92FM",
		"#final wolf turn 3":                            "final wolf turn 3",
		"#final key":                                    "final key",
		"#wait turn 3":                                  "wait turn 3",
		"#vote draw":                                    "vote draw",
		"#vote wolf Draw turn 3":                        "vote wolf draw turn 3",
		"#vote continue":                                "vote continue",
		"#vote":                                         "E531 1:1",
		"#vote wolf":                                    "E531 1:1",
		"#vote surrender":                               "E531 1:1",
		"#vote wolf surrender":                          "E531 1:12",
		"#away 2026-08-03 2026-08-14":                   "away 2026-08-03 2026-08-14",
		"#away wolf from 2026-08-03 to 2026-08-14":      "away wolf 2026-08-03 2026-08-14",
		"#away 2026-08-03 until 2026-08-14":             "away 2026-08-03 2026-08-14",
		"#away 2026-08-03":                              "E531 1:1",
		"#away 3.8.2026 14.8.2026":                      "E531 1:7",
		"#away 2026-02-30 2026-03-01":                   "E531 1:7",
		"#away 0001-01-01 2026-03-01":                   "E531 1:7",
		"#away":                                         "E531 1:1",
		"#back wolf":                                    "back wolf",
		"#protest 3.17 out of range":                    `protest 3.17 "out of range"`,
		"#protest wolf 3.17 the key was turned":         `protest wolf 3.17 "the key was turned"`,
		"#protest wolf key 7K4Q-92FM 3.17 no":           `protest wolf 3.17 key 7K4Q-92FM "no"`,
		"#protest key 7K4Q-92FM 3.17 no":                `protest 3.17 key 7K4Q-92FM "no"`,
		"#protest turn 3.17 no":                         `protest 3.17 "no"`,
		"#protest 3":                                    "protest turn 3",
		"#protest wolf turn 3":                          "protest wolf turn 3",
		"#protest 3.17":                                 "E531 1:1", // no reason
		"#protest 3.0 no":                               "E531 1:10",
		"#protest 3.x no":                               "E531 1:10",
		"#protest":                                      "E531 1:1",
		"#protest wolf":                                 "E531 1:1",
		"#address new@example.net":                      "address new@example.net",
		"#address wolf <new@example.net> key 7K4Q-92FM": "address wolf new@example.net key 7K4Q-92FM",
		"#address new":                                  "E531 1:10",
		"#address":                                      "E531 1:1",
		"#resign":                                       "resign",
		"#resign key 7K4Q-92FM wolf":                    "resign wolf key 7K4Q-92FM",
		"#join wolf as Hood":                            "join wolf as Hood",
		"#join wolf as USS Hood":                        "join wolf as USS Hood",
		"#join wolf":                                    "join wolf",
		"#join wolf side Klingon":                       "join wolf side Klingon",
		"#join wolf side":                               "E531 1:12",
		"#join wolf aboard Hood":                        "E531 1:12",
		"#join as Hood":                                 "E531 1:1",
		"#join 3x as Hood":                              "E531 1:7",
		"#confirm":                                      "confirm",
		"#confirm 0006-hp01-e3ks-oe8h":                  "confirm token 0006-HP01-E3KS-0E8H",
		"#confirm 0006 HP01 E3KS 0E8H":                  "confirm token 0006-HP01-E3KS-0E8H",
		"#confirm 7K4Q-92FM":                            "E531 1:10",
		"#message to Riskadh\nYield!\n#end":             `message to Riskadh "Yield!"`,
		"#message wolf to all\n\nA\n\nB \n\n#END":       `message wolf to all "A\n\nB"`,
		"#message to the Kor of Klinzhai key 7K4Q-92FM\nA\n#end":            `message to the Kor of Klinzhai key 7K4Q-92FM "A"`,
		"#message to Riskadh\nYield!":                                       "E542 1:1",
		"#message to Riskadh\n#orders wolf turn 1 ship Hood\nfinal\n#end\n": "E542 1:1",
		"#message to Riskadh\n\n#end":                                       "E539 1:1",
		"#message to Riskadh\n(your words)\n#end":                           "E539 1:1",
		"#message Riskadh\nA\n#end":                                         `message to Riskadh "A"`,
		"#message Riskadh: A\nB\n\nC":                                       `message to Riskadh "A B"`,
		"#message\nA\n#end":                                                 "E531 1:1",
		"#message to\nA\n#end":                                              "E531 1:1",
		"#message to all\n" + strings.Repeat("A\n", 101) + "#end":           "E539 1:1",
		"#message to all\n" + strings.Repeat("A", 4001) + "\n#end":          "E539 1:1",
		"#protest 3.17 it was\nout of range\n\nKirk":                        `protest 3.17 "it was out of range"`,
		"#protest 3.17 " + strings.Repeat("word ", 190) + "\n" + strings.Repeat(strings.Repeat("word ", 100)+"\n", 3): "E539 1:1",
	} {
		c := found("", line)
		if len(c.commands) == 0 || len(c.strays) > 0 {
			t.Errorf("%q: %d commands, %v", line, len(c.commands), c.strays)
			continue
		}
		if got := told(c.commands[0]); got != want {
			t.Errorf("%q\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestWhereCommandsStand(t *testing.T) {
	const set = "#orders wolf turn 1 ship Hood\nfinal\n#status\n#end\n"
	for _, c := range []struct {
		name, subject, text string
		want                []string
	}{
		{"nowhere", "", "Hello!\nI need help.\n", nil},
		{"the subject", "status", "", []string{"status"}},
		{"the subject with a mark", "#status wolf", "", nil},
		{"the subject of an answer", "Re: status", "", nil},
		{"a subject that only begins so", "Status report of the week", "", nil},
		{"a subject with an unknown game", "status wulf", "", nil},
		{"a subject that could be one", "Help!", "", []string{"help"}},
		{"the first line", "", "\n\nhelp\nHello", []string{"help"}},
		{"the first line, as a sentence", "", "Final.\n", []string{"final"}},
		{"the first line in words", "", "Help me please", nil},
		{"the second line", "", "Hello\nhelp", nil},
		{"below a set", "", set + "help", nil},
		{"within a set", "", set, nil},
		{"beside a set", "", "#status\n" + set + "#final\n", []string{"status", "final"}},
		{"quoted", "", "> #status\n> help\n", nil},
		{"below a quoted line", "", "> You wrote\nhelp", []string{"help"}},
		{"below an attribution", "", "Thanks\n\nOn Mon, 2 Mar 2026 at 20:00, Starpost <starpost@example.org> wrote:\n\n#resign\n", nil},
		{"above an attribution", "", "#status\n\n-----Original Message-----\nFrom: x\n#resign", []string{"status"}},
		{"first and quoted", "", "help\n\n-----Original Message-----\n#resign", []string{"help"}},
		{"below a header block", "", "From: Starpost <starpost@example.org>\nSent: Monday\nTo: Kirk\nSubject: wolf\n\n#resign", nil},
		{"twice", "status", "status\n#status\n#status wolf\n", []string{"status", "status wolf"}},
		{"message without a mark", "", "message to Riskadh\nA\n#end", []string{`message to Riskadh "A"`}},
		{"message without a mark and an end", "", "message to Riskadh\nA", nil},
		{"message without a mark below", "", "Hello\nmessage to Riskadh\nA\n#end", nil},
		{"message in the subject", "message Riskadh: A", "", nil},
		{"a message with marks", "", "#message to all\n#resign\n> quoted\nhelp\n#end\n#status", []string{`message to all "#resign\n> quoted\nhelp"`, "status"}},
		{"a message with an attribution", "", "#message to all\nOn 1 Mar 2026 at 12:00 Kor wrote:\nA\n#end\n", []string{`message to all "On 1 Mar 2026 at 12:00 Kor wrote:\nA"`}},
		{"a hash tag", "", "#starships are fun\n#1\n#\n", nil},
		{"many", "", strings.Repeat("#status\n#help\n", 50) + manyReports(40), manyWanted()},
	} {
		got := []string(nil)
		for _, cmd := range found(c.subject, c.text).commands {
			got = append(got, told(cmd))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func manyReports(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "#report %d\n", i+1)
	}
	return b.String()
}

// manyWanted returns the commands read before forty reports, which are too many to be read.
func manyWanted() []string { return []string{"status", "help"} }

func TestTooManyCommands(t *testing.T) {
	c := found("", manyReports(25))
	if len(c.commands) != Max || c.commands[19].N != 20 {
		t.Errorf("%d commands", len(c.commands))
	}
	if len(c.strays) != 1 || c.strays[0].Code != codes.TooMuch || c.strays[0].Pos.Line != 21 {
		t.Errorf("%v", c.strays)
	}
}

func TestUnknownCommandsGetASuggestion(t *testing.T) {
	for line, want := range map[string]string{
		"#statos":   "#status",
		"#reprot":   "#report",
		"#resing":   "#resign",
		"#mesage":   "#message",
		"#finall":   "#final",
		"#order":    "", // the scanner reports it
		"#end":      "",
		"#text":     "",
		"#fireman":  "",
		"> #statos": "",
	} {
		c := found("", "Hello\n"+line+"\n")
		got := ""
		for _, d := range c.strays {
			if d.Code == codes.UnknownCommand && d.Pos == (orders.Pos{Line: 2, Col: 1}) {
				got = strings.TrimSuffix(strings.TrimPrefix(d.Hint, "did you mean "), "?")
			}
		}
		if got != want || len(c.commands) > 0 {
			t.Errorf("%s: %q, want %q: %v", line, got, want, c.strays)
		}
	}
}

// TestCommandsCostLittle checks that no mail, however long, needs more than a few allocations a
// line, and that only a few of its commands and marks are read.
func TestCommandsCostLittle(t *testing.T) {
	for name, text := range map[string]string{
		"marks":     strings.Repeat("#statos\n", 20_000),
		"messages":  strings.Repeat("#message to all\n", 20_000),
		"protests":  strings.Repeat("#protest 3.1 x\n", 20_000),
		"one line":  "#" + strings.Repeat("status ", 150_000),
		"a reason":  "#protest 3.1 x\n" + strings.Repeat("y\n", 20_000),
		"hash tags": strings.Repeat("#x\n", 20_000),
	} {
		var c mailed
		cost := testing.AllocsPerRun(1, func() { c = found(strings.Repeat("status ", 1000), text) })
		if lines := strings.Count(text, "\n"); cost > float64(200_000+2*lines) {
			t.Errorf("%s: %.0f allocations for %d lines", name, cost, lines)
		}
		if len(c.commands) > Max || len(c.strays) > maxStrays+1 {
			t.Errorf("%s: %d commands, %d strays", name, len(c.commands), len(c.strays))
		}
	}
}

// FuzzCommands checks that no mail panics, and that the String of an understood command is
// understood again.
func FuzzCommands(f *testing.F) {
	f.Add("status", "#report wolf 3\n#message to all\nHi\n#end\n")
	f.Add("", "help\n#away 2026-08-03 2026-08-14\n#protest 3.1 x\ny\n")
	f.Add("", "#orders wolf turn 1 ship Hood\n#end\n#join wolf as Hood\n#confirm 0006-HP01-E3KS-0E8H\n#vote draw turn 3 key 7K4Q-92FM")
	f.Fuzz(func(t *testing.T, subject, text string) {
		if len(text) > 20_000 {
			return
		}
		c := found(subject, text)
		if len(c.commands) > Max {
			t.Errorf("%d commands", len(c.commands))
		}
		lines := strings.Count(text, "\n") + 1
		for _, cmd := range c.commands {
			if cmd.Pos.Line > lines || cmd.End.Line > lines || cmd.End.Line < cmd.Pos.Line {
				t.Errorf("%s stands at %v to %v of %d lines", cmd, cmd.Pos, cmd.End, lines)
			}
			if !cmd.OK() || cmd.Text != "" || cmd.Verb.Name == "message" || strings.ContainsAny(cmd.String(), ";\n\r") {
				continue
			}
			again := found("", "#"+cmd.String())
			if len(again.commands) != 1 || again.commands[0].OK() && again.commands[0].String() != cmd.String() {
				t.Errorf("%q is not read again: %+v", cmd, again.commands)
			}
		}
	})
}

// A text holds a token exactly where the expression finds one.
func TestTokensAreFoundAroundTheirHyphens(t *testing.T) {
	const token = "ab12-cd34-ef56-gh78"
	for _, before := range []string{"", "x", " ", "-", "\n", "a-", "é", "ab12-", "------"} {
		for _, after := range []string{"", "x", " ", "-", "\n", "-a", "é", "-ab12", "-----"} {
			for cut := range token {
				for _, text := range []string{before + token[cut:] + after, before + token[:cut] + after, before + token[:cut] + "u" + token[cut+1:] + after} {
					if got, want := holdsToken(text), tokenForm().MatchString(text); got != want {
						t.Errorf("%q: got %v, want %v", text, got, want)
					}
				}
			}
		}
	}
}
