package sender

import (
	"context"
	"errors"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// unrecordedSend is a mail that the server accepted but that the store has not recorded yet.
type unrecordedSend struct {
	message store.OutboxMessage
	attempt int
	at      time.Time
}

// sendRecorder records each sent mail while the next one is being sent, and before the server has the
// end of that one. So if the process is killed or replaced, at most one mail is with the server and not
// recorded; it is sent again under its own Message-ID.
type sendRecorder struct {
	worker *Sender
	noting chan error // receives the result of recording the worker's unrecorded mail; nil: not in progress
}

// sent records a sent mail in the background. The end of ctx does not keep it from recording what the server said.
func (m *sendRecorder) sent(ctx context.Context, u unrecordedSend) {
	noting := make(chan error, 1)
	m.noting, m.worker.Unrecorded = noting, &u
	go func() {
		defer m.worker.LogPanic()
		noting <- m.worker.recordSent(context.WithoutCancel(ctx), u)
	}()
}

// settle waits until the last sent mail is recorded. After an error nothing more may be sent: on a full disk the
// same mails would be sent again and again.
func (m *sendRecorder) settle() error {
	if m.noting == nil {
		return nil
	}
	err := <-m.noting
	if m.noting = nil; err == nil {
		m.worker.tellSent()
	}
	return err
}

// recordSent records a mail as sent.
func (s *Sender) recordSent(ctx context.Context, u unrecordedSend) error {
	if err := s.Store.MarkSent(ctx, u.message.ID, u.attempt, u.at); !errors.Is(err, store.ErrUnknownMessage) { // otherwise the store has been replaced
		return err
	}
	return nil
}

// recordUnrecorded records what could not be recorded before.
func (s *Sender) recordUnrecorded(ctx context.Context) error {
	if s.Unrecorded == nil {
		return nil
	}
	err := s.recordSent(ctx, *s.Unrecorded)
	if err == nil {
		s.tellSent()
	}
	return err
}

// tellSent emits an event for the last sent mail, which is now recorded.
func (s *Sender) tellSent() {
	s.Emit(process.Event{Kind: process.Sent, Mailbox: s.Box.Address, Outcome: outgoing.Delivered.String(), Detail: s.Unrecorded.message.To})
	s.Unrecorded = nil
}
