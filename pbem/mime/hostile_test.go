package mime

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// hostile returns mails of about mega bytes that are made to cost time or memory.
func hostile(mega int) map[string]func() string {
	many := func(n int, s string) string { return strings.Repeat(s, max(1, n/len(s))) }
	nested := func(levels int, body string) string {
		var b strings.Builder
		b.WriteString(person)
		for i := range levels {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "\n" + body
	}
	mixed := func(head string, n int, part string) string {
		return person + head + "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n"+part+"\n", n) + "--b--\n"
	}
	piece := mega / (MaxParts - 2) // for a mail with many parts
	html := person + "Content-Type: text/html\n\n"
	server := "Return-Path: <>\nFrom: MAILER-DAEMON@example.org\nSubject: Undelivered Mail\n"
	report := server + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n"
	return map[string]func() string{
		"nested parts":              func() string { return nested(3000, "deep\n") },
		"nested parts, large":       func() string { return nested(MaxDepth, many(mega, "hello --b \n")) },
		"nested parts, near misses": func() string { return nested(MaxDepth, many(mega, "\n--b0x")) },
		"empty parts":               func() string { return person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "--b\n\n") },
		"500,000 parts":             func() string { return mixed("", 500000, "\nx") },
		"parts in alternatives": func() string {
			return person + "Content-Type: multipart/alternative; boundary=b\n\n" + many(mega, "--b\n\n")
		},
		"boundaries inside lines": func() string { return person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "x--b ") },
		"short boundary":          func() string { return person + "Content-Type: multipart/mixed; boundary=\"-\"\n\n" + many(mega, "-") },
		"near boundaries": func() string {
			return person + "Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\n" + many(mega, "\n--bx")
		},
		"no end": func() string {
			return person + "Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: multipart/mixed; boundary=\"b\"\n\n" + many(mega, "x\n")
		},
		"long header":             func() string { return many(mega, "X-A: b\n") + "\nhello\n" },
		"headers of parts":        func() string { return mixed("", MaxParts-2, many(piece, "X-A: b\n")+"\nhello") },
		"folded headers of parts": func() string { return mixed("", MaxParts-2, "X-A: b\n"+many(piece, " b\n")+"\nhello") },
		"parameters of parts": func() string {
			return mixed("", MaxParts-2, "Content-Type: text/plain"+many(piece, "; a=b")+"\n\nhello")
		},
		"names of parts": func() string {
			return mixed("", MaxParts-2, "Content-Disposition: attachment; filename=\""+many(piece, "=?utf-8?q?a?=")+"\"\n\nhello")
		},
		"split names of parts": func() string {
			return mixed("", MaxParts-2, "Content-Disposition: attachment"+many(min(piece, 8<<10), "; filename*0*=x; filename*1=y")+"\n\nhello")
		},
		"long field":             func() string { return "Subject: " + many(mega, "=?utf-8?q?a?= ") + "\n\nhello\n" },
		"encoded fields":         func() string { return many(mega, "X-A: =?utf-8?b?YQ==?= =?gb18030?q?a?=\n") + "\nhello\n" },
		"folded field":           func() string { return "Subject: a\n" + many(mega, " b\n") + "\n\nhello\n" },
		"no fields":              func() string { return many(mega, "hello\n") },
		"no line ends":           func() string { return many(mega, "hello ") },
		"zeros":                  func() string { return many(mega, "\x00") },
		"zeros in the text":      func() string { return person + "\n" + many(mega, "a\x00") },
		"line ends of Macintosh": func() string { return many(mega, "hello\r") },
		"addresses":              func() string { return "From: " + many(mega/16, "a@b.example, ") + "\n\nhello\n" },
		"many From fields":       func() string { return many(mega, "From: a@b.example, c@d.example\n") + "\n\nhello\n" },
		"comments in an address": func() string { return "From: " + many(mega/16, "(") + "a@b\n\nhello\n" },
		"references":             func() string { return "References: " + many(mega/16, "<a@b> ") + "\n\nhello\n" },
		"parameters":             func() string { return "Content-Type: text/plain" + many(mega/16, "; a=b") + "\n\nhello\n" },
		"other parameters": func() string {
			return "Content-Type: multipart/mixed; " + many(mega/16, "boundary = x;;") + "\n\nhello\n"
		},
		"lines":           func() string { return person + "\n" + many(mega, "\n") },
		"one line":        func() string { return person + "\n" + many(mega, "a") },
		"windows-1252":    func() string { return person + "\n" + many(mega, "\xe9") },
		"half characters": func() string { return person + "\n" + many(mega, "\xe9a\xf0\x9f") },
		"Chinese": func() string {
			return person + "Content-Type: text/plain; charset=gb18030\n\n" + many(mega, "\x81\x30\x81\x30")
		},
		"stateful charset": func() string {
			return person + "Content-Type: text/plain; charset=iso-2022-jp\n\n" + many(mega, "\x1b$B\x1b(B")
		},
		"UTF-7":       func() string { return person + "Content-Type: text/plain; charset=utf-7\n\n" + many(mega, "+AOk-") },
		"UTF-7, open": func() string { return person + "Content-Type: text/plain; charset=utf-7\n\n" + many(mega, "+AO ") },
		"charsets that lie": func() string {
			return mixed("", MaxParts-2, "Content-Type: text/plain; charset=utf-16\n\n"+many(piece, "\xd8\x00a"))
		},
		"flowed":        func() string { return person + "Content-Type: text/plain; format=flowed\n\n" + many(mega, "> \n") },
		"flowed quotes": func() string { return person + "Content-Type: text/plain; format=flowed\n\n" + many(mega, ">") },
		"invisible":     func() string { return person + "\n" + many(mega, "\u200b") },
		"texts":         func() string { return mixed("", MaxParts-2, "\n"+many(piece, "hello \xe9\n")) },
		"HTML texts":    func() string { return mixed("", MaxParts-2, "Content-Type: text/html\n\n"+many(piece, "<p>&amp;x")) },
		"HTML beside orders": func() string {
			return person + "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n#orders wolf\n" + many(mega/4, strings.Repeat("x ", 40)+"\n") + "\n--b\nContent-Type: text/html\n\n" + many(mega/2, strings.Repeat("y ", 30)+"<br>") + "\n--b--\n"
		},
		"open elements":        func() string { return html + many(mega, "<b>") },
		"open paragraphs":      func() string { return html + many(mega, "<p>x") },
		"open blocks":          func() string { return html + many(mega, "<div>") },
		"open quotes":          func() string { return html + many(mega, "<blockquote>x") },
		"open quotes in lines": func() string { return html + many(mega/2, "<blockquote>") + many(mega/2, "x<br>") },
		"ends without starts":  func() string { return html + many(mega/2, "<b>") + many(mega/2, "</i>") },
		"line breaks":          func() string { return html + many(mega, "<br>") },
		"attributes":           func() string { return html + "<p " + many(mega, "style=display:none ") },
		"styles":               func() string { return html + many(mega, "<p style='a;b;c'>") },
		"long style":           func() string { return html + "<p style='" + many(mega, "a;") + "'>x" },
		"open comment":         func() string { return html + many(mega, "<!--") },
		"open tag":             func() string { return html + many(mega, "<a <") },
		"entities":             func() string { return html + many(mega, "&amp;&#38;&") },
		"script ends":          func() string { return html + "<script>" + many(mega, "</scrip") },
		"base64 bomb":          func() string { return person + "Content-Transfer-Encoding: base64\n\n" + many(mega, "AAAA\n") },
		"base64 in one line":   func() string { return person + "Content-Transfer-Encoding: base64\n\n" + many(mega, "AAAA") },
		"base64 of noise":      func() string { return person + "Content-Transfer-Encoding: base64\n\nAAAA\n" + many(mega, "=-= ") },
		"quoted-printable":     func() string { return person + "Content-Transfer-Encoding: quoted-printable\n\n" + many(mega, "=\n=Z") },
		"soft line ends":       func() string { return person + "Content-Transfer-Encoding: quoted-printable\n\n" + many(mega, "=\n") },
		"blanks before line ends": func() string {
			return person + "Content-Transfer-Encoding: quoted-printable\n\n" + many(mega/2, " ") + many(mega/2, "= \n")
		},
		"zip": func() string {
			return person + "Content-Type: application/zip; name=orders.zip\nContent-Transfer-Encoding: base64\n\n" + many(mega, "UEsDBBQAAAAI\n")
		},
		"attachments": func() string {
			return person + "Content-Type: multipart/mixed; boundary=b\n\n" + many(mega, "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n")
		},
		"uuencoded files":      func() string { return person + "\n" + many(mega, "begin 644 a.txt\n#86)C\nend\n") },
		"open uuencoded files": func() string { return person + "\n" + many(mega, "begin 644 a.txt\n") },
		"uuencoded nothing":    func() string { return person + "\nbegin 644 a.txt\n" + many(mega, "\n") },
		"signed in signed": func() string {
			return person + many(min(mega, 16*60), "Content-Type: multipart/signed; boundary=b\n\n--b\n") + many(mega, "x\n") + "\n--b\nContent-Type: application/pgp-signature\n\nx\n"
		},
		"signed texts": func() string { return mixed("", MaxParts-2, "\n"+clearMark+"\n"+many(piece, "x\n")) },
		"reports": func() string {
			return report + "Content-Type: message/delivery-status\n\n" + many(mega, "Final-Recipient: rfc822; a@b.example\nAction: failed\n")
		},
		"folded report": func() string {
			return report + "Content-Type: message/delivery-status\n\nAction: failed\n" + many(mega, " x\n")
		},
		"notice":               func() string { return server + "\n" + many(mega, "550 5.1.1 <a@b.example> could not be delivered\n") },
		"notice of codes":      func() string { return server + "\n" + many(mega, "5.1.1. 5.1.1") },
		"notice of addresses":  func() string { return server + "\n" + many(mega, "a@b.example ") },
		"notice of paragraphs": func() string { return server + "\nundeliverable" + many(mega, "\n\nx") },
		"notice in HTML":       func() string { return server + "Content-Type: text/html\n\n" + many(mega, "<p>550 &amp;") },
		"notices": func() string {
			return report + strings.Repeat("\n"+many(piece, "x@y.example 450 4.1.1\n")+"--b\n", MaxParts)
		},
	}
}

