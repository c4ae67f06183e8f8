package mime

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
)

// Limits on what one mail may cost.
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
	maxIDs        = 100       // of References, the newest
	maxAddrs      = 100       // of one address header
	maxWarnings   = 20
)

// LoopMark is the value of the X-Loop header of every mail that we send. A
// mail that carries it is one of ours coming back.
const LoopMark = "starpost"

// Errors of Read. Each comes with a Mail whose header fields are filled as far
// as they could be read.
var (
	ErrTooLarge = errors.New("the mail is larger than 10 MiB")
	errNoText   = errors.New("the mail has no text that could be read")
)

// Address is one mailbox of a header: Addr is local@domain without brackets,
// Name what stands before it, decoded, or "".
type Address struct {
	Name string
	Addr string
}

// String is the form that headers use, unquoted and for reading only.
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

// Mail is a mail as far as the robot needs it.
type Mail struct {
	From, To, Cc, ReplyTo []Address

	Subject    string    // decoded, one line
	Date       time.Time // as the sender's clock had it; zero if absent or unreadable
	MessageID  string    // without angle brackets, as are the next two; "" if absent
	InReplyTo  string
	References []string // oldest first

	Text   string // see the package's invariants
	Source string // SourcePlain, SourceHTML or SourceAttachment; "" if there is no text
	// Part names the parts of the mail that Text stands in, by type and number:
	// "text/plain in part 1.2"; without a number where it is all of the mail.
	Part string

	// Attached is the text of the one attachment named *.txt or *.ord, and
	// AttachedName its name, AttachedPart where it stands. They are "" when there
	// is none or more than one. Where the mail has no other text they are Text as well.
	Attached     string
	Scenario     string // the text of the one attachment named *.toml; "" where there is none
	AttachedName string
	AttachedPart string

	// Automatic is why the mail counts as written by a machine, such as
	// "Auto-Submitted: auto-replied", or "" if a person wrote it.
	Automatic string
	// Uncertain tells that what says so may be found in a person's mail too: the marks
	// of a mailing list, which a provider may put on it, the subject of an absence
	// notice, which someone may write, or a calendar's reply.
	Uncertain bool

	// Signed are the parts with an OpenPGP signature, in order; nothing is said
	// about whether one is good.
	Signed []SignedPart

	// Warnings say in whole sentences what was repaired, guessed or left out.
	Warnings []string

	header  map[string][]string // by lower-case name, undecoded
	fields  []Field
	shown   func() string // see HTMLText; nil for none
	shownAt string
}

// Header gives the values of every header field of that name, case aside, in
// the order of the mail, unfolded and with encoded words decoded.
func (m Mail) Header(name string) []string {
	values := m.header[strings.ToLower(name)]
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, decodeWords(cut(v, maxValue)))
	}
	return out
}

// first is the first value of a header field, undecoded, or "".
func (m Mail) first(name string) string {
	if v := m.header[strings.ToLower(name)]; len(v) > 0 {
		return cut(v[0], maxValue)
	}
	return ""
}

// Senders are the addresses of the From header, bare.
func (m Mail) Senders() []string { return bare(m.From) }

// Recipients are the addresses of To and Cc, bare.
func (m Mail) Recipients() []string { return append(bare(m.To), bare(m.Cc)...) }

// WrittenTo are the recipients, and then the References from the newest on: a mail of ours names there
// too to which address its answer is to go, for programs that answer to From.
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

// ordersMark begins what the mail is for. The package knows no more of orders
// than this: a captain is told of what could not be read only where nothing
// else in his mail can be what he meant.
const ordersMark = "#orders"

// SignedPart is a piece of the mail that bears an OpenPGP signature, or says
// so: nothing here tells whether the signature is good, or whose it is.
type SignedPart struct {
	// Content are the signed bytes with \r\n line ends, a MIME entity with its
	// header (RFC 3156 section 5). In a text that is signed within itself (RFC
	// 9580 section 7) it is that whole text, transfer-decoded but otherwise as
	// it came.
	Content []byte
	// Signature is the detached signature, armored or binary; nil for a text
	// that is signed within itself.
	Signature []byte
	// Text is what Mail.Text has of Content. For a text that is signed within
	// itself, NormaliseText gives what a verifier takes out of Content the same form.
	Text string
}

// HTMLText is the HTML form of the mail's text as its writer saw it, where the mail
// has the text in both forms; else "". Mail programs put quote marks into the
// plain form only, so what someone wrote between quoted lines stands here
// without any. Source and warnings speak of Text, not of this.
func (m Mail) HTMLText() string {
	if m.shown == nil {
		return ""
	}
	return m.shown()
}

// HTMLTextPart is the part of the mail that HTMLText stands in, as Part has it; "" for none.
func (m Mail) HTMLTextPart() string { return m.shownAt }
