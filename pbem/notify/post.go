package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"starpost/pbem/config"
)

// Limits of a request.
const (
	answerLimit = 10 * time.Second // for the whole request
	maxAnswer   = 4 << 10          // read of a response
)

// poster sends messages to one destination.
type poster struct {
	place config.Notify
	http  *http.Client
	limit time.Duration
}

// errPrivate says that a name resolved to an address that is not on the public internet.
var errPrivate = errors.New("it is on this machine or on a private network; private = true allows that")

func newPoster(p config.Notify) poster {
	dialer := &net.Dialer{Timeout: answerLimit}
	if !p.Private {
		// The address actually dialled, after name resolution: it cannot change between check and use.
		dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			if at, err := netip.ParseAddrPort(address); err != nil || !public(at.Addr()) {
				return errPrivate
			}
			return nil
		}
	}
	return poster{p, &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: answerLimit, MaxIdleConns: 1, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, answerLimit}
}

// special are networks outside the public internet that package netip does not recognise: RFC 6890, and those of
// carriers, of tests, and of addresses that embed others.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("fec0::/10"),
}

// public reports whether an address is on the public internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.Zone() != "" {
		return false
	}
	return !slices.ContainsFunc(special, func(net netip.Prefix) bool { return net.Contains(a) })
}

// refusedError is a response that does not take a notice.
type refusedError struct {
	status string
	why    string
	pause  time.Duration // requested by the destination
}

func (e *refusedError) Error() string { return "the answer is " + e.status + e.why }

// pauseOf returns how long a destination asks to be left alone.
func pauseOf(err error) time.Duration {
	if r, ok := errors.AsType[*refusedError](err); ok {
		return r.pause
	}
	return 0
}

// send sends notices as one message.
func (p poster) send(ctx context.Context, notices []Notice, now time.Time) error {
	ctx, stop := context.WithTimeout(ctx, p.limit)
	defer stop()
	q, err := p.request(ctx, notices, now)
	if err != nil {
		return err
	}
	answer, err := p.http.Do(q)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the address may be a secret
		}
		if e, ok := errors.AsType[*net.OpError](err); ok {
			err = e.Err
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s", p.limit)
		}
		return fmt.Errorf("send a notice: %w", err)
	}
	// Only the status counts; the body is read so that the connection can be reused.
	_, rerr := io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	cerr := answer.Body.Close()
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return nil // taken, whatever happens to the rest
	}
	refused := &refusedError{status: answer.Status}
	switch {
	case answer.StatusCode < 400:
		refused.why = ", a redirection, which is not followed: give the address that it leads to"
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		refused.why = ": look at the token"
	case answer.StatusCode == http.StatusNotFound || answer.StatusCode == http.StatusGone:
		refused.why = ": look at the address"
	}
	if n, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && n > 0 {
		refused.pause = time.Duration(min(n, int(lastWait/time.Second))) * time.Second
	}
	return errors.Join(refused, rerr, cerr)
}

// Limits of texts, in bytes, from those of the destinations.
const (
	maxDiscord = 1900 // 2,000 characters
	maxNtfy    = 4000 // 4,096 bytes, otherwise it becomes an attachment
	maxMatrix  = 30_000
)

// request returns the message in the format of the destination.
func (p poster) request(ctx context.Context, notices []Notice, now time.Time) (*http.Request, error) {
	method, address, kind := http.MethodPost, p.place.Address.Reveal(), "application/json"
	var body []byte
	var err error
	switch p.place.Kind {
	case config.NotifyDiscord:
		body, err = json.Marshal(map[string]any{"content": text(notices, maxDiscord), "allowed_mentions": map[string]any{"parse": []string{}}})
	case config.NotifyMatrix:
		// In the client-server API a message with a transaction ID is accepted once, however often it is sent.
		if body, err = json.Marshal(map[string]any{"msgtype": "m.notice", "body": text(notices, maxMatrix)}); err == nil {
			sum := sha256.Sum256(body)
			method = http.MethodPut
			address = fmt.Sprintf("%s/_matrix/client/v3/rooms/%s/send/m.room.message/%x", strings.TrimSuffix(address, "/"), url.PathEscape(p.place.Room), sum[:16])
		}
	case config.NotifyNtfy:
		kind, body = "text/plain; charset=utf-8", []byte(text(notices, maxNtfy))
	default:
		body, err = json.Marshal(map[string]any{"format": 1, "notices": notices})
	}
	if err != nil {
		return nil, fmt.Errorf("write a notice: %w", err)
	}
	q, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address of the place is none") // the error would contain it
	}
	q.Header.Set("Content-Type", kind)
	q.Header.Set("User-Agent", "starpost")
	if token := p.place.Token.Reveal(); token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	if secret := p.place.Secret.Reveal(); secret != "" {
		stamp := strconv.FormatInt(now.Unix(), 10)
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(stamp + "."))
		mac.Write(body)
		q.Header.Set("X-Starpost-Time", stamp)
		q.Header.Set("X-Starpost-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	return q, nil
}

// text returns notices as lines, cut to the destination's limit.
func text(notices []Notice, most int) string {
	var b strings.Builder
	for i, n := range notices {
		line := n.Text
		if n.Link != "" {
			line += " " + n.Link
		}
		if more := fmt.Sprintf("and %d more", len(notices)-i); b.Len()+len(line)+len(more)+2 > most {
			if i == 0 {
				return strings.ToValidUTF8(line[:most], "")
			}
			b.WriteString(more)
			break
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
