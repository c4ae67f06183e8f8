package vault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/clock"
)

// Kinds of journal entries.
const (
	JournalJoin     = "join"      // a vacant seat was taken over: JoinData
	JournalResign   = "resign"    // a captain left, his seat is vacant: ResignData
	JournalAddress  = "address"   // a captain has a new address: AddressData
	JournalAway     = "away"      // a captain will be away: AwayData
	JournalBack     = "back"      // a captain is back: all his absences end
	JournalVoteDraw = "vote-draw" // a captain wants the game to end as a draw, in Turn
	JournalUnvote   = "unvote"    // ... and takes that back
	JournalPause    = "pause"     // the game's clock stands still: PauseData
	JournalResume   = "resume"    // ... and goes on: ResumeData, or none
	JournalDeadline = "deadline"  // the deadline of Turn is another one: DeadlineData
	JournalGrace    = "grace"     // the grace period of Turn was opened: GraceData
	JournalReady    = "ready"     // the orders of Turn are with the referee, who plays it
	JournalMessage  = "message"   // a message between captains was relayed: MessageData
	JournalProtest  = "protest"   // a captain protests against an event: ProtestData
	JournalDispute  = "dispute"   // what a referee did about a protest: DisputeData
	JournalProof    = "proof"     // what a proof let in that others could send again: ProofData
	JournalRevise   = "revise"    // resolved turns have another outcome: ReviseData
	JournalRollback = "rollback"  // turns were taken back: RollbackData
	JournalAmend    = "amend"     // an order set was changed for its captain: AmendData
	JournalReferee  = "referee"   // the game has another referee from now on: RefereeData
	JournalKey      = "key"       // a referee's key is another one: KeyData
	JournalLooked   = "looked"    // a referee who plays looked at what his side may not know: LookedData
	JournalBecome   = "become"    // a referee commands a captain's ships, together with him
	JournalGiveBack = "give-back" // ... and does no more
	JournalReplace  = "replace"   // a captain's seat was given to another person: ReplaceData
	JournalInvite   = "invite"    // a person was asked to take a vacant seat: InviteData
	JournalProcess  = "process"   // Turn was played before its time: ProcessData
	JournalRules    = "rules"     // from Turn on the game is played by another version of its rules: RulesData
)

// Entry is one line of journal.jsonl: one administrative fact of a game.
type Entry struct {
	Seq     int       `json:"seq"`               // from 1, without gaps
	Time    time.Time `json:"time"`              // when, UTC
	Kind    string    `json:"kind"`              // one of the constants above
	By      string    `json:"by"`                // a captain's name, "daemon" or "referee"
	Turn    int       `json:"turn,omitempty"`    // the turn that was due
	Round   int       `json:"round,omitempty"`   // ... and its round, of what is about its time, in games that have rounds
	Captain string    `json:"captain,omitempty"` // whom it is about, by name
	Why     string    `json:"why,omitempty"`
	// Cause is what brought the entry about, such as the SHA-256 of a mail and,
	// after "#", the number of the command in it. Of one kind and cause there is
	// one entry.
	Cause string          `json:"cause,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"` // by kind, one of the types below
	Prev  string          `json:"prev"`           // SHA-256 of the line before, 64 zeros for the first
}

// JoinData belongs to a join: the address of the new holder of the seat.
type JoinData struct {
	Address string `json:"address"`
}

// ResignData belongs to a resignation: the address that the seat had, and whether
// anybody may join the seat from now on, also in a game that is not open.
type ResignData struct {
	Address string `json:"address,omitempty"`
	Open    bool   `json:"open,omitempty"`
}

// AddressData belongs to a change of address. It holds only while the captain's
// address is Old: what a referee writes into game.toml later goes before.
type AddressData struct {
	Old string `json:"old"`
	New string `json:"new"`
	// Back tells that New is one that the captain had before: he undid a change. Who
	// had the mails of Old meanwhile knows keys, so those change as if the seat had
	// passed from hand to hand, and votes from there do not count.
	Back bool `json:"back,omitempty"`
}

// AwayData belongs to an absence: from the start of From to the end of To, in
// the game's time zone, both inclusive.
type AwayData struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// PauseData belongs to a pause.
type PauseData struct {
	Until time.Time  `json:"until,omitzero"` // zero: until there is a resume
	Left  clock.Span `json:"left,omitempty"` // of Turn when its time ceased to count
	// Deadline is that of Turn from now on; zero: it is made at the resume.
	Deadline time.Time `json:"deadline,omitzero"`
}

