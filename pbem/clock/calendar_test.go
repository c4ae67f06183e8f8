package clock

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func place(t interface{ Fatal(...any) }, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func calendar(t interface{ Fatal(...any) }, weekends string, countries []string, days ...string) Calendar {
	c, err := NewCalendar(weekends, countries, days)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hour(t interface{ Fatal(...any) }, text string) TimeOfDay {
	h, err := ParseTimeOfDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Edge cases of summer time: an hour that is skipped, one that occurs twice, half an hour of it, a
// midnight that is skipped, a whole day that is.
func TestParseLocal(t *testing.T) {
	for _, c := range []struct{ zone, wall, want string }{
		{"Europe/Berlin", "2026-03-28 02:30", "2026-03-28T02:30:00+01:00"},
		{"Europe/Berlin", "2026-03-29 01:59", "2026-03-29T01:59:00+01:00"},
		{"Europe/Berlin", "2026-03-29 02:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-03-29 02:30", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-03-29 03:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-10-25 01:59", "2026-10-25T01:59:00+02:00"},
		{"Europe/Berlin", "2026-10-25 02:30", "2026-10-25T02:30:00+01:00"},
		{"Europe/Berlin", "2026-10-25 03:00", "2026-10-25T03:00:00+01:00"},
		{"Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-05T01:45:00+10:30"},
		{"Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-04T02:30:00+11:00"},
		{"America/Sao_Paulo", "2018-11-04 00:15", "2018-11-04T01:00:00-02:00"},
		{"Pacific/Apia", "2011-12-30 12:00", "2011-12-31T00:00:00+14:00"},
		{"Asia/Kathmandu", "2026-01-01 00:00", "2026-01-01T00:00:00+05:45"},
		{"UTC", "2026-01-01 23:59", "2026-01-01T23:59:00Z"},
	} {
		wall, err := time.Parse("2006-01-02 15:04", c.wall)
		if err != nil {
			t.Fatal(err)
		}
		got := moment(dateOf(wall), sinceMidnight(wall), place(t, c.zone)).Format(time.RFC3339)
		if got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.wall, c.zone, got, c.want)
		}
	}
	zone := time.FixedZone("nowhere", 50*3600)
	if got := moment(0, time.Hour, zone); got.In(time.UTC).Hour() != 1 && sinceMidnight(got) != time.Hour {
		t.Errorf("in a zone that cannot be: %v", got)
	}
}

// moment returns what the clocks show, if they show it at all, and the moments of a day are in
// order.
func TestParseLocalLaws(t *testing.T) {
	zones := []*time.Location{
		time.UTC, place(t, "Europe/Berlin"), place(t, "America/New_York"), place(t, "Australia/Lord_Howe"),
		place(t, "America/Sao_Paulo"), place(t, "Pacific/Apia"), place(t, "Africa/Casablanca"), place(t, "Asia/Tehran"),
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		m := time.Unix(rapid.Int64Range(1e9, 2.2e9).Draw(t, "moment"), 0).In(zone)
		got := moment(dateOf(m), sinceMidnight(m), zone)
		if sinceMidnight(got) != sinceMidnight(m) || dateOf(got) != dateOf(m) || got.Before(m) || got.Sub(m) > 2*time.Hour {
			t.Fatalf("%v comes back as %v", m, got)
		}
		day := date(rapid.IntRange(11000, 25000).Draw(t, "day"))
		a, b := rapid.IntRange(0, 1439).Draw(t, "a"), rapid.IntRange(0, 1439).Draw(t, "b")
		early, late := moment(day, time.Duration(min(a, b))*time.Minute, zone), moment(day, time.Duration(max(a, b))*time.Minute, zone)
		// Of two times on one day the later may come first only if one of them is in an hour that
		// occurs twice.
		if early.After(late.Add(2 * time.Hour)) {
			t.Fatalf("%v after %v", early, late)
		}
	})
}

func TestHolidays(t *testing.T) {
	for _, c := range []struct {
		country string
		day     string
		off     bool
	}{
		{"DE", "2026-10-03", true},
		{"DE", "2026-04-03", true},  // Good Friday
		{"DE", "2026-05-14", true},  // Ascension
		{"DE", "2026-01-06", false}, // only in some parts
		{"US", "2026-07-03", true},  // the fourth is a Saturday
		{"US", "2026-07-04", true},
		{"US", "2026-11-26", true},
		{"US", "2021-12-31", true}, // New Year of the next year, observed
		{"GB", "2026-12-28", true}, // Boxing Day is a Saturday
		{"GB", "2026-10-03", false},
		{"SE", "2026-12-24", false}, // an eve
		{"JP", "2026-05-05", true},
	} {
		d, ok := parseDate(c.day)
		if !ok {
			t.Fatal(c.day)
		}
		if got := calendar(t, "", []string{strings.ToLower(c.country)}).off(d); got != c.off {
			t.Errorf("%s in %s: off is %v", c.day, c.country, got)
		}
	}
	for _, code := range countries() {
		c, n := calendar(t, "", []string{code}), 0
		for d := dateOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)); d.utc().Year() == 2026; d++ {
			if c.off(d) {
				n++
			}
		}
		if n < 5 || n > 30 {
			t.Errorf("%s has %d holidays in 2026", code, n)
		}
	}
}

