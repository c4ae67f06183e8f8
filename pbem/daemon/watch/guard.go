package watch

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/report"
	"starpost/pbem/transport"
)

// Guard detects outages, after which games are paused so that no turn is resolved because of them:
// the daemon was down, a mailbox could not be read, or the clock jumped.
type Guard struct {
	*process.Process
	Mu   process.Mutex
	Last time.Time // of the heartbeat found at the start; zero for none
	Now  Heartbeat // the heartbeat to write next
	mode string    // how the daemon runs

	Checked bool          // the clock was checked
	Wall    time.Time     // its time at that check
	Elapsed time.Duration // ... and the monotonic time

	wrote      bool
	named      bool          // the heartbeat on disk has Now's ID
	news       bool          // Now has a change that must be written at once
	written    time.Duration // monotonic time of the last heartbeat
	complained bool
	ended      error // the error of Options.Before; no further heartbeat is written
}

// Interruption is a reason for pausing games.
type Interruption struct {
	ID      string    `json:"id"`
	Mailbox string    `json:"mailbox,omitempty"` // the address of the affected games; "": all
	Why     string    `json:"why"`               // a clause for people
	Since   time.Time `json:"since"`             // the paused turn keeps the time that it had left then
	At      time.Time `json:"at"`
	Until   time.Time `json:"until,omitzero"` // when the games resume; zero: when a referee resumes them
}

// Concerns reports whether the interruption affects the games of a mailbox.
func (s Interruption) Concerns(address string) bool {
	return s.Mailbox == "" || strings.EqualFold(s.Mailbox, address)
}

// OutageFactor is how many times the usual gap a gap between two reads may be without being an
// outage.
const OutageFactor = 3

// Jumped reports whether the clock has jumped since it was last checked.
func (w *Guard) Jumped() bool {
	now, elapsed := w.Clock.Now().Round(0), w.Clock.Elapsed()
	w.Mu.Lock()
	defer w.Mu.Unlock()
	skew := w.Config.Guard.Skew.Duration()
	return w.Checked && skew > 0 && now.Sub(w.Wall.Add(elapsed-w.Elapsed)).Abs() > skew
}

// Shift moves the recorded times of mailbox reads by the jump of the clock, so that they are as
// long ago as before. Called with w.Mu held.
func (w *Guard) Shift(jump time.Duration) {
	for box, h := range w.Now.Mailboxes {
		if h.Looked.IsZero() {
			continue
		}
		h.Looked = h.Looked.Add(jump)
		w.Now.Mailboxes[box] = h
	}
}

// LastLook returns when the mailbox was last read.
func (w *Guard) LastLook(address string) (last MailboxState, ok bool) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	last, ok = w.Now.Mailboxes[address]
	return last, ok && !last.Looked.IsZero() && !w.interrupted(address)
}

// interrupted reports whether some games of a mailbox have not been paused yet for an interruption.
// Called with w.Mu held.
func (w *Guard) interrupted(mailbox string) bool {
	return slices.ContainsFunc(w.Now.Interruptions, func(t Interruption) bool { return t.Mailbox == "" || t.Mailbox == mailbox })
}

// NoteRead records that the mailbox was read.
func (w *Guard) NoteRead(address string) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	if w.interrupted(address) {
		return // otherwise a game that is not paused yet never would be
	}
	now := w.Clock.Now().UTC().Round(0)
	h, known := w.Now.Mailboxes[address]
	if gap := now.Sub(h.Looked); known && !h.Looked.IsZero() && gap > 0 && h.Mode == ModeOnce && w.mode == ModeOnce {
		h.Gaps = append(slices.Clone(h.Gaps), clock.Span(gap))
		h.Gaps = h.Gaps[max(0, len(h.Gaps)-gapsKept):]
	}
	h.Looked, h.Mode = now, w.mode
	w.Now.Mailboxes[address] = h
}

// SetMode records how the daemon runs.
func (w *Guard) SetMode(mode string) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.mode = mode
}