// ResumeData may belong to the end of a pause.
type ResumeData struct {
	Deadline time.Time `json:"deadline,omitzero"` // of Turn from now on; zero: it stays
}

// DeadlineData belongs to a moved deadline.
type DeadlineData struct {
	Deadline time.Time `json:"deadline"`
}

// GraceData belongs to a grace period.
type GraceData struct {
	Ends time.Time `json:"ends"`
}

// MessageData belongs to a relayed message.
type MessageData struct {
	To       string   `json:"to"`       // as the captain addressed it: "Hood", "side", "all"
	Captains []string `json:"captains"` // who got it, by name
	Text     string   `json:"text"`
}

// ProtestData belongs to a protest: the event of a resolved turn, by the number
// that the captain's report gives it, and what he says of it.
type ProtestData struct {
	Turn   int    `json:"turn"`
	Event  int    `json:"event"`
	Reason string `json:"reason"`
	// Seq is the number of the event in the truth of the turn, as it was then, and
	// Revision which resolution of the turn that was; 0 in entries that are older
	// than this.
	Seq      int `json:"seq,omitempty"`
	Revision int `json:"revision,omitempty"`
}

// ProofData belongs to a proof: what it let in for Turn, the name of an order
// set ("Hood", "@Kirk") or a command ("#resign"), and when that was made. Nothing
// made earlier is let in for the same thing.
type ProofData struct {
	What string    `json:"what"`
	Made time.Time `json:"made"`
	// Referee is whose it is, by name; "" for the captain whom the entry is about.
	Referee string `json:"referee,omitempty"`
}

// journalKinds says of each kind what its data is; nil for none.
func journalKinds() map[string]func() checkedData {
	return map[string]func() checkedData{
		JournalJoin:     func() checkedData { return new(JoinData) },
		JournalResign:   func() checkedData { return new(ResignData) },
		JournalAddress:  func() checkedData { return new(AddressData) },
		JournalAway:     func() checkedData { return new(AwayData) },
		JournalBack:     nil,
		JournalVoteDraw: nil,
		JournalUnvote:   nil,
		JournalPause:    func() checkedData { return new(PauseData) },
		JournalResume:   func() checkedData { return new(ResumeData) },
		JournalDeadline: func() checkedData { return new(DeadlineData) },
		JournalGrace:    func() checkedData { return new(GraceData) },
		JournalReady:    nil,
		JournalMessage:  func() checkedData { return new(MessageData) },
		JournalProtest:  func() checkedData { return new(ProtestData) },
		JournalDispute:  func() checkedData { return new(DisputeData) },
		JournalProof:    func() checkedData { return new(ProofData) },
		JournalRevise:   func() checkedData { return new(ReviseData) },
		JournalRollback: func() checkedData { return new(RollbackData) },
		JournalAmend:    func() checkedData { return new(AmendData) },
		JournalReferee:  func() checkedData { return new(RefereeData) },
		JournalKey:      func() checkedData { return new(KeyData) },
		JournalLooked:   func() checkedData { return new(LookedData) },
		JournalBecome:   nil,
		JournalGiveBack: nil,
		JournalReplace:  func() checkedData { return new(ReplaceData) },
		JournalInvite:   func() checkedData { return new(InviteData) },
		JournalProcess:  func() checkedData { return new(ProcessData) },
		JournalRules:    func() checkedData { return new(RulesData) },
	}
}

// checkedData is the data of an entry; problem says what is wrong with it.
type checkedData interface{ problem() string }

func (d *JoinData) problem() string { return addressProblem(d.Address) }

func (d *ResignData) problem() string {
	if d.Address == "" {
		return ""
	}
	return addressProblem(d.Address)
}

func (d *AddressData) problem() string {
	if p := addressProblem(d.Old); p != "" {
		return p
	}
	return addressProblem(d.New)
}

func (d *AwayData) problem() string {
	if d.From.IsZero() || !d.From.Before(d.To) {
		return "an absence ends after it begins"
	}
	return ""
}

