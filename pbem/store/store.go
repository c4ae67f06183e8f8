package store

import (
	"errors"
	"time"
)

// Recovery describes how a store was opened.
type Recovery struct {
	New      bool   // no store existed
	Restored bool   // the store was lost, and restored from its copy
	Aside    string // where the damaged store was moved; "" if none was damaged
	Why      error  // what was wrong with the damaged store
}

// ErrNewer is returned by Open for a store written by a later version.
var ErrNewer = errors.New("the store was written by a newer version of starpost")

// ErrLost means that the store's files were removed, replaced or damaged while in use.
// Closing and reopening the store repairs it.
var ErrLost = errors.New("the store's file was removed, replaced or damaged")

// IsLost reports whether an error means that the store is no longer usable: see
// ErrLost.
func IsLost(err error) bool { return errors.Is(err, ErrLost) || IsDamaged(err) }

// Failure is an error of the database that holds a store.
type Failure struct {
	Err     error
	Damaged bool // the database is no longer usable
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// IsTrouble reports whether an error comes from the database.
func IsTrouble(err error) bool {
	_, ok := errors.AsType[*Failure](err)
	return ok
}

// IsDamaged reports whether an error means that the database is no longer usable.
func IsDamaged(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && f.Damaged
}

// IdleGame is a game in which nothing was left to do when it was last checked.
type IdleGame struct {
	Game   string
	Seen   string // the state of its files; while it is unchanged, there is still nothing to do
	Detail string // further notes; the store does not interpret them
}

// Lease says who may change a game, and until when.
type Lease struct {
	Holder string
	Until  time.Time
}

// Holding says which of several hosts serves a mailbox.
type Holding struct {
	Holder string
	Fence  int64     // grows with each holder
	Looked time.Time // when a host last read the mailbox; zero for never
	Owner  string    // the name that all of these hosts use in marks
}

// Event is something that happens at most once to a subject in a turn of a
// game, such as the start of the grace period or the notice of a halt to the referee.
type Event struct {
	Game    string
	Turn    int
	Name    string // such as "grace"
	Subject string // distinguishes events of one name, such as a captain's name; "" for the whole game
	At      time.Time
	Detail  string
}

// AnswerHistory summarizes the earlier answers to the sender of a mail.
type AnswerHistory struct {
	Lately int       // answers to the sender, as Answers counts them
	Oldest time.Time // when the first of them went out; zero for none
	Missed bool      // some mails from the sender were not answered
}

// OfSeat is the prefix of answer kinds that are counted by a captain's seat, not with the
// other answers to the captain's address.
const OfSeat = "seat "

// Unanswered is a mail that was acted on but not answered, because its sender had
// been sent too many answers.
type Unanswered struct {
	Cause string // SHA-256 of the mail
	At    time.Time
}

// Bounce is a mail server's report that it could not deliver one of our mails.
type Bounce struct {
	Cause      string    // SHA-256 of the report
	MessageID  string    // of our mail
	Address    string    // the recipient, in lower case
	At         time.Time // when the report came
	Permanent  bool
	Status     string // enhanced status code of RFC 3463, such as "5.1.1"
	Diagnostic string
}

// Bouncing summarizes the failed deliveries to an address.
type Bouncing struct {
	Address string    `json:"address"`
	Mails   int       `json:"letters"` // distinct mails permanently refused since the address was last answered
	All     int       `json:"all"`     // all reports about the address, including delays
	Last    time.Time `json:"last"`
	Why     string    `json:"why"` // reason for the last permanent failure
}

// FailingAfter is the number of permanently refused mails (see Bouncing.Mails) after which an
// address counts as failing.
const FailingAfter = 3
