package mime

import (
	"bytes"
	"strings"
)

// unread records what of a mail cannot be read.
type unread struct {
	skipped bool     // there was something that is not text
	notes   []string // descriptions of that
}

// leave notes a part that cannot be read, with a remedy.
func (u *unread) leave(media, name string, params map[string]string) {
	u.skipped = true
	note := ""
	switch media {
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		note = "The mail is encrypted with S/MIME and cannot be read here. Send it without encryption."
		if kind := strings.ToLower(params["smime-type"]); kind == "signed-data" || kind == "compressed-data" {
			note = "The mail is packed by S/MIME and was not read. Let your mail program sign in clear text, or send it without a signature."
		}
	case "multipart/encrypted":
		note = "The mail is encrypted and cannot be read here. Send it without encryption; a signature does no harm."
	case "application/ms-tnef", "application/vnd.ms-tnef":
		note = "Outlook packed the mail into a winmail.dat, which nothing but Outlook can open. Choose plain text or HTML in place of Rich Text as the format, and send it again."
	case "message/rfc822", "message/global":
		note = "A mail that is attached to this one was not read. Put what you mean into the text of your own mail."
	case "message/partial":
		note = "The mail was sent in pieces, which are not put together here. Send it whole."
	case "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-keys",
		"application/applefile", "application/ics":
		// These contain no orders.
	default:
		// Nor do pictures, but documents of a word processor might.
		if name != "" && (strings.HasPrefix(media, "application/") || strings.HasPrefix(media, "text/")) && media != "text/calendar" && !strings.HasSuffix(media, "vcard") {
			note = "The attachment " + quoted(name) + " is no plain text and was not read. Put its text into the mail, or attach it as a .txt file."
		}
	}
	if note != "" && len(u.notes) < maxWarnings {
		u.notes = append(u.notes, note)
	}
}

// sealed notes text that is encrypted inline.
func (u *unread) sealed(raw []byte) {
	if bytes.Contains(raw, []byte("-----BEGIN PGP MESSAGE-----")) {
		u.leave("multipart/encrypted", "", nil)
	}
}

// textFile is a file within a text.
type textFile struct {
	name string
	body []byte
}

// uuencoded finds files that old mail programs put into the text itself: "begin 644 hood.txt",
// lines of up to 45 bytes, "end". It returns those that would count as order files, at most room of
// them.
func uuencoded(raw []byte, room int) (files []textFile) {
	for len(files) < room {
		at := bytes.Index(raw, []byte("begin "))
		if at < 0 {
			break
		}
		first := at == 0 || raw[at-1] == '\n'
		line, rest, _ := bytes.Cut(raw[at+len("begin "):], []byte("\n"))
		raw = raw[at+len("begin "):]
		mode, name, ok := strings.Cut(string(bytes.TrimSpace(line[:min(len(line), 300)])), " ")
		if !first || !ok || len(mode) != 3 || strings.Trim(mode, "01234567") != "" {
			continue
		}
		body, after, whole := uudecode(rest)
		if !whole {
			continue
		}
		raw = after
		if name = decodeWords(name); orderFile(name) {
			files = append(files, textFile{name: name, body: body})
		}
	}
	return files
}

// uudecode decodes the lines up to "end". It reports false for other lines.
func uudecode(in []byte) (out, rest []byte, ok bool) {
	for len(in) > 0 && len(out) <= MaxText {
		var line []byte
		line, in, _ = bytes.Cut(in, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if string(bytes.TrimSpace(line)) == "end" {
			return out, in, true
		}
		if len(line) == 0 {
			continue
		}
		n := int(line[0]-' ') & 63
		if line[0] < ' ' || line[0] > '`' || len(line) > 100 {
			return nil, nil, false
		}
		at := len(out)
		for i := 1; i < len(line) && len(out) < at+n; i += 4 {
			var v uint32
			for k := range 4 {
				c := byte(' ') // programs strip spaces at the ends of lines
				if i+k < len(line) {
					c = line[i+k]
				}
				v = v<<6 | uint32(c-' ')&63
			}
			out = append(out, byte(v>>16), byte(v>>8), byte(v))
		}
		if len(out) < at+n {
			return nil, nil, false
		}
		out = out[:at+n]
	}
	return nil, nil, false
}

// orderFile reports whether a file with that name may contain orders. Exchange names the pieces of
// a text ATT00001.txt and so on, such as the footer that a list adds.
func orderFile(name string) bool {
	lower := strings.ToLower(strings.TrimSpace(name))
	if rest, ok := strings.CutPrefix(lower, "att"); ok && len(rest) >= 5 && strings.Trim(strings.TrimSuffix(rest, ".txt"), "0123456789") == "" {
		return false
	}
	return strings.HasSuffix(lower, ".txt") || strings.HasSuffix(lower, ".ord")
}
