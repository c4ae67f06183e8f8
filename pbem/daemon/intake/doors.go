package intake

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/incoming"
	"starpost/pbem/lmtp"
)

// OpenDoors opens the LMTP sockets. Several mailboxes may share one.
func OpenDoors(all []*games.Account, log *slog.Logger) (doors []*lmtp.Server, err error) {
	at := map[string]map[string]*games.Account{} // by socket, then by address
	for _, s := range all {
		if s.Box.LMTP == nil || s.Box.LMTP.Listen == "" {
			continue
		}
		if at[s.Box.LMTP.Listen] == nil {
			at[s.Box.LMTP.Listen] = map[string]*games.Account{}
		}
		at[s.Box.LMTP.Listen][strings.ToLower(s.Box.Address)] = s
	}
	for place, workers := range at {
		door, err := lmtp.Listen(lmtp.Config{
			Listen: place, Log: log,
			Box: func(address string) *incoming.Box {
				if s := workers[strings.ToLower(address)]; s != nil {
					return s.Handed
				}
				return nil
			},
			Arrived: func(b *incoming.Box) {
				for _, s := range workers {
					if s.Handed == b {
						process.Nudge(s.Wake)
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
		log.Info("accepting mails by LMTP", "at", place)
		doors = append(doors, door)
	}
	return doors, nil
}

// lookHanded is how often the folder is checked for mails that another process put there.
const lookHanded = time.Second

// WatchHanded wakes a worker when "starpost deliver" has put a mail into its folder, until ctx ends.
func WatchHanded(ctx context.Context, c clock.Clock, s *games.Account) {
	for last := (time.Time{}); ctx.Err() == nil; {
		changed, err := s.Handed.Changed()
		switch {
		case err != nil:
			s.Log.Debug("checking for delivered mails failed, will retry", "err", err)
		case !changed.Equal(last):
			last = changed
			process.Nudge(s.Wake)
		}
		select {
		case <-c.After(lookHanded):
		case <-ctx.Done():
		}
	}
}
