package mailbox

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"starpost/pbem/transport"
)

// Mark is a small mail in a separate folder, by which the readers of one mailbox learn of each
// other. Its owner shows that it is running by changing Beat, which is stored in flags.
type Mark struct {
	UID   uint32        // higher than that of earlier marks
	Place uint32        // UID of the owner's first mark in an unbroken series; 0 when putting it: its own
	Owner string        // letters and digits
	Run   string        // likewise: of the process that put it
	Who   string        // a description for people
	Every time.Duration // the longest time in which its owner changes Beat
	Beat  int           // 0 to Beats-1
}

// Beats is the number of different beats.
const Beats = 8

// beatFlags are flags that servers keep and that no mail program sets just because someone looks,
// one for each bit.
var beatFlags = [...]imap.Flag{imap.FlagFlagged, imap.FlagAnswered, imap.FlagDraft}

// The header fields of a mark.
const (
	markOwner = "X-Starpost-Owner"
	markRun   = "X-Starpost-Run"
	markPlace = "X-Starpost-Place"
	markWho   = "X-Starpost-Process"
	markEvery = "X-Starpost-Every"
)

// How many marks are read, and how long one may block others.
const (
	maxMarks = 50
	maxEvery = 48 * time.Hour
)

// Marks opens the folder of marks, which it creates if it is missing, and returns the marks in it,
// the earliest first. Until the next Select the mailbox is not open.
func (c *Client) Marks(ctx context.Context, folder string) ([]Mark, error) {
	name, err := c.folder(ctx, folder)
	if err != nil {
		return nil, err
	}
	open := func() error {
		return c.await(ctx, "open the folder of marks", replyBudget, func() error {
			_, err := c.imap.Select(name, nil).Wait()
			return err
		})
	}
	if open() != nil {
		if err := c.create(ctx, name); err != nil {
			return nil, err
		}
		if err := open(); err != nil {
			return nil, err
		}
	}
	var marks []Mark
	err = c.await(ctx, "read marks", replyBudget, func() error {
		cmd := c.imap.Fetch(imap.UIDSet{imap.UIDRange{Start: 1, Stop: 0}}, &imap.FetchOptions{
			UID: true, Flags: true,
			BodySection: []*imap.FetchItemBodySection{{
				Specifier: imap.PartSpecifierHeader, HeaderFields: []string{markOwner, markRun, markPlace, markWho, markEvery}, Peek: true,
			}},
		})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			m, ok, err := c.readMark(msg)
			if err != nil {
				return err // the connection is gone, so there is nothing left to drain
			}
			if ok && len(marks) < maxMarks {
				marks = append(marks, m)
			}
		}
		return cmd.Close()
	})
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.UID, b.UID) })
	return marks, err
}

// readMark reads one mark. ok is false for another mail, and for a deleted mark.
func (c *Client) readMark(msg *imapclient.FetchMessageData) (m Mark, ok bool, err error) {
	var raw []byte
	deleted := false
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			m.UID = uint32(item.UID)
		case imapclient.FetchItemDataFlags:
			deleted = slices.Contains(item.Flags, imap.FlagDeleted)
			for bit, flag := range beatFlags {
				if slices.Contains(item.Flags, flag) {
					m.Beat |= 1 << bit
				}
			}
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			if raw, err = c.drain(item.Literal, maxHead); err != nil {
				return m, false, err
			}
		}
	}
	// Unreadable fields are missing, which makes the mail no mark.
	head, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(raw, "\r\n"...)))).ReadMIMEHeader()
	every, _ := strconv.Atoi(head.Get(markEvery))
	if m.Place = m.UID; head.Get(markPlace) != "" {
		place, _ := strconv.ParseUint(head.Get(markPlace), 10, 32)
		m.Place = min(m.UID, max(1, uint32(place)))
	}
	m.Owner, m.Run, m.Who, m.Every = head.Get(markOwner), head.Get(markRun), transport.Sanitise(head.Get(markWho), mostWords), time.Duration(every)*time.Second
	return m, !deleted && m.UID > 0 && every > 0 && m.Every <= maxEvery && len(m.Owner) > 0 && len(m.Owner) <= 64 && len(m.Run) <= 64, nil
}

// PutMark puts a mark into the folder.
func (c *Client) PutMark(ctx context.Context, folder string, m Mark) error {
	name, err := c.folder(ctx, folder)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "From: <starpost@localhost>\r\nSubject: Starpost reads this mailbox\r\nDate: %s\r\n", time.Now().UTC().Format(time.RFC1123Z))
	fmt.Fprintf(&text, "%s: %s\r\n%s: %s\r\n%s: %d\r\n", markOwner, m.Owner, markWho, transport.Sanitise(m.Who, mostWords), markEvery, int(m.Every.Seconds()))
	if fmt.Fprintf(&text, "%s: %s\r\n", markRun, m.Run); m.Place > 0 {
		fmt.Fprintf(&text, "%s: %d\r\n", markPlace, m.Place)
	}
	text.WriteString("Content-Type: text/plain; charset=utf-8\r\n\r\nBy this mail a Starpost daemon knows whether another one reads the same mailbox.\r\nLeave it here; docs/durability.md tells more.\r\n")
	return c.await(ctx, "put a mark", replyBudget, func() error {
		cmd := c.imap.Append(name, int64(text.Len()), &imap.AppendOptions{Flags: flagsOf(m.Beat)})
		if _, err := cmd.Write([]byte(text.String())); err != nil {
			return err
		}
		if err := cmd.Close(); err != nil {
			return err
		}
		_, err := cmd.Wait()
		return err
	})
}

// BeatMark changes the beat of a mark in the folder that Marks opened.
func (c *Client) BeatMark(ctx context.Context, uid uint32, beat int) error {
	return c.await(ctx, "renew a mark", replyBudget, func() error {
		return c.imap.Store(set([]uint32{uid}), &imap.StoreFlags{Op: imap.StoreFlagsSet, Silent: true, Flags: flagsOf(beat)}, nil).Close()
	})
}

// DropMark removes a mark from the folder that Marks opened. A missing mark is not an error.
func (c *Client) DropMark(ctx context.Context, uid uint32) error {
	return c.await(ctx, "remove a mark", replyBudget, func() error {
		ids := set([]uint32{uid})
		flag := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
		if err := c.imap.Store(ids, flag, nil).Close(); err != nil {
			return err
		}
		if !c.imap.Caps().Has(imap.CapUIDPlus) {
			return c.imap.Expunge().Close() // there is nothing else in the folder
		}
		return c.imap.UIDExpunge(ids).Close()
	})
}

func flagsOf(beat int) []imap.Flag {
	flags := []imap.Flag{imap.FlagSeen} // so that no program shows it as new
	for bit, flag := range beatFlags {
		if beat&(1<<bit) != 0 {
			flags = append(flags, flag)
		}
	}
	return flags
}
