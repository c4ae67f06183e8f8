package sender

import (
	"context"
	"sync"

	"starpost/pbem/daemon/process"
)

// BackgroundSender sends the mails of a mailbox for Once. It starts early when there is much to do,
// so that queued mails go out while further mails are acted on. The rest is sent at the end over
// the same connection.
type BackgroundSender struct {
	Worker     *Sender
	Connection connection
	stop       chan struct{}
	ended      chan struct{} // closed when the fields below may be used by others
	N          Delivered
	Err        error // why it stopped early
	Told       bool  // ... and that was returned
	finish     sync.Once
}

// StartSender starts a background sender. The caller must call End.
func (s *Sender) StartSender(ctx context.Context) *BackgroundSender {
	e := &BackgroundSender{Worker: s, Connection: connection{worker: s}, stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer s.LogPanic()
		defer close(e.ended)
		for e.Err == nil {
			select {
			case <-s.SendNow:
				e.Err = s.deliverOn(ctx, &e.Connection, &e.N)
			case <-e.stop:
				return
			}
		}
	}()
	return e
}

// SendRest sends the remaining mails. If the server has already failed, it is not tried again.
func (e *BackgroundSender) SendRest(ctx context.Context) error {
	e.End()
	if e.Told = true; e.Err != nil {
		return e.Err
	}
	defer e.Connection.Close()
	return e.Worker.deliverOn(ctx, &e.Connection, &e.N)
}

// End stops early sending. It may be called twice.
func (e *BackgroundSender) End() {
	e.finish.Do(func() {
		close(e.stop)
		<-e.ended
	})
}

// connection is a connection to the outgoing server. It is opened on first use.
type connection struct {
	worker *Sender
	out    process.Sender
}

func (l *connection) open(ctx context.Context) (out process.Sender, err error) {
	if l.out == nil {
		if out, err = l.worker.Options.Sender(ctx, l.worker.Box); err != nil {
			return nil, err
		}
		l.out = out
	}
	return l.out, nil
}

// Close may be called twice.
func (l *connection) Close() {
	if l.out != nil {
		l.out.Close()
		l.out = nil
	}
}
