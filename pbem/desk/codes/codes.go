// Package codes defines the codes of remarks about a mail, such as "E522", for answers, the log
// and the documents. Remarks about the orders in a set have codes of
// packages orders and turn.
package codes

import "starpost/orders"

// Codes for problems with the sender of a set or a command, or with its place in the mail.
const (
	NotYours     = "E520" // the sender is not a captain of that game
	NoKey        = "E521" // the turn key is missing
	WrongKey     = "E522" // the turn key does not fit
	UnknownGame  = "E523" // the sender plays in no game of that name
	CancelMixed  = "E524" // cancel is combined with other orders
	OnlyQuoted   = "E525" // only a quoted template or a quoted set that was in force
	Unreadable   = "E526" // the mail has no text that could be read
	BadSignature = "E527" // an OpenPGP signature proves nothing
	Stale        = "E528" // a dated proof is older than one that was accepted

	UnknownCommand = "E530" // a mark does not begin a command
	BadCommand     = "E531" // the words of a command were not understood
	WhichGame      = "E532" // the sender plays several games
	NoTurn         = "E533" // neither turn nor turn key guards against a late arrival
	NothingInForce = "E534" // there is no set to change
	NoReport       = "E535" // there is no such report
	NoSeat         = "E536" // the seat is not free
	BadDates       = "E537" // impossible dates of an absence
	NoAddressee    = "E538" // there is no such recipient
	TooMuch        = "E539" // too long, or too often
	NoEvent        = "E540" // the report has no such event
	BadToken       = "E541" // the token is wrong or no longer valid
	OpenMessage    = "E542" // a message without #end
	BadAddress     = "E543" // no address to send reports to
	CancelAndSet   = "E544" // cancel and a new set in one mail
	Contradiction  = "E546" // two commands that exclude each other in one mail
	Referee        = "E547" // a referee's command that cannot be carried out
	KeyInWords     = "E548" // a key among the words of a set
	NoHead         = "E549" // orders without the line that begins a set
	NotSentOn      = "E550" // words to another captain that are not in a message
	NoText         = "E552" // there is no such text
	NotMade        = "E553" // the game cannot be made
	BadBeacon      = "E554" // not the beacon round that a game waits for
	NotMember      = "E555" // the club's games are for members only
	OtherKey       = "W551" // a wrong key next to another valid proof
	ShipWithout    = "W545" // final or wait without a set in force for a ship
)

// All lists the codes of this package.
func All() []orders.CodeInfo {
	return []orders.CodeInfo{
		{Code: NotYours, Severity: orders.Error, Title: "you are not a captain of that game"},
		{Code: NoKey, Severity: orders.Error, Title: "the turn key is missing"},
		{Code: WrongKey, Severity: orders.Error, Title: "the turn key is wrong"},
		{Code: UnknownGame, Severity: orders.Error, Title: "you do not play in a game of that name under this address"},
		{Code: CancelMixed, Severity: orders.Error, Title: "cancel must be alone in its block"},
		{Code: OnlyQuoted, Severity: orders.Error, Title: "only quoted text"},
		{Code: Unreadable, Severity: orders.Error, Title: "the mail has no readable text"},
		{Code: BadSignature, Severity: orders.Error, Title: "the OpenPGP signature proves nothing"},
		{Code: Stale, Severity: orders.Error, Title: "the mail is older than what was accepted"},
		{Code: UnknownCommand, Severity: orders.Error, Title: "there is no such command"},
		{Code: BadCommand, Severity: orders.Error, Title: "the command is not understood"},
		{Code: WhichGame, Severity: orders.Error, Title: "which of your games is meant?"},
		{Code: NoTurn, Severity: orders.Error, Title: "the command must name its turn"},
		{Code: NothingInForce, Severity: orders.Error, Title: "no set of yours is in force"},
		{Code: NoReport, Severity: orders.Error, Title: "there is no such report"},
		{Code: NoSeat, Severity: orders.Error, Title: "the seat is not free"},
		{Code: BadDates, Severity: orders.Error, Title: "the absence is not possible"},
		{Code: NoAddressee, Severity: orders.Error, Title: "nobody with that name can be written to"},
		{Code: TooMuch, Severity: orders.Error, Title: "too long, or too often"},
		{Code: NoEvent, Severity: orders.Error, Title: "your report has no such event"},
		{Code: BadToken, Severity: orders.Error, Title: "the token is wrong or no longer valid"},
		{Code: OpenMessage, Severity: orders.Error, Title: "the message has no end"},
		{Code: BadAddress, Severity: orders.Error, Title: "reports cannot be sent to that address"},
		{Code: CancelAndSet, Severity: orders.Error, Title: "cancel and a new set in one mail"},
		{Code: Contradiction, Severity: orders.Error, Title: "two commands that cannot be in one mail"},
		{Code: Referee, Severity: orders.Error, Title: "the referee's command cannot be carried out"},
		{Code: KeyInWords, Severity: orders.Error, Title: "a turn key appears in the text of the set"},
		{Code: NoHead, Severity: orders.Error, Title: "the first line of an order set is missing"},
		{Code: NotSentOn, Severity: orders.Error, Title: "words to another captain that were not forwarded"},
		{Code: NoText, Severity: orders.Error, Title: "there is no text about that"},
		{Code: NotMade, Severity: orders.Error, Title: "no such game can be made"},
		{Code: BadBeacon, Severity: orders.Error, Title: "this is not the round of the beacon that the game is waiting for"},
		{Code: NotMember, Severity: orders.Error, Title: "the games are for members of a club"},
		{Code: OtherKey, Severity: orders.Warning, Title: "the key in the first line is not the right one"},
		{Code: ShipWithout, Severity: orders.Warning, Title: "a ship has no set in force"},
	}
}
