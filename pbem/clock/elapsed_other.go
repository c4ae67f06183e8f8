//go:build !linux

package clock

import "time"

// elapsed returns the time since the program started. On some systems it stops while the machine
// sleeps, which then looks like a clock jump.
func elapsed() time.Duration { return sinceStart() }
