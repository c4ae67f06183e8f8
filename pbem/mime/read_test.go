package mime

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check holds a mail to what the package promises of every mail.
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

// hostile mails are made to cost time or memory; mega is about their size.
func hostile(mega int) map[string]string {
	nested := func(levels int) string {
		var b strings.Builder
		b.WriteString(person)
		for i := range levels {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "\ndeep\n"
	}
	many := func(n int, s string) string { return strings.Repeat(s, n/len(s)) }
	html := person + "Content-Type: text/html\n\n"
	return map[string]string{
		"nested parts":            nested(3000),
		"empty parts":             person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "--b\n\n"),
		"parts in alternatives":   person + "Content-Type: multipart/alternative; boundary=b\n\n" + many(mega, "--b\n\n"),
		"boundaries inside lines": person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "x--b "),
		"short boundary":          person + "Content-Type: multipart/mixed; boundary=\"-\"\n\n" + many(mega, "-"),
		"long header":             many(mega, "X-A: b\n") + "\nhello\n",
		"long field":              "Subject: " + many(mega, "=?utf-8?q?a?= ") + "\n\nhello\n",
		"folded field":            "Subject: a\n" + many(mega, " b\n") + "\n\nhello\n",
		"no fields":               many(mega, "hello\n"),
		"addresses":               "From: " + many(mega/16, "a@b.example, ") + "\n\nhello\n",
		"comments in an address":  "From: " + many(mega/16, "(") + "a@b\n\nhello\n",
		"references":              "References: " + many(mega/16, "<a@b> ") + "\n\nhello\n",
		"parameters":              "Content-Type: text/plain" + many(mega/16, "; a=b") + "\n\nhello\n",
		"lines":                   person + "\n" + many(mega, "\n"),
		"one line":                person + "\n" + many(mega, "a"),
		"windows-1252":            person + "\n" + many(mega, "\xe9"),
		"flowed":                  person + "Content-Type: text/plain; format=flowed\n\n" + many(mega, "> \n"),
		"flowed quotes":           person + "Content-Type: text/plain; format=flowed\n\n" + many(mega, ">"),
		"open elements":           html + many(mega, "<b>"),
		"open paragraphs":         html + many(mega, "<p>x"),
		"open blocks":             html + many(mega, "<div>"),
		"open quotes":             html + many(mega, "<blockquote>x"),
		"ends without starts":     html + many(mega/2, "<b>") + many(mega/2, "</i>"),
		"line breaks":             html + many(mega, "<br>"),
		"attributes":              html + "<p " + many(mega, "style=display:none "),
		"styles":                  html + many(mega, "<p style='a;b;c'>"),
		"open comment":            html + many(mega, "<!--"),
		"open tag":                html + many(mega, "<a <"),
		"entities":                html + many(mega, "&amp;&#38;&"),
		"script ends":             html + "<script>" + many(mega, "</scrip"),
		"base64 bomb":             person + "Content-Transfer-Encoding: base64\n\n" + many(mega, "AAAA\n"),
		"stateful charset":        person + "Content-Type: text/plain; charset=iso-2022-jp\n\n" + many(mega, "\x1b$B\x1b(B"),
		"quoted-printable":        person + "Content-Transfer-Encoding: quoted-printable\n\n" + many(mega, "=\n=Z"),
		"attachments":             person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n"),
	}
}

func TestHostile(t *testing.T) {
	for name, raw := range hostile(400 << 10) {
		t.Run(name, func(t *testing.T) {
			m, err := Read([]byte(raw))
			if err != nil && !errors.Is(err, ErrNoText) {
				t.Errorf("error %v", err)
			}
			check(t, m)
		})
	}
}

// BenchmarkHostile shows what the dearest mail costs.
func BenchmarkHostile(b *testing.B) {
	for name, raw := range hostile(8 << 20) {
		b.Run(name, func(b *testing.B) {
			in := []byte(raw)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				// The error does not matter here.
				_, _ = Read(in)
			}
		})
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

// Sending the text of any mail as plain text gives that text again.
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

func FuzzRead(f *testing.F) {
	for _, c := range corpus {
		f.Add([]byte(crlf(c.raw)))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Read(raw)
		if err != nil && !errors.Is(err, ErrNoText) && !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v", err)
		}
		if (err == nil) != (m.Text != "") {
			t.Errorf("error %v with a text of %d bytes", err, len(m.Text))
		}
		check(t, m)
	})
}
