package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// post is the mail servers: the robot's mailbox, and the way to captains.
type post struct {
	w  *world
	mu sync.Mutex // held for a moment only

	validity uint32
	next     uint32
	inbox    map[uint32][]byte
	arrived  map[uint32]time.Time
	order    map[string]int // the position among all arrived mails, by SHA-256
	marked   uint32         // the UID of the newest mark
	marks    []mailbox.Mark
	readers  map[*session]bool
}

func newPost(w *world) *post {
	return &post{w: w, validity: 1, next: 1, inbox: map[uint32][]byte{}, arrived: map[uint32]time.Time{}, order: map[string]int{}, readers: map[*session]bool{}}
}

// put puts a mail into the robot's mailbox.
func (p *post) put(raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inbox[p.next], p.arrived[p.next] = raw, time.Now()
	if sha := store.ContentHash(raw); p.order[sha] == 0 {
		p.order[sha] = len(p.order) + 1
	}
	p.next++
	for s := range p.readers {
		s.Wake()
	}
}

// isEmpty reports whether the robot's mailbox is empty.
func (p *post) isEmpty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.inbox) == 0
}

// place returns a mail's position among all arrived mails; 0 if it never arrived.
func (p *post) place(raw []byte) int { return p.order[store.ContentHash(raw)] }

// renumber gives all mails new UIDs under a new validity, like a server that lost its own. Open sessions end.
func (p *post) renumber() {
	p.mu.Lock()
	defer p.mu.Unlock()
	inbox, arrived := p.inbox, p.arrived
	p.inbox, p.arrived, p.next = map[uint32][]byte{}, map[uint32]time.Time{}, 1
	p.validity++
	for _, uid := range slices.Sorted(maps.Keys(inbox)) {
		p.inbox[p.next], p.arrived[p.next] = inbox[uid], arrived[uid]
		p.next++
	}
}

// How often in a thousand times a wire fails, and how long a client waits for a silent server.
const (
	wireFaults = 30
	silence    = 30 * time.Second
)

// errWire is the error of a lost connection.
var errWire = errors.New("connection lost")

// wire is one round trip to a server: do is done, or not, or done with the answer lost.
func wire(l *life, op string, do func()) error {
	if err := l.pace(op, 2*time.Second); err != nil {
		return err
	}
	w, lost := l.host.w, ""
	if l.host.isCut(op) {
		lost = "silent"
	} else if stream := l.host.name + " fault " + op + " " + caller(); w.happens(stream, wireFaults) {
		switch w.draw(stream) % 4 {
		case 0:
			lost = "lost"
		case 1:
			do()
			lost = "answer lost"
		case 2:
			do()
			lost = "answer late"
		case 3:
			lost = "silent"
		}
		w.note(l.host.name, op, lost)
	}
	switch lost {
	case "":
		do()
		return nil
	case "answer late":
		return l.pace(op, silence)
	case "silent", "answer lost":
		if err := l.pace(op, silence); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", op, errWire)
}

// session is a host's connection to the mailbox.
type session struct {
	*post
	life     *life
	news     chan struct{}
	selected uint32 // the validity when it was opened
}

// wire is one round trip of the session.
func (s *session) wire(op string, do func()) error {
	ended := false
	err := wire(s.life, op, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if ended = s.selected != s.validity; !ended {
			do()
		}
	})
	if err == nil && ended {
		return fmt.Errorf("%s: %w", op, errWire)
	}
	return err
}

