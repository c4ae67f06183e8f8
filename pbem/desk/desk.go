package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/console"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/lobby"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/rehearse"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// Outcome is what becomes of a mail; it names the folder that the mail goes to.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // at least one order set was stored or dropped
	Refused Outcome = "refused" // orders that could not be taken
	Ignored Outcome = "ignored" // automatic, from a stranger, or no orders in it
)

// Games is where the games of a robot are looked up.
type Games interface {
	// Settings are those of every open game, in order of id. Neither the list nor what is in
	// it is changed afterwards.
	Settings() []*vault.Settings
	// Game gives an open game by its id. It stays locked until the
	// mail is dealt with.
	Game(id string) (*vault.Game, error)
	// Look gives an open game to look at only; others may write to it.
	Look(id string) (*vault.Game, error)
}

// Listings keeps how games stand for lists of them.
type Listings interface {
	// Known is how a game stood when it was looked at last; nil when it is not kept.
	Known(id string) *Listing
	// Keep has it kept from now on until the game changes.
	Keep(id string, l *Listing)
}

// Robot is an address that reads mails and writes them.
type Robot struct {
	Address string // the robot's own
	Name    string // its display name
	// Others are further addresses of the robot's own. Mail from them is no more
	// answered than mail from Address.
	Others []string
	// Referee is told of protests, and of who leaves and joins; "" for none.
	Referee string
	// NoPlus tells that answers come to the plain address, so that only the
	// #orders line carries the turn key.
	NoPlus bool
	// Templates are the words of mails; nil are those built in.
	Templates *templates.Set
	// Site is the address of the pages about the games; "" for none.
	Site string
	// Composer is the address of the page on which orders are composed; "" for none.
	Composer string
}

// Registry knows who may write to a robot, and how they prove that they did.
type Registry struct {
	Games Games
	// Senders remembers the captains of the games from mail to mail; nil for none.
	Senders *SenderIndex
	// Border says whose word on senders is believed; none by default.
	Border auth.TrustBoundary
	// Signatures checks OpenPGP signatures; nil when they count for nothing.
	Signatures Signatures
}

// Services are what commands need beside the games.
type Services struct {
	// Listings keeps how games stand.
	Listings Listings
	// Allocate works damage through on the sheets of ships, for captains who ask for it.
	Allocate []family.Allocator
	// Library has the texts that one may ask for; nil for none.
	Library *lobby.Library
	// Lobby tells that strangers may ask for them too, and for the games that there are.
	Lobby bool
	// Hosting makes games for people; nil for none.
	Hosting *Hosting
	// Asked gives the Message-IDs of the questions that went out since a moment and before another,
	// newest first, of those that a limit counts, see DailyLimit; nil for none.
	Asked      func(who string, since, before time.Time) ([]string, error)
	Rehearsals *rehearse.Limit // of each captain, for all copies of the desk; nil for none
}

// Desk reads mails for one robot address.
type Desk struct {
	Robot
	Registry
	Services
	// Strangers get an answer.
	Strangers bool
	// Ways remembers which maps were drawn in answers; nil draws each.
	Ways *Ways
	// Console does the commands of referees.
	Console console.Console
}

// Incoming is a mail as it came in.
type Incoming struct {
	Mail     mime.Mail
	Err      error     // of mime.Read
	SHA256   string    // of the raw bytes; answers are known by it
	Received time.Time // by our own clock
	Arrived  time.Time // at the mail server, as that says; zero if it is not known
}

// mailIn is a mail on the desk: who wrote it, with which keys, and the games that it needs.
type mailIn struct {
	// Unknown tells that a game was named, or an address used, that
	// Games does not have. Where it may lack a game, the mail is better judged
	// again later.
	Unknown bool

	robot   *Robot
	people  *Registry
	in      Incoming
	body    blocks.Body // where the orders were looked for
	games   []openGame
	plus    string        // the turn key in the address that was written to
	inHeads []string      // the keys in the heads of all blocks, quoted ones too
	keys    []string      // never to be shown
	own     []string      // see secrets
	border  *auth.Results // see results
	shown   *htmlText     // see html
}

