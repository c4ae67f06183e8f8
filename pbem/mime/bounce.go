package mime

import (
	"strings"

	"github.com/emersion/go-message"

	"starpost/pbem/pattern"
)

// Bounce is what a mail server says about a mail of ours that did not arrive,
// or not yet. Anybody can write such a mail: it is worth something only where
// MessageID is that of a mail which was really sent, to that recipient.
type Bounce struct {
	// Recipient is the bare address that the mail was sent to: the original one
	// where the report names it, else the one it failed for at last. "" when the
	// notice names none.
	Recipient string `json:"recipient"`
	// Status is the enhanced status code (RFC 3463), such as "5.1.1"; x.0.0
	// where only its class is known.
	Status string `json:"status"`
	// Action is "failed" or "delayed".
	Action string `json:"action"`
	// Diagnostic is what the other server said, in one line; "" if unknown.
	Diagnostic string `json:"diagnostic"`
	// Permanent tells that sending again is no use: Action is "failed" and
	// Status of class 5. A server that gave up on a fault that may pass, after days of
	// trying (failed, 4.4.7), is not Permanent.
	Permanent bool `json:"permanent"`
	// MessageID is that of the mail that came back, without angle brackets; ""
	// when it is not to be found.
	MessageID string `json:"message_id"`
}

// The actions of a Bounce.
const (
	BounceFailed  = "failed"
	BounceDelayed = "delayed"
)

const (
	maxReport     = 64 << 10 // of a delivery-status part
	maxNotice     = 32 << 10 // of the words for people
	maxStatus     = 2 << 10  // of a field of the report
	maxDiagnostic = 500
)

// ReadBounce reads a delivery status notification (RFC 3464), or the words that
// mail servers write in its place. Where a report is about several recipients
// it gives the first that failed for good, else the first that failed, else the
// first that is delayed. It reports false for every other mail, also for a
// report that all went well.
func ReadBounce(raw []byte) (Bounce, bool) {
	quiet := func(string, ...any) {}
	var m Mail
	b := splitHeader(raw[:min(len(raw), MaxBytes)], true, quiet)
	m.envelope(b.fields, quiet)
	media, params := contentType(b.fields)
	kind := strings.ToLower(params["report-type"])
	report := media == "multipart/report" && (kind == "" || kind == "delivery-status")
	server := m.fromServer()
	if !report && !server || media == "multipart/report" && !report {
		return Bounce{}, false
	}
	r := returned{budget: newBudget()}
	r.walk(b, 0)
	var out Bounce
	ok := false
	if r.status != "" {
		out, ok = readStatus(r.status)
	}
	if !ok && r.status == "" && (server || report) {
		out, ok = readNotice(&m, r.notice)
	}
	if !ok {
		return Bounce{}, false
	}
	out.Permanent = out.Action == BounceFailed && strings.HasPrefix(out.Status, "5")
	above, below := cutNotice(r.notice)
	if out.Diagnostic == "" {
		out.Diagnostic = cut(paragraph(above, out.Recipient), maxDiagnostic)
		out.Status = precise(out.Status, out.Diagnostic)
	}
	out.MessageID = r.messageID
	if out.MessageID == "" {
		out.MessageID = copiedID(below)
	}
	if out.MessageID == "" {
		out.MessageID = m.InReplyTo
	}
	return out, true
}

// returned is what the parts of a bounce hold.
type returned struct {
	parts     int
	notice    string // the words for people
	status    string // the delivery-status part
	messageID string // of the mail that came back
	budget
}

