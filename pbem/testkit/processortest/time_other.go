//go:build !unix

package processortest

import (
	"testing"
	"time"
)

// Time is not known here.
func Time(tb testing.TB) time.Duration {
	tb.Helper()
	tb.Skip("the processor time of a process is not known on this system")
	return 0
}
