//go:build !linux

package clock

import "time"

// elapsed is the time since the program began. On some systems it stands while
// the machine sleeps, which then looks like a jump.
func elapsed() time.Duration { return sinceStart() }
