package loopback

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
)

// listener tracks its connections, so that they can be cut, and fails new ones on request.
type listener struct {
	net.Listener
	stage  Stage
	server *Server
	// serving is closed when the first connection is waited for.
	serving chan struct{}
	once    sync.Once

	mu    sync.Mutex
	conns map[*conn]struct{}
}

func (s *Server) listen(stage Stage) (*listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on the loopback address: %w", err)
	}
	return &listener{Listener: l, stage: stage, server: s, serving: make(chan struct{}), conns: make(map[*conn]struct{})}, nil
}

// Accept returns the next connection that is not to fail.
func (l *listener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.serving) })
	for {
		plain, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: plain, from: l}
		l.mu.Lock()
		l.conns[c] = struct{}{}
		l.mu.Unlock()
		f, ok := l.server.faults.take(l.stage)
		if !ok {
			return c, nil
		}
		if f.Hang {
			// Held open silently until it is cut or the servers end.
			continue
		}
		c.Close()
	}
}

// drop cuts every connection.
func (l *listener) drop() {
	l.mu.Lock()
	all := slices.Collect(maps.Keys(l.conns))
	l.mu.Unlock()
	for _, c := range all {
		c.Close()
	}
}

// conn removes itself from its listener's list when it is closed.
type conn struct {
	net.Conn
	from *listener
}

func (c *conn) Close() error {
	c.from.mu.Lock()
	delete(c.from.conns, c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}
