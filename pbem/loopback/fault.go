package loopback

import (
	"sync"
)

// Stage names a point where a server can be made to fail.
type Stage string

// The stages. At the two connect stages a Fault without Hang cuts the connection.
const (
	StageIMAPConnect Stage = "imap connect"
	StageIMAPLogin   Stage = "imap login"
	StageIMAPSelect  Stage = "imap select"
	StageIMAPSearch  Stage = "imap search"
	StageIMAPFetch   Stage = "imap fetch"
	StageIMAPCopy    Stage = "imap copy"
	StageIMAPMove    Stage = "imap move"

	StageSMTPConnect Stage = "smtp connect"
	StageSMTPHello   Stage = "smtp hello"
	StageSMTPLogin   Stage = "smtp login"
	StageSMTPMail    Stage = "smtp mail"
	StageSMTPRcpt    Stage = "smtp rcpt"
	StageSMTPBody    Stage = "smtp body" // after DATA was accepted, before the mail is read
	StageSMTPEnd     Stage = "smtp end"  // after the mail was read, before the reply
)

// Fault is a failure at one stage. With neither Hang nor Drop the command is refused: with Code and
// Text in SMTP, with NO and Text in IMAP.
type Fault struct {
	Stage Stage
	Code  int    // SMTP reply code; 0 means 451
	Text  string // the server's text
	Hang  bool   // be silent until Heal or Close
	Drop  bool   // cut the connection
	// Accept delivers the mail first, at StageSMTPEnd: with Drop or Hang the sender cannot know
	// that.
	Accept bool
	Times  int    // how often; 0 means until Heal
	Hit    func() // called each time, before anything else; may be nil
}

// Inject makes a stage fail from now on. Faults of one stage are used in the order in which they
// were injected.
func (s *Server) Inject(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &f)
}

// Heal removes all faults and releases what hangs.
func (s *Server) Heal() { s.faults.reset() }

// faults are the remaining faults.
type faults struct {
	mu   sync.Mutex
	list []*Fault
	heal chan struct{} // closed by the next reset
}

func (f *faults) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
	if f.heal != nil {
		close(f.heal)
	}
	f.heal = make(chan struct{})
}

// take returns the due fault of a stage and counts it.
func (f *faults) take(stage Stage) (Fault, bool) {
	f.mu.Lock()
	var due *Fault
	for i, one := range f.list {
		if one.Stage != stage {
			continue
		}
		due = one
		if one.Times == 1 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
		} else if one.Times > 1 {
			one.Times--
		}
		break
	}
	f.mu.Unlock()
	if due == nil {
		return Fault{}, false
	}
	if due.Hit != nil {
		due.Hit()
	}
	return *due, true
}

// wait blocks until the faults are healed.
func (f *faults) wait() {
	f.mu.Lock()
	heal := f.heal
	f.mu.Unlock()
	<-heal
}
