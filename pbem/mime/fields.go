package mime

import "github.com/emersion/go-message"

// Field is one header field of a mail: its value unfolded and on one line, but
// not decoded.
type Field struct{ Name, Value string }

// Fields are all header fields of the mail in their order, from the top: what a
// server added last stands first.
func (m Mail) Fields() []Field { return append([]Field(nil), m.fields...) }

func ordered(h message.Header) []Field {
	out := make([]Field, 0, h.Len())
	for fields := h.Fields(); fields.Next(); {
		out = append(out, Field{Name: fields.Key(), Value: oneLine(fields.Value())})
	}
	return out
}
