package watch

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/disk"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// Steady is how long a connection must have worked before the trouble before it
// is forgotten: a server that takes every login and hangs up at once is not well.
const Steady = time.Minute

// Retry says when to try again what failed. What time may mend is tried again
// soon, what needs someone's hand, as a refused login does, so rarely that no
// provider takes it for an attack. Trouble of our own, such as a full disk, costs no
// server anything: it is tried again within seconds.
type Retry struct {
	near, soon, late *process.Pauses
	Sending          bool // it is about mails that go out
	Own              bool // the last trouble was our own
	look             time.Duration
	Kind             string    // of the trouble that was last told; "" for none
	works            time.Time // since when it works; zero: it does not
	began            time.Time // when the trouble began; zero while there is none
	brief            time.Duration
}

// brief is how long trouble with a store on the network is no news: connections are cut, and a standby takes the server's place.
const brief = time.Minute

// NewRetry knows of no trouble yet.
func NewRetry(p *process.Process, sending bool) *Retry {
	r := &Retry{
		near: p.Pauses(2*time.Second, OwnTroublePause), soon: p.Pauses(5*time.Second, 15*time.Minute), late: p.Pauses(5*time.Minute, 2*time.Hour),
		Sending: sending, look: min(undecidedPause, p.Config.Poll.Duration()),
	}
	if p.Hosts != nil {
		r.brief = brief
	}
	return r
}

// undecidedPause is the longest pause between looks at whether another daemon reads the mailbox.
const undecidedPause = 30 * time.Second

// OwnTroublePause is the longest pause between tries that nothing but our own disk is asked
// for.
const OwnTroublePause = 10 * time.Second

// Failed notes trouble. It gives when to try again, and whether trouble of this
// kind is news.
func (r *Retry) Failed(now time.Time, err error) (at time.Time, news bool) {
	if r.began.IsZero() || now.Before(r.began) {
		r.began = now
	}
	r.Own, r.works = IsOwn(err), time.Time{}
	if kind := problemKind(err); !r.Own || now.Sub(r.began) >= r.brief {
		news, r.Kind = kind != r.Kind, kind
	}
	switch {
	case errors.Is(err, process.ErrUndecided):
		return now.Add(r.look), news
	case r.Own:
		return now.Add(r.near.Next()), news
	case Lasting(err):
		return now.Add(r.late.Next()), news
	}
	return now.Add(r.soon.Next()), news
}

// Worked notes that the server served. Trouble is over when it did so for a
// while; worked reports whether that is now.
func (r *Retry) Worked(now time.Time, steady time.Duration) (over bool) {
	r.began = time.Time{}
	if r.works.IsZero() || now.Before(r.works) { // or the clock was put back
		r.works = now
	}
	if now.Sub(r.works) < steady && r.Kind != "" {
		return false
	}
	over = r.Kind != ""
	r.Kind, r.Own = "", false
	r.near.Reset()
	r.soon.Reset()
	r.late.Reset()
	return over
}

// temporaryError is what mailboxes and outgoing servers say of themselves. The error
// numbers of the system know Temporary too, and mean something else by it.
type temporaryError interface {
	error
	Temporary() bool
	Hint() string
}

// Lasting tells of a server that nothing but a person's doing helps.
func Lasting(err error) bool {
	e, ok := errors.AsType[temporaryError](err)
	return ok && !e.Temporary()
}

// IsOwn tells that no server is to blame, but our own disk or store.
func IsOwn(err error) bool {
	if _, ok := errors.AsType[temporaryError](err); ok {
		return false
	}
	return disk.IsUnwritable(err) || store.IsTrouble(err) || isPath(err)
}

// isPath tells an error of the file system.
func isPath(err error) bool {
	_, path := errors.AsType[*fs.PathError](err)
	_, link := errors.AsType[*os.LinkError](err)
	_, call := errors.AsType[*os.SyscallError](err)
	return path || link || call
}

// problemKind names what is wrong in a word or two.
func problemKind(err error) string {
	if e, ok := errors.AsType[*mailbox.Error](err); ok {
		return "imap " + e.Kind.String()
	}
	if e, ok := errors.AsType[*outgoing.Error](err); ok {
		if e.Sender {
			return "smtp sender refused"
		}
		return "smtp " + string(e.Stage)
	}
	if errors.Is(err, process.ErrUndecided) {
		return "another daemon"
	}
	if IsOwn(err) {
		return "disk"
	}
	return "other"
}
