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

// CupRow is an entrant in the standings.
type CupRow struct {
	Place int
	Name  string
	Note  string    // such as "withdrawn"; "" for none
	Cells []CupCell // by column
}

// CupCell is one figure of a row, with the title of its column for small screens.
type CupCell struct{ Title, Value string }

// CupRound is the pairings of a round.
type CupRound struct {
	Round   int
	Matches []CupMatch
}

// CupMatch is a match with its games.
type CupMatch struct {
	Text  string
	Games []CupGame
}

// CupGame is a game of a match; Link is "" if it has no page.
type CupGame struct{ ID, Link, Text string }

// Cup draws the page of a cup, which lies a folder below the first page.
func (s Site) Cup(c Cup) ([]byte, error) {
	return s.page("cup.html", c.Title, "../", "cups.html", func(h siteHead) any {
		return struct {
			siteHead
			Cup Cup
		}{h, c}
	})
}

// CupList draws the page of all cups.
func (s Site) CupList(cups []Cup) ([]byte, error) {
	return s.page("cups.html", "Cups", "", "cups.html", func(h siteHead) any {
		return struct {
			siteHead
			Cups []Cup
		}{h, cups}
	})
}

// Score is the first side's score in a scenario under a rule set, with its bounds and the number of battles measured.
type Score struct{ Scenario, Rules, Side, Score, Sure, Battles string }

// Scenario is the page of a scenario that comes with the program.
type Scenario struct {
	Name, Title, Link string
	Rules, RulesTitle string   // its own rule set
	Text              []string // its description, by paragraph
	Sides             []string
	SideNames         map[string]string // by id
	Ships             []ScenarioShip
	LastTurn          int  // the turn after which points decide; 0 for none
	Dark              bool // starting positions are hidden
	Robots            bool // robots can play it
	Map               templates.Map
	Scores            []Score
	Fought            []string // results of games on this host, one line per rule set
	File              string   // its text; "" if starting positions are hidden
	Design            string   // path of the scenario designer from the first page; "" for none
}

// ScenarioShip is a ship of a scenario. At is her starting place; "" if that is hidden.
type ScenarioShip struct {
	Name, Class, Side, At string
	Tone                  int
}

// Scenario draws the page of a scenario, which lies a folder below the first page.
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

// Scenarios draws the page of all scenarios; others are measurements of scenarios without a
// page. design is the path of the scenario designer; "" for none.
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

// RatingRow is one captain in a RatingTable; Link is the anchor of the captain's record.
type RatingRow struct {
	Place                               int
	Name, Link                          string
	Rating, Deviation, Won, Drawn, Lost int
}

// CaptainRecord lists a captain's games, the newest first.
type CaptainRecord struct {
	Name, Anchor string
	Conduct      string // reliability, in words
	Games        []RecordLine
}

// RecordLine is a game in a CaptainRecord; Link may be "".
type RecordLine struct{ Title, Link, Ended, Result, Side, Against string }

// Ratings draws the page of ratings, with each captain's games.
func (s Site) Ratings(tables []RatingTable, captains []CaptainRecord) ([]byte, error) {
	return s.page("ratings.html", "Ratings", "", "ratings.html", func(h siteHead) any {
		return struct {
			siteHead
			Tables   []RatingTable
			Captains []CaptainRecord
		}{h, tables, captains}
	})
}
