package outgoing

import (
	"context"
	"log/slog"
)

// Envelope is one mail on its way to one recipient.
type Envelope struct {
	From string // "" is the null return path, for what must never bounce
	To   string
	Data []byte // the whole mail, lines ended by CRLF, as Render gives it

	// Next is the mail that will be sent after this one; nil if that is not known
	// yet. It spares a journey to the server and back where the server can be told
	// of it early.
	Next *Envelope
	// Meanwhile, if not nil, may be called once while the server has the mail and
	// has not answered yet. It must not use the session.
	Meanwhile func()
	// Last, if not nil, is asked right before the end of the mail is said, with which the server has
	// it: after an error it never gets that end, and the outcome is TemporaryFailure.
	Last func() error
}

// Sender opens sessions with the configured server. It is safe for use by
// several goroutines; its sessions are not.
type Sender struct {
	cfg Config
	log *slog.Logger
}

// NewSender checks the configuration; it does not touch the network.
func NewSender(cfg Config, log *slog.Logger) (*Sender, error) {
	full, err := cfg.complete()
	if err != nil {
		return nil, classify(StageConfig, err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Sender{cfg: full, log: log.With("smtp", full.Host)}, nil
}

// Open connects, secures the connection as configured and logs in.
// Errors are *Error with the outcome TemporaryFailure.
func (s *Sender) Open(ctx context.Context) (*Session, error) {
	session := &Session{sender: s}
	if err := session.dial(ctx); err != nil {
		return nil, err
	}
	return session, nil
}
