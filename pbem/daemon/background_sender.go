package daemon

import (
	"context"
	"sync"
)

// backgroundSender sends the mails of a mailbox for Once. It starts early when there is
// much to do: what is queued by then goes out while more mails are acted on. What
// is left goes at last, over the same connection.
type backgroundSender struct {
	worker     *sender
	connection connection
	stop       chan struct{}
	ended      chan struct{} // closed when what follows may be used by others
	n          delivered
	err        error // why it came to an end early
	told       bool  // ... and that was reported
	finish     sync.Once
}

// startSender starts a background sender; end must be called.
func (s *sender) startSender(ctx context.Context) *backgroundSender {
	e := &backgroundSender{worker: s, connection: connection{worker: s}, stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer s.logPanic()
		defer close(e.ended)
		for e.err == nil {
			select {
			case <-s.sendNow:
				e.err = s.deliverOn(ctx, &e.connection, &e.n)
			case <-e.stop:
				return
			}
		}
	}()
	return e
}

// sendRest sends what is left. A server that was in trouble before is not tried again.
func (e *backgroundSender) sendRest(ctx context.Context) error {
	e.end()
	if e.told = true; e.err != nil {
		return e.err
	}
	defer e.connection.close()
	return e.worker.deliverOn(ctx, &e.connection, &e.n)
}

// end ends what was done early. It may be called twice.
func (e *backgroundSender) end() {
	e.finish.Do(func() {
		close(e.stop)
		<-e.ended
	})
}

// connection is a connection with the outgoing server, which is made when there is
// something to send.
type connection struct {
	worker *sender
	out    Sender
}

func (l *connection) open(ctx context.Context) (out Sender, err error) {
	if l.out == nil {
		if out, err = l.worker.o.Sender(ctx, l.worker.box); err != nil {
			return nil, err
		}
		l.out = out
	}
	return l.out, nil
}

// close may be called twice.
func (l *connection) close() {
	if l.out != nil {
		l.out.Close()
		l.out = nil
	}
}
