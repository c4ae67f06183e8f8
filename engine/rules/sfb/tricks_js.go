//go:build js

package sfb

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
)

// tricksOf is none: a browser tries no robots, and its program is to be small.
func tricksOf(*rulebook.Rules) []engine.Trick { return nil }
