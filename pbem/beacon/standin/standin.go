// Package standin is a beacon of its own for tests: a chain whose key it has, and relays that behave or do not.
package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	bls "github.com/cloudflare/circl/ecc/bls12381"

	"starpost/pbem/beacon"
)

// Source is a beacon with its secret key.
type Source struct {
	beacon.Chain
	secret bls.Scalar
}

// New makes a beacon of a seed, whose round 1 is at genesis, with a round every period of seconds.
func New(seed string, genesis time.Time, period int64) *Source {
	s := &Source{}
	sum := sha256.Sum256([]byte("starpost test beacon " + seed))
	s.secret.SetBytes(sum[:])
	key := new(bls.G2)
	key.ScalarMult(&s.secret, bls.G2Generator())
	hash := sha256.Sum256(key.BytesCompressed())
	s.Chain = beacon.Chain{Hash: hex.EncodeToString(hash[:]), Key: key.BytesCompressed(), Genesis: genesis.Unix(), Period: period}
	return s
}

// Round is a round of the beacon, whether its time has come or not.
func (s *Source) Round(n uint64) *beacon.Beacon {
	point := new(bls.G1)
	point.Hash(beacon.Message(n), []byte(beacon.Domain))
	point.ScalarMult(&s.secret, point)
	return &beacon.Beacon{Chain: s.Hash, Round: n, Signature: point.BytesCompressed()}
}

// Infinity is the point at infinity, which a careless library takes for a signature of anything.
func Infinity() []byte { return append([]byte{0xc0}, make([]byte, 47)...) }

// How a relay behaves.
const (
	Honest   = ""
	Lying    = "lying"    // the signature of another round
	Stale    = "stale"    // the round before, and says so
	Infinite = "infinite" // the point at infinity
	Garbled  = "garbled"  // no JSON
	Huge     = "huge"     // JSON of 10 MB
	Moved    = "moved"    // sends elsewhere, where the truth is
	Dead     = "dead"     // drops the connection
	Slow     = "slow"     // answers when Release is called
	Late     = "late"     // takes two seconds for each answer
	Early    = "early"    // gives rounds whose time has not come
)

// Relay is a relay on loopback.
type Relay struct {
	*httptest.Server
	source *Source
	now    func() time.Time

	mu      sync.Mutex
	mode    string
	off     time.Duration
	release chan struct{}
	asked   int
}

// Relay starts a relay of the beacon by a clock. It is to be closed.
func (s *Source) Relay(now func() time.Time, mode string) *Relay {
	r := &Relay{source: s, now: now, mode: mode, release: make(chan struct{})}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	return r
}

// Set has the relay behave otherwise from now on.
func (r *Relay) Set(mode string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode = mode
}

// SetClock has the relay's clock be off.
func (r *Relay) SetClock(off time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.off = off
}

// Release has a slow relay answer.
func (r *Relay) Release() { close(r.release) }

// Asked is how often the relay was asked for a round.
func (r *Relay) Asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

func (r *Relay) serve(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	mode, off := r.mode, r.off
	r.mu.Unlock()
	w.Header().Set("Date", r.now().Add(off).UTC().Format(http.TimeFormat))
	prefix := "/" + r.source.Hash + "/public/"
	text, ok := strings.CutPrefix(strings.TrimPrefix(req.URL.Path, "/elsewhere"), prefix)
	n, err := strconv.ParseUint(text, 10, 64)
	if !ok || err != nil || n < 1 {
		http.NotFound(w, req)
		return
	}
	r.mu.Lock()
	r.asked++
	r.mu.Unlock()
	if mode != Early && r.now().Before(r.source.TimeOf(n)) {
		http.Error(w, "too early", http.StatusTooEarly)
		return
	}
	b := r.source.Round(n)
	switch mode {
	case Lying:
		b.Signature = r.source.Round(n + 1).Signature
	case Stale:
		b = r.source.Round(n - 1)
	case Infinite:
		b.Signature = Infinity()
	case Garbled:
		fmt.Fprint(w, "{\"round\":")
		return
	case Huge:
		fmt.Fprintf(w, "{\"round\":%d,\"signature\":%q,\"randomness\":%q}", n, hex.EncodeToString(b.Signature), strings.Repeat("0", 10<<20))
		return
	case Moved:
		if !strings.HasPrefix(req.URL.Path, "/elsewhere") {
			http.Redirect(w, req, "/elsewhere"+req.URL.Path, http.StatusFound)
			return
		}
	case Dead:
		panic(http.ErrAbortHandler)
	case Late:
		select {
		case <-time.After(2 * time.Second):
		case <-req.Context().Done():
			return
		}
	case Slow:
		select {
		case <-r.release:
		case <-req.Context().Done():
			return
		}
	}
	fmt.Fprintf(w, "{\"round\":%d,\"randomness\":%q,\"signature\":%q}", b.Round, b.Randomness(), hex.EncodeToString(b.Signature))
}
