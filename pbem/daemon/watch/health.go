package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// Check is the result of one check. Problem is "" if all is well.
type Check struct {
	What    string `json:"what"`
	Found   string `json:"found,omitempty"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Checked returns a Check from what was found, or from err.
func Checked(what, found string, err error) Check {
	c := Check{What: what, Found: found}
	if err != nil {
		c.Found, c.Problem, c.Hint = "", err.Error(), fault.Hint(err)
	}
	return c
}

// OK reports whether nothing is wrong.
func (c Check) OK() bool { return c.Problem == "" }

// maxAge is how old a heartbeat, or the last read of a mailbox, may always be: a large turn, or a
// mailbox full of mail, takes a while.
const maxAge = 10 * time.Minute

// Health judges a daemon by its heartbeat: whether it is running, and whether it read its mailboxes
// recently. It changes nothing, and is cheap enough to be called every minute.
func Health(c *config.Config, now time.Time) []Check {
	h, err := ReadHeartbeat(c.State)
	if err != nil {
		bad := Check{What: "daemon", Problem: err.Error(), Hint: "the next heartbeat replaces the file"}
		if errors.Is(err, fs.ErrNotExist) {
			bad.Problem, bad.Hint = "there is no heartbeat in "+c.State, "start it: starpost serve --config "+c.File
		}
		return []Check{bad}
	}
	all := []Check{aliveCheck(h, c, now)}
	if err := disk.CheckSpace(c.State); err != nil {
		all = append(all, Check{What: "state directory", Problem: err.Error(), Hint: roomHint})
	}
	for _, box := range c.Mailboxes() {
		all = append(all, lookCheck(h, box.Address, c, now))
	}
	return all
}

// roomHint is the hint for trouble with the disk.
const roomHint = "free some disk space, or make it writable; the daemon then continues within seconds"

// aliveCheck requires a heartbeat about as recent as the daemon writes them.
func aliveCheck(h Heartbeat, c *config.Config, now time.Time) Check {
	limit := max(maxAge, OutageFactor*BeatEvery)
	for _, one := range h.Mailboxes {
		if usual, known := one.UsualGap(c.Poll); one.Mode == ModeOnce && known {
			limit = max(limit, OutageFactor*usual)
		} else if one.Mode == ModeOnce {
			limit = 0 // after only one run, no one knows when the next one is due
		}
	}
	age := now.Sub(h.Time)
	check := Check{What: "daemon", Found: fmt.Sprintf("process %d, last heard from %s ago", h.PID, Roughly(max(age, 0)))}
	switch {
	case age < -time.Minute:
		check.Problem = fmt.Sprintf("its heartbeat of %s is in the future by this machine's clock", h.Time.Format(time.RFC3339))
		check.Hint = "set the clock; games stay paused for some time after that"
	case limit > 0 && age > limit:
		check.Problem = fmt.Sprintf("no heartbeat for %s", Roughly(age))
		check.Hint = "check whether it runs, read the end of its log, and start it again"
	}
	return check
}

// lookCheck requires that the mailbox was read about as recently as it should be.
func lookCheck(h Heartbeat, address string, c *config.Config, now time.Time) Check {
	check := Check{What: "mailbox " + address}
	one, ok := h.Mailboxes[address]
	if !ok || one.Looked.IsZero() {
		check.Problem, check.Hint = "was never read", "starpost doctor --config "+c.File+" shows why"
		if one.Reading != nil {
			check.Problem += ": " + one.Reading.Why
		}
		return check
	}
	age := now.Sub(one.Looked)
	check.Found = fmt.Sprintf("read %s ago", Roughly(max(age, 0)))
	usual, known := one.UsualGap(c.Poll)
	if known && age > max(maxAge, OutageFactor*usual) {
		check.Problem = fmt.Sprintf("was not read for %s", Roughly(age))
		check.Hint = "starpost doctor --config " + c.File + " shows why"
	}
	if a := one.alarming(one.Reading, c.Poll, now); a != nil && check.OK() {
		check.Problem, check.Hint = a.words("mails cannot be handled", now), "starpost doctor --config "+c.File+" shows more"
	} else if a != nil {
		check.Problem += ": " + a.Why
	}
	if a := one.alarming(one.Sending, c.Poll, now); a != nil && check.OK() {
		check.Problem, check.Hint = a.words("mails cannot be sent", now), "starpost doctor --config "+c.File+" shows more"
	}
	return check
}

// alarming returns a if it is worth an alarm: at once if waiting does not help or no daemon is
// running to retry, otherwise after two polls.
func (h MailboxState) alarming(a *Problem, poll clock.Span, now time.Time) *Problem {
	if a == nil || !a.Lasting && h.Mode != ModeOnce && now.Sub(a.Since) < 2*poll.Duration() {
		return nil
	}
	return a
}

func (a *Problem) words(what string, now time.Time) string {
	return fmt.Sprintf("%s (began %s ago): %s", what, Roughly(max(now.Sub(a.Since), 0)), a.Why)
}

// Problems returns the problems that a running daemon reports, and none if it does not run.
func Problems(c *config.Config, now time.Time) (bad []Check) {
	h, err := ReadHeartbeat(c.State)
	if err != nil || now.Sub(h.Time) > maxAge {
		return nil
	}
	for _, box := range c.Mailboxes() {
		one := h.Mailboxes[box.Address]
		if one.Reading == nil && one.Sending == nil {
			continue
		}
		if check := lookCheck(h, box.Address, c, now); !check.OK() {
			check.What, check.Hint = "daemon, "+check.What, ""
			bad = append(bad, check)
		}
	}
	return bad
}
