package intake

import (
	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/store"
)

// maxRendering is how many answers may be on their way into words.
const maxRendering = 8

// answerQueue is answers that are put into words while the next mails are judged: they
// need nothing of the games any more. They are queued in their order.
type answerQueue struct {
	coming []wordedAnswer
	err    error // of the first that could not be queued; then none is
}

// wordedAnswer is one that is on its way.
type wordedAnswer struct {
	rendered <-chan renderedMail
	queue    func(raw []byte) error
}

// renderedMail is a rendered mail.
type renderedMail struct {
	raw []byte
	err error
}

// queueWorded puts an answer into words and has it queued: at once, or by settle at the
// latest while what is done is put off.
func (s *Intake) queueWorded(a *desk.Answer, queue func(raw []byte) error) error {
	if s.group == nil {
		l := s.renderAnswer(a)
		if l.err != nil {
			return l.err
		}
		return queue(l.raw)
	}
	done := make(chan renderedMail, 1)
	go func() { done <- s.renderAnswer(a) }()
	s.answers.coming = append(s.answers.coming, wordedAnswer{done, queue})
	if len(s.answers.coming) > maxRendering {
		s.answers.next()
	}
	return nil
}

func (s *Intake) renderAnswer(a *desk.Answer) (l renderedMail) {
	defer process.Recovered("an answer", &l.err)
	if l.err = a.WriteText(); l.err == nil {
		a.Message.Foot = s.Foot(s.Box.Address, store.Ack, nil)
		l.raw, l.err = process.Compose(s.WithoutPaths(a.Message))
	}
	return l
}

// next queues the answer that is the longest on its way.
func (w *answerQueue) next() {
	first := w.coming[0]
	w.coming = w.coming[1:]
	l := <-first.rendered
	if w.err != nil {
		return
	}
	if w.err = l.err; w.err == nil {
		w.err = first.queue(l.raw)
	}
}

// settle queues what is left. After an error nothing that was put off may be
// committed: some mail's answer is missing.
func (w *answerQueue) settle() error {
	for len(w.coming) > 0 {
		w.next()
	}
	return w.err
}
