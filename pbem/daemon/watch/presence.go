package watch

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"sync/atomic"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
)

// marks are the mailbox operations by which its readers learn of each other. See mailbox.Mark.
type marks interface {
	Marks(ctx context.Context, folder string) ([]mailbox.Mark, error)
	PutMark(ctx context.Context, folder string, m mailbox.Mark) error
	BeatMark(ctx context.Context, uid uint32, beat int) error
	DropMark(ctx context.Context, uid uint32) error
}

// How often a daemon renews its mark, how much longer it may take, and for how long the mark of a run from cron is
// valid.
const (
	markEvery  = 5 * time.Minute
	markMargin = time.Minute
	markOnce   = time.Hour
)

// Presence tracks who else reads a mailbox. Marks are ordered by when the server received them, so that no clocks are
// compared. A daemon that finds an earlier mark with an active owner exits. An earlier mark that is not renewed in
// time is removed.
type Presence struct {
	*process.Process
	guard       *Guard
	box         config.Mailbox
	log         *slog.Logger
	takeOver    bool          // see Options.TakeOver; false once it was done
	wake, asked chan struct{} // see account

	known  atomic.Bool  // the mailbox was ours at some time
	proved atomic.Int64 // ... and when that was, by the monotonic clock
	Down   atomic.Bool  // the last attempt to ask the mailbox failed

	held    process.Mutex           // held while the mailbox is taken, see Hold
	holding atomic.Pointer[holding] // nil: this host does not have it

	mu      process.Mutex // held while marks are exchanged; guards the fields below
	run     string        // this process, in its marks
	from    time.Duration // when it may serve, by the monotonic clock
	mine    bool          // this process has put or renewed the mark
	beat    int           // the beat last written
	tried   int           // the beat last tried; the server may have received it
	checked time.Time     // when the mark was last renewed
	settled bool          // the mark was found unchanged at least once
	gone    bool          // the mark was missing right after it was put
	failed  bool          // marks cannot be kept there, which was logged
	lost    int           // how often another host's mark was found in place of ours
}

// age returns how long ago the mailbox was found to be ours.
func (p *Presence) age(elapsed time.Duration) time.Duration {
	return elapsed - time.Duration(p.proved.Load())
}

// Assume treats the mailbox as ours for as long as the process lives.
func (p *Presence) Assume() {
	p.known.Store(true)
	p.proved.Store(math.MaxInt64)
}

// seenMark is the last known state of another daemon's mark.
type seenMark struct {
	Beat  int       `json:"beat"`
	Since time.Time `json:"since"`         // when it was first seen in this state, by looks too close for its owner to have changed it twice
	Looks int       `json:"looks"`         // how often it was seen in this state
	Last  time.Time `json:"last,omitzero"` // when it was last looked at
	Rare  int       `json:"rare,omitzero"` // how often it was seen in this state again after a longer gap
}

// enoughLooks is how often a mark must be seen unchanged. If it is looked at rarely, as by runs from cron, a beat may
// have the same value again by chance.
const enoughLooks = 5

// next returns the state after another look at the mark.
func (w seenMark) next(m mailbox.Mark, now time.Time) seenMark {
	now = now.UTC().Round(0)
	gap := now.Sub(w.Last)
	switch {
	case w.Looks == 0 || w.Beat != m.Beat:
		w = seenMark{Beat: m.Beat, Since: now}
	case gap < 0 || gap >= m.Every:
		w.Since = now
		w.Rare++
	}
	w.Looks++
	w.Last = now
	return w
}

// dead reports whether the owner of a mark would have changed it by now.
func (w seenMark) dead(m mailbox.Mark, now time.Time) bool {
	return w.Looks >= enoughLooks && !now.Before(w.Since.Add(m.Every+markMargin)) || w.Rare >= enoughLooks
}

// another returns the error that another daemon reads the mailbox, and why that is known.
func (p *Presence) another(why string) error {
	return &fault.Fault{
		Problem: fmt.Sprintf("another daemon serves the mailbox %s: %s", p.box.Address, why), Err: process.ErrOtherDaemon,
		Way: "give each daemon its own mailbox; to move the mailbox to this daemon, stop the other one and start this one with --take-over",
	}
}

// newOwner returns a new ID for a state directory or process in marks.
func newOwner() string { return crand.Text() }

// ClaimMailbox makes sure, as far as marks show, that no other daemon reads the mailbox. The error is ErrOtherDaemon,
// ErrUndecided, or the connection's.
func (p *Presence) ClaimMailbox(ctx context.Context, in process.Inbox) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.prove(ctx, in)
}

