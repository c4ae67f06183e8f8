package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/clock"
)

// Kinds of journal entries.
const (
	Join     = "join"      // a vacant seat was taken over: JoinData
	Resign   = "resign"    // a captain left, his seat is vacant: ResignData
	Leave    = "leave"     // a captain left before the game began: ResignData
	Begin    = "begin"     // the game begins, with the deadline of Turn: DeadlineData
	Cancel   = "cancel"    // the game was called off before it began
	Address  = "address"   // a captain has a new address: AddressData
	Away     = "away"      // a captain will be away: AwayData
	StandIn  = "stand-in"  // a person confirmed that he stands in for a captain who is away: StandInData
	Back     = "back"      // a captain is back: all his absences end
	VoteDraw = "vote-draw" // a captain wants the game to end as a draw, in Turn
	Unvote   = "unvote"    // ... and takes that back
	Pause    = "pause"     // the game's clock stands still: PauseData
	Resume   = "resume"    // ... and goes on: ResumeData, or none
	Deadline = "deadline"  // the deadline of Turn is another one: DeadlineData
	Grace    = "grace"     // the grace period of Turn was opened: GraceData
	Ready    = "ready"     // the orders of Turn are with the referee, who plays it
	Close    = "close"     // the orders of Turn are closed, and its dice are of a round of the beacon to come: CloseData
	OwnDice  = "own-dice"  // no beacon could be had for Turn, which has the host's own dice
	Message  = "message"   // a message between captains was relayed: MessageData
	Protest  = "protest"   // a captain protests against an event: ProtestData
	Dispute  = "dispute"   // what a referee did about a protest: DisputeData
	Proof    = "proof"     // what a proof let in that others could send again: ProofData
	Told     = "told"      // others aboard were told of an order set for Turn: ToldData
	Revise   = "revise"    // resolved turns have another outcome: ReviseData
	Rollback = "rollback"  // turns were taken back: RollbackData
	Amend    = "amend"     // an order set was changed for its captain: AmendData
	Referee  = "referee"   // the game has another referee from now on: RefereeData
	Key      = "key"       // a referee's key is another one: KeyData
	Looked   = "looked"    // a referee who plays looked at what his side may not know: LookedData
	Become   = "become"    // a referee commands a captain's ships, together with him
	GiveBack = "give-back" // ... and does no more
	Replace  = "replace"   // a captain's seat was given to another person: ReplaceData
	Invite   = "invite"    // a person was asked to take a vacant seat: JoinData
	Process  = "process"   // Turn was played before its time: ProcessData
	Tell     = "tell"      // a referee told one captain something: TellData
	Name     = "name"      // what the person calls himself who holds a seat: NameData
	Zone     = "zone"      // the time zone in which a captain is told times, too: ZoneData
	Rules    = "rules"     // from Turn on the game is played by another version of its rules: RulesData
)

// Entry is one line of journal.jsonl: one administrative fact of a game.
type Entry struct {
	Seq     int                `json:"seq"`               // from 1, without gaps
	Time    time.Time          `json:"time"`              // when, UTC
	Kind    string             `json:"kind"`              // one of the constants above
	By      string             `json:"by"`                // a captain or a referee by name, or an office such as "daemon", see [Who]
	Turn    int                `json:"turn,omitempty"`    // the turn that was due
	Round   int                `json:"round,omitempty"`   // ... and its round, of what is about its time, in games that have rounds
	Captain engine.CaptainName `json:"captain,omitempty"` // whom it is about, by name
	Why     string             `json:"why,omitempty"`
	// Cause is what brought the entry about, such as the SHA-256 of a mail and,
	// after "#", the number of the command in it. Of one kind and cause there is
	// one entry.
	Cause string          `json:"cause,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"` // by kind, one of the types below
	Prev  string          `json:"prev"`           // SHA-256 of the line before, 64 zeros for the first

	err error // see NewEntry
}

// JoinData belongs to a join, or an invitation: the address of who has the seat, or may have it.
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
	// StandIn is the address of who is asked to give the orders meanwhile; "" for no one.
	StandIn string `json:"stand_in,omitempty"`
}

