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

// Steady is how long a connection must work before earlier trouble is forgotten: a server that accepts every login
// and hangs up at once is not well.
const Steady = time.Minute

// Retry decides when to try again after a failure. A failure that may pass is retried soon. One that a person must
// fix, such as a refused login, is retried so rarely that no provider takes it for an attack. Trouble of our own,
// such as a full disk, burdens no server, so it is retried within seconds.
type Retry struct {
	near, soon, late *process.Pauses
	Sending          bool // it is for outgoing mails
	Own              bool // the last trouble was our own
	look             time.Duration
	Kind             string    // of the trouble last reported; "" for none
	works            time.Time // since when it works; zero: it does not
	began            time.Time // when the trouble began; zero while there is none
	brief            time.Duration
}

// brief is how long trouble with a store on the network is not reported: connections are cut, and a standby takes the
// server's place.
const brief = time.Minute

// NewRetry returns a Retry without trouble.
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

// OwnTroublePause is the longest pause between retries that involve only our own disk.
const OwnTroublePause = 10 * time.Second

// Failed records trouble. It returns when to try again, and whether this kind of trouble is new.
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

// Worked records that the server worked. It reports whether this ends trouble, which it does after working for
// steady.
func (r *Retry) Worked(now time.Time, steady time.Duration) (over bool) {
	r.began = time.Time{}
	if r.works.IsZero() || now.Before(r.works) { // or the clock was set back
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

// temporaryError is implemented by errors of mailboxes and outgoing servers. The system's error numbers have a
// Temporary method too, but with another meaning.
type temporaryError interface {
	error
	Temporary() bool
	Hint() string
}

// Lasting reports whether err is from a server and only a person can fix it.
func Lasting(err error) bool {
	e, ok := errors.AsType[temporaryError](err)
	return ok && !e.Temporary()
}

// IsOwn reports whether err comes from our own disk or store, not from a server.
func IsOwn(err error) bool {
	if _, ok := errors.AsType[temporaryError](err); ok {
		return false
	}
	return disk.IsUnwritable(err) || store.IsTrouble(err) || isPath(err)
}

// isPath reports whether err comes from the file system.
func isPath(err error) bool {
	_, path := errors.AsType[*fs.PathError](err)
	_, link := errors.AsType[*os.LinkError](err)
	_, call := errors.AsType[*os.SyscallError](err)
	return path || link || call
}

// problemKind names the kind of trouble in a word or two.
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
