package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// DefaultChangeWindow is how long captains may still change orders after the last set of a turn
// came in, if the game does not say.
const DefaultChangeWindow = Span(30 * time.Minute)

// Schedule is the rhythm of one game. The zero Zone is UTC.
type Schedule struct {
	Every        Span           // time between deadlines; above zero
	ChangeWindow Span           // quiet time after the last set before an early turn
	Grace        Span           // given once per turn if orders are missing; zero for none
	Remind       []Span         // how long before the deadline reminders are sent
	Zone         *time.Location // the zone in which "the same hour" is kept and days begin
	Calendar     Calendar       // days off
	At           TimeOfDay      // the time of day of all deadlines, if set
	Weekly       Weekly         // the times of the week for deadlines, if set: Every is then the shortest time between them
	AwayMax      Span           // how much absences may extend a turn
}

// Validate returns everything that is wrong with the schedule, joined.
func (s Schedule) Validate() error {
	var all []error
	if s.Every <= 0 {
		all = append(all, errors.New("the time between deadlines must be above zero, for example \"48h\""))
	}
	if s.ChangeWindow < 0 {
		all = append(all, errors.New("the change window must not be negative"))
	}
	if s.Grace < 0 {
		all = append(all, errors.New("the grace period must not be negative"))
	}
	seen := map[Span]bool{}
	for _, r := range s.Remind {
		switch {
		case r <= 0:
			all = append(all, fmt.Errorf("the reminder at %s must come before the deadline", r))
		case s.Every > 0 && r >= s.Every:
			all = append(all, fmt.Errorf("the reminder at %s before the deadline would go out before the turn begins (every %s)", r, s.Every))
		case seen[r]:
			all = append(all, fmt.Errorf("the reminder at %s is listed twice", r))
		}
		seen[r] = true
	}
	return errors.Join(all...)
}

// FitSchedule shortens grace and reminders that were meant for longer turns, so that they work in
// turns of any length. If one of them is as long as a turn or longer, all shrink in proportion, the
// longest to a third of a turn. They are rounded down to whole minutes, below ten minutes to
// seconds; a result of zero is left out.
func FitSchedule(every, grace Span, remind []Span) (Span, []Span) {
	longest := grace
	for _, r := range remind {
		longest = max(longest, r)
	}
	if every <= 0 || longest < every {
		return grace, remind
	}
	shrink := func(s Span) Span {
		d := time.Duration(float64(every) * (float64(s) / float64(longest)) / 3)
		if d < 10*time.Minute {
			return Span(d.Truncate(time.Second))
		}
		return Span(d.Truncate(time.Minute))
	}
	out := make([]Span, 0, len(remind))
	for _, r := range remind {
		if short := shrink(r); r <= 0 || short > 0 && !slices.Contains(out, short) {
			out = append(out, min(r, short)) // Validate refuses invalid reminders
		}
	}
	if grace > 0 {
		grace = shrink(grace)
	}
	return grace, out
}

// Absence is a time in which a captain does not answer.
type Absence struct{ From, To time.Time }

// slack is how much shorter than its length a turn may be if deadlines have a fixed hour. Otherwise
// a turn that was resolved a little after that hour would wait for the same hour a day later.
func (s Schedule) slack() time.Duration { return min(time.Hour, s.Every.Duration()/4) }

// MinNotice is the least time for a captain who comes back, or who was told that the game goes on.
func (s Schedule) MinNotice() time.Duration { return min(s.Every, Day).Duration() }

// NextDeadline returns the deadline of a turn that begins at from, given the absences of the
// captains who play in it.
//
// A length of whole days keeps the hour of the day in the schedule's zone, so a deadline at eight
// in the evening stays there when the clocks change; any other length counts elapsed time. If
// weekends are skipped, days off do not count: a turn that begins on one counts from the next day
// that does. A fixed hour (At) moves it to the first such hour after that. Finally, a deadline on a
// day off moves to the same hour of the next day that is not off.
//
// With times of the week the length does not count: the deadline is the first of them, on no day
// off, that leaves a day, or the shortest time between two of them if that is less, give or take an
// hour.
//
// A deadline during an absence, or less than a day after it (less than the length, for shorter
// turns), moves to a day after it, but by no more than AwayMax in total.
//
// The error is a *CalendarError: there is no possible day for a deadline.
func (s Schedule) NextDeadline(from time.Time, away ...Absence) (time.Time, error) {
	t, err := s.full(from)
	if err != nil {
		return time.Time{}, err
	}
	switch {
	case !s.Weekly.IsZero():
		t = from.Add(s.MinNotice() - s.slack())
	case !s.At.IsZero():
		t = t.Add(-s.slack())
	}
	if t, err = s.NextAllowed(t); err != nil || s.AwayMax <= 0 {
		return t, err
	}
	last := t.Add(s.AwayMax.Duration())
	for range len(away) { // a deadline that only moves forward meets each absence at most once
		moved, err := s.behind(from, t, last, away)
		if err != nil || moved.Equal(t) {
			return t, err
		}
		t = moved
	}
	return t, nil
}

