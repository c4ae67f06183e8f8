package command

import (
	"slices"
	"strings"
)

// All returns the commands of captains in the order of the documentation.
func All() []Spec { return slices.Clone(commands) }

var commands = []Spec{
	{
		Name: "help", Usage: []string{"help", "help WORD [SET]", "help orders [SET]", "help CITATION"}, Anybody: true, Lobby: true,
		do: help, read: (*commandReader).topic, plain: plainHelp,
		Doc: "Lists your games and the commands you can send; with a word, explains an order, a condition, an error code or a rule cited in a report, for example `help pursue`, `help E103`, `help D16` or `help stcs 4.7`, under the rules of your game or of the games here.",
	},
	{
		Name: "games", Usage: []string{"games"}, Anybody: true, Lobby: true,
		do: listGames, read: (*commandReader).nothing, common: true,
		Doc: "Lists your games, games you can join with their free seats, and other public games with their state or result.",
	},
	{
		Name: "rules", Usage: []string{"rules [SET] [SECTION]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The parts of a turn and the rules in short, section by section: those of your game, of the games here, or of the rule set you name.",
	},
	{
		Name: "ships", Usage: []string{"ships [NAVY]", "ships [CLASS]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The navies, the classes of a navy, or the weapons and figures of a class.",
	},
	{
		Name: "scenarios", Usage: []string{"scenarios [NAME]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The scenarios, or what one of them is about.",
	},
	{
		Name: "handbook", Usage: []string{"handbook [CHAPTER]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, plain: plainAlways, common: true,
		Doc: "The chapters of the handbook, or one chapter, by its number or a word of its title.",
	},
	{
		Name: "record", Usage: []string{"record [CAPTAIN]"}, Anybody: true, Lobby: true,
		do: textPage, read: (*commandReader).topic, common: true,
		Doc: "The ratings of all captains, from finished games between people; with a name, that captain's games, results, and reliability.",
	},
	{
		Name: "status", Usage: []string{"status [GAME]"},
		do:      statusOf,
		standIn: true,
		Doc:     "Which turn is due, how much time is left, whose orders are in (as far as the game shows it), who is away, and which of your orders are in force.",
	},
	{
		Name: "report", Usage: []string{"report [GAME] [turn N]"},
		do: ofSeat(reportAgain), read: (*commandReader).report,
		standIn: true,
		Doc:     "Sends your report of a turn again, to the address that gets your reports; without a turn, the last one.",
	},
	{
		Name: "feed", Usage: []string{"feed", "feed new", "feed off"}, Anybody: true,
		do: feedOf, read: (*commandReader).topic, plain: plainFeed,
		Doc: "The secret address of an Atom feed with your own last reports, for captains whose mail provider loses mails. `new` gives you another address and ends the old one; `off` removes the feed.",
	},
	{
		Name: "replay", Usage: []string{"replay [GAME]"}, Anybody: true,
		do:      replayOf,
		standIn: true,
		Doc:     "Sends a page that replays the battle so far in a browser, phase by phase, with what you may know as a captain or observer; once the battle is over, with everything.",
	},
	{
		Name: "compose", Usage: []string{"compose [GAME]"},
		do:      ofSeat(compose),
		standIn: true,
		Doc:     "Sends what you know of the battle as a file, and, where the host has it on the web, a link to the page on which you compose orders by clicking on the map.",
	},
	{
		Name: "check", Usage: []string{"check"},
		do: checked, read: (*commandReader).nothing, looks: true,
		Doc: "Checks the order sets in the same mail without storing them: the answer says what is wrong with them and where they would lead.",
	},
	{
		Name: "rehearse", Usage: []string{"rehearse [GAME] [times N] [SHIP=robot] [SHIP=keep]"},
		do: ofSeat(rehearseTurn), read: (*commandReader).rehearse, tail: gameFirst, looks: true,
		standIn: true,
		Doc:     "Plays the turn that is due a hundred times, or N times, with other dice, from what you know, and reports the results: hits, damage, losses, where ships end. It plays the order sets in the same mail, without storing them, or else those in force. Robots command the other ships; `Riskadh=keep` makes her keep her course without firing.",
	},
	{
		Name: "allocate", Usage: []string{"allocate [GAME] CLASS-OR-SHIP, then volleys such as 1:21 on lines of their own, then a line #end"}, Lines: true,
		do: allocate, read: (*commandReader).allocate, lines: (*Finder).allocation, tail: tailOfAllocate,
		standIn: true,
		Doc:     "Allocates damage to a ship's sheet of boxes: of a class, or of a ship as you know her now. Each volley is a shield and points. Lines `dice 2 6 5` and `lose weapons ph-4` may be added. Nothing is stored.",
	},
	{
		Name: "cancel", Usage: []string{"cancel [GAME] [turn N] [ship SHIP]"}, Proof: true,
		do: ofSeat(cancel), tail: tailOfCancel, clash: "set", repeats: true, about: "#set", ofDue: true, takesShip: true,
		standIn: true,
		Doc:     "Drops your order set for the turn that is due: for one ship, or for all your ships.",
	},
	{
		Name: "final", Usage: []string{"final [GAME] [turn N]"}, Proof: true,
		do: ofSeat(setWord), clash: "set", about: "#set", ofDue: true,
		standIn: true,
		Doc:     "Says that you need no more time: adds final to your sets in force. When every captain has done so, the turn runs at once.",
	},
	{
		Name: "wait", Usage: []string{"wait [GAME] [turn N]"}, Proof: true,
		do: ofSeat(setWord), clash: "set", about: "#set", ofDue: true,
		standIn: true,
		Doc:     "Keeps the turn from running before the deadline, even if all orders are in: adds wait to your sets in force.",
	},
	{
		Name: "message", Usage: []string{"message [GAME] WHOM: your words", "message [GAME] to WHOM, then your words on lines of their own, then a line #end"}, Proof: true, Lines: true,
		do: ofSeat(relay), read: (*commandReader).message, lines: (*Finder).message, tail: tailOfMessage, colon: true, noTurn: true,
		standIn: true,
		Doc:     "Forwards your words at once, without your address: to a ship, a captain, a side, `side` (your own), `all` or `referee`, or to several, such as `Hood, Bismarck`; where ships have posts, also to a post on your ship, such as `helm`, to `captain` or to `crew`.",
	},
	{
		Name: "away", Usage: []string{"away [GAME] FROM TO", "away [GAME] until DAY stand-in ADDRESS"}, Proof: true,
		do: ofSeat(away), read: (*commandReader).away, tail: tailOfAway, clash: "absence",
		Doc: "Announces that you cannot play from one day to another, both included, for example `away 2026-08-03 2026-08-14`. Deadlines not yet set make room for it; the others are told (in the dark, only your own side). With `stand-in bo@example.org` another person is asked to give your orders meanwhile; if they agree, no deadline waits for you.",
	},
	{
		Name: "back", Usage: []string{"back [GAME]"}, Proof: true,
		do: ofSeat(comeBack), clash: "absence",
		Doc: "Ends your absences.",
	},
	{
		Name: "vote", Usage: []string{"vote [GAME] draw [turn N]", "vote [GAME] continue [turn N]"}, Proof: true,
		do: ofSeat(vote), read: (*commandReader).vote, clash: "vote", ofDue: true,
		Doc: "Votes to end the game as a draw, or withdraws the vote. The game ends at once when, in one turn, every captain who still has a ship has voted for it, on at least two sides. Everyone is told that a captain has voted, but not who, unless the scenario keeps votes secret.",
	},
	{
		Name: "protest", Usage: []string{"protest [GAME] TURN.EVENT REASON"}, Proof: true,
		do: ofSeat(protest), read: (*commandReader).protest, lines: (*Finder).reason, tail: tailOfProtest, past: true, ownWords: true,
		Doc: "Asks the referee to review an event of a turn and opens a dispute, for example `protest 3.17 the torpedo was out of range`. With the turn alone you get the numbered events of your report. Numbers that the report leaves out are dice and steps that need no line.",
	},
	{
		Name: "beacon", Usage: []string{"beacon [GAME] ROUND SIGNATURE"},
		do: ofSeat(bringBeacon), read: (*commandReader).beacon,
		standIn: true,
		Doc:     "Supplies the round of the public beacon that your game is waiting for, when the robot cannot fetch it. It is checked; a wrong one does no harm.",
	},
	{
		Name: "address", Usage: []string{"address [GAME] NEW-ADDRESS"}, Proof: true,
		do: ofSeat(newAddress), read: (*commandReader).address, tail: tailOfAddress, clash: "address",
		Doc: "Sends your reports to another address from now on. A mail goes there that does not say which game you play; the change is made when it is answered.",
	},
	{
		Name: "name", Usage: []string{"name [GAME] NAME"}, Proof: true,
		do: ofSeat(rename), read: (*commandReader).name, tail: gameFirst,
		Doc: "Your name as a player, for lists, results and ratings. Another captain's name is refused. In an anonymous game it is revealed at the end.",
	},
	{
		Name: "zone", Usage: []string{"zone [GAME] ZONE", "zone [GAME] off"}, Proof: true,
		do: ofSeat(chooseZone), read: (*commandReader).zone, tail: gameFirst, clash: "zone",
		Doc: "Your time zone, for example `zone Europe/Berlin`: reports, reminders and answers give deadlines in it as well as in the game's own time. `off` ends that.",
	},
	{
		Name: "resign", Usage: []string{"resign [GAME]"}, Proof: true,
		do:  ofSeat(resign),
		Doc: "Gives up your seat for good. A robot plays it until somebody joins.",
	},
	{
		Name: "leave", Usage: []string{"leave [GAME]", "leave list"}, Proof: true, Anybody: true,
		do: leaveOf, read: (*commandReader).leave,
		Doc: "Gives up your seat in a game that has not begun; later use `resign`. With `list` you leave the waiting list.",
	},
	{
		Name: "join", Usage: []string{"join GAME", "join GAME as SHIP [POST]", "join GAME side SIDE", "join SCENARIO", "join any"}, Anybody: true,
		do: join, members: always, read: (*commandReader).join, tail: tailOfJoin, plain: plainJoin, noTurn: true,
		Doc: "Takes a free seat in an open game: that of a ship, one on a side, or, with neither, one on the side with the fewest captains. You get a mail to confirm, and the seat is yours when you answer it. With the name of a scenario, or `any`, you wait until there are enough players, and the game is made.",
	},
	{
		Name: "practice", Usage: []string{"practice [SCENARIO] [rules SET] [cadence=turn]"}, Anybody: true,
		do: wish, members: always, read: (*commandReader).topic, plain: plainWish,
		Doc: "A private game against robots that goes on as soon as you send orders. It asks for orders phase by phase, or once a turn. You get a mail to confirm, and the game is made when you answer it.",
	},
	{
		Name: "create", Usage: []string{"create SCENARIO [rules SET] [reliable N%] [KEY=VALUE ...] [invite ADDRESS ...]", "create attached [KEY=VALUE ...]"}, Anybody: true,
		do: wish, members: always, read: (*commandReader).wish, plain: plainWish,
		Doc: "Makes a game that others may join, where the host allows it: you have the first side, and it begins when all seats are taken. Settings are for example `deadline=2d`. With `reliable 90%` only captains with that good a record, or new ones, may join. With `attached` the scenario is your own, a .toml file attached to the mail, where the host allows it.",
	},
	{
		Name: "cup", Usage: []string{"cup [status CUP]", "cup join CUP [as NAME]", "cup join CUP team TEAM [word WORD] [as NAME]", "cup leave CUP", "cup challenge CUP NAME", "cup dispute CUP GAME REASON"}, Anybody: true,
		do: cups, members: enters, read: (*commandReader).wish, plain: plainCup,
		Doc: "Alone, it lists the cups; `status` shows the standings of one. `join` enters you in a cup, under the name you give or that your mail program gives, or in a team, whose first captain gets the word for the others; `leave` withdraws you; `challenge` challenges a captain above you on a ladder; `dispute` asks the referee to decide a game of yours. You get a mail to confirm, and it is done when you answer it.",
	},
	{
		Name: "invite", Usage: []string{"invite [GAME] ADDRESS [as SHIP]"}, Proof: true,
		do: ofSeat(invite), read: (*commandReader).invite, tail: tailOfInvite,
		Doc: "Offers another person a free seat in your game, if it can be joined, by a mail that does not show your address.",
	},
	{
		Name: "observe", Usage: []string{"observe GAME", "observe off [GAME]"}, Anybody: true,
		do: observe, read: (*commandReader).observe, tail: tailOfObserve, plain: plainAlways,
		Doc: "Watches a game that may be watched: after each turn you get a mail about the battle, with a page to watch it on. You get a mail to confirm first. Once you watch, the same command sends the battle so far. `off` ends the mails.",
	},
	{
		Name: "offers", Usage: []string{"offers on", "offers off"}, Anybody: true,
		do: offers, read: (*commandReader).offers, common: true,
		Doc: "Sends you a mail whenever a captain gives up or loses a seat in a battle that anybody may join. You get a mail to confirm first.",
	},
	{
		Name: "confirm", Usage: []string{"confirm [TOKEN]"}, Anybody: true,
		do: confirm, read: (*commandReader).token,
		Doc: "Answers the question that came after address, join or invite. Reply to that question with it, or add the token from the question.",
	},
	{
		Name: "undo", Usage: []string{"undo [TOKEN]"}, Anybody: true,
		do: undo, read: (*commandReader).token,
		Doc: "Restores your old address, with a new turn key. The mail that told the old address of the change has the token, which is valid for a week.",
	},
}

func verbs() []string {
	var out []string
	for _, v := range commands {
		out = append(out, v.Name)
	}
	return out
}

// Lookup finds a command by its name, ignoring case.
func Lookup(word string) (Spec, bool) {
	i := slices.IndexFunc(commands, func(v Spec) bool { return strings.EqualFold(v.Name, word) })
	if i < 0 {
		return Spec{}, false
	}
	return commands[i], true
}
