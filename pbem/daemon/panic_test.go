package daemon_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// stepEnv names the step at which a child of TestPanicIsLogged panics.
const stepEnv = "STARPOST_TEST_CRASH"

// A panic in any goroutine ends the process at once, with its cause on standard error and in the
// log, and with the exit code that has it restarted. A panic in one mail or game only holds that
// one back, with its cause in the log.
func TestPanicIsLogged(t *testing.T) {
	if step := os.Getenv(stepEnv); step != "" {
		crashAt(t, step)
		return
	}
	for step, ends := range map[string]bool{
		"record": true, "cursor": true, "send": true, "sent": true, "move": true, "beat": true, "store": false, "acted": false,
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPanicIsLogged$") //nolint:gosec // this very test
			cmd.Env = append(os.Environ(), stepEnv+"="+step, "TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
			}
			cause := []byte("it fell at " + step)
			if !bytes.Contains(out, cause) || ends && (code != 2 || !bytes.Contains(out, []byte("panic: "+string(cause))) || !bytes.Contains(out, []byte("daemon crashed"))) || !ends && code != 0 {
				t.Errorf("code %d\n%s", code, out)
			}
		})
	}
}

func crashAt(t *testing.T, step string) {
	t.Helper()
	w := watchedWorld(t)
	log := make(lines, 100)
	w.log = slog.New(slog.NewTextHandler(log, nil))
	w.before = func(now string) error {
		if now == step {
			panic("it fell at " + step)
		}
		return nil
	}
	g := w.game("wolf", schedule())
	w.box.put(w.order(g, "Kirk", "final"))
	d := w.open()
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	for held := false; !held; {
		held = strings.Contains(<-log, "mail not handled")
	}
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
}

// lines writes a log to standard error and sends its lines.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return os.Stderr.Write(p)
}
