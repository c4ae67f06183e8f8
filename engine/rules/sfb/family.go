package sfb

import (
	"sync"

	"starpost/engine"
)

// Family is the rule sets of this package, with their scenarios and ship classes.
func Family() engine.Family {
	set := func(book func() Book) engine.RuleSet {
		// Games without sheets of their own share one.
		plain := sync.OnceValues(func() (*engine.Rules, error) { return over(book, nil) })
		return engine.RuleSet{Name: book().Name, Rules: func(own map[string][]byte) (*engine.Rules, error) {
			if len(own) == 0 {
				return plain()
			}
			return over(book, own)
		}}
	}
	return engine.Family{
		Name: "sfb", Designs: designs, Scenarios: scenarioFiles, Allocate: allocate,
		Sets: []engine.RuleSet{set(cadet), set(house)},
	}
}

// over makes a rule set with a game's own sheets over the built-in ones.
func over(book func() Book, files map[string][]byte) (*engine.Rules, error) {
	classes, err := classes(files)
	if err != nil {
		return nil, err
	}
	return book().rules(classes)
}
