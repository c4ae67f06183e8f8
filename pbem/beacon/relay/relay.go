// Package relay fetches rounds of public randomness beacons from relays, HTTP servers that hand on what the nodes of
// a beacon publish. No relay is trusted: what it gives is verified, and another one is asked where it does not hold.
package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"starpost/pbem/beacon"
)

// Client asks relays. It may be used from several goroutines.
type Client struct {
	relays []string
	http   *http.Client
}

// New makes a client of relays by their addresses, "https://api.drand.sh".
func New(relays []string) *Client {
	return &Client{relays: relays, http: &http.Client{
		// A relay answers itself or not at all.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is what a relay said.
type answer struct {
	text []byte
	date time.Time // of its clock; zero when it does not say
	err  error
}

// Get gives a round of a chain: all relays are asked at once, and the first beacon that verifies counts. The error
// has what each of them said.
func (c *Client) Get(ctx context.Context, chain beacon.Chain, round uint64) (*beacon.Beacon, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type found struct {
		beacon *beacon.Beacon
		err    error
	}
	answers := make(chan found, len(c.relays))
	for _, relay := range c.relays {
		go func() {
			b, err := c.get(ctx, relay, chain, round)
			if err != nil {
				err = fmt.Errorf("%s: %w", relay, err)
			}
			answers <- found{b, err}
		}()
	}
	var errs []error
	for range c.relays {
		a := <-answers
		if a.err == nil {
			return a.beacon, nil
		}
		errs = append(errs, a.err)
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return nil, fmt.Errorf("no relay has round %d: %w", round, errors.Join(errs...))
}

// get gives a round as one relay has it, verified.
func (c *Client) get(ctx context.Context, relay string, chain beacon.Chain, round uint64) (*beacon.Beacon, error) {
	a := c.ask(ctx, relay, chain.Path(round))
	if a.err != nil {
		return nil, a.err
	}
	b, err := beacon.ReadRelay(chain, a.text)
	switch {
	case err != nil:
		return nil, err
	case b.Round != round:
		return nil, fmt.Errorf("it gave round %d", b.Round)
	}
	return b, chain.Verify(b)
}

// ask fetches a path below the address of a relay.
func (c *Client) ask(ctx context.Context, relay, path string) (a answer) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(relay, "/")+path, nil)
	if err != nil {
		return answer{err: err}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer func() { a.err = errors.Join(a.err, resp.Body.Close()) }()
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		a.date = date
	}
	if resp.StatusCode != http.StatusOK {
		a.err = fmt.Errorf("it answers %s", resp.Status)
		return a
	}
	a.text, a.err = io.ReadAll(io.LimitReader(resp.Body, beacon.MaxSize+1))
	return a
}

// maxOff is how far a clock may be from those of relays.
const maxOff = 30 * time.Second

// CheckClock holds a clock against those of the relays, which they tell with each answer. When all that tell the time,
// two at least where there are two, say that it is more than maxOff wrong, the error is a *beacon.ClockError; another
// error when none of them can be asked.
func (c *Client) CheckClock(ctx context.Context, now func() time.Time) error {
	type told struct {
		off time.Duration
		err error
	}
	answers := make(chan told, len(c.relays))
	for _, relay := range c.relays {
		go func() {
			before := now()
			a := c.ask(ctx, relay, "/health")
			if a.date.IsZero() {
				answers <- told{err: fmt.Errorf("%s: %w", relay, cmp.Or(a.err, errors.New("it does not tell the time")))}
				return
			}
			answers <- told{off: before.Sub(a.date)}
		}()
	}
	var offs []time.Duration
	var errs []error
	for range c.relays {
		if t := <-answers; t.err != nil {
			errs = append(errs, t.err)
		} else {
			offs = append(offs, t.off)
		}
	}
	if len(offs) == 0 {
		return errors.Join(errs...)
	}
	if len(offs) < min(2, len(c.relays)) || slices.ContainsFunc(offs, func(d time.Duration) bool { return d.Abs() <= maxOff }) {
		return nil
	}
	slices.Sort(offs)
	if offs[0] < 0 && offs[len(offs)-1] > 0 {
		return nil // they do not agree
	}
	return &beacon.ClockError{Off: offs[len(offs)/2].Round(time.Second)}
}
