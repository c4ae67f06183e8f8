package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// State is how far an incoming mail was handled. States only move forward.
type State int

// The states in their order.
const (
	Stored   State = 1 // the raw bytes are here
	Acted    State = 2 // what it asks for was done; only earlier versions stopped there
	Answered State = 3 // the answer stands in the outbox, or none is due
	Moved    State = 4 // it left the inbox; nothing is left to do
)

// String names the state in lower case.
func (s State) String() string {
	switch s {
	case Stored:
		return "stored"
	case Acted:
		return "acted"
	case Answered:
		return "answered"
	case Moved:
		return "moved"
	}
	return fmt.Sprintf("state %d", int(s))
}

// Ref is where a mail lies on the server. A server that renumbers its mails
// changes UIDValidity.
type Ref struct {
	Mailbox     string
	UIDValidity uint32
	UID         uint32
}

// Mail is one incoming mail.
type Mail struct {
	ID int64 // set by the store
	Ref
	SHA256     string    // of the raw bytes, in hexadecimal
	MessageID  string    // as the mail has it, or ""
	ReceivedAt time.Time // when it was taken in here
	Arrived    time.Time // when the server got it, as that says; zero if it is not known
	State      State
	Outcome    string // what became of it, in the words of who acted on it; "" before Acted
}

// ActedMail is a mail that was acted on.
type ActedMail struct {
	SHA256  string
	Outcome string
}

// Cursor is how far a mailbox was read: every UID up to UID is recorded.
type Cursor struct {
	UIDValidity uint32
	UID         uint32
}

// ContentHash is what mails are known by: the SHA-256 of their bytes in hexadecimal.
func ContentHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// IsContentHash tells whether a word is such a name.
func IsContentHash(sha string) bool {
	b, err := hex.DecodeString(sha)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == sha
}

// ErrDamaged is returned by LoadRaw for bytes that are not what came.
var ErrDamaged = errors.New("the stored mail is damaged")

// ErrUnknownMail is returned for a step of a mail that was never recorded.
var ErrUnknownMail = errors.New("the mail is not in the store")

// Start is where the reading of a mailbox began. Mails that were there before it
// are left there, see Admits.
type Start struct {
	Since time.Time // zero: everything is taken in
	// Asked tells that someone named Since: then it does not matter whether a mail
	// was read by a person.
	Asked bool
	// UIDValidity and UID are of the last mail that lay there at the start. What comes
	// later is taken in, whatever its date.
	UIDValidity uint32
	UID         uint32
	Left        int // how many stayed
}

// Admits tells whether a mail is taken in: its UID under the validity of the start, the
// date at which the server got it, zero if it does not say, and whether someone
// has read it.
func (s Start) Admits(uid uint32, arrived time.Time, seen bool) bool {
	if uid > s.UID || s.Since.IsZero() {
		return true
	}
	return !arrived.Before(s.Since) && (s.Asked || !seen)
}

// Kind is what an outgoing mail is for.
type Kind string

// The kinds.
const (
	Ack      Kind = "ack"      // the answer to a mail
	Report   Kind = "report"   // what happened in a turn
	Reminder Kind = "reminder" // orders are missing
	Notice   Kind = "notice"   // anything else, to captains or the referee
)

// Delivery is what became of an outgoing mail.
type Delivery string

// The deliveries. Queued and Ambiguous mails are tried again; the other two
// are final.
const (
	Queued    Delivery = "queued"
	Ambiguous Delivery = "ambiguous" // the server may have taken it; sent again under the same Message-ID
	Sent      Delivery = "sent"
	Failed    Delivery = "failed" // refused for good
)

// OutboxMessage is one outgoing mail to one recipient.
type OutboxMessage struct {
	ID        int64  // set by the store
	Game      string // "" for mails that belong to none
	Kind      Kind
	MessageID string // unique: the mail's identity
	From      string // envelope sender
	To        string // envelope recipient
	Path      string // where the bytes can be had again; or "" and Bytes is set
	Bytes     []byte // as it goes out each time, until it is settled; nil: they are at Path
	QueuedAt  time.Time
	Attempts  int       // tries that ended, whatever way
	NextTry   time.Time // not before this; zero is at once
	State     Delivery
	SettledAt time.Time // when it was sent or given up; zero before
	LastError string
	Missing   error // why Bytes is not set by Due, though Path is not either
}

// ErrIncomplete is returned for a mail that could never be sent.
var ErrIncomplete = errors.New("a mail needs a Message-ID, a recipient, and bytes or a path to them")

// ErrUnknownMessage is returned for a mark on a mail that is not there.
var ErrUnknownMessage = errors.New("the mail is not in the outbox")