// maxMemory is what one mail may cost in addition to its own bytes. It counts all allocations,
// freed or not, so less is held at a time. The test measures memory and not time, which other
// programs on the machine affect.
const maxMemory = 64 << 20

func TestHostile(t *testing.T) {
	// No limit except MaxBytes is higher.
	for name, mail := range hostile(2 * MaxText) {
		t.Run(name, func(t *testing.T) {
			raw := []byte(mail())
			var m Mail
			var err error
			took := allocated(func() {
				m, err = Read(raw)
				m.HTMLText()
			})
			if err != nil && !errors.Is(err, errNoText) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("error %v", err)
			}
			if took > maxMemory {
				t.Errorf("reading it takes %d MB", took>>20)
			}
			check(t, m)
			if took := allocated(func() { ReadBounce(raw) }); took > maxMemory {
				t.Errorf("reading it as a bounce takes %d MB", took>>20)
			}
		})
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkHostile measures the most expensive mails possible.
func BenchmarkHostile(b *testing.B) {
	mails := hostile(9 << 20)
	names := make([]string, 0, len(mails))
	for name := range mails {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			in := []byte(mails[name]())
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				m, _ := Read(in) // the error does not matter here
				m.HTMLText()
				ReadBounce(in)
			}
		})
	}
}

// BenchmarkRead reads real captains' mails, one after the other.
func BenchmarkRead(b *testing.B) {
	var mails [][]byte
	for name, raw := range files(b) {
		if strings.HasPrefix(name, "reply-") {
			mails = append(mails, []byte(crlf(string(raw))))
		}
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, _ = Read(mails[n%len(mails)]) // the error does not matter here
		n++
	}
}
