package mime

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check verifies what the package guarantees for every mail.
func check(t *testing.T, m Mail) {
	t.Helper()
	if !utf8.ValidString(m.Text) || len(m.Text) > MaxText || strings.Count(m.Text, "\n") > MaxLines {
		t.Errorf("text of %d bytes and %d lines, valid %v", len(m.Text), strings.Count(m.Text, "\n"), utf8.ValidString(m.Text))
	}
	for _, s := range []string{m.Text, m.Attached} {
		if i := strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
			t.Errorf("control character %q in text", s[i])
		}
	}
	values := []string{m.Subject, m.MessageID, m.InReplyTo, m.Automatic, m.AttachedName}
	values = append(values, m.References...)
	values = append(values, m.Senders()...)
	values = append(values, m.Recipients()...)
	values = append(values, m.Warnings...)
	for _, s := range values {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\x00") {
			t.Errorf("%q is not one line of clean text", s)
		}
	}
	if len(m.Warnings) > maxWarnings || len(m.References) > maxIDs || len(m.To) > maxAddrs {
		t.Errorf("%d warnings, %d references, %d addresses", len(m.Warnings), len(m.References), len(m.To))
	}
	if (m.Text == "") != (m.Source == "") {
		t.Errorf("source %q of a text of %d bytes", m.Source, len(m.Text))
	}
}

func TestEnvelope(t *testing.T) {
	m, err := Read([]byte(crlf(`From: =?utf-8?q?Ren=C3=A9?= <rene@example.org>
To: "Battles, Robot" <battles+7K4Q92FM@example.org>, bob@example.org
Cc: Bob, Jr <bob@x.example>
Reply-To: <other@example.org>
Subject: =?iso-8859-1?q?caf=E9?= and a
 folded line
Date: Mon, 2 Mar 2026 20:00:00 +0100
Message-ID: <1@example.org>
In-Reply-To: Your message of Tuesday <x@y.example>
References: <a@b>
 <c@d> broken <e@f>
X-Trace: one
x-trace: two

hello
`)))
	if err != nil {
		t.Fatal(err)
	}
	want := Mail{
		From:    []Address{{"René", "rene@example.org"}},
		To:      []Address{{"Battles, Robot", "battles+7K4Q92FM@example.org"}, {"", "bob@example.org"}},
		Cc:      []Address{{"", "bob@x.example"}},
		ReplyTo: []Address{{"", "other@example.org"}},
		Subject: "café and a folded line", MessageID: "1@example.org", InReplyTo: "x@y.example",
		References: []string{"a@b", "c@d", "e@f"},
	}
	if !slices.Equal(m.From, want.From) || !slices.Equal(m.To, want.To) || !slices.Equal(m.Cc, want.Cc) || !slices.Equal(m.ReplyTo, want.ReplyTo) {
		t.Errorf("addresses %v %v %v %v", m.From, m.To, m.Cc, m.ReplyTo)
	}
	if m.Subject != want.Subject || m.MessageID != want.MessageID || m.InReplyTo != want.InReplyTo || !slices.Equal(m.References, want.References) {
		t.Errorf("%q %q %q %q", m.Subject, m.MessageID, m.InReplyTo, m.References)
	}
	if !m.Date.Equal(time.Date(2026, 3, 2, 19, 0, 0, 0, time.UTC)) {
		t.Errorf("date %v", m.Date)
	}
	if got := m.Header("X-TRACE"); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("X-Trace %q", got)
	}
	if got := m.Header("absent"); len(got) != 0 {
		t.Errorf("absent %q", got)
	}
	if got := m.Recipients(); !slices.Equal(got, []string{"battles+7K4Q92FM@example.org", "bob@example.org", "bob@x.example"}) {
		t.Errorf("recipients %q", got)
	}
	if got := m.From[0].String() + ", " + m.To[1].String(); got != "René <rene@example.org>, bob@example.org" {
		t.Errorf("written %q", got)
	}
}

