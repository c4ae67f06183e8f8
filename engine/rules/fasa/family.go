package fasa

import (
	"embed"
	"maps"
	"slices"
	"sync"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Family returns the tactical courses as the program lists them.
func Family() family.Family {
	f := family.Family{
		Name: "fasa", Scenarios: scenarioFiles, Designs: tables.Designs,
		Campaign: &family.CampaignRules{
			Sets: map[string]family.RatingKeys{
				"stcs-advanced": {Skill: "skill", Efficiency: "efficiency"}, "stcs-graduate": {Skill: "skill", Efficiency: "efficiency"},
				"stcs-command": {Skill: ship.SkillTactics},
			},
			Posts:     rulebook.RatedPosts(),
			SkillBase: crew.SkillBase, EfficiencyBase: crew.EfficiencyBase, DexterityBase: crew.DexterityBase, NewRating: newRating,
			Shares: []family.ShareRule{
				{Name: shareLast, Text: "an extra share for the ship that finished her"},
				{Name: shareMost, Text: "two of three points to the ship that did most damage"},
			},
			Divide: divided, Grow: grown, Equal: equalShares, Served: served, Ratings: ratings,
		},
	}
	courses := Courses()
	for _, name := range slices.Sorted(maps.Keys(courses)) {
		course := courses[name]
		// Games without tables of their own share one.
		plain := sync.OnceValues(func() (*engine.Rules, error) {
			lib, err := tables.Core() // ships are read when a scenario names them
			if err != nil {
				return nil, err
			}
			return course(lib)
		})
		f.Sets = append(f.Sets, family.RuleSet{Name: name, Rules: func(own map[string][]byte) (*engine.Rules, error) {
			if len(own) == 0 {
				return plain()
			}
			lib, err := tables.BuiltinWith(own)
			if err != nil {
				return nil, err
			}
			return course(lib)
		}})
	}
	return f
}

// served returns what a finished game did to its ships, for a campaign's roster.
func served(start, end *engine.Game, events []engine.Event, shares string) []family.Served {
	victories := victories(start, end, events, shares)
	var out []family.Served
	for _, s := range end.Ships {
		served := family.Served{Name: s.Name, Class: ship.Of(s).Design.Name, Fate: fateOf(end, s), Learns: learns(s)}
		for _, v := range victories {
			if n := v.Shares[s.ID]; n > 0 {
				over, _ := end.Ship(v.Over)
				served.Points += n
				served.Against = append(served.Against, over.Name)
			}
		}
		out = append(out, served)
	}
	return out
}

// ratings returns the ratings with which a ship fights; nil in courses without captains and crews.
func ratings(s *engine.Ship) map[string]int {
	switch sys := ship.Of(s); {
	case sys.Has("people"):
		return map[string]int{"skill": sys.People().Skill, "efficiency": sys.People().Efficiency}
	case sys.Has(ship.SysBridge):
		return sys.Bridge().Ratings
	}
	return nil
}

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// Scenarios returns the built-in scenario files of this package's rule sets, by name.
func Scenarios() (map[string][]byte, error) { return Family().ScenarioFiles() }

// Courses returns the constructors of the rule sets that can be played, by the name of the rule
// set.
func Courses() map[string]func(*tables.Library) (*engine.Rules, error) {
	return map[string]func(*tables.Library) (*engine.Rules, error){
		"book-one": bookOneRules, "stcs-basic": Basic, "stcs-advanced": advanced, "stcs-graduate": Graduate, "stcs-command": Command,
	}
}
