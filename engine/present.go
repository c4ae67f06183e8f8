package engine

// Presentation is a view put into words, tables and overlays.
type Presentation struct {
	Phases []Chapter
	Panels []Panel
	Shots  []Shot
	Marks  map[ShipID]Overlay // own ships by id, others that stand still, small craft
	// Headline begins the turn in one line, where it is not the shots that do.
	Headline string `json:",omitempty"` // left out of what is compared with older records
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
	// N is the number in the view of the event that the line begins with; 0 for
	// details of the line above.
	N int `json:"-"` // left out of what is compared with older records
}

// Panel is a table or a list of facts, and rows of boxes below it.
type Panel struct {
	Key     string
	Title   string
	Notes   []string
	Columns []Column
	Rows    [][]string
	Boxes   []BoxRow `json:",omitempty"`
	// Posts are the officers who have a panel of their own ship before them, beside her captain. A panel of no ship is
	// everyone's. It is not in JSON: who gets a panel has it.
	Posts []string `json:"-"`
}

// BoxRow is some boxes on a ship's sheet and how many of them are left. Rows of one
// group stand together under its name. Note is drawn behind the boxes.
type BoxRow struct {
	Group, Name, Note string
	All, Left         int
}

// Column heads a column of a panel.
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
	// Roll is what was thrown for it, as the view's event has it; 0 where the viewer does not know, or
	// nothing was. It is not in JSON, so that presentations compare as they did before there was one.
	Roll int `json:"-"`
	// Points are those that it struck with, as far as the viewer knows; not in JSON either.
	Points int `json:"-"`
}

// Overlay is what the map shows around an own ship, and of a thing that stands still.
type Overlay struct {
	Shields []ShieldMark
	Arcs    []ArcMark
	Fixed   bool   `json:",omitempty"` // it never moves: a station and no ship
	Cloaked bool   `json:",omitempty"` // it is there, but hidden from others
	Small   bool   `json:",omitempty"` // small craft, drawn smaller
	Note    string `json:",omitempty"` // what the list of the map says of it
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
