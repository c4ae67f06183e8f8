//go:build !race

package enginetest

// Share means that one in Share made-up battles is played: without the race detector, all.
const Share = 1
