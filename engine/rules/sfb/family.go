package sfb

import (
	"sync"

	"starpost/engine"
)

// Family is the rule sets of this package, with their scenarios and ship classes.
func Family() engine.Family {
	// Games without sheets of their own share one.
	plain := sync.OnceValues(func() (*engine.Rules, error) { return cadetOver(nil) })
	return engine.Family{
		Name: "sfb", Designs: designs, Scenarios: scenarioFiles, Allocate: allocate,
		Sets: []engine.RuleSet{{Name: cadetName, Rules: func(own map[string][]byte) (*engine.Rules, error) {
			if len(own) == 0 {
				return plain()
			}
			return cadetOver(own)
		}}},
	}
}

// cadetOver makes sfb-cadet with a game's own sheets over the built-in ones.
func cadetOver(files map[string][]byte) (*engine.Rules, error) {
	classes, err := Classes(files)
	if err != nil {
		return nil, err
	}
	return Cadet(classes)
}
