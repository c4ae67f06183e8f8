package mime

import (
	"slices"
	"strings"
	"testing"
)

func TestFieldsKeepTheirOrder(t *testing.T) {
	m, _ := Read([]byte("Received: by b;\r\n\tlater\r\nAuthentication-Results: x;\r\n none\r\nReceived: by a\r\nFrom: =?utf-8?q?a?= <a@b.example>\r\n\r\nhello\r\n"))
	var got []string
	for _, f := range m.Fields() {
		got = append(got, f.Name+"="+f.Value)
	}
	want := []string{"Received=by b; later", "Authentication-Results=x; none", "Received=by a", "From==?utf-8?q?a?= <a@b.example>"}
	for i := range got {
		got[i] = strings.Join(strings.Fields(got[i]), " ")
	}
	if !slices.Equal(got, want) {
		t.Errorf("fields %q, want %q", got, want)
	}
}

func TestHTMLText(t *testing.T) {
	const plain = "--a\nContent-Type: text/plain\n\n> quoted\n"
	const html = "--b\nContent-Type: text/html\n\n<div>mine</div><blockquote>quoted</blockquote>\n--b--\n"
	for name, test := range map[string]struct{ body, want string }{
		"none":          {"--a--\n", ""},
		"beside":        {"--a\nContent-Type: text/html\n\n<div>mine</div><blockquote>quoted</blockquote>\n--a--\n", "mine\nquoted"},
		"with pictures": {"--a\nContent-Type: multipart/related; boundary=b\n\n" + html + "--a--\n", "mine\nquoted"},
		"another form":  {"--a\nContent-Type: text/calendar\n\n<div>mine</div>\n--a--\n", ""},
	} {
		m, err := Read([]byte("From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=a\n\n" + plain + test.body))
		if err != nil || m.Source != SourcePlain || !strings.Contains(m.Text, "> quoted") {
			t.Errorf("%s: read %q from %s: %v", name, m.Text, m.Source, err)
		}
		if got := strings.TrimSpace(m.HTMLText()); got != test.want {
			t.Errorf("%s: shown %q, want %q", name, got, test.want)
		}
	}
	m, _ := Read([]byte("From: a@b.example\nContent-Type: text/html\n\n<p>alone</p>\n"))
	if m.HTMLText() != "" {
		t.Errorf("HTML alone is read, and shown again: %q", m.HTMLText())
	}
}
