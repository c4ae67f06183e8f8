package clock

import (
	"fmt"
	"time"
)

// date is a calendar day independent of place: days since 1 January 1970.
type date int

// dateOf returns the day of t in t's own zone.
func dateOf(t time.Time) date {
	y, m, d := t.Date()
	return date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// utc returns noon of the day in UTC, far from every boundary.
func (d date) utc() time.Time { return time.Unix(int64(d)*86400+43200, 0).UTC() }

func (d date) String() string { return d.utc().Format(time.DateOnly) }

// parseDate reads a day such as 2026-12-24.
func parseDate(text string) (date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return dateOf(t), err == nil
}

// sinceMidnight returns the wall-clock time of day at t.
func sinceMidnight(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
}

// reach is more than any zone's offset from UTC.
const reach = 36 * time.Hour

// moment returns when the clocks of a zone show a time of day on a day. For a skipped hour it is
// the moment at which clocks are put forward, and for an hour that occurs twice it is the second
// one: a captain never has less time than the clock suggests.
func moment(d date, at time.Duration, zone *time.Location) time.Time {
	want := d.utc().Add(at - 12*time.Hour) // as if in UTC
	found := time.Time{}
	for t := want.Add(-reach).In(zone); ; {
		_, offset := t.Zone()
		begins, ends := t.ZoneBounds()
		m := want.Add(-time.Duration(offset) * time.Second)
		if (begins.IsZero() || !m.Before(begins)) && (ends.IsZero() || m.Before(ends)) {
			found = m
		}
		if ends.IsZero() || ends.After(want.Add(reach)) {
			break
		}
		_, next := ends.In(zone).Zone()
		if after := want.Add(-time.Duration(next) * time.Second); !m.Before(ends) && after.Before(ends) {
			found = ends // skipped
		}
		t = ends.In(zone)
	}
	if found.IsZero() { // no real zone leads here
		found = want
	}
	return found.In(zone)
}

// TimeOfDay is a time of day, to the minute. The zero TimeOfDay is none.
type TimeOfDay struct {
	minutes int
	set     bool
}

// ParseTimeOfDay reads a time such as "20:00"; "" is none.
func ParseTimeOfDay(text string) (TimeOfDay, error) {
	if text == "" {
		return TimeOfDay{}, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return TimeOfDay{}, fmt.Errorf("%q is not a time of day; write for example \"20:00\"", text)
	}
	return TimeOfDay{minutes: t.Hour()*60 + t.Minute(), set: true}, nil
}

// IsZero reports whether there is no time.
func (h TimeOfDay) IsZero() bool { return !h.set }

// String returns what ParseTimeOfDay reads.
func (h TimeOfDay) String() string {
	if !h.set {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", h.minutes/60, h.minutes%60)
}

func (h TimeOfDay) duration() time.Duration { return time.Duration(h.minutes) * time.Minute }

// ParseLocal reads a wall-clock time in the schedule's zone, such as "2026-12-01 20:00".
func (s Schedule) ParseLocal(text string) (time.Time, error) {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a deadline; write for example \"2d\", or \"2026-12-01 20:00\" as clocks show it in %s", text, s.zone())
	}
	return moment(dateOf(t), sinceMidnight(t), s.zone()), nil
}
