package main

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestTheLimitMakesRoom: what is in use raises the memory limit, and the limit falls again when that is given back.
// While it is raised, it alone makes the collector run.
func TestTheLimitMakesRoom(t *testing.T) {
	const child, least = "STARPOST_TEST_MEMORY", 32 << 20
	if os.Getenv(child) == "" { // in a process of its own, as the limit is one for all of it
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // this test
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	percent := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(least)
	keepRoom(least)
	used := make([]byte, 64<<20)
	for limit() < 2*int64(len(used)) || percent() != math.MaxUint64 { // off
		runtime.GC()
	}
	runtime.KeepAlive(used)
	for limit() != least || percent() != growth {
		runtime.GC()
	}
}
