package clock

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Span is a duration in the notation of schedules: "30m", "48h", "3d", "1w", or a sum such as
// "1d12h". One from ParseSpan is never negative.
//
// A span of whole days keeps the hour of the day across a change to or from summer time (see
// Schedule.NextDeadline).
type Span time.Duration

// Day and Week are the spans that time.ParseDuration has no letters for.
const (
	Day  = Span(24 * time.Hour)
	Week = 7 * Day
)

// MaxSpan is the longest span in a schedule: ten years.
const MaxSpan = 3660 * Day

// ParseSpan reads a span. The units are w, d, h, m and s, each at most once and from large to
// small; numbers are whole. The error says what was expected.
func ParseSpan(text string) (Span, error) {
	rest := strings.ToLower(strings.TrimSpace(text))
	if rest == "0" {
		return 0, nil
	}
	if rest == "" {
		return 0, spanError(text)
	}
	var sum Span
	units := spanUnits
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || digits == len(rest) {
			return 0, spanError(text)
		}
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("the time %q is longer than ten years", text)
		}
		at := -1
		for i, u := range units {
			if rest[digits] == u.letter {
				at = i
				break
			}
		}
		if at < 0 {
			return 0, spanError(text)
		}
		if n > int64(MaxSpan/units[at].span) {
			return 0, fmt.Errorf("the time %q is longer than ten years", text)
		}
		sum += Span(n) * units[at].span
		if sum > MaxSpan {
			return 0, fmt.Errorf("the time %q is longer than ten years", text)
		}
		units = units[at+1:]
		rest = rest[digits+1:]
	}
	return sum, nil
}

var spanUnits = []struct {
	letter byte
	span   Span
}{
	{'w', Week},
	{'d', Day},
	{'h', Span(time.Hour)},
	{'m', Span(time.Minute)},
	{'s', Span(time.Second)},
}

func spanError(text string) error {
	return fmt.Errorf("%q is not a length of time; write for example \"30m\", \"48h\" or \"3d\"", text)
}

// Duration returns the span as a time.Duration.
func (s Span) Duration() time.Duration { return time.Duration(s) }

// String returns the canonical form, which ParseSpan reads back: hours, minutes and seconds without
// zero parts, and "0s" for zero. Fractions of a second are dropped.
func (s Span) String() string {
	if s < 0 {
		return "-" + (-s).String()
	}
	d := time.Duration(s)
	var b strings.Builder
	if h := d / time.Hour; h > 0 {
		fmt.Fprintf(&b, "%dh", h)
	}
	if m := d % time.Hour / time.Minute; m > 0 {
		fmt.Fprintf(&b, "%dm", m)
	}
	if sec := d % time.Minute / time.Second; sec > 0 || b.Len() == 0 {
		fmt.Fprintf(&b, "%ds", sec)
	}
	return b.String()
}

// UnmarshalText reads a span, for TOML files.
func (s *Span) UnmarshalText(text []byte) error {
	v, err := ParseSpan(string(text))
	if err != nil {
		return err
	}
	*s = v
	return nil
}

// MarshalText returns the canonical form.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Clock is time as the daemon sees it.
type Clock interface {
	Now() time.Time
	// Elapsed is the time since some moment in the past, by a monotonic clock: a different advance
	// of Now is a jump.
	Elapsed() time.Duration
	// After delivers the time once, after d; at once if d is not positive.
	After(d time.Duration) <-chan time.Time
}

// Real is the machine's clock.
type Real struct{}

// Now returns the current time.
func (Real) Now() time.Time { return time.Now() }

// Elapsed returns the time since the machine, or this program, was started.
func (Real) Elapsed() time.Duration { return elapsed() }

// sinceStart returns the time since the first call, by the monotonic clock.
func sinceStart() time.Duration { return time.Since(firstCall()) }

var firstCall = sync.OnceValue(time.Now)

// After is time.After.
func (Real) After(d time.Duration) <-chan time.Time { return time.After(d) }