// StandInData belongs to a stand-in who confirmed it: his address, and the absence that he was named with.
type StandInData struct {
	Address string    `json:"address"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
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
	To       string               `json:"to"`       // as the captain addressed it: "Hood", "side", "all", "referee"
	Captains []engine.CaptainName `json:"captains"` // who got it, by name; null for the referees
	Text     string               `json:"text"`
	Prose    bool                 `json:"prose,omitempty"` // it was all that a mail held, and no command
	// Answers is the cause of the message that it answers; "" for none.
	Answers string `json:"answers,omitempty"`
	// Press tells that its writer was told that it is published when the game is over.
	Press bool `json:"press,omitempty"`
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

// ToldData belongs to what others on a ship were told at once of an order set: all that they know
// of the set from now on. No words: none of it counts any more.
type ToldData struct {
	Set   string     `json:"set"` // "Hood.engineer"
	Words []ToldWord `json:"words,omitempty"`
}

// ToldWord is what some posts were told.
type ToldWord struct {
	Posts []string `json:"posts"`
	Title string   `json:"title"`
	Lines string   `json:"sha256"` // of the lines, each with its end
}

// NameData belongs to a name: what the person is called from now on.
type NameData struct {
	Name string `json:"name"`
}

// ZoneData belongs to a time zone: its name in the IANA database, "" for none.
type ZoneData struct {
	Zone string `json:"zone"`
}

// TellData belongs to words of a referee to one captain.
type TellData struct {
	Text string `json:"text"`
}

// kindOf is what an entry of a kind has beside its author and time.
type kindOf struct {
	data   func() any // makes what its data is read into; nil for none
	bare   bool       // it may lack the data
	seat   bool       // it is about a captain
	ofTurn bool       // ... or a turn
	timed  bool       // ... or the time of what is due
}

func has[T any]() func() any { return func() any { return new(T) } }

var kinds = map[string]kindOf{
	Join:     {data: has[JoinData](), seat: true},
	Resign:   {data: has[ResignData](), seat: true},
	Leave:    {data: has[ResignData](), seat: true},
	Begin:    {data: has[DeadlineData](), ofTurn: true, timed: true},
	Cancel:   {ofTurn: true},
	Address:  {data: has[AddressData](), seat: true},
	Away:     {data: has[AwayData](), seat: true},
	StandIn:  {data: has[StandInData](), seat: true},
	Back:     {seat: true},
	VoteDraw: {seat: true, ofTurn: true},
	Unvote:   {seat: true, ofTurn: true},
	Pause:    {data: has[PauseData](), timed: true},
	Resume:   {data: has[ResumeData](), bare: true, timed: true},
	Deadline: {data: has[DeadlineData](), ofTurn: true, timed: true},
	Grace:    {data: has[GraceData](), ofTurn: true, timed: true},
	Ready:    {ofTurn: true},
	Close:    {data: has[CloseData](), ofTurn: true, timed: true},
	OwnDice:  {ofTurn: true, timed: true},
	Message:  {data: has[MessageData](), seat: true},
	Protest:  {data: has[ProtestData](), seat: true},
	Dispute:  {data: has[DisputeData](), seat: true},
	Proof:    {data: has[ProofData](), seat: true},
	Told:     {data: has[ToldData](), seat: true, ofTurn: true, timed: true},
	Revise:   {data: has[ReviseData]()},
	Rollback: {data: has[RollbackData]()},
	Amend:    {data: has[AmendData](), seat: true},
	Referee:  {data: has[RefereeData]()},
	Key:      {data: has[KeyData]()},
	Looked:   {data: has[LookedData]()},
	Become:   {seat: true},
	GiveBack: {seat: true},
	Replace:  {data: has[ReplaceData](), seat: true},
	Invite:   {data: has[JoinData](), seat: true},
	Process:  {data: has[ProcessData]()},
	Tell:     {data: has[TellData](), seat: true},
	Name:     {data: has[NameData](), seat: true},
	Zone:     {data: has[ZoneData](), seat: true},
	Rules:    {data: has[RulesData](), ofTurn: true},
}

// Timed tells of a kind that it is about the time of what is due.
func Timed(kind string) bool { return kinds[kind].timed }

// checkedData is data that can be wrong; problem says how.
type checkedData interface{ problem() string }

func (d *JoinData) problem() string { return addressProblem(d.Address) }

func (d *ResignData) problem() string {
	if d.Address == "" {
		return ""
	}
	return addressProblem(d.Address)
}

func (d *AddressData) problem() string { return cmp.Or(addressProblem(d.Old), addressProblem(d.New)) }

func (d *AwayData) problem() string {
	if d.From.IsZero() || !d.From.Before(d.To) {
		return "an absence must end after it begins"
	}
	if d.StandIn != "" {
		return addressProblem(d.StandIn)
	}
	return ""
}

func (d *StandInData) problem() string {
	return cmp.Or(addressProblem(d.Address), zeroProblem(d.From), zeroProblem(d.To))
}

func (d *PauseData) problem() string {
	if d.Until.IsZero() != d.Deadline.IsZero() {
		return "a pause needs both an end and a deadline, or neither"
	}
	return ""
}

func (d *DeadlineData) problem() string { return zeroProblem(d.Deadline) }

func (d *GraceData) problem() string { return zeroProblem(d.Ends) }

func (d *ProtestData) problem() string {
	if d.Turn < 1 || d.Event < 1 {
		return "a protest needs a turn and an event from 1"
	}
	return ""
}

func (d *ProofData) problem() string {
	if d.What == "" || len(d.What) > 300 {
		return "a proof must name what it let in"
	}
	return zeroProblem(d.Made)
}

func (d *NameData) problem() string { return ProperName(d.Name) }

func (d *ZoneData) problem() string { return clock.ZoneProblem(d.Zone) }

func (d *TellData) problem() string {
	if d.Text == "" || len(d.Text) > maxDisputeText || !utf8.ValidString(d.Text) {
		return fmt.Sprintf("a text is empty, longer than %d bytes, or not text", maxDisputeText)
	}
	return ""
}

func addressProblem(a string) string {
	if !IsAddress(a) {
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

// DataOf is the data of an entry of a journal, which was found in order when it was read: T
// must be the type that goes with its kind. Where there is none it is the zero value.
func DataOf[T any](e Entry) (d T) {
	if len(e.Data) == 0 {
		return d
	}
	if err := e.Decode(&d); err != nil {
		panic(fmt.Sprintf("vault: a checked entry does not decode: %v", err))
	}
	return d
}

// Decode reads the entry's data into one of the types above, strictly.
func (e Entry) Decode(into any) error {
	if err := strict(e.Data, into); err != nil {
		return fmt.Errorf("journal entry %d (%s): %w", e.Seq, e.Kind, err)
	}
	return nil
}

// Read reads a line, strictly. See [Entry.Problem] for what it says.
func Read(line []byte) (e Entry, err error) { err = strict(line, &e); return e, err }

func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("there is text after the end")
	}
	return nil
}

// NewEntry makes an entry with its data, which may be nil. Data that cannot be written is
// an error of Append of a game.
func NewEntry(kind, by string, at time.Time, data any) Entry {
	e := Entry{Kind: kind, By: by, Time: at}
	if data != nil {
		e.Data, e.err = json.Marshal(data)
	}
	return e
}

// Problem says what is wrong with an entry by itself; "" for nothing.
func (e Entry) Problem() string {
	kind, ok := kinds[e.Kind]
	switch {
	case !ok:
		p := fmt.Sprintf("kind %q is not known", e.Kind)
		if near := orders.Suggest(e.Kind, slices.Sorted(maps.Keys(kinds))); near != "" {
			p += fmt.Sprintf("; did you mean %q?", near)
		}
		return p
	case e.err != nil:
		return "its data cannot be written: " + e.err.Error()
	case e.By == "":
		return "its author is missing"
	case e.Time.IsZero():
		return "its time is missing"
	case e.Turn < 0 || e.Round < 0:
		return fmt.Sprintf("turn %d is impossible", e.Turn)
	case kind.data == nil && len(e.Data) > 0:
		return fmt.Sprintf("a %s entry takes no data", e.Kind)
	}
	for _, s := range []string{e.By, string(e.Captain), e.Cause} {
		if len(s) > 300 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
			return fmt.Sprintf("%q cannot be a name", s)
		}
	}
	if kind.seat && e.Captain == "" && !e.ofReferee() {
		return "its captain is missing"
	}
	if kind.ofTurn && e.Turn == 0 {
		return "its turn is missing"
	}
	if kind.data == nil || kind.bare && len(e.Data) == 0 {
		return ""
	}
	d := kind.data()
	if err := strict(e.Data, d); err != nil {
		return "its data cannot be read: " + err.Error()
	}
	if checked, ok := d.(checkedData); ok {
		return checked.problem()
	}
	return ""
}

// ofReferee tells a proof that let something of a referee in.
func (e Entry) ofReferee() bool {
	var d ProofData
	return e.Kind == Proof && e.Decode(&d) == nil && d.Referee != ""
}
