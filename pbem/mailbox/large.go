package mailbox

import (
	"context"
	"errors"
	"slices"

	"github.com/emersion/go-imap/v2"
)

// maxHead limits what is downloaded of an oversized mail. That is enough for its header, which
// says who sent it.
const maxHead = 64 << 10

// heads downloads the headers of mails, each up to the limit. A mail whose header the server does
// not return is left out: it is not reported, and must not block the others.
func (c *Client) heads(ctx context.Context, uids []uint32) (map[uint32][]byte, error) {
	found := make(map[uint32][]byte, len(uids))
	err := c.await(ctx, "fetch headers", replyBudget+int64(len(uids))*(maxHead+overhead), func() error {
		cmd := c.imap.Fetch(set(uids), &imap.FetchOptions{
			UID: true,
			BodySection: []*imap.FetchItemBodySection{{
				Specifier: imap.PartSpecifierHeader, Partial: &imap.SectionPartial{Size: maxHead}, Peek: true,
			}},
		})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			uid, raw, err := c.collect(msg)
			if err != nil {
				return err // the connection is gone, so there is nothing left to drain
			}
			if len(raw) > 0 && slices.Contains(uids, uid) {
				found[uid] = raw[:min(len(raw), maxHead)]
			}
		}
		return cmd.Close()
	})
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == KindRefused {
		c.log.Warn("fetching headers of large mails failed", "err", err)
		return found, nil
	}
	return found, err
}

// takeLarge calls take for mails that are not downloaded because they exceed the limit. Each is
// passed with its size and its header, so that its sender can be told.
func (c *Client) takeLarge(ctx context.Context, uids []uint32, infos map[uint32]Info, take func(Mail) error) error {
	if len(uids) == 0 {
		return nil
	}
	heads, err := c.heads(ctx, uids)
	if err != nil {
		return err
	}
	for _, uid := range uids {
		c.log.Warn("mail too large, not downloaded", "uid", uid, "bytes", infos[uid].Size, "limit", c.cfg.MaxBytes)
		if err := take(Mail{Ref: c.ref(uid), Size: infos[uid].Size, Arrived: infos[uid].Arrived, Head: heads[uid], Limit: c.cfg.MaxBytes}); err != nil {
			return err
		}
	}
	return nil
}
