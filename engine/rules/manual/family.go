package manual

import "starpost/engine"

// Family is the rule set as the program lists it. Scenarios are the referee's own.
func Family() engine.Family {
	return engine.Family{Name: "manual", Sets: []engine.RuleSet{
		{Name: Name, Rules: func(map[string][]byte) (*engine.Rules, error) { return Rules(), nil }},
	}}
}
