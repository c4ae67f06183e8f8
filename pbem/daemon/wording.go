package daemon

import "starpost/pbem/desk"

// ahead is how many answers may be on their way into words.
const ahead = 8

// wording is answers that are put into words while the next mails are judged: they
// need nothing of the games any more. They are queued in their order.
type wording struct {
	coming []answer
	err    error // of the first that could not be queued; then none is
}

// answer is one that is on its way.
type answer struct {
	worded <-chan letter
	queue  func(raw []byte) error
}

// letter is a rendered mail.
type letter struct {
	raw []byte
	err error
}

// put puts an answer into words and has it queued: at once, or by settle at the
// latest while what is done is put off.
func (s *mailboxWorker) put(a *desk.Answer, queue func(raw []byte) error) error {
	if !s.puttingOff {
		l := s.worded(a)
		if l.err != nil {
			return l.err
		}
		return queue(l.raw)
	}
	done := make(chan letter, 1)
	go func() { done <- s.worded(a) }()
	s.wording.coming = append(s.wording.coming, answer{done, queue})
	if len(s.wording.coming) > ahead {
		s.wording.next()
	}
	return nil
}

func (d *Daemon) worded(a *desk.Answer) (l letter) {
	defer recovered("an answer", &l.err)
	if l.err = a.Word(); l.err == nil {
		l.raw, l.err = Compose(d.withoutPaths(a.Message))
	}
	return l
}

// next queues the answer that is the longest on its way.
func (w *wording) next() {
	first := w.coming[0]
	w.coming = w.coming[1:]
	l := <-first.worded
	if w.err != nil {
		return
	}
	if w.err = l.err; w.err == nil {
		w.err = first.queue(l.raw)
	}
}

// settle queues what is left. After an error nothing that was put off may be
// committed: some mail's answer is missing.
func (w *wording) settle() error {
	for len(w.coming) > 0 {
		w.next()
	}
	return w.err
}
