package token

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/transport"
)

// OAuth says how to obtain tokens from a provider: with a refresh token (RFC 6749, 6) or, without
// one, with the program's own credentials (4.4).
type OAuth struct {
	TokenURL         string
	ClientID         string
	ClientSecret     string // "" for a public client
	RefreshToken     string
	RefreshTokenFile string // read again each time, and replaced; takes precedence over RefreshToken
	Scopes           []string

	Limit time.Duration     // of one request; 0 means 30 s
	Wire  http.RoundTripper // nil: the network
	Log   *slog.Logger      // nil: nothing is logged
	Now   func() time.Time  // nil: the machine's clock
}

const (
	// early is how long before its expiry a token is replaced. A login may take a while, and clocks
	// differ.
	early = 5 * time.Minute
	// brief is the least time for which a token is used, however early it expires: some live
	// shorter than early.
	brief = time.Minute
)

// Refresher obtains tokens by OAuth 2.0 and keeps each until shortly before it expires. Make one
// with NewRefresher.
type Refresher struct {
	o OAuth

	mu     sync.Mutex
	token  string
	until  time.Time // when to get another; zero: when it is rejected
	latest string    // the newest refresh token, if there is no file
}

// NewRefresher returns a Refresher; it does not use the network yet.
func NewRefresher(o OAuth) *Refresher {
	if o.Limit <= 0 {
		o.Limit = 30 * time.Second
	}
	if o.Wire == nil {
		o.Wire = http.DefaultTransport
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Refresher{o: o, latest: o.RefreshToken}
}

// Token returns the current token, or obtains a new one.
func (r *Refresher) Token(ctx context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.token != "" && (r.until.IsZero() || r.o.Now().Before(r.until)) {
		return r.token, nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.o.Limit)
	defer cancel()
	began := r.o.Now()
	got, err := r.get(ctx)
	if err != nil {
		return "", err
	}
	r.token, r.until = got.AccessToken, time.Time{}
	// By our own clock: the library uses the machine's.
	lasts := time.Duration(got.ExpiresIn) * time.Second
	if lasts <= 0 && !got.Expiry.IsZero() {
		lasts = time.Until(got.Expiry)
	}
	if lasts > 0 {
		r.until = began.Add(max(lasts-early, min(brief, lasts)))
	}
	r.o.Log.Debug("access token fetched", "client", r.o.ClientID, "until", r.until)
	return r.token, nil
}

// Refused drops the token, if it is still the current one.
func (r *Refresher) Refused(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.token == token {
		r.token = ""
	}
}

func (r *Refresher) get(ctx context.Context) (*oauth2.Token, error) {
	client := &http.Client{
		Transport: &wire{next: r.o.Wire, scopes: r.o.Scopes},
		// Only one place is asked for a token.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, client)
	old := r.latest
	if r.o.RefreshTokenFile != "" {
		var err error
		if old, err = readLine(r.o.RefreshTokenFile); err != nil {
			return nil, err
		}
	}
	if old == "" {
		got, err := (&clientcredentials.Config{
			ClientID: r.o.ClientID, ClientSecret: r.o.ClientSecret, TokenURL: r.o.TokenURL, Scopes: r.o.Scopes, AuthStyle: oauth2.AuthStyleInParams,
		}).Token(ctx)
		return got, r.explain(ctx, err)
	}
	got, err := (&oauth2.Config{
		ClientID: r.o.ClientID, ClientSecret: r.o.ClientSecret, Endpoint: oauth2.Endpoint{TokenURL: r.o.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}).TokenSource(ctx, &oauth2.Token{RefreshToken: old}).Token()
	if err != nil {
		return nil, r.explain(ctx, err, old)
	}
	if fresh := got.RefreshToken; fresh != "" && fresh != old {
		r.latest = fresh
		if r.o.RefreshTokenFile != "" {
			r.keep(fresh)
		}
	}
	return got, nil
}

// keep replaces the refresh token in its file. Many providers keep the old one valid, so a failure
// is only a warning.
func (r *Refresher) keep(fresh string) {
	path := r.o.RefreshTokenFile
	mode := os.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := disk.Replace(path, []byte(fresh+"\n"), mode); err != nil {
		r.o.Log.Warn("storing the new refresh token failed", "file", path, "err", err,
			"hint", "make the file and its directory writable for the daemon, or be ready to log in again when the old token expires")
		return
	}
	r.o.Log.Info("refresh token replaced", "file", path)
}

// wire adds the scopes to a request for a new token, which the library omits and some providers
// require.
type wire struct {
	next   http.RoundTripper
	scopes []string
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	if len(w.scopes) == 0 || req.Body == nil {
		return w.next.RoundTrip(req)
	}
	text, err := io.ReadAll(req.Body)
	if err := errors.Join(err, req.Body.Close()); err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, errors.New("the request for a token cannot be read") // the cause would contain it
	}
	form.Set("scope", strings.Join(w.scopes, " "))
	out := req.Clone(req.Context())
	body := []byte(form.Encode())
	out.Body, out.ContentLength, out.GetBody = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	return w.next.RoundTrip(out)
}

// explain converts the library's error, which contains the whole response, into one of ours.
func (r *Refresher) explain(ctx context.Context, err error, secrets ...string) error {
	if err == nil {
		return nil
	}
	const most = 200
	said, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		if ctx.Err() != nil {
			err = fmt.Errorf("the provider did not give a token in time: %w", context.Cause(ctx))
		}
		e := &Error{Fault: fault.Fault{Err: err, Way: "Check token_url, and that this machine reaches it."}}
		if dialed, ok := errors.AsType[*url.Error](err); ok {
			e.Err, e.temporary = fmt.Errorf("ask %s for a token: %w", dialed.URL, dialed.Err), !transport.IsTLS(err)
		} else if ctx.Err() == nil {
			// The provider's response is no token.
			e.Err = errors.New("the provider's answer to a request for a token cannot be read")
		}
		e.temporary = e.temporary || ctx.Err() != nil
		return e
	}
	code := 0
	if said.Response != nil {
		code = said.Response.StatusCode
	}
	words := said.ErrorCode + " " + said.ErrorDescription
	for _, s := range append(secrets, r.o.ClientSecret) {
		if s != "" {
			words = strings.ReplaceAll(words, s, "(hidden)")
		}
	}
	words = transport.Sanitise(words, most)
	e := &Error{Fault: fault.Fault{Err: fmt.Errorf("the provider refused a token with status %d: %s", code, words)}, temporary: code == http.StatusTooManyRequests || code >= 500}
	switch said.ErrorCode {
	case "invalid_grant":
		e.Way = "The refresh token has ended or was withdrawn: log in at the provider once more and store the new one."
	case "invalid_client", "unauthorized_client":
		e.Way = "Check client_id and client_secret, and that the provider allows this program the scopes."
	case "invalid_scope":
		e.Way = "Check scopes; the provider's guide names those for IMAP and SMTP."
	}
	return e
}
