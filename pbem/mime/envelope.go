package mime

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
)

// envelope fills the header fields of m from the outermost header block.
func (m *Mail) envelope(h message.Header, warn func(string, ...any)) {
	m.fields = ordered(h)
	m.header = headerMap(m.fields)
	if n := len(m.header["from"]); n > 1 {
		warn("The mail has %d From headers.", n)
	}
	m.From = addresses(h, "From")
	m.To = addresses(h, "To")
	m.Cc = addresses(h, "Cc")
	m.ReplyTo = addresses(h, "Reply-To")
	m.Subject = cut(decodeWords(m.first("subject")), 998)
	if t, err := mail.ParseDate(cut(m.first("date"), 100)); err == nil {
		m.Date = t
	}
	m.MessageID = firstOf(messageIDs(m.first("message-id")))
	m.InReplyTo = firstOf(messageIDs(m.first("in-reply-to")))
	for _, v := range m.header["references"] {
		// The newest stand last.
		m.References = append(m.References, messageIDs(v[max(0, len(v)-maxValue):])...)
	}
	if n := len(m.References); n > maxIDs {
		m.References = m.References[n-maxIDs:]
	}
}

var looseAddress = regexp.MustCompile(`<[^<>\s]+@[^<>\s]+>|[^<>\s,;:"()]+@[^<>\s,;:"()]+`)

// addresses reads every field of that name. A list that is not well formed,
// such as "Bob, Jr <bob@example.org>", still gives what looks like an address.
func addresses(h message.Header, name string) []Address {
	var out []Address
	parser := mail.AddressParser{WordDecoder: wordDecoder()}
	fields := h.FieldsByKey(name)
	for fields.Next() && len(out) < maxAddrs {
		value := cut(oneLine(fields.Value()), maxValue)
		if value == "" {
			continue
		}
		list, err := parser.ParseList(value)
		if err != nil {
			for _, a := range looseAddress.FindAllString(value, maxAddrs) {
				out = append(out, Address{Addr: strings.Trim(a, "<>")})
			}
			continue
		}
		for _, a := range list {
			out = append(out, Address{Name: oneLine(a.Name), Addr: a.Address})
		}
	}
	if len(out) > maxAddrs {
		out = out[:maxAddrs]
	}
	return out
}

var messageID = regexp.MustCompile(`<([^<>\s]+@[^<>\s]+)>`)

// messageIDs finds the ids in a field, also among the prose of old clients
// ("Your message of Tuesday <x@y>").
func messageIDs(value string) []string {
	var ids []string
	for _, f := range messageID.FindAllStringSubmatch(value, -1) {
		if len(f[1]) <= 998 {
			ids = append(ids, f[1])
		}
	}
	return ids
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// cut shortens s to at most n bytes without breaking a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
