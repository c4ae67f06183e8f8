package intake

import (
	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/store"
)

// maxRendering is how many answers may be rendered at the same time.
const maxRendering = 8

// answerQueue holds answers that are rendered while the next mails are judged: rendering no longer
// needs the games. They are queued in order.
type answerQueue struct {
	coming []wordedAnswer
	err    error // of the first that could not be queued; the rest are dropped
}

// wordedAnswer is an answer that is being rendered.
type wordedAnswer struct {
	rendered <-chan renderedMail
	queue    func(raw []byte) error
}

// renderedMail is a rendered mail.
type renderedMail struct {
	raw []byte
	err error
}

// queueWorded renders an answer and queues it: at once or, within a group, by the call of settle at
// the latest.
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

// next queues the oldest answer.
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

// settle queues the remaining answers. If it fails, nothing of the group may be committed, because
// an answer is missing.
func (w *answerQueue) settle() error {
	for len(w.coming) > 0 {
		w.next()
	}
	return w.err
}
