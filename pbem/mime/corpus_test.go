package mime

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// block1 is what the captain of the corpus sends.
const block1 = "#orders wolf turn 3 ship Hood key 7K4Q-92FM\npower\n  move 16\n#end\n"

// crlf gives a mail CRLF line ends.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

const person = "From: Ann <ann@example.org>\nTo: battles@example.org\nSubject: orders\nDate: Mon, 2 Mar 2026 20:00:00 +0100\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"

func b64(s string) string {
	e := base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for len(e) > 76 {
		b.WriteString(e[:76] + "\n")
		e = e[76:]
	}
	return b.String() + e + "\n"
}

func utf16le(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// odd is an odd mail and the expected result.
type odd struct {
	name      string
	raw       string
	text      string
	source    string   // "" is SourcePlain
	automatic string   // its start
	warnings  []string // a part of each, in order
	err       error
	attached  string // not checked if ""
}

var corpus = []odd{
	{
		name: "plain",
		raw:  person + "Content-Type: text/plain; charset=utf-8\n\n" + block1,
		text: block1,
	},
	{
		name: "no content type, bare line feeds",
		raw:  strings.ReplaceAll(person, "\r", "") + "\n" + block1,
		text: block1,
	},
	{
		name: "line ends of an old Macintosh",
		raw:  strings.ReplaceAll(person+"\n"+block1, "\n", "\r"),
		text: block1,
	},
	{
		name: "quoted-printable with soft breaks and Latin-1",
		raw:  person + "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n#orders wolf =\nturn 3 ship Hood\nluck caf=E9=20\n#end",
		text: "#orders wolf turn 3 ship Hood\nluck café \n#end",
	},
	{
		name:     "broken quoted-printable",
		raw:      person + "Content-Transfer-Encoding: quoted-printable\n\nluck 100= =ZZ\x01 =3D =\n#end=",
		text:     "luck 100= =ZZ = #end",
		warnings: []string{"quoted-printable of a part is broken"},
	},
	{
		name: "base64",
		raw:  person + "Content-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: base64\n\n" + b64(block1),
		text: block1,
	},
	{
		name:     "base64 with a footer in the clear",
		raw:      person + "Content-Transfer-Encoding: BASE64\n\n" + b64(block1) + "-- \nSent through a list of *ours*\n",
		text:     block1,
		warnings: []string{"base64 of a part is broken"},
	},
	{
		name:     "plain text that says it is base64",
		raw:      person + "Content-Transfer-Encoding: base64\n\n" + block1,
		text:     block1,
		warnings: []string{"says that it is base64"},
	},
	{
		name:     "unknown transfer encoding",
		raw:      person + "Content-Transfer-Encoding: x-pigeon\n\n" + block1,
		text:     block1,
		warnings: []string{"x-pigeon"},
	},
	{
		name:     "unknown charset",
		raw:      person + "Content-Type: text/plain; charset=klingon-1\n\n" + block1 + "caf\xe9\n",
		text:     block1 + "café\n",
		warnings: []string{"klingon-1", "windows-1252"},
	},
	{
		name:     "windows-1252 that says UTF-8, among real UTF-8",
		raw:      person + "Content-Type: text/plain; charset=utf-8\n\nluck caf\xe9 \x93naïve\x94 10 \x80\n",
		text:     "luck café \"naïve\" 10 €\n",
		warnings: []string{"windows-1252"},
	},
	{
		name: "a real charset of the East",
		raw:  person + "Content-Type: text/plain; charset=shift_jis\n\nluck \x83\x8d\x83P\n",
		text: "luck ロケ\n",
	},
	{
		name: "byte order mark, no-break spaces, clever quotes, dashes, zero width, NUL",
		raw:  person + "\n\ufeff#orders\u00a0wolf key 7K4Q\u201192FM\n\u2003arm bank\u2013b\u200b 5\nmessage \u201cit\u2019s\u201d \u2014 yes\x00\x07\n#end\n",
		text: "#orders wolf key 7K4Q-92FM\n arm bank-b 5\nmessage \"it's\" -- yes\n#end\n",
	},
	{
		name: "UTF-16 as Notepad saves it",
		raw:  person + "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + b64(utf16le(crlf(block1))),
		text: block1,
	},
	{
		name: "format=flowed",
		raw:  person + "Content-Type: text/plain; charset=utf-8; format=flowed\n\nluck one \ntwo \nthree\n stuffed\n>> quoted \n>> on\n> less \n\nend\n",
		text: "luck one two three\nstuffed\n>> quoted on\n> less \n\nend\n",
	},
	{
		name: "format=flowed with DelSp and a signature",
		raw:  person + "Content-Type: text/plain; format=Flowed; DelSp=Yes\n\ntor \npedo\nbye \n-- \nAnn\n",
		text: "torpedo\nbye\n-- \nAnn\n",
	},
	{
		name: "format=flowed in which orders end in spaces",
		raw:  person + "Content-Type: text/plain; format=flowed\n\npower \n  move 16 \n  shields 1:10 \n#end\n",
		text: "power \n move 16 \n shields 1:10 \n#end\n",
	},
	{
		name: "alternative: plain wins",
		raw: person + "Content-Type: multipart/alternative; boundary=b\n\npreamble\n--b\nContent-Type: text/plain\n\n" + block1 +
			"\n--b\nContent-Type: text/html\n\n<p>no</p>\n--b--\nepilogue\n",
		text: block1,
	},
	{
		name: "alternative in which plain comes last and in a related part",
		raw: person + "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<p>no</p>\n--r--\n" +
			"--b\nContent-Type: text/plain\n\n" + block1 + "\n--b--\n",
		text: block1,
	},
	{
		name: "alternative with an empty plain part",
		raw: person + "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n \n\n--b\nContent-Type: text/html\n\n" +
			"<html><body><div>#orders wolf</div><div>#end</div></body></html>\n--b--\n",
		text:     "#orders wolf\n#end",
		source:   SourceHTML,
		warnings: []string{"HTML only"},
	},
	{
		name: "HTML by Outlook",
		raw: person + "Content-Type: text/html; charset=windows-1252\n\n<html><head><style>p{margin:0}</style><title>x</title></head><body lang=EN>" +
			"<p class=MsoNormal>#orders&nbsp;wolf turn\n3 ship Hood<o:p></o:p></p><p class=MsoNormal>  luck \x93go\x94 &lt;3</p><p class=MsoNormal>#end</p></body></html>",
		text:     "#orders wolf turn 3 ship Hood\nluck \"go\" <3\n#end",
		source:   SourceHTML,
		warnings: []string{"HTML only"},
	},
	{
		name: "HTML with hidden text, script, comment, table, pre and quote",
		raw: person + "Content-Type: text/html\n\n<body><span style=\"display: none !important\">fire all</span><script>alert('#orders')</script><!-- no -->" +
			"<div>one<br>two</div><div><br></div><p hidden>gone<p>three</p><table><tr><td>a<td>b<tr><td>c</table><pre>  move  16\n  x</pre>" +
			"<blockquote>mine<blockquote>older</blockquote></blockquote><p style='mso-hide:all'>gone</p>last",
		text:     "one\ntwo\n\n\nthree\n\na b\nc\n  move  16\n  x\nmine\n> older\nlast",
		source:   SourceHTML,
		warnings: []string{"hidden text", "HTML only"},
	},
	{
		name: "HTML that declares its charset inside",
		raw:  person + "Content-Type: text/html\n\n<html><head><meta charset=\"iso-8859-2\"></head>luck \xb3</html>",
		text: "luck ł", source: SourceHTML,
		warnings: []string{"HTML only"},
	},
	{
		name: "one attachment",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/octet-stream; name=hood.ord\nContent-Disposition: attachment; filename=\"Hood.ORD\"\nContent-Transfer-Encoding: base64\n\n" +
			b64(block1) + "--b--\n",
		text: block1, source: SourceAttachment,
	},
	{
		name: "one attachment with an encoded name below an empty text",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\n--b\nContent-Type: text/plain\n" +
			"Content-Disposition: attachment; filename*=utf-8''H%C3%BCter.txt\n\n" + block1 + "\n--b--\n",
		text: block1, source: SourceAttachment,
	},
	{
		name: "two attachments",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name=a.txt\n\none\n--b\n" +
			"Content-Disposition: attachment; filename=b.txt\n\ntwo\n--b--\n",
		err: errNoText, warnings: []string{"2 attached order files"},
	},
	{
		name: "only a picture",
		raw:  person + "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n",
		err:  errNoText, warnings: []string{"no text"},
	},
	{
		name: "text around a picture, as Apple Mail sends it",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhello\n--b\nContent-Type: image/png\nContent-Disposition: inline; filename=x.png\n\nzzz\n" +
			"--b\nContent-Type: text/plain\n\n" + block1 + "\n--b--\n",
		text: "hello\n" + block1,
	},
	{
		name: "the same text twice in a mixed part",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + block1 +
			"\n--b\nContent-Type: text/html\n\n<p>the same</p>\n--b--\n",
		text: block1,
	},
	{
		name: "signed",
		raw: person + "Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\n\n--b\n\n" + block1 +
			"\n--b\nContent-Type: application/pgp-signature; name=signature.asc\n\nxxx\n--b--\n",
		text: block1,
	},
	{
		name: "the final boundary is missing",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + block1,
		text: block1, warnings: []string{"end of a multipart is missing"},
	},
	{
		name: "no boundary is declared",
		raw:  person + "Content-Type: multipart/mixed\n\n--=_xyz\nContent-Type: text/plain\n\n" + block1 + "\n--=_xyz--\n",
		text: block1,
	},
	{
		name: "no boundary is declared, and it is short",
		raw:  person + "Content-Type: multipart/mixed\n\n-- \nno part yet\n--B\nContent-Type: text/plain\n\n" + block1 + "\n--B--\n",
		text: block1,
	},
	{
		name: "another boundary than the one declared",
		raw:  person + "Content-Type: multipart/mixed; boundary=nowhere\n\n--BB\nContent-Type: text/plain\n\n" + block1 + "\n--BB--\n",
		text: block1, warnings: []string{"do not begin where its header says"},
	},
	{
		name: "orders before the first part, which is empty",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n" + block1 + "--b\n\n\n--b--\n",
		text: block1 + "--b\n\n\n--b--\n", warnings: []string{"from the mail as it stands"},
	},
	{
		name: "a boundary that never comes",
		raw:  person + "Content-Type: multipart/mixed; boundary=nowhere\n\n" + block1,
		text: block1, warnings: []string{"multipart without parts"},
	},
	{
		name: "a boundary that begins like another",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=bb\n\n--bb\n\n" + block1 +
			"\n--bb--\n\n--b--\n",
		text: block1,
	},
	{
		name: "an unquoted boundary that needs quotes, and spaces after the lines",
		raw:  person + "Content-Type: multipart/mixed; boundary=a/b?c=d; charset\n\n--a/b?c=d  \nContent-Type: text/plain\n\n" + block1 + "\n--a/b?c=d--\t\n",
		text: block1,
	},
	{
		name: "a part that begins without a header and without an empty line",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n--b\n#orders wolf\nnote: x\n#end\n\n--b--\n",
		text: "#orders wolf\nnote: x\n#end\n",
	},
	{
		name: "a content type without a subtype",
		raw:  person + "Content-Type: text\n\n" + block1,
		text: block1,
	},
	{
		name: "a content type of noise",
		raw:  person + "Content-Type: ;;;=?\"\n\n" + block1,
		text: block1,
	},
	{
		name: "an mbox line, a line that is no field, and a folded one",
		raw:  "From ann@example.org Mon Mar  2 20:00:00 2026\nReceived: from a\n\tby b\nthis is no field\n and goes on\n" + person + "\n" + block1,
		text: block1, warnings: []string{"header line that is no field"},
	},
	{
		name: "no empty line below the header",
		raw:  person + block1,
		text: block1,
	},
	{
		name: "prose without an empty line below the header",
		raw:  person + "Hello robot,\n\n" + block1,
		text: "Hello robot,\n\n" + block1, warnings: []string{"without an empty line"},
	},
	{
		name: "a line of blanks below the header",
		raw:  person + " \n" + block1,
		text: block1,
	},
	{
		name: "no header at all",
		raw:  "Hello\nnote: this is no header\n" + block1,
		text: "Hello\nnote: this is no header\n" + block1, warnings: []string{"no header"},
	},
	{
		name: "nothing", raw: "", err: errNoText, warnings: []string{"no header"},
	},
	{
		name: "a header only", raw: person, err: errNoText,
	},
	{
		name: "a forwarded mail as attachment",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nFrom: x@y\n\n" + block1 + "\n--b--\n",
		err:  errNoText, warnings: []string{"attached to this one"},
	},
	{
		name: "a digest",
		raw:  person + "Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: x@y\n\n" + block1 + "\n--b--\n",
		err:  errNoText,
	},
	{
		name: "a bounce",
		raw: "Return-Path: <>\nFrom: MAILER-DAEMON@example.org\nSubject: undelivered\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nIt could not be delivered.\n" +
			"--b\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n--b--\n",
		text: "It could not be delivered.", automatic: "null Return-Path",
	},
	{
		name: "a bounce of the old kind",
		raw:  "From: Mail Delivery System <Mailer-Daemon@mx.example.org>\nSubject: failure\n\ngone\n",
		text: "gone\n", automatic: "From: mailer-daemon",
	},
	{
		name: "a read receipt",
		raw:  person + "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nread\n--b--\n",
		text: "read", automatic: "report: disposition-notification",
	},
	{
		name: "out of office",
		raw:  person + "Auto-Submitted: auto-replied (vacation)\n\naway\n",
		text: "away\n", automatic: "Auto-Submitted: auto-replied",
	},
	{
		name: "Auto-Submitted: no is a person",
		raw:  person + "Auto-Submitted: No ; really\nPrecedence: normal\n\nhello\n",
		text: "hello\n",
	},
	{
		name: "a mailing list", raw: person + "List-Id: <x.example.org>\n\nhello\n",
		text: "hello\n", automatic: "List-Id",
	},
	{
		name: "bulk", raw: person + "Precedence: Bulk\n\nhello\n",
		text: "hello\n", automatic: "Precedence: bulk",
	},
	{
		name: "our own loop", raw: person + "X-Loop: Starpost battles@example.org\n\nhello\n",
		text: "hello\n", automatic: "X-Loop",
	},
	{
		name: "another's loop mark is a person's mail", raw: person + "X-Loop: ann@example.org\n\nhello\n",
		text: "hello\n",
	},
	{
		name: "an autoresponder", raw: person + "X-Autoreply: yes\n\nhello\n",
		text: "hello\n", automatic: "X-Autoreply",
	},
	{
		name: "a person whose server wants no answers from machines", raw: person + "X-Auto-Response-Suppress: DR, OOF, AutoReply\n\nhello\n",
		text: "hello\n",
	},
	{
		name: "an Exchange autoresponder", raw: strings.Replace(person, "orders", "Ann is out of the office", 1) + "X-Auto-Response-Suppress: DR, OOF, AutoReply\n\nhello\n",
		text: "hello\n", automatic: "X-Auto-Response-Suppress",
	},
	{
		name: "a captain announces an absence by command", raw: strings.Replace(person, "orders", "away 3 May to 9 May", 1) + "X-Auto-Response-Suppress: All\n\nhello\n",
		text: "hello\n",
	},
	{
		name: "a forwarded mail beside orders of one's own",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + block1 + "\n--b\nContent-Type: message/rfc822\n\nFrom: x@y\n\nhello\n--b--\n",
		text: block1,
	},
	{
		name: "winmail.dat",
		raw:  person + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nattached\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n--b--\n",
		text: "attached", warnings: []string{"Rich Text"},
	},
	{
		name: "a word processor's file, a picture and a signature",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nattached\n--b\nContent-Type: application/msword; name=Hood.doc\n\nx\n" +
			"--b\nContent-Type: image/png; name=logo.png\n\nx\n--b\nContent-Type: application/pkcs7-signature; name=smime.p7s\n\nx\n--b--\n",
		text: "attached", warnings: []string{`"Hood.doc" is no plain text`},
	},
	{
		name: "encrypted with OpenPGP",
		raw:  person + "Content-Type: multipart/encrypted; boundary=b; protocol=\"application/pgp-encrypted\"\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----\n--b--\n",
		err:  errNoText, warnings: []string{"encrypted"},
	},
	{
		name: "encrypted within the text",
		raw:  person + "\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n",
		text: "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n", warnings: []string{"encrypted"},
	},
	{
		name: "packed by S/MIME",
		raw:  person + "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIIB\n",
		err:  errNoText, warnings: []string{"packed by S/MIME"},
	},
	{
		name: "a piece of a mail",
		raw:  person + "Content-Type: message/partial; id=x; number=1; total=2\n\nSubject: x\n\n" + block1,
		err:  errNoText, warnings: []string{"pieces"},
	},
	{
		name: "a uuencoded file in the text",
		raw:  person + "\nsee below\nbegin 644 hood.txt\n8(V]R9&5R<R!W;VQF\"G!O=V5R\"B-E;F0*\n`\nend\n",
		text: "see below\nbegin 644 hood.txt\n8(V]R9&5R<R!W;VQF\"G!O=V5R\"B-E;F0*\n`\nend\n", attached: "#orders wolf\npower\n#end\n",
	},
	{
		name: "words that begin as a uuencoded file does",
		raw:  person + "\nbegin 644 hood.txt\nno\nend\nbegin 99 x\nbegin\n",
		text: "begin 644 hood.txt\nno\nend\nbegin 99 x\nbegin\n",
	},
	{
		name: "a footer that Exchange made a file of",
		raw: person + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name=hood.txt\n\n" + block1 + "\n--b\nContent-Type: text/plain; name=ATT00001.txt\n" +
			"Content-Disposition: attachment; filename=\"ATT00001.txt\"\n\nfooter\n--b--\n",
		text: block1, source: SourceAttachment, attached: block1,
	},
	{
		name: "a text of a kind that nobody knows",
		raw:  person + "Content-Type: text/x-orders\n\n" + block1,
		text: block1,
	},
	{
		name: "a calendar",
		raw:  person + "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n",
		err:  errNoText, warnings: []string{"no text"}, automatic: "reply of a calendar",
	},
	{
		name: "an invitation",
		raw:  person + "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\n",
		err:  errNoText, warnings: []string{"no text"},
	},
	{
		name: "a text that says it is a file",
		raw:  person + "Content-Type: text/plain\nContent-Disposition: attachment; filename=mail\n\n" + block1,
		text: block1,
	},
	{
		name: "lines that the HTML form has whole",
		raw: person + "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n#orders wolf\nluck one two three four five six seven eight nine ten eleven\ntwelve thirteen\n" +
			"power one two three four five six seven eight nine ten eleven\npower\n#end\none two three four five six seven eight nine ten eleven twelve\nthirteen\n" +
			"--b\nContent-Type: text/html\n\n<div>#orders wolf</div><div>luck one two three four five six seven eight nine ten eleven\ntwelve thirteen</div>" +
			"<div>power one two three four five six seven eight nine ten eleven</div><div>power</div><div>#end</div>one two three four five six seven eight nine ten eleven twelve thirteen\n--b--\n",
		text: "#orders wolf\nluck one two three four five six seven eight nine ten eleven twelve thirteen\n" +
			"power one two three four five six seven eight nine ten eleven\npower\n#end\none two three four five six seven eight nine ten eleven twelve\nthirteen",
	},
	{
		name: "UTF-8 that says it is Latin-1",
		raw:  person + "Content-Type: text/plain; charset=iso-8859-1\n\nluck\u00a0café\n",
		text: "luck café\n", warnings: []string{"it is UTF-8"},
	},
	{
		name: "UTF-16 without a mark",
		raw:  person + "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + b64(utf16le(block1)[2:]),
		text: block1,
	},
	{
		name: "UTF-7",
		raw:  person + "Content-Type: text/plain; charset=UTF-7\n\nluck caf+AOk- 1 +- 2 +ZeVnLIqe-! +x +AOk\n",
		text: "luck café 1 + 2 日本語! +x é\n",
	},
}

func TestCorpus(t *testing.T) {
	for _, c := range corpus {
		for ends, raw := range map[string]string{"as written": c.raw, "as on the wire": crlf(c.raw)} {
			if ends == "as on the wire" && strings.Contains(c.raw, "\r") {
				continue
			}
			t.Run(c.name+" "+ends, func(t *testing.T) {
				m, err := Read([]byte(raw))
				if !errors.Is(err, c.err) {
					t.Errorf("error %v, want %v", err, c.err)
				}
				if m.Text != c.text {
					t.Errorf("text %q\n want %q", m.Text, c.text)
				}
				source := c.source
				if source == "" && c.err == nil {
					source = SourcePlain
				}
				if m.Source != source {
					t.Errorf("source %q, want %q", m.Source, source)
				}
				if c.attached != "" && m.Attached != c.attached {
					t.Errorf("attached %q, want %q", m.Attached, c.attached)
				}
				if !strings.HasPrefix(m.Automatic, c.automatic) || (m.Automatic == "") != (c.automatic == "") {
					t.Errorf("automatic %q, want %q", m.Automatic, c.automatic)
				}
				if !slices.EqualFunc(m.Warnings, c.warnings, strings.Contains) {
					t.Errorf("warnings %q, want %q", m.Warnings, c.warnings)
				}
				check(t, m)
			})
		}
	}
}
