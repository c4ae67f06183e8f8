package loopback

import (
	"cmp"
	"crypto/tls"
	"log"
	"net"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// idlePoll is how often an idling client gets news.
const idlePoll = 20 * time.Millisecond

func (s *Server) newIMAP(config *tls.Config, logger *log.Logger) *imapserver.Server {
	caps := imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapNamespace: {}}
	if !s.opts.NoMove {
		caps[imap.CapMove] = struct{}{}
	}
	if !s.opts.NoUIDPlus {
		caps[imap.CapUIDPlus] = struct{}{}
	}
	options := &imapserver.Options{
		Caps:         caps,
		Logger:       logger,
		InsecureAuth: s.opts.TLS != StartTLS,
		NewSession: func(c *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &imapSession{server: s, conn: c}, nil, nil
		},
	}
	if s.opts.TLS == StartTLS {
		options.TLSConfig = config
	}
	return imapserver.New(options)
}

// imapSession is the library's in-memory session with faults in front of it and a few of its gaps
// closed.
type imapSession struct {
	*imapmemserver.UserSession // nil before login
	server                     *Server
	conn                       *imapserver.Conn
}

// trip fails if a fault is due at stage.
func (s *imapSession) trip(stage Stage) error {
	f, ok := s.server.faults.take(stage)
	if !ok {
		return nil
	}
	if f.Hang {
		s.server.faults.wait()
	}
	if f.Drop || f.Hang {
		s.conn.NetConn().Close()
		return net.ErrClosed
	}
	text := cmp.Or(f.Text, "refused on purpose")
	return &imap.Error{Type: imap.StatusResponseTypeNo, Text: text}
}

// Login checks name and password.
func (s *imapSession) Login(name, password string) error {
	if err := s.trip(StageIMAPLogin); err != nil {
		return err
	}
	a := s.server.account(name)
	if a == nil || !samePassword(password, a.Password) {
		return imapserver.ErrAuthFailed
	}
	s.welcome(a)
	return nil
}

// welcome starts the user's session.
func (s *imapSession) welcome(a *account) { s.UserSession = imapmemserver.NewUserSession(a.box) }

// Close ends the session.
func (s *imapSession) Close() error {
	if s.UserSession == nil {
		return nil
	}
	return s.UserSession.Close()
}

// Select opens a mailbox.
func (s *imapSession) Select(name string, options *imap.SelectOptions) (*imap.SelectData, error) {
	if err := s.trip(StageIMAPSelect); err != nil {
		return nil, err
	}
	return s.UserSession.Select(name, options)
}

// Search finds mails.
func (s *imapSession) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, options *imap.SearchOptions) (*imap.SearchData, error) {
	if err := s.trip(StageIMAPSearch); err != nil {
		return nil, err
	}
	return s.UserSession.Search(kind, criteria, options)
}

// Fetch sends mails.
func (s *imapSession) Fetch(w *imapserver.FetchWriter, set imap.NumSet, options *imap.FetchOptions) error {
	if err := s.trip(StageIMAPFetch); err != nil {
		return err
	}
	return s.UserSession.Fetch(w, set, options)
}

// Copy copies mails. If none of them is left it gives a plain answer, where the library would write
// an invalid reply.
func (s *imapSession) Copy(set imap.NumSet, folder string) (*imap.CopyData, error) {
	if err := s.trip(StageIMAPCopy); err != nil {
		return nil, err
	}
	data, err := s.UserSession.Copy(set, folder)
	if err != nil || empty(data.SourceUIDs) {
		return nil, err
	}
	return data, nil
}

// Move moves mails; see Copy.
func (s *imapSession) Move(w *imapserver.MoveWriter, set imap.NumSet, folder string) error {
	if err := s.trip(StageIMAPMove); err != nil {
		return err
	}
	criteria := new(imap.SearchCriteria)
	kind := imapserver.NumKindSeq
	switch set := set.(type) {
	case imap.UIDSet:
		criteria.UID, kind = []imap.UIDSet{set}, imapserver.NumKindUID
	case imap.SeqSet:
		criteria.SeqNum = []imap.SeqSet{set}
	}
	found, err := s.UserSession.Search(kind, criteria, &imap.SearchOptions{ReturnCount: true})
	if err != nil || found.Count == 0 {
		return err
	}
	return s.UserSession.Move(w, set, folder)
}

func empty(uids imap.UIDSet) bool { return len(uids) == 0 }

// Idle sends news until stop. The library's own implementation misses news that comes between its
// answer and its listening.
func (s *imapSession) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	if s.server.opts.QuietIdle {
		select {
		case <-stop:
		case <-s.server.done:
		}
		return nil
	}
	tick := time.NewTicker(idlePoll)
	defer tick.Stop()
	for {
		if err := s.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-stop:
			return nil
		case <-s.server.done:
			return nil
		case <-tick.C:
		}
	}
}
