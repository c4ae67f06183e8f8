package mailbox

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"

	"starpost/pbem/transport"
)

// wire is the connection under the protocol library. It ends the connection
// when the server keeps silent for too long, or takes too long for a command, and
// it bounds what a server may send during one command, so that neither a dead
// nor a hostile server holds or fills us.
type wire struct {
	net.Conn

	mu      sync.Mutex
	silence time.Duration
	timer   *time.Timer   // nil when nothing is awaited
	since   time.Time     // when that began
	within  time.Duration // how long the server may take from then on
	silent  bool          // the timer has fired
	left    int64         // bytes the server may still send; below 0: flooded
	closed  bool
}

// A command may take so many times the silence that is borne, for servers say
// now and then that they are still at it, and longer by what is sent at so many
// bytes a second: who sends a byte now and then does not hold us for ever.
const (
	longest = 20
	slowest = 1 << 10
)

func newWire(conn net.Conn, silence time.Duration) *wire {
	// The library reads from the first moment on, before anything is armed.
	return &wire{Conn: conn, silence: silence, left: replyBudget}
}

// tail is the connection as the protocol library reads it, in the clear. It
// remembers the last that came: the library makes nothing of a server's farewell.
// With STARTTLS there is no such place, and a farewell is an end as any other.
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

// bye is what the server said when it ended the connection, nil if nothing.
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

// arm starts awaiting the server, who may send up to budget bytes.
func (w *wire) arm(budget int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.within = budget, longest*w.silence
	w.resumeLocked()
}

// resume goes on awaiting after pause.
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

// pause stops awaiting: the server owes us nothing, or we are busy ourselves.
func (w *wire) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
		w.within -= time.Since(w.since)
	}
}

// Read counts what comes and takes it as a sign of life.
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

// Close ends the connection; a second call does nothing.
func (w *wire) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	return w.Conn.Close()
}

// fate says why the connection is of no more use, nil when it still is.
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
