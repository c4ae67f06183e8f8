package mime

import (
	"net/mail"
	"strings"
	"time"

	"github.com/emersion/go-message"

	"starpost/pbem/pattern"
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
	m.Date = date(cut(m.first("date"), 100))
	m.MessageID = firstOf(messageIDs(m.first("message-id")))
	m.InReplyTo = firstOf(messageIDs(m.first("in-reply-to")))
	for _, v := range m.header["references"] {
		// The newest ones come last.
		m.References = append(m.References, messageIDs(v[max(0, len(v)-maxValue):])...)
	}
	if n := len(m.References); n > maxIDs {
		m.References = m.References[n-maxIDs:]
	}
}

// date parses a date; zero if it is invalid.
func date(value string) time.Time {
	// The usual form; the library tries dozens of other forms first.
	if t, err := time.Parse("Mon, 2 Jan 2006 15:04:05 -0700", value); err == nil {
		return t
	}
	if t, err := mail.ParseDate(value); err == nil {
		return t
	}
	return time.Time{}
}

var looseAddress = pattern.New(`<[^<>\s]+@[^<>\s]+>|[^<>\s,;:"()]+@[^<>\s,;:"()]+`)

// addresses reads every field with that name. From a malformed list, such as "Bob, Jr
// <bob@example.org>", it still returns what looks like an address.
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
			for _, a := range looseAddress().FindAllString(value, maxAddrs) {
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

// messageIDs finds the IDs in a field, also in the prose of old clients ("Your message of Tuesday
// <x@y>").
func messageIDs(value string) []string {
	var ids []string
	for {
		_, rest, found := strings.Cut(value, "<")
		if !found {
			return ids
		}
		value = rest
		end := strings.IndexAny(rest, "<> \t\n\f\r")
		if end < 0 || rest[end] != '>' {
			continue
		}
		// An ID has something before and after its @.
		id := rest[:end]
		if len(id) > 2 && strings.Contains(id[1:len(id)-1], "@") {
			value = rest[end+1:]
			if len(id) <= 998 {
				ids = append(ids, id)
			}
		}
	}
}
