package process

import (
	"context"
	"time"

	"starpost/engine"
	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// Store holds the daemon's records about mails. TestStoreContract checks its requirements, and every
// implementation must pass that suite. A single host uses SQLite in the state directory (package sqlite),
// several share a PostgreSQL database (package postgres).
//
// Every method may be repeated with the same arguments without further effect. States only move forward. After
// a method returned without error, its changes are durable.
type Store interface {
	incomingMails
	Outbox
	Notes
	leases
	// Group runs f and commits all changes that f makes with its context together, or none of them. Until f
	// returns, no one else can access the store.
	Group(ctx context.Context, f func(context.Context) error) error
	// GroupWith is Group for records that depend on files: files added to soon are on stable storage before
	// the commit.
	GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error
	// Probe returns an error if no mail can be stored now.
	Probe(ctx context.Context) error
	Close() error
}

// FileStore is a store in files, which may be removed or damaged while it is open.
type FileStore interface {
	// CheckFiles returns [store.ErrLost] if the store must be opened again. After MarkDamaged, that open
	// restores the store.
	CheckFiles() error
	MarkDamaged() error
	// Recovered reports whether the store was lost before it was opened.
	Recovered() (store.Recovery, bool)
}

// WasLost reports whether a store was lost before it was opened.
func WasLost(s Store) (store.Recovery, bool) {
	if f, ok := s.(FileStore); ok {
		return f.Recovered()
	}
	return store.Recovery{}, false
}

// incomingMails records received mails and how far each mailbox was read.
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

// Outbox records mails to send and their delivery state.
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

// Notes record what was done once: events of games, answers, bounces.
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
	// RecordIdle records the state of games without anything to do, so that the next start can skip those
	// whose state has not changed.
	RecordIdle(ctx context.Context, games ...store.IdleGame) error
	IdleGames(ctx context.Context) ([]store.IdleGame, error)
}

// leases record which daemon may change a game. Several daemons, each with its own state directory, may share
// a store and the games.
type leases interface {
	// Lease gives a game to holder until the given time, unless another holder has it at now. It returns the
	// current holder and its expiry. A holder that already has the game extends its lease.
	Lease(ctx context.Context, game, holder string, now, until time.Time) (store.Lease, error)
	// EndLeases releases all games of a holder.
	EndLeases(ctx context.Context, holder string) error
}

// Hosts record which of the hosts that share a store serves a mailbox. See package postgres.
type Hosts interface {
	// Hold leases a mailbox to holder for the given time from now, unless another host holds it, and returns
	// the current holder. looked is when holder last read the mailbox.
	Hold(ctx context.Context, mailbox, holder string, length time.Duration, looked time.Time) (store.Holding, error)
	// HoldUntilCommit reports whether holder has the mailbox, still under the same fence. If so, no other host gets it before
	// the group of ctx is committed.
	HoldUntilCommit(ctx context.Context, mailbox, holder string, fence int64) (held bool, err error)
	// Release releases a mailbox.
	Release(ctx context.Context, mailbox, holder string) error
}