// effects are what a mail brings about.
type effects struct {
	Steps []Step
	// Mails to send after the steps, in addition to the answer.
	Mails []Outgoing
	to    string // where the answer goes; "" for none
}

// submissions are the order sets of a mail.
type submissions struct {
	*mailIn
	*effects
	orderResults []orderResult
	silent       []orders.Raw // quoted, and not spoken of
	onlyChecked  bool         // by a command of the mail
	commanded    bool         // the mail has commands
}

// task is the commands of a mail.
type task struct {
	*submissions
	services       *Services
	commands       []*command.Command
	commandResults []*commandResult    // one for each command
	strays         []orders.Diagnostic // about marks in the mail's text that begin no command
}

// Decision is the result for a mail: first do its Steps, then send its
// Mails and what Answer returns.
type Decision struct {
	*task
	Outcome Outcome
	Reason  string // for the log, without keys
	// Silent is to whom no answer goes although something was done for him; he is
	// told when he gets the next one. "" for none.
	Silent string

	desk      *Desk
	reply     reply
	why       string              // for a stranger
	open      []Question          // that a stranger has not answered
	prosaic   string              // what became of a captain's own words, see prose
	wordsMail string              // the mail whose words went to the referee within the hour, by its name in answers: a later one gets the same answer, so none
	unsent    *unsent             // see toCaptainOnly
	framed    *looseSet           // see headless
	loose     []orders.Diagnostic // about no order set in particular
	large     oversize            // for largeReply
	notices   []string            // see AddNotice
}

// newDecision is what is known of a mail before it is looked at.
func (d *Desk) newDecision(l Incoming) *Decision {
	in := &mailIn{robot: &d.Robot, people: &d.Registry, in: l, body: blocks.Plain("")}
	return &Decision{desk: d, Outcome: Ignored, task: &task{services: &d.Services, submissions: &submissions{mailIn: in, effects: &effects{}}}}
}

// reply is the kind of answer.
type reply uint8

const (
	noReply reply = iota
	ackReply
	helpReply
	strangerReply
	textReply
	refereeReply
	largeReply
)

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
		_, err := s.Game.DropStageOrders(at, s.Name)
		return err
	}
	return s.Game.PutStageOrders(at, s.Name, []byte(s.Text), s.At)
}

// Drops reports whether the step drops a set.
func (s OrderStep) Drops() bool { return s.Text == "" }

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

// orderResult is what was made of one order set.
type orderResult struct {
	game    *vault.Game    // nil when it is unknown
	pos     *turn.Position // of game
	set     orderset.Set
	source  string // that set was found in; "" for the Decision's
	captain vault.Captain
	claim   claim
	proof   auth.Trust
	trusted bool
	cancel  bool
	taken   bool // a step stores or drops it
	checked bool // it is only looked at
	played  bool // its turn is over, and was played with it
	echo    bool // it only repeats what we sent
	notices []string
}

