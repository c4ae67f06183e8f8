package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/referee"
)

// Terminal sequences: alternate screen without a cursor, and back; clear and start at the top.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	drawAnew    = "\x1b[H\x1b[2J"
)

// frames collects what is drawn, and calls last for each frame.
type frames struct {
	all  []string
	last func(n int, frame string)
}

func (f *frames) Write(p []byte) (int, error) {
	f.all = append(f.all, string(p))
	if strings.HasPrefix(string(p), drawAnew) {
		f.last(len(f.all), string(p))
	}
	return len(p), nil
}

// TestWatchRedrawsOnChange checks that changes are drawn as they happen, and that the terminal is restored.
func TestWatchRedrawsOnChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wolf")
	now := func() time.Time { return time.Date(2026, 5, 4, 18, 0, 0, 0, time.UTC) }
	var out bytes.Buffer
	if code := run(t.Context(), []string{"new", dir, "--scenario", "big-bad-wolf", "--seed", "1"}, std{in: strings.NewReader(""), out: &out, err: &out, now: now}); code != 0 {
		t.Fatal(out.String())
	}
	games, err := gamesIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	drawn := 0
	f := &frames{}
	f.last = func(_ int, frame string) {
		drawn++
		if strings.Contains(frame, "orders: 1 of 2 in") || drawn == 100 {
			stop()
		}
		if drawn > 1 {
			return
		}
		order := "#orders wolf turn 1 ship Hood\npower\n  move 16\n#end\n"
		if err := os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), []byte(order), 0o600); err != nil {
			t.Error(err)
		}
	}
	w := &referee.Watcher{Catalogue: catalogue(), Games: games}
	if err := w.Live(ctx, f, now, time.Millisecond, func() (int, int) { return 40, 6 }); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(f.all, "")
	if drawn < 2 || !strings.Contains(all, "orders: 0 of 2 in") || !strings.Contains(all, "orders: 1 of 2 in") {
		t.Errorf("%d frames, the last %q", drawn, f.all[max(0, len(f.all)-2)])
	}
	if !strings.HasPrefix(all, enterScreen) || !strings.HasSuffix(all, leaveScreen) {
		t.Errorf("%q ... %q", f.all[0], f.all[len(f.all)-1])
	}
	for _, frame := range f.all[1 : len(f.all)-1] {
		lines := strings.Split(strings.TrimPrefix(frame, drawAnew), "\r\n")
		if len(lines) > 6 {
			t.Errorf("%d lines for 6: %q", len(lines), frame)
		}
		for _, line := range lines {
			if len([]rune(line)) > 40 {
				t.Errorf("the line is too long for 40: %q", line)
			}
		}
	}
}