func (p *post) open(l *life) (*session, error) {
	s := &session{post: p, life: l, news: make(chan struct{}, 1)}
	err := wire(l, "imap login", func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.readers[s], s.selected = true, p.validity
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *session) Look(_ context.Context, validity, after uint32) (now uint32, uids []uint32, err error) {
	err = s.wire("imap look", func() {
		if now = s.validity; validity != now {
			after = 0
		}
		for _, uid := range slices.Sorted(maps.Keys(s.inbox)) {
			if uid > after {
				uids = append(uids, uid)
			}
		}
	})
	return now, uids, err
}

func (s *session) Infos(_ context.Context, uids []uint32) (map[uint32]mailbox.Info, error) {
	out := map[uint32]mailbox.Info{}
	err := s.wire("imap infos", func() {
		for _, uid := range uids {
			if _, ok := s.inbox[uid]; ok {
				out[uid] = mailbox.Info{Arrived: s.arrived[uid]}
			}
		}
	})
	return out, err
}

func (s *session) Fetch(_ context.Context, uids []uint32, take func(mailbox.Mail) error) error {
	var found []mailbox.Mail
	err := s.wire("imap fetch", func() {
		for _, uid := range uids {
			if raw, ok := s.inbox[uid]; ok {
				found = append(found, mailbox.Mail{Ref: mailbox.Ref{UIDValidity: s.validity, UID: uid}, Size: int64(len(raw)), Arrived: s.arrived[uid], Raw: raw})
			}
		}
	})
	if err != nil {
		return err
	}
	for _, m := range found {
		if err := take(m); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) Move(_ context.Context, uids []uint32, folder string) error {
	return s.wire("imap move", func() {
		for _, uid := range uids {
			delete(s.inbox, uid)
		}
		s.w.note(s.life.host.name, "moved", folder, uids)
	})
}

func (s *session) Wait(ctx context.Context, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-s.news:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (s *session) Wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

func (s *session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.readers, s)
}

// Marks, PutMark, BeatMark and DropMark are like those of mailbox.Client.
func (s *session) Marks(context.Context, string) (all []mailbox.Mark, err error) {
	err = s.wire("imap marks", func() {
		for _, m := range s.marks {
			if s.w.plan.planted != noFence || s.life.host.owner.Load() != nil && *s.life.host.owner.Load() == m.Owner {
				all = append(all, m)
				if *fine {
					s.w.note(s.life.host.name, "mark", m.UID, m.Place, m.Beat)
				}
			}
		}
	})
	return all, err
}

func (s *session) PutMark(_ context.Context, _ string, m mailbox.Mark) error {
	return s.wire("imap put mark", func() {
		s.life.host.owner.Store(&m.Owner)
		s.marked++
		m.UID = s.marked
		if m.Place == 0 {
			m.Place = m.UID
		}
		s.marks = append(s.marks, m)
	})
}

func (s *session) BeatMark(_ context.Context, uid uint32, beat int) error {
	return s.wire("imap beat mark", func() {
		for i := range s.marks {
			if s.marks[i].UID == uid {
				s.marks[i].Beat = beat
			}
		}
	})
}

func (s *session) DropMark(_ context.Context, uid uint32) error {
	return s.wire("imap drop mark", func() {
		s.marks = slices.DeleteFunc(s.marks, func(m mailbox.Mark) bool { return m.UID == uid })
	})
}

// submission is a host's connection to the outgoing server.
type submission struct{ life *life }

// Send delivers a mail to the server, unless it is lost on the way: then the sender may or may not know that.
func (s *submission) Send(_ context.Context, env outgoing.Envelope) (outgoing.Outcome, error) {
	failed := func(stage outgoing.Stage, outcome outgoing.Outcome, err error) (outgoing.Outcome, error) {
		return outcome, &outgoing.Error{Stage: stage, Outcome: outcome, Err: err}
	}
	if err := wire(s.life, "smtp rcpt", func() {}); err != nil {
		return failed(outgoing.StageRcpt, outgoing.TemporaryFailure, err)
	}
	w := s.life.host.w
	if env.Last != nil && w.plan.planted != dueUnclaimed {
		if err := env.Last(); err != nil {
			return failed(outgoing.StageBody, outgoing.TemporaryFailure, err)
		}
	}
	asked := time.Now()
	var mail *taken
	err := wire(s.life, "smtp end", func() { mail = w.take(s.life, asked, env) })
	if err != nil {
		if mail != nil {
			mail.unknown.Store(true)
		}
		return failed(outgoing.StageEnd, outgoing.Ambiguous, err)
	}
	return outgoing.Delivered, nil
}

func (s *submission) Close() {}
