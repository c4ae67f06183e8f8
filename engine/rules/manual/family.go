package manual

import (
	"embed"

	"starpost/engine"
)

//go:embed scenarios/*.toml
var scenarioFiles embed.FS

// Family is the rule set as the program lists it. Most of its scenarios are a referee's own.
func Family() engine.Family {
	return engine.Family{Name: "manual", Scenarios: scenarioFiles, Sets: []engine.RuleSet{
		{Name: Name, Rules: func(map[string][]byte) (*engine.Rules, error) {
			r := Rules()
			return r, r.BadTags()
		}},
	}}
}
