package mailbox

import (
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// maxIdle limits one IDLE: announcements sometimes get lost, so the caller must poll from time to
// time.
const maxIdle = 5 * time.Minute

// Wake makes the current Wait, or the next one, return as if mail had been announced. Unlike the
// end of Wait's context it never costs the connection. It may be called from any goroutine.
func (c *Client) Wake() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// Wait returns nil as soon as new mail is announced, or after most (at most five minutes); the
// caller then lists. An announcement is only a hint: servers without IDLE send none, others lose
// some. Wait returns an *Error if ctx ends, which leaves the connection usable if the server
// answers in time, or if the connection ends.
func (c *Client) Wait(ctx context.Context, most time.Duration) error {
	if most <= 0 {
		return nil
	}
	timer := time.NewTimer(min(most, maxIdle))
	defer timer.Stop()

	select {
	case <-c.news: // announced while we were busy
		return nil
	default:
	}

	var idle *imapclient.IdleCommand
	err := c.await(ctx, "idle", replyBudget, func() error {
		if !c.imap.Caps().Has(imap.CapIdle) {
			return nil
		}
		var err error
		idle, err = c.imap.Idle()
		return err
	})
	if err != nil {
		if _, ok := errors.AsType[*refusal](err); !ok {
			return err
		}
		idle = nil // a server that offers IDLE and refuses it: just wait
		c.log.Warn("server refuses IDLE", "err", err)
	}

	var ended error
	select {
	case <-c.news:
	case <-timer.C:
	case <-c.imap.Closed():
		return classify(c.cfg.Name, "idle", c.farewell(errUnusable))
	case <-ctx.Done():
		// Not the server's fault: nothing was expected of it.
		ended = &Error{Op: "idle", Mailbox: c.cfg.Name, Kind: KindCancelled, Err: context.Cause(ctx), temporary: true}
	}
	if idle == nil {
		return ended
	}
	// Without ctx, which may have ended; the server's silence still counts.
	err = c.await(context.WithoutCancel(ctx), "end idle", replyBudget, func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
	if ended != nil {
		return ended
	}
	return err
}
