package sfb

import (
	"sync"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/orders"
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
		Name: "sfb", Designs: sheet.Designs, Scenarios: scenarioFiles, Allocate: allocate,
		Sets: []engine.RuleSet{set(cadet), set(house)},
	}
}

// allocate is the family's [engine.Allocator]: see [sheet.AllocateTask].
func allocate(asked engine.AllocateTask) (*engine.Allocated, []orders.Diagnostic, error) {
	if asked.Ship != nil {
		if known, ok := openOf(asked.Ship); ok {
			return sheet.AllocateTask(asked, &known.Sheet)
		}
	}
	return sheet.AllocateTask(asked, nil)
}

// over makes a rule set with a game's own sheets over the built-in ones.
func over(book func() Book, files map[string][]byte) (*engine.Rules, error) {
	classes, err := sheet.Classes(files)
	if err != nil {
		return nil, err
	}
	return book().rules(classes)
}
