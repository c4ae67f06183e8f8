package referee

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

// Terminal escape sequences: the alternate screen and back, the cursor off and on, and a redraw from the top.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	leaveScreen = "\x1b[?25h\x1b[?1049l"
	drawAnew    = "\x1b[H\x1b[2J"
)

// Live draws on a terminal of that size until ctx ends, which is not an error. It redraws when something changed,
// which it checks at the given interval, and every minute.
func (w *Watcher) Live(ctx context.Context, out io.Writer, now func() time.Time, every time.Duration, size func() (int, int)) (err error) {
	if _, err := io.WriteString(out, enterScreen); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	defer func() {
		if _, werr := io.WriteString(out, leaveScreen); werr != nil && err == nil {
			err = fmt.Errorf("draw: %w", werr)
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	seen := ""
	for {
		width, height := size()
		if mark := fmt.Sprint(width, height, now().Unix()/60, w.Mark(ctx)); mark != seen {
			g, err := w.Look(ctx, now())
			if ctx.Err() != nil {
				return nil
			}
			if seen = mark; err != nil {
				g, seen = &Glance{At: now(), Trouble: err.Error()}, "" // try again later
			}
			if err := draw(out, g, width, height); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// draw draws a glance, as far as it fits.
func draw(out io.Writer, g *Glance, width, height int) error {
	var text bytes.Buffer
	if err := g.Print(&text, width, time.Local); err != nil {
		return err
	}
	lines := bytes.SplitAfter(text.Bytes(), []byte("\n"))
	if len(lines) > height-1 {
		lines = append(lines[:height-2:height-2], []byte("...\n"))
	}
	frame := append([]byte(drawAnew), bytes.ReplaceAll(bytes.Join(lines, nil), []byte("\n"), []byte("\r\n"))...)
	if _, err := out.Write(frame); err != nil {
		return fmt.Errorf("draw: %w", err)
	}
	return nil
}