// prove does that with an open mailbox, unless it was done a moment ago. p.mu is held.
func (p *Presence) prove(ctx context.Context, in process.Inbox) (err error) {
	if !p.Has() {
		return fmt.Errorf("%w: %w", process.ErrUndecided, ErrElsewhere)
	}
	now, elapsed := p.Clock.Now(), p.Clock.Elapsed()
	defer func() {
		if err == nil {
			p.proved.Store(int64(elapsed))
			p.known.Store(true)
			p.Down.Store(false)
			process.Nudge(p.asked)
		}
	}()
	box, ok := in.(marks)
	if !ok {
		return nil
	}
	if elapsed < p.from {
		return p.waits()
	}
	// A beat must not be left to the next look if that would break the promise of the mark. Nor may two beats follow
	// each other so fast that an observer could miss the change: there are few beat values.
	poll := p.Config.Poll.Duration()
	if since := now.Sub(p.checked); p.mine && since >= 0 && since < max(markEvery-poll, markMargin/4) && len(p.guard.seenMarks(p.box.Address)) == 0 {
		if p.failed {
			return nil
		}
		if age := p.age(elapsed); age < poll/2 {
			elapsed -= age
			return nil
		}
		if kept, err := p.markKept(ctx, box); kept || err != nil {
			return err
		}
	}
	if err = p.exchangeMarks(ctx, box, now); err == nil {
		p.failed = false
		return nil
	}
	if process.Fatal(ctx, err) || errors.Is(err, process.ErrUndecided) {
		return err
	}
	if e, ok := errors.AsType[*mailbox.Error](err); !errors.Is(err, errNoMarks) && (!ok || e.Kind != mailbox.KindRefused && e.Kind != mailbox.KindMailboxMissing) {
		return err // of the connection
	}
	if !p.failed {
		p.log.Warn("mailbox stores no marks, cannot detect a second daemon", "err", err)
	}
	p.failed, p.mine, p.checked = true, true, now
	return nil
}

// markKept reports whether our mark is the only one and unchanged.
func (p *Presence) markKept(ctx context.Context, in marks) (bool, error) {
	all, err := in.Marks(ctx, marksFolder(p.box))
	return len(all) == 1 && p.isOurs(all[0]) && all[0].Beat == p.beat, err
}

func marksFolder(box config.Mailbox) string { return box.Folder("Daemon") }

// mostLost is how often marks of other hosts of the same database may take the place of ours, until this host loses the
// mailbox: each may put one late, after it has lost the mailbox itself.
const mostLost = 3

// overwritten returns the error that another host's mark is in place of ours. Between hosts of one database the lease
// decides. Where that happens again and again, the other host has another database with the same data, such as an old
// primary.
func (p *Presence) overwritten(ctx context.Context) error {
	if p.lost++; p.lost > mostLost {
		return p.another("it has another database with the same data")
	}
	p.mine, p.settled = false, false
	if err := p.Hold(ctx); err != nil {
		return fmt.Errorf("%w: %w", process.ErrUndecided, err)
	}
	p.from = p.Clock.Elapsed() + p.Config.Poll.Duration() // the other one may rely on its last answer for one poll
	return p.waits()
}

// isOurs reports whether this process put a mark. Other marks of the same owner are of earlier processes, or of one
// that runs on a copy of the state directory.
func (p *Presence) isOurs(m mailbox.Mark) bool {
	return m.Owner == p.owner() && m.Run == p.run
}

