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
	Resign   = "resign"    // a captain left, the seat is vacant: ResignData
	Leave    = "leave"     // a captain left before the game began: ResignData
	Begin    = "begin"     // the game begins, with the deadline of Turn: DeadlineData
	Cancel   = "cancel"    // the game was called off before it began
	Address  = "address"   // a captain has a new address: AddressData
	Away     = "away"      // a captain will be away: AwayData
	StandIn  = "stand-in"  // someone agreed to stand in for a captain who is away: StandInData
	Back     = "back"      // a captain is back: all their absences end
	VoteDraw = "vote-draw" // a captain wants the game to end as a draw, in Turn
	Unvote   = "unvote"    // ... and withdraws that
	Pause    = "pause"     // the game's clock stands still: PauseData
	Resume   = "resume"    // ... and goes on: ResumeData, or none
	Deadline = "deadline"  // Turn has a new deadline: DeadlineData
	Grace    = "grace"     // the grace period of Turn was opened: GraceData
	Ready    = "ready"     // the orders of Turn are with the referee, who resolves it
	Close    = "close"     // the orders of Turn are closed, and its dice come from a future round of the beacon: CloseData
	OwnDice  = "own-dice"  // no beacon was available for Turn, which uses the host's own dice
	Message  = "message"   // a message between captains was relayed: MessageData
	Protest  = "protest"   // a captain protests against an event: ProtestData
	Dispute  = "dispute"   // a referee's step in a dispute: DisputeData
	Proof    = "proof"     // the proof of a request that others could send again: ProofData
	Told     = "told"      // others aboard were told of an order set for Turn: ToldData
	Revise   = "revise"    // resolved turns have a new outcome: ReviseData
	Rollback = "rollback"  // turns were rolled back: RollbackData
	Amend    = "amend"     // an order set was changed for its captain: AmendData
	Referee  = "referee"   // the game has a new referee: RefereeData
	Key      = "key"       // a referee's key was renewed: KeyData
	Looked   = "looked"    // a referee who plays looked at something hidden from their side: LookedData
	Become   = "become"    // a referee now commands a captain's ships, together with the captain
	GiveBack = "give-back" // ... and no longer does
	Replace  = "replace"   // a captain's seat was given to another person: ReplaceData
	Invite   = "invite"    // a person was invited to a vacant seat: JoinData
	Process  = "process"   // Turn was resolved early: ProcessData
	Tell     = "tell"      // a referee's words to one captain: TellData
	Name     = "name"      // the name of the person in a seat: NameData
	Zone     = "zone"      // the additional time zone for a captain's times: ZoneData
	Rules    = "rules"     // from Turn on, the game uses another version of its rules: RulesData
)

// Entry is one line of journal.jsonl: one administrative fact of a game.
type Entry struct {
	Seq     int                `json:"seq"`               // from 1, without gaps
	Time    time.Time          `json:"time"`              // when, UTC
	Kind    string             `json:"kind"`              // one of the constants above
	By      string             `json:"by"`                // a captain or a referee by name, or an office such as "daemon", see [Who]
	Turn    int                `json:"turn,omitempty"`    // the turn that was due
	Round   int                `json:"round,omitempty"`   // ... and its round, for entries about time in games with rounds
	Captain engine.CaptainName `json:"captain,omitempty"` // the captain it is about, by name
	Why     string             `json:"why,omitempty"`
	// Cause is the cause of the entry, such as the SHA-256 of a mail and, after "#", the number of the
	// command in it. Each kind and cause has only one entry.
	Cause string          `json:"cause,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"` // by kind, one of the types below
	Prev  string          `json:"prev"`           // SHA-256 of the line before, 64 zeros for the first

	err error // see NewEntry
}

// JoinData belongs to a join or an invitation: the address that has the seat, or may have it.
type JoinData struct {
	Address string `json:"address"`
}

// ResignData belongs to a resignation: the address that the seat had, and whether anybody may join the
// seat from now on, even in a game that is not open.
type ResignData struct {
	Address string `json:"address,omitempty"`
	Open    bool   `json:"open,omitempty"`
}

// AddressData belongs to a change of address. It applies only while the captain's address is Old: a later
// change in game.toml takes precedence.
type AddressData struct {
	Old string `json:"old"`
	New string `json:"new"`
	// Back means that New is a former address of the captain, who undid a change. The holder of Old may
	// know keys, so the keys change as if the seat had changed hands, and votes from there do not count.
	Back bool `json:"back,omitempty"`
}

