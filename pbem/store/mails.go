package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// State says how far an incoming mail was handled. States only move forward.
type State int

// The states in their order.
const (
	Stored   State = 1 // the raw bytes are stored
	Acted    State = 2 // the request was carried out; only earlier versions stopped here
	Answered State = 3 // the answer is in the outbox, or none is due
	Moved    State = 4 // the mail left the inbox; nothing is left to do
)

// String returns the state's name in lower case.
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

// Ref locates a mail on the server. A server that renumbers its mails
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
	MessageID  string    // the mail's Message-ID, or ""
	ReceivedAt time.Time // when it was stored here
	Arrived    time.Time // when it reached the server, according to the server; zero if unknown
	State      State
	Outcome    string // the result, in the words of whatever acted on the mail; "" before Acted
}

// ActedMail is a mail that was acted on, with its result.
type ActedMail struct {
	SHA256  string
	Outcome string
}

// Cursor says how far a mailbox was read: every mail up to UID is recorded.
type Cursor struct {
	UIDValidity uint32
	UID         uint32
}

// ContentHash returns the name by which a mail is known: the SHA-256 of its bytes, in hexadecimal.
func ContentHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// IsContentHash reports whether sha has the form of a ContentHash.
func IsContentHash(sha string) bool {
	b, err := hex.DecodeString(sha)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == sha
}

// ErrDamaged is returned by LoadRaw if the stored bytes do not match their hash.
var ErrDamaged = errors.New("the stored mail is damaged")

// ErrUnknownMail is returned for a state change of a mail that was never recorded.
var ErrUnknownMail = errors.New("the mail is not in the store")

// Start says where the reading of a mailbox began. Mails that were there before
// are left alone: see Admits.
type Start struct {
	Since time.Time // zero: all mails are accepted
	// Asked means that a person chose Since. Mails since then are accepted even if
	// someone has read them.
	Asked bool
	// UIDValidity and UID are those of the last mail in the mailbox at the start. Later
	// mails are accepted, whatever their date.
	UIDValidity uint32
	UID         uint32
	Left        int // number of mails left alone
}

// Admits reports whether a mail is accepted. uid is its UID under the start's UIDValidity;
// arrived is when it reached the server, zero if unknown; seen is whether someone has
// read it.
func (s Start) Admits(uid uint32, arrived time.Time, seen bool) bool {
	if uid > s.UID || s.Since.IsZero() {
		return true
	}
	return !arrived.Before(s.Since) && (s.Asked || !seen)
}

// Kind is the purpose of an outgoing mail.
type Kind string

// The kinds.
const (
	Ack      Kind = "ack"      // the answer to a mail
	Report   Kind = "report"   // what happened in a turn
	Reminder Kind = "reminder" // orders are missing
	Notice   Kind = "notice"   // anything else, to captains or the referee
)

// Delivery is the delivery state of an outgoing mail.
type Delivery string

// The deliveries. Queued and Ambiguous mails are tried again; the other two
// are final.
const (
	Queued    Delivery = "queued"
	Ambiguous Delivery = "ambiguous" // the server may have taken it; sent again under the same Message-ID
	Sent      Delivery = "sent"
	Failed    Delivery = "failed" // permanently refused
)

// OutboxMessage is one outgoing mail to one recipient.
type OutboxMessage struct {
	ID        int64  // set by the store
	Game      string // "" for a mail that belongs to no game
	Kind      Kind
	MessageID string // unique: the mail's identity
	From      string // envelope sender
	To        string // envelope recipient
	Path      string // file that has the bytes; if "", Bytes is set
	Bytes     []byte // the mail, the same on each try until it is settled; nil: read it from Path
	QueuedAt  time.Time
	Attempts  int       // completed tries, whatever their result
	NextTry   time.Time // earliest time of the next try; zero for at once
	State     Delivery
	SettledAt time.Time // when it was sent or given up; zero before
	LastError string
	Missing   error // set by Due if Path is "" and the bytes are lost or damaged
}

// ErrIncomplete is returned for a mail that could never be sent.
var ErrIncomplete = errors.New("a mail needs a Message-ID, a recipient, and bytes or a path to them")

// ErrUnknownMessage is returned for a mark on a mail that is not in the outbox.
var ErrUnknownMessage = errors.New("the mail is not in the outbox")