// exchangeMarks reads the marks and renews our own.
func (p *Presence) exchangeMarks(ctx context.Context, in marks, now time.Time) error {
	me, every := p.owner(), max(markEvery, p.Config.Poll.Duration())
	if p.guard.mode == ModeOnce {
		every = markOnce
	}
	p.run = cmp.Or(p.run, newOwner())
	// If the ID were not on disk, a start after a crash would take our own mark for another's.
	if !p.Shared() {
		if named, err := p.guard.identified(); err != nil || !named {
			return err
		}
	}
	all, err := in.Marks(ctx, marksFolder(p.box))
	if err != nil {
		return err
	}
	var mine, last *mailbox.Mark // last: the last one of this state directory
	own, others := 0, []mailbox.Mark(nil)
	for i, m := range all {
		if m.Owner != me {
			others = append(others, m)
			continue
		}
		if own, last = own+1, &all[i]; m.Run == p.run {
			mine = last
		}
	}
	took := p.takeOver && len(others) > 0
	if took {
		for _, m := range others {
			p.log.Warn("mailbox taken over", "name", m.Who)
			if err := in.DropMark(ctx, m.UID); err != nil {
				return err
			}
		}
		others = nil
	}
	p.takeOver = false
	kept := mine != nil && mine == last && (mine.Beat == p.beat || mine.Beat == p.tried)
	replaced := p.mine && !p.failed && last != nil && !kept
	switch {
	case p.mine && !p.failed && last == nil && len(others) > 0:
		return p.another("it was taken over by " + others[0].Who)
	case replaced && p.Shared():
		return p.overwritten(ctx)
	// A process that was suspended for longer than a poll gives way to one that started meanwhile.
	case replaced && (!p.settled || p.age(p.Clock.Elapsed()) > 2*p.Config.Poll.Duration()):
		return p.another("it has a copy of this state directory")
	case replaced:
		p.log.Error("second daemon runs on a copy of this state directory and reads the same mailbox", "hint", "stop it if it does not exit on its own")
	case p.mine && kept:
		p.settled = true
	}
	if replaced || took { // the other one may rely on its last answer for one poll
		p.from = p.Clock.Elapsed() + p.Config.Poll.Duration()
	}
	was := p.beat
	if last != nil {
		was = last.Beat
	}
	p.tried = (was + 1 + int(p.Chance()*(mailbox.Beats-1))) % mailbox.Beats // always different from was
	if p.mine && !p.failed && kept && own == 1 && mine.Every == every {
		err = in.BeatMark(ctx, mine.UID, p.tried)
	} else {
		mine, others, err = p.putMark(ctx, in, every, all)
	}
	if err != nil {
		return err
	}
	p.mine, p.beat, p.checked = true, p.tried, now
	if err := p.judgeMarks(ctx, in, mine.Place, others, now); err != nil || !replaced && !took {
		return err
	}
	return p.waits()
}

// waits returns the error that a daemon which had the mailbox may not have noticed yet that it lost it.
func (p *Presence) waits() error {
	return undecided("another daemon may still be at work on the mailbox "+p.box.Address+"; waiting "+Roughly(p.Config.Poll.Duration())+" for it to notice this one and stop", "stop it if it does not exit on its own")
}

// undecided returns the error that nothing is done yet.
func undecided(why, way string) error {
	return &fault.Fault{Problem: why, Way: way, Err: process.ErrUndecided}
}

