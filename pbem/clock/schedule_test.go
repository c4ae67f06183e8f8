package clock

import (
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"
)

func berlin(t interface{ Fatal(...any) }) *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestNextDeadlineKeepsTheTimeOfDay(t *testing.T) {
	zone := berlin(t)
	for _, c := range []struct {
		name  string
		every Span
		from  time.Time
		want  time.Time
	}{
		{"an ordinary day", 2 * Day, time.Date(2026, 6, 1, 20, 0, 0, 0, zone), time.Date(2026, 6, 3, 20, 0, 0, 0, zone)},
		{"into summer time", 2 * Day, time.Date(2026, 3, 28, 20, 0, 0, 0, zone), time.Date(2026, 3, 30, 20, 0, 0, 0, zone)},
		{"out of summer time", Week, time.Date(2026, 10, 24, 20, 0, 0, 0, zone), time.Date(2026, 10, 31, 20, 0, 0, 0, zone)},
		{"hours are elapsed time", Span(36 * time.Hour), time.Date(2026, 3, 28, 20, 0, 0, 0, zone), time.Date(2026, 3, 30, 9, 0, 0, 0, zone)},
		{"a start given in another zone", Day, time.Date(2026, 3, 28, 19, 0, 0, 0, time.UTC), time.Date(2026, 3, 29, 20, 0, 0, 0, zone)},
	} {
		got, err := Schedule{Every: c.every, Zone: zone}.NextDeadline(c.from)
		if err != nil || !got.Equal(c.want) {
			t.Errorf("%s: next after %v is %v, want %v", c.name, c.from, got, c.want)
		}
	}
	from := time.Date(2026, 3, 28, 20, 0, 0, 0, zone)
	if got, err := (Schedule{Every: Day}).NextDeadline(from); err != nil || !got.Equal(from.Add(24*time.Hour)) {
		t.Errorf("without a zone: %v, %v", got, err)
	}
}

func TestNextDeadlineIsLater(t *testing.T) {
	zone := berlin(t)
	rapid.Check(t, func(t *rapid.T) {
		s := Schedule{
			Every: Span(rapid.Int64Range(1, int64(400*Day/Span(time.Minute))).Draw(t, "minutes")) * Span(time.Minute),
			Zone:  zone,
		}
		from := time.Unix(rapid.Int64Range(1.7e9, 2.2e9).Draw(t, "from"), 0)
		next, err := s.NextDeadline(from)
		if err != nil {
			t.Fatal(err)
		}
		off := next.Sub(from) - s.Every.Duration()
		if !next.After(from) || off.Abs() > time.Hour {
			t.Fatalf("every %s from %v gives %v", s.Every, from, next)
		}
	})
}

func TestValidate(t *testing.T) {
	good := Schedule{Every: 2 * Day, Grace: Day, Remind: []Span{Day, Span(time.Hour)}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := Schedule{Every: 0, ChangeWindow: -1, Grace: -1, Remind: []Span{0}}
	err := bad.Validate()
	for _, say := range []string{"between deadlines", "change window", "grace", "reminder"} {
		if err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("error %v does not name the %s", err, say)
		}
	}
	for _, remind := range [][]Span{{2 * Day}, {Day, Day}} {
		if err := (Schedule{Every: 2 * Day, Remind: remind}).Validate(); err == nil {
			t.Errorf("reminders %v are taken", remind)
		}
	}
}

func TestFitScheduleShortensGraceAndReminders(t *testing.T) {
	hours := func(n ...time.Duration) (out []Span) {
		for _, h := range n {
			out = append(out, Span(h))
		}
		return out
	}
	usual := hours(24*time.Hour, 4*time.Hour)
	for _, c := range []struct {
		every     Span
		grace     time.Duration
		remind    []Span
		wantGrace time.Duration
		want      []Span
	}{
		{3 * Day, 12 * time.Hour, usual, 12 * time.Hour, usual},
		{2 * Day, 12 * time.Hour, usual, 12 * time.Hour, usual},
		{Day, 12 * time.Hour, usual, 4 * time.Hour, hours(8*time.Hour, 80*time.Minute)},
		{Span(6 * time.Hour), 12 * time.Hour, usual, time.Hour, hours(2*time.Hour, 20*time.Minute)},
		{Span(10 * time.Minute), 12 * time.Hour, usual, 100 * time.Second, hours(200*time.Second, 33*time.Second)},
		{Span(time.Second), 12 * time.Hour, usual, 0, []Span{}},
		{Day, 12 * time.Hour, hours(6 * time.Hour), 12 * time.Hour, hours(6 * time.Hour)},
		{Span(6 * time.Hour), 6 * time.Hour, nil, 2 * time.Hour, []Span{}},
		{Day, 0, usual, 0, hours(8*time.Hour, 80*time.Minute)},
	} {
		grace, remind := FitSchedule(c.every, Span(c.grace), c.remind)
		if grace.Duration() != c.wantGrace || !slices.Equal(remind, c.want) {
			t.Errorf("turns of %s, grace %s, reminders %s: got %s, %s, want %s, %s", c.every, c.grace, c.remind, grace, remind, c.wantGrace, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.Custom(func(t *rapid.T) Span { return Span(rapid.Int64Range(1, int64(MaxSpan)).Draw(t, "span")) })
		s := Schedule{Every: span.Draw(t, "every"), Grace: span.Draw(t, "grace")}
		s.Grace, s.Remind = FitSchedule(s.Every, s.Grace, rapid.SliceOfNDistinct(span, 0, 5, func(s Span) Span { return s }).Draw(t, "remind"))
		if err := s.Validate(); err != nil || s.Grace >= s.Every {
			t.Fatalf("%+v: %v", s, err)
		}
		grace, remind := FitSchedule(s.Every, s.Grace, s.Remind)
		if grace != s.Grace || !slices.Equal(remind, s.Remind) {
			t.Fatalf("what fits is made shorter: %s %s to %s %s", s.Grace, s.Remind, grace, remind)
		}
	})
}
