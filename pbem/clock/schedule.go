package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// DefaultChangeWindow is how long a captain may still change his mind after
// the last set of a turn came in, where the game does not say.
const DefaultChangeWindow = Span(30 * time.Minute)

// Schedule is the rhythm of one game. The zero Zone is UTC.
type Schedule struct {
	Every        Span           // from one deadline to the next; above zero
	ChangeWindow Span           // quiet time after the last set before an early turn
	Grace        Span           // given once a turn when orders are missing; zero for none
	Remind       []Span         // how long before the deadline reminders go out
	Zone         *time.Location // where "the same hour" is kept
}

// Validate reports everything that is wrong with the schedule, joined.
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
			all = append(all, fmt.Errorf("the reminder at %s stands twice", r))
		}
		seen[r] = true
	}
	return errors.Join(all...)
}

// Next is the deadline of a turn that begins at from. A schedule of whole days
// keeps the hour of the day in the schedule's zone, so a deadline at eight in
// the evening stays there when the clocks change; any other schedule counts
// elapsed time.
func (s Schedule) Next(from time.Time) time.Time {
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	local := from.In(zone)
	if s.Every > 0 && s.Every%Day == 0 {
		next := local.AddDate(0, 0, int(s.Every/Day))
		if next.After(from) {
			return next
		}
	}
	return local.Add(s.Every.Duration())
}

// reminders are the schedule's reminders, the one nearest the deadline first.
func (s Schedule) reminders() []Span {
	r := slices.Clone(s.Remind)
	slices.Sort(r)
	return r
}
