// Package fakedns is a local name server for tests: it knows the names of a given zone, and no others. Over UDP
// it truncates answers that are longer than a datagram, as real ones do.
package fakedns

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/miekg/dns"
)

// Server answers on Addr by UDP and TCP.
type Server struct {
	Addr     string
	records  map[dns.Question][]dns.RR
	names    map[string]bool
	udp, tcp *dns.Server
	group    sync.WaitGroup
}

// Broken is a name for which the server fails (SERVFAIL).
const Broken = "broken.example."

// Start serves a zone in the format of zone files, one record per line.
func Start(zone string) (*Server, error) {
	s := &Server{records: map[dns.Question][]dns.RR{}, names: map[string]bool{}}
	parser := dns.NewZoneParser(strings.NewReader(zone), ".", "")
	parser.SetDefaultTTL(60)
	for rr, ok := parser.Next(); ok; rr, ok = parser.Next() {
		h := rr.Header()
		key := dns.Question{Name: strings.ToLower(h.Name), Qtype: h.Rrtype, Qclass: dns.ClassINET}
		s.records[key] = append(s.records[key], rr)
		s.names[key.Name] = true
	}
	if err := parser.Err(); err != nil {
		return nil, fmt.Errorf("read the zone: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p, err := net.ListenPacket("udp", l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s.Addr = l.Addr().String()
	s.tcp = &dns.Server{Listener: l, Handler: dns.HandlerFunc(s.answer)}
	s.udp = &dns.Server{PacketConn: p, Handler: dns.HandlerFunc(s.answer)}
	for _, server := range []*dns.Server{s.tcp, s.udp} {
		begun := make(chan struct{})
		server.NotifyStartedFunc = func() { close(begun) }
		failed := make(chan error, 1)
		s.group.Go(func() { failed <- server.ActivateAndServe() })
		select {
		case <-begun:
		case err := <-failed:
			return nil, errors.Join(err, l.Close(), p.Close())
		}
	}
	return s, nil
}

// Close stops the server.
func (s *Server) Close() error {
	err := errors.Join(s.tcp.Shutdown(), s.udp.Shutdown())
	s.group.Wait()
	return err
}

func (s *Server) answer(w dns.ResponseWriter, q *dns.Msg) {
	m := new(dns.Msg)
	m.SetReply(q)
	question := q.Question[0]
	question.Name = strings.ToLower(question.Name)
	m.Answer = s.records[question]
	switch {
	case question.Name == Broken:
		m.Rcode = dns.RcodeServerFailure
	case !s.names[question.Name]:
		m.Rcode = dns.RcodeNameError
	}
	if _, udp := w.RemoteAddr().(*net.UDPAddr); udp {
		m.Truncate(dns.MinMsgSize)
	}
	if err := w.WriteMsg(m); err != nil {
		_ = w.Close() // the client notices the missing answer
	}
}
