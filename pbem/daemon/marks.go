package daemon

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
)

// marks is what a mailbox offers by which those who read it know of each other. See
// mailbox.Mark.
type marks interface {
	Marks(ctx context.Context, folder string) ([]mailbox.Mark, error)
	PutMark(ctx context.Context, folder string, m mailbox.Mark) error
	BeatMark(ctx context.Context, uid uint32, beat int) error
	DropMark(ctx context.Context, uid uint32) error
}

// How often a daemon shows that it is at work, how much longer it may take, and how
// long a run from cron counts as being about.
const (
	markEvery  = 5 * time.Minute
	markMargin = time.Minute
	markOnce   = time.Hour
)

// presence is what a mailbox's daemon knows of who else reads it. Marks are ordered
// as the server got them, so that no clocks are compared: who finds an earlier mark
// whose owner is at work ends. An earlier one whose owner does not show himself in
// time is removed.
type presence struct {
	known  atomic.Bool  // that the mailbox is ours, at one time
	proved atomic.Int64 // ... and when that was, by the clock that no one sets
	down   atomic.Bool  // the mailbox could not be asked when it was tried last

	mu      sync.Mutex // held while marks are exchanged, and for what follows
	mine    bool       // this process has put or renewed the mark
	beat    int        // as it did
	tried   int        // as it wanted to; the server may have heard it
	checked time.Time  // when it did
	settled bool       // found as it was left, once at least
	failed  bool       // marks cannot be kept there, which was told
}

// age is how long ago the mailbox was found to be ours.
func (p *presence) age(elapsed time.Duration) time.Duration {
	return elapsed - time.Duration(p.proved.Load())
}

// assume has the mailbox count as ours for as long as the process lives.
func (p *presence) assume() {
	p.known.Store(true)
	p.proved.Store(math.MaxInt64)
}

// SeenMark is what was last seen of another daemon's mark.
type SeenMark struct {
	Beat  int       `json:"beat"`
	Since time.Time `json:"since"` // when it was first seen so
	Looks int       `json:"looks"` // how often it was seen so
}

// enoughLooks is how often a mark must be seen unchanged: a beat may be the same again
// by chance, when runs from cron look at it rarely.
const enoughLooks = 5

// The kinds of trouble with another daemon at the same mailbox.
var (
	errOtherDaemon = errors.New("another daemon reads the mailbox")
	errUndecided   = errors.New("it is not known yet whether another daemon reads the mailbox")
)

// another says that another daemon reads the mailbox, and what shows it.
func (s *mailboxWorker) another(why string) error {
	return &fault.Fault{
		Problem: fmt.Sprintf("another daemon serves the mailbox %s: %s", s.box.Address, why), Err: errOtherDaemon,
		Way: "each daemon needs a mailbox of its own: stop that one, or give this one another; if this one is to serve the mailbox from now on, stop that one and start this one with --take-over",
	}
}

// newOwner names a state directory in marks.
func newOwner() string { return crand.Text() }

// claimMailbox makes sure that no other daemon reads the mailbox, as far as marks tell. The
// error is a secondError, a heldError, or the connection's.
func (s *mailboxWorker) claimMailbox(ctx context.Context, in Inbox) error {
	p := &s.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	return s.prove(ctx, in)
}

// prove makes sure of it with the mailbox at hand, unless it did so a moment ago. p.mu is held.
func (s *mailboxWorker) prove(ctx context.Context, in Inbox) (err error) {
	p := &s.presence
	now, elapsed := s.clock.Now(), s.clock.Elapsed()
	defer func() {
		if err == nil {
			p.proved.Store(int64(elapsed))
			p.known.Store(true)
			p.down.Store(false)
			nudge(s.asked)
		}
	}()
	box, ok := in.(marks)
	if !ok {
		return nil
	}
	if since := now.Sub(p.checked); p.mine && since >= 0 && since < markEvery && len(s.seenMarks()) == 0 {
		if p.failed {
			return nil
		}
		if age := p.age(elapsed); age < s.cfg.Poll.Duration()/2 {
			elapsed -= age
			return nil
		}
		if kept, err := s.markKept(ctx, box); kept || err != nil {
			return err
		}
	}
	if err = s.exchangeMarks(ctx, box, now); err == nil {
		p.failed = false
		return nil
	}
	if fatal(ctx, err) || errors.Is(err, errUndecided) {
		return err
	}
	if e, ok := errors.AsType[*mailbox.Error](err); !errors.Is(err, errNoMarks) && (!ok || e.Kind != mailbox.KindRefused && e.Kind != mailbox.KindMailboxMissing) {
		return err // of the connection
	}
	if !p.failed {
		s.log.Warn("mailbox stores no marks, a second daemon would not be detected", "err", err)
	}
	p.failed, p.mine, p.checked = true, true, now
	return nil
}

