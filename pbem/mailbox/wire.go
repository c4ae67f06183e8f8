package mailbox

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"

	"starpost/pbem/transport"
)

// wire is the connection under the protocol library. It closes the connection if the server is
// silent for too long, or takes too long for a command, and limits what a server may send during
// one command, so that neither a dead nor a hostile server can block us or exhaust our memory.
type wire struct {
	net.Conn

	mu      sync.Mutex
	silence time.Duration
	timer   *time.Timer   // nil if nothing is expected
	since   time.Time     // when the wait began
	within  time.Duration // the remaining time for the server from then on
	silent  bool          // the timer has fired
	left    int64         // bytes the server may still send; below 0: flooded
	closed  bool
}

// A command may take this many times the allowed silence, because servers sometimes only say that
// they are still working, plus the time for its data at this many bytes per second. A server that
// sends a byte now and then cannot block us for ever.
const (
	longest = 20
	slowest = 1 << 10
)

func newWire(conn net.Conn, silence time.Duration) *wire {
	// The library reads from the start, before arm is called.
	return &wire{Conn: conn, silence: silence, left: replyBudget}
}

// tail is the connection as the protocol library reads it, decrypted. It keeps the last bytes
// received, because the library ignores a server's BYE. With STARTTLS there is no such place, and a
// BYE is not distinguished from other ends.
type tail struct {
	net.Conn

	mu   sync.Mutex
	last [tailKept]byte
	kept int // of last
}

const tailKept = 512

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	came := p[max(0, n-tailKept):n]
	old := min(t.kept, tailKept-len(came))
	copy(t.last[:], t.last[t.kept-old:t.kept])
	t.kept = old + copy(t.last[old:], came)
	return n, err
}

// bye returns the server's BYE; nil if there was none.
func (t *tail) bye() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := strings.TrimRight(string(t.last[:t.kept]), "\r\n")
	line = line[strings.LastIndexByte(line, '\n')+1:]
	text, ok := strings.CutPrefix(line, "* BYE")
	if !ok {
		return nil
	}
	return &refusal{status: string(imap.StatusResponseTypeBye), text: transport.Sanitise(text, mostWords)}
}

// arm starts waiting for the server, which may send up to budget bytes.
func (w *wire) arm(budget int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.within = budget, longest*w.silence
	w.resumeLocked()
}

// resume continues waiting after pause.
func (w *wire) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.resumeLocked()
}

func (w *wire) resumeLocked() {
	if w.timer != nil {
		w.timer.Stop()
	}
	var timer *time.Timer
	w.since = time.Now()
	timer = time.AfterFunc(min(w.silence, w.within), func() {
		w.mu.Lock()
		if w.timer != timer {
			w.mu.Unlock()
			return
		}
		w.silent = true
		w.mu.Unlock()
		w.Close()
	})
	w.timer = timer
}

// pause stops waiting: nothing is expected of the server, or we are busy.
func (w *wire) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
		w.within -= time.Since(w.since)
	}
}

// Read counts the received bytes and resets the silence timer.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left -= int64(n)
	if w.left < 0 {
		return 0, transport.ErrFlood
	}
	if n > 0 && w.timer != nil {
		w.within += time.Duration(n) * time.Second / slowest
		w.timer.Reset(min(w.silence, w.within-time.Since(w.since)))
	}
	return n, err
}

// Close closes the connection; a second call does nothing.
func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	return w.Conn.Close()
}

// fate returns why the connection can no longer be used, or nil.
func (w *wire) fate() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.silent:
		return transport.ErrSilent
	case w.left < 0:
		return transport.ErrFlood
	case w.closed:
		return errUnusable
	}
	return nil
}
