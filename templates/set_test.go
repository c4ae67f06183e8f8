package templates

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// host returns a host's folder of templates.
func host(files map[string]string) fstest.MapFS {
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return folder
}

// loaded loads a folder, which must have no mistakes.
func loaded(t *testing.T, files map[string]string) *Set {
	t.Helper()
	s, wrong := Load(host(files), "/etc/mails")
	for _, m := range wrong {
		t.Error(m)
	}
	return s
}

// TestHostReplacesOneDefinition: a host's file replaces what it defines and leaves the
// built-in rest unchanged.
func TestHostReplacesOneDefinition(t *testing.T) {
	s := loaded(t, map[string]string{
		"parts.txt": `{{define "greeting"}}Hail {{.Captain}}!` + "\n{{end}}",
		".git":      "{{", "help.txt~": "{{", // not templates
	})
	n := sampleNotice()
	n.Kind = Plain
	was := said(t, (*Set).NoticeText, n)
	got, err := s.NoticeText(n)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(was, "R. Varley,", "Hail R. Varley!", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, err := s.AckText(keptAck()); err != nil || got != said(t, (*Set).AckText, keptAck()) {
		t.Errorf("another mail changed, or %v:\n%s", err, got)
	}
}

// TestMistakesOfHosts: mistakes in a host's file are reported with their place before any
// mail is written.
func TestMistakesOfHosts(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"syntax", "ack.txt", "\n{{if}}", "/etc/mails/ack.txt:2:1: missing value for if"},
		{"an unknown field", "reply.txt", "\n {{.Secrets}}", "/etc/mails/reply.txt:2:4: at <.Secrets>: can't evaluate field Secrets in type templates.Reply"},
		{"a field in what is only sometimes there", "ack.txt", "{{range .Diagnostics}}{{.Why}}{{end}}", "/etc/mails/ack.txt:1:25: at <.Why>: can't evaluate field Why in type templates.Diagnostic"},
		{"an unknown function", "message.txt", "{{env \"HOME\"}}", `/etc/mails/message.txt:1:1: function "env" not defined`},
		{"an unknown definition", "message.txt", "{{template \"hull\" .}}", "template \"hull\" not defined"},
		{"a wrong argument in a part", "parts.txt", `{{define "list"}}{{para 1 2 3}}{{end}}`, "/etc/mails/parts.txt:1:25: at <1>: expected string; found 1"},
		{"an unknown file", "acks.txt", "", "/etc/mails/acks.txt: there is no template of that name; the templates are ack.html, ack.txt, message.txt"},
		{"a file without end", "ack.txt", strings.Repeat("x", mostFileBytes+1), "/etc/mails/ack.txt: the file is too long"},
		{"a loop that writes nothing", "ack.txt", "{{range 9000000000}}{{end}}", "it produces too much text, or never ends"},
		{"templates that call themselves", "ack.txt", `{{define "a"}}{{if .}}{{template "a" (slice . 1)}}{{template "a" (slice . 1)}}{{end}}{{end}}` +
			`{{template "a" "0123456789012345678901234567890123456789"}}`, "it produces too much text, or never ends"},
		{"too much to write", "ack.txt", `{{range 1000}}{{printf "%60000d" 1}}{{end}}`, "it produces too much text, or never ends"},
		{"too much at a time", "ack.txt", `{{$x := printf "%70000d" 1}}`, "it produces too much text, or never ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, wrong := Load(host(map[string]string{c.file: c.text}), "/etc/mails")
			if !slices.ContainsFunc(wrong, func(m *Mistake) bool { return strings.Contains(m.Error(), c.want) }) {
				t.Errorf("got %v, want %s", wrong, c.want)
			}
		})
	}
}

// TestHostsMailsAreClean: captains' text is cleaned wherever a host's template prints it.
func TestHostsMailsAreClean(t *testing.T) {
	s := loaded(t, map[string]string{"message.txt": "{{.Text}}\n{{print .Text}}\n{{with .From}}{{.}}{{end}} {{printf \"%s\" .To}}\n{{range .Foot}}\n{{.}}{{end}}\n"})
	for _, evil := range []string{"\x01#resign\x02 #orders x", "a\n#resign\nb", "\x02", "\x01", odd().Game, "#orders wolf turn 1 ship Hood"} {
		text, err := s.MessageText(RelayedMessage{From: evil, To: evil, Text: evil, Foot: []string{evil, evil}})
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, []byte(text), "")
	}
}

// TestHostFailsLate: if a host's template fails on a view unlike the samples, the
// built-in one is drawn and Warn is called.
func TestHostFailsLate(t *testing.T) {
	s := loaded(t, map[string]string{"reply.txt": `{{if eq .Captain "Kirk"}}{{index .Foot 7}}{{end}}`})
	if _, err := s.ReplyText(sampleReply()); err == nil {
		t.Error("without anyone to tell, a mail came of it")
	}
	var told []string
	s.Warn = func(err error) { told = append(told, err.Error()) }
	got, err := s.ReplyText(sampleReply())
	if want := said(t, (*Set).ReplyText, sampleReply()); err != nil || got != want {
		t.Errorf("got %v and\n%s", err, got)
	}
	if len(told) != 1 || !strings.Contains(told[0], "/etc/mails/reply.txt:1:28: at <index .Foot 7>") {
		t.Errorf("told %q", told)
	}
}

// TestFilesAreThere: each built-in file can be read by its name, and nothing else can.
func TestFilesAreThere(t *testing.T) {
	for _, name := range Files() {
		if len(File(name)) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	if File("x.txt") != nil {
		t.Error("there is a file x.txt")
	}
	// Built-in templates must draw the samples, as a host's must.
	for _, name := range pageFiles() {
		if m := (*Set)(nil).try(name); m != nil {
			t.Error(m)
		}
	}
}

// TestHostsAreToldOfAll: the documentation for hosts names each file and each function.
func TestHostsAreToldOfAll(t *testing.T) {
	page, err := os.ReadFile("../docs/templates.md")
	if err != nil {
		t.Fatal(err)
	}
	told := func(what, name string) {
		if !regexp.MustCompile("(?m)^\\| .*`" + regexp.QuoteMeta(name) + "[ `]").Match(page) {
			t.Errorf("the page does not tell of the %s %s", what, name)
		}
	}
	for _, name := range Files() {
		told("file", name)
	}
	for _, funcs := range []map[string]any{textFuncs(), htmlFuncs()} {
		for name := range funcs {
			if name != "clean" {
				told("function", name)
			}
		}
	}
}