func (d *PauseData) problem() string {
	if d.Until.IsZero() != d.Deadline.IsZero() {
		return "a pause with an end has a deadline, and no other has one"
	}
	return ""
}

func (d *ResumeData) problem() string { return "" }

func (d *DeadlineData) problem() string { return zeroProblem(d.Deadline) }

func (d *GraceData) problem() string { return zeroProblem(d.Ends) }

func (d *MessageData) problem() string { return "" }

func (d *ProtestData) problem() string {
	if d.Turn < 1 || d.Event < 1 {
		return "a protest names a turn and an event from 1"
	}
	return ""
}

func (d *ProofData) problem() string {
	if d.What == "" || len(d.What) > 300 {
		return "a proof names what it let in"
	}
	return zeroProblem(d.Made)
}

func addressProblem(a string) string {
	if !plausibleAddress(a) {
		return fmt.Sprintf("%q is not a mail address", a)
	}
	return ""
}

func zeroProblem(t time.Time) string {
	if t.IsZero() {
		return "a time is missing"
	}
	return ""
}

// Decode reads the entry's data into one of the types above, strictly.
func (e Entry) Decode(into any) error {
	if err := strict(e.Data, into); err != nil {
		return fmt.Errorf("journal entry %d (%s): %w", e.Seq, e.Kind, err)
	}
	return nil
}

func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("there is more after the end")
	}
	return nil
}

// NewEntry makes an entry with its data, which may be nil.
func NewEntry(kind, by string, at time.Time, data any) (Entry, error) {
	e := Entry{Kind: kind, By: by, Time: at}
	if data == nil {
		return e, nil
	}
	var err error
	if e.Data, err = json.Marshal(data); err != nil {
		return e, fmt.Errorf("journal entry (%s): %w", kind, err)
	}
	return e, nil
}

// problem says what is wrong with an entry by itself; "" for nothing.
func (e Entry) problem() string {
	kinds := journalKinds()
	data, ok := kinds[e.Kind]
	switch {
	case !ok:
		known := make([]string, 0, len(kinds))
		for k := range kinds {
			known = append(known, k)
		}
		slices.Sort(known)
		p := fmt.Sprintf("kind %q is not known", e.Kind)
		if near := orders.Suggest(e.Kind, known); near != "" {
			p += fmt.Sprintf("; did you mean %q?", near)
		}
		return p
	case e.By == "":
		return "it does not say by whom"
	case e.Time.IsZero():
		return "it does not say when"
	case e.Turn < 0 || e.Round < 0:
		return fmt.Sprintf("turn %d cannot be", e.Turn)
	case data == nil && len(e.Data) > 0:
		return fmt.Sprintf("a %s entry has no data", e.Kind)
	}
	for _, s := range []string{e.By, e.Captain, e.Cause} {
		if len(s) > 300 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
			return fmt.Sprintf("%q cannot be a name", s)
		}
	}
	if wantsCaptain(e.Kind) && e.Captain == "" && !e.ofReferee() {
		return "it does not say about whom"
	}
	if (e.Kind == JournalDeadline || e.Kind == JournalGrace || e.Kind == JournalReady || e.Kind == JournalVoteDraw || e.Kind == JournalUnvote || e.Kind == JournalRules) && e.Turn == 0 {
		return "it does not say of which turn"
	}
	if data == nil || e.Kind == JournalResume && len(e.Data) == 0 {
		return ""
	}
	d := data()
	if err := strict(e.Data, d); err != nil {
		return "its data cannot be read: " + err.Error()
	}
	return d.problem()
}

// ofReferee tells a proof that let something of a referee in.
func (e Entry) ofReferee() bool {
	var d ProofData
	return e.Kind == JournalProof && e.Decode(&d) == nil && d.Referee != ""
}

// wantsCaptain tells the kinds that are about one captain.
func wantsCaptain(kind string) bool {
	switch kind {
	case JournalPause, JournalResume, JournalDeadline, JournalGrace, JournalReady, JournalRevise, JournalRollback,
		JournalReferee, JournalKey, JournalLooked, JournalProcess, JournalRules:
		return false
	}
	return true
}

// timed tells the kinds that are about the time of what is due.
func (e Entry) timed() bool {
	switch e.Kind {
	case JournalPause, JournalResume, JournalDeadline, JournalGrace:
		return true
	}
	return false
}
