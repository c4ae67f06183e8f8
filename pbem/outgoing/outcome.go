package outgoing

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"strings"

	"starpost/pbem/fault"
	"starpost/pbem/transport"
)

// Outcome is the result of one attempt to send one mail.
type Outcome uint8

// The outcomes; the zero value is none of them.
const (
	Delivered        Outcome = iota + 1 // the server has accepted the mail
	TemporaryFailure                    // not accepted; the same bytes may be sent again
	PermanentFailure                    // permanently refused; tell the referee
	Ambiguous                           // no reply to the end of DATA: accepted or not; send the same bytes again
)

// String describes the outcome.
func (o Outcome) String() string {
	switch o {
	case Delivered:
		return "delivered"
	case TemporaryFailure:
		return "temporary failure"
	case PermanentFailure:
		return "permanent failure"
	case Ambiguous:
		return "ambiguous"
	}
	return fmt.Sprintf("outcome %d", uint8(o))
}

// Stage is how far an attempt got.
type Stage string

// The stages in order. Up to StageAuth nothing has been sent about a mail yet.
const (
	StageConfig   Stage = "configure"
	StageDial     Stage = "dial"
	StageTLS      Stage = "tls"
	StageGreeting Stage = "greeting"
	StageHello    Stage = "hello"
	StageAuth     Stage = "login"
	StageEnvelope Stage = "envelope" // the envelope itself is invalid
	StageMail     Stage = "sender"
	StageRcpt     Stage = "recipient"
	StageData     Stage = "data"
	StageBody     Stage = "body"
	StageEnd      Stage = "end of data"
)

// Error is the only error type that this package returns from sending.
type Error struct {
	Stage   Stage
	Outcome Outcome // for the current mail; TemporaryFailure from Open
	Code    int     // the server's reply code, 0 when it gave none
	Err     error
	// Sender means that the server permanently refused the sender, or the amount that it sends: the
	// mail is not to blame and must not be given up, and others may meet the same fate.
	Sender bool

	temporary bool
	tooLarge  bool
}

// Error says which stage failed and why. It contains no secret.
func (e *Error) Error() string {
	return fmt.Sprintf("send mail: %s: %v", e.Stage, e.Err)
}

// Unwrap returns the cause; it is never a type of the protocol library.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same attempt may succeed later without a change of settings or
// addresses. A refused login is not temporary, although the current mail only gets a
// TemporaryFailure.
func (e *Error) Temporary() bool { return e.temporary }

// Hint returns one sentence with a remedy, "" if there is none.
func (e *Error) Hint() string {
	if known := fault.Hint(e.Err); known != "" {
		return known
	}
	switch {
	case e.Stage == StageConfig:
		return "Change the settings of the outgoing server."
	case e.Stage == StageDial:
		return "Check host and port, and this machine's network connection."
	case errors.Is(e.Err, transport.ErrSilent):
		return "The server did not answer; check that port and tls match (465 with tls, 587 with starttls)."
	case e.Stage == StageTLS:
		return "Check that port and tls match, and that host is the name in the server's certificate; if your own authority has signed it, name that authority's file in ca_file."
	case errors.Is(e.Err, errNoLogin):
		return "The server does not offer this login method here; check auth, tls and port."
	case e.Stage == StageAuth:
		return "Check user and password; many providers require an app password."
	case e.tooLarge, e.Code == codeStorage:
		return "The mail is too large for the server or the recipient's mailbox; raise the limit there, or send the report another way."
	case e.Sender:
		return "The server does not accept mail from this sender now; check the provider's sending limits, the account and the sender's address. Waiting mails are retried, and nothing is lost."
	case e.Stage == StageRcpt && e.Code >= 500:
		return "The server does not accept mail for this address; ask the captain for another one."
	}
	return ""
}

var (
	errNoTLS   = errors.New("the server does not offer STARTTLS")
	errNoLogin = errors.New("the server offers no supported login")
	errClosed  = errors.New("the session is closed")
)

// mostWords limits how much of a server's text is repeated.
const mostWords = 300

// reply is a refusal of the server, without the library's type.
type reply struct {
	code int
	text string
}

func (r *reply) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the server answered %d %s", r.code, r.text))
}

// classify builds the Error for a failure at stage. The library calls timeouts and resets
// permanent, so this uses its own rule: the server's reply decides, and without one it only matters
// whether the mail had been ended.
func classify(stage Stage, err error) *Error {
	e := &Error{Stage: stage, Err: err, Outcome: TemporaryFailure, temporary: true}
	var noToken *transport.TokenError
	if said, ok := errors.AsType[*textproto.Error](err); ok {
		e.Code = said.Code
		e.Err = &reply{code: said.Code, text: transport.Sanitise(said.Msg, mostWords)}
		if refused, ok := errors.AsType[*transport.RefusedError](err); ok {
			refused.Err = e.Err
			e.Err = refused
		}
	}
	switch {
	case stage == StageConfig:
		e.temporary = false
	case errors.As(err, &noToken):
		e.temporary = noToken.Temporary()
	case stage == StageEnvelope:
		e.Outcome, e.temporary = PermanentFailure, false
	case isSession(stage), stage == StageMail && aboutLogin(e.Code):
		// The mail is not at fault: it waits until the server or our settings are fixed.
		e.temporary = e.Code < 500 && !transport.IsTLS(err) && !errors.Is(err, errNoTLS) && !errors.Is(err, errNoLogin)
	case e.Code >= 500:
		e.temporary = false
		switch Classify(stage, e.Code, said(err)) {
		case RefusedSender:
			e.Sender = true
		case RefusedForNow:
			e.temporary = true
		case RefusedMail:
			e.Outcome = PermanentFailure
		}
	case e.Code >= 400:
		// as set above
	case stage == StageEnd:
		e.Outcome = Ambiguous
	}
	return e
}

// said returns the server's full text.
func said(err error) string {
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		return reply.Msg
	}
	return ""
}

func isSession(stage Stage) bool {
	switch stage {
	case StageDial, StageTLS, StageGreeting, StageHello, StageAuth:
		return true
	default:
		return false
	}
}

// codeStorage is the reply for a mail that is too large, or for which there is no room (RFC 5321,
// 4.2.3).
const codeStorage = 552

// aboutLogin reports whether a 5xx to MAIL is about our identity (RFC 4954, 6).
func aboutLogin(code int) bool {
	return code == 530 || code == 534 || code == 535 || code == 538
}

// cancelled reports whether the caller's context ended the attempt, not the server.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
