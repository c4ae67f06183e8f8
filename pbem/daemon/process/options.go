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

// Options are what a daemon is made of.
type Options struct {
	Config    *config.Config
	Catalogue vault.Catalogue
	Library   *lobby.Library // the texts that people may ask for; nil for none
	// Ratings gives what is known of ratings in the community of a configuration; nil: what Library has.
	Ratings  func(of *config.Config) func() *rating.Book
	Allocate []family.Allocator // what captains may have damage allocated by
	Clock    clock.Clock        // nil: the machine's
	Chance   func() float64     // from 0 to 1, without 1; nil: the machine's
	Log      *slog.Logger       // nil: nothing is logged
	// Inbox and Sender open the connections; nil: IMAP and SMTP as configured.
	Inbox  func(ctx context.Context, box config.Mailbox) (Inbox, error)
	Sender func(ctx context.Context, box config.Mailbox) (Sender, error)
	// Beacons gives rounds of public beacons; nil: no one is asked.
	Beacons relay.Source
	// Store opens the store; nil: the one in the state directory.
	Store func() (Store, error)
	// Watch is told of what happened, by several goroutines at once; it must not
	// block. May be nil.
	Watch func(Event)
	// From has mails taken in that came since then and before the first start; zero:
	// they stay where they are.
	From time.Time
	// TakeOver has the daemon remove other daemons' marks from its mailboxes.
	TakeOver bool
	Version  string // of the program, for the heartbeat
	Composer string // address of the page on which orders are composed; "" for none
	// Digest makes the mail that tells the host of all games; nil for none.
	Digest func(ctx context.Context, now time.Time) (subject, text string, err error)
	// Before is asked before each step that changes something; an error stops
	// the daemon there, as a kill would. Nil: nothing is asked.
	Before func(step string) error
}

// Inbox is the mailbox as the daemon needs it. But for Wake it belongs to one
// goroutine; an error ends its use, a new one is then opened.
type Inbox interface {
	// Look gives validity and the UIDs above after, which counts only under
	// the same validity.
	Look(ctx context.Context, validity, after uint32) (now uint32, uids []uint32, err error)
	// Infos tells of each mail that still exists when the server got it, and whether
	// someone has read it.
	Infos(ctx context.Context, uids []uint32) (map[uint32]mailbox.Info, error)
	// Fetch hands over each mail that still exists.
	Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error
	// Move puts mails into a folder; vanished ones are no error.
	Move(ctx context.Context, uids []uint32, folder string) error
	waiter
}

// waiter rings when mail comes.
type waiter interface {
	// Wait returns nil when mail may have come, after most, or after Wake; an
	// error when ctx ends.
	Wait(ctx context.Context, most time.Duration) error
	// Wake ends the Wait that is under way, or the next one. Any goroutine may
	// call it.
	Wake()
	Close()
}

// Sender is where mails go out. It asks Last of each before the mail can go out.
type Sender interface {
	Send(ctx context.Context, env outgoing.Envelope) (outgoing.Outcome, error)
	Close()
}

// What an Event is about.
const (
	Handled  = "handled"  // a mail was acted on; Outcome is what it was taken for, Detail why
	Resolved = "resolved" // a turn was resolved; Detail is empty
	Over     = "over"     // ... and with it the game ended
	Sent     = "sent"     // a mail was delivered; Detail is its recipient
	Unsent   = "unsent"   // an attempt to send a mail failed; Outcome is how the server took it, Detail its recipient
	Looked   = "looked"   // a mailbox was read
	Down     = "down"     // a server is in trouble; Outcome is the kind of it, Detail is why
	Trouble  = "trouble"  // a game or a mail cannot go on by itself; Detail is why
	Entered  = "entered"  // something happened in a cup; Detail is its name
	Idle     = "idle"     // nothing to do before At, unless mail comes
)

// Event is one thing that the daemon did.
type Event struct {
	Kind    string
	Mailbox string // the address, if it is about one
	Game    string // id, if it is about one
	Turn    int
	Outcome string
	Detail  string
	At      time.Time
}
