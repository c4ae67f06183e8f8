package vault

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// When a game's clock starts, as in game.toml; any other value is a date.
const (
	StartNow  = "now"  // when the game is made
	StartFull = "full" // when each seat has a captain or a robot
)

// What happens to free seats on the date on which a game begins.
const (
	FillRobot  = "robot"  // robots play them until someone joins
	FillCancel = "cancel" // the game is called off
)

// fills returns the possible values of Fill.
func fills() []string { return []string{FillRobot, FillCancel} }

// startForms are the formats of a start date.
var startForms = []string{"2006-01-02 15:04", time.DateOnly}

// StartRule returns when the clock starts: at once, when all seats are taken, or at a given time in
// the game's zone.
func (m MailSettings) StartRule() (full bool, at time.Time, err error) {
	switch m.Start {
	case "", StartNow:
		return false, time.Time{}, nil
	case StartFull:
		return true, time.Time{}, nil
	}
	zone, err := m.location()
	if err != nil {
		return false, time.Time{}, err
	}
	for _, form := range startForms {
		if at, err = time.ParseInLocation(form, m.Start, zone); err == nil {
			return false, at, nil
		}
	}
	return false, time.Time{}, fmt.Errorf("start = %q is not a date", m.Start)
}

// startWrong returns the first mistake in Start and Fill, its key and how to correct it.
func (m MailSettings) startWrong() (problem, key, way string) {
	_, at, err := m.StartRule()
	switch {
	case err != nil:
		return err.Error(), "start", `use "now", "full", or a date such as "2026-12-24" or "2026-12-24 20:00"`
	case m.Fill != "" && !slices.Contains(fills(), m.Fill):
		return fmt.Sprintf("fill = %q is not known", m.Fill), "fill", "one of: " + strings.Join(fills(), ", ")
	case m.Fill != "" && at.IsZero():
		return "fill is only for games that begin on a date", "fill", `leave it out, or set start to a date such as "2026-12-24 20:00"`
	}
	return "", "", ""
}