func TestNewCalendarErrors(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = "2026-01-01"
	}
	for _, c := range []struct {
		weekends        string
		countries, days []string
		key, say        string
	}{
		{"skipp", nil, nil, "weekends", `did you mean "skip"`},
		{"never", nil, nil, "weekends", "one of: count, move, skip"},
		{"", []string{"UK"}, nil, "holidays", `"GB" (United Kingdom)`},
		{"", []string{"germany"}, nil, "holidays", `"DE" (Germany)`},
		{"", []string{"ED"}, nil, "holidays", `"DE" (Germany)`},
		{"", []string{"XX"}, nil, "holidays", "use one of: AT, BE"},
		{"", []string{"DE", "de"}, nil, "holidays", "name it once"},
		{"", nil, []string{"24.12.2026"}, "holidays_dates", `such as "2026-12-24"`},
		{"", nil, []string{"2026-02-30"}, "holidays_dates", "such as"},
		{"", nil, []string{"2026-12-24.."}, "holidays_dates", "such as"},
		{"", nil, []string{"2026-12-24..2026-12-23"}, "holidays_dates", "such as"},
		{"", nil, []string{"2026-01-01..2027-01-02"}, "holidays_dates", "such as"},
		{"", nil, many, "holidays_dates", "take out what is past"},
	} {
		_, err := NewCalendar(c.weekends, c.countries, c.days)
		bad, ok := errors.AsType[*CalendarError](err)
		if !ok || bad.Key != c.key || !strings.Contains(bad.Hint(), c.say) || bad.Problem == "" {
			t.Errorf("%+v: %+v", c, err)
		}
	}
}

func TestParseTimeOfDay(t *testing.T) {
	for _, text := range []string{"20", "20:0", "8:00", "24:00", "20:60", "20:00:00", " 20:00", "x"} {
		if h, err := ParseTimeOfDay(text); err == nil {
			t.Errorf("%q is read as %s", text, h)
		}
	}
	for _, text := range []string{"", "00:00", "09:30", "23:59"} {
		if h, err := ParseTimeOfDay(text); err != nil || h.String() != text || h.IsZero() != (text == "") {
			t.Errorf("%q is read as %q, %v", text, h, err)
		}
	}
}

