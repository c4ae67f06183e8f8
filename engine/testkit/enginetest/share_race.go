//go:build race

package enginetest

// Share means that one in Share made-up battles is played. Under the race detector each costs five times as much, and
// a few suffice to find races; make test also plays all without it. Share has no common factor with the numbers of
// rule sets, so that every fifth entry of a list of all covers each of them.
const Share = 5
