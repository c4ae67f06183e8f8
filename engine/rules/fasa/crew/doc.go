// Package crew carries out what people aboard add to the phases of package play: ratings and
// bonuses of captains and crews, and officers at posts of their own, their skills, and what
// hits on the bridge do to them.
package crew
