// Package crew carries out what people aboard add to the phases of package play: ratings and
// bonuses of captains and crews, officers at posts of their own, their skills, and the effects
// of hits on the bridge.
package crew
