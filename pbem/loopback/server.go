package loopback

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-smtp"
)

const (
	maxMessage    = 32 << 20        // bytes
	maxRecipients = 50              // per mail
	maxLine       = 12288           // for access tokens (RFC 4954, 4)
	readTimeout   = 5 * time.Minute // a silent client is dropped
	inbox         = "INBOX"
)

// TLSMode is how the servers encrypt.
type TLSMode uint8

// The TLS modes.
const (
	NoTLS       TLSMode = iota // plain text
	ImplicitTLS                // TLS from the first byte
	StartTLS                   // plain text until STARTTLS; no login before
)

// User is an account on both servers; the address is the login name.
type User struct {
	Address  string // local@domain, in any case
	Password string
}

// Options configures the servers; the zero value is suitable for a demo.
type Options struct {
	TLS TLSMode
	// OnDelivery is called for every accepted mail, with its bytes as sent, before the sender gets
	// the reply. It must not block.
	OnDelivery func(from, to string, raw []byte)
	// RequireLogin refuses mail without a login.
	RequireLogin bool
	// CheckToken makes the servers offer XOAUTH2 and OAUTHBEARER, and reports whether an access
	// token is valid for a user.
	CheckToken func(user, token string) bool
	// Sink is a domain. Mail to it is accepted and dropped; "" for none.
	Sink string
	// NoMove and NoUIDPlus remove that capability from the IMAP server.
	NoMove, NoUIDPlus bool
	// NoPlus refuses mail for addresses with a plus tag.
	NoPlus bool
	// QuietIdle accepts IDLE, but never announces anything, as some real servers do.
	QuietIdle bool
	// Log receives the servers' own errors; nil discards them.
	Log io.Writer
}

// Server is the running pair of servers. All methods are safe for concurrent use.
type Server struct {
	opts  Options
	roots *x509.CertPool
	imap  *imapserver.Server
	smtp  *smtp.Server
	imapL *listener
	smtpL *listener
	done  chan struct{} // closed by Close
	group sync.WaitGroup

	faults faults

	mu     sync.Mutex
	users  map[string]*account // by lower-case address
	closed bool
}

type account struct {
	User
	box *imapmemserver.User
}

// Start runs both servers on free ports of 127.0.0.1 until Close.
func Start(users []User, opts Options) (*Server, error) {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	s := &Server{opts: opts, users: make(map[string]*account), done: make(chan struct{})}
	s.faults.reset()
	for _, u := range users {
		if err := s.addUser(u); err != nil {
			return nil, err
		}
	}
	var config *tls.Config
	if opts.TLS != NoTLS {
		cert, roots, err := selfSigned()
		if err != nil {
			return nil, fmt.Errorf("make a certificate for the loopback servers: %w", err)
		}
		s.roots = roots
		config = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	}
	var err error
	if s.imapL, err = s.listen(StageIMAPConnect); err != nil {
		return nil, err
	}
	if s.smtpL, err = s.listen(StageSMTPConnect); err != nil {
		s.imapL.Close()
		return nil, err
	}
	logger := log.New(opts.Log, "loopback ", 0)
	s.imap = s.newIMAP(config, logger)
	s.smtp = s.newSMTP(config, logger)
	s.serve("imap", s.imapL, config, s.imap.Serve, logger)
	s.serve("smtp", s.smtpL, config, s.smtp.Serve, logger)
	// Closing a server of go-imap that has only begun to serve is a data race.
	<-s.imapL.serving
	<-s.smtpL.serving
	return s, nil
}

func (s *Server) serve(name string, l *listener, config *tls.Config, run func(net.Listener) error, logger *log.Logger) {
	var on net.Listener = l
	if s.opts.TLS == ImplicitTLS {
		on = tls.NewListener(l, config)
	}
	s.group.Go(func() {
		if err := run(on); err != nil && !errors.Is(err, net.ErrClosed) {
			logger.Printf("serve %s: %v", name, err)
		}
	})
}

// IMAPAddr returns host:port of the IMAP server.
func (s *Server) IMAPAddr() string { return s.imapL.Addr().String() }

// SMTPAddr returns host:port of the SMTP server.
func (s *Server) SMTPAddr() string { return s.smtpL.Addr().String() }

