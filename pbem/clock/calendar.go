package clock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rickar/cal/v2"

	"starpost/orders"
)

// How a game treats weekends (Saturday and Sunday).
const (
	WeekendsCount = "count" // like other days
	WeekendsMove  = "move"  // a deadline on one moves past it
	WeekendsSkip  = "skip"  // ... and the days do not count towards the length of a turn
)

// Weekends returns the rules, for messages and completion.
func Weekends() []string { return []string{WeekendsCount, WeekendsMove, WeekendsSkip} }

// Limits of the days off that a game may list.
const (
	maxDates = 100 // entries
	maxRange = 366 // days in one of them
)

// Calendar knows the days off, on which no deadline falls. The zero Calendar has none.
type Calendar struct {
	weekends string
	nations  []*cal.Calendar
	own      []dates
}

// dates are the days from first to last.
type dates struct{ first, last date }

// CalendarError says what is wrong with a calendar, under which key of the settings, and the
// remedy.
type CalendarError struct{ Key, Problem, Way string }

func (e *CalendarError) Error() string { return e.Problem }

// Hint returns the remedy.
func (e *CalendarError) Hint() string { return e.Way }

// NewCalendar returns a calendar from a rule for weekends ("" is WeekendsCount), country codes
// ("DE"), and days: "2026-12-24", or a range as "2026-12-24..2027-01-01". A country's holiday is
// off on the day itself and on the day to which the country moves it. The error is a
// *CalendarError.
func NewCalendar(weekends string, countries, days []string) (Calendar, error) {
	c := Calendar{weekends: weekends}
	if weekends == "" {
		c.weekends = WeekendsCount
	}
	if !slices.Contains(Weekends(), c.weekends) {
		return Calendar{}, &CalendarError{
			Key: "weekends", Problem: fmt.Sprintf("weekends = %q is not known", weekends),
			Way: orders.DidYouMean("%q", weekends, Weekends(), "one of: "+strings.Join(Weekends(), ", ")),
		}
	}
	for i, code := range countries {
		if slices.ContainsFunc(countries[:i], func(o string) bool { return strings.EqualFold(o, code) }) {
			return Calendar{}, &CalendarError{Key: "holidays", Problem: fmt.Sprintf("the country %q is named twice", code), Way: "name it once"}
		}
		n, bad := nationOf(code)
		if bad != nil {
			return Calendar{}, bad
		}
		c.nations = append(c.nations, n)
	}
	if len(days) > maxDates {
		return Calendar{}, &CalendarError{
			Key: "holidays_dates", Problem: fmt.Sprintf("there are %d days, at most %d are possible", len(days), maxDates),
			Way: "take out what is past, and write days in a row as 2026-12-24..2027-01-01",
		}
	}
	for _, text := range days {
		r, bad := parseDates(text)
		if bad != nil {
			return Calendar{}, bad
		}
		c.own = append(c.own, r)
	}
	return c, nil
}

func parseDates(text string) (dates, *CalendarError) {
	from, to, isRange := strings.Cut(text, "..")
	first, ok := parseDate(from)
	last := first
	if isRange && ok {
		last, ok = parseDate(to)
	}
	bad := &CalendarError{Key: "holidays_dates", Way: `such as "2026-12-24", or "2026-12-24..2027-01-01" for days in a row`}
	switch {
	case !ok:
		bad.Problem = fmt.Sprintf("%q is not a day of the calendar", text)
	case last < first:
		bad.Problem = fmt.Sprintf("%q ends before it begins", text)
	case last-first >= maxRange:
		bad.Problem = fmt.Sprintf("%q is longer than a year", text)
	default:
		return dates{first, last}, nil
	}
	return dates{}, bad
}

// off reports whether a day is a day off.
func (c Calendar) off(d date) bool {
	day := d.utc()
	if c.weekends == WeekendsMove || c.weekends == WeekendsSkip {
		if cal.IsWeekend(day) {
			return true
		}
	}
	for _, r := range c.own {
		if r.first <= d && d <= r.last {
			return true
		}
	}
	for _, n := range c.nations {
		if actual, observed, _ := n.IsHoliday(day); actual || observed {
			return true
		}
	}
	return false
}

// maxSearch is the number of consecutive days off that is taken for a mistake.
const maxSearch = 400

// open returns the first day from d on that is not off.
func (c Calendar) open(d date) (date, error) {
	for n := range maxSearch {
		if !c.off(d + date(n)) {
			return d + date(n), nil
		}
	}
	return 0, &CalendarError{
		Key: "holidays_dates", Problem: fmt.Sprintf("no deadline is possible: every day from %s to %s is off", d, d+maxSearch-1),
		Way: "take days out of holidays_dates in game.toml",
	}
}
