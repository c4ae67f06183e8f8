package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
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
	parts := []string{c.Verb.Name}
	add := func(ok bool, s string) {
		if ok {
			parts = append(parts, s)
		}
	}
	if !c.OK() { // what its words mean is not known
		add(c.Said != "", c.Said)
		add(c.TurnPos != (orders.Pos{}), fmt.Sprintf("turn %d", c.Turn))
		return strings.Join(parts, " ")
	}
	add(len(c.Words) > 0, strings.Join(c.Words, " "))
	if c.Verb.Name == "name" || c.Verb.Name == "rehearse" {
		return strings.Join(slices.DeleteFunc([]string{c.Verb.Name, c.Game, strings.Join(c.Words, " ")}, func(s string) bool { return s == "" }), " ")
	}
	if c.Verb.Name == "observe" {
		add(c.Vote != "", c.Vote)
		add(c.Game != "", c.Game)
		return strings.Join(parts, " ")
	}
	add(c.Game != "", c.Game)
	add(c.Vote != "", c.Vote)
	switch c.Verb.Name {
	case "join":
		add(c.Ship != "", "as "+c.Ship)
		add(c.Side != "", "side "+c.Side)
	case "allocate":
		add(c.Ship != "", c.Ship)
	case "message":
		add(c.To != "", "to "+c.To)
	case "invite":
		add(c.To != "", c.To)
		add(c.Ship != "", "as "+c.Ship)
	case "address":
		add(c.To != "", c.To)
	case "protest":
		if c.Event > 0 {
			add(true, fmt.Sprintf("%d.%d", c.Turn, c.Event))
			return strings.Join(parts, " ")
		}
	case "away":
		add(!c.From.IsZero(), c.From.Format(time.DateOnly))
		add(!c.Until.IsZero(), c.Until.Format(time.DateOnly))
	}
	add(c.TurnPos != (orders.Pos{}), fmt.Sprintf("turn %d", c.Turn))
	add(c.Verb.Name == "cancel" && c.Ship != "", "ship "+c.Ship)
	return strings.Join(parts, " ")
}
