package mime

import "testing"

const (
	daemon = "Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example.org>\nTo: battles@example.org\nSubject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n"
	back   = "From: battles@example.org\nTo: ann@example.org\nMessage-ID: <wolf.3.hood.1a2b3c4d@example.org>\nSubject: [wolf] turn 3\n"
)

func dsn(groups string) string {
	return daemon + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nSorry.\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n" + groups +
		"\n--b\nContent-Type: message/rfc822\n\n" + back + "\nhello\n--b--\n"
}

func TestReadBounce(t *testing.T) {
	const id = "wolf.3.hood.1a2b3c4d@example.org"
	for name, c := range map[string]struct {
		raw  string
		want Bounce
	}{
		"failed": {
			dsn("Final-Recipient: rfc822; ann@example.org\nOriginal-Recipient: rfc822;ann@home.example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 <ann@example.org>:\n  no such user\n"),
			Bounce{"ann@home.example.org", "5.1.1", BounceFailed, "550 5.1.1 <ann@example.org>: no such user", true, id},
		},
		"delayed": {
			dsn("Final-Recipient: RFC822; <ann@example.org>\nAction: delayed\nStatus: 4.4.1 (no answer)\nWill-Retry-Until: never\n"),
			Bounce{"ann@example.org", "4.4.1", BounceDelayed, "", false, id},
		},
		"given up": {
			dsn("Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 4.4.7\n"),
			Bounce{"ann@example.org", "4.4.7", BounceFailed, "", false, id},
		},
		"a class only, and the other server's words": {
			dsn("Final-Recipient: rfc822;ann@example.org\nAction: failed\nStatus: 5.0.0\nRemote-MTA: dns; x\nDiagnostic-Code: smtp; 552 5.2.2 over quota\n"),
			Bounce{"ann@example.org", "5.2.2", BounceFailed, "552 5.2.2 over quota", true, id},
		},
		"the worst of three": {
			dsn("Final-Recipient: rfc822; a@example.org\nAction: relayed\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; b@example.org\nAction: delayed\nStatus: 4.2.0\n\nFinal-Recipient: rfc822; c@example.org\nAction: failed\nStatus: 5.7.1\n"),
			Bounce{"c@example.org", "5.7.1", BounceFailed, "", true, id},
		},
		"groups without empty lines": {
			dsn("Final-Recipient: rfc822; a@example.org\nAction: delivered\nStatus: 2.0.0\nFinal-Recipient: rfc822; c@example.org\nAction: failed\nStatus: 5.7.1\n"),
			Bounce{"c@example.org", "5.7.1", BounceFailed, "", true, id},
		},
		"no action, no status": {
			dsn("Final-Recipient: rfc822; a@example.org\nDiagnostic-Code: smtp; 554 go away\n"),
			Bounce{"a@example.org", "5.0.0", BounceFailed, "554 go away", true, id},
		},
	} {
		for ends, raw := range map[string]string{"": c.raw, " on the wire": crlf(c.raw)} {
			got, ok := ReadBounce([]byte(raw))
			if !ok || got != c.want {
				t.Errorf("%s%s: %v\n got %+v\nwant %+v", name, ends, ok, got, c.want)
			}
			if m, _ := Read([]byte(raw)); m.Automatic == "" {
				t.Errorf("%s%s: a bounce is not automatic", name, ends)
			}
		}
	}
}

func TestOtherMailsAreNoBounces(t *testing.T) {
	for name, raw := range map[string]string{
		"delivered":                         dsn("Final-Recipient: rfc822; ann@example.org\nAction: delivered\nStatus: 2.1.5\n"),
		"a person who speaks of failure":    person + "\nMy mail could not be delivered: 550 5.1.1 <bo@example.org> unknown.\n",
		"a person who hands on a bounce":    person + "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nlook\n--x\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\n--x--\n",
		"a vacation reply":                  "Return-Path: <>\n" + person + "Auto-Submitted: auto-replied\n\nI am away until the 5th. Ask bo@example.org.\n",
		"a read receipt":                    person + "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nread\n--b--\n",
		"a complaint":                       daemon + "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nFinal-Recipient: rfc822; a@b\n--b--\n",
		"an address, and nothing that fits": "Return-Path: <>\nFrom: postmaster@example.org\n\nYour quota grows, ann@example.org.\n",
		"nothing":                           "",
	} {
		if got, ok := ReadBounce([]byte(raw)); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
