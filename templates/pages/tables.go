package pages

// Cup is the page of a cup.
type Cup struct {
	Name, Title, Link string
	How, State        string // the format and the scenario; how far it is
	Join              bool   // it may be entered by mail
	Columns           []string
	Rows              []CupRow
	Rounds            []CupRound // the newest first
}

// CupRow is how an entrant stands.
type CupRow struct {
	Place int
	Name  string
	Note  string    // such as that he has withdrawn; "" for nothing
	Cells []CupCell // by column
}

// CupCell is one figure of a row, with the title of its column for small screens.
type CupCell struct{ Title, Value string }

// CupRound is who met whom.
type CupRound struct {
	Round   int
	Matches []CupMatch
}

// CupMatch is a match with its games.
type CupMatch struct {
	Text  string
	Games []CupGame
}

// CupGame is a game of a match; Link is "" where it has no page.
type CupGame struct{ ID, Link, Text string }

// Cup is the page of a cup, which lies a folder below the first page.
func (s Site) Cup(c Cup) ([]byte, error) {
	return s.page("cup.html", c.Title, "../", "cups.html", func(h siteHead) any {
		return struct {
			siteHead
			Cup Cup
		}{h, c}
	})
}

// CupList is the page of all cups.
func (s Site) CupList(cups []Cup) ([]byte, error) {
	return s.page("cups.html", "Cups", "", "cups.html", func(h siteHead) any {
		return struct {
			siteHead
			Cups []Cup
		}{h, cups}
	})
}

// Score is what the first side of a scenario scores by a rule set, and in how many battles that was measured.
type Score struct{ Scenario, Rules, Side, Score, Battles string }

// Scenarios is the page of how the sides of scenarios compare.
// Design is where one designs scenarios; "" for nowhere.
func (s Site) Scenarios(scores []Score, design string) ([]byte, error) {
	return s.page("scenarios.html", "Scenarios", "", "scenarios.html", func(h siteHead) any {
		return struct {
			siteHead
			Scores []Score
			Design string
		}{h, scores, design}
	})
}

// RatingTable is the ratings of a rule set, the strongest first.
type RatingTable struct {
	Title string
	Rows  []RatingRow
}

// RatingRow is one captain in it; Link is the anchor of his record.
type RatingRow struct {
	Place                               int
	Name, Link                          string
	Rating, Deviation, Won, Drawn, Lost int
}

// CaptainRecord is what a captain has played, the newest first.
type CaptainRecord struct {
	Name, Anchor string
	Conduct      string // how far one can count on him, in words
	Games        []RecordLine
}

// RecordLine is a game in it; Link may be "".
type RecordLine struct{ Title, Link, Ended, Result, Side, Against string }

// Ratings is the page of ratings, with what each captain has played.
func (s Site) Ratings(tables []RatingTable, captains []CaptainRecord) ([]byte, error) {
	return s.page("ratings.html", "Ratings", "", "ratings.html", func(h siteHead) any {
		return struct {
			siteHead
			Tables   []RatingTable
			Captains []CaptainRecord
		}{h, tables, captains}
	})
}
