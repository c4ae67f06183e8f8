package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"starpost/pbem/beacon"
)

// Client asks relays in order. It is immutable and safe for concurrent use.
type Client struct {
	chain  beacon.Chain
	relays []*url.URL
	wait   time.Duration
	http   *http.Client
}

// maxAnswer limits the bytes read of an answer, and maxHead those of its header.
const (
	maxAnswer = 4 << 10
	maxHead   = 16 << 10
)

// New returns a client for relays of a chain, by address ("https://api.drand.sh"): two or more, so that none
// has to be trusted to be available or to know the time. Each has wait to answer.
func New(chain beacon.Chain, relays []string, wait time.Duration) (*Client, error) {
	c := &Client{chain: chain, wait: wait, http: plainHTTP()}
	for _, text := range relays {
		u, err := url.Parse(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("relay %q: %w", text, err)
		case u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return nil, fmt.Errorf("relay %q: want an address such as https://api.drand.sh", u.Redacted())
		case slices.ContainsFunc(c.relays, func(o *url.URL) bool { return o.Host == u.Host }):
			return nil, fmt.Errorf("relay %q: %s is there twice", text, u.Host)
		}
		c.relays = append(c.relays, u)
	}
	if len(c.relays) < 2 {
		return nil, fmt.Errorf("relays: %d, want two or more", len(c.relays))
	}
	return c, nil
}

// plainHTTP returns a client that follows no redirections and keeps no state.
func plainHTTP() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, DisableCompression: true,
			MaxResponseHeaderBytes: maxHead, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Answer is a valid round.
type Answer struct {
	beacon.Beacon
	Relay   string  // the relay that returned it
	Refused []error // what was wrong with the answers of the relays before, for the log
}

// Fetch returns a round from the first relay with a valid answer. If none has one, the error joins what was
// wrong with each. That includes a round that does not exist yet.
func (c *Client) Fetch(ctx context.Context, round uint64) (Answer, error) {
	var refused []error
	for _, relay := range c.relays {
		b, err := c.fetch(ctx, relay, round)
		if err == nil {
			return Answer{Beacon: b, Relay: relay.Host, Refused: refused}, nil
		}
		refused = append(refused, fmt.Errorf("relay %s: %w", relay.Host, err))
		if ctx.Err() != nil {
			break
		}
	}
	return Answer{}, fmt.Errorf("fetch round %d: %w", round, errors.Join(refused...))
}

func (c *Client) fetch(ctx context.Context, relay *url.URL, round uint64) (beacon.Beacon, error) {
	data, _, err := c.get(ctx, relay, strconv.FormatUint(round, 10))
	if err != nil {
		return beacon.Beacon{}, err
	}
	b, err := Parse(c.chain.Hash, data)
	if err != nil {
		return beacon.Beacon{}, err
	}
	return b, c.chain.Verify(b, round)
}

// Parse reads the relevant parts of a relay's answer for a chain. It does not verify it.
func Parse(chain string, data []byte) (beacon.Beacon, error) {
	var answer struct {
		Round      uint64 `json:"round"`
		Signature  string `json:"signature"`
		Randomness string `json:"randomness"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return beacon.Beacon{}, fmt.Errorf("read the answer: %w", err)
	}
	b, err := beacon.Parse(chain, answer.Round, answer.Signature)
	if err != nil {
		return beacon.Beacon{}, fmt.Errorf("read the answer: %w", err)
	}
	if answer.Randomness != "" && answer.Randomness != b.Randomness() {
		return beacon.Beacon{}, fmt.Errorf("read the answer: randomness %.70q is not that of the signature", answer.Randomness)
	}
	return b, nil
}

// get requests a round from a relay, and returns the answer and its header.
func (c *Client) get(ctx context.Context, relay *url.URL, round string) (data []byte, head http.Header, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.wait, fmt.Errorf("no answer within %v", c.wait))
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = errors.Join(context.Cause(ctx), err)
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, relay.JoinPath(c.chain.Hash, "public", round).String(), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("ask: %w", err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nil, fmt.Errorf("ask: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if to := resp.Header.Get("Location"); to != "" && resp.StatusCode/100 == 3 {
		return nil, nil, fmt.Errorf("it leads elsewhere, to %.100q: that is not followed", to)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("it answers %.100q", resp.Status)
	}
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("read the answer: %w", err)
	case len(data) > maxAnswer:
		return nil, nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return data, resp.Header, nil
}
