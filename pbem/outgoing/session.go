package outgoing

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/wneessen/go-mail/smtp"

	"starpost/pbem/transport"
)

// Session is a logged-in connection that sends one mail after the other. If the connection is lost,
// the next Send reconnects. It must be used by one goroutine only.
type Session struct {
	sender *Sender
	wire   *wire // nil when not connected
	smtp   *smtp.Client
	used   bool // a mail was sent on this connection
	closed bool

	ahead *Envelope // the mail with commands that were sent with the end of the previous one
	since time.Time // when they were sent
	alone bool      // do not do that: it failed once
	text  []byte    // buffer for sending
}

// dial connects and logs in. It uses the library's protocol client directly, because the library's
// dialler neither says at which stage it failed nor closes the connection then.
func (s *Session) dial(ctx context.Context) error {
	cfg := &s.sender.cfg
	auth := &login{cfg: cfg}
	if cfg.User != "" && cfg.Auth != transport.Password {
		// First of all: a server does not wait long for a login.
		var err error
		if auth.bearer, err = cfg.Bearer(ctx); err != nil {
			return classify(StageAuth, err)
		}
	}
	conn, err := cfg.Connect(ctx)
	if err != nil {
		return classify(StageDial, err)
	}
	s.wire, s.used = &wire{Conn: conn}, false

	tlsConfig := cfg.TLSConfig()
	var under net.Conn = s.wire
	if cfg.TLS == transport.TLSImplicit {
		secure := tls.Client(s.wire, tlsConfig)
		under = secure
		if err := s.step(ctx, StageTLS, cfg.Timeout, func() error { return secure.HandshakeContext(ctx) }); err != nil {
			return err
		}
	}
	err = s.step(ctx, StageGreeting, cfg.Timeout, func() (err error) {
		s.smtp, err = smtp.NewClient(under, cfg.Host)
		return err
	})
	if err != nil {
		return err
	}
	// Addresses and headers are ASCII; requesting SMTPUTF8 could only make the next server refuse
	// the mail.
	s.smtp.SkipSMTPUTF8(true)
	if err := s.step(ctx, StageHello, cfg.Timeout, func() error { return s.smtp.Hello(cfg.HELO) }); err != nil {
		return err
	}
	if cfg.TLS == transport.TLSStart {
		err := s.step(ctx, StageTLS, cfg.Timeout, func() error {
			if ok, _ := s.smtp.Extension("STARTTLS"); !ok {
				return errNoTLS
			}
			return s.smtp.StartTLS(tlsConfig)
		})
		if err != nil {
			return err
		}
	}
	if cfg.User == "" {
		return nil
	}
	return s.step(ctx, StageAuth, cfg.Timeout, func() error {
		if ok, _ := s.smtp.Extension("AUTH"); !ok {
			return errNoLogin
		}
		return auth.explain(s.smtp.Auth(auth))
	})
}

// Send hands one mail to the server. The error is nil exactly if the outcome is Delivered;
// otherwise it is an *Error with the outcome. A session that the server has closed meanwhile is
// reopened once.
func (s *Session) Send(ctx context.Context, env Envelope) (Outcome, error) {
	if err := s.check(env); err != nil {
		return err.Outcome, err
	}
	if sign := s.sender.cfg.Sign; sign != nil {
		var err error
		if env.Data, err = sign(env.Data); err != nil {
			return TemporaryFailure, classify(StageConfig, err)
		}
	}
	for {
		s.fulfil(env)
		reused, ahead := s.wire != nil && s.used, s.ahead != nil
		if s.wire == nil {
			if err := s.dial(ctx); err != nil {
				return TemporaryFailure, err
			}
		}
		err := s.transaction(ctx, env)
		if err == nil {
			return Delivered, nil
		}
		var e *Error
		if !errors.As(err, &e) {
			e = classify(StageMail, err)
		}
		if ahead && e.Stage == StageMail && !cancelled(e.Err) {
			// Perhaps the server offers more than it supports.
			s.sender.log.Debug("pipelined mail not accepted, sending it separately", "err", e)
			s.alone = true
			continue // once: nothing is ahead now
		}
		stale := reused && e.Stage == StageMail && s.wire == nil && !cancelled(e.Err) && !errors.Is(e.Err, transport.ErrSilent)
		if stale {
			s.sender.log.Debug("smtp session closed, reconnecting", "err", e)
			continue // once: the new connection is not reused
		}
		return e.Outcome, e
	}
}

func (s *Session) check(env Envelope) *Error {
	if s.closed {
		e := classify(StageConfig, errClosed)
		e.Outcome = TemporaryFailure
		return e
	}
	if env.From != "" {
		if err := ValidAddress(env.From); err != nil {
			return classify(StageEnvelope, err)
		}
	}
	if err := ValidAddress(env.To); err != nil {
		return classify(StageEnvelope, err)
	}
	if len(env.Data) == 0 {
		return classify(StageEnvelope, errors.New("the mail is empty"))
	}
	return nil
}

