package mailbox

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	// batch is how many mails one command names: large enough to make round trips negligible, small
	// enough for every server's line limit.
	batch = 200
	// maxListed limits one List; the next one returns the rest.
	maxListed = 100_000
	// overhead is how much a server may add to a mail's own bytes in a reply.
	overhead = 4096
)

// Ref identifies one mail permanently: a UID means nothing without the UIDVALIDITY.
type Ref struct {
	Mailbox     string // Config.Name
	UIDValidity uint32
	UID         uint32
}

// Mail is one mail on the server.
type Mail struct {
	Ref  Ref
	Size int64 // bytes, as the server says
	// Arrived is when the server received it (INTERNALDATE); zero if unknown.
	Arrived time.Time
	Raw     []byte // the whole mail; nil if it is larger than Config.MaxBytes
	// For such a mail: its header, up to a limit, nil if it is not available, and the limit that
	// the mail exceeds.
	Head  []byte
	Limit int64
}

// List returns the UIDs above after in ascending order, at most 100 000 of them. Select must have
// been called.
func (c *Client) List(ctx context.Context, after uint32) ([]uint32, error) {
	if after == 1<<32-1 {
		return nil, nil
	}
	criteria := &imap.SearchCriteria{
		UID: []imap.UIDSet{{imap.UIDRange{Start: imap.UID(after + 1), Stop: 0}}},
	}
	var uids []uint32
	err := c.await(ctx, "list", replyBudget, func() error {
		if c.flagsOnly() {
			// Moved mails stay, marked as deleted; see Move.
			criteria.NotFlag = []imap.Flag{imap.FlagDeleted}
		}
		data, err := c.imap.UIDSearch(criteria, nil).Wait()
		if err != nil {
			return err
		}
		uids = flatten(data.All, after)
		return nil
	})
	return uids, err
}

// flatten returns a set's UIDs above after in ascending order. The filter is needed because "N:*"
// names the highest mail even if its UID is below N (RFC 3501, 6.4.8).
func flatten(set imap.NumSet, after uint32) []uint32 {
	ranges, ok := set.(imap.UIDSet)
	if !ok {
		return nil
	}
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b imap.UIDRange) int { return cmp.Compare(a.Start, b.Start) })
	var uids []uint32
	for _, r := range ranges {
		for uid := uint64(max(uint32(r.Start), after+1)); uid <= uint64(r.Stop); uid++ {
			if len(uids) == maxListed {
				return uids
			}
			uids = append(uids, uint32(uid))
		}
	}
	slices.Sort(uids)
	return slices.Compact(uids)
}

// Fetch calls take for every mail of uids that still exists, one at a time. Missing mails are
// skipped without an error. Of mails larger than Config.MaxBytes only the header is fetched.
// Nothing on the server changes: no mail is marked as read.
//
// take must not call the Client. If take fails, Fetch stops and returns its error unchanged.
func (c *Client) Fetch(ctx context.Context, uids []uint32, take func(Mail) error) error {
	for part := range slices.Chunk(uids, batch) {
		infos, err := c.infos(ctx, part, &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true})
		if err != nil {
			return err
		}
		maps.DeleteFunc(infos, func(_ uint32, i Info) bool { return i.Size < 0 })
		var small, large []uint32
		var total int64
		for _, uid := range slices.Sorted(maps.Keys(infos)) {
			size := infos[uid].Size
			if size <= c.cfg.MaxBytes {
				small = append(small, uid)
				total += size
				continue
			}
			large = append(large, uid)
		}
		if err := c.takeLarge(ctx, large, infos, take); err != nil {
			return err
		}
		if len(small) == 0 {
			continue
		}
		if err := c.bodies(ctx, small, infos, total, take); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) ref(uid uint32) Ref {
	return Ref{Mailbox: c.cfg.Name, UIDValidity: c.validity, UID: uid}
}

// Info is what a server says about a mail without its content.
type Info struct {
	Size    int64     // bytes; -1 if not requested
	Arrived time.Time // as in Mail
	Seen    bool      // someone has read it
}