// behind moves a deadline past the absences that it meets, not beyond last except for days off.
func (s Schedule) behind(from, t, last time.Time, away []Absence) (time.Time, error) {
	want := t
	for _, a := range away {
		if a.From.Before(want) && a.To.After(from) {
			if back := a.To.Add(s.MinNotice()); back.After(want) {
				want = back
			}
		}
	}
	if !want.After(t) {
		return t, nil
	}
	if want.After(last) {
		want = last
	}
	if s.At.IsZero() && s.Weekly.IsZero() && s.Every%Day == 0 {
		want = s.hourFrom(want, sinceMidnight(t.In(s.zone())))
	}
	return s.NextAllowed(want)
}

// NextAllowed returns the first time from t on at which a deadline may fall: at the schedule's
// hour, or one of its times of the week, if set, and not on a day off.
func (s Schedule) NextAllowed(t time.Time) (time.Time, error) {
	t = t.In(s.zone())
	if !s.Weekly.IsZero() {
		return s.Weekly.next(t, s.Calendar, s.zone())
	}
	hour := sinceMidnight(t)
	if !s.At.IsZero() {
		hour = s.At.duration()
		t = s.hourFrom(t, hour)
	}
	// If a whole day is skipped, the moment of a day may be in the next one.
	for day := dateOf(t); ; day = dateOf(t) {
		open, err := s.Calendar.open(day)
		if err != nil || open == day {
			return t, err
		}
		t = moment(open, hour, s.zone())
	}
}

// hourFrom returns the first moment from t on with that time of day.
func (s Schedule) hourFrom(t time.Time, hour time.Duration) time.Time {
	day := dateOf(t.In(s.zone()))
	for m := moment(day, hour, s.zone()); ; m = moment(day, hour, s.zone()) {
		if !m.Before(t) {
			return m
		}
		day++
	}
}

// full returns when the full length of a turn that begins at from is over.
func (s Schedule) full(from time.Time) (time.Time, error) {
	local := from.In(s.zone())
	skip := s.Calendar.weekends == WeekendsSkip
	if s.Every <= 0 || s.Every%Day != 0 {
		if skip {
			return s.counted(local)
		}
		return local.Add(s.Every.Duration()), nil
	}
	day, hour := dateOf(local), sinceMidnight(local)
	if !skip {
		day += date(s.Every / Day)
	} else {
		first, err := s.Calendar.open(day)
		if err != nil {
			return time.Time{}, err
		}
		if first != day && !s.At.IsZero() {
			hour = 0 // all of that day counts, and the hour is added later
		}
		day = first
		for range int(s.Every / Day) {
			if day, err = s.Calendar.open(day + 1); err != nil {
				return time.Time{}, err
			}
		}
	}
	if t := moment(day, hour, s.zone()); t.After(from) {
		return t, nil
	}
	return local.Add(s.Every.Duration()), nil // a day was skipped in the calendar
}

// counted adds the length to from, without counting days off.
func (s Schedule) counted(from time.Time) (time.Time, error) {
	left := s.Every.Duration()
	for {
		today := dateOf(from)
		open, err := s.Calendar.open(today)
		if err != nil {
			return time.Time{}, err
		}
		if open != today {
			from = moment(open, 0, s.zone())
			today = dateOf(from)
		}
		ends := moment(today+1, 0, s.zone())
		if d := ends.Sub(from); d < left {
			left -= d
			from = ends
			continue
		}
		return from.Add(left), nil
	}
}

func (s Schedule) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// reminders returns the schedule's reminders, the one nearest the deadline first.
func (s Schedule) reminders() []Span {
	r := slices.Clone(s.Remind)
	slices.Sort(r)
	return r
}

// IsOff reports whether a time is on a day off.
func (s Schedule) IsOff(t time.Time) bool { return s.Calendar.off(dateOf(t.In(s.zone()))) }
