package orderset

// MaxAhead is the number of turns after the due one for which orders may be sent.
const MaxAhead = 20

// Codes of this package's diagnostics: problems with an order set's place in the game rather than
// with its text. The list of codes for captains has the comments, without what is in parentheses.
const (
	CodeOtherGame   = "E501" // the orders are for another game
	CodePastTurn    = "E502" // the turn is already resolved
	CodeFarTurn     = "E503" // the turn is too far ahead
	CodeUnknownShip = "E504" // no such ship, or not yours
	CodeTwoSets     = "E505" // two different order sets for one ship
	CodeNotDue      = "E506" // the ship needs no orders
	CodeUnknownName = "E507" // no such captain or post
	CodeNotTurnWide = "E508" // this order belongs in a ship's set (it is in a captain's)
	CodeNoBlock     = "E509" // no order set was found
	CodeGameOver    = "E510" // the game is over
	CodeOtherFile   = "E511" // the file has orders of another captain (in orders/)
	CodeWithReferee = "E512" // the orders of the turn are with the referee, who plays it
	CodeOtherPhase  = "E513" // a turn has no such phase
	CodeRefereeLuck = "E514" // a referee who plays cannot send words for luck
	CodeOtherPost   = "E515" // the orders of that post are another's
	CodeBadBreak    = "E516" // when play should stop for you is not understood
	CodeConn        = "E517" // the ship cannot carry out a plain command
	CodeClosed      = "E518" // the turn is closed and waits for its public dice
	CodeLaterTurn   = "W501" // the set is for a later turn
	CodeNoPhase     = "W502" // the game takes orders for a whole turn at a time (the head names a phase)
	CodeNoBreaks    = "W503" // the game asks at fixed times, not at breaks (an order about breaks)
	CodeUnheard     = "W504" // this reaches no one in a game in the dark
)