// Roughly formats a duration approximately.
func Roughly(d time.Duration) string {
	if d < time.Minute {
		return "less than a minute"
	}
	now := time.Unix(0, 0)
	return report.TimeLeft(now, now.Add(d))
}

// Beat writes the heartbeat, unless the last one is recent and there is nothing urgent in this one.
// next is the latest time at which the daemon looks again. A failure to write it stops nothing: the
// next start may then mistake the time since for an outage, which is the safe side.
func (w *Guard) Beat(next time.Time, force bool) error {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	elapsed := w.Clock.Elapsed()
	if w.ended != nil || !force && !w.news && w.wrote && elapsed-w.written < beatApart {
		return w.ended
	}
	if w.ended = w.Before("beat"); w.ended != nil {
		return w.ended
	}
	w.Now.Time, w.Now.PID, w.Now.Version, w.Now.Next = w.Clock.Now().UTC().Round(0), os.Getpid(), w.Options.Version, next.UTC().Round(0)
	if next.IsZero() {
		w.Now.Next = time.Time{}
	}
	if w.ended = w.State.Check(); w.ended != nil {
		return w.ended
	}
	err := w.Now.write(w.Config.State)
	if err != nil && !w.complained {
		w.Log.Error("writing the heartbeat failed", "err", err)
	}
	w.complained = err != nil
	w.named = w.named || err == nil
	w.wrote, w.written, w.news = true, elapsed, false
	return nil
}

// BeatAgain writes the heartbeat with the next look as it was.
func (w *Guard) BeatAgain() error {
	w.Mu.Lock()
	next := w.Now.Next
	w.Mu.Unlock()
	return w.Beat(next, true)
}

// identified makes sure that the ID of the state directory, used in marks, is on disk.
func (w *Guard) identified() (named bool, err error) {
	w.Mu.Lock()
	named = w.named
	w.Mu.Unlock()
	if named {
		return true, nil
	}
	err = w.BeatAgain()
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.named, err
}

// SetProblem records why mails of the mailbox cannot be handled or, with sending, sent; nil if they
// can.
func (w *Guard) SetProblem(address string, sending bool, why error) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	h := w.Now.Mailboxes[address]
	at := &h.Reading
	if sending {
		at = &h.Sending
	}
	switch {
	case why == nil && *at == nil:
		return
	case why == nil:
		*at = nil
	default:
		one := Problem{Since: w.Clock.Now().UTC().Round(0), Why: transport.Sanitise(why.Error(), 500), Lasting: IsOwn(why) || Lasting(why)}
		if *at != nil {
			one.Since = (*at).Since
		}
		*at = &one
		if h.Looked.IsZero() {
			h.Mode = w.mode
		}
	}
	w.Now.Mailboxes[address] = h
	w.news = true
}

// NewGuard returns a guard that continues from the last heartbeat.
func NewGuard(p *process.Process) *Guard {
	d := &Guard{Process: p}
	h, err := ReadHeartbeat(d.Config.State)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.Log.Error("reading the heartbeat failed, cannot detect outages before this start", "err", err)
	}
	if h.Mailboxes == nil {
		h.Mailboxes = map[string]MailboxState{}
	}
	if d.named = h.ID != ""; !d.named {
		h.ID = newOwner()
	}
	for box, one := range h.Mailboxes { // not known yet in this process
		one.Reading, one.Sending = nil, nil
		h.Mailboxes[box] = one
	}
	d.Last, d.Now = h.Time, h
	return d
}

// owner returns the ID of the state directory, used in marks.
func (w *Guard) owner() string {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.Now.ID
}

// seenMarks returns the marks of others seen in the mailbox, by owner.
func (w *Guard) seenMarks(address string) map[string]seenMark {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.Now.Mailboxes[address].Others
}

// setSeenMarks records them for the next look, which another process may do.
func (w *Guard) setSeenMarks(address string, seen map[string]seenMark) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	h := w.Now.Mailboxes[address]
	if len(seen) == 0 && len(h.Others) == 0 {
		return
	}
	if h.Others = seen; len(seen) == 0 {
		h.Others = nil
	}
	w.Now.Mailboxes[address], w.news = h, true
}
