package relay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Offset is how far our clock is ahead of a relay's; negative if it is behind. It is accurate to a
// second and half of the time that the answer took.
type Offset struct {
	Relay string
	Ahead time.Duration
}

// Offsets asks all relays for the time. The error joins what was wrong with those that failed; the
// offsets of the others are returned with it.
func (c *Client) Offsets(ctx context.Context, now func() time.Time) ([]Offset, error) {
	var offsets []Offset
	var bad []error
	for _, relay := range c.relays {
		ahead, err := c.ahead(ctx, relay, now)
		if err != nil {
			bad = append(bad, fmt.Errorf("time of relay %s: %w", relay.Host, err))
			continue
		}
		offsets = append(offsets, Offset{Relay: relay.Host, Ahead: ahead})
	}
	return offsets, errors.Join(bad...)
}

func (c *Client) ahead(ctx context.Context, relay *url.URL, now func() time.Time) (time.Duration, error) {
	asked := now()
	_, head, err := c.get(ctx, relay, "latest")
	if err != nil {
		return 0, err
	}
	took := now().Sub(asked)
	date, err := http.ParseTime(head.Get("Date"))
	if err != nil {
		return 0, fmt.Errorf("its date: %w", err)
	}
	if age := head.Get("Age"); age != "" { // a cache in between keeps the date of the original answer
		seconds, err := strconv.ParseUint(age, 10, 31)
		if err != nil {
			return 0, fmt.Errorf("the age of its answer: %w", err)
		}
		date = date.Add(time.Duration(seconds) * time.Second)
	}
	// A date omits the fraction of a second: half a second on average.
	return asked.Add(took / 2).Sub(date.Add(time.Second / 2)), nil
}

// ClockError says that our clock is wrong, according to two relays or more.
type ClockError struct {
	Offsets []Offset // of the relays that say so
}

func (e *ClockError) Error() string {
	var parts []string
	for _, o := range e.Offsets {
		word := "ahead of"
		if o.Ahead < 0 {
			word = "behind"
		}
		parts = append(parts, fmt.Sprintf("%v %s %s", o.Ahead.Abs().Round(time.Second), word, o.Relay))
	}
	return "the clock of this machine is wrong: " + strings.Join(parts, ", ")
}

// Hint returns the remedy.
func (e *ClockError) Hint() string { return "set the clock right; orders are not closed before" }

// CheckClock returns a *ClockError if two relays agree that our clock is ahead, or that it is behind,
// by more than bound.
func CheckClock(offsets []Offset, bound time.Duration) error {
	var ahead, behind []Offset
	for _, o := range offsets {
		switch {
		case o.Ahead > bound:
			ahead = append(ahead, o)
		case o.Ahead < -bound:
			behind = append(behind, o)
		}
	}
	for _, wrong := range [][]Offset{ahead, behind} {
		if len(wrong) >= 2 {
			return &ClockError{Offsets: wrong}
		}
	}
	return nil
}
