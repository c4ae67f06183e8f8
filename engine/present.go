package engine

// Presentation is a view put into words, tables and overlays.
type Presentation struct {
	Phases []Chapter
	Panels []Panel
	Shots  []Shot
	Marks  map[ShipID]Overlay // by id: own ships, others that never move, small craft
	// Headline sums up the turn in one line, if the shots do not.
	Headline string `json:",omitempty"` // omitted for comparison with older records
}

// Chapter is what happened in one step of the turn.
type Chapter struct {
	Title string
	Lines []Line
}

// Line is one sentence of a report, with the rule it came from.
type Line struct {
	Depth int
	Text  string
	Cite  string
	// N is the number of the event in the view that the line begins with; 0 for details of the line above.
	N int `json:"-"` // omitted for comparison with older records
}

// Panel is a table or a list of facts, and rows of boxes below it.
type Panel struct {
	Key     string
	Title   string
	Notes   []string
	Columns []Column
	Rows    [][]string
	Boxes   []BoxRow `json:",omitempty"`
	// Posts are the officers who see a panel of their own ship, in addition to her captain. A panel of no ship is
	// for everyone. It is not in JSON, which only readers of the panel get.
	Posts []string `json:"-"`
}

// BoxRow is some boxes on a ship's sheet, with how many of them are left. Rows of one group are together under its
// name. Note is drawn after the boxes.
type BoxRow struct {
	Group, Name, Note string
	All, Left         int
}

// Column is the heading of a column in a panel.
type Column struct {
	Name  string
	Right bool
}

// Shot is one weapon's fire, for the map.
type Shot struct {
	Phase    int
	From, To ShipID // ships
	Hit      bool
	Label    string
	// Roll is the roll for the shot, as the view's event has it; 0 if there was none or the viewer does not know
	// it. It is not in JSON, so that presentations compare with older records.
	Roll int `json:"-"`
	// Points is the strength of the hit as far as the viewer knows; not in JSON either.
	Points int `json:"-"`
}

// Overlay is what the map shows around an own ship, or of something that never moves.
type Overlay struct {
	Shields []ShieldMark
	Arcs    []ArcMark
	Fixed   bool   `json:",omitempty"` // it never moves: a station, not a ship
	Cloaked bool   `json:",omitempty"` // it is there, but hidden from others
	Small   bool   `json:",omitempty"` // small craft, drawn smaller
	Note    string `json:",omitempty"` // its entry in the list beside the map
}

// ShieldMark is one shield: Side is its hex side clockwise from the bow, 0..5.
type ShieldMark struct {
	Number, Side, Now, Max int
	Down                   bool
}

// ArcMark is a weapon's arc in degrees clockwise from the bow, and its reach in hexes.
type ArcMark struct {
	Name            string
	From, To, Reach int
}
