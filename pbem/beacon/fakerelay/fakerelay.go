// Package fakerelay is a beacon and its relays within the process, for tests and demonstrations: a chain with a known
// secret key, and loopback servers that return its rounds, or behave like a bad relay. Anyone can compute its rounds
// in advance, so it must not be used for real games.
package fakerelay

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

	"github.com/cloudflare/circl/sign/bls"

	"starpost/pbem/beacon"
)

// Key signs the rounds of a chain.
type Key struct {
	beacon.Chain
	secret *bls.PrivateKey[bls.KeyG2SigG1]
}

// NewKey returns the key of a chain with a round every three seconds from genesis. The same name gives the same key.
func NewKey(name string, genesis time.Time) (*Key, error) {
	seed := sha256.Sum256([]byte(name))
	secret, err := bls.KeyGen[bls.KeyG2SigG1](seed[:], nil, nil)
	if err != nil {
		return nil, fmt.Errorf("make the key of chain %q: %w", name, err)
	}
	public, err := secret.PublicKey().MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("make the key of chain %q: %w", name, err)
	}
	hash := sha256.Sum256(public)
	return &Key{
		Chain:  beacon.Chain{Hash: hex.EncodeToString(hash[:]), Key: hex.EncodeToString(public), Genesis: genesis.Unix(), Period: 3},
		secret: secret,
	}, nil
}

// Sign returns a round.
func (k *Key) Sign(round uint64) beacon.Beacon {
	return beacon.Beacon{Chain: k.Hash, Round: round, Signature: bls.Sign(k.secret, beacon.Message(round))}
}

// Mode is the behaviour of a relay.
type Mode int

// Modes of a relay.
const (
	Honest       Mode = iota
	BadSignature      // that of another round, with the requested number
	OtherRound        // the next round, with its own number
	OldRound          // an earlier round, whatever is requested
	OtherChain        // a signature by another key
	Infinity          // the point that earlier libraries accepted as any signature
	Late              // nothing, until the client gives up
	Slow              // an answer after a second
	Huge              // JSON of 10 MB
	Redirecting       // to another address
	Broken            // invalid JSON
)

// Relay is a server for the rounds of a chain.
type Relay struct {
	*httptest.Server // its URL is the relay's; after Close the relay is dead
	key              *Key
	now              func() time.Time
	over             chan struct{}
	end              sync.Once

	mu    sync.Mutex
	mode  Mode
	shift time.Duration
	asked int
}

// Start starts a relay. now is its clock: it has no future rounds, and its answers have that date.
func Start(key *Key, now func() time.Time) *Relay {
	r := &Relay{key: key, now: now, over: make(chan struct{})}
	r.Server = httptest.NewServer(r)
	return r
}

// Close stops the relay; clients find it dead. It may be called again.
func (r *Relay) Close() {
	r.end.Do(func() {
		close(r.over)
		r.Server.Close()
	})
}

// Set changes its behaviour from now on, and by how much its clock is ahead.
func (r *Relay) Set(mode Mode, ahead time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode, r.shift = mode, ahead
}

// Asked returns how often it was asked.
func (r *Relay) Asked() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

func (r *Relay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	mode, now := r.mode, r.now().Add(r.shift)
	r.asked++
	r.mu.Unlock()
	w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
	text, ok := strings.CutPrefix(q.URL.Path, "/"+r.key.Hash+"/public/")
	latest := r.key.RoundAt(now)
	round, err := strconv.ParseUint(text, 10, 64)
	if text == "latest" {
		round, err = latest, nil
	}
	if !ok || err != nil || round == 0 || round > latest {
		http.NotFound(w, q)
		return
	}
	b, filler := r.key.Sign(round), ""
	switch mode {
	case Honest:
	case BadSignature:
		b.Signature = r.key.Sign(round + 1).Signature
	case OtherRound:
		b = r.key.Sign(round + 1)
	case OldRound:
		b = r.key.Sign(1)
	case OtherChain:
		other, err := NewKey("another chain", time.Unix(r.key.Genesis, 0))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		b = other.Sign(round)
	case Infinity:
		b.Signature = append([]byte{0xc0}, make([]byte, 47)...)
	case Late:
		select {
		case <-q.Context().Done():
		case <-r.over:
		}
		return
	case Slow:
		select {
		case <-time.After(time.Second):
		case <-q.Context().Done():
			return
		}
	case Huge:
		filler = strings.Repeat(" ", 10<<20)
	case Redirecting:
		http.Redirect(w, q, "/elsewhere"+q.URL.Path, http.StatusFound)
		return
	case Broken:
		filler = "<html>"
	}
	if _, err := fmt.Fprintf(w, `%s{"round":%d,"randomness":%q,"signature":"%x"}`, filler, b.Round, b.Randomness(), b.Signature); err != nil {
		return // the client has gone, as with a huge answer
	}
}
