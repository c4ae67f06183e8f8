package daemon

import (
	"context"
	"sync"
)

// backgroundSender sends the letters of a mailbox for Once. It sets out early when there is
// much to do: what is queued by then goes out while more mails are acted on. What
// is left goes at last, over the same connection.
type backgroundSender struct {
	station *mailboxWorker
	line    line
	stop    chan struct{}
	ended   chan struct{} // closed when what follows may be used by others
	n       delivered
	err     error // why it came to an end early
	told    bool  // ... and that somebody knows of that
	finish  sync.Once
}

// setOut starts an errand; end must be called.
func (s *mailboxWorker) setOut(ctx context.Context) *backgroundSender {
	e := &backgroundSender{station: s, line: line{station: s}, stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer s.fell()
		defer close(e.ended)
		for e.err == nil {
			select {
			case <-s.much:
				e.err = s.deliverOn(ctx, &e.line, &e.n)
			case <-e.stop:
				return
			}
		}
	}()
	return e
}

// last sends what is left. A server that was in trouble before is not tried again.
func (e *backgroundSender) last(ctx context.Context) error {
	e.end()
	if e.told = true; e.err != nil {
		return e.err
	}
	defer e.line.close()
	return e.station.deliverOn(ctx, &e.line, &e.n)
}

// end ends what was done early. It may be called twice.
func (e *backgroundSender) end() {
	e.finish.Do(func() {
		close(e.stop)
		<-e.ended
	})
}

// line is a connection with the outgoing server, which is made when there is
// something to send.
type line struct {
	station *mailboxWorker
	out     Outlet
}

func (l *line) open(ctx context.Context) (out Outlet, err error) {
	if l.out == nil {
		if out, err = l.station.o.Outlet(ctx, l.station.box); err != nil {
			return nil, err
		}
		l.out = out
	}
	return l.out, nil
}

// close may be called twice.
func (l *line) close() {
	if l.out != nil {
		l.out.Close()
		l.out = nil
	}
}
