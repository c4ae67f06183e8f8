package templates

// Report is one viewer's report of one turn. Empty parts are left out of the
// rendering, so a side's or a referee's view simply leaves Ship empty.
type Report struct {
	Game      string // the game's short name, as orders give it
	Title     string // the game's full title
	Rules     string // the rule set's name and version
	Turn      int    // the turn reported on; 0 before the first
	Phase     int    // the phase reported on, in the middle of a turn; else 0
	Ship      string // the viewer's ship by name; empty for a side or referee
	ShipTitle string // class and such, printed beside the ship
	Captain   string // may be empty
	Headline  string // the turn in one line
	Notices   []string
	Owed      OrdersDue
	Map       Map
	Contacts  []Panel // after the map: what the map shows but its list omits
	// Phases come first. In a long report, Elsewhere has the events that concern
	// the reader less.
	Phases, Elsewhere []Phase
	Since             []Phase // earlier stages without a mailed report
	Reading           string  // explains the marks and numbers before lines
	// Panels hold tables: own ship (Key "own" or "own-..."), other ships
	// ("others..."), possible actions ("next..."). They are drawn in the
	// order given.
	Panels   []Panel
	Rulings  []Note
	Messages []Note
	Orders   string // order template, verbatim, including its #orders and #end lines
	Commit   string // hash of the game's secret
	Secret   string // the secret itself, once the game is over
	Record   string // hash of the game's record so far, keyed with the secret
	Dice     string // the source of the dice, in a game with public dice
	Over     string // result line when the game is over, else empty
	// Compose is the address of the composer, "" for none. ComposeFile is the attachment to
	// open there; "" when the address itself contains the view.
	Compose, ComposeFile string
}

// OrdersDue says what the viewer has to send, by when, and who has not sent orders.
type OrdersDue struct {
	Turn     int    // the turn that orders are due for; 0 for none
	Phase    int    // the phase, when orders are due phase by phase; else 0
	Deadline string // in the viewer's time zone
	Left     string // time left, in words
	What     []string
	Missing  []string
	HowTo    []string
}

// Phase is one phase of the turn, line by line.
type Phase struct {
	Title string
	Lines []Line
}

// Line is one thing that happened. Depth indents it under the line above; Cite is the
// rule that decided it, without brackets. N is the number by which a protest may name
// the line, 0 for none. Own is set if the line concerns the reader.
type Line struct {
	Text, Cite string
	Depth, N   int
	Own        bool
}

// Panel is a table with remarks above it and rows of boxes below. Rows may be shorter or
// longer than Columns; a panel without columns shows no table.
type Panel struct {
	Title   string
	Notes   []string
	Columns []Column
	Rows    [][]string
	Boxes   []BoxRow
	Key     string // stable id in HTML: letters, digits and dashes; others are dropped
}

// BoxRow is a row of All boxes on a ship's sheet, of which Left are not lost. Adjacent
// rows of the same Group appear under its name; Note follows the boxes.
type BoxRow struct {
	Group, Name, Note string
	All, Left         int
}

// Column heads a column of a Panel. Right aligns it to the right.
type Column struct {
	Name  string
	Right bool
}

// Note is a ruling, a message from a captain, or another text with an author.
// Each string of Text is a paragraph.
type Note struct {
	From, Title string
	Text        []string
}
