package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/feed"
	"starpost/pbem/lobby"
	"starpost/pbem/rehearse"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Command is a command as it was read. What it does not say is empty.
type Command struct {
	Verb Spec
	N    int        // its number in the mail, from 1
	Pos  orders.Pos // of its mark or first word; line 0 for the subject
	End  orders.Pos // of the end of its last line

	Game    string
	Turn    int
	TurnPos orders.Pos
	Ship    string // cancel, join; the ship or class of allocate
	Side    string // join
	Key     string
	To      string    // whom a message is for, or the new address
	From    time.Time // first day of an absence, midnight UTC
	Until   time.Time // last day of it
	Event   int
	Vote    string // voteDraw or voteContinue; voteOff of observe
	Token   string
	Words   []string // what a question for a text asks for
	Text    string   // of a message, protest or allocation, in lines
	// TextLine is the number of the first line of an allocation's text.
	TextLine int
	Said     string // the words behind the verb as they stand, shortened, but for key and turn
	Line     string // a referee's command as it was understood; else ""

	Diagnostics []orders.Diagnostic // mistakes in its words
}

// What may be voted.
const (
	VoteDraw     = "draw"
	voteContinue = "continue"
	VoteOff      = "off" // of observe: no more
)

// Bounds of what a command may hold.
const (
	MaxMessageLines = 100
	MaxMessageBytes = 4000
	maxReasonBytes  = 2000
	maxCommandBytes = 1000
)

// OK reports whether the command was understood.
func (c *Command) OK() bool { return !orders.HasErrors(c.Diagnostics) }

// String is the command in canonical form, without its key or text; one that was not
// understood as it stands.
func (c *Command) String() string {
	if c.Line != "" {
		return c.Line
	}
	var tail []string
	switch {
	case !c.OK(): // what its words mean is not known
		tail = []string{c.Said, c.turnSaid()}
	case c.Verb.tail != nil:
		tail = c.Verb.tail(c)
	default:
		tail = c.tail()
	}
	return strings.Join(slices.DeleteFunc(append([]string{c.Verb.Name}, tail...), func(s string) bool { return s == "" }), " ")
}

// tail is what most commands say: their words, game, vote, what else they name, and the turn.
func (c *Command) tail(named ...string) []string {
	return append(append([]string{strings.Join(c.Words, " "), c.Game, c.Vote}, named...), c.turnSaid())
}

func (c *Command) turnSaid() string {
	if c.TurnPos == (orders.Pos{}) {
		return ""
	}
	return fmt.Sprintf("turn %d", c.Turn)
}

// behind is a word and what stands behind it, "" for nothing.
func behind(word, what string) string {
	if what == "" {
		return ""
	}
	return word + " " + what
}

// gameFirst is what a command says whose own words stand last.
func gameFirst(c *Command) []string { return []string{c.Game, strings.Join(c.Words, " ")} }

// Spec is a command that a captain may mail.
type Spec struct {
	Name  string
	Usage []string // without the mark
	Doc   string   // one or two sentences
	// Proof tells that the command changes something, and so needs what an
	// order set needs: the turn key, or another proof of who sent it.
	Proof bool
	// Anybody tells that it is heard from addresses that no game knows, too.
	Anybody bool
	// Lines tells that a text of more lines belongs to it, up to a line #end.
	Lines bool
	// Lobby tells that it asks for a text, or for the games that there are: strangers may
	// where there is a lobby.
	Lobby bool

	do func(*Task, *Result, []identity.Seat) error // decides it
	// read reads the words behind the verb; nil for no more than the name of a game.
	read func(*commandReader)
	// lines takes the lines below it that belong to it; nil for none.
	lines func(f *Finder, cmd *Command, i int)
	// tail is what it says in canonical form; nil for Command.tail.
	tail func(*Command) []string
	// plain tells of one that was read from a line without the mark whether it is one, and no sentence
	// that begins so; nil for Finder.plain.
	plain func(*Finder, *Command) bool

	// members tells of one that takes a seat, or leads to one; nil for never.
	members func(*Command) bool

	clash     string // those of a kind do not go together in one mail; "" for none
	repeats   bool   // though of a kind, it may be given several times
	about     string // the thing that it changes, as proofs are noted of it; "" for the verb
	ofDue     bool   // it counts for the turn that is due alone
	past      bool   // its turn is one that was played
	looks     bool   // order sets in the same mail are looked at, and not stored
	colon     bool   // words behind a colon are its text
	ownWords  bool   // behind the first few, words are the sender's own
	noTurn    bool   // the word turn says nothing to it
	takesShip bool   // the word ship names one
	standIn   bool   // who stands in for a captain may send it, too
	common    bool   // people begin sentences with its word
}

// Finder is the search for commands in one text.
type Finder struct {
	Page *blocks.Page
	// Games tells whether there is a game of that name.
	Games func(string) bool
	// Scenario tells whether games of that name can be made by mail.
	Scenario func(string) bool
	// Cited tells whether reports cite the rules by these words.
	Cited func([]string) bool

	found []*Command
	loose []orders.Diagnostic
	odd   int // marks that begin no command
}

// commandReader reads the words of one command.
type commandReader struct {
	cmd   *Command
	rest  []orders.Word
	games func(string) bool
}

// Result is what a command comes to.
type Result struct {
	Cmd     *Command
	Game    *vault.Game // nil when it is about none, or about several
	Pos     *turn.Position
	Captain vault.Captain
	Claim   identity.Claim
	Proof   auth.Trust
	Referee *vault.Referee // who gave the command and showed it, if he is one; nil for a captain
	Guarded bool           // by the key of the turn that is due, or by naming it

	Changes int // how often the seat passed from hand to hand, this mail included
	Done    bool
	Subject string // what the subject of the answer says
	Out     templates.CommandResult
	Diags   []orders.Diagnostic
	Left    bool // the seat was given up
	// Tell adds to out, when the steps were done; nil for nothing.
	Tell func(now time.Time) error
}

// Listings keeps how games stand for lists of them.
type Listings interface {
	// Known is how a game stood when it was looked at last; nil when it is not kept.
	Known(id string) *lobby.Listing
	// Keep has it kept from now on until the game changes.
	Keep(id string, l *lobby.Listing)
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
	Hosting *lobby.Hosting
	// Feeds knows who reads his reports as a feed; nil where there are no pages.
	Feeds *feed.Feeds
	// Asked gives the Message-IDs of the questions that went out since a moment and before another,
	// newest first, of those that a limit counts, see DailyLimit; nil for none.
	Asked      func(who string, since, before time.Time) ([]string, error)
	Club       *config.Club    // whose mailbox it is; nil for the host's
	Rehearsals *rehearse.Limit // of each captain, for all copies of the desk; nil for none
}

// Task is the commands of a mail.
type Task struct {
	*submission.Submissions
	Services *Services
	Commands []*Command
	Results  []*Result           // one for each command
	Strays   []orders.Diagnostic // about marks in the mail's text that begin no command
	all      []Spec              // the commands that there are
}