// putMark puts a mark of this process in place of those of the same owner, which it removes. It returns the mark and
// the other owners' current marks. If the process was suspended meanwhile and another one put a mark first, its own
// does not count.
func (p *Presence) putMark(ctx context.Context, in marks, every time.Duration, before []mailbox.Mark) (mine *mailbox.Mark, others []mailbox.Mark, err error) {
	m := mailbox.Mark{Owner: p.owner(), Run: p.run, Who: p.processName(), Every: every, Beat: p.tried}
	known := map[uint32]bool{}
	for _, old := range before {
		if known[old.UID] = true; old.Owner == m.Owner && (m.Place == 0 || old.Place < m.Place) {
			m.Place = old.Place
		}
	}
	if err := in.PutMark(ctx, marksFolder(p.box), m); err != nil {
		return nil, nil, err
	}
	all, err := in.Marks(ctx, marksFolder(p.box))
	if err != nil {
		return nil, nil, err
	}
	for i, m := range all {
		if !known[m.UID] && p.isOurs(m) {
			mine = &all[i]
		}
	}
	switch gone := p.gone; {
	case mine == nil && !gone: // another process may have removed it; its mark will be found the next time
		p.gone = true
		return nil, nil, undecided("the mark in the mailbox "+p.box.Address+" vanished immediately", "you need not do anything: it is set again")
	case mine == nil || mine.Beat != p.tried:
		return nil, nil, errors.Join(errNoMarks, p.dropOwnMarks(ctx, in))
	}
	p.gone = false
	for _, m := range all {
		switch {
		case m.Owner != mine.Owner:
			others = append(others, m)
		case known[m.UID]:
			err = in.DropMark(ctx, m.UID)
		case m.UID < mine.UID && p.Shared():
			err = errors.Join(p.overwritten(ctx), in.DropMark(ctx, mine.UID))
		case m.UID < mine.UID:
			err = errors.Join(p.another("it has a copy of this state directory"), in.DropMark(ctx, mine.UID))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return mine, others, nil
}

// errNoMarks says that the server does not keep the flags that make a mark.
var errNoMarks = errors.New("the server does not keep flags on mails")

// judgeMarks decides what the marks of others mean. place is the place of ours.
func (p *Presence) judgeMarks(ctx context.Context, in marks, place uint32, others []mailbox.Mark, now time.Time) error {
	known, seen := p.guard.seenMarks(p.box.Address), map[string]seenMark{}
	var err error
	replaced := false
	for _, m := range others {
		earlier := m.Place < place
		was, before := known[m.Owner]
		alive := before && was.Beat != m.Beat
		w := was.next(m, now)
		switch {
		case alive && earlier:
			// Saved for the next start: the other daemon may have stopped by then.
			maps.Copy(seen, known)
			seen[m.Owner] = w
			p.guard.setSeenMarks(p.box.Address, seen)
			return errors.Join(p.another(m.Who), p.dropOwnMarks(ctx, in), p.guard.Beat(time.Time{}, true))
		case w.dead(m, now):
			p.log.Info("removed mark of a daemon that no longer runs", "name", m.Who)
			if derr := in.DropMark(ctx, m.UID); derr != nil {
				return derr
			}
			replaced = replaced || earlier
			continue
		case earlier:
			err = undecided(fmt.Sprintf("%s may be serving the mailbox %s; waiting until %s at the latest to find out", m.Who, p.box.Address, w.Since.Add(m.Every+markMargin).UTC().Format(time.DateTime+" UTC")),
				"if that one no longer runs, just wait, or skip the wait with --take-over")
		case !before:
			p.log.Error("second daemon started on this mailbox, it should exit", "name", m.Who)
		}
		seen[m.Owner] = w
	}
	p.guard.setSeenMarks(p.box.Address, seen)
	if replaced && err == nil { // its owner may have resumed just then, and have still found its mark
		p.from = p.Clock.Elapsed() + p.Config.Poll.Duration()
		return p.waits()
	}
	return err
}

// dropOwnMarks removes our mark, so that no one waits for it.
func (p *Presence) dropOwnMarks(ctx context.Context, in marks) error {
	all, err := in.Marks(ctx, marksFolder(p.box))
	for _, m := range all {
		if p.isOurs(m) {
			err = errors.Join(err, in.DropMark(ctx, m.UID))
		}
	}
	return err
}

// processName returns the description of this daemon in its mark.
func (p *Presence) processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	return fmt.Sprintf("process %d on %s, since %s", os.Getpid(), host, p.Clock.Now().UTC().Format(time.DateTime+" UTC"))
}

// ErrUnproven says that it is not known whether this process still serves a mailbox.
var ErrUnproven = errors.New("checking first whether this process still owns the mailbox")

// MayAct makes sure, before anything is done that others see, that this process still serves the mailbox: it may have
// been suspended, alone or with its machine, while another took its place. A proof is valid for one poll. After that,
// and if a mail must be sent before the mailbox was read for the first time, the mailbox is asked. Nothing is done
// until it answers.
func (p *Presence) MayAct(ctx context.Context) error {
	ours := func() bool { return p.known.Load() && p.age(p.Clock.Elapsed()) <= p.Config.Poll.Duration() }
	if err := p.renew(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrUnproven, err)
	}
	if ours() {
		return nil
	}
	cause := ErrUnproven
	if !p.Down.Load() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if ours() {
			return nil // another goroutine asked
		}
		in, err := p.Options.Inbox(ctx, p.box)
		if err == nil {
			err = p.prove(ctx, in)
			in.Close()
		}
		switch {
		case err == nil && ours() || process.Fatal(ctx, err):
			return err
		case err == nil: // this process was suspended meanwhile, so the answer is outdated
			err = errors.New("the answer took longer than a poll")
		default:
			p.Down.Store(true)
			process.Nudge(p.asked)
		}
		cause = fmt.Errorf("%w: %w", ErrUnproven, err)
		process.Nudge(p.wake) // once: the reader of the mailbox then knows when it is tried again
	}
	return cause
}

// NewPresence returns a Presence that knows nothing of the mailbox yet. wake and asked are the account's.
func NewPresence(p *process.Process, w *Guard, box config.Mailbox, log *slog.Logger, wake, asked chan struct{}) *Presence {
	return &Presence{Process: p, guard: w, box: box, log: log, takeOver: p.Options.TakeOver, wake: wake, asked: asked}
}