// In May 2026, the 1st is a Friday and the 14th a Thursday; both are holidays in Germany.
func TestNextDeadlineFollowsTheCalendar(t *testing.T) {
	zone := berlin(t)
	german := []string{"DE"}
	for _, c := range []struct {
		name     string
		every    Span
		at       string
		calendar Calendar
		from     string
		want     string
	}{
		{"a weekend counts", 3 * Day, "", Calendar{}, "2026-05-06 20:00", "2026-05-09 20:00"},
		{"a deadline moves off Saturday", 3 * Day, "", calendar(t, "move", nil), "2026-05-06 20:00", "2026-05-11 20:00"},
		{"a deadline moves off Sunday", 3 * Day, "", calendar(t, "move", nil), "2026-05-07 20:00", "2026-05-11 20:00"},
		{"... but over a weekend it counts", 3 * Day, "", calendar(t, "move", nil), "2026-05-08 20:00", "2026-05-11 20:00"},
		{"weekends are skipped", 3 * Day, "", calendar(t, "skip", nil), "2026-05-08 20:00", "2026-05-13 20:00"},
		{"... and holidays with them", 3 * Day, "", calendar(t, "skip", german), "2026-05-11 20:00", "2026-05-15 20:00"},
		{"a turn begun on a Saturday", 3 * Day, "", calendar(t, "skip", nil), "2026-05-09 10:00", "2026-05-14 10:00"},
		{"... with an hour of deadlines", 3 * Day, "20:00", calendar(t, "skip", nil), "2026-05-09 10:00", "2026-05-14 20:00"},
		{"a holiday moves, weekends or not", 2 * Day, "", calendar(t, "", german), "2026-05-12 20:00", "2026-05-15 20:00"},
		{"a holiday before a weekend", Day, "", calendar(t, "move", german), "2026-04-30 20:00", "2026-05-04 20:00"},
		{"own days", Day, "", calendar(t, "move", nil, "2026-05-11", "2026-05-12..2026-05-15"), "2026-05-08 20:00", "2026-05-18 20:00"},
		{"hours skip a weekend", Span(36 * time.Hour), "", calendar(t, "skip", nil), "2026-05-08 20:00", "2026-05-12 08:00"},
		{"hours that end with Friday", Span(4 * time.Hour), "", calendar(t, "skip", nil), "2026-05-08 20:00", "2026-05-09 00:00 -> 2026-05-11 00:00"},
		{"hours from a Sunday", Span(6 * time.Hour), "", calendar(t, "skip", nil), "2026-05-10 20:00", "2026-05-11 06:00"},
		{"an hour of deadlines", 3 * Day, "20:00", Calendar{}, "2026-05-05 14:37", "2026-05-08 20:00"},
		{"... a turn that was resolved with some delay", 3 * Day, "20:00", Calendar{}, "2026-05-05 20:59", "2026-05-08 20:00"},
		{"... and with much", 3 * Day, "20:00", Calendar{}, "2026-05-05 21:01", "2026-05-09 20:00"},
		{"... and with a weekend", 3 * Day, "20:00", calendar(t, "move", nil), "2026-05-05 21:01", "2026-05-11 20:00"},
		{"... of a short turn", Span(2 * time.Hour), "20:00", Calendar{}, "2026-05-05 18:30", "2026-05-05 20:00"},
		{"... of a shorter one", Span(time.Hour), "20:00", Calendar{}, "2026-05-05 19:16", "2026-05-06 20:00"},
		{"an hour that is left out", Day, "02:30", Calendar{}, "2026-03-28 02:30", "2026-03-29 03:00"},
		{"... does not stay so", Day, "02:30", Calendar{}, "2026-03-29 03:00", "2026-03-30 02:30"},
		{"an hour that comes twice", Day, "", Calendar{}, "2026-10-24 02:30", "2026-10-25 02:30 CET"},
	} {
		s := Schedule{Every: c.every, Zone: zone, Calendar: c.calendar, At: hour(t, c.at)}
		from, err := time.ParseInLocation("2006-01-02 15:04", c.from, zone)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.NextDeadline(from)
		want := c.want
		if _, later, ok := strings.Cut(want, " -> "); ok {
			want = later
		}
		text := got.Format("2006-01-02 15:04")
		if strings.HasSuffix(want, "CET") {
			text = got.Format("2006-01-02 15:04 MST")
		}
		if err != nil || text != want {
			t.Errorf("%s: %s after %s is %s, want %s (%v)", c.name, c.every, c.from, text, want, err)
		}
	}
}

