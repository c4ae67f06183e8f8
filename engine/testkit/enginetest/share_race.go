//go:build race

package enginetest

// Share is of how many made-up battles one is played: under the race detector each costs five times as much, and what
// it looks for shows in a few. All are played without it, which make test does too. It shares no factor with
// the numbers of rule sets, so that one in five of a list of all meets each of them.
const Share = 5
