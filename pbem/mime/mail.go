package mime

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
)

// Limits on the cost of a mail.
const (
	MaxBytes      = 10 << 20  // of the raw mail
	MaxHeader     = 256 << 10 // of the mail's header
	MaxDepth      = 16        // of nested multiparts
	MaxParts      = 64        // looked at in one mail
	MaxText       = 1 << 20   // of Text, in bytes
	MaxLines      = 20000     // of Text
	maxHTML       = 1 << 20   // of all HTML parts together, decoded
	maxFields     = 1000      // of one header
	maxPartHeader = 16 << 10  // of a part's header
	maxValue      = 16 << 10  // of one header value that is parsed
	maxParams     = 2 << 10   // of a Content-Type or the like
	maxIDs        = 100       // of References; the newest are kept
	maxAddrs      = 100       // of one address header
	maxWarnings   = 20
)

// LoopMark is the value of the X-Loop header of every mail that we send. A mail with it is one of ours
// coming back.
const LoopMark = "starpost"

// Errors of Read. Each comes with a Mail that has as many header fields as could be read.
var (
	ErrTooLarge = errors.New("the mail is larger than 10 MiB")
	errNoText   = errors.New("the mail has no text that could be read")
)

// Address is one mailbox of a header: Addr is local@domain without brackets, Name the decoded text
// before it, or "".
type Address struct {
	Name string
	Addr string
}

// String returns the form used in headers, unquoted and for reading only.
func (a Address) String() string {
	if a.Name == "" {
		return a.Addr
	}
	return a.Name + " <" + a.Addr + ">"
}

// Where Text came from.
const (
	SourcePlain      = "text/plain"
	SourceHTML       = "text/html"
	SourceAttachment = "attachment"
)

// Mail is what the robot needs of a mail.
type Mail struct {
	From, To, Cc, ReplyTo []Address

	Subject    string    // decoded, one line
	Date       time.Time // by the sender's clock; zero if absent or unreadable
	MessageID  string    // without angle brackets, as are the next two; "" if absent
	InReplyTo  string
	References []string // oldest first

	Text   string // see the package comment
	Source string // SourcePlain, SourceHTML or SourceAttachment; "" if there is no text
	// Part names the parts of the mail that Text comes from, by type and number: "text/plain in part
	// 1.2"; without a number if it is the whole mail.
	Part string

	// Attached is the text of the only attachment named *.txt or *.ord, AttachedName its name, and
	// AttachedPart its place. They are "" if there is none or more than one. If the mail has no other
	// text, this is also Text.
	Attached     string
	Scenario     string // the text of the only attachment named *.toml; "" if there is none
	AttachedName string
	AttachedPart string

	// Automatic is why the mail counts as written by a machine, such as
	// "Auto-Submitted: auto-replied", or "" if a person wrote it.
	Automatic string
	// Uncertain means that the reason for Automatic also occurs in people's mails: marks of a mailing
	// list, which a provider may add, the subject of an absence notice, which a person may write, or a
	// calendar's reply.
	Uncertain bool

	// Signed are the parts with an OpenPGP signature, in order. The signatures have not been checked.
	Signed []SignedPart

	// Warnings say in full sentences what was repaired, guessed or left out.
	Warnings []string

	header  map[string][]string // by lower-case name, undecoded
	fields  []Field
	shown   func() string // see HTMLText; nil for none
	shownAt string
}

// Header returns the values of every header field with that name, ignoring case, in the order of the
// mail, unfolded and with encoded words decoded.
func (m Mail) Header(name string) []string {
	values := m.header[strings.ToLower(name)]
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, decodeWords(cut(v, maxValue)))
	}
	return out
}

// first returns the first value of a header field, undecoded, or "".
func (m Mail) first(name string) string {
	if v := m.header[strings.ToLower(name)]; len(v) > 0 {
		return cut(v[0], maxValue)
	}
	return ""
}

// Senders returns the bare addresses of the From header.
func (m Mail) Senders() []string { return bare(m.From) }

// Recipients returns the bare addresses of To and Cc.
func (m Mail) Recipients() []string { return append(bare(m.To), bare(m.Cc)...) }

// WrittenTo returns the recipients, then the References, newest first. The References of our mails
// also contain the address for replies, for programs that reply to From.
func (m Mail) WrittenTo() []string {
	refs := slices.Clone(m.References)
	slices.Reverse(refs)
	return append(m.Recipients(), refs...)
}

func bare(list []Address) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.Addr
	}
	return out
}

// Field is one header field of a mail: its value unfolded and on one line, but not decoded.
type Field struct{ Name, Value string }

// Fields returns all header fields of the mail in order, from the top: what a server added last comes
// first.
func (m Mail) Fields() []Field { return append([]Field(nil), m.fields...) }

func ordered(h message.Header) []Field {
	out := make([]Field, 0, h.Len())
	for fields := h.Fields(); fields.Next(); {
		out = append(out, Field{Name: fields.Key(), Value: oneLine(fields.Value())})
	}
	return out
}

// ordersMark is the start of an order set. The package knows no more of orders than this: a captain is
// told of unreadable parts only if nothing else in the mail can be what was meant.
const ordersMark = "#orders"

// SignedPart is a piece of the mail that has, or claims to have, an OpenPGP signature. Neither its
// validity nor its owner has been checked.
type SignedPart struct {
	// Content are the signed bytes with \r\n line ends, a MIME entity with its header (RFC 3156
	// section 5). For a cleartext signature (RFC 9580 section 7) it is that whole text,
	// transfer-decoded but otherwise unchanged.
	Content []byte
	// Signature is the detached signature, armored or binary; nil for a cleartext signature.
	Signature []byte
	// Text is the part of Mail.Text that comes from Content. For a cleartext signature, NormaliseText
	// brings what a verifier extracts from Content into the same form.
	Text string
}

// HTMLText returns the HTML form of the mail's text as its writer saw it, if the mail has the text in
// both forms; otherwise "". Mail programs put quote marks into the plain form only, so what someone
// wrote between quoted lines has no marks here. Source and warnings refer to Text, not to this.
func (m Mail) HTMLText() string {
	if m.shown == nil {
		return ""
	}
	return m.shown()
}

// HTMLTextPart names the part of the mail that HTMLText comes from, like Part; "" for none.
func (m Mail) HTMLTextPart() string { return m.shownAt }
