package mime

import (
	"strings"

	"github.com/emersion/go-message"
)

// Bounce is a mail server's report that a mail of ours did not arrive, or not yet. Anyone can write
// such a mail: it counts only if MessageID is that of a mail that was really sent to that
// recipient.
type Bounce struct {
	// Recipient is the bare address that the mail was sent to: the original one if the report names
	// it, otherwise the one that finally failed. It is "" if the notice names none.
	Recipient string `json:"recipient"`
	// Status is the enhanced status code (RFC 3463), such as "5.1.1"; x.0.0 if only its class is
	// known.
	Status string `json:"status"`
	// Action is "failed" or "delayed".
	Action string `json:"action"`
	// Diagnostic is the other server's response, in one line; "" if unknown.
	Diagnostic string `json:"diagnostic"`
	// Permanent means that sending again is useless: Action is "failed" and Status has class 5. A
	// server that gave up on a temporary fault after days of trying (failed, 4.4.7) is not
	// Permanent.
	Permanent bool `json:"permanent"`
	// MessageID is that of the returned mail, without angle brackets; "" if it cannot be found.
	MessageID string `json:"message_id"`
}

// The actions of a Bounce.
const (
	BounceFailed  = "failed"
	BounceDelayed = "delayed"
)

const (
	maxReport     = 64 << 10 // of a delivery-status part
	maxNotice     = 32 << 10 // of the text for people
	maxStatus     = 2 << 10  // of a field of the report
	maxDiagnostic = 500
)

// fromServer reports whether a mail claims to come from a mail server.
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

// nullPath reports whether the mail has a null return path. Such a mail must not be answered, or
// two servers could write to each other for ever.
func (m *Mail) nullPath() bool {
	for _, v := range m.header["return-path"] {
		v = strings.ToLower(strings.Trim(strings.Join(strings.Fields(v), ""), "<>"))
		if local, _, _ := strings.Cut(v, "@"); local == "" || local == "mailer-daemon" {
			return true
		}
	}
	return false
}

// servers are the local parts of mail servers' addresses.
var servers = map[string]bool{
	"mailer-daemon": true, "mailerdaemon": true, "mail-daemon": true, "mail.daemon": true, "maildaemon": true,
	"postmaster": true, "mdaemon": true, "mmdf": true, "daemon": true, "system-administrator": true, "mail-delivery-system": true,
}

// isReport reports whether a part is a delivery report.
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
