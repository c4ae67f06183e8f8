package sfb

import "starpost/engine"

// Family is the rule sets of this package, with their ship classes.
func Family() engine.Family { return engine.Family{Name: "sfb", Designs: designs} }