// transaction sends MAIL, RCPT, DATA, the mail and its end. After a refusal the session is ready
// for the next mail.
func (s *Session) transaction(ctx context.Context, env Envelope) error {
	if err := s.fits(env); err != nil {
		return err
	}
	if err := s.begin(ctx, env); err != nil {
		return err
	}
	// If the reply to a complete mail were not read, the mail would be sent twice.
	linger, done := outlast(ctx, s.sender.cfg.Linger)
	defer done()
	if err := s.body(ctx, linger, env); err != nil {
		return err
	}
	if env.Meanwhile != nil {
		env.Meanwhile()
	}
	err := s.step(linger, StageEnd, s.sender.cfg.EndTimeout, s.end)
	s.used = true
	return err
}

// outlast returns a context that ends a while after ctx, with the same cause.
func outlast(ctx context.Context, while time.Duration) (longer context.Context, done func()) {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(while):
			cancel(context.Cause(ctx))
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); cancel(nil) }
}

// fits avoids sending a mail that is larger than the server accepts (RFC 1870, 6.1). A missing
// number or zero means no known limit.
func (s *Session) fits(env Envelope) error {
	most := s.most()
	if int64(len(env.Data)) <= most {
		return nil
	}
	e := classify(StageMail, fmt.Errorf("the mail has %d bytes, and the server takes at most %d", len(env.Data), most))
	e.Outcome, e.temporary, e.tooLarge = PermanentFailure, false, true
	return e
}

// most returns the largest mail that the server accepts, in bytes.
func (s *Session) most() int64 {
	_, limit := s.smtp.Extension("SIZE")
	most, _ := strconv.ParseInt(limit, 10, 64)
	if most <= 0 {
		return math.MaxInt64
	}
	return most
}

// refused resets the server after the refusal of one mail.
func (s *Session) refused(ctx context.Context, err error) error {
	if s.wire == nil {
		return err
	}
	// A failure here is not this mail's: it only costs the connection.
	if resetErr := s.step(ctx, StageMail, s.sender.cfg.Timeout, s.smtp.Reset); resetErr != nil {
		s.cut()
	}
	s.used = true
	return err
}

// step runs fn, which blocks in the library, and cuts the connection under it if ctx ends or the
// server is silent for longer than limit. Unless fn succeeds or the server clearly refuses a mail,
// the connection is cut: whatever follows on it could be taken for the end of a half-sent mail.
func (s *Session) step(ctx context.Context, stage Stage, limit time.Duration, fn func() error) error {
	err := context.Cause(ctx)
	if err == nil {
		w := s.wire
		stop := context.AfterFunc(ctx, func() { w.Close() })
		if err = w.stage(limit); err == nil {
			err = fn()
		}
		stop()
		if err == nil {
			return nil
		}
		err = s.why(ctx, err)
	}
	e := classify(stage, err)
	if e.Code == 0 || e.Code == 421 || e.Code < 400 || isSession(stage) {
		s.cut()
	}
	return e
}

// why finds the reason for an error of a connection that we cut ourselves.
func (s *Session) why(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*textproto.Error](err); ok {
		return err
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	s.wire.mu.Lock()
	flooded := s.wire.flooded
	s.wire.mu.Unlock()
	if flooded {
		return transport.ErrFlood
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return transport.ErrSilent
	}
	return err
}

// cut closes the connection without QUIT.
func (s *Session) cut() {
	if s.wire != nil {
		s.wire.Close()
	}
	s.wire, s.smtp, s.ahead = nil, nil, nil
}

// Close sends QUIT if the connection is open, and closes it. It may be called twice.
func (s *Session) Close() {
	s.closed = true
	if s.ahead != nil {
		s.cut() // the server waits for a mail and would take QUIT for it
	}
	if s.wire == nil {
		return
	}
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	// The server has replied to every mail; a lost QUIT loses nothing.
	_ = s.step(ctx, StageEnd, patience, s.smtp.Quit)
	s.cut()
}

// replyBudget limits how many bytes a server may send within one stage.
const replyBudget = 128 << 10

// chunk is how much of a mail is written before the timeout starts again.
const chunk = 64 << 10

// wire is the connection under the protocol library. It limits what a server may send, because the
// library reads replies of any length.
type wire struct {
	net.Conn

	mu      sync.Mutex
	left    int64
	flooded bool
}

// stage starts a stage that must make progress within d.
func (w *wire) stage(d time.Duration) error {
	w.mu.Lock()
	w.left = replyBudget
	w.mu.Unlock()
	return w.SetDeadline(time.Now().Add(d))
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left -= int64(n)
	if w.left < 0 {
		w.flooded = true
		return 0, transport.ErrFlood
	}
	return n, err
}
