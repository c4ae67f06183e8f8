package clock

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var deadline = time.Date(2026, 5, 10, 20, 0, 0, 0, time.UTC)

// before returns a time before the deadline, given in hours and minutes.
func before(hours, minutes int) time.Time {
	return deadline.Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute)
}

var week = Schedule{
	Every:        7 * Day,
	ChangeWindow: DefaultChangeWindow,
	Grace:        Day,
	Remind:       []Span{Day, Span(6 * time.Hour)},
}

func TestDecide(t *testing.T) {
	day, six := Day, Span(6*time.Hour)
	graceEnd := deadline.Add(24 * time.Hour)
	noGrace := week
	noGrace.Grace = 0
	for _, c := range []struct {
		name     string
		schedule Schedule
		status   Status
		want     Decision // Reason is not compared
	}{
		{
			"all in and final",
			week,
			Status{Now: before(50, 0), AllIn: true, AllFinal: true, LastSet: before(50, 0)},
			Decision{Action: Resolve},
		}, {
			"all in, the window open",
			week,
			Status{Now: before(50, 0), AllIn: true, LastSet: before(50, 10)},
			Decision{Action: Wait, Until: before(49, 40)},
		}, {
			"all in, the window over to the second",
			week,
			Status{Now: before(49, 40), AllIn: true, LastSet: before(50, 10)},
			Decision{Action: Resolve},
		}, {
			"all in, no sets were needed",
			week,
			Status{Now: before(50, 0), AllIn: true},
			Decision{Action: Resolve},
		}, {
			"all in, the window would end after the deadline",
			week,
			Status{Now: before(0, 5), AllIn: true, LastSet: before(0, 10)},
			Decision{Action: Wait, Until: deadline},
		}, {
			"all in at the deadline, the window open",
			week,
			Status{Now: deadline, AllIn: true, LastSet: before(0, 10)},
			Decision{Action: Resolve},
		}, {
			"all in, the window over, one waits",
			week,
			Status{Now: before(3, 0), AllIn: true, Wait: true, LastSet: before(50, 0)},
			Decision{Action: Wait, Until: deadline},
		}, {
			"all final, one waits all the same",
			week,
			Status{Now: before(3, 0), AllIn: true, AllFinal: true, Wait: true, LastSet: before(50, 0)},
			Decision{Action: Wait, Until: deadline},
		}, {
			"who waited, at the deadline",
			week,
			Status{Now: deadline, AllIn: true, Wait: true, LastSet: before(50, 0)},
			Decision{Action: Resolve},
		}, {
			"missing, long before",
			week,
			Status{Now: before(50, 0)},
			Decision{Action: Wait, Until: before(24, 0)},
		}, {
			"missing, the first reminder",
			week,
			Status{Now: before(24, 0)},
			Decision{Action: Remind, Reminder: day, Until: before(6, 0)},
		}, {
			"missing, the first reminder went out",
			week,
			Status{Now: before(23, 0), Reminded: []Span{day}},
			Decision{Action: Wait, Until: before(6, 0)},
		}, {
			"missing, the second reminder",
			week,
			Status{Now: before(6, 0), Reminded: []Span{day}},
			Decision{Action: Remind, Reminder: six, Until: deadline},
		}, {
			"missing, both reminders overdue: only the nearer one",
			week,
			Status{Now: before(2, 0)},
			Decision{Action: Remind, Reminder: six, Until: deadline},
		}, {
			"missing, the nearer one went out alone",
			week,
			Status{Now: before(2, 0), Reminded: []Span{six}},
			Decision{Action: Wait, Until: deadline},
		}, {
			"missing at the deadline: grace",
			week,
			Status{Now: deadline},
			Decision{Action: Grace, Until: graceEnd},
		}, {
			"missing in the grace period",
			week,
			Status{Now: deadline.Add(time.Hour), GraceEnds: graceEnd},
			Decision{Action: Wait, Until: graceEnd},
		}, {
			"the last set comes in the grace period",
			week,
			Status{Now: deadline.Add(time.Hour), GraceEnds: graceEnd, AllIn: true, LastSet: deadline.Add(time.Hour)},
			Decision{Action: Wait, Until: deadline.Add(90 * time.Minute)},
		}, {
			"... and someone waits, which means the deadline that is past",
			week,
			Status{Now: deadline.Add(90 * time.Minute), GraceEnds: graceEnd, AllIn: true, Wait: true, LastSet: deadline.Add(time.Hour)},
			Decision{Action: Resolve},
		}, {
			"... just before the end of the grace period",
			week,
			Status{Now: graceEnd.Add(-time.Minute), GraceEnds: graceEnd, AllIn: true, LastSet: graceEnd.Add(-time.Minute)},
			Decision{Action: Wait, Until: graceEnd},
		}, {
			"missing after the grace period: standing orders unless the game says otherwise",
			week,
			Status{Now: graceEnd, GraceEnds: graceEnd},
			Decision{Action: Resolve, Missing: Standing},
		}, {
			"missing after the grace period: standing",
			week,
			Status{Now: graceEnd, GraceEnds: graceEnd, Missing: Standing},
			Decision{Action: Resolve, Missing: Standing},
		}, {
			"missing after the grace period: forfeit",
			week,
			Status{Now: graceEnd, GraceEnds: graceEnd, Missing: Forfeit},
			Decision{Action: Resolve, Missing: Forfeit},
		}, {
			"missing after the grace period: hold",
			week,
			Status{Now: graceEnd, GraceEnds: graceEnd, Missing: Hold},
			Decision{Action: Halt},
		}, {
			"held, then all in",
			week,
			Status{Now: graceEnd.Add(72 * time.Hour), GraceEnds: graceEnd, Missing: Hold, AllIn: true, LastSet: graceEnd.Add(72 * time.Hour)},
			Decision{Action: Resolve},
		}, {
			"a look so late that the grace period would be over: it is counted from the look",
			week,
			Status{Now: graceEnd.Add(time.Hour)},
			Decision{Action: Grace, Until: graceEnd.Add(25 * time.Hour)},
		}, {
			"a look that is a little late does not move the end",
			week,
			Status{Now: deadline.Add(9 * time.Minute)},
			Decision{Action: Grace, Until: graceEnd},
		}, {
			"extended beyond the grace period",
			week,
			Status{Now: graceEnd.Add(-time.Minute), Deadline: graceEnd.Add(30 * time.Hour), GraceEnds: graceEnd},
			Decision{Action: Wait, Until: graceEnd.Add(6 * time.Hour)},
		}, {
			"... it is not given again",
			week,
			Status{Now: graceEnd.Add(30 * time.Hour), Deadline: graceEnd.Add(30 * time.Hour), GraceEnds: graceEnd},
			Decision{Action: Resolve, Missing: Standing},
		}, {
			"paused: nothing, though all is in and late",
			week,
			Status{Now: graceEnd.Add(time.Hour), AllIn: true, AllFinal: true, Paused: true},
			Decision{Action: Wait},
		}, {
			"paused for a time",
			week,
			Status{Now: graceEnd, AllIn: true, Paused: true, PauseEnds: graceEnd.Add(time.Hour)},
			Decision{Action: Wait, Until: graceEnd.Add(time.Hour)},
		}, {
			"the pause is over",
			week,
			Status{Now: graceEnd, Paused: true, PauseEnds: graceEnd},
			Decision{Action: Resume},
		}, {
			"no grace in the schedule",
			noGrace,
			Status{Now: deadline, Missing: Forfeit},
			Decision{Action: Resolve, Missing: Forfeit},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.status.Deadline.IsZero() {
				c.status.Deadline = deadline
			}
			got := c.schedule.Decide(c.status)
			if got.Reason == "" {
				t.Error("no reason is given")
			}
			got.Reason = ""
			if !got.Until.Equal(c.want.Until) {
				t.Errorf("until %v, want %v", got.Until, c.want.Until)
			}
			got.Until, c.want.Until = time.Time{}, time.Time{}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func drawSchedule(t *rapid.T) Schedule {
	hours := func(name string, least, most int64) Span {
		return Span(rapid.Int64Range(least, most).Draw(t, name)) * Span(time.Hour)
	}
	s := Schedule{Every: hours("every", 2, 400), ChangeWindow: hours("window", 0, 10), Grace: hours("grace", 0, 50)}
	for _, r := range rapid.SliceOfNDistinct(rapid.Int64Range(1, int64(s.Every/Span(time.Hour))-1), 0, min(4, int(s.Every/Span(time.Hour))-1), rapid.ID).Draw(t, "remind") {
		s.Remind = append(s.Remind, Span(r)*Span(time.Hour))
	}
	if err := s.Validate(); err != nil {
		t.Fatalf("drew a bad schedule: %v", err)
	}
	return s
}

func drawStatus(t *rapid.T, s Schedule) Status {
	moment := func(name string) time.Time {
		return deadline.Add(time.Duration(rapid.Int64Range(-500*60, 200*60).Draw(t, name)) * time.Minute)
	}
	st := Status{
		Now: moment("now"), Deadline: deadline,
		AllIn: rapid.Bool().Draw(t, "all in"), Wait: rapid.Bool().Draw(t, "wait"),
		Missing: rapid.SampledFrom([]Policy{Hold, Standing, Forfeit, ""}).Draw(t, "missing"),
	}
	if rapid.Bool().Draw(t, "grace used") {
		st.GraceEnds = deadline.Add(s.Grace.Duration())
	}
	if st.Paused = rapid.Bool().Draw(t, "paused"); st.Paused && rapid.Bool().Draw(t, "for a time") {
		st.PauseEnds = moment("pause ends")
	}
	st.AllFinal = st.AllIn && rapid.Bool().Draw(t, "all final")
	if rapid.Bool().Draw(t, "a set") {
		st.LastSet = st.Now.Add(-time.Duration(rapid.Int64Range(0, 1000).Draw(t, "set age")) * time.Minute)
	}
	for _, r := range s.Remind {
		if rapid.Bool().Draw(t, "reminded") {
			st.Reminded = append(st.Reminded, r)
		}
	}
	return st
}

func TestDecideLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		st := drawStatus(t, s)
		d := s.Decide(st)
		early := st.Now.Before(st.Deadline)
		if early && d.Action == Resolve && (!st.AllIn || st.Wait) {
			t.Fatalf("resolves early: %+v", d)
		}
		if early && (d.Action == Grace || d.Action == Halt) {
			t.Fatalf("%s before the deadline", d.Action)
		}
		if !st.GraceEnds.IsZero() && d.Action == Grace {
			t.Fatal("a second grace period")
		}
		if least := s.Grace.Duration() * 3 / 4; d.Action == Grace && (d.Until.Before(st.Now.Add(least)) || d.Until.Before(st.Deadline.Add(s.Grace.Duration()))) {
			t.Fatalf("a grace period of %s until %v", s.Grace, d.Until)
		}
		if over := !st.PauseEnds.IsZero() && !st.Now.Before(st.PauseEnds); st.Paused && (d.Action == Resume) != over || st.Paused && d.Action != Wait && d.Action != Resume {
			t.Fatalf("paused until %v: %+v", st.PauseEnds, d)
		}
		if d.Action == Remind && slices.Contains(st.Reminded, d.Reminder) {
			t.Fatal("the same reminder again")
		}
		if never := d.Action == Wait && st.Paused && d.Until.IsZero(); (d.Action == Wait || d.Action == Remind) && !never && !d.Until.After(st.Now) {
			t.Fatalf("waits for %v, which is not after now", d.Until)
		}
		if (d.Missing != "") != (d.Action == Resolve && !st.AllIn) {
			t.Fatalf("policy %q in %+v", d.Missing, d)
		}
		// Time alone never revokes a resolution, and nothing happens before the time of Wait.
		later := st
		later.Now = st.Now.Add(time.Duration(rapid.Int64Range(1, 1e6).Draw(t, "later")) * time.Second)
		next := s.Decide(later)
		if d.Action == Wait && d.Until.IsZero() && next.Action != Wait {
			t.Fatalf("%s though nothing was to happen", next.Action)
		}
		if d.Action == Resolve && next.Action != Resolve {
			t.Fatalf("resolved at %v but %s at %v", st.Now, next.Action, later.Now)
		}
		if d.Action == Wait && later.Now.Before(d.Until) && next.Action != Wait {
			t.Fatalf("%s at %v, before %v", next.Action, later.Now, d.Until)
		}
	})
}