// Infos returns when mails arrived and whether they have been read. Missing mails are left out.
func (c *Client) Infos(ctx context.Context, uids []uint32) (map[uint32]Info, error) {
	all := make(map[uint32]Info, len(uids))
	for part := range slices.Chunk(uids, batch) {
		some, err := c.infos(ctx, part, &imap.FetchOptions{UID: true, InternalDate: true, Flags: true})
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return all, nil
}

// infos requests what the options say about each mail. The size keeps mails from being downloaded
// only to be dropped.
func (c *Client) infos(ctx context.Context, uids []uint32, options *imap.FetchOptions) (map[uint32]Info, error) {
	found := make(map[uint32]Info, len(uids))
	err := c.await(ctx, "fetch sizes and dates", replyBudget, func() error {
		cmd := c.imap.Fetch(set(uids), options)
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			var uid uint32
			info := Info{Size: -1}
			for item := msg.Next(); item != nil; item = msg.Next() {
				switch item := item.(type) {
				case imapclient.FetchItemDataUID:
					uid = uint32(item.UID)
				case imapclient.FetchItemDataRFC822Size:
					info.Size = item.Size
				case imapclient.FetchItemDataInternalDate:
					info.Arrived = item.Time
				case imapclient.FetchItemDataFlags:
					info.Seen = slices.Contains(item.Flags, imap.FlagSeen)
				}
			}
			if uid != 0 && slices.Contains(uids, uid) {
				found[uid] = info
			}
		}
		return cmd.Close()
	})
	return found, err
}

// bodies downloads complete mails and passes them to take one by one.
func (c *Client) bodies(ctx context.Context, uids []uint32, infos map[uint32]Info, total int64, take func(Mail) error) error {
	var refused error // the error of take
	seen := make(map[uint32]bool, len(uids))
	budget := replyBudget + 2*total + int64(len(uids))*overhead
	err := c.await(ctx, "fetch", budget, func() error {
		cmd := c.imap.Fetch(set(uids), &imap.FetchOptions{
			UID:         true,
			BodySection: []*imap.FetchItemBodySection{{Peek: true}},
		})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			uid, raw, err := c.collect(msg)
			if err != nil {
				return err // the connection is gone, so there is nothing left to drain
			}
			if refused != nil || seen[uid] || raw == nil {
				continue
			}
			info, asked := infos[uid]
			if !asked {
				continue
			}
			seen[uid] = true
			mail := Mail{Ref: c.ref(uid), Size: info.Size, Arrived: info.Arrived, Raw: raw}
			if int64(len(raw)) > c.cfg.MaxBytes {
				// The server had announced a smaller size.
				mail.Raw, mail.Head, mail.Limit = nil, raw[:min(len(raw), maxHead)], c.cfg.MaxBytes
			}
			refused = c.hand(take, mail)
		}
		return cmd.Close()
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return err
	}
	for _, uid := range uids {
		if !seen[uid] {
			c.log.Warn("mail vanished before it was downloaded", "uid", uid)
		}
	}
	return nil
}

// hand calls take while the server's timeout is paused: the time is ours.
func (c *Client) hand(take func(Mail) error, m Mail) error {
	c.wire.pause()
	c.busy = true
	defer func() {
		c.busy = false
		c.wire.resume()
	}()
	return take(m)
}

// collect reads one reply. It keeps one byte more than the limit and drops the rest, because the
// library waits until everything is read.
func (c *Client) collect(msg *imapclient.FetchMessageData) (uid uint32, raw []byte, err error) {
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			uid = uint32(item.UID)
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			if raw, err = c.drain(item.Literal, c.cfg.MaxBytes+1); err != nil {
				return uid, nil, err
			}
		}
	}
	return uid, raw, nil
}

// drain reads a literal up to most bytes and drops the rest.
func (c *Client) drain(literal imap.LiteralReader, most int64) ([]byte, error) {
	raw := make([]byte, min(literal.Size(), most))
	if _, err := io.ReadFull(literal, raw); err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, literal); err != nil {
		return nil, err
	}
	return raw, nil
}

// other drains what the server says about a mail that was not requested, and logs that once for
// each connection. Flags of any mail may come at any time (RFC 3501, 7.4.2), mails and their sizes
// may not.
func (c *Client) other(msg *imapclient.FetchMessageData) {
	var uid imap.UID
	odd := false
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			uid = item.UID
		case imapclient.FetchItemDataBodySection, imapclient.FetchItemDataRFC822Size, imapclient.FetchItemDataInternalDate:
			odd = true // the next call drops the mail
		}
	}
	if odd {
		c.strange.Do(func() {
			c.log.Warn("ignored mails in the server's answer that were not requested", "uid", uint32(uid))
		})
	}
}

func set(uids []uint32) imap.UIDSet {
	var s imap.UIDSet
	for _, uid := range uids {
		s.AddNum(imap.UID(uid))
	}
	return s
}
