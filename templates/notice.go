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

// Reply is the body of an answer to commands: what each of them brought.
type Reply struct {
	Game, Title string // of the game that all commands are about; else empty
	Captain     string
	Text        []string // what is said first, in paragraphs
	Commands    []CommandResult
	Notices     []string     // about the mail as a whole
	Diagnostics []Diagnostic // ... and what else was found in it
	Foot        []string     // what may be sent next, one sentence each
}

// CommandResult is what a command brought.
type CommandResult struct {
	Command     string // as it was understood, without keys: "status wolf"
	Text        []string
	List        []string
	Example     string // lines of text, verbatim behind bars; may be empty
	Shown       string // more such lines, as wide as they are: what a command prints
	After       string // what may be asked next; stands last
	Diagnostics []Diagnostic
}

// Counts gives the number of errors and of warnings, for subjects.
func (r Reply) Counts() (errors, warnings int) {
	errors, warnings = Ack{Diagnostics: r.Diagnostics}.Counts()
	for _, c := range r.Commands {
		e, w := Ack{Diagnostics: c.Diagnostics}.Counts()
		errors, warnings = errors+e, warnings+w
	}
	return errors, warnings
}

// RelayedMessage is a message of one captain to others, as it is relayed.
type RelayedMessage struct {
	Game, Title string
	Turn        int      // the turn that is due; 0 when the game is over
	From        string   // "Kirk, captain of the Hood"
	To          string   // "you", "side Klingon", "all captains"
	Text        string   // lines, verbatim behind bars
	Foot        []string // how to answer, one sentence each
}
