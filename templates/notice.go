package templates

// NoticeKind chooses the wording of a Notice.
type NoticeKind string

// The kinds of notices.
const (
	Help     NoticeKind = "help"     // how to write to the robot
	Reminder NoticeKind = "reminder" // orders are still missing
	Deadline NoticeKind = "deadline" // the deadline has changed
	GameOver NoticeKind = "over"     // the game has ended
	Stranger NoticeKind = "stranger" // a mail from an unknown address
	Trouble  NoticeKind = "trouble"  // a problem for the referee
	Status   NoticeKind = "status"   // who is in, time left
	Confirm  NoticeKind = "confirm"  // a confirmation request to an unregistered address
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
	Commands       []string // for help: other commands, "word: what it does"
	Example        string   // an order set, verbatim
	Referee        bool     // sent to the referee, not to a captain
	Gone           bool     // sent to an address that no longer belongs to the game
	Words          string   // a captain's own words, below Text
}

// Reply is the body of an answer to commands, with the result of each.
type Reply struct {
	Game, Title string // the game, if all commands are about the same one; else empty
	Captain     string
	Text        []string // the introduction, in paragraphs
	Commands    []CommandResult
	Notices     []string     // about the mail as a whole
	Diagnostics []Diagnostic // also about the mail
	Foot        []string     // what you can send next, one sentence each
}

// CommandResult is the result of a command.
type CommandResult struct {
	Command     string // as it was understood, without keys: "status wolf"
	Text        []string
	List        []string
	Example     string // lines of text, verbatim after "| "; may be empty
	Shown       string // more such lines, at full width: the output of a command
	After       string // what you can ask next; printed last
	Diagnostics []Diagnostic
}

// Counts returns the numbers of errors and warnings, for subjects.
func (r Reply) Counts() (errors, warnings int) {
	errors, warnings = Ack{Diagnostics: r.Diagnostics}.Counts()
	for _, c := range r.Commands {
		e, w := Ack{Diagnostics: c.Diagnostics}.Counts()
		errors, warnings = errors+e, warnings+w
	}
	return errors, warnings
}

// RelayedMessage is a message from one captain to others.
type RelayedMessage struct {
	Game, Title string
	Turn        int      // the turn that is due; 0 when the game is over
	From        string   // "Kirk, captain of the Hood"
	To          string   // "you", "side Klingon", "all captains"
	Text        string   // lines, verbatim after "| "
	Foot        []string // how to answer, one sentence each
}
