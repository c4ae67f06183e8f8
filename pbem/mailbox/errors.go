package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/emersion/go-imap/v2"

	"starpost/pbem/fault"
	"starpost/pbem/transport"
)

// Kind classifies errors of a mailbox by their remedy.
type Kind uint8

// The kinds of Error.
const (
	KindOther          Kind = iota
	KindNoServer            // nothing answers at that address
	KindSilentServer        // connected, but no answer in time
	KindLost                // the connection ended or the data was invalid
	KindTLS                 // no acceptable encryption
	KindLoginRefused        // user or password not accepted
	KindMailboxMissing      // the configured mailbox does not exist
	KindRefused             // the server said NO or BAD
	KindUnsupported         // the server lacks what we need
	KindConfig              // the configuration cannot work
	KindCancelled           // the caller's context ended first
	KindNoToken             // there is no access token for the login
)

// String returns a name of one or two words.
func (k Kind) String() string {
	names := [...]string{
		KindOther: "other", KindNoServer: "no server", KindSilentServer: "silent server", KindLost: "connection lost", KindTLS: "tls",
		KindLoginRefused: "login refused", KindMailboxMissing: "mailbox missing", KindRefused: "refused", KindUnsupported: "unsupported",
		KindConfig: "configuration", KindCancelled: "cancelled", KindNoToken: "no token",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is the only error type that this package returns.
type Error struct {
	Op      string // the operation: "dial", "login", "select", ...
	Mailbox string // Config.Name
	Kind    Kind
	Err     error

	temporary bool
	there     []string // the server's mailboxes, if the configured one is missing
}

// Error names the operation and the cause. It contains no secret.
func (e *Error) Error() string {
	return fmt.Sprintf("mailbox %s: %s: %v", e.Mailbox, e.Op, e.Err)
}

// Unwrap returns the cause; it is never a type of the protocol library.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same call may succeed later without a change of settings.
func (e *Error) Temporary() bool { return e.temporary }

// Hint returns one sentence with a remedy, "" if there is none.
func (e *Error) Hint() string {
	if known := fault.Hint(e.Err); known != "" {
		return known
	}
	switch e.Kind {
	case KindNoServer:
		return "Check host and port, and that this machine reaches the network."
	case KindSilentServer:
		return "The server accepted the connection but did not answer; check that port and tls belong together (993 with tls, 143 with starttls)."
	case KindLost:
		return "The connection broke; the daemon reconnects. If this goes on, ask the mail provider about connection limits."
	case KindTLS:
		return "Check that port and tls belong together and that the host is the name in the server's certificate; if your own authority has signed it, name that authority's file in ca_file."
	case KindLoginRefused:
		return "Check user and password; many providers want an app password or IMAP to be switched on."
	case KindMailboxMissing:
		return "Check the mailbox name; it is spelled as the server spells it." + e.others()
	case KindRefused:
		return "The server refused the command; its words are in the message above."
	case KindUnsupported:
		return "This server cannot be used that way; use another account or provider."
	case KindConfig:
		return "Change the configuration of this mailbox."
	default:
		return ""
	}
}

// others names a few of the existing mailboxes.
func (e *Error) others() string {
	const most = 10
	switch names := e.there; {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf(" There are %s and %d more.", strings.Join(names[:most], ", "), len(names)-most)
	default:
		return fmt.Sprintf(" There are %s.", strings.Join(names, ", "))
	}
}

// refusal is a NO or BAD of the server, without the library's type.
type refusal struct {
	status, code, text string
}

func (r *refusal) Error() string {
	s := "the server answered " + r.status
	if r.code != "" {
		s += " [" + r.code + "]"
	}
	if r.text != "" {
		s += " " + r.text
	}
	return s
}

// mostWords limits how much of a server's text is repeated.
const mostWords = 200

var (
	errBusy     = errors.New("the mailbox is still handing over mails")
	errUnusable = errors.New("the connection is closed")
)

// plain removes the library's types from an error.
func plain(err error) error {
	if ie, ok := errors.AsType[*imap.Error](err); ok {
		return &refusal{status: string(ie.Type), code: transport.Sanitise(string(ie.Code), mostWords), text: transport.Sanitise(ie.Text, mostWords)}
	}
	return err
}

// classify builds the Error for a failure during op.
func classify(name, op string, err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	refused, byToken := errors.AsType[*transport.RefusedError](err)
	if byToken {
		refused.Err = plain(refused.Err)
	} else {
		err = plain(err)
	}
	e := &Error{Op: op, Mailbox: name, Err: err}
	var r *refusal
	var noToken *transport.TokenError
	var netErr net.Error
	switch {
	case errors.As(err, &noToken):
		e.Kind, e.temporary = KindNoToken, noToken.Temporary()
	case errors.As(err, &r):
		e.Kind, e.temporary = refusalKind(op, r)
	case errors.Is(err, transport.ErrSilent):
		e.Kind, e.temporary = KindSilentServer, true
	case errors.Is(err, context.Canceled):
		e.Kind, e.temporary = KindCancelled, true
	case errors.Is(err, context.DeadlineExceeded):
		// The caller's deadline passed while waiting for the server.
		e.Kind, e.temporary = KindSilentServer, true
	case transport.IsTLS(err):
		e.Kind = KindTLS
	case op == "dial":
		e.Kind, e.temporary = KindNoServer, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, errUnusable), errors.Is(err, transport.ErrFlood), errors.As(err, &netErr):
		e.Kind, e.temporary = KindLost, true
	default:
		// The rest are replies that the library could not read; it has closed the connection then.
		e.Kind, e.temporary = KindLost, true
	}
	return e
}

// refusalKind classifies a NO or BAD (response codes: RFC 5530, section 3).
func refusalKind(op string, r *refusal) (Kind, bool) {
	if r.status == string(imap.StatusResponseTypeBye) {
		return KindRefused, true // it only ends a connection
	}
	switch imap.ResponseCode(strings.ToUpper(r.code)) {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit, imap.ResponseCodeServerBug:
		return KindRefused, true
	case imap.ResponseCodeNonExistent, imap.ResponseCodeTryCreate:
		return KindMailboxMissing, false
	case imap.ResponseCodePrivacyRequired:
		return KindTLS, false
	}
	switch op {
	case "login":
		return KindLoginRefused, false
	case "select":
		return KindMailboxMissing, false
	case "starttls":
		return KindTLS, false
	}
	return KindRefused, false
}
