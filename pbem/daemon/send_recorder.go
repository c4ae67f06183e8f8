package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// maxUnrecorded is how many mails that were sent are noted together at most, and how
// many may wait for that. After a crash they go out once more, under their own
// Message-IDs. The first one waits no longer than soon for others that are noted with
// it: one wait for the disk does for all.
const (
	maxUnrecorded = 20
	recordDelay   = 20 * time.Millisecond
)

// unrecordedSend is a mail that the server took and the store does not know of yet.
type unrecordedSend struct {
	message store.OutboxMessage
	attempt int
	at      time.Time
}

// sendRecorder notes what was sent while the next mails are on their way, several of
// them together.
type sendRecorder struct {
	worker *mailboxWorker
	handed map[int64]bool // ids of the mails that it was given, for those who give them
	todo   chan unrecordedSend
	failed chan struct{}    // closed at the first error
	err    error            // that error
	ended  chan struct{}    // closed when what follows may be read
	left   []unrecordedSend // not noted because of err
}

// newSendRecorder starts a marker. What ends ctx does not keep it from noting what the
// server has said.
func (s *mailboxWorker) newSendRecorder(ctx context.Context) *sendRecorder {
	m := &sendRecorder{
		worker: s, handed: map[int64]bool{},
		todo: make(chan unrecordedSend, maxUnrecorded), failed: make(chan struct{}), ended: make(chan struct{}),
	}
	go m.run(context.WithoutCancel(ctx))
	return m
}

func (m *sendRecorder) run(ctx context.Context) {
	defer m.worker.logPanic()
	defer close(m.ended)
	for first := range m.todo {
		group := m.gather(first)
		if m.err == nil {
			if m.err = m.worker.recordSent(ctx, group); m.err != nil {
				close(m.failed)
			}
		}
		if m.err != nil {
			m.left = append(m.left, group...)
			continue
		}
		for _, u := range group {
			m.worker.tellSent(u)
		}
	}
}

// others are those mails that it was not given: the store may not know yet
// that the rest was sent.
func (m *sendRecorder) others(due []store.OutboxMessage) []store.OutboxMessage {
	return slices.DeleteFunc(due, func(l store.OutboxMessage) bool { return m.handed[l.ID] })
}

// gather gives a mail and those that are sent soon after it.
func (m *sendRecorder) gather(first unrecordedSend) []unrecordedSend {
	group := append(make([]unrecordedSend, 0, maxUnrecorded), first)
	late := time.NewTimer(recordDelay)
	defer late.Stop()
	for len(group) < cap(group) {
		select {
		case u, ok := <-m.todo:
			if !ok {
				return group
			}
			group = append(group, u)
		case <-late.C:
			return group
		}
	}
	return group
}

// sent hands over a mail that was sent. After an error nothing more may be
// sent: on a full disk the same mails would go out again and again.
func (m *sendRecorder) sent(u unrecordedSend) error {
	m.handed[u.message.ID] = true
	m.todo <- u
	select {
	case <-m.failed:
		return m.err
	default:
		return nil
	}
}

// end waits until all is noted.
func (m *sendRecorder) end() error {
	close(m.todo)
	<-m.ended
	m.worker.unrecorded = append(m.worker.unrecorded, m.left...)
	return m.err
}

// recordSent notes mails as sent, together if that can be.
func (s *mailboxWorker) recordSent(ctx context.Context, group []unrecordedSend) error {
	one := func(ctx context.Context, u unrecordedSend) error {
		return s.store.MarkSent(ctx, u.message.ID, u.attempt, u.at)
	}
	if len(group) > 1 {
		err := s.store.Group(ctx, func(ctx context.Context) error {
			for _, u := range group {
				if err := one(ctx, u); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			return nil
		}
	}
	for _, u := range group {
		if err := one(ctx, u); err != nil && !errors.Is(err, store.ErrUnknownMessage) { // it is another store by now
			return err
		}
	}
	return nil
}

// recordUnrecorded notes what could not be noted before.
func (s *mailboxWorker) recordUnrecorded(ctx context.Context) error {
	if len(s.unrecorded) == 0 {
		return nil
	}
	if err := s.recordSent(ctx, s.unrecorded); err != nil {
		return err
	}
	for _, u := range s.unrecorded {
		s.tellSent(u)
	}
	s.unrecorded = nil
	return nil
}

func (s *mailboxWorker) tellSent(u unrecordedSend) {
	s.emit(Event{Kind: Sent, Mailbox: s.box.Address, Outcome: outgoing.Delivered.String(), Detail: u.message.To})
}
