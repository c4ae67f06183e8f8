package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestTheLimitMakesRoom: what is in use raises the memory limit, and the limit falls again when that is given back.
func TestTheLimitMakesRoom(t *testing.T) {
	const child, least = "STARPOST_TEST_MEMORY", 1 << 20
	if os.Getenv(child) == "" { // in a process of its own, as the limit is one for all of it
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // this test
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	keepRoom(least)
	used := make([]byte, 64<<20)
	for limit() < int64(len(used))*3/2 {
		runtime.GC()
	}
	high := limit()
	runtime.KeepAlive(used)
	for limit() > high/2 {
		runtime.GC()
	}
}
