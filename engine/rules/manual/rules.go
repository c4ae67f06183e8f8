package manual

import (
	"embed"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/ruling"
	"starpost/orders"
)

// The name of the rule set, and the version that is recorded in games.
const (
	Name    = "manual"
	Version = "2"
)

// Game options: whether captains see the tracks of all visible ships, and whether the scenario's goals end the game
// or only the referee.
const (
	optionSheets = "sheets"
	sheetsOwn    = "own"
	sheetsOpen   = "open"

	optionVictory   = "victory"
	victoryScenario = "scenario"
	victoryReferee  = "referee"
)

// cite is the citation for everything that a referee filed, citeTable for what captains and scenario did.
const (
	cite      = "referee"
	citeTable = "manual"
)

// Rules returns the rule set. It has no robot, because the program cannot know what a ship should do under unknown
// rules.
func Rules() *engine.Rules {
	return &engine.Rules{
		Name: Name, Version: Version, Title: "A table's own rules, played by a referee",
		Sources: []string{"your own rule book: the referee reads the orders and files each turn"},
		Dice:    append([]engine.NamedDie{{Name: "NAME", Example: "t3.wasp.guns", What: "whatever the referee rolls it for; die and name as in the filing"}}, instrumentDice()...),
		Phases:  phases(nil), Language: ordersLanguage().Compiled(),
		Events:     events.Types(),
		Commission: commission, DecodeSystem: decodeSystem,
		Options: map[string][]string{
			optionSheets:  {sheetsOwn, sheetsOpen},
			optionVictory: {victoryScenario, victoryReferee},
		},
		Seeing: engine.Seeing{Public: func(*engine.Ship) any { return nil }, NewPublic: func() any { return new(Sheet) }, Look: look, Witness: witness},
		Terrain: map[string]engine.Ground{
			"planet": {Looks: blind.Signature{Large: true}}, "moon": {Looks: blind.Signature{Large: true}}, "asteroid": {},
			"mine": {}, "explosion": {}, "other": {},
		},
		Referee:   new(ruling.Referee),
		Extension: &dark.Extension{Dark: darkRules(), Labs: labRules()},
		Ordering:  engine.Ordering{Check: check, Template: template},
		Reporting: engine.Reporting{Present: present, Words: words, Why: why},
		Filing: &engine.Filing{
			Language: rulingsLanguage(),
			Check: func(g *engine.Game, data []byte) []orders.Diagnostic {
				_, ds := plan(g, data)
				return ds
			},
			Phases: phases,
			Blank:  blank,
		},
	}
}

// sees reports whether the captain of a ship sees another one.
func sees(watcher, s *engine.Ship) bool {
	if watcher.ID == s.ID {
		return true
	}
	sys := of(s)
	usual := !sys.Hidden || watcher.Side == s.Side
	return usual != sys.excepts(watcher.ID)
}

// look returns what a viewer sees of another captain's ship: everything about her position, or nothing.
func look(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
	for _, id := range who.Ships {
		if w, ok := g.Ship(id); ok && sees(w, s) {
			gl := engine.Observation{}
			if g.Options[optionSheets] == sheetsOpen {
				gl.Known = &Sheet{Tracks: of(s).Tracks}
			}
			return gl
		}
	}
	return engine.Observation{Sight: engine.Unseen}
}

// witness returns the captains that see a ship, including her own.
func witness(g *engine.Game, s *engine.Ship) engine.See { return onlookers(g, s) }

// onlookers returns the captains that see all of the given ships. In the dark the engine decides who sees what.
func onlookers(g *engine.Game, ships ...*engine.Ship) engine.See {
	if g.Blind != nil {
		return engine.SeeAll()
	}
	var ids []engine.ShipID
	for _, w := range g.Ships {
		all := true
		for _, s := range ships {
			all = all && sees(w, s)
		}
		if all {
			ids = append(ids, w.ID)
		}
	}
	if len(ids) == len(g.Ships) {
		return engine.SeeAll()
	}
	return engine.SeeAmong(ids...)
}

// sheetSee returns who sees a change of a ship's tracks.
func sheetSee(g *engine.Game, s *engine.Ship) engine.See {
	if g.Options[optionSheets] == sheetsOpen {
		return onlookers(g, s)
	}
	return engine.SeeOnly(s.ID)
}

func lower(s string) string { return strings.ToLower(s) }

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// Family returns the rule set as the program lists it. Most of its scenarios are written by referees.
func Family() family.Family {
	return family.Family{Name: "manual", Scenarios: scenarioFiles, Sets: []family.RuleSet{
		{Name: Name, Rules: func(map[string][]byte) (*engine.Rules, error) {
			r := Rules()
			return r, r.CheckEvents()
		}},
	}}
}