// markKept tells whether our mark is the only one and stands as we left it.
func (s *mailboxWorker) markKept(ctx context.Context, in marks) (bool, error) {
	all, err := in.Marks(ctx, s.box.IMAP.Folders+"/Daemon")
	return len(all) == 1 && all[0].Owner == s.owner() && all[0].Beat == s.presence.beat, err
}

// exchangeMarks looks at the marks and renews our own.
func (s *mailboxWorker) exchangeMarks(ctx context.Context, in marks, now time.Time) error {
	p, me, folder := &s.presence, s.owner(), s.box.IMAP.Folders+"/Daemon"
	every := max(markEvery, s.cfg.Poll.Duration())
	if s.guard.mode == ModeOnce {
		every = markOnce
	}
	// A mark that this state directory does not know after a crash would be another's.
	if named, err := s.identified(); err != nil || !named {
		return err
	}
	all, err := in.Marks(ctx, folder)
	if err != nil {
		return err
	}
	var mine *mailbox.Mark
	var others []mailbox.Mark
	for i, m := range all {
		switch {
		case m.Owner != me:
			others = append(others, m)
		case mine == nil:
			mine = &all[i]
		default: // a kill came between putting it and removing the earlier one
			if err := in.DropMark(ctx, m.UID); err != nil {
				return err
			}
		}
	}
	if s.takeOver {
		for _, m := range others {
			s.log.Warn("mailbox taken over", "name", m.Who)
			if err := in.DropMark(ctx, m.UID); err != nil {
				return err
			}
		}
		others, s.takeOver = nil, false
	}
	copied := false
	switch {
	case p.mine && !p.failed && mine == nil && len(others) > 0:
		return s.another("it was taken over by " + others[0].Who)
	// Who was stopped for longer than a poll has to give way to who began meanwhile.
	case p.mine && !p.failed && mine != nil && mine.Beat != p.beat && mine.Beat != p.tried &&
		(!p.settled || p.age(s.clock.Elapsed()) > 2*s.cfg.Poll.Duration()):
		return s.another("it has a copy of this state directory")
	case p.mine && !p.failed && mine != nil && mine.Beat != p.beat && mine.Beat != p.tried:
		copied = true
		s.log.Error("second daemon runs on a copy of this state directory and reads the same mailbox", "hint", "stop it if it does not exit by itself")
	case p.mine && mine != nil:
		p.settled = true
	}
	// Another mark would stand behind those of others: one that promises more than is
	// kept must not stay, one that promises less may.
	if mine != nil && (mine.Every < every || mine.Every > every && len(others) == 0) {
		if err := in.DropMark(ctx, mine.UID); err != nil {
			return err
		}
		mine = nil
	}
	was := p.beat
	if mine != nil {
		was = mine.Beat
	}
	p.tried = (was + 1 + rand.N(mailbox.Beats-1)) % mailbox.Beats // another one
	if mine == nil {
		err = in.PutMark(ctx, folder, mailbox.Mark{Owner: me, Who: s.processName(), Every: every, Beat: p.tried})
	} else {
		err = in.BeatMark(ctx, mine.UID, p.tried)
	}
	if err != nil {
		return err
	}
	if !p.mine {
		if err := s.verifyMark(ctx, in, folder); err != nil {
			return err
		}
	}
	p.mine, p.beat, p.checked = true, p.tried, now
	if err := s.judgeMarks(ctx, in, mine, others, now); err != nil || !copied {
		return err
	}
	return &fault.Fault{
		Problem: "a second daemon on a copy of this state directory reads the mailbox " + s.box.Address + "; nothing is done until it has seen this one and ended",
		Way:     "stop it if it does not end by itself", Err: errUndecided,
	}
}

