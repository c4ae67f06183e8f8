package intake

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"starpost/pbem/daemon/process"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/store"
)

const (
	// chunk is how many mails are taken in before they are acted on and moved.
	chunk = 100
	// maxHeld limits the bytes of mails in a load, which are held in memory. Mails beyond it are
	// fetched again with the next load.
	maxHeld = 8 << 20
)

// load is a batch of fetched mails that are not recorded yet.
type load struct {
	from  string // the name of their source
	last  uint32 // UID of its last mail
	mails []fetchedMail
	large []largeMail
	fresh map[string]parsed // by hash
	held  int               // bytes
	err   error             // if set, nothing of the load may be recorded
}

// fetchedMail is a mail with its bytes.
type fetchedMail struct {
	store.Mail
	raw []byte
}

// errLoadFull ends the fetching of a load.
var errLoadFull = errors.New("memory limit for mails reached")

// parsed is a mail that was parsed.
type parsed struct {
	raw  []byte // nil if it is lost
	mail mime.Mail
	err  error // of parsing it
}

// read parses a mail. A panic becomes an error of the mail.
func read(sha string, raw []byte) (p parsed) {
	p.raw = raw
	defer process.Recovered("mail "+sha, &p.err)
	p.mail, p.err = mime.Read(raw)
	return p
}

// lockedInbox serialises the use of a mailbox from which mails are prefetched while others are
// acted on.
type lockedInbox struct {
	process.Inbox
	mu process.Mutex
}

func (s *lockedInbox) Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Inbox.Fetch(ctx, uids, take)
}

func (s *lockedInbox) Move(ctx context.Context, uids []uint32, folder string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Inbox.Move(ctx, uids, folder)
}

// loader fetches mails one load at a time, always one load ahead.
type loader struct {
	worker  *Intake
	in      source
	left    []uint32
	many    int        // how many are fetched at once; fewer if they are large
	pending chan *load // nil if no load is being fetched
}

// next returns a load, or nil after the last one, and starts fetching the following one.
func (l *loader) next(ctx context.Context) *load {
	if l.pending == nil && len(l.left) > 0 {
		l.begin(ctx)
	}
	got := l.wait()
	if got == nil || got.err != nil {
		return got
	}
	n := 0
	for n < len(l.left) && l.left[n] <= got.last {
		n++
	}
	if l.left = l.left[n:]; n < l.many {
		l.many = max(n, 1)
	} else {
		l.many = min(2*n, chunk)
	}
	if len(l.left) > 0 {
		l.begin(ctx)
	}
	return got
}

func (l *loader) begin(ctx context.Context) {
	if l.many == 0 {
		l.many = chunk
	}
	uids := l.left[:min(l.many, len(l.left))]
	l.pending = make(chan *load, 1)
	go func(coming chan<- *load) {
		defer l.worker.LogPanic()
		coming <- l.worker.fetch(ctx, l.in, uids)
	}(l.pending)
}

// wait waits for the load being fetched; nil if there is none.
func (l *loader) wait() *load {
	if l.pending == nil {
		return nil
	}
	got := <-l.pending
	l.pending = nil
	return got
}

// fetch fetches and parses mails.
func (s *Intake) fetch(ctx context.Context, in source, uids []uint32) *load {
	l := &load{from: in.name, last: uids[len(uids)-1], fresh: map[string]parsed{}}
	l.err = in.Fetch(ctx, uids, func(m mailbox.Mail) error {
		if l.held+len(m.Raw) > maxHeld && l.held > 0 {
			l.last = m.Ref.UID - 1
			return errLoadFull
		}
		s.keep(l, m)
		return nil
	})
	if errors.Is(l.err, errLoadFull) {
		l.err = nil
	}
	return l
}

// keep adds a mail to a load.
func (s *Intake) keep(l *load, m mailbox.Mail) {
	rec := store.Mail{
		Ref:        store.Ref{Mailbox: l.from, UIDValidity: m.Ref.UIDValidity, UID: m.Ref.UID},
		ReceivedAt: s.Clock.Now(), Arrived: m.Arrived,
	}
	if m.Raw == nil {
		l.large = append(l.large, keepLarge(rec, m))
		return
	}
	rec.SHA256 = store.ContentHash(m.Raw)
	p := read(rec.SHA256, m.Raw)
	rec.MessageID = p.mail.MessageID
	l.fresh[rec.SHA256] = p
	l.held += len(m.Raw)
	l.mails = append(l.mails, fetchedMail{rec, m.Raw})
}

// takeIn records a load and the new position in the mailbox.
func (s *Intake) takeIn(ctx context.Context, l *load, validity uint32) error {
	if l.err != nil {
		return l.err
	}
	if err := s.refuseLarge(ctx, l.large); err != nil {
		return err
	}
	s.parsed = l.fresh
	slices.SortFunc(l.mails, func(a, b fetchedMail) int { return cmp.Compare(a.UID, b.UID) }) // a server may answer in any order
	return s.Store.Group(ctx, func(ctx context.Context) error {
		for _, m := range l.mails {
			if err := s.Before("record"); err != nil {
				return err
			}
			if _, err := s.Store.RecordStored(ctx, m.Mail, m.raw); err != nil {
				return err
			}
			s.log.Debug("mail stored", "uid", m.UID, "sha256", m.SHA256, "bytes", len(m.raw))
		}
		if err := s.Before("cursor"); err != nil {
			return err
		}
		return s.Store.MoveCursor(ctx, l.from, store.Cursor{UIDValidity: validity, UID: l.last})
	})
}
