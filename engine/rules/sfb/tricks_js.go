//go:build js

package sfb

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
)

// tricksOf returns no tricks: the browser never plays robots against them, and leaving them out makes its program smaller.
func tricksOf(*rulebook.Rules) []engine.Trick { return nil }
