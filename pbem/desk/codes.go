package desk

import "starpost/orders"

// Codes of the diagnostics that this package gives: what is wrong with who sent
// a set, or with how a mail holds it.
const (
	CodeNotYours     = "E520" // the sender is no captain of that game
	CodeNoKey        = "E521" // the turn key is missing
	CodeWrongKey     = "E522" // the turn key does not fit
	CodeUnknownGame  = "E523" // the sender plays in no game of that name
	CodeCancelMixed  = "E524" // cancel stands beside other orders
	CodeOnlyQuoted   = "E525" // nothing but the template or a set that was in force, quoted
	CodeUnreadable   = "E526" // the mail has no text that could be read
	CodeBadSignature = "E527" // an OpenPGP signature proves nothing
	CodeStale        = "E528" // a dated proof is older than what was taken

	CodeUnknownCommand = "E530" // a mark begins no command
	CodeBadCommand     = "E531" // the words of a command are not understood
	CodeWhichGame      = "E532" // the sender plays several games
	CodeNoTurn         = "E533" // neither turn nor turn key guards against a late arrival
	CodeNothingInForce = "E534" // there is no set that could be changed
	CodeNoReport       = "E535" // there is no such report
	CodeNoSeat         = "E536" // the seat is not free
	CodeBadDates       = "E537" // an absence that cannot be
	CodeNoAddressee    = "E538" // there is no recipient of that name
	CodeTooMuch        = "E539" // too long, or too often
	CodeNoEvent        = "E540" // the report has no such event
	CodeBadToken       = "E541" // the token does not fit, or not any more
	CodeOpenMessage    = "E542" // a message without #end
	CodeBadAddress     = "E543" // no address to send reports to
	CodeCancelAndSet   = "E544" // cancel and a new set in one mail
	CodeContradiction  = "E546" // two commands in one mail that do not go together
	CodeReferee        = "E547" // a referee's command that cannot be done
	CodeKeyInWords     = "E548" // a key among the words of a set
	CodeNoHead         = "E549" // orders without the line that begins a set
	CodeNotSentOn      = "E550" // words to another captain that are no message
	CodeNoText         = "E552" // there is no such text
	CodeNotMade        = "E553" // no game is made
	CodeOtherKey       = "W551" // a key that does not fit beside a proof that does
	CodeShipWithout    = "W545" // final or wait, but a ship has no set in force
)

// Codes lists the codes of this package.
func Codes() []orders.CodeInfo {
	return []orders.CodeInfo{
		{Code: CodeNotYours, Severity: orders.Error, Title: "you are no captain of that game"},
		{Code: CodeNoKey, Severity: orders.Error, Title: "the turn key is missing"},
		{Code: CodeWrongKey, Severity: orders.Error, Title: "the turn key is wrong"},
		{Code: CodeUnknownGame, Severity: orders.Error, Title: "you play in no game of that name under this address"},
		{Code: CodeCancelMixed, Severity: orders.Error, Title: "cancel stands alone in its block"},
		{Code: CodeOnlyQuoted, Severity: orders.Error, Title: "nothing but what is quoted"},
		{Code: CodeUnreadable, Severity: orders.Error, Title: "the mail has no readable text"},
		{Code: CodeBadSignature, Severity: orders.Error, Title: "the OpenPGP signature proves nothing"},
		{Code: CodeStale, Severity: orders.Error, Title: "the mail is older than what was taken"},
		{Code: CodeUnknownCommand, Severity: orders.Error, Title: "there is no such command"},
		{Code: CodeBadCommand, Severity: orders.Error, Title: "the command is not understood"},
		{Code: CodeWhichGame, Severity: orders.Error, Title: "it is not said for which of your games"},
		{Code: CodeNoTurn, Severity: orders.Error, Title: "the command must name its turn"},
		{Code: CodeNothingInForce, Severity: orders.Error, Title: "no set of yours is in force"},
		{Code: CodeNoReport, Severity: orders.Error, Title: "there is no such report"},
		{Code: CodeNoSeat, Severity: orders.Error, Title: "the seat is not free"},
		{Code: CodeBadDates, Severity: orders.Error, Title: "the absence cannot be"},
		{Code: CodeNoAddressee, Severity: orders.Error, Title: "nobody of that name can be written to"},
		{Code: CodeTooMuch, Severity: orders.Error, Title: "too long, or too often"},
		{Code: CodeNoEvent, Severity: orders.Error, Title: "your report has no such event"},
		{Code: CodeBadToken, Severity: orders.Error, Title: "the token does not fit, or not any more"},
		{Code: CodeOpenMessage, Severity: orders.Error, Title: "the message has no end"},
		{Code: CodeBadAddress, Severity: orders.Error, Title: "reports cannot be sent to that address"},
		{Code: CodeCancelAndSet, Severity: orders.Error, Title: "cancel and a new set in one mail"},
		{Code: CodeContradiction, Severity: orders.Error, Title: "two commands in one mail that do not go together"},
		{Code: CodeReferee, Severity: orders.Error, Title: "the referee's command cannot be done"},
		{Code: CodeKeyInWords, Severity: orders.Error, Title: "a turn key stands among the words of the set"},
		{Code: CodeNoHead, Severity: orders.Error, Title: "the first line of an order set is missing"},
		{Code: CodeNotSentOn, Severity: orders.Error, Title: "words to another captain that were not sent on"},
		{Code: CodeNoText, Severity: orders.Error, Title: "there is no text about that"},
		{Code: CodeNotMade, Severity: orders.Error, Title: "no game is made of that"},
		{Code: CodeOtherKey, Severity: orders.Warning, Title: "the key in the first line is another one"},
		{Code: CodeShipWithout, Severity: orders.Warning, Title: "a ship has no set in force"},
	}
}
