package intake

import (
	"context"
	"fmt"
	"slices"
	"time"

	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/mailbox"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// maxLists limits how often a mailbox is asked for more UIDs.
const maxLists = 100

// selectNew returns the mails of a mailbox that must be taken in. Mails that were there before the
// daemon first looked stay where they are: a mailbox may hold the mails of years, and answers to
// those would be a nuisance. top is the last UID of those that stay, 0 for none.
func (s *Intake) selectNew(ctx context.Context, in source, cursor store.Cursor, validity uint32, uids []uint32) (taken []uint32, top uint32, err error) {
	if in.handed { // all of them are for the daemon
		return uids, 0, nil
	}
	start, known, err := s.Store.Start(ctx, in.name)
	if err != nil {
		return nil, 0, err
	}
	again := !s.from.IsZero()
	begins := !known || again || start.UIDValidity != validity
	if begins {
		if uids, err = allUIDs(ctx, in.Inbox, validity, uids, again); err != nil {
			return nil, 0, err
		}
		start = s.newStart(start, known, validity)
		if start.UID = slices.Max(append([]uint32{0}, uids...)); again && known && cursor.UIDValidity == validity {
			start.UID = cursor.UID // newer mails came since
		}
	}
	var doubtful []uint32
	for _, uid := range uids {
		if uid <= start.UID && !start.Since.IsZero() {
			doubtful = append(doubtful, uid)
		}
	}
	infos := map[uint32]mailbox.Info{}
	if len(doubtful) > 0 {
		if infos, err = in.Infos(ctx, doubtful); err != nil {
			return nil, 0, err
		}
	}
	for _, uid := range uids {
		info := infos[uid]
		if start.Admits(uid, info.Arrived, info.Seen) {
			taken = append(taken, uid)
		} else {
			top = uid
		}
	}
	if !begins {
		return taken, top, nil
	}
	start.Left = len(uids) - len(taken)
	if err := s.Before("start"); err != nil {
		return nil, 0, err
	}
	if err := s.Store.SetStart(ctx, in.name, start); err != nil {
		return nil, 0, err
	}
	if s.from = (time.Time{}); start.Left > 0 {
		s.log.Warn("old mails left in the mailbox", "mails", start.Left, "before", start.Since, "hint", takeOlder)
	}
	return taken, top, nil
}

// takeOlder is a hint how to take in mails from before the first start.
const takeOlder = "to take in mails since a date: starpost serve --from DATE"

// allUIDs returns all UIDs of a mailbox, which a single listing may not. Unless again is set, uids
// is the first part.
func allUIDs(ctx context.Context, in process.Inbox, validity uint32, uids []uint32, again bool) (all []uint32, err error) {
	all = uids
	if again {
		all = nil
	}
	for n := range maxLists {
		last := uint32(0)
		if len(all) > 0 {
			last = all[len(all)-1]
		} else if n == 0 && !again {
			return nil, nil
		}
		now, more, err := in.Look(ctx, validity, last)
		if err != nil || len(more) == 0 {
			return all, err
		}
		if now != validity {
			return nil, fmt.Errorf("the mailbox was renumbered while it was listed")
		}
		all = append(all, more...)
	}
	return all, nil
}

// newStart returns where the reading of a mailbox begins, without the UID.
func (s *Intake) newStart(was store.Start, known bool, validity uint32) store.Start {
	next := store.Start{Since: was.Since, Asked: true, UIDValidity: validity}
	switch {
	case !s.from.IsZero() && (!known || s.from.Before(was.Since)):
		next.Since = s.from
	case !known:
		// Otherwise the mailbox was renumbered, and a person may have read mails that are not taken
		// in yet.
		next.Since, next.Asked = s.firstStart(), false
	}
	return next
}

// firstStart returns when the daemon first served this mailbox, which is when it was started,
// unless its records are lost.
func (s *Intake) firstStart() time.Time {
	if _, lost := process.WasLost(s.Store); lost {
		return time.Time{}
	}
	since := s.Started.Truncate(time.Second) // servers' dates have a resolution of seconds
	s.keeper.Mu.Lock()
	own := slices.Clone(s.keeper.Games.Games)
	own = slices.DeleteFunc(own, func(g *games.Game) bool { return g.Worker != s.Account })
	s.keeper.Mu.Unlock()
	for _, g := range own { // very many take minutes, so others work meanwhile
		g.Mu.Lock()
		if g.Vault.Turn() > 0 {
			if m, err := g.Vault.Stages.Manifest(vault.At(0)); err == nil && m.Resolved.Before(since) { // an unreadable manifest is reported elsewhere
				since = m.Resolved
			}
			g.Used()
		}
		g.Mu.Unlock()
	}
	return since
}
