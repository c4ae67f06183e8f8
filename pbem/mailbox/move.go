package mailbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// Move moves mails into folder and creates it if it is missing. A slash in folder stands for the
// server's hierarchy delimiter. A missing UID is not an error, so a move may be repeated.
//
// With MOVE or UIDPLUS the mails leave the mailbox. A server with neither could only expunge the
// deleted mails of every other program as well, so there the mails are copied, flagged \Deleted and
// omitted by List from then on.
func (c *Client) Move(ctx context.Context, uids []uint32, folder string) error {
	if len(uids) == 0 {
		return nil
	}
	name, err := c.folder(ctx, folder)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(uids, batch) {
		if err := c.moveBatch(ctx, part, name); err != nil {
			return err
		}
	}
	return nil
}

// moveBatch tries to move, and examines a refusal: the folder may be missing, or all mails may
// already be gone.
func (c *Client) moveBatch(ctx context.Context, uids []uint32, name string) error {
	err := c.moveOnce(ctx, uids, name)
	var r *refusal
	if e := new(Error); err == nil || !errors.As(err, &r) || errors.As(err, &e) && e.Temporary() {
		return err
	}
	left, listErr := c.remaining(ctx, uids)
	if listErr != nil {
		return listErr
	}
	if len(left) == 0 {
		return nil
	}
	if createErr := c.create(ctx, name); createErr != nil {
		if e := new(Error); errors.As(createErr, &e) && errors.As(createErr, &r) {
			e.Err = fmt.Errorf("%w, after %w", e.Err, err)
		}
		return createErr
	}
	return c.moveOnce(ctx, uids, name)
}

func (c *Client) moveOnce(ctx context.Context, uids []uint32, name string) error {
	ids := set(uids)
	return c.await(ctx, fmt.Sprintf("move to %s", name), replyBudget, func() error {
		caps := c.imap.Caps()
		if caps.Has(imap.CapMove) {
			_, err := c.imap.Move(ids, name).Wait()
			return err
		}
		if !caps.Has(imap.CapUIDPlus) {
			// Mails moved before must not be copied again.
			data, err := c.imap.UIDSearch(&imap.SearchCriteria{
				UID:     []imap.UIDSet{ids},
				NotFlag: []imap.Flag{imap.FlagDeleted},
			}, nil).Wait()
			if err != nil {
				return err
			}
			if uids = flatten(data.All, 0); len(uids) == 0 {
				return nil
			}
			ids = set(uids)
		}
		// The library's own fallback sends the three commands at once, and would expunge mails even
		// if they could not be copied.
		if _, err := c.imap.Copy(ids, name).Wait(); err != nil {
			return err
		}
		flag := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
		if err := c.imap.Store(ids, flag, nil).Close(); err != nil {
			return err
		}
		if !caps.Has(imap.CapUIDPlus) {
			return nil
		}
		return c.imap.UIDExpunge(ids).Close()
	})
}

// flagsOnly reports that the server can neither move nor expunge only ours.
func (c *Client) flagsOnly() bool {
	caps := c.imap.Caps()
	return !caps.Has(imap.CapMove) && !caps.Has(imap.CapUIDPlus)
}

// remaining returns those of uids that are still in the mailbox.
func (c *Client) remaining(ctx context.Context, uids []uint32) ([]uint32, error) {
	var left []uint32
	err := c.await(ctx, "look for moved mails", replyBudget, func() error {
		data, err := c.imap.UIDSearch(&imap.SearchCriteria{UID: []imap.UIDSet{set(uids)}}, nil).Wait()
		if err != nil {
			return err
		}
		left = flatten(data.All, 0)
		return nil
	})
	return left, err
}

// create creates a folder. An existing one is not an error.
func (c *Client) create(ctx context.Context, name string) error {
	err := c.await(ctx, fmt.Sprintf("create folder %s", name), replyBudget, func() error {
		return c.imap.Create(name, nil).Wait()
	})
	var r *refusal
	if errors.As(err, &r) && strings.EqualFold(r.code, string(imap.ResponseCodeAlreadyExists)) {
		return nil
	}
	if err == nil {
		c.log.Info("folder created", "folder", name)
	}
	return err
}

// folder translates a configured name into the server's: servers have different hierarchy
// delimiters, and some keep all folders below a prefix such as "INBOX." (RFC 2342).
func (c *Client) folder(ctx context.Context, folder string) (string, error) {
	if name, ok := c.folders[folder]; ok {
		return name, nil
	}
	if strings.Trim(folder, "/") == "" {
		return "", &Error{Op: "move", Mailbox: c.cfg.Name, Kind: KindConfig, Err: errors.New("no folder is named")}
	}
	delim, prefix := "/", ""
	err := c.await(ctx, "look up folders", replyBudget, func() error {
		if c.imap.Caps().Has(imap.CapNamespace) {
			data, err := c.imap.Namespace().Wait()
			if err != nil {
				return err
			}
			if len(data.Personal) > 0 && data.Personal[0].Delim != 0 {
				delim, prefix = string(data.Personal[0].Delim), data.Personal[0].Prefix
			}
			return nil
		}
		list, err := c.imap.List("", "", nil).Collect()
		if err != nil {
			return err
		}
		if len(list) > 0 && list[0].Delim != 0 {
			delim = string(list[0].Delim)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	name := strings.ReplaceAll(folder, "/", delim)
	if !strings.HasPrefix(name, prefix) {
		name = prefix + name
	}
	c.folders[folder] = name
	return name, nil
}
