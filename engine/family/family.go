package family

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

// Family is what a package of rule sets provides to the program: the rule sets, and what they share. The program
// lists families and knows nothing else about them; games are played by the [engine.Rules] that a RuleSet makes.
type Family struct {
	Name      string // the name of its package
	Sets      []RuleSet
	Scenarios fs.FS // scenarios/NAME.toml, for its rule sets; nil: none
	// Designs reads the ship classes, with a game's own tables replacing built-in ones. Mistakes in tables are
	// TableErrors, joined. Nil: the family has no ship list.
	Designs  func(tables map[string][]byte) (*Designs, error)
	Campaign *CampaignRules // nil: captains and crews do not carry over from game to game
	Allocate Allocator      // nil: its ships have no sheets to allocate damage on
}

// Allocator allocates damage on a ship's sheet, for players who play the rest of their game elsewhere: nothing is
// stored. Diagnostics have positions in the task's text; the error is the mistakes in a file with a sheet, as
// joined TableErrors. All results are nil if the family knows neither the class nor the ship.
type Allocator func(AllocateTask) (*Allocated, []orders.Diagnostic, error)

// AllocateTask says which damage hits which sheet: the present sheet of a ship in a game, one in a file, or else
// that of a class.
type AllocateTask struct {
	Ship  *engine.ShipView // as the asking viewer knows it
	File  string           // the name of the file
	Sheet []byte
	Class string
	// Text has a line for each volley, such as "1:21", and may have lines for dice and for the owner's choice, as
	// the family's documentation says. Line is the number of its first line.
	Text string
	Line int
	Seed uint64 // for dice that Text does not give
}

// Allocate lets the first family that knows the sheet do a task. All results are nil if none does.
func Allocate(by []Allocator, task AllocateTask) (*Allocated, []orders.Diagnostic, error) {
	for _, allocate := range by {
		if done, diags, err := allocate(task); done != nil || len(diags) > 0 || err != nil {
			return done, diags, err
		}
	}
	return nil, nil, nil
}

// Allocated is the result: panels as in reports, the new sheet as a file, and all of it as data for machine output.
type Allocated struct {
	Panels []engine.Panel
	Sheet  []byte
	Data   any
}

// RuleSet is one rule set of a family. Rules makes it with a game's own tables, by path below the game directory;
// nil if there are none.
type RuleSet struct {
	Name  string
	Rules func(tables map[string][]byte) (*engine.Rules, error)
}

// ScenarioNames lists the built-in scenarios of a family, sorted.
func (f Family) ScenarioNames() ([]string, error) {
	if f.Scenarios == nil {
		return nil, nil
	}
	names, err := fs.Glob(f.Scenarios, "scenarios/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list the scenarios of %s: %w", f.Name, err)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".toml")
	}
	return names, nil
}

// ScenarioFiles returns the built-in scenarios of a family, by name.
func (f Family) ScenarioFiles() (map[string][]byte, error) {
	names, err := f.ScenarioNames()
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range names {
		if out[name], err = fs.ReadFile(f.Scenarios, "scenarios/"+name+".toml"); err != nil {
			return nil, fmt.Errorf("read a scenario of %s: %w", f.Name, err)
		}
	}
	return out, nil
}

// Designs are the ship classes of a family.
type Designs struct {
	Columns []string // column headings for Design.Row
	All     []Design // sorted by name
	// Balance compares the sides of these ships, in the order in which their first ships come. Within is the
	// largest difference that still counts as balanced, 0 to 100 per cent. An error is a mistake in the ships, such
	// as an unknown class. Nil: there are no figures to compare by.
	Balance func(ships []Entrant, within int) (Balance, error)
}

// Design is a ship class as lists show it.
type Design struct {
	Name, Navy string
	Row        []string
	// Sheet returns all that is known of the class, as table rows of names and figures.
	Sheet func() ([][]string, error)
	// Text returns the class under another name, in the form of a file with custom classes.
	Text func(name string) (string, error)
	Data any // for machine output
}

// Entrant is a ship in a battle to be balanced: its name, its side's id, its class.
type Entrant struct{ Name, Side, Class string }

// UsualWithin is the default difference in per cent up to which two sides count as balanced.
const UsualWithin = 10

// Balance compares the sides of a battle by the figures of a family.
type Balance struct {
	Columns []string
	Rows    [][]string // one for each ship, and a total for each side
	Verdict []string   // one paragraph for each pair of sides
	Even    bool       // every pair of sides is balanced
	Data    any        // for machine output
}

// CampaignRules says how captains, officers and crews improve from game to game.
type CampaignRules struct {
	// Sets are the rule sets with ratings, which a roster's ships can be used with, and their scenario keys for
	// ratings.
	Sets map[string]RatingKeys
	// Posts are those of the rule sets with officers, the captain's first. If both are filled, a later post takes
	// over a skill from an earlier one.
	Posts []RatedPost
	// New ratings are rolled on top of these bases.
	SkillBase, EfficiencyBase, DexterityBase int
	// NewRating rolls a rating with dice named after name.
	NewRating func(from dice.Source, name string, base int) (rating int, rolls [3]int)
	// Shares are the ways to share the points for a ship that several ships defeated, the default first.
	Shares []ShareRule
	// Divide splits a ship's points; percent is the captain's share. Grow adds points to a rating.
	Divide func(points, percent int) (captain, crew int)
	Grow   func(rating, points int) int
	// Equal splits a ship's points among her captain and a number of officers.
	Equal func(points, officers int) (captain, each int)
	// Served returns what a finished game did to each of its ships. Start is the game at its set-up, end after its
	// last turn, and events are all events between.
	Served func(start, end *engine.Game, events []engine.Event, shares string) []Served
	// Ratings returns the ratings that a ship fights with, by their scenario keys.
	Ratings func(s *engine.Ship) map[string]int
}

// RatingKeys are a rule set's keys for the ratings of captain and crew in the state of a scenario's ships.
// Efficiency is blank if officers have ratings instead of the crew.
type RatingKeys struct{ Skill, Efficiency string }

// RatedPost is a post and its officer's ratings, in addition to their skill as a captain.
type RatedPost struct {
	Post      string   // "" for the captain's
	Skills    []string // keys; points can be spent on them
	Dexterity string   // key; blank for none
}

// ShareRule is a way to share points, and its description.
type ShareRule struct{ Name, Text string }

// Served is what a game did to one of its ships.
type Served struct {
	Name, Class string
	Points      int      // victory points
	Against     []string // the ships it helped to defeat
	Fate        Fate
	Learns      map[string]string // by post: the skill that its officer wants to improve
}

// Fate is what happens to a ship and those aboard by the end of a battle.
type Fate string

// Fates.
const (
	FateKept  Fate = "in service"
	FateLost  Fate = "lost"  // with all aboard
	FateTaken Fate = "taken" // by the enemy
)

// TableError is a mistake in a table file. Line and Col are 0 if the place is unknown.
type TableError struct {
	File      string
	Line, Col int
	Message   string
}

// Error returns file:line:col: message.
func (e *TableError) Error() string {
	if e.Line < 1 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, max(1, e.Col), e.Message)
}
