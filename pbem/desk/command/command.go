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

// Command is a command as read. Parts that it does not mention are empty.
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
	To      string    // recipients of a message, or the new address
	From    time.Time // first day of an absence, midnight UTC
	Until   time.Time // last day of the absence
	Event   int
	Vote    string // VoteDraw or voteContinue; VoteOff for observe
	Token   string
	Words   []string // words of a request for a text
	Text    string   // text of a message, protest or allocation, in lines
	// TextLine is the line number where an allocation's text begins.
	TextLine int
	Said     string // the words after the verb, shortened, without key and turn
	Line     string // a referee's command in canonical form; else ""

	Diagnostics []orders.Diagnostic // mistakes in its words
}

// The values of a vote.
const (
	VoteDraw     = "draw"
	voteContinue = "continue"
	VoteOff      = "off" // observe: stop watching
)

// Limits for the content of a command.
const (
	MaxMessageLines = 100
	MaxMessageBytes = 4000
	maxReasonBytes  = 2000
	maxCommandBytes = 1000
)

// OK reports whether the command was understood.
func (c *Command) OK() bool { return !orders.HasErrors(c.Diagnostics) }

// String returns the command in canonical form, without its key or text. A command that was not
// understood keeps the sender's words.
func (c *Command) String() string {
	if c.Line != "" {
		return c.Line
	}
	var tail []string
	switch {
	case !c.OK(): // the meaning of its words is unknown
		tail = []string{c.Said, c.turnSaid()}
	case c.Verb.tail != nil:
		tail = c.Verb.tail(c)
	default:
		tail = c.tail()
	}
	return strings.Join(slices.DeleteFunc(append([]string{c.Verb.Name}, tail...), func(s string) bool { return s == "" }), " ")
}

// tail returns the usual canonical rest of a command: words, game, vote, other names, and the turn.
func (c *Command) tail(named ...string) []string {
	return append(append([]string{strings.Join(c.Words, " "), c.Game, c.Vote}, named...), c.turnSaid())
}

func (c *Command) turnSaid() string {
	if c.TurnPos == (orders.Pos{}) {
		return ""
	}
	return fmt.Sprintf("turn %d", c.Turn)
}

// behind returns a word and what follows it, or "" if nothing does.
func behind(word, what string) string {
	if what == "" {
		return ""
	}
	return word + " " + what
}

// gameFirst returns the canonical rest of a command that ends with the sender's own words.
func gameFirst(c *Command) []string { return []string{c.Game, strings.Join(c.Words, " ")} }

// Spec describes a command that a captain may mail.
type Spec struct {
	Name  string
	Usage []string // without the mark
	Doc   string   // one or two sentences
	// Proof means that the command changes something, and so needs the same proof as an order set:
	// the turn key, or another proof of its sender.
	Proof bool
	// Anybody means that the command is also accepted from addresses that no game knows.
	Anybody bool
	// Lines means that the command has a text on the lines below, up to #end.
	Lines bool
	// Lobby means that it asks for a text, or for the list of games: strangers may do so where
	// there is a lobby.
	Lobby bool

	do func(*Task, *Result, []identity.Seat) error // decides it
	// read reads the words after the verb; nil if that is at most the name of a game.
	read func(*commandReader)
	// lines reads the lines below it that belong to it; nil for none.
	lines func(f *Finder, cmd *Command, i int)
	// tail returns its canonical form after the verb; nil for Command.tail.
	tail func(*Command) []string
	// plain reports whether a line read without the mark is this command, and not a sentence that
	// begins with its word; nil for Finder.plain.
	plain func(*Finder, *Command) bool

	// members reports whether the command takes a seat or leads to one; nil for never.
	members func(*Command) bool

	clash     string // commands with the same value exclude each other in one mail; "" for none
	repeats   bool   // may be given several times, despite clash
	about     string // what it changes, for the records of proofs; "" for the verb
	ofDue     bool   // counts only for the turn that is due
	past      bool   // its turn is one that was resolved
	looks     bool   // order sets in the same mail are checked, and not stored
	colon     bool   // words after a colon are its text
	ownWords  bool   // after the first few, words are the sender's own
	noTurn    bool   // the word turn has no meaning for it
	takesShip bool   // the word ship is followed by a ship
	standIn   bool   // a captain's stand-in may send it too
	common    bool   // sentences often begin with its word
}

// Finder finds commands in one text.
type Finder struct {
	Page *blocks.Page
	// Games reports whether there is a game of that name.
	Games func(string) bool
	// Scenario reports whether games of that scenario can be made by mail.
	Scenario func(string) bool
	// Cited reports whether reports cite the rules by these words.
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

// Result is the result of a command.
type Result struct {
	Cmd     *Command
	Game    *vault.Game // nil if it is about none, or several
	Pos     *turn.Position
	Captain vault.Captain
	Claim   identity.Claim
	Proof   auth.Trust
	Referee *vault.Referee // the referee who provably gave the command; nil for a captain
	Guarded bool           // by the key of the turn that is due, or by naming the turn

	Changes int // number of times the seat changed hands, including this mail
	Done    bool
	Subject string // subject of the answer
	Out     templates.CommandResult
	Diags   []orders.Diagnostic
	Left    bool // the seat was given up
	// Tell adds to Out after the steps were done; nil for nothing.
	Tell func(now time.Time) error
}

// Listings caches the state of games for lists of games.
type Listings interface {
	// Known returns the cached state of a game; nil if there is none.
	Known(id string) *lobby.Listing
	// Keep caches the state of a game until the game changes.
	Keep(id string, l *lobby.Listing)
}

// Services are what commands need in addition to the games.
type Services struct {
	// Listings caches the state of games.
	Listings Listings
	// Allocate resolves damage on ship sheets for captains who ask for it.
	Allocate []family.Allocator
	// Library has the texts that can be requested; nil for none.
	Library *lobby.Library
	// Lobby means that strangers too may ask for texts and for the list of games.
	Lobby bool
	// Hosting makes games on request; nil for none.
	Hosting *lobby.Hosting
	// Feeds knows who reads reports as a feed; nil without web pages.
	Feeds *feed.Feeds
	// Asked returns the Message-IDs of the questions that count for a limit, see DailyLimit, and
	// were sent between since and before, newest first; nil for none.
	Asked      func(who string, since, before time.Time) ([]string, error)
	Club       *config.Club    // the club that owns the mailbox; nil for the host's own
	Rehearsals *rehearse.Limit // limits each captain's rehearsals, across all copies of the desk; nil for none
}

// Task holds the commands of a mail.
type Task struct {
	*submission.Submissions
	Services *Services
	Commands []*Command
	Results  []*Result           // one for each command
	Strays   []orders.Diagnostic // about marks in the mail's text that begin no command
	all      []Spec              // the available commands
}
