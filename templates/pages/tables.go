package pages

import (
	"html/template"

	"starpost/templates"
)

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

// Score is what the first side of a scenario scores by a rule set, within which bounds that is sure, and in how many battles it
// was measured.
type Score struct{ Scenario, Rules, Side, Score, Sure, Battles string }

// Scenario is the page of a scenario that comes with the program.
type Scenario struct {
	Name, Title, Link string
	Rules, RulesTitle string   // its own rule set
	Text              []string // what it is about, by paragraph
	Sides             []string
	SideNames         map[string]string // by id
	Ships             []ScenarioShip
	LastTurn          int  // after which points decide; 0 where there is none
	Dark              bool // nobody is told where the others begin
	Robots            bool // robots can play it
	Map               templates.Map
	Scores            []Score
	Fought            []string // how games of this host ended, a line a rule set
	File              string   // its text; "" for one in the dark
	Design            string   // where one designs scenarios, from the first page; "" for nowhere
}

// ScenarioShip is a ship of a scenario. At is where she begins; "" where that is not told.
type ScenarioShip struct {
	Name, Class, Side, At string
	Tone                  int
}

// Scenario is the page of a scenario, which lies a folder below the first page.
func (s Site) Scenario(p Scenario) ([]byte, error) {
	return s.page("scenario.html", p.Title, "../", scenarioList, func(h siteHead) any {
		drawn := template.HTML("")
		if len(p.Map.Counters) > 0 {
			drawn = template.HTML(templates.PlainSVG(p.Map))
		}
		return struct {
			siteHead
			Scenario Scenario
			Map      template.HTML
		}{h, p, drawn}
	})
}

const scenarioList = "scenarios.html"

// Scenarios is the page of all scenarios; others are what was measured of scenarios without a page.
// Design is where one designs scenarios; "" for nowhere.
func (s Site) Scenarios(all []Scenario, others []Score, design string) ([]byte, error) {
	return s.page(scenarioList, "Scenarios", "", scenarioList, func(h siteHead) any {
		return struct {
			siteHead
			Scenarios []Scenario
			Others    []Score
			Design    string
		}{h, all, others, design}
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
