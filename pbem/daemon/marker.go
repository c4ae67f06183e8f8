package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"starpost/pbem/ledger"
	"starpost/pbem/outgoing"
)

// maxUnmarked is how many letters that were sent are noted together at most, and how
// many may wait for that. After a crash they go out once more, under their own
// Message-IDs. The first one waits no longer than soon for others that are noted with
// it: one wait for the disk does for all.
const (
	maxUnmarked = 20
	soon        = 20 * time.Millisecond
)

// unmarked is a letter that the server took and the ledger does not know of yet.
type unmarked struct {
	letter  ledger.OutboxMessage
	attempt int
	at      time.Time
}

// marker notes what was sent while the next letters are on their way, several of
// them together.
type marker struct {
	station *mailboxWorker
	handed  map[int64]bool // ids of the letters that it was given, for those who give them
	todo    chan unmarked
	failed  chan struct{} // closed at the first error
	err     error         // that error
	ended   chan struct{} // closed when what follows may be read
	left    []unmarked    // not noted because of err
}

// newMarker starts a marker. What ends ctx does not keep it from noting what the
// server has said.
func (s *mailboxWorker) newMarker(ctx context.Context) *marker {
	m := &marker{
		station: s, handed: map[int64]bool{},
		todo: make(chan unmarked, maxUnmarked), failed: make(chan struct{}), ended: make(chan struct{}),
	}
	go m.run(context.WithoutCancel(ctx))
	return m
}

func (m *marker) run(ctx context.Context) {
	defer m.station.fell()
	defer close(m.ended)
	for first := range m.todo {
		group := m.gather(first)
		if m.err == nil {
			if m.err = m.station.markAll(ctx, group); m.err != nil {
				close(m.failed)
			}
		}
		if m.err != nil {
			m.left = append(m.left, group...)
			continue
		}
		for _, u := range group {
			m.station.tellSent(u)
		}
	}
}

// others are those letters that it was not given: the ledger may not know yet
// that the rest was sent.
func (m *marker) others(due []ledger.OutboxMessage) []ledger.OutboxMessage {
	return slices.DeleteFunc(due, func(l ledger.OutboxMessage) bool { return m.handed[l.ID] })
}

// gather gives a letter and those that are sent soon after it.
func (m *marker) gather(first unmarked) []unmarked {
	group := append(make([]unmarked, 0, maxUnmarked), first)
	late := time.NewTimer(soon)
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

// sent hands over a letter that was sent. After an error nothing more is to be
// sent: on a full disk the same mails would go out again and again.
func (m *marker) sent(u unmarked) error {
	m.handed[u.letter.ID] = true
	m.todo <- u
	select {
	case <-m.failed:
		return m.err
	default:
		return nil
	}
}

// end waits until all is noted.
func (m *marker) end() error {
	close(m.todo)
	<-m.ended
	m.station.unmarked = append(m.station.unmarked, m.left...)
	return m.err
}

// markAll notes letters as sent, together if that can be.
func (s *mailboxWorker) markAll(ctx context.Context, group []unmarked) error {
	one := func(ctx context.Context, u unmarked) error {
		return s.ledger.MarkSent(ctx, u.letter.ID, u.attempt, u.at)
	}
	if len(group) > 1 {
		err := s.ledger.Together(ctx, func(ctx context.Context) error {
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
		if err := one(ctx, u); err != nil && !errors.Is(err, ledger.ErrUnknownLetter) { // it is another ledger by now
			return err
		}
	}
	return nil
}

// markLeft notes what could not be noted before.
func (s *mailboxWorker) markLeft(ctx context.Context) error {
	if len(s.unmarked) == 0 {
		return nil
	}
	if err := s.markAll(ctx, s.unmarked); err != nil {
		return err
	}
	for _, u := range s.unmarked {
		s.tellSent(u)
	}
	s.unmarked = nil
	return nil
}

func (s *mailboxWorker) tellSent(u unmarked) {
	s.tell(Event{Kind: Sent, Mailbox: s.box.Address, Outcome: outgoing.Delivered.String(), Detail: u.letter.To})
}
