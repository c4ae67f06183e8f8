package clock

import (
	"fmt"
	"time"
)

// date is a day of the calendar without a place: days since 1 January 1970.
type date int

// dateOf is the day on which t falls in t's own zone.
func dateOf(t time.Time) date {
	y, m, d := t.Date()
	return date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// utc is noon of the day in UTC: far from every edge.
func (d date) utc() time.Time { return time.Unix(int64(d)*86400+43200, 0).UTC() }

func (d date) String() string { return d.utc().Format(time.DateOnly) }

// parseDate reads a day as 2026-12-24.
func parseDate(text string) (date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	return dateOf(t), err == nil
}

// sinceMidnight is the time of day that clocks show at t.
func sinceMidnight(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
}

// reach is further than any place is from UTC.
const reach = 36 * time.Hour

// moment is when the clocks of a zone show a time of day on a day. An hour that
// the clocks leave out is the moment at which they are put forward, and of an
// hour that comes twice it is the second one: a captain who looks at a clock
// is ever given less time than he reads there.
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
			found = ends // left out
		}
		t = ends.In(zone)
	}
	if found.IsZero() { // a zone such as no country has
		found = want
	}
	return found.In(zone)
}

// TimeOfDay is a time of day, to the minute. The zero Hour is none.
type TimeOfDay struct {
	minutes int
	set     bool
}

// ParseTimeOfDay reads an hour as "20:00"; "" is none.
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

// IsZero tells that there is no hour.
func (h TimeOfDay) IsZero() bool { return !h.set }

// String is what ParseHour reads.
func (h TimeOfDay) String() string {
	if !h.set {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", h.minutes/60, h.minutes%60)
}

func (h TimeOfDay) duration() time.Duration { return time.Duration(h.minutes) * time.Minute }

// ParseLocal reads a moment as the clocks of the schedule's zone show it, such as
// "2026-12-01 20:00".
func (s Schedule) ParseLocal(text string) (time.Time, error) {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a deadline; write for example \"2d\", or \"2026-12-01 20:00\" as clocks show it in %s", text, s.zone())
	}
	return moment(dateOf(t), sinceMidnight(t), s.zone()), nil
}
