package report

import (
	"fmt"
	"strings"
	"time"

	"starpost/templates"
	"starpost/templates/composer"
)

// Meta are what a report says in addition to the view. Written down, they are that
// without the zone, which is the same for all reports of a turn.
type Meta struct {
	Now      time.Time        `json:"now"`                // when the report is made; for the time left
	Deadline time.Time        `json:"deadline,omitzero"`  // of the turn that is due; zero for none
	Room     bool             `json:"room,omitempty"`     // it is later than usual, because a captain is away
	Zone     *time.Location   `json:"-"`                  // that times are written in; nil is UTC
	Own      string           `json:"own_zone,omitempty"` // the captain's own time zone, by its name; "" for none
	Key      string           `json:"key,omitempty"`      // the captain's turn key for the turn that is due; "" for none
	Robot    string           `json:"robot,omitempty"`    // the robot's address; "" for a game without mail
	Missing  []string         `json:"missing,omitempty"`  // whose orders are not there; nil where the game does not tell
	Commit   string           `json:"commit,omitempty"`   // SHA-256 of the game's secret
	Secret   string           `json:"secret,omitempty"`   // the secret, once the game is over
	Record   string           `json:"record,omitempty"`   // the seal of the game's record so far, see package chain; "" for none
	Dice     string           `json:"dice,omitempty"`     // where the dice come from, of a game with public dice; "" for the host's own
	Luck     bool             `json:"luck,omitempty"`     // the captain's words for luck count
	Seeded   bool             `json:"seeded,omitempty"`   // the secret was made from a number, so the dice can be foreseen
	Briefing []string         `json:"briefing,omitempty"` // what the battle is about, by paragraphs; for the first report
	Station  []string         `json:"station,omitempty"`  // what its officer is told alone, by paragraphs; for the first report
	Rulings  []templates.Note `json:"rulings,omitempty"`  // beside those among the events
	Referees []string         `json:"referees,omitempty"` // which referees play too, and what they looked at
	Council  string           `json:"council,omitempty"`  // which orders are due earlier, and when; "" for none
	Replay   bool             `json:"replay,omitempty"`   // the battle comes along as a page to watch
	Teach    bool             `json:"teach,omitempty"`    // the first orders that are offered are a teacher's
	Opening  bool             `json:"opening,omitempty"`  // the clock does not run yet, and so there is no deadline
	// Stopped says why the captain is asked now, and Since what happened in the stages before,
	// that he was not asked after; of a game that is played until something happens.
	Stopped []string          `json:"stopped,omitempty"`
	Since   []templates.Phase `json:"since,omitempty"`
	// Corrected begins a report that corrects an earlier one: which, and what is
	// otherwise.
	Corrected []string `json:"corrected,omitempty"`
	// Compose is the way to the page on which orders are composed. It depends on the host, not on the turn.
	Compose composer.Way `json:"-"`
}

// TimeFor is FormatTime, and beside it the same moment in a captain's own time zone; "" for none.
func TimeFor(t time.Time, zone *time.Location, own string) string {
	s := FormatTime(t, zone)
	if mine := OwnTime(t, own); mine != "" && mine != s {
		s += ", for you " + mine
	}
	return s
}

// OwnTime is a moment in a captain's own time zone; "" without one.
func OwnTime(t time.Time, own string) string {
	mine, err := time.LoadLocation(own)
	if own == "" || err != nil { // a zone that this machine does not know: the game's own time stands
		return ""
	}
	return FormatTime(t, mine)
}

// FormatTime writes a moment as reports have it: "Thu 26 Nov 2026, 20:00 CET", and
// with the distance from UTC where the zone's name does not tell.
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

// TimeLeft writes how long it is from now to then: "2 days 5 hours", "40 minutes",
// "none" when then has passed.
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
