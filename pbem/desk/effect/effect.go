package effect

import (
	"fmt"
	"strings"
	"time"

	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Effects are the effects of a mail.
type Effects struct {
	Steps []Step
	// Mails to send after the steps, in addition to the answer.
	Mails []Outgoing
	To    string // address of the answer; "" for none
}

// Step is a change to make. Making it again changes nothing.
type Step interface{ Do() error }

// OrderStep stores or drops an order set.
type OrderStep struct {
	Game *vault.Game
	Turn int
	// Round is the round of Turn that the set is for, in games with rounds.
	Round int
	Name  string // as in vault: "Hood", "@Kirk"
	Text  string // canonical; "" drops the set
	At    time.Time
	// Proof is recorded in the journal first; nil for none.
	Proof *journal.Entry
}

// Do makes the change.
func (s OrderStep) Do() error {
	if s.Proof != nil {
		if _, err := s.Game.Append(*s.Proof); err != nil {
			return err
		}
	}
	at := vault.Stage{Turn: s.Turn, Round: s.Round}
	if s.Text == "" {
		return s.Game.Orders.Drop(at, s.Name)
	}
	return s.Game.Orders.Put(at, s.Name, []byte(s.Text), s.At)
}

// NoteStep appends entries to a game's journal.
type NoteStep struct {
	Game    *vault.Game
	Entries []journal.Entry
}

// Do makes the change.
func (s NoteStep) Do() error {
	for _, e := range s.Entries {
		if _, err := s.Game.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// KindAck begins the Message-ID of an answer to orders and commands, KindHelp that of an answer to
// a mail without any.
const (
	KindAck  = "ack"
	KindHelp = "help"
)

// AnswerName returns the name of the answer to a mail: the beginning of the mail's hash, which its
// cause also begins with.
func AnswerName(cause string) string { return cause[:min(AnswerNameBytes, len(cause))] }

// AnswerNameBytes is how much of a mail's hash appears in the Message-IDs of its effects.
const AnswerNameBytes = 32

// AnswerID returns the Message-ID of the answer to the mail that contained a captain's message.
func (d *Robot) AnswerID(message journal.Entry) string {
	kind := KindAck
	if journal.DataOf[journal.MessageData](message).Prose {
		kind = KindHelp
	}
	_, domain, _ := strings.Cut(d.Address, "@")
	return fmt.Sprintf("<%s.%s@%s>", kind, AnswerName(message.Cause), domain)
}

// Kinds of mails other than answers, which also begin their Message-IDs.
const (
	KindMessage = "letter"  // a message from one captain to another
	KindReport  = "again"   // a report sent again on request
	KindTold    = "told"    // news for the others of what a captain did
	KindConfirm = "confirm" // a question to an address that is not registered
)

// Outgoing is a mail to send in addition to the answer. Its Message-ID is the same each time the
// same mail is decided.
type Outgoing struct {
	Kind    string
	Game    string // game ID
	Message outgoing.Message
	// Answer means that the mail goes to the sender, and counts as an answer.
	Answer bool
	// Limits are the daily limits for mails of this kind, each for one cause. A mail that exceeds
	// any of them is not sent.
	Limits []DailyLimit
}

// DailyLimit is how many mails a day a sender or a game may cause.
type DailyLimit struct {
	Who    string
	PerDay int
}