func (r *returned) walk(b block, depth int) {
	if r.parts >= MaxParts || depth > MaxDepth {
		return
	}
	r.parts++
	quiet := func(string, ...any) {}
	media, params := contentType(b.fields)
	l := leaf{html: media == "text/html", fields: b.fields, params: params, body: b.body}
	switch media {
	case "message/delivery-status", "message/global-delivery-status":
		if r.status == "" {
			r.status = l.plain(content(b.fields, b.body, maxReport, quiet), quiet)
		}
	case "message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers":
		if r.messageID == "" {
			r.messageID = headerID(content(b.fields, b.body, 2*MaxHeader, quiet))
		}
	case "text/plain", "text/html":
		if r.parts > 8 || l.html && r.notice != "" {
			return
		}
		text := l.text(maxNotice, quiet)
		// Some programs call the report plain text.
		if r.status == "" && depth > 0 && reportLine().MatchString(text) {
			r.status = text
		} else if strings.TrimSpace(r.notice) == "" {
			r.notice = text
		}
	default:
		if !strings.HasPrefix(media, "multipart/") {
			return
		}
		boundary := params["boundary"]
		if boundary == "" {
			boundary = guessBoundary(b.body)
		}
		parts, _ := r.split(b.body, boundary)
		if len(parts) == 0 {
			r.notice = leaf{fields: b.fields, params: map[string]string{}, body: b.body}.text(maxNotice, quiet)
		}
		for _, p := range parts {
			r.walk(splitHeader(p, false, quiet), depth+1)
		}
	}
}

var (
	reportLine = pattern.New(`(?im)^final-recipient:\s`)
	copyLine   = pattern.New(`(?im)^[> \t]*message-id:[ \t]*(?:\n[> \t]+)?<([^<>\s]+@[^<>\s]+)>`)
)

// headerID is the Message-ID of a returned mail or of its header alone.
func headerID(raw []byte) string {
	b := splitHeader(raw, false, func(string, ...any) {})
	return firstOf(messageIDs(oneLine(cut(b.fields.Get("Message-Id"), maxValue))))
}

// copiedID finds the Message-ID in a mail that was copied into a text.
func copiedID(text string) string {
	if m := copyLine().FindStringSubmatch(text); m != nil && len(m[1]) <= 998 {
		return m[1]
	}
	return ""
}

// recipientStatus is one group of a delivery-status part.
type recipientStatus struct{ original, final, action, status, diagnostic string }

// readStatus reads a delivery-status part (RFC 3464 section 2). Groups are
// parted by empty lines; writers who leave those out begin a group with its
// recipient.
func readStatus(text string) (Bounce, bool) {
	var groups []recipientStatus
	var g recipientStatus
	end := func() {
		if g.final != "" || g.original != "" || g.action != "" {
			groups = append(groups, g)
		}
		g = recipientStatus{}
	}
	for name, value := range statusFields(text) {
		switch name {
		case "":
			end()
		case "original-recipient":
			if g.original != "" {
				end()
			}
			g.original = typedAddress(value)
		case "final-recipient":
			if g.final != "" {
				end()
			}
			g.final = typedAddress(value)
		case "action":
			g.action = keyword(value)
		case "status":
			g.status = firstOf(enhanced.codes(value))
		case "diagnostic-code":
			if kind, rest, ok := strings.Cut(value, ";"); ok && !strings.ContainsAny(strings.TrimSpace(kind), " \t") {
				value = rest
			}
			g.diagnostic = cut(strings.Join(strings.Fields(value), " "), maxDiagnostic)
		}
		if len(groups) >= maxAddrs {
			break
		}
	}
	end()
	return worst(groups)
}

// worst picks the group that the report is about.
func worst(groups []recipientStatus) (out Bounce, ok bool) {
	best := 0
	for _, g := range groups {
		b := g.bounce()
		weight := 0
		switch {
		case b.Action == BounceFailed && strings.HasPrefix(b.Status, "5"):
			weight = 3
		case b.Action == BounceFailed:
			weight = 2
		case b.Action == BounceDelayed:
			weight = 1
		}
		if weight > best {
			out, ok, best = b, true, weight
		}
	}
	return out, ok
}

