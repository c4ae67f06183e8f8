// Package codes defines the codes of remarks about a mail, such as "E522", for answers, the log
// and the documents. Remarks about the orders in a set have codes of
// packages orders and turn.
package codes

// Codes for problems with the sender of a set or a command, or with its place in the mail. The list of codes for
// captains has the comments, without what is in parentheses.
const (
	NotYours     = "E520" // you are not a captain of that game
	NoKey        = "E521" // the turn key is missing
	WrongKey     = "E522" // the turn key is wrong
	UnknownGame  = "E523" // you do not play in a game of that name under this address
	CancelMixed  = "E524" // cancel must be alone in its block
	OnlyQuoted   = "E525" // only quoted text (a template, or a set that was in force)
	Unreadable   = "E526" // the mail has no readable text
	BadSignature = "E527" // the OpenPGP signature proves nothing
	Stale        = "E528" // the mail is older than what was accepted (by the date of its proof)

	UnknownCommand = "E530" // there is no such command (after a mark)
	BadCommand     = "E531" // the command is not understood
	WhichGame      = "E532" // which of your games is meant?
	NoTurn         = "E533" // the command must name its turn (no turn key guards against a late arrival)
	NothingInForce = "E534" // no set of yours is in force
	NoReport       = "E535" // there is no such report
	NoSeat         = "E536" // the seat is not free
	BadDates       = "E537" // the absence is not possible
	NoAddressee    = "E538" // there is no such recipient
	TooMuch        = "E539" // too long, or too often
	NoEvent        = "E540" // your report has no such event
	BadToken       = "E541" // the token is wrong or no longer valid
	OpenMessage    = "E542" // the message has no end (#end is missing)
	BadAddress     = "E543" // reports cannot be sent to that address
	CancelAndSet   = "E544" // cancel and a new set in one mail
	Contradiction  = "E546" // two commands that cannot be in one mail
	Referee        = "E547" // the referee's command cannot be carried out
	KeyInWords     = "E548" // a turn key appears in the text of the set
	NoHead         = "E549" // the first line of an order set is missing
	NotSentOn      = "E550" // words to another captain that were not forwarded (they are in no message)
	NoText         = "E552" // there is no text about that
	NotMade        = "E553" // no such game can be made
	BadBeacon      = "E554" // this is not the round of the beacon that the game is waiting for
	NotMember      = "E555" // the games are for members of a club
	OtherKey       = "W551" // the key in the first line is not the right one (but another proof is valid)
	ShipWithout    = "W545" // a ship has no set in force (for a final or wait)
)