// Roots returns the servers' certificate as a pool; nil without TLS.
func (s *Server) Roots() *x509.CertPool { return s.roots }

// addUser creates an account with an empty INBOX.
func (s *Server) addUser(u User) error {
	address := strings.ToLower(u.Address)
	if local, domain, ok := strings.Cut(address, "@"); !ok || local == "" || domain == "" {
		return fmt.Errorf("loopback user %q is not of the form local@domain", u.Address)
	}
	box := imapmemserver.NewUser(address, u.Password)
	if err := box.Create(inbox, nil); err != nil {
		return fmt.Errorf("make the mailbox of %s: %w", address, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[address] != nil {
		return fmt.Errorf("loopback user %s exists already", address)
	}
	s.users[address] = &account{User: u, box: box}
	return nil
}

// account finds the account for an address, ignoring case and a plus tag in the local part.
func (s *Server) account(address string) *account {
	address = strings.ToLower(address)
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.users[address]; a != nil || s.opts.NoPlus {
		return a
	}
	local, domain, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	return s.users[local+"@"+domain]
}

// Deliver puts a mail into the INBOX of a known user, as if it had come by SMTP, with the headers
// Return-Path and Delivered-To. It calls OnDelivery. For the Sink it only calls OnDelivery.
func (s *Server) Deliver(from, to string, raw []byte) error {
	if s.sinks(to) {
		if s.opts.OnDelivery != nil {
			s.opts.OnDelivery(from, to, raw)
		}
		return nil
	}
	a := s.account(to)
	if a == nil {
		return fmt.Errorf("deliver mail: no mailbox %s", to)
	}
	if strings.ContainsAny(from+to, "\r\n") {
		return errors.New("deliver mail: an address with a line break")
	}
	head := fmt.Sprintf("Return-Path: <%s>\r\nDelivered-To: %s\r\n", from, to)
	if err := s.store(a, append([]byte(head), raw...)); err != nil {
		return err
	}
	if s.opts.OnDelivery != nil {
		s.opts.OnDelivery(from, to, raw)
	}
	return nil
}

// sinks reports whether mail for an address is dropped.
func (s *Server) sinks(address string) bool {
	_, domain, _ := strings.Cut(address, "@")
	return s.opts.Sink != "" && strings.EqualFold(domain, s.opts.Sink)
}

// Put puts bytes into the INBOX of a known user unchanged.
func (s *Server) Put(to string, raw []byte) error {
	a := s.account(to)
	if a == nil {
		return fmt.Errorf("put mail: no mailbox %s", to)
	}
	return s.store(a, raw)
}

func (s *Server) store(a *account, raw []byte) error {
	if len(raw) > maxMessage {
		return fmt.Errorf("mail for %s has %d bytes, more than %d", a.Address, len(raw), maxMessage)
	}
	if _, err := a.box.Append(inbox, literal{bytes.NewReader(raw)}, &imap.AppendOptions{}); err != nil {
		return fmt.Errorf("append mail for %s: %w", a.Address, err)
	}
	return nil
}

// literal is the library's kind of reader, which knows its size.
type literal struct{ *bytes.Reader }

// Renumber empties a user's INBOX and gives it a new UIDVALIDITY, as after a provider restored a
// mailbox. UIDs start again at 1.
func (s *Server) Renumber(address string) error {
	a := s.account(address)
	if a == nil {
		return fmt.Errorf("renumber mailbox: no mailbox %s", address)
	}
	if err := a.box.Delete(inbox); err != nil {
		return fmt.Errorf("renumber mailbox of %s: %w", address, err)
	}
	if err := a.box.Create(inbox, nil); err != nil {
		return fmt.Errorf("renumber mailbox of %s: %w", address, err)
	}
	return nil
}

// DropConnections cuts every current connection.
func (s *Server) DropConnections() {
	s.imapL.drop()
	s.smtpL.drop()
}

// Close stops both servers and closes every connection. It may be called twice.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.faults.reset()
	close(s.done)
	err := errors.Join(s.imap.Close(), s.smtp.Close())
	s.DropConnections()
	s.group.Wait()
	return err
}

// selfSigned creates a certificate for the loopback address, and a pool that trusts it. It is
// always valid, so that a test's clock does not matter.
func selfSigned() (tls.Certificate, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "starpost loopback"},
		NotBefore:             time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, roots, nil
}
