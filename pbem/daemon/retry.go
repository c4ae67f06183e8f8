package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/templates"
)

// steady is how long a connection must have worked before the trouble before it
// is forgotten: a server that takes every login and hangs up at once is not well.
const steady = time.Minute

// retry says when to try again what failed. What time may mend is tried again
// soon, what needs someone's hand, as a refused login does, so rarely that no
// provider takes it for an attack. Trouble of our own, such as a full disk, costs no
// server anything: it is tried again within seconds.
type retry struct {
	near, soon, late *backoff.ExponentialBackOff
	sending          bool // it is about mails that go out
	own              bool // the last trouble was our own
	look             time.Duration
	kind             string    // of the trouble that was last told; "" for none
	works            time.Time // since when it works; zero: it does not
}

func newRetry(sending bool, poll time.Duration) *retry {
	return &retry{
		near: pauses(2*time.Second, ownTroublePause), soon: pauses(5*time.Second, 15*time.Minute), late: pauses(5*time.Minute, 2*time.Hour),
		sending: sending, look: min(undecidedPause, poll),
	}
}

// undecidedPause is the longest pause between looks at whether another daemon reads the mailbox.
const undecidedPause = 30 * time.Second

// ownTroublePause is the longest pause between tries that nothing but our own disk is asked
// for.
const ownTroublePause = 10 * time.Second

// failed notes trouble. It gives when to try again, and whether trouble of this
// kind is news.
func (r *retry) failed(now time.Time, err error) (at time.Time, news bool) {
	kind := problemKind(err)
	news = kind != r.kind
	r.kind, r.own, r.works = kind, isOwn(err), time.Time{}
	switch {
	case errors.Is(err, errUndecided):
		return now.Add(r.look), news
	case r.own:
		return now.Add(r.near.NextBackOff()), news
	case lasting(err):
		return now.Add(r.late.NextBackOff()), news
	}
	return now.Add(r.soon.NextBackOff()), news
}

// worked notes that the server served. Trouble is over when it did so for a
// while; worked reports whether that is now.
func (r *retry) worked(now time.Time, steady time.Duration) (over bool) {
	if r.works.IsZero() || now.Before(r.works) { // or the clock was put back
		r.works = now
	}
	if now.Sub(r.works) < steady && r.kind != "" {
		return false
	}
	over = r.kind != ""
	r.kind, r.own = "", false
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

// lasting tells of a server that nothing but a person's doing helps.
func lasting(err error) bool {
	e, ok := errors.AsType[temporaryError](err)
	return ok && !e.Temporary()
}

// isOwn tells that no server is to blame, but our own disk or store.
func isOwn(err error) bool {
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
	if errors.Is(err, errUndecided) {
		return "another daemon"
	}
	if isOwn(err) {
		return "disk"
	}
	return "other"
}

// tellDown tells the referee of what needs someone's hand, at most
// once a day for each kind of trouble. Where this mailbox cannot send, another
// one does, if there is one.
func (s *worker) tellDown(ctx context.Context, kind string, now time.Time, cause error) error {
	if s.cfg.Referee == "" {
		return nil
	}
	by := s.box
	if strings.HasPrefix(kind, "smtp") {
		by = s.otherSender(s.box)
	}
	n := templates.Notice{
		Kind: templates.Trouble, Reason: "A mail server does not serve " + s.box.Address + ", and that will not mend itself.",
		Text: []string{cause.Error()},
	}
	if isOwn(cause) {
		n.Reason = "The robot cannot store what it would have to, so mails to " + s.box.Address + " wait. It is tried again every few seconds."
	}
	if hint := fault.Hint(cause); hint != "" {
		n.Text = append(n.Text, hint)
	}
	local, _, _ := strings.Cut(s.box.Address, "@")
	word := fmt.Sprintf(downWord+"%s.%s.%s", strings.ReplaceAll(kind, " ", "-"), now.UTC().Format(time.DateOnly), local)
	return s.mailOperator(ctx, s.box, by, "", word, "Trouble with the mailbox "+s.box.Address, n, "")
}
