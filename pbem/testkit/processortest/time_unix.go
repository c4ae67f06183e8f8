//go:build unix

// Package processortest measures the processor time of benchmarks.
package processortest

import (
	"syscall"
	"testing"
	"time"
)

// Time returns the processor time that this process has used. Unlike elapsed time it is the same on a busy machine.
func Time(tb testing.TB) time.Duration {
	tb.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
