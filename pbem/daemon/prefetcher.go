package daemon

import (
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
)

// prefetcher is mails to send one after the other. While the server has
// one, the next ones are read from disk. At most two mails are held in memory in
// addition.
type prefetcher struct {
	worker  *sender
	due     []store.OutboxMessage
	fetched []fetched // the first of due, and no more
}

// fetched is a mail as it goes out, or why it cannot.
type fetched struct {
	env outgoing.Envelope
	err error
}

// next takes the first mail. The error tells why its bytes cannot be read.
func (p *prefetcher) next() (store.OutboxMessage, outgoing.Envelope, error) {
	p.fetch(2)
	l, env, err := p.due[0], p.fetched[0].env, p.fetched[0].err
	p.due, p.fetched = p.due[1:], p.fetched[1:]
	if len(p.fetched) > 0 && p.fetched[0].err == nil {
		following := p.fetched[0].env
		env.Next = &following
	}
	env.Meanwhile = func() { p.fetch(2) }
	return l, env, err
}

// fetch reads the first n mails, those that are not read yet.
func (p *prefetcher) fetch(n int) {
	for i := len(p.fetched); i < min(n, len(p.due)); i++ {
		env, err := p.worker.envelope(p.due[i])
		p.fetched = append(p.fetched, fetched{env, err})
	}
}

// envelope is a mail as it goes out.
func (s *sender) envelope(l store.OutboxMessage) (outgoing.Envelope, error) {
	data := l.Bytes
	if l.Missing != nil {
		return outgoing.Envelope{}, l.Missing
	}
	if len(data) == 0 {
		var err error
		if data, err = s.stored(l); err != nil {
			return outgoing.Envelope{}, err
		}
	}
	return outgoing.Envelope{From: s.box.Address, To: l.To, Data: addressed(data, s.box.Address, s.box.Plus)}, nil
}
