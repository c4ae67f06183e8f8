package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/cup"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/incoming"
	"starpost/pbem/lobby"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn"
)

// Daemon runs games by mail. Serve and Once must be called from one goroutine; Wake may be called from any.
type Daemon struct {
	*process.Process
	guard   *watch.Guard
	keeper  *games.Keeper
	workers []*worker // one for each mailbox of the configuration
	unlock  func() error

	reopened time.Time // when the store was last lost
	forgotAt time.Time // when expired records were last deleted
	digested time.Time // the moment of the last digest; used by the first mailbox's worker

	cupSizes map[string]int64 // sizes of the cups' journals when their mails were last queued, by folder
	newGames bool             // a cup has changed, so there may be unknown games; used by the first mailbox's worker

	waitingMails atomic.Int64 // to be sent, for Status
}

// Open locks the state directory for this process and creates it if it is missing. The error is disk.ErrLocked if
// another daemon has it.
func Open(o process.Options) (d *Daemon, err error) {
	d = &Daemon{Process: &process.Process{Options: o, Config: o.Config, Clock: o.Clock, Log: o.Log}}
	for _, c := range d.Config.Communities() {
		if t := c.Templates; t != nil {
			t.Warn = func(err error) { d.Log.Error("template failed, using the built-in one", "err", err) }
		}
	}
	if d.Clock == nil {
		d.Clock = clock.Real{}
	}
	if d.Options.Store == nil {
		d.Options.Store = d.ownStore
	}
	d.Started = d.Clock.Now()
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if err := disk.MakeDir(d.Config.State, 0o700); err != nil {
		return nil, fmt.Errorf("create the state directory: %w", err)
	}
	if d.State, err = process.OpenState(d.Config.State); err != nil {
		return nil, err
	}
	holder, err := d.State.Holder()
	if err != nil {
		return nil, err
	}
	if d.unlock, err = disk.Lock(d.Config.State); err != nil {
		return nil, err
	}
	if err := d.openStores(); err != nil {
		return nil, errors.Join(err, d.unlock())
	}
	d.guard = watch.NewGuard(d.Process)
	shared, err := hosted.Games(context.Background(), d.Config)
	if err != nil {
		return nil, errors.Join(err, d.Store.Close(), d.unlock())
	}
	if shared != nil {
		d.Hosts = shared.Hosts()
	}
	d.keeper = games.NewKeeper(d.Process, d.guard, holder, shared)
	d.WakeSender = func(from string) { process.Nudge(d.keeper.WorkerOf(from).Queued) }
	for _, box := range d.Config.Mailboxes() {
		s := newWorker(d, box)
		d.workers = append(d.workers, s)
		d.keeper.Accounts = append(d.keeper.Accounts, s.Account)
		if box.LMTP == nil {
			continue
		}
		if s.Handed, err = incoming.Open(d.Config.State, box.Address); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		if box.IMAP == nil { // the folder belongs to this process, like the state directory
			s.Presence.Assume()
		}
	}
	if err := d.openHosting(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	// The address may have changed since a mail was queued. If hosts share a store, the mail may be another host's.
	if d.Hosts == nil {
		if err := d.Store.Readdress(context.Background(), d.keeper.Addresses()...); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	wires, byIMAP := connect.New(d.Log), d.Options.Inbox
	d.Options.Inbox = func(ctx context.Context, box config.Mailbox) (process.Inbox, error) {
		switch {
		case box.IMAP == nil:
			return incoming.Open(d.Config.State, box.Address)
		case byIMAP != nil:
			return byIMAP(ctx, box)
		}
		in, err := wires.Inbox(ctx, box)
		if err != nil { // a nil *connect.Inbox in an interface is not nil
			return nil, err
		}
		return in, nil
	}
	if d.Options.Sender == nil {
		d.Options.Sender = func(ctx context.Context, box config.Mailbox) (process.Sender, error) {
			out, err := wires.Sender(ctx, box)
			if err != nil {
				return nil, err
			}
			return out, nil
		}
	}
	return d, nil
}

func (d *Daemon) openStores() (err error) {
	if err := removePartial(d.Config.State, "."+watch.HeartbeatFile); err != nil {
		return err
	}
	return d.openStore()
}

// ownStore opens the configured store. A store in the state directory belongs to this process alone, so leases in it
// are stale: they come from a directory that was copied or moved.
func (d *Daemon) ownStore() (process.Store, error) {
	if d.Config.Store != nil {
		return hosted.Database(context.Background(), d.Config.Store)
	}
	path := hosted.File(d.Config)
	if err := sqlite.ClearLeftovers(path); err != nil {
		return nil, err
	}
	l, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	if err := l.ForgetLeases(context.Background()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close releases the state directory. Serve and Once must have returned.
func (d *Daemon) Close() error {
	if d.Store == nil {
		return d.unlock()
	}
	return errors.Join(d.keeper.Close(), d.Store.Close(), d.unlock())
}

// Wake makes Serve read the mailboxes at once, for example because a mail is known to have arrived.
func (d *Daemon) Wake() {
	for _, s := range d.workers {
		process.Nudge(s.Wake)
	}
}

// openHosting enables the desks to create games, where the configuration allows it, and to let people watch. Every
// configured offer must be playable.
func (d *Daemon) openHosting() error {
	made := map[string]*lobby.Hosting{} // by directory of their requests, which mailboxes of one community share
	for _, s := range d.workers {
		cfg := d.Config.For(s.Box)
		if err := disk.MakeDir(cfg.Own(), 0o700); err != nil {
			return fmt.Errorf("create the directory of a club: %w", err)
		}
		h, known := made[cfg.Own()]
		if !known {
			var err error
			if h, err = newHosting(d.Options, cfg, cfg.Own()); err != nil {
				return err
			}
			made[cfg.Own()] = h
		}
		if h == nil {
			continue
		}
		own := *h
		own.Make, s.Desk.Hosting = s.intake.MakeGame, &own
		for i, w := range h.Offers {
			if err := h.CheckOffer(d.Options.Library, s.Box.Address, w); err != nil {
				return fault.New(fault.Hint(err), "lobby.offer %q: %s", cfg.Lobby.Offer[i], err)
			}
		}
	}
	return nil
}

// newHosting returns the settings for games that people of a community may create, without Make; nil if its
// configuration allows none. state is the directory of the requests.
func newHosting(o process.Options, cfg *config.Config, state string) (*lobby.Hosting, error) {
	if cfg.Lobby == nil || o.Library == nil {
		return nil, nil
	}
	requests, err := lobby.OpenRequests(state)
	if err != nil {
		return nil, err
	}
	h := &lobby.Hosting{
		Requests: requests, Cups: cup.In(cfg.Own()), Create: cfg.Lobby.Create, Attached: cfg.Lobby.Attached, Practice: cfg.Lobby.Practice, Games: cfg.Lobby.Games,
		Check: func(s turn.Setup) error { return turn.CheckSetup(o.Catalogue, s) },
	}
	for _, line := range cfg.Lobby.Offer {
		w, err := lobby.ReadWish(strings.Fields(line))
		if err == nil && (w.Scenario == "" || len(w.Invite) > 0) {
			err = errors.New("it names no scenario, or names people")
		}
		if err != nil {
			return nil, fault.New(`write it as offer = ["big-bad-wolf", "convoy rules=SET deadline=2d"]`, "lobby.offer %q: %s", line, err)
		}
		h.Offers = append(h.Offers, w)
	}
	return h, nil
}
