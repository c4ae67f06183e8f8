package process

import (
	"context"
	"time"

	"starpost/engine"
	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// Store is what the daemon keeps about mails. What it wants of one is tried by the suite
// TestStoreContract, which whatever is used in its place must pass. One on a single host is
// SQLite in the state directory (package sqlite), one for several a database of PostgreSQL (package postgres).
//
// Every method may be repeated with the same arguments without further effect, states only move
// forward, and what a method has returned without error lasts.
type Store interface {
	incomingMails
	Outbox
	Notes
	leases
	// Group runs f and commits all that f does to the store with its context at once, or
	// nothing of it. Until f returns no one else may get at the store.
	Group(ctx context.Context, f func(context.Context) error) error
	// GroupWith is Group for what rests on files: what is noted in soon by then is on
	// stable storage before anything is committed.
	GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error
	// Probe tells by an error that no mail can be stored just now.
	Probe(ctx context.Context) error
	Close() error
}

// FileStore is a store whose files may be removed or damaged under our hands.
type FileStore interface {
	// CheckFiles tells by [store.ErrLost] that the store must be opened again, and
	// MarkDamaged has it restored then.
	CheckFiles() error
	MarkDamaged() error
	// Recovered tells whether the store was lost before it was opened.
	Recovered() (store.Recovery, bool)
}

// WasLost tells whether a store was lost before it was opened.
func WasLost(s Store) (store.Recovery, bool) {
	if f, ok := s.(FileStore); ok {
		return f.Recovered()
	}
	return store.Recovery{}, false
}

// incomingMails are the mails that came, and how far each mailbox was read.
type incomingMails interface {
	RecordStored(ctx context.Context, m store.Mail, raw []byte) (id int64, err error)
	RecordAnswered(ctx context.Context, outcome string, mails ...store.Mail) error
	RecordMoved(ctx context.Context, mails ...store.Mail) error
	Unfinished(ctx context.Context, mailbox string) ([]store.Mail, error)
	SimilarActed(ctx context.Context, m store.Mail) ([]store.ActedMail, error)
	StoreRaw(ctx context.Context, id int64, raw []byte) error
	LoadRaw(ctx context.Context, sha string) ([]byte, error)
	VerifyRaws(ctx context.Context) (whole int, damaged []string, err error)
	DeleteRaws(ctx context.Context, before time.Time) (int64, error)
	Cursor(ctx context.Context, mailbox string) (store.Cursor, error)
	MoveCursor(ctx context.Context, mailbox string, c store.Cursor) error
	ForgetCursors(ctx context.Context) error
	Start(ctx context.Context, mailbox string) (s store.Start, known bool, err error)
	SetStart(ctx context.Context, mailbox string, s store.Start) error
}

// Outbox is the mails that must be sent, and what became of them.
type Outbox interface {
	Queue(ctx context.Context, messages ...store.OutboxMessage) (added int, err error)
	QueueTurn(ctx context.Context, game string, turn int, messages ...store.OutboxMessage) (added int, err error)
	QueuedTurn(ctx context.Context, game string) (turn int, known bool, err error)
	RecordTurnSent(ctx context.Context, messages ...store.OutboxMessage) error
	Due(ctx context.Context, now time.Time, limit int, from ...string) ([]store.OutboxMessage, error)
	NextDue(ctx context.Context, from ...string) (time.Time, bool, error)
	Waiting(ctx context.Context) (int, error)
	Message(ctx context.Context, messageID string) (store.OutboxMessage, bool, error)
	Outbox(ctx context.Context, game string) ([]store.OutboxMessage, error)
	InOutbox(ctx context.Context, messageID string) (bool, error)
	Readdress(ctx context.Context, known ...string) error
	MarkSent(ctx context.Context, id int64, attempt int, at time.Time) error
	MarkRetry(ctx context.Context, id int64, attempt int, next time.Time, reason string) error
	MarkAmbiguous(ctx context.Context, id int64, attempt int, next time.Time, reason string) error
	MarkFailed(ctx context.Context, id int64, attempt int, at time.Time, reason string) error
	MarkReturned(ctx context.Context, id int64, reason string) error
	Defer(ctx context.Context, id int64, next time.Time, reason string) error
}

// Notes are what was done once: events of games, answers, bounces.
type Notes interface {
	RecordEvent(ctx context.Context, e store.Event) (first bool, err error)
	Event(ctx context.Context, game string, turn int, name, subject string) (store.Event, bool, error)
	RecordReminder(ctx context.Context, game string, turn int, captain engine.CaptainName, which string, at time.Time) (first bool, err error)
	Reminders(ctx context.Context, game string, turn int) ([]string, error)
	RecordAnswer(ctx context.Context, sender, kind, cause string, at time.Time) (first bool, err error)
	Answers(ctx context.Context, sender, kind string, since time.Time) (int, error)
	AnswersOfKind(ctx context.Context, kind string, since time.Time) (int, error)
	Answered(ctx context.Context, sender, kind string, since, before time.Time) (causes []string, err error)
	AnswerHistory(ctx context.Context, sender, kind string, since time.Time) (store.AnswerHistory, error)
	RecordUnanswered(ctx context.Context, sender string, u store.Unanswered) error
	Unanswered(ctx context.Context, sender string) ([]store.Unanswered, error)
	ForgetUnanswered(ctx context.Context, sender string, until time.Time) error
	RecordBounce(ctx context.Context, b store.Bounce) (first bool, err error)
	Bounces(ctx context.Context, address string) (store.Bouncing, bool, error)
	DeleteExpired(ctx context.Context, before time.Time) error
	// RecordIdle notes how games stand in which there is nothing to do, for the next start: it
	// need not look into those that still stand so.
	RecordIdle(ctx context.Context, games ...store.IdleGame) error
	IdleGames(ctx context.Context) ([]store.IdleGame, error)
}

// leases say which daemon may change a game: several, each with a state directory of its own,
// may share one store and the games.
type leases interface {
	// Lease gives a game to a holder until a moment, unless another has it now, and tells
	// who has it then and until when. Who has it already has it for longer.
	Lease(ctx context.Context, game, holder string, now, until time.Time) (store.Lease, error)
	// EndLeases gives back all games of a holder.
	EndLeases(ctx context.Context, holder string) error
}

// Hosts say which of several hosts that share a store serves a mailbox. See package postgres.
type Hosts interface {
	// Hold leases a mailbox to a holder for a time from now on, unless another host holds it, and
	// returns the holder. looked is when the holder last read it.
	Hold(ctx context.Context, mailbox, holder string, length time.Duration, looked time.Time) (store.Holding, error)
	// Release gives a mailbox back.
	Release(ctx context.Context, mailbox, holder string) error
}