func TestCalendarWithoutWorkingDaysIsRefused(t *testing.T) {
	var days []string
	for year := 2026; year < 2030; year++ {
		days = append(days, fmt.Sprintf("%d-01-01..%d-12-31", year, year))
	}
	s := Schedule{Every: 3 * Day, Calendar: calendar(t, "move", nil, days...)}
	for _, c := range []Schedule{s, {Every: 3 * Day, Calendar: calendar(t, "skip", nil, days...)}, {Every: Span(time.Hour), Calendar: calendar(t, "skip", nil, days...)}} {
		_, err := c.NextDeadline(time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC))
		bad, ok := errors.AsType[*CalendarError](err)
		if !ok || !strings.Contains(bad.Error(), "no deadline is possible: every day from 2026-03-0") || bad.Hint() == "" {
			t.Errorf("error %v", err)
		}
	}
	if got, err := s.NextDeadline(time.Date(2029, 6, 1, 20, 0, 0, 0, time.UTC)); err != nil || got.Format(time.DateOnly) != "2030-01-01" {
		t.Errorf("%v, %v", got, err)
	}
	// A grace period ends anyway.
	s.Grace = Day
	if d := s.Decide(Status{Now: deadline, Deadline: deadline}); d.Action != Grace || !d.Until.Equal(deadline.Add(24*time.Hour)) {
		t.Errorf("%+v", d)
	}
}

