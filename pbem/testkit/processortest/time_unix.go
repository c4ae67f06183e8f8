//go:build unix

// Package processortest tells benchmarks what they took of the processors.
package processortest

import (
	"syscall"
	"testing"
	"time"
)

// Time is what this process has used of all processors: a busy machine shows the same.
func Time(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
