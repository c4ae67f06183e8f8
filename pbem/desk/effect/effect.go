package effect

import (
	"fmt"
	"strings"
	"time"

	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Effects are what a mail brings about.
type Effects struct {
	Steps []Step
	// Mails to send after the steps, in addition to the answer.
	Mails []Outgoing
	To    string // where the answer goes; "" for none
}

// Step is a change to make. It may be made again and changes nothing then.
type Step interface{ Do() error }

// OrderStep is an order set to store, or to drop.
type OrderStep struct {
	Game *vault.Game
	Turn int
	// Round is that of the turn which the set is for, in games that have rounds.
	Round int
	Name  string // as vault has it: "Hood", "@Kirk"
	Text  string // canonical; "" drops the set
	At    time.Time
	// Proof is recorded in the journal first; nil for nothing.
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
		_, err := s.Game.Orders.Drop(at, s.Name)
		return err
	}
	return s.Game.Orders.Put(at, s.Name, []byte(s.Text), s.At)
}

// NoteStep is entries for a game's journal.
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

// KindAck begins the Message-ID of the answer to orders and commands, KindHelp that of one to a mail without any.
const (
	KindAck  = "ack"
	KindHelp = "help"
)

// AnswerName names the answer to a mail by the hash that it or its cause begins with.
func AnswerName(cause string) string { return cause[:min(AnswerNameBytes, len(cause))] }

// AnswerNameBytes is how much of a mail's hash stands in the Message-IDs of what it brings about.
const AnswerNameBytes = 32

// AnswerID is the Message-ID of the answer to the mail that brought a captain's message.
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
	KindMessage = "letter"  // a message of one captain to another
	KindReport  = "again"   // a report once more, for who asked for it
	KindTold    = "told"    // what a captain did that the others are told
	KindConfirm = "confirm" // a question to an address that is not registered
)

// Outgoing is a mail to send in addition to the answer. Its Message-ID is the same
// each time the same mail is judged.
type Outgoing struct {
	Kind    string
	Game    string // id
	Message outgoing.Message
	// Answer tells that it goes to who sent the mail, and counts as an answer.
	Answer bool
	// Limits are how many mails of this kind may go out within a day, each for
	// one cause; past any of them the mail is not sent.
	Limits []DailyLimit
}

// DailyLimit is how many mails a day a sender or a game may cause.
type DailyLimit struct {
	Who    string
	PerDay int
}
