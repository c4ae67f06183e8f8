package daemon

import (
	"context"
	"fmt"
	"sync"

	"starpost/pbem/disk"
	"starpost/pbem/ledger"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
)

const (
	// chunk is how many mails are taken in before they are acted on and moved.
	chunk = 100
	// maxFresh bounds the bytes of mails of a load that are kept in memory until
	// they are acted on; the others are read from the spool again.
	maxFresh = 8 << 20
)

// load is mails that lie in the spool and are not recorded yet.
type load struct {
	last  uint32 // UID of the last one that was asked for
	mails []stored
	large []largeMail
	fresh map[string]parsed // by content
	held  int               // bytes of fresh
	err   error             // if set, nothing of the load may be recorded
}

// stored is a mail in the spool.
type stored struct {
	ledger.Mail
	size int
}

// parsed is a mail that was read.
type parsed struct {
	raw  []byte // nil when it is lost
	mail mime.Mail
	err  error // of reading it
}

// read reads a mail. What breaks the reader is an error of the mail.
func read(sha string, raw []byte) (p parsed) {
	p.raw = raw
	defer recovered("mail "+sha, &p.err)
	p.mail, p.err = mime.Read(raw)
	return p
}

// lockedInbox is a mailbox that mails are fetched from ahead while others are acted
// on. One does something with it at a time.
type lockedInbox struct {
	Inbox
	mu sync.Mutex
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

// loader fetches mails, a load at a time and one ahead of who asks for them.
type loader struct {
	worker  *mailboxWorker
	in      Inbox
	left    []uint32
	pending chan *load // nil when none is
}

// next gives a load, nil after the last one, and has the one after it fetched.
func (l *loader) next(ctx context.Context) *load {
	if l.pending == nil && len(l.left) > 0 {
		l.begin(ctx)
	}
	got := l.wait()
	if got != nil && got.err == nil && len(l.left) > 0 {
		l.begin(ctx)
	}
	return got
}

func (l *loader) begin(ctx context.Context) {
	n := min(chunk, len(l.left))
	uids := l.left[:n]
	l.left, l.pending = l.left[n:], make(chan *load, 1)
	go func(coming chan<- *load) {
		defer l.worker.logPanic()
		coming <- l.worker.fetch(ctx, l.in, uids)
	}(l.pending)
}

// wait waits for the load that is coming, nil if none is.
func (l *loader) wait() *load {
	if l.pending == nil {
		return nil
	}
	got := <-l.pending
	l.pending = nil
	return got
}

// fetch puts mails into the spool and reads them.
func (s *mailboxWorker) fetch(ctx context.Context, in Inbox, uids []uint32) *load {
	l := &load{last: uids[len(uids)-1], fresh: map[string]parsed{}}
	var soon disk.Batch
	batch := s.spool.Batch(&soon)
	l.err = in.Fetch(ctx, uids, func(m mailbox.Mail) error { return s.keep(l, &soon, batch, m) })
	if l.err == nil {
		l.err = batch.Close()
	}
	if l.err != nil {
		return l
	}
	if err := soon.Sync(); err != nil {
		l.err = fmt.Errorf("spool %d mails: %w", len(l.mails)+len(l.large), err)
	}
	return l
}

// keep spools a mail.
func (s *mailboxWorker) keep(l *load, soon *disk.Batch, batch *ledger.SpoolBatch, m mailbox.Mail) (err error) {
	rec := ledger.Mail{
		Ref:        ledger.Ref{Mailbox: s.name, UIDValidity: m.Ref.UIDValidity, UID: m.Ref.UID},
		ReceivedAt: s.clock.Now(), Arrived: m.Arrived,
	}
	if m.Raw == nil {
		big, err := s.keepLarge(soon, rec, m)
		l.large = append(l.large, big)
		return err
	}
	if err := s.before("spool"); err != nil {
		return err
	}
	if rec.SHA256, err = batch.Add(m.Raw); err != nil {
		return err
	}
	p := read(rec.SHA256, m.Raw)
	rec.MessageID = p.mail.MessageID
	if l.held+len(m.Raw) <= maxFresh {
		l.fresh[rec.SHA256] = p
		l.held += len(m.Raw)
	}
	l.mails = append(l.mails, stored{rec, len(m.Raw)})
	return nil
}

// takeIn records a load, and how far the mailbox was read with it.
func (s *mailboxWorker) takeIn(ctx context.Context, l *load, validity uint32) error {
	if l.err != nil {
		return l.err
	}
	if err := s.refuseLarge(ctx, l.large); err != nil {
		return err
	}
	s.parsed = l.fresh
	return s.ledger.Group(ctx, func(ctx context.Context) error {
		for _, m := range l.mails {
			if err := s.before("record"); err != nil {
				return err
			}
			if err := s.ledger.RecordStored(ctx, m.Mail); err != nil {
				return err
			}
			s.log.Debug("mail stored", "uid", m.UID, "sha256", m.SHA256, "bytes", m.size)
		}
		if err := s.before("cursor"); err != nil {
			return err
		}
		return s.ledger.MoveCursor(ctx, s.name, ledger.Cursor{UIDValidity: validity, UID: l.last})
	})
}
