package store

import (
	"errors"
	"time"
)

// Recovery tells how a store was opened.
type Recovery struct {
	New      bool   // there was none
	Restored bool   // it was lost, and restored from its copy
	Aside    string // where the damaged one is; "" if there was none
	Why      error  // what was wrong with that
}

// ErrNewer is returned by Open for a store that a later version has written.
var ErrNewer = errors.New("the store was written by a newer version of starpost")

// ErrLost tells that the store's files were removed, replaced or damaged under our
// hands: it must be closed and opened, which makes it whole.
var ErrLost = errors.New("the store's file was removed, replaced or damaged")

// IsLost tells whether an error means that the store cannot be used any more: see
// ErrLost.
func IsLost(err error) bool { return errors.Is(err, ErrLost) || IsDamaged(err) }

// Failure is an error of the database that holds a store.
type Failure struct {
	Err     error
	Damaged bool // it cannot be used any more
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// IsTrouble tells that the database could not do something.
func IsTrouble(err error) bool {
	_, ok := errors.AsType[*Failure](err)
	return ok
}

// IsDamaged tells a database that cannot be used any more from other trouble with it.
func IsDamaged(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && f.Damaged
}

// IdleGame is a game in which there was nothing to do, as it was looked at last.
type IdleGame struct {
	Game   string
	Seen   string // what was seen of its files: while that is the same, there is still nothing to do
	Detail string // what else is worth knowing of it, which is its reader's business
}

// Lease is who may change a game, and until when.
type Lease struct {
	Holder string
	Until  time.Time
}

// Holding is which of several hosts serves a mailbox.
type Holding struct {
	Holder string
	Fence  int64     // grows with each holder
	Looked time.Time // when one of them read the mailbox last; zero for never
	Owner  string    // what all of them are called in marks
}

// Event is something that happens at most once to a subject in a turn of a
// game: the grace period was opened, the referee was told of a halt.
type Event struct {
	Game    string
	Turn    int
	Name    string // such as "grace"
	Subject string // what tells it from others of its name, such as a captain's name; "" for the whole game
	At      time.Time
	Detail  string
}

// AnswerHistory is what there is to know before a mail is answered.
type AnswerHistory struct {
	Lately int       // answers to the sender, as Answers counts them
	Oldest time.Time // when the first of them went; zero for none
	Missed bool      // there are mails of his that were not answered
}

// OfSeat begins the kinds of answers that are counted by the seat of a captain, not with the
// others to his address.
const OfSeat = "seat "

// Unanswered is a mail that was acted on but not answered, for there had been
// too many answers to its sender.
type Unanswered struct {
	Cause string // SHA-256 of the mail
	At    time.Time
}

// Bounce is one mail of ours that a mail server could not deliver, as it
// reports.
type Bounce struct {
	Cause      string    // SHA-256 of the report
	MessageID  string    // of our mail
	Address    string    // to which it went, in lower case
	At         time.Time // when the report came
	Permanent  bool
	Status     string // as RFC 3463 has it: "5.1.1"
	Diagnostic string
}

// Bouncing is how deliveries to an address fail.
type Bouncing struct {
	Address string    `json:"address"`
	Mails   int       `json:"letters"` // different ones refused for good since a mail came from there
	All     int       `json:"all"`     // reports about the address, delays too
	Last    time.Time `json:"last"`
	Why     string    `json:"why"` // of the last permanent one
}

// FailingAfter is how many mails to an address must have come back for good, since
// anything was heard from there, for the address to count as failing.
const FailingAfter = 3
