//go:build !unix

package processortest

import (
	"testing"
	"time"
)

// Time skips the test: the processor time is not known on this system.
func Time(tb testing.TB) time.Duration {
	tb.Helper()
	tb.Skip("the processor time of a process is not known on this system")
	return 0
}
