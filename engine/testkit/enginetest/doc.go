// Package enginetest is the examination that every rule set sits: cases in plain
// text that a player can follow with the rules beside him, and laws that hold
// for every battle whatever the rules are.
//
// It knows no rule set. [Run] plays all cases of a folder, [Battle] and the laws
// on it are for tests that make battles up.
//
// # Cases
//
// A case is one file, named after the paragraph that it examines, such as
// stcs-4.6-shields-absorb.txt. A line that begins at the margin opens a section;
// its lines are indented. A # at the margin begins a comment.
//
//	title  A shield takes what it can, the rest goes through
//	cite   stcs 4.6; case C8
//
//	given
//	  option banks each
//	  bounds 22 33
//	  last 12
//	  side   federation United Federation of Planets
//	  ship   Hood federation constitution-hood 1010 A shields_down=[4] captain=Ann
//	  ship   Riskadh klingon d-10-wolf 1006 D arrives=2
//	  terrain minefield side=klingon at=1017 from=2 to=5 figure.mines=5
//	  terrain planet hexes=["1017"]
//	  goal   federation drive-off ships=["Riskadh"] count=1
//
//	turn
//	orders Hood
//	  power
//	    shields 2:3
//	absent Riskadh standing
//	check Hood
//	  W111 "the rest is hold"
//	  says 16 power, 4 movement points
//	dice
//	  t1.advantage.hood 5
//	then
//	  fire ship=riskadh weapon=bank-b hit=true shield=2
//	  shield ship=hood before=3 after=0 through=2
//	  ! damage ship=riskadh
//	  2x fire ship=riskadh
//	state
//	  Hood superstructure=20 shields.2.now=0
//	  side klingon points=4
//	  game turn=1 result.side=klingon
//	view Riskadh
//	  fire ship=riskadh damage=5
//	  ! damage
//	  ship hood system.points=0
//	report Hood
//	  shield 2 takes 3 and is gone, 2 go through
//	  ! Riskadh takes
//	template Hood
//	  shields 2:3
//
// The sections, in the order in which they may stand:
//
//   - title and cite are needed; note is for anyone who reads the case.
//   - given is the scenario. Sides come from the ships unless a side line names
//     them. After the heading of a ship and the kind of a goal come the other
//     keys of a scenario file as key=value; a key of a ship that the scenario
//     does not know belongs to its state of repair, one with state. before it to
//     its other state; crew.POST=NAME puts a captain at a post of hers; one of a feature
//     with figure. before it is its figure.
//   - where a ship is named under turn, Hood.helm means a post on her.
//   - check, without a name, lists the remarks on the scenario. With errors
//     among them the case ends there.
//   - turn begins the next turn. It is resolved if dice, then, state, view,
//     report or template follow; else its orders are only checked.
//   - orders NAME are the orders of a ship, without head and end; robot NAME
//     lets the rule set's robot write them; absent NAME POLICY is a ship whose
//     orders did not come. A ship that is due and not named sends an empty set.
//   - check NAME lists the remarks on the orders, all of them in order: a code
//     and, in quotes, parts of message or hint. A line with says is a part of
//     what the orders are said to do. Without this section errors fail the
//     case; with it a set with errors is resolved all the same, as far as it
//     can be carried out.
//   - dice are the named rolls of the turn. One too few or too many is a failure.
//   - then lists events in their order; others may lie between them. With ! no
//     such event has happened, with 2x just two, wherever they stand.
//   - state is how ships, sides and the game are after the turn.
//   - view NAME is what the captain of the ship sees: events as under then, and
//     with "ship ID ..." the ships.
//   - report NAME are parts of lines of the captain's report, in order; with !
//     the text is nowhere in it.
//   - template NAME are parts of lines of the order set that the captain is
//     offered for the next turn, likewise.
//
// An event, a ship and so on is compared with its JSON by field=value for equal,
// field~value for a part of it, field!=value for not equal. Deeper fields
// are joined by dots, entries of a list numbered from 1: shields.2.after=10.
// Values with spaces stand in quotes. A list of plain values is joined by
// commas. A field that is left out equals none, 0, false and "". For a ship,
// fields that the engine does not know are the rule set's own (its system).
//
// After every resolved turn the laws that need no more than the turn are
// examined too: see [CheckTurn].
package enginetest