func TestTwoAuthors(t *testing.T) {
	m, err := Read([]byte("From: a@x.example\nFrom: b@x.example\nSubject: \xe9\n\nhello\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Senders(); !slices.Equal(got, []string{"a@x.example", "b@x.example"}) {
		t.Errorf("senders %q", got)
	}
	if len(m.Warnings) != 1 || m.Subject != "é" {
		t.Errorf("warnings %q, subject %q", m.Warnings, m.Subject)
	}
}

func TestAttachedBesideText(t *testing.T) {
	m, err := Read([]byte(person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nsee below\n" +
		"--b\nContent-Type: text/plain; name=hood.txt\nContent-Disposition: inline\n\n" + block1 + "\n--b--\n"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Text != "see below" || m.Source != SourcePlain || m.Attached != block1 || m.AttachedName != "hood.txt" {
		t.Errorf("%q from %s, attached %q named %q", m.Text, m.Source, m.Attached, m.AttachedName)
	}
}

func TestTooLarge(t *testing.T) {
	raw := append([]byte(person+"\n"), bytes.Repeat([]byte("x"), MaxBytes)...)
	m, err := Read(raw)
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	if m.Subject != "orders" || m.Text != "" || m.MessageID != "1@example.org" {
		t.Errorf("%+v", m)
	}
}

func TestLimitsAreTold(t *testing.T) {
	for name, c := range map[string]struct{ raw, say string }{
		"long text":  {person + "\n" + strings.Repeat("a", MaxText+10), "longer than"},
		"many lines": {person + "\n" + strings.Repeat("a\n", MaxLines+10), "more than 20000 lines"},
		"many parts": {person + "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", MaxParts+10), "more than 64 parts"},
	} {
		m, err := Read([]byte(c.raw))
		if err != nil || !strings.Contains(strings.Join(m.Warnings, "\n"), c.say) {
			t.Errorf("%s: %v, warnings %q", name, err, m.Warnings)
		}
		check(t, m)
	}
}

// Sending the text of any mail as plain text gives the same text.
func TestReadAgain(t *testing.T) {
	for _, c := range corpus {
		if c.text == "" {
			continue
		}
		m, err := Read([]byte(person + "Content-Type: text/plain; charset=utf-8\n\n" + c.text))
		if err != nil || m.Text != c.text {
			t.Errorf("%s: %q, %v", c.name, m.Text, err)
		}
	}
}

// Parts are named as IMAP numbers them.
func TestPart(t *testing.T) {
	const plain, html = "Content-Type: text/plain\n\n" + block1 + "\n", "Content-Type: text/html\n\n<p>x\n"
	of := func(kind, inside string) string {
		return "Content-Type: multipart/" + kind + "; boundary=" + kind + "\n\n" + strings.ReplaceAll(inside, "--b", "--"+kind)
	}
	for name, c := range map[string]struct{ raw, part, shown, attached string }{
		"alone":       {plain, "text/plain", "", ""},
		"no header":   {"\n" + block1, "text/plain", "", ""},
		"alternative": {of("alternative", "--b\n"+plain+"--b\n"+html+"--b--\n"), "text/plain in part 1", "text/html in part 2", ""},
		"HTML first":  {of("alternative", "--b\n"+html+"--b\n"+plain+"--b--\n"), "text/plain in part 2", "text/html in part 1", ""},
		"HTML only":   {of("alternative", "--b\n"+html+"--b--\n"), "text/html in part 1", "", ""},
		"nested": {
			of("mixed", "--b\n"+of("alternative", "--b\n"+plain+"--b\n"+of("related", "--b\n"+html+"--b--\n")+"--b--\n")+"--b\nContent-Type: text/x-foo\n\nbye\n--b--\n"),
			"text/plain in part 1.1, text/x-foo in part 2", "text/html in part 1.2.1", "",
		},
		"attached": {
			of("mixed", "--b\n"+html+"--b\nContent-Disposition: attachment; filename=hood.ord\n\n"+block1+"--b--\n"),
			"text/html in part 1", "", `text/plain in part 2 ("hood.ord")`,
		},
		"nothing but attached": {
			of("mixed", "--b\nContent-Type: image/png\n\nx\n--b\nContent-Disposition: attachment; filename=hood.ord\n\n"+block1+"--b--\n"),
			`text/plain in part 2 ("hood.ord")`, "", `text/plain in part 2 ("hood.ord")`,
		},
	} {
		m, err := Read([]byte(strings.TrimPrefix(person+c.raw, "\n")))
		if err != nil || m.Part != c.part || m.HTMLTextPart() != c.shown || m.AttachedPart != c.attached {
			t.Errorf("%s: %q, shown %q, attached %q, %v", name, m.Part, m.HTMLTextPart(), m.AttachedPart, err)
		}
	}
}
