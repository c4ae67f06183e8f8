//go:build integration

package realmail_test

import (
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
)

// profiled returns a command that runs "starpost serve --once" in the test binary, with profiling.
func profiled(t *testing.T, file, profile string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestProfiledDaemon$", "-test.v")
	cmd.Env = append(os.Environ(), "STARPOST_PROFILED="+file, "STARPOST_PROFILED_TO="+profile)
	return cmd
}

// TestProfiledDaemon runs the daemon with profiling. It is skipped unless the
// command of profiled started it.
func TestProfiledDaemon(t *testing.T) {
	file := os.Getenv("STARPOST_PROFILED")
	if file == "" {
		t.Skip("a part of the mail bench")
	}
	debug.SetGCPercent(200) // as the program does
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(os.Getenv("STARPOST_PROFILED_TO"))
	if err != nil {
		t.Fatal(err)
	}
	defer shut(out)
	d, err := daemon.Open(process.Options{Config: c, Catalogue: catalogue(), Log: slog.New(slog.NewJSONHandler(os.Stderr, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		t.Fatal(err)
	}
	_, err = d.Once(t.Context())
	pprof.StopCPUProfile()
	if err != nil {
		t.Error(err)
	}
	heap, err := os.Create(out.Name() + ".heap")
	if err != nil {
		t.Fatal(err)
	}
	defer shut(heap)
	runtime.GC() // a heap profile shows the memory in use after the last collection
	if err := pprof.WriteHeapProfile(heap); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
