package mime

import (
	"strings"

	"starpost/pbem/pattern"
)

// ReadBounce reads a delivery status notification (RFC 3464), or the prose that mail servers write
// in its place. From a report about several recipients it takes the first that failed permanently,
// or else the first that failed, or else the first that is delayed. It reports false for every
// other mail, also for a report of success.
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

// returned collects the parts of a bounce.
type returned struct {
	parts     int
	notice    string // the text for people
	status    string // the delivery-status part
	messageID string // of the returned mail
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
		// Some programs label the report as plain text.
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

// headerID returns the Message-ID of a returned mail or of its header alone.
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
