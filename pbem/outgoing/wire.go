package outgoing

import (
	"net"
	"sync"
	"time"

	"starpost/pbem/transport"
)

// replyBudget bounds, in bytes, what a server may say within one stage.
const replyBudget = 128 << 10

// chunk is how much of a mail is written before the timeout starts again.
const chunk = 64 << 10

// wire is the connection under the protocol library: it bounds what a server
// may say, because the library reads replies of any length.
type wire struct {
	net.Conn

	mu      sync.Mutex
	left    int64
	flooded bool
}

// stage starts a stage that must make progress within d.
func (w *wire) stage(d time.Duration) error {
	w.mu.Lock()
	w.left = replyBudget
	w.mu.Unlock()
	return w.SetDeadline(time.Now().Add(d))
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left -= int64(n)
	if w.left < 0 {
		w.flooded = true
		return 0, transport.ErrFlood
	}
	return n, err
}