// AwayData belongs to an absence: from the start of From to the end of To, in
// the game's time zone, both inclusive.
type AwayData struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// StandIn is the address of the person asked to give orders meanwhile; "" for none.
	StandIn string `json:"stand_in,omitempty"`
}

// StandInData belongs to a confirmed stand-in: the address, and the absence it is for.
type StandInData struct {
	Address string    `json:"address"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
}

// PauseData belongs to a pause.
type PauseData struct {
	Until time.Time  `json:"until,omitzero"` // zero: until a resume
	Left  clock.Span `json:"left,omitempty"` // time left for Turn when the clock stopped
	// Deadline is the new deadline of Turn; zero: it is set at the resume.
	Deadline time.Time `json:"deadline,omitzero"`
}

// ResumeData may belong to the end of a pause.
type ResumeData struct {
	Deadline time.Time `json:"deadline,omitzero"` // new deadline of Turn; zero: unchanged
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
	Captains []engine.CaptainName `json:"captains"` // recipients, by name; null for the referees
	Text     string               `json:"text"`
	Prose    bool                 `json:"prose,omitempty"` // it was the whole text of a mail without a command
	// Answers is the cause of the message it replies to; "" for none.
	Answers string `json:"answers,omitempty"`
	// Press means that its writer was told that it will be published when the game is over.
	Press bool `json:"press,omitempty"`
}

// ProtestData belongs to a protest: the event of a resolved turn, by its number in the captain's report,
// and the captain's reason.
type ProtestData struct {
	Turn   int    `json:"turn"`
	Event  int    `json:"event"`
	Reason string `json:"reason"`
	// Seq is the number of the event in the full record of the turn at that time, and Revision the
	// resolution of the turn; both are 0 in older entries.
	Seq      int `json:"seq,omitempty"`
	Revision int `json:"revision,omitempty"`
}

// ProofData belongs to a proof: the proven request for Turn, which is the name of an order set ("Hood",
// "@Kirk") or a command ("#resign"), and when it was made. Nothing made earlier is accepted for the same
// thing.
type ProofData struct {
	What string    `json:"what"`
	Made time.Time `json:"made"`
	// Referee is the referee who made the request, by name; "" for the entry's captain.
	Referee string `json:"referee,omitempty"`
}

// ToldData belongs to what others on a ship were told at once about an order set: everything they know
// about it from now on. No words: none of it applies any more.
type ToldData struct {
	Set   string     `json:"set"` // "Hood.engineer"
	Words []ToldWord `json:"words,omitempty"`
}

// ToldWord is what some posts were told.
type ToldWord struct {
	Posts []string `json:"posts"`
	Title string   `json:"title"`
	Lines string   `json:"sha256"` // of the lines, each with its newline
}

// NameData belongs to a name: the person's new name.
type NameData struct {
	Name string `json:"name"`
}

// ZoneData belongs to a time zone: its name in the IANA database, "" for none.
type ZoneData struct {
	Zone string `json:"zone"`
}

// TellData belongs to a referee's words to one captain.
type TellData struct {
	Text string `json:"text"`
}

// kindOf describes a kind of entry apart from author and time.
type kindOf struct {
	data   func() any // makes a value to decode its data into; nil for no data
	bare   bool       // the data may be missing
	seat   bool       // it is about a captain
	ofTurn bool       // ... or a turn
	timed  bool       // ... or the time of the due stage
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

// Timed reports whether a kind is about the time of the due stage.
func Timed(kind string) bool { return kinds[kind].timed }

// checkedData is data with a check; problem says what is wrong.
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

// DataOf returns the data of a valid journal entry: T must be the type of its kind. Without data it
// returns the zero value.
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

// Read reads a line, strictly. [Entry.Problem] checks its content.
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

// NewEntry returns an entry with its data, which may be nil. If the data cannot be encoded, the game's
// Append returns the error.
func NewEntry(kind, by string, at time.Time, data any) Entry {
	e := Entry{Kind: kind, By: by, Time: at}
	if data != nil {
		e.Data, e.err = json.Marshal(data)
	}
	return e
}

// Problem says what is wrong with an entry on its own; "" for nothing.
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

// ofReferee reports whether the entry is the proof of a referee's request.
func (e Entry) ofReferee() bool {
	var d ProofData
	return e.Kind == Proof && e.Decode(&d) == nil && d.Referee != ""
}