// errNoMarks tells of a server that does not keep what makes a mark.
var errNoMarks = errors.New("the server does not keep the flags of mails")

// verifyMark makes sure that the server keeps our mark as it was put.
func (s *mailboxWorker) verifyMark(ctx context.Context, in marks, folder string) error {
	all, err := in.Marks(ctx, folder)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Owner == s.owner() && m.Beat == s.presence.tried {
			return nil
		}
	}
	return errNoMarks
}

// judgeMarks decides what others' marks mean. mine is nil if ours was just put, later than
// all.
func (s *mailboxWorker) judgeMarks(ctx context.Context, in marks, mine *mailbox.Mark, others []mailbox.Mark, now time.Time) error {
	known, seen := s.seenMarks(), map[string]SeenMark{}
	var err error
	for _, m := range others {
		earlier := mine == nil || m.UID < mine.UID
		w, before := known[m.Owner]
		alive := before && w.Beat != m.Beat
		if !before || alive {
			w = SeenMark{Beat: m.Beat, Since: now.UTC().Round(0)}
		}
		w.Looks++
		until := w.Since.Add(m.Every + markMargin)
		switch {
		case alive && earlier:
			return errors.Join(s.another(m.Who), s.dropOwnMarks(ctx, in))
		case !alive && !now.Before(until) && w.Looks >= enoughLooks:
			s.log.Info("removed mark of a daemon that no longer runs", "name", m.Who)
			if derr := in.DropMark(ctx, m.UID); derr != nil {
				return derr
			}
			continue
		case earlier:
			err = &fault.Fault{
				Problem: fmt.Sprintf("%s may serve the mailbox %s; nothing is read before that is known, at %s at the latest", m.Who, s.box.Address, until.UTC().Format(time.DateTime+" UTC")),
				Way:     "if that one does not run any more, nothing needs to be done; --take-over spares the wait", Err: errUndecided,
			}
		case !before:
			s.log.Error("second daemon started on this mailbox, it should exit", "name", m.Who)
		}
		seen[m.Owner] = w
	}
	s.setSeenMarks(seen)
	return err
}

// dropOwnMarks removes our mark, so that it keeps no one waiting.
func (s *mailboxWorker) dropOwnMarks(ctx context.Context, in marks) error {
	all, err := in.Marks(ctx, s.box.IMAP.Folders+"/Daemon")
	for _, m := range all {
		if m.Owner == s.owner() {
			err = errors.Join(err, in.DropMark(ctx, m.UID))
		}
	}
	return err
}

// processName is how this daemon is called in its mark.
func (s *mailboxWorker) processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	return fmt.Sprintf("process %d on %s, since %s", os.Getpid(), host, s.clock.Now().UTC().Format(time.DateTime+" UTC"))
}

// owner is what the state directory is called in marks.
func (d *Daemon) owner() string {
	d.guard.mu.Lock()
	defer d.guard.mu.Unlock()
	return d.guard.now.ID
}

// seenMarks are the marks of others that were seen in the mailbox, by owner.
func (s *mailboxWorker) seenMarks() map[string]SeenMark {
	s.guard.mu.Lock()
	defer s.guard.mu.Unlock()
	return s.guard.now.Mailboxes[s.box.Address].Others
}

// setSeenMarks remembers them for the next look, which another process may take.
func (s *mailboxWorker) setSeenMarks(seen map[string]SeenMark) {
	w := &s.guard
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.now.Mailboxes[s.box.Address]
	if len(seen) == 0 && len(h.Others) == 0 {
		return
	}
	if h.Others = seen; len(seen) == 0 {
		h.Others = nil
	}
	w.now.Mailboxes[s.box.Address], w.news = h, true
}
