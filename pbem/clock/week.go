package clock

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Weekly is the times of the week for deadlines, such as "Tue Fri 20:00 Europe/Berlin". The zero Weekly has
// none.
type Weekly struct {
	slots []slot // in the order of the week
	text  string
	zone  *time.Location // nil if the text names none
}

// slot is a time of the week.
type slot struct {
	day time.Weekday
	at  TimeOfDay
}

// since returns the time from the start of the calendar week.
func (s slot) since() time.Duration { return time.Duration(s.day)*Day.Duration() + s.at.duration() }

// Limits of a weekly schedule.
const (
	maxSlots = 28
	leastGap = time.Hour // between two deadlines
	maxWeek  = 400       // bytes
)

const weekWay = `such as "Tue Fri 20:00", "Mon Wed 19:30 Sat 12:00", or with a zone "Tue Fri 20:00 Europe/Berlin"`

// ParseWeekly reads days, each with the next time after it, and an optional zone at the end, separated by
// spaces or commas; "" is none. The error is a *CalendarError.
func ParseWeekly(text string) (Weekly, error) {
	words, days := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), []time.Weekday(nil)
	w := Weekly{text: strings.Join(words, " ")}
	fail := func(format string, args ...any) (Weekly, error) {
		return Weekly{}, &CalendarError{Key: "schedule", Problem: "schedule: " + fmt.Sprintf(format, args...), Way: weekWay}
	}
	if len(text) > maxWeek {
		return fail("longer than %d characters", maxWeek)
	}
	for i, word := range words {
		day, isDay := weekday(word)
		at, err := ParseTimeOfDay(word)
		switch {
		case isDay:
			days = append(days, day)
		case err == nil && len(days) == 0:
			return fail("word %d, %q, is an hour without a day before it", i+1, word)
		case err == nil:
			for _, d := range days {
				w.slots = append(w.slots, slot{d, at})
			}
			days = nil
		case i > 0 && i == len(words)-1:
			if w.zone, err = time.LoadLocation(word); err != nil || ZoneProblem(word) != "" {
				return fail("word %d, %q, is not a day, an hour or a time zone", i+1, word)
			}
		default:
			return fail("word %d, %q, is neither a day nor an hour", i+1, word)
		}
	}
	switch {
	case len(days) > 0:
		return fail("the hour after %s is missing", days[len(days)-1])
	case len(w.slots) == 0 && len(words) > 0:
		return fail("it has no day")
	case len(w.slots) > maxSlots:
		return fail("%d deadlines a week, at most %d are possible", len(w.slots), maxSlots)
	}
	slices.SortFunc(w.slots, func(a, b slot) int { return int(a.since() - b.since()) })
	if len(w.slots) > 1 && w.shortest() < leastGap {
		return fail("two deadlines are less than an hour apart")
	}
	return w, nil
}

// ZoneProblem returns why a name is not a time zone of the IANA database; "" if it is one, or empty.
func ZoneProblem(name string) string {
	if _, err := time.LoadLocation(name); err != nil || strings.EqualFold(name, "local") {
		return fmt.Sprintf("%q is not a time zone", name)
	}
	return ""
}

// weekday reads "Tue", "Tues" or "Tuesday".
func weekday(word string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if full := d.String(); len(word) >= 3 && len(word) <= len(full) && strings.EqualFold(full[:len(word)], word) {
			return d, true
		}
	}
	return 0, false
}

// IsZero reports whether there are no times.
func (w Weekly) IsZero() bool { return len(w.slots) == 0 }

// String returns what ParseWeekly reads.
func (w Weekly) String() string { return w.text }

// Zone returns the time zone that the text names; nil for none.
func (w Weekly) Zone() *time.Location { return w.zone }

// Gap returns the shortest time between two of its times, ignoring summer time.
func (w Weekly) Gap() Span { return Span(w.shortest()) }

func (w Weekly) shortest() time.Duration {
	least := Week.Duration()
	for i, s := range w.slots {
		next := Week.Duration() + w.slots[0].since()
		if i+1 < len(w.slots) {
			next = w.slots[i+1].since()
		}
		least = min(least, next-s.since())
	}
	return least
}

// next returns the first of its times from t on that is not on a day off.
func (w Weekly) next(t time.Time, c Calendar, zone *time.Location) (time.Time, error) {
	first := dateOf(t.In(zone))
	for n := range date(maxSearch) {
		day := first + n
		if c.off(day) {
			continue
		}
		for _, s := range w.slots {
			if s.day != day.utc().Weekday() {
				continue
			}
			if m := moment(day, s.at.duration(), zone); !m.Before(t) {
				return m, nil
			}
		}
	}
	return time.Time{}, &CalendarError{
		Key: "schedule", Problem: fmt.Sprintf("no deadline is possible: from %s to %s the days of schedule = %q are all days off", first, first+maxSearch-1, w.text),
		Way: "name other days, or take weekends and holidays out of game.toml",
	}
}
