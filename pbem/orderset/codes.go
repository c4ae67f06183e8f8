package orderset

import "starpost/orders"

// MaxAhead is the number of turns after the due one for which orders may be sent.
const MaxAhead = 20

// Codes of this package's diagnostics: problems with an order set's place in the game rather than
// with its text.
const (
	CodeOtherGame   = "E501" // the head names another game
	CodePastTurn    = "E502" // the turn is already resolved
	CodeFarTurn     = "E503" // the turn is too far ahead
	CodeUnknownShip = "E504" // no such ship, or not the captain's
	CodeTwoSets     = "E505" // two different sets for one ship
	CodeNotDue      = "E506" // the ship needs no orders
	CodeUnknownName = "E507" // no such captain or post
	CodeNotTurnWide = "E508" // an order that belongs to one ship, in a captain's set
	CodeNoBlock     = "E509" // no order set in the text
	CodeGameOver    = "E510" // the game is over
	CodeOtherFile   = "E511" // a file in orders/ with another ship's set
	CodeWithReferee = "E512" // the orders of the turn are with the referee
	CodeOtherPhase  = "E513" // the turns of the game have no such phase
	CodeRefereeLuck = "E514" // words for luck of a captain who is a referee of the game
	CodeOtherPost   = "E515" // the orders of another post on the captain's ship
	CodeBadBreak    = "E516" // an invalid order about breaks
	CodeConn        = "E517" // a plain command that the ship cannot carry out
	CodeClosed      = "E518" // the orders of the turn are closed, and its dice are drawn
	CodeLaterTurn   = "W501" // the set is for a turn after the one that is due
	CodeNoPhase     = "W502" // the head names a phase, and the game takes whole turns
	CodeNoBreaks    = "W503" // an order about breaks in a game without them
	CodeUnheard     = "W504" // words that no one hears in a blind game
)

// Codes lists the codes of this package.
func Codes() []orders.CodeInfo {
	return []orders.CodeInfo{
		{Code: CodeOtherGame, Severity: orders.Error, Title: "the orders are for another game"},
		{Code: CodePastTurn, Severity: orders.Error, Title: "the turn is already resolved"},
		{Code: CodeFarTurn, Severity: orders.Error, Title: "the turn is too far ahead"},
		{Code: CodeUnknownShip, Severity: orders.Error, Title: "no such ship, or not yours"},
		{Code: CodeTwoSets, Severity: orders.Error, Title: "two different order sets for one ship"},
		{Code: CodeNotDue, Severity: orders.Error, Title: "the ship needs no orders"},
		{Code: CodeUnknownName, Severity: orders.Error, Title: "no such captain or post"},
		{Code: CodeNotTurnWide, Severity: orders.Error, Title: "this order belongs in a ship's set"},
		{Code: CodeNoBlock, Severity: orders.Error, Title: "no order set was found"},
		{Code: CodeGameOver, Severity: orders.Error, Title: "the game is over"},
		{Code: CodeOtherFile, Severity: orders.Error, Title: "the file has orders of another captain"},
		{Code: CodeWithReferee, Severity: orders.Error, Title: "the orders of the turn are with the referee, who plays it"},
		{Code: CodeOtherPhase, Severity: orders.Error, Title: "a turn has no such phase"},
		{Code: CodeRefereeLuck, Severity: orders.Error, Title: "a referee who plays cannot send words for luck"},
		{Code: CodeOtherPost, Severity: orders.Error, Title: "the orders of that post are another's"},
		{Code: CodeBadBreak, Severity: orders.Error, Title: "when play should stop for you is not understood"},
		{Code: CodeConn, Severity: orders.Error, Title: "the ship cannot carry out a plain command"},
		{Code: CodeClosed, Severity: orders.Error, Title: "the turn is closed and waits for its public dice"},
		{Code: CodeLaterTurn, Severity: orders.Warning, Title: "the set is for a later turn"},
		{Code: CodeNoPhase, Severity: orders.Warning, Title: "the game takes orders for a whole turn at a time"},
		{Code: CodeNoBreaks, Severity: orders.Warning, Title: "the game asks at fixed times, not at breaks"},
		{Code: CodeUnheard, Severity: orders.Warning, Title: "nobody hears this in a game in the dark"},
	}
}