// A grace period over a weekend ends at the same hour of Monday.
func TestGraceEndsOnAWorkingDay(t *testing.T) {
	friday := time.Date(2026, 5, 8, 20, 0, 0, 0, time.UTC)
	s := Schedule{Every: 3 * Day, Grace: Span(12 * time.Hour), Calendar: calendar(t, "move", nil)}
	if d := s.Decide(Status{Now: friday, Deadline: friday}); !d.Until.Equal(time.Date(2026, 5, 11, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", d)
	}
}

func TestAbsences(t *testing.T) {
	zone := berlin(t)
	day := func(text string) time.Time {
		d, ok := parseDate(text)
		if !ok {
			t.Fatal(text)
		}
		return moment(d, 0, zone)
	}
	away := func(from, to string) Absence { return Absence{From: day(from), To: day(to)} }
	from := time.Date(2026, 5, 4, 20, 0, 0, 0, zone) // a Monday
	for _, c := range []struct {
		name  string
		every Span
		at    string
		most  Span
		away  []Absence
		want  string
	}{
		{"none", 3 * Day, "", Week, nil, "2026-05-07 20:00"},
		{"over before the deadline, with a day to spare", 3 * Day, "", Week, []Absence{away("2026-05-05", "2026-05-06")}, "2026-05-07 20:00"},
		{"over just before the deadline", 3 * Day, "", Week, []Absence{away("2026-05-05", "2026-05-07")}, "2026-05-08 20:00"},
		{"over the deadline", 3 * Day, "", Week, []Absence{away("2026-05-06", "2026-05-10")}, "2026-05-11 20:00"},
		{"not yet", 3 * Day, "", Week, []Absence{away("2026-05-08", "2026-05-10")}, "2026-05-07 20:00"},
		{"past", 3 * Day, "", Week, []Absence{away("2026-04-01", "2026-05-04")}, "2026-05-07 20:00"},
		{"two that join", 3 * Day, "", Week, []Absence{away("2026-05-11", "2026-05-13"), away("2026-05-06", "2026-05-10")}, "2026-05-14 20:00"},
		{"longer than is allowed", 3 * Day, "", Span(48 * time.Hour), []Absence{away("2026-05-06", "2026-05-30")}, "2026-05-09 20:00"},
		{"none are regarded", 3 * Day, "", 0, []Absence{away("2026-05-06", "2026-05-10")}, "2026-05-07 20:00"},
		{"with an hour of deadlines", 3 * Day, "18:00", Week, []Absence{away("2026-05-06", "2026-05-10")}, "2026-05-11 18:00"},
		{"a short turn", Span(6 * time.Hour), "", Week, []Absence{away("2026-05-05", "2026-05-07")}, "2026-05-07 06:00"},
	} {
		s := Schedule{Every: c.every, Zone: zone, At: hour(t, c.at), AwayMax: c.most}
		if got, err := s.NextDeadline(from, c.away...); err != nil || got.Format("2006-01-02 15:04") != c.want {
			t.Errorf("%s: %v, want %s (%v)", c.name, got, c.want, err)
		}
	}
	s := Schedule{Every: 3 * Day, Zone: zone, AwayMax: Week, Calendar: calendar(t, "move", nil)}
	if got, err := s.NextDeadline(from, away("2026-05-06", "2026-05-08")); err != nil || got.Format("2006-01-02 15:04") != "2026-05-11 20:00" {
		t.Errorf("an absence before a weekend: %v, %v", got, err)
	}
}

func TestNextDeadlineLaws(t *testing.T) {
	zones := []*time.Location{time.UTC, berlin(t), place(t, "America/New_York"), place(t, "Australia/Lord_Howe"), place(t, "Pacific/Auckland")}
	rapid.Check(t, func(t *rapid.T) {
		s := Schedule{Zone: rapid.SampledFrom(zones).Draw(t, "zone"), AwayMax: Span(rapid.Int64Range(0, 20).Draw(t, "away max")) * Day}
		if rapid.Bool().Draw(t, "whole days") {
			s.Every = Span(rapid.Int64Range(1, 30).Draw(t, "days")) * Day
		} else {
			s.Every = Span(rapid.Int64Range(1, 40*24*60).Draw(t, "minutes")) * Span(time.Minute)
		}
		if rapid.Bool().Draw(t, "an hour") {
			s.At = TimeOfDay{minutes: rapid.IntRange(0, 1439).Draw(t, "at"), set: true}
		}
		weekends := rapid.SampledFrom(Weekends()).Draw(t, "weekends")
		countries := rapid.SliceOfNDistinct(rapid.SampledFrom(countries()), 0, 2, rapid.ID).Draw(t, "countries")
		var days []string
		for range rapid.IntRange(0, 5).Draw(t, "own days") {
			first := date(rapid.IntRange(20000, 21000).Draw(t, "first"))
			days = append(days, fmt.Sprintf("%s..%s", first, first+date(rapid.IntRange(0, 30).Draw(t, "days in a row"))))
		}
		s.Calendar = calendar(t, weekends, countries, days...)
		from := time.Unix(int64(rapid.IntRange(20000, 21000).Draw(t, "day"))*86400+rapid.Int64Range(0, 86399).Draw(t, "second"), 0)
		var away []Absence
		for range rapid.IntRange(0, 4).Draw(t, "absences") {
			begins := from.Add(time.Duration(rapid.IntRange(-200, 1000).Draw(t, "from")) * time.Hour)
			away = append(away, Absence{From: begins, To: begins.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "hours")) * time.Hour)})
		}
		plain, err := s.NextDeadline(from)
		if err != nil {
			t.Fatal(err)
		}
		next, err := s.NextDeadline(from, away...)
		if err != nil {
			t.Fatal(err)
		}
		// No one has less than the length of a turn, except for summer time and the slack of a
		// fixed hour.
		least := s.Every.Duration() - time.Hour
		if !s.At.IsZero() {
			least -= s.slack()
		}
		if !plain.After(from) || plain.Sub(from) < least || next.Before(plain) {
			t.Fatalf("every %s from %v: %v, with absences %v", s.Every, from, plain, next)
		}
		if s.Calendar.off(dateOf(next.In(s.Zone))) {
			t.Fatalf("%v is a day off", next)
		}
		if !s.At.IsZero() && !next.Equal(moment(dateOf(next), s.At.duration(), s.Zone)) {
			t.Fatalf("%v is not at %s", next, s.At)
		}
		if again, err := s.NextAllowed(next); err != nil || !again.Equal(next) {
			t.Fatalf("%v does not stay but moves to %v, %v", next, again, err)
		}
		// A turn that begins later does not end earlier, compared by day and, with a fixed hour, by
		// hour.
		later, err := s.NextDeadline(from.Add(2*time.Hour + time.Duration(rapid.IntRange(0, 1000).Draw(t, "later"))*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if dateOf(later) < dateOf(plain) || !s.At.IsZero() && later.Before(plain) {
			t.Fatalf("from %v until %v, but begun later until %v", from, plain, later)
		}
	})
}
