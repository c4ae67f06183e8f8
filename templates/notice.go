package templates

// NoticeKind chooses the wording of a Notice.
type NoticeKind string

// The kinds of notices.
const (
	Help     NoticeKind = "help"     // how to write to the robot
	Reminder NoticeKind = "reminder" // orders are still missing
	Deadline NoticeKind = "deadline" // the deadline moved
	GameOver NoticeKind = "over"     // the game has ended
	Stranger NoticeKind = "stranger" // a mail from an address that is not known
	Trouble  NoticeKind = "trouble"  // something for the referee
	Status   NoticeKind = "status"   // who is in, time left
	Confirm  NoticeKind = "confirm"  // a question to an address that is not registered
	Plain    NoticeKind = "plain"    // Text alone
)

// Notice is a short mail that is neither a report nor an acknowledgement.
// Fields that a kind does not need may stay empty.
type Notice struct {
	Kind           NoticeKind
	Game, Title    string
	Turn           int
	Ship, Captain  string
	Robot          string // the robot's address, to write to
	Deadline, Left string
	Was            string // the earlier deadline, or the earlier state
	Reason         string
	Result         string   // the game's result
	Commit, Secret string   // hash and secret, for the end of a game
	Missing        []string // who has not sent orders
	In             []string // who has
	Text           []string // further paragraphs
	Commands       []string // for help: what else may be mailed, "word: what it does"
	Example        string   // an order set, verbatim
	Referee        bool     // it goes to the referee, not to a captain
	Gone           bool     // it goes to an address that is none of the game's any more
	Words          string   // a captain's own words, below Text
}
