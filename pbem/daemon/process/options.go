package process

import (
	"context"
	"log/slog"
	"time"

	"starpost/engine/family"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/lobby"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/rating"
	"starpost/pbem/vault"
)

// Options configures a daemon.
type Options struct {
	Config    *config.Config
	Catalogue vault.Catalogue
	Library   *lobby.Library // the texts that people may request; nil for none
	// Ratings returns the ratings book of a community; nil: Library's.
	Ratings  func(of *config.Config) func() *rating.Book
	Allocate []family.Allocator // how captains may have damage allocated
	Clock    clock.Clock        // nil: the machine's
	Chance   func() float64     // a number in [0, 1); nil: math/rand
	Log      *slog.Logger       // nil: nothing is logged
	// Inbox and Sender open the connections; nil: IMAP and SMTP as configured.
	Inbox  func(ctx context.Context, box config.Mailbox) (Inbox, error)
	Sender func(ctx context.Context, box config.Mailbox) (Sender, error)
	// Beacons provides rounds of public beacons; nil: none.
	Beacons relay.Source
	// Store opens the store; nil: the one in the state directory.
	Store func() (Store, error)
	// Watch receives events, from several goroutines at once. It must not block. May be nil.
	Watch func(Event)
	// From makes the first start take in mails that arrived since then; zero: those from before the
	// first start stay in the inbox.
	From time.Time
	// TakeOver makes the daemon remove other daemons' marks from its mailboxes.
	TakeOver bool
	Version  string // of the program, for the heartbeat
	Composer string // address of the page for composing orders; "" for none
	// Digest writes the digest of all games for the host; nil for none.
	Digest func(ctx context.Context, now time.Time) (subject, text string, err error)
	// Before is called before each step that changes something. An error stops the daemon there, as a
	// kill would. May be nil.
	Before func(step string) error
}

// Inbox is a mailbox as the daemon needs it. Only Wake may be called from other goroutines. After an
// error it must not be used again; the daemon opens a new one.
type Inbox interface {
	// Look returns the mailbox's UIDVALIDITY and the UIDs above after. It ignores after if validity has
	// changed.
	Look(ctx context.Context, validity, after uint32) (now uint32, uids []uint32, err error)
	// Infos returns, for each mail that still exists, when the server received it and whether it has
	// been read.
	Infos(ctx context.Context, uids []uint32) (map[uint32]mailbox.Info, error)
	// Fetch calls take for each mail that still exists.
	Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error
	// Move moves mails into a folder. Missing mails are not an error.
	Move(ctx context.Context, uids []uint32, folder string) error
	waiter
}

// waiter waits for new mail.
type waiter interface {
	// Wait returns nil when mail may have come, after at most the given time, or after Wake. It returns
	// an error when ctx ends.
	Wait(ctx context.Context, most time.Duration) error
	// Wake ends the current Wait, or the next one. Any goroutine may call it.
	Wake()
	Close()
}

// Sender sends mails. It calls Last of each envelope before the mail can go out.
type Sender interface {
	Send(ctx context.Context, env outgoing.Envelope) (outgoing.Outcome, error)
	Close()
}

// The kinds of an Event.
const (
	Handled  = "handled"  // a mail was acted on; Outcome is how it was classified, Detail why
	Resolved = "resolved" // a turn was resolved; Detail is empty
	Over     = "over"     // ... and that ended the game
	Sent     = "sent"     // a mail was delivered; Detail is its recipient
	Unsent   = "unsent"   // sending a mail failed; Outcome is the result, Detail its recipient
	Looked   = "looked"   // a mailbox was read
	Down     = "down"     // a server is in trouble; Outcome is the kind, Detail the cause
	Trouble  = "trouble"  // a game or a mail cannot go on without help; Detail is the cause
	Entered  = "entered"  // something happened in a cup; Detail is its name
	Idle     = "idle"     // nothing to do before At, unless mail comes
)

// Event is one thing that happened in the daemon.
type Event struct {
	Kind    string
	Mailbox string // the address, if the event concerns one
	Game    string // ID, if the event concerns one
	Turn    int
	Outcome string
	Detail  string
	At      time.Time
}
