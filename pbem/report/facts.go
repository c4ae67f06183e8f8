package report

import (
	"fmt"
	"strings"
	"time"

	"starpost/templates"
	"starpost/templates/composer"
)

// Meta holds what a report says in addition to the view. Its JSON omits the zone
// and the composer, which depend on the host or the game and not on the report.
type Meta struct {
	Now      time.Time        `json:"now"`                // when the report is made, for the time left
	Deadline time.Time        `json:"deadline,omitzero"`  // of the due turn; zero for none
	Room     bool             `json:"room,omitempty"`     // the deadline is later than usual because a captain is away
	Zone     *time.Location   `json:"-"`                  // of the times in the report; nil is UTC
	Own      string           `json:"own_zone,omitempty"` // name of the captain's own time zone; "" for none
	Key      string           `json:"key,omitempty"`      // the captain's turn key for the due turn; "" for none
	Robot    string           `json:"robot,omitempty"`    // the robot's address; "" for a game without mail
	Missing  []string         `json:"missing,omitempty"`  // whose orders are missing; nil if the game keeps that secret
	Commit   string           `json:"commit,omitempty"`   // SHA-256 of the game's secret
	Secret   string           `json:"secret,omitempty"`   // the secret, once the game is over
	Record   string           `json:"record,omitempty"`   // seal of the game's record so far, see package chain; "" for none
	Dice     string           `json:"dice,omitempty"`     // source of public dice; "" for the host's own dice
	Luck     bool             `json:"luck,omitempty"`     // the captain's `luck` lines are mixed into the dice
	Seeded   bool             `json:"seeded,omitempty"`   // the secret was made from a number, so the dice are predictable
	Briefing []string         `json:"briefing,omitempty"` // what the battle is about, in paragraphs, for the first report
	Station  []string         `json:"station,omitempty"`  // the officer's private briefing, in paragraphs, for the first report
	Rulings  []templates.Note `json:"rulings,omitempty"`  // in addition to those among the events
	Referees []string         `json:"referees,omitempty"` // which referees also play, and what they looked at
	Council  string           `json:"council,omitempty"`  // which orders are due earlier, and when; "" for none
	Replay   bool             `json:"replay,omitempty"`   // a page that replays the battle is attached
	Teach    bool             `json:"teach,omitempty"`    // the first orders offered are teaching orders
	Opening  bool             `json:"opening,omitempty"`  // the clock does not run yet, so there is no deadline
	// In a game that runs on until something happens, Stopped says why the captain is asked for
	// orders now, and Since holds the earlier stages, after which no orders were asked for.
	Stopped []string          `json:"stopped,omitempty"`
	Since   []templates.Phase `json:"since,omitempty"`
	// Corrected says which earlier report this one corrects, and what changed.
	// It comes first.
	Corrected []string `json:"corrected,omitempty"`
	// Compose says where the order composer is. It depends on the host, not on the turn.
	Compose composer.Way `json:"-"`
}

// TimeFor is FormatTime, followed by the same time in the captain's own time zone, if own names one.
func TimeFor(t time.Time, zone *time.Location, own string) string {
	s := FormatTime(t, zone)
	if mine := OwnTime(t, own); mine != "" && mine != s {
		s += ", for you " + mine
	}
	return s
}

// OwnTime formats a time in the captain's own time zone. It returns "" if there is none.
func OwnTime(t time.Time, own string) string {
	mine, err := time.LoadLocation(own)
	if own == "" || err != nil { // an unknown zone counts as none
		return ""
	}
	return FormatTime(t, mine)
}

// FormatTime formats a time for reports: "Thu 26 Nov 2026, 20:00 CET", followed by
// the offset from UTC unless that is zero. The zero time gives "".
func FormatTime(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	if zone == nil {
		zone = time.UTC
	}
	t = t.In(zone)
	s := t.Format("Mon 2 Jan 2006, 15:04 MST")
	if _, offset := t.Zone(); offset != 0 {
		s += t.Format(" (UTC-07:00)")
	}
	return s
}

// TimeLeft returns the time from now to then in words: "2 days 5 hours", "40 minutes",
// "none" if less than a minute is left, "" if then is zero.
func TimeLeft(now, then time.Time) string {
	if then.IsZero() {
		return ""
	}
	d := then.Sub(now)
	if d < time.Minute {
		return "none"
	}
	units := []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}
	var parts []string
	for _, u := range units {
		n := d / u.size
		d -= n * u.size
		if n == 0 {
			if len(parts) > 0 {
				break
			}
			continue
		}
		s := fmt.Sprintf("%d %s", n, u.name)
		if n > 1 {
			s += "s"
		}
		if parts = append(parts, s); len(parts) == 2 {
			break
		}
	}
	return strings.Join(parts, " ")
}
