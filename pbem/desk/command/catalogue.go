package command

import (
	"slices"
	"strings"
)

// All lists the commands of captains in the order of the documentation.
func All() []Spec { return slices.Clone(commands) }

var commands = []Spec{
	{
		Name: "help", Usage: []string{"help", "help WORD [SET]", "help orders [SET]", "help CITATION"}, Anybody: true, Lobby: true,
		do: help, read: (*commandReader).topic, plain: plainHelp,
		Doc: "Lists your games and what you may send; with a word what an order, a test of a condition, a diagnostic's code or a rule cited in a report means, such as `help pursue`, `help E103`, `help D16` or `help stcs 4.7`, by the rules of your game, or of what is played here.",
	},
	{
		Name: "games", Usage: []string{"games"}, Anybody: true, Lobby: true,
		do: listGames, read: (*commandReader).nothing, common: true,
		Doc: "Lists your games, those that one can join, with their free seats, and others that are open, as they stand or ended.",
	},
	{
		Name: "rules", Usage: []string{"rules [SET] [SECTION]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "What a turn is made of and the rules in short, section by section: those of your game, or of what is played here, or of the rule set that you name.",
	},
	{
		Name: "ships", Usage: []string{"ships [NAVY]", "ships [CLASS]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The navies, the classes of one, or the weapons and figures of a class.",
	},
	{
		Name: "scenarios", Usage: []string{"scenarios [NAME]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The scenarios, or what one is about.",
	},
	{
		Name: "handbook", Usage: []string{"handbook [CHAPTER]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, plain: plainAlways, common: true,
		Doc: "The chapters of the handbook, or one of them, by its number or by a word of its title.",
	},
	{
		Name: "record", Usage: []string{"record [CAPTAIN]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The ratings of all captains, from finished games between people; with a name what he has played, how it ended, and how reliably he answers turns.",
	},
	{
		Name: "status", Usage: []string{"status [GAME]"},
		do:      statusOf,
		standIn: true,
		Doc:     "Which turn is due, how much time is left, who is in, as far as the game shows that, who is away, and what is in force for you.",
	},
	{
		Name: "report", Usage: []string{"report [GAME] [turn N]"},
		do: ofSeat(reportAgain), read: (*commandReader).report,
		standIn: true,
		Doc:     "Sends your report of a turn again, to the address that your reports go to; without a turn the last one.",
	},
	{
		Name: "feed", Usage: []string{"feed", "feed new", "feed off"}, Anybody: true,
		do: feedOf, read: (*commandReader).topic, plain: plainFeed,
		Doc: "The secret address of a feed (Atom) with your own last reports, for a feed reader: for captains whose mail provider loses mails. With `new` you get another address, and the old one ends; with `off` you have none.",
	},
	{
		Name: "replay", Usage: []string{"replay [GAME]"}, Anybody: true,
		do:      replayOf,
		standIn: true,
		Doc:     "Sends a page of the battle so far, to be watched in a browser phase by phase: what you may know of it, as a captain or as one who watches, and everything once it is over.",
	},
	{
		Name: "compose", Usage: []string{"compose [GAME]"},
		do:      ofSeat(compose),
		standIn: true,
		Doc:     "Sends what you know of the battle as a file, and a link to the page on which you compose your orders by clicking on the map, where the host has it on the web.",
	},
	{
		Name: "check", Usage: []string{"check"},
		do: checked, read: (*commandReader).nothing, looks: true,
		Doc: "Nothing of the order sets in the same mail is stored: the answer tells what is wrong with them and where they would lead.",
	},
	{
		Name: "rehearse", Usage: []string{"rehearse [GAME] [times N] [SHIP=robot] [SHIP=keep]"},
		do: ofSeat(rehearseTurn), read: (*commandReader).rehearse, tail: gameFirst, looks: true,
		standIn: true,
		Doc:     "Plays the turn that is due a hundred times, or N times, with other dice, from what you know, and tells what comes of it: hits, damage, losses, where ships end. The order sets in the same mail are played, and not stored, or else those in force. Robots command the other ships; `Riskadh=keep` has her keep her course without firing.",
	},
	{
		Name: "allocate", Usage: []string{"allocate [GAME] CLASS-OR-SHIP, then volleys such as 1:21 on lines of their own, then a line #end"}, Lines: true,
		do: allocate, read: (*commandReader).allocate, lines: (*Finder).allocation, tail: tailOfAllocate,
		standIn: true,
		Doc:     "Allocates damage to a sheet of boxes, of a ship class or of a ship that you know as she is now: each volley is a shield and its points. Lines `dice 2 6 5` and `lose weapons ph-4` may stand with them. Nothing is stored.",
	},
	{
		Name: "cancel", Usage: []string{"cancel [GAME] [turn N] [ship SHIP]"}, Proof: true,
		do: ofSeat(cancel), tail: tailOfCancel, clash: "set", repeats: true, about: "#set", ofDue: true, takesShip: true,
		standIn: true,
		Doc:     "Drops your order set for the turn that is due: of one ship, or of all your ships.",
	},
	{
		Name: "final", Usage: []string{"final [GAME] [turn N]"}, Proof: true,
		do: ofSeat(setWord), clash: "set", about: "#set", ofDue: true,
		standIn: true,
		Doc:     "You need no more time: puts the word final into your sets in force. When every captain has said so, the turn runs at once.",
	},
	{
		Name: "wait", Usage: []string{"wait [GAME] [turn N]"}, Proof: true,
		do: ofSeat(setWord), clash: "set", about: "#set", ofDue: true,
		standIn: true,
		Doc:     "The turn is not to run before the deadline, even if all orders are in: puts the word wait into your sets in force.",
	},
	{
		Name: "message", Usage: []string{"message [GAME] WHOM: your words", "message [GAME] to WHOM, then your words on lines of their own, then a line #end"}, Proof: true, Lines: true,
		do: ofSeat(relay), read: (*commandReader).message, lines: (*Finder).message, tail: tailOfMessage, colon: true, noTurn: true,
		standIn: true,
		Doc:     "Sends your words on at once, without your address: to a ship, a captain, a side, `side` (your own), `all` or `referee`, or to several, such as `Hood, Bismarck`; where ships have posts also to a post on yours, such as `helm`, to `captain` or to `crew`.",
	},
	{
		Name: "away", Usage: []string{"away [GAME] FROM TO", "away [GAME] until DAY stand-in ADDRESS"}, Proof: true,
		do: ofSeat(away), read: (*commandReader).away, tail: tailOfAway, clash: "absence",
		Doc: "You cannot play from one day to another, both included, such as `away 2026-08-03 2026-08-14`. Deadlines that are not yet set make room for it; the others are told, in the dark those of your own side. With `stand-in bo@example.org` another person is asked to give your orders meanwhile, and does so when he agrees; then no deadline waits for you.",
	},
	{
		Name: "back", Usage: []string{"back [GAME]"}, Proof: true,
		do: ofSeat(comeBack), clash: "absence",
		Doc: "Ends your absences.",
	},
	{
		Name: "vote", Usage: []string{"vote [GAME] draw [turn N]", "vote [GAME] continue [turn N]"}, Proof: true,
		do: ofSeat(vote), read: (*commandReader).vote, clash: "vote", ofDue: true,
		Doc: "Votes to end the game as a draw, or takes that back. It ends at once when, in one turn, every captain who still has a ship has voted for it, and they are of two sides at least. All are told that a captain has voted, not who, unless the scenario keeps it secret.",
	},
	{
		Name: "protest", Usage: []string{"protest [GAME] TURN.EVENT REASON"}, Proof: true,
		do: ofSeat(protest), read: (*commandReader).protest, lines: (*Finder).reason, tail: tailOfProtest, past: true, ownWords: true,
		Doc: "Asks the referee to look at an event of a turn, such as `protest 3.17 the torpedo was out of range`, which opens a dispute. With the turn alone you get the events of your report with their numbers. Numbers that the report leaves out are dice and steps that need no line.",
	},
	{
		Name: "beacon", Usage: []string{"beacon [GAME] ROUND SIGNATURE"},
		do: ofSeat(bringBeacon), read: (*commandReader).beacon,
		standIn: true,
		Doc:     "Brings the round of the public beacon that your game waits for, where the robot cannot fetch it itself. It is checked: a wrong one does no harm.",
	},
	{
		Name: "address", Usage: []string{"address [GAME] NEW-ADDRESS"}, Proof: true,
		do: ofSeat(newAddress), read: (*commandReader).address, tail: tailOfAddress, clash: "address",
		Doc: "Sends your reports to another address from now on. A mail goes there, which does not say which game you play, and the change is made when it is answered.",
	},
	{
		Name: "name", Usage: []string{"name [GAME] NAME"}, Proof: true,
		do: ofSeat(rename), read: (*commandReader).name, tail: gameFirst,
		Doc: "What you want to be called as the person who plays: in lists, results and ratings. Another captain's name is refused. In an anonymous game it is told at the end.",
	},
	{
		Name: "zone", Usage: []string{"zone [GAME] ZONE", "zone [GAME] off"}, Proof: true,
		do: ofSeat(chooseZone), read: (*commandReader).zone, tail: gameFirst, clash: "zone",
		Doc: "Your time zone, such as `zone Europe/Berlin`: reports, reminders and answers tell you deadlines in it beside the game's own time. With `off` they no longer do.",
	},
	{
		Name: "resign", Usage: []string{"resign [GAME]"}, Proof: true,
		do:  ofSeat(resign),
		Doc: "Gives your seat up for good. A robot plays it until somebody joins.",
	},
	{
		Name: "leave", Usage: []string{"leave [GAME]", "leave list"}, Proof: true, Anybody: true,
		do: leaveOf, read: (*commandReader).leave,
		Doc: "Gives your seat back in a game that has not begun; later it is `resign`. With `list` you leave the waiting list.",
	},
	{
		Name: "join", Usage: []string{"join GAME", "join GAME as SHIP [POST]", "join GAME side SIDE", "join SCENARIO", "join any"}, Anybody: true,
		do: join, members: always, read: (*commandReader).join, tail: tailOfJoin, plain: plainJoin, noTurn: true,
		Doc: "Takes a free seat in a game that is open: that of a ship, one of a side, or, with neither, one on the side that has the fewest captains. A mail with a question comes back, and the seat is yours when you answer it. With the name of a scenario, or `any`, you wait until enough are there, and the game is made.",
	},
	{
		Name: "practice", Usage: []string{"practice [SCENARIO] [rules SET] [cadence=turn]"}, Anybody: true,
		do: wish, members: always, read: (*commandReader).topic, plain: plainWish,
		Doc: "A game of your own against robots, which goes on as soon as you send orders, and which nobody else is shown. It asks for orders phase by phase, or once a turn. A mail with a question comes back, and the game is made when you answer it.",
	},
	{
		Name: "create", Usage: []string{"create SCENARIO [rules SET] [reliable N%] [KEY=VALUE ...] [invite ADDRESS ...]", "create attached [KEY=VALUE ...]"}, Anybody: true,
		do: wish, members: always, read: (*commandReader).wish, plain: plainWish,
		Doc: "Has a game made that others may join, where the host lets you: you have the first side, and it begins when all seats are taken. Settings are such as `deadline=2d`. With `reliable 90%` only captains may join whose record is that good, or who are new. With `attached` it is a scenario of your own, a file that ends in .toml and comes with the mail, where the host lets people bring them.",
	},
	{
		Name: "cup", Usage: []string{"cup [status CUP]", "cup join CUP [as NAME]", "cup join CUP team TEAM [word WORD] [as NAME]", "cup leave CUP", "cup challenge CUP NAME", "cup dispute CUP GAME REASON"}, Anybody: true,
		do: cups, members: enters, read: (*commandReader).wish, plain: plainCup,
		Doc: "Alone it lists the cups; with `status` it brings the standings of one. With `join` you enter a cup, by the name that you give or that your mail program gives, or a team, whose first captain gets the word for the others; with `leave` you leave it, with `challenge` you challenge one who stands above you on a ladder, and with `dispute` you ask the referee to decide a game of yours: a mail with a question comes back, and it is done when you answer it.",
	},
	{
		Name: "invite", Usage: []string{"invite [GAME] ADDRESS [as SHIP]"}, Proof: true,
		do: ofSeat(invite), read: (*commandReader).invite, tail: tailOfInvite,
		Doc: "Asks another person whether he takes a free seat of your game, where one can be joined. A mail with a question goes to him, without your address.",
	},
	{
		Name: "observe", Usage: []string{"observe GAME", "observe off [GAME]"}, Anybody: true,
		do: observe, read: (*commandReader).observe, tail: tailOfObserve, plain: plainAlways,
		Doc: "Watches a game that may be watched: after each turn a mail tells how the battle goes, with a page to watch it on. A mail with a question comes back first. Once you watch, the same brings the battle so far. With `off` no more mails come.",
	},
	{
		Name: "offers", Usage: []string{"offers on", "offers off"}, Anybody: true,
		do: offers, read: (*commandReader).offers, common: true,
		Doc: "Has a mail come to you whenever a captain gives up his seat in a battle, or loses it, and anybody may join. A mail with a question comes back first.",
	},
	{
		Name: "confirm", Usage: []string{"confirm [TOKEN]"}, Anybody: true,
		do: confirm, read: (*commandReader).token,
		Doc: "Answers the question that came after address, join or invite. Write it as a reply to that question; or put the token behind it, which the question gives.",
	},
	{
		Name: "undo", Usage: []string{"undo [TOKEN]"}, Anybody: true,
		do: undo, read: (*commandReader).token,
		Doc: "Puts your old address back, with a new turn key. The mail that tells the old address of the change brings the token, and serves for a week.",
	},
}

func verbs() []string {
	var out []string
	for _, v := range commands {
		out = append(out, v.Name)
	}
	return out
}

// Lookup finds a command by its word, upper and lower case alike.
func Lookup(word string) (Spec, bool) {
	i := slices.IndexFunc(commands, func(v Spec) bool { return strings.EqualFold(v.Name, word) })
	if i < 0 {
		return Spec{}, false
	}
	return commands[i], true
}