// Decide decides a mail. It changes nothing. An error is trouble with a game or
// with the disk: the same mail can be judged again later.
func (d *Desk) Decide(l Incoming) (*Decision, error) {
	c := d.newDecision(l)
	senders := l.Mail.Senders()
	switch {
	case l.Mail.Automatic != "" && !l.Mail.Uncertain:
		c.Reason = "automatic: " + machine(l.Mail.Automatic)
		return c, nil
	case len(senders) == 0:
		c.Reason = "no sender"
		return c, nil
	case d.isOwn(senders[0]):
		c.Reason = "from our own address"
		return c, nil
	}
	c.plus, _ = auth.TurnKeyFromAddress(l.Mail.WrittenTo(), d.Address)
	seats := d.seats(senders[0])
	if l.Mail.Uncertain {
		return c, c.decideUncertain(seats)
	}
	if done, err := c.answerOfReferee(senders[0]); done || err != nil {
		return c, err
	}
	if done, err := c.asReferee(senders[0], len(seats) > 0); done || err != nil {
		return c, err
	}
	if len(seats) == 0 {
		return c, c.decideStranger(senders[0])
	}
	c.to = seats[0].address
	raws, diags, err := c.find(l)
	if err != nil && c.subjectAlone() {
		return c, c.doCommands(seats)
	}
	if err != nil {
		c.refuse(orders.Diagnostic{Code: codes.Unreadable, Message: report.UpperFirst(err.Error()), Hint: "send the orders as plain text in the mail itself"})
		return c, nil
	}
	diags = c.readCommands(diags)
	if len(raws) == 0 && len(c.body.Marked) == 0 && len(c.commands) == 0 && c.viewed() {
		if raws, diags, err = c.find(c.in); err != nil {
			return nil, err
		}
		diags = c.readCommands(diags)
	}
	if len(raws) > 0 || len(c.body.Marked) > 0 {
		if err := c.decideSets(seats, raws, diags); err != nil {
			return nil, err
		}
		diags = slices.DeleteFunc(diags, func(d orders.Diagnostic) bool {
			return slices.ContainsFunc(c.silent, func(r orders.Raw) bool { return d.Pos.Compare(r.Start) >= 0 && d.Pos.Compare(r.End) <= 0 })
		})
	}
	more, err := c.meant(seats)
	if err != nil {
		return nil, err
	}
	if len(more) == 0 && !slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeNearOrders }) {
		more = c.nearly()
	}
	if diags = append(diags, more...); len(c.orderResults) > 0 {
		c.loose = append(c.loose, more...)
	}
	if len(c.commands) > 0 && len(c.orderResults) == 0 {
		// Below a command a quoted report is nothing to speak of.
		diags = slices.DeleteFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeQuoted })
	}
	if len(c.orderResults) == 0 && orders.HasErrors(diags) {
		c.refuse(diags...)
		return c, nil
	}
	if err := c.doCommands(seats); err != nil {
		return nil, err
	}
	switch {
	case len(c.orderResults) > 0:
	case len(c.commandResults) > 0 || len(c.strays) > 0:
		c.loose = diags
		if len(c.commandResults) == 0 {
			c.refuse(append(c.strays, diags...)...)
			c.strays = nil
		}
	case len(diags) > 0:
		c.refuse(diags...)
	default:
		c.Reason, c.reply = "no order set", helpReply
		if c.open, err = c.answers(senders[0]); err != nil {
			return nil, err
		} else if len(c.open) > 0 {
			c.reply = strangerReply // the question is still open
		}
	}
	return c, c.prose(seats)
}

// decideSets decides the order sets of the mail.
func (c *Decision) decideSets(seats []seat, raws []orders.Raw, diags []orders.Diagnostic) error {
	c.onlyChecked, c.commanded = c.checks(), len(c.commands) > 0
	loose, err := c.decideBlocks(seats, raws, diags)
	if err != nil || len(c.orderResults) == 0 {
		return err
	}
	reason, done, err := c.take()
	c.reply, c.Outcome, c.Reason, c.loose = ackReply, Refused, reason, append(c.loose, loose...)
	if done {
		c.Outcome = Done
	}
	return err
}

// doCommands decides the commands of the mail.
func (c *Decision) doCommands(seats []seat) error {
	if err := c.decideCommands(seats); err != nil {
		return err
	}
	return c.summarizeCommands()
}

// isOwn tells whether an address is one of the robot's.
func (d *Robot) isOwn(address string) bool {
	return auth.SameAddress(address, d.Address) || auth.HasAddress(d.Others, address)
}

// firstError is where the first error stands among remarks, -1 for none.
func firstError(ds []orders.Diagnostic) int {
	return slices.IndexFunc(ds, func(d orders.Diagnostic) bool { return d.Severity == orders.Error })
}

// refusal is the code by which something is refused.
func refusal(ds []orders.Diagnostic) string {
	if at := firstError(ds); at >= 0 {
		return ds[at].Code
	}
	return "refused"
}

