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

// Family is what a package of rules hands to the program: its rule sets, and what
// they share because one machine plays them all. The program lists it and knows
// nothing else of it; games are played by the [engine.Rules] that a set makes.
type Family struct {
	Name      string // that of its package
	Sets      []RuleSet
	Scenarios fs.FS // scenarios/NAME.toml, for its sets; nil: none
	// Designs reads the ship classes, with a game's own tables over the built-in
	// ones. Mistakes in tables are TableErrors, joined. Nil: there is no ship list.
	Designs  func(tables map[string][]byte) (*Designs, error)
	Campaign *CampaignRules // nil: captains and crews do not go from game to game
	Allocate Allocator      // nil: its ships have no sheets that damage is allocated to
}

// Allocator works through what damage does to a ship's sheet, for players who play the
// rest of their game elsewhere: nothing of it is stored. The mistakes have places in the
// task's text; those in a file with a sheet are the error, joined TableErrors. All are nil
// where the family knows neither the class nor the ship.
type Allocator func(AllocateTask) (*Allocated, []orders.Diagnostic, error)

// AllocateTask is what damage strikes which sheet: that of a ship of a game as it is now,
// or one in a file, or else that of a class.
type AllocateTask struct {
	Ship  *engine.ShipView // as who asks knows it
	File  string           // the name of the file
	Sheet []byte
	Class string
	// Text has a line for each volley, such as "1:21", and may have lines for the dice
	// and the owner's choice, as the family's documentation says. Line is the
	// number of its first line.
	Text string
	Line int
	Seed uint64 // of the dice that Text does not give
}

// Allocate has the first family that knows the sheet work a task through. All results
// are nil where none does.
func Allocate(by []Allocator, task AllocateTask) (*Allocated, []orders.Diagnostic, error) {
	for _, allocate := range by {
		if done, diags, err := allocate(task); done != nil || len(diags) > 0 || err != nil {
			return done, diags, err
		}
	}
	return nil, nil, nil
}

// Allocated is what came of it: panels as reports have them, the sheet afterwards as a
// file, and all of it for machine output.
type Allocated struct {
	Panels []engine.Panel
	Sheet  []byte
	Data   any
}

// RuleSet is one rule set of a family. Rules makes it over a game's own tables, by
// path below the game directory; nil for none.
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

// ScenarioFiles are the built-in scenarios of a family, by name.
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
	Columns []string // heads of the rows of All
	All     []Design // by name
	// Balance compares the sides that these ships make, in the order in which their
	// first ships come. Within is the largest difference in per cent, 0 to 100, that
	// still counts as none. An error is a mistake in the ships, such as a class that
	// is not there. Nil: there are no figures to compare by.
	Balance func(ships []Entrant, within int) (Balance, error)
}

// Design is a ship class as lists show it.
type Design struct {
	Name, Navy string
	Row        []string
	// Sheet gives all that is known of the class, as rows of a table: what, and the
	// figures.
	Sheet func() ([][]string, error)
	// Text is the class under another name, as a file with classes of one's own has it.
	Text func(name string) (string, error)
	Data any // for machine output
}

// Entrant is a ship of a battle that is weighed: its name, its side's id, its class.
type Entrant struct{ Name, Side, Class string }

// UsualWithin is by how many per cent two sides may differ and still be called
// balanced, unless the caller says otherwise.
const UsualWithin = 10

// Balance is how the sides of a battle compare by the figures of a family.
type Balance struct {
	Columns []string
	Rows    [][]string // ship by ship, and a total for each side
	Verdict []string   // paragraphs, one for every two sides
	Even    bool       // every two sides balance
	Data    any        // for machine output
}

// CampaignRules is how captains, officers and crews grow from game to game.
type CampaignRules struct {
	// Sets are the rule sets with ratings, so that a roster's ships can be put into their
	// scenarios, and the keys for them there.
	Sets map[string]RatingKeys
	// Posts are those of the rule sets with officers, the captain's first. A later one
	// takes a skill from an earlier one where both are filled.
	Posts []RatedPost
	// New ratings are rolled over these bases.
	SkillBase, EfficiencyBase, DexterityBase int
	// NewRating rolls dice whose names begin with name.
	NewRating func(from dice.Source, name string, base int) (rating int, rolls [3]int)
	// Shares are the ways to share the points of a ship that several defeated; the
	// usual one is the first.
	Shares []ShareRule
	// Divide splits a ship's points: percent is the captain's part. Grow adds points
	// to a rating.
	Divide func(points, percent int) (captain, crew int)
	Grow   func(rating, points int) int
	// Equal splits a ship's points among her captain and so many officers.
	Equal func(points, officers int) (captain, each int)
	// Served is what a finished game did to each of its ships. Start is the game at
	// its set-up, end after its last turn, events are all in between.
	Served func(start, end *engine.Game, events []engine.Event, shares string) []Served
	// Ratings are those that a ship fights with, by the keys of a scenario.
	Ratings func(s *engine.Ship) map[string]int
}

// RatingKeys are the words of a rule set for the ratings of captain and crew in the state of a
// scenario's ships. Efficiency is blank where officers have ratings in the crew's place.
type RatingKeys struct{ Skill, Efficiency string }

// RatedPost is a post and the ratings that its officer has beside his skill as a captain.
type RatedPost struct {
	Post      string   // "" for the captain's
	Skills    []string // keys; points can be spent on them
	Dexterity string   // key; blank for none
}

// ShareRule is a way to share points, and what it means.
type ShareRule struct{ Name, Text string }

// Served is what a game did to one of its ships.
type Served struct {
	Name, Class string
	Points      int      // victory points
	Against     []string // whom it helped to defeat
	Fate        Fate
	Learns      map[string]string // by post: the skill that its officer wants to be better at
}

// Fate is what becomes of a ship and those aboard when a battle is over.
type Fate string

// Fates.
const (
	FateKept  Fate = "in service"
	FateLost  Fate = "lost"  // with all aboard
	FateTaken Fate = "taken" // by the enemy
)

// TableError is a mistake in a table file. Line and Col are 0 where the place
// is not known.
type TableError struct {
	File      string
	Line, Col int
	Message   string
}

// Error implements error: file:line:col: message.
func (e *TableError) Error() string {
	if e.Line < 1 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, max(1, e.Col), e.Message)
}
