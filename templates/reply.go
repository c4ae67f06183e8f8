package templates

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
