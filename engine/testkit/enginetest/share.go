//go:build !race

package enginetest

// Share is of how many made-up battles one is played: without the race detector, each.
const Share = 1