func (g recipientStatus) bounce() Bounce {
	b := Bounce{Recipient: g.original, Status: g.status, Action: g.action, Diagnostic: g.diagnostic}
	if b.Recipient == "" {
		b.Recipient = g.final
	}
	b.Status = precise(b.Status, g.diagnostic)
	if b.Status == "" {
		b.Status = firstOf(smtpReply.codes(g.diagnostic))
	}
	if b.Action == "" {
		switch {
		case strings.HasPrefix(b.Status, "4"):
			b.Action = BounceDelayed
		case strings.HasPrefix(b.Status, "5"):
			b.Action = BounceFailed
		}
	}
	if b.Status == "" {
		b.Status = map[string]string{BounceFailed: "5.0.0", BounceDelayed: "4.0.0"}[b.Action]
	}
	return b
}

// precise takes the code in the other server's own words where the report's own
// says no more than its class.
func precise(status, diagnostic string) string {
	if said := firstOf(enhanced.codes(diagnostic)); said != "" && (status == "" || status == said[:1]+".0.0") {
		return said
	}
	return status
}

// statusFields goes through the fields, unfolded, names in lower case; an empty
// name is an empty line.
func statusFields(text string) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		name, value := "", ""
		send := func() bool {
			n := name
			name = ""
			return n == "" || yield(n, cut(strings.TrimSpace(value), maxStatus))
		}
		for line := range strings.SplitSeq(text, "\n") {
			switch {
			case strings.TrimSpace(line) == "":
				if !send() || !yield("", "") {
					return
				}
			case line[0] == ' ' || line[0] == '\t':
				if len(value) < maxStatus {
					value += " " + strings.TrimSpace(line)
				}
			default:
				if !send() {
					return
				}
				n, v, ok := strings.Cut(line, ":")
				if ok {
					name, value = strings.ToLower(strings.TrimSpace(n)), v
				}
			}
		}
		send()
	}
}

// typedAddress reads "rfc822; ann@example.org" (RFC 3464 section 2.3.1), also
// with brackets around the address or words behind it.
func typedAddress(value string) string {
	if kind, rest, ok := strings.Cut(value, ";"); ok {
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "rfc822", "utf-8", "smtp", "local", "unknown":
			value = rest
		default:
			return ""
		}
	}
	return cut(strings.Trim(looseAddress().FindString(value), "<>"), 320)
}

// fromServer tells whether a mail says that a mail server wrote it.
func (m *Mail) fromServer() bool {
	if m.nullPath() || len(m.header["x-failed-recipients"]) > 0 || len(m.header["x-ms-exchange-message-is-ndr"]) > 0 {
		return true
	}
	for _, a := range m.From {
		local, _, _ := strings.Cut(strings.ToLower(a.Addr), "@")
		if servers[local] {
			return true
		}
	}
	return false
}

// nullPath tells whether the mail came with a null return path: it must not be
// answered, lest two servers write to each other for ever.
func (m *Mail) nullPath() bool {
	for _, v := range m.header["return-path"] {
		v = strings.ToLower(strings.Trim(strings.Join(strings.Fields(v), ""), "<>"))
		if local, _, _ := strings.Cut(v, "@"); local == "" || local == "mailer-daemon" {
			return true
		}
	}
	return false
}

// servers are the local parts that mail servers write as.
var servers = map[string]bool{
	"mailer-daemon": true, "mailerdaemon": true, "mail-daemon": true, "mail.daemon": true, "maildaemon": true,
	"postmaster": true, "mdaemon": true, "mmdf": true, "daemon": true, "system-administrator": true, "mail-delivery-system": true,
}

// isReport tells whether a part says how a mail fared.
func isReport(h message.Header) (kind string, ok bool) {
	media, params := contentType(h)
	switch media {
	case "multipart/report":
		return cut(strings.ToLower(params["report-type"]), 60), true
	case "message/delivery-status", "message/disposition-notification", "message/feedback-report",
		"message/global-delivery-status", "message/global-disposition-notification", "message/tracking-status":
		return strings.TrimPrefix(media, "message/"), true
	}
	return "", false
}
