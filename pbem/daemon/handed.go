package daemon

import (
	"context"
	"errors"
	"strings"
	"time"

	"starpost/pbem/incoming"
	"starpost/pbem/lmtp"
)

// source is where mails come from, with the name that the store knows it by.
type source struct {
	Inbox
	name   string
	handed bool // it is a folder of mails that were handed over
}

// openHanded takes the folders of mails that the mail server hands over.
func (d *Daemon) openHanded() (err error) {
	for _, s := range d.workers {
		if s.box.LMTP == nil {
			continue
		}
		if s.handed, err = incoming.Open(d.cfg.State, s.box.Address); err != nil {
			return err
		}
		if s.box.IMAP == nil { // the folder is ours as the state directory is
			s.presence.assume()
		}
	}
	return nil
}

// openInbox opens what the worker waits at: the mailbox on its server, or the folder where there is none.
func (s *mailboxWorker) openInbox(ctx context.Context) (Inbox, error) {
	if s.box.IMAP == nil {
		return s.handed, nil
	}
	return s.o.Inbox(ctx, s.box)
}

// readAll reads the mailbox on its server and the folder, those that there are.
func (s *mailboxWorker) readAll(ctx context.Context, in Inbox) (again bool, err error) {
	if s.box.IMAP != nil {
		if again, err = s.readMailbox(ctx, source{in, s.name, false}); err != nil || s.handed == nil {
			return again, err
		}
	}
	waits, err := s.readMailbox(ctx, source{s.handed, incoming.Name(s.box.Address), true})
	return again || waits, err
}

// openDoors opens the sockets at which mails are handed over. Several mailboxes may share one.
func (d *Daemon) openDoors() (doors []*lmtp.Server, err error) {
	at := map[string]map[string]*mailboxWorker{} // by place, then by address
	for _, s := range d.workers {
		if s.box.LMTP == nil || s.box.LMTP.Listen == "" {
			continue
		}
		if at[s.box.LMTP.Listen] == nil {
			at[s.box.LMTP.Listen] = map[string]*mailboxWorker{}
		}
		at[s.box.LMTP.Listen][strings.ToLower(s.box.Address)] = s
	}
	for place, workers := range at {
		door, err := lmtp.Listen(lmtp.Config{
			Listen: place, Log: d.log,
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
		d.log.Info("mails are taken over by LMTP", "at", place)
		doors = append(doors, door)
	}
	return doors, nil
}

// lookHanded is how often the folder is looked at for mails that another process put there.
const lookHanded = time.Second

// watchHanded wakes the worker when "starpost deliver" has put a mail into the folder, until ctx ends.
func (s *mailboxWorker) watchHanded(ctx context.Context) error {
	if s.handed == nil {
		return nil
	}
	var last time.Time
	for ctx.Err() == nil {
		changed, err := s.handed.Changed()
		switch {
		case err != nil:
			s.log.Debug("looking for mails that were handed over failed, will retry", "err", err)
		case changed.After(last):
			last = changed
			nudge(s.wake)
		}
		select {
		case <-s.clock.After(lookHanded):
		case <-ctx.Done():
		}
	}
	return nil
}
