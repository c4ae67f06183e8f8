package clock

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func weekly(t interface{ Fatal(...any) }, text string) Weekly {
	w, err := ParseWeekly(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// In 2026 summer time begins in Berlin on Sunday 29 March and ends on Sunday 25 October.
func TestDeadlinesByTheDaysOfTheWeek(t *testing.T) {
	zone := berlin(t)
	for _, c := range []struct {
		name, week string
		calendar   Calendar
		from, want string
	}{
		{"from one to the next", "Tue Fri 20:00", Calendar{}, "2026-05-05 20:00", "Fri 2026-05-08 20:00 CEST"},
		{"over the weekend", "tuesday,FRI 20:00", Calendar{}, "2026-05-08 20:03", "Tue 2026-05-12 20:00 CEST"},
		{"all orders were in early", "Tue Fri 20:00", Calendar{}, "2026-05-06 09:00", "Fri 2026-05-08 20:00 CEST"},
		{"... so early that a day is left", "Tue Fri 20:00", Calendar{}, "2026-05-07 20:59", "Fri 2026-05-08 20:00 CEST"},
		{"... and less than a day", "Tue Fri 20:00", Calendar{}, "2026-05-07 21:01", "Tue 2026-05-12 20:00 CEST"},
		{"several hours", "Mon Wed 19:30 Sat 12:00", Calendar{}, "2026-05-06 19:30", "Sat 2026-05-09 12:00 CEST"},
		{"once a week", "Sun 09:00", Calendar{}, "2026-05-03 09:00", "Sun 2026-05-10 09:00 CEST"},
		{"twice a day", "Mon 08:00 Mon 20:00", Calendar{}, "2026-05-04 08:00", "Mon 2026-05-04 20:00 CEST"},
		{"the same hour when summer time begins", "Sat Mon 20:00", Calendar{}, "2026-03-28 20:00", "Mon 2026-03-30 20:00 CEST"},
		{"... and when it ends", "Sat Mon 20:00", Calendar{}, "2026-10-24 20:00", "Mon 2026-10-26 20:00 CET"},
		{"an hour that is left out", "Sun 02:30", Calendar{}, "2026-03-25 12:00", "Sun 2026-03-29 03:00 CEST"},
		{"an hour that comes twice", "Sun 02:30", Calendar{}, "2026-10-22 12:00", "Sun 2026-10-25 02:30 CET"},
		{"a day off is passed over", "Tue Fri 20:00", calendar(t, "", []string{"DE"}), "2026-04-28 20:00", "Tue 2026-05-05 20:00 CEST"},
		{"... and a weekend", "Sat Mon 20:00", calendar(t, "move", nil), "2026-05-04 20:00", "Mon 2026-05-11 20:00 CEST"},
	} {
		w := weekly(t, c.week)
		s := Schedule{Every: w.Gap(), Weekly: w, Zone: zone, Calendar: c.calendar}
		from, err := time.ParseInLocation("2006-01-02 15:04", c.from, zone)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.NextDeadline(from)
		if text := got.Format("Mon 2006-01-02 15:04 MST"); err != nil || text != c.want {
			t.Errorf("%s: after %s comes %s, want %s (%v)", c.name, c.from, text, c.want, err)
		}
	}
}

// A captain who comes back has a day, and the resulting deadline is still one of the week's times.
func TestAbsencesKeepToTheDaysOfTheWeek(t *testing.T) {
	w := weekly(t, "Tue Fri 20:00")
	s := Schedule{Every: w.Gap(), Weekly: w, AwayMax: 14 * Day}
	day := func(d, h int) time.Time { return time.Date(2026, 5, d, h, 0, 0, 0, time.UTC) }
	got, err := s.NextDeadline(day(5, 20), Absence{day(6, 0), day(12, 0)})
	if err != nil || !got.Equal(day(15, 20)) {
		t.Errorf("%v, %v; want Friday the 15th", got, err)
	}
}

func TestWeeksThatCannotBe(t *testing.T) {
	for text, say := range map[string]string{
		"20:00":                        `word 1, "20:00", is an hour without a day before it`,
		"Tue Fri":                      "the hour after Friday is missing",
		"Tue 20:00 Fri":                "the hour after Friday is missing",
		"Tue Die 20:00":                `word 2, "Die", is neither a day nor an hour`,
		"Tue 8pm":                      `word 2, "8pm", is not a day, an hour or a time zone`,
		"Tue 24:00":                    `word 2, "24:00"`,
		"Tue 20:00 Europe/Berln":       `word 3, "Europe/Berln", is not a day, an hour or a time zone`,
		"Tue 20:00 Europe/Berlin 8:00": `word 3, "Europe/Berlin", is neither a day nor an hour`,
		"Tue 20:00 Local":              `word 3, "Local"`,
		"Tue 20:00 ../../etc/passwd":   `word 3`,
		"Europe/Berlin":                `word 1, "Europe/Berlin"`,
		"Tue 20:00 Tue 20:00":          "less than an hour apart",
		"Sat 23:40 Sun 00:10":          "less than an hour apart",
		strings.Repeat("Mon ", 200):    "longer than 400",
		"Mon Tue Wed Thu Fri Sat Sun 01:00 Mon Tue Wed Thu Fri Sat Sun 03:00 Mon Tue Wed Thu Fri Sat Sun 05:00 Mon Tue Wed Thu Fri Sat Sun 07:00 Mon 09:00": "at most 28",
	} {
		_, err := ParseWeekly(text)
		bad, ok := errors.AsType[*CalendarError](err)
		if !ok || bad.Key != "schedule" || !strings.Contains(bad.Problem, say) || bad.Way == "" {
			t.Errorf("%q: %v, want %q", text, err, say)
		}
	}
	s := Schedule{Every: Day, Weekly: weekly(t, "Sat Sun 20:00"), Calendar: calendar(t, "move", nil)}
	if _, err := s.NextDeadline(time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "are all days off") {
		t.Errorf("deadlines at weekends without weekends: %v", err)
	}
}

// A deadline is one of the week's times as clocks show it, leaves the promised time, and is the first that does.
func TestWeeklyLaws(t *testing.T) {
	zones := []*time.Location{time.UTC, berlin(t), place(t, "America/New_York"), place(t, "Australia/Lord_Howe")}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"Tue Fri 20:00", "Mon 12:00", "Mon Wed 19:30 Sat 12:00", "Sun 04:00 Sun 16:00"}).Draw(t, "week")
		w := weekly(t, text)
		s := Schedule{Every: w.Gap(), Weekly: w, Zone: rapid.SampledFrom(zones).Draw(t, "zone")}
		from := time.Unix(rapid.Int64Range(1e9, 2.2e9).Draw(t, "from"), 0)
		got, err := s.NextDeadline(from)
		if err != nil {
			t.Fatal(err)
		}
		on := false
		for _, o := range w.slots {
			on = on || got.Weekday() == o.day && sinceMidnight(got) == o.at.duration()
		}
		if left := got.Sub(from); !on || left < s.MinNotice()-s.slack() || left > Week.Duration()+s.MinNotice()+2*time.Hour {
			t.Fatalf("%s after %v: %v, %v left", text, from, got, left)
		}
	})
}