// refuse is the answer to a mail in which no set was found.
func (c *Decision) refuse(ds ...orders.Diagnostic) {
	c.Outcome, c.reply, c.loose = Refused, ackReply, ds
	worst := ds[max(0, firstError(ds))]
	c.Reason = fmt.Sprintf("%s: %s", worst.Code, worst.Message)
}

// decideBlocks decides every block of the mail, and gives the remarks that are about none of them.
func (c *submissions) decideBlocks(seats []seat, raws []orders.Raw, diags []orders.Diagnostic) (loose []orders.Diagnostic, err error) {
	for _, raw := range slices.Concat(raws, c.body.Marked) {
		c.keys = append(c.keys, raw.Head.Key)
		if key := raw.Head.Key; key != "" && !slices.Contains(c.inHeads, key) {
			c.inHeads = append(c.inHeads, key)
		}
	}
	if c.plus != "" {
		c.keys = append(c.keys, c.plus)
	}
	byGame, err := c.sort(seats, raws, diags)
	if err != nil {
		return nil, err
	}
	var asides []skippedBlock
	for _, g := range byGame {
		more, err := c.decideGame(g, diags)
		if err != nil {
			return nil, err
		}
		asides = append(asides, more...)
	}
	if err := c.passed(asides); err != nil {
		return nil, err
	}
	inside := func(at orders.Pos) bool {
		return slices.ContainsFunc(raws, func(raw orders.Raw) bool { return at.Compare(raw.Start) >= 0 && at.Compare(raw.End) <= 0 })
	}
	for _, d := range diags {
		if !inside(d.Pos) && d.Code != orders.CodeQuoted { // that is said of each set
			loose = append(loose, d)
		}
	}
	return loose, nil
}

// take makes steps of the sets that are taken, and says in a line what became of all.
func (c *submissions) take() (reason string, done bool, err error) {
	var words []string
	for i := range c.orderResults {
		s := &c.orderResults[i]
		switch {
		case s.taken && s.cancel:
			words = append(words, fmt.Sprintf("dropped %s %s", s.set.Name, turn.StageOf(s.set)))
		case s.taken:
			words = append(words, fmt.Sprintf("stored %s %s", s.set.Name, turn.StageOf(s.set)))
		case s.checked:
			words = append(words, fmt.Sprintf("checked %s", s.name()))
			continue
		default:
			words = append(words, fmt.Sprintf("refused %s (%s)", s.name(), refusal(s.set.Diagnostics)))
			continue
		}
		done = true
		step := OrderStep{Game: s.game, Turn: s.set.Turn, Round: s.set.Round, Name: s.set.Name, At: c.in.Received}
		if !s.cancel {
			step.Text = s.set.Text
			s.pos.Expect(s.set)
		}
		if step.Proof, err = c.noted(s.claim, s.proof); err != nil {
			return "", false, err
		}
		c.Steps = append(c.Steps, step)
		if err := c.tellAboard(s, i+1); err != nil {
			return "", false, err
		}
	}
	return auth.Mask(strings.Join(words, ", "), c.keys), done, nil
}

// name is what the set is called in messages.
func (s *orderResult) name() string {
	if s.set.Name != "" {
		return strings.TrimPrefix(s.set.Name, "@")
	}
	if _, ok := auth.Normalise(s.set.Raw.Head.Name); ok {
		return auth.Redacted // no ship's name, but what a key looks like
	}
	return s.set.Raw.Head.Name
}

// machine is why a mail counts as a machine's, without what a sender may have
// written there: of a value only a plain word that cannot be a key is kept.
func machine(why string) string {
	head, value, ok := strings.Cut(why, ": ")
	odd := strings.ContainsFunc(value, func(r rune) bool { return r != '-' && r != '_' && (r < 'a' || r > 'z') })
	if _, key := auth.Normalise(value); ok && (odd || key) {
		return head
	}
	return why
}
