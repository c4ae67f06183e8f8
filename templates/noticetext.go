package templates

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"
)

//go:embed notices/*.tmpl notices/parts.txt
var noticeFiles embed.FS

// noticeTemplates holds the wording of every NoticeKind, parsed when first
// asked for.
var noticeTemplates = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Option("missingkey=error").
		Funcs(template.FuncMap{"verbatim": markVerbatim, "barred": markBarred, "join": join}).
		ParseFS(noticeFiles, "notices/*.tmpl", "notices/parts.txt")
})

// verbatimSign starts the lines that are not wrapped. Untrusted text is
// cleaned of it before a template sees it.
const verbatimSign = '\x01'

// markVerbatim marks each line of an example to be printed as it is.
func markVerbatim(s string) string {
	b := make([]byte, 0, len(s)+64)
	lines(s, func(line string) {
		b = append(b, verbatimSign)
		b = appendText(b, line, verbatim)
		b = append(b, '\n')
	})
	return string(b)
}

// markBarred puts a captain's words behind bars, line by line.
func markBarred(s string) string {
	var p page
	p.foreign(s)
	return markVerbatim(string(p.b))
}

// NoticeText writes a short mail as plain text, wrapped at 78 columns but for
// the Example, which is printed as it is, and the Words, which stand behind bars. An unknown kind is an error.
func NoticeText(n Notice) (string, error) {
	all, err := noticeTemplates()
	if err != nil {
		return "", fmt.Errorf("parse notices: %w", err)
	}
	t := all.Lookup(string(n.Kind) + ".tmpl")
	if t == nil {
		return "", fmt.Errorf("write notice: no wording for the kind %q", n.Kind)
	}
	var raw bytes.Buffer
	if err := t.Execute(&raw, cleanNotice(n)); err != nil {
		return "", fmt.Errorf("write %s notice: %w", n.Kind, err)
	}
	return string(wrapNotice(raw.String())), nil
}

// cleanNotice makes every field one line without control characters, apart
// from Example and Words, which markVerbatim cleans.
func cleanNotice(n Notice) Notice {
	for _, s := range []*string{
		&n.Game, &n.Title, &n.Ship, &n.Captain, &n.Robot, &n.Deadline, &n.Left,
		&n.Was, &n.Reason, &n.Result, &n.Commit, &n.Secret,
	} {
		*s = cleanString(*s)
	}
	for _, list := range []*[]string{&n.Missing, &n.In, &n.Text, &n.Commands} {
		clean := make([]string, len(*list))
		for i, s := range *list {
			clean[i] = cleanString(s)
		}
		*list = clean
	}
	return n
}

func cleanString(s string) string {
	if plain(s, 0) {
		return s
	}
	return string(appendText(nil, s, 0))
}

// wrapNotice breaks long lines, keeping indents, and squeezes empty lines.
func wrapNotice(raw string) []byte {
	p := &page{b: make([]byte, 0, len(raw)+256)}
	empty := true // nothing yet, or an empty line before
	lines(raw, func(line string) {
		if line != "" && line[0] == verbatimSign {
			p.b = append(append(p.b, line[1:]...), '\n')
			empty = false
			return
		}
		text := strings.TrimLeft(line, " ")
		if text == "" {
			if !empty {
				p.newline()
			}
			empty = true
			return
		}
		empty = false
		lead := line[:min(len(line)-len(text), 20)]
		hang := len(lead)
		if strings.HasPrefix(text, "- ") {
			hang += 2
		}
		p.para(lead, hang, text)
	})
	return append(bytes.TrimRight(p.b, "\n "), '\n')
}
