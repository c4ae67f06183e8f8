package daemon

import (
	"starpost/pbem/clock"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"starpost/pbem/incoming"
	"starpost/pbem/lmtp"
)

// openDoors opens the sockets at which mails are handed over. Several mailboxes may share one.
func openDoors(all []*account, log *slog.Logger) (doors []*lmtp.Server, err error) {
	at := map[string]map[string]*account{} // by place, then by address
	for _, s := range all {
		if s.box.LMTP == nil || s.box.LMTP.Listen == "" {
			continue
		}
		if at[s.box.LMTP.Listen] == nil {
			at[s.box.LMTP.Listen] = map[string]*account{}
		}
		at[s.box.LMTP.Listen][strings.ToLower(s.box.Address)] = s
	}
	for place, workers := range at {
		door, err := lmtp.Listen(lmtp.Config{
			Listen: place, Log: log,
			Box: func(address string) *incoming.Box {
				if s := workers[strings.ToLower(address)]; s != nil {
					return s.handed
				}
				return nil
			},
			Arrived: func(b *incoming.Box) {
				for _, s := range workers {
					if s.handed == b {
						nudge(s.wake)
					}
				}
			},
		})
		if err != nil {
			for _, open := range doors {
				err = errors.Join(err, open.Close())
			}
			return nil, err
		}
		log.Info("mails are taken over by LMTP", "at", place)
		doors = append(doors, door)
	}
	return doors, nil
}

// lookHanded is how often the folder is looked at for mails that another process put there.
const lookHanded = time.Second

// watchHanded wakes a worker when "starpost deliver" has put a mail into its folder, until ctx ends.
func watchHanded(ctx context.Context, c clock.Clock, s *account) {
	for last := (time.Time{}); ctx.Err() == nil; {
		changed, err := s.handed.Changed()
		switch {
		case err != nil:
			s.log.Debug("looking for mails that were handed over failed, will retry", "err", err)
		case !changed.Equal(last):
			last = changed
			nudge(s.wake)
		}
		select {
		case <-c.After(lookHanded):
		case <-ctx.Done():
		}
	}
}
