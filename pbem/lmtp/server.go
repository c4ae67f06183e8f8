// Package lmtp takes in mails from a mail server by LMTP (RFC 2033), on a socket of this machine. It answers 250 for
// a recipient when the mail is on stable storage, and 4xx if the mail cannot be stored now, so that the server tries
// again.
//
// The permissions of the socket, or the loopback address, decide who may connect: LMTP has no login.
package lmtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"starpost/pbem/disk"
	"starpost/pbem/incoming"
	"starpost/pbem/transport"
)

// Limits of a connection. A mail server waits ten minutes for an answer to its data (RFC 5321 section 4.5.3.2).
const (
	maxRecipients  = 100
	maxConnections = 10
	silence        = 2 * time.Minute
)

// Config says where to listen, and for whom mails are taken in.
type Config struct {
	Listen string // "unix:/run/starpost/lmtp" or "127.0.0.1:2424"
	// Box returns the box of a recipient, without its plus tag; nil for none.
	Box func(address string) *incoming.Box
	// Arrived is called after a mail was put into a box. It must not block.
	Arrived func(*incoming.Box)
	Log     *slog.Logger
}

// Server is an open socket.
type Server struct {
	cfg      Config
	listener net.Listener
	smtp     *smtp.Server
}

// Listen opens the socket. It replaces a socket that a dead process left.
func Listen(cfg Config) (*Server, error) {
	network, address, err := transport.LocalSocket(cfg.Listen)
	if err != nil {
		return nil, err
	}
	if network == "unix" {
		if err := removeStale(address); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, fmt.Errorf("listen for LMTP at %s: %w", cfg.Listen, err)
	}
	if network == "unix" { // the mail server runs as another user
		if err := os.Chmod(address, 0o666); err != nil {
			return nil, errors.Join(fmt.Errorf("open the socket %s to the mail server: %w", address, err), l.Close())
		}
	}
	s := &Server{cfg: cfg, listener: &limited{Listener: l, free: make(chan struct{}, maxConnections)}}
	s.smtp = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	s.smtp.LMTP, s.smtp.Domain, s.smtp.EnableSMTPUTF8 = true, "localhost", true
	s.smtp.MaxRecipients, s.smtp.MaxMessageBytes = maxRecipients, incoming.MaxBytes
	s.smtp.ReadTimeout, s.smtp.WriteTimeout = silence, silence
	s.smtp.ErrorLog = log.New(io.Discard, "", 0) // clients log their own errors
	return s, nil
}

// removeStale removes a socket that no one listens on any more.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look at the socket %s: %w", path, err)
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("%s is there and is no socket: move it away, or listen elsewhere", path)
	}
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		return errors.Join(fmt.Errorf("another process listens at %s: stop it, or listen elsewhere", path), c.Close())
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove the socket that is left from before: %w", err)
	}
	return nil
}

// Address returns the address of the socket.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// Serve serves until ctx ends. Open connections are then cut, and the mail server tries again.
func (s *Server) Serve(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		if err := s.Close(); err != nil {
			s.cfg.Log.Debug("closing the socket for LMTP failed", "err", err)
		}
	})()
	if err := s.smtp.Serve(s.listener); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve LMTP at %s: %w", s.cfg.Listen, err)
	}
	return nil
}

// Close closes the socket and all connections.
func (s *Server) Close() error {
	return errors.Join(s.smtp.Close(), ignoreClosed(s.listener.Close()))
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// limited accepts a connection only while fewer than cap(free) are open; others wait.
type limited struct {
	net.Listener
	free chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, leave: sync.OnceFunc(func() { <-l.free })}, nil
}

type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// session handles one mail after another.
type session struct {
	server *Server
	from   string
	to     []string
	boxes  []*incoming.Box // one for each recipient
}

func (s *session) Reset()        { s.from, s.to, s.boxes = "", nil, nil }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.Reset()
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	box := s.server.cfg.Box(incoming.WithoutTag(to))
	if box == nil {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no mailbox of this robot has that address"}
	}
	s.to, s.boxes = append(s.to, to), append(s.boxes, box)
	return nil
}

// Data refuses, because only LMTP is supported.
func (s *session) Data(io.Reader) error { return errors.New("LMTP is spoken here") }

// LMTPData puts the mail into the box of each recipient, once for all with the same box.
func (s *session) LMTPData(r io.Reader, status smtp.StatusCollector) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err // of the connection, or too large
	}
	put := map[*incoming.Box]error{}
	for i, box := range s.boxes {
		if _, done := put[box]; !done {
			var to []string
			for j, b := range s.boxes {
				if b == box {
					to = append(to, s.to[j])
				}
			}
			err := box.Put(incoming.Envelope{ReturnPath: "<" + s.from + ">", To: to}, strings.NewReader(string(raw)))
			if err == nil {
				s.server.cfg.Arrived(box)
			} else {
				s.server.cfg.Log.Error("mail not taken over, the mail server tries again", "err", err)
			}
			put[box] = refusal(err)
		}
		status.SetStatus(s.to[i], put[box])
	}
	return nil
}

// refusal returns the answer for a mail that could not be put into its box.
func refusal(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, incoming.ErrTooLarge):
		return smtp.ErrDataTooLarge
	case disk.IsUnwritable(err):
		return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 3, 1}, Message: "the mail cannot be stored now: the disk takes no more"}
	}
	return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "the mail cannot be stored now"}
}