// Carrying out the decisions, without any mail, ends at the policy after at most one grace period
// and with each reminder sent at most once.
func TestDecideTerminates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		st := Status{
			Deadline: deadline, Now: deadline.Add(-s.Every.Duration()),
			Missing: rapid.SampledFrom([]Policy{Hold, Standing, Forfeit}).Draw(t, "missing"),
		}
		graces := 0
		for range 20 {
			d := s.Decide(st)
			switch d.Action {
			case Wait:
				st.Now = d.Until
			case Remind:
				st.Reminded = append(st.Reminded, d.Reminder)
			case Grace:
				graces++
				st.GraceEnds = d.Until
			case Resume:
				t.Fatal("nothing was paused")
			case Resolve, Halt:
				if want := deadline.Add(s.Grace.Duration()); !st.Now.Equal(want) {
					t.Fatalf("ended at %v, want %v", st.Now, want)
				}
				if graces > 1 || len(st.Reminded) != len(s.Remind) {
					t.Fatalf("%d grace periods, reminders %v of %v", graces, st.Reminded, s.Remind)
				}
				return
			}
		}
		t.Fatal("no end")
	})
}

func TestNames(t *testing.T) {
	for a, want := range map[Action]string{Wait: "wait", Remind: "remind", Grace: "grace", Resolve: "resolve", Halt: "halt", Resume: "resume", 9: "action 9"} {
		if got := a.String(); got != want {
			t.Errorf("action is called %q, want %q", got, want)
		}
	}
}
