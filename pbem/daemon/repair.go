package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/disk"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// openStore opens the store, and logs a warning if it had been lost.
func (d *Daemon) openStore() (err error) {
	d.Store = nil
	l, err := d.Options.Store()
	if err != nil {
		return err
	}
	d.Store = l
	if r, lost := process.WasLost(d.Store); lost {
		d.Log.Warn("store was lost", "restored", r.Restored, "aside", r.Aside, "err", r.Why)
	}
	return nil
}

// removePartial removes files that were being written when a process was killed: those whose names
// start with begin.
func removePartial(dir, begin string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look for leftovers: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), begin) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("clear a leftover: %w", err)
			}
		}
	}
	return nil
}

// reopen closes a lost store and opens it again, which creates a new one. While the disk cannot be
// written it keeps trying. Nothing else may be using the store. If the store was lost less than a
// minute ago, reopen gives up: something else is removing it.
func (d *Daemon) reopen(ctx context.Context, cause error) error {
	now := d.Clock.Now()
	if since := now.Sub(d.reopened); !d.reopened.IsZero() && since >= 0 && since < time.Minute {
		return fmt.Errorf("lost again within a minute: %w", cause)
	}
	d.reopened = now
	d.Log.Error("store lost, reopening", "err", cause)
	if err := d.condemnStore(cause); err != nil {
		return errors.Join(cause, err)
	}
	if err := d.Store.Close(); err != nil {
		d.Log.Warn("closing the lost store failed", "err", err)
	}
	pause := d.Pauses(2*time.Second, watch.OwnTroublePause)
	for {
		if err := d.State.Check(); err != nil {
			return err
		}
		err := d.openStore()
		if err == nil {
			break
		}
		if !disk.IsUnwritable(err) && !store.IsTrouble(err) || store.IsLost(err) {
			return err
		}
		d.Log.Warn("opening the store failed, will retry", "err", err)
		select {
		case <-d.Clock.After(pause.Next()):
		case <-ctx.Done():
			return nil
		}
	}
	for _, s := range d.workers {
		s.sender.Unrecorded = nil // it refers to the mail by its number in the lost store
	}
	d.keeper.Forget()
	return nil
}

// condemnStore marks a damaged store, so that the next open sets it aside even if it looks intact.
func (d *Daemon) condemnStore(cause error) error {
	if !store.IsLost(cause) || errors.Is(cause, store.ErrLost) {
		return nil
	}
	if f, ok := d.Store.(process.FileStore); ok {
		return f.MarkDamaged()
	}
	return nil
}

// Repair restores the daemon's own records from disk: the store from its copy and the game
// directories, the mails in it, and games that a crash left incomplete. The next start reads the
// mailbox from its beginning. Repair sends nothing, may be repeated, and refuses to run beside a
// daemon. It calls tell for each thing that it checked.
func Repair(ctx context.Context, o process.Options, tell func(watch.Check)) error {
	d, err := Open(o)
	if err != nil {
		return err
	}
	for _, s := range d.workers {
		s.Presence.Assume() // Repair does not touch the mailbox
	}
	err = d.repair(ctx, tell)
	return errors.Join(err, d.Close())
}

func (d *Daemon) repair(ctx context.Context, tell func(watch.Check)) error {
	look := func(what string, f func() (string, error)) error {
		found, err := f()
		if err != nil && process.Fatal(ctx, err) {
			return err
		}
		tell(watch.Checked(what, found, err))
		return nil
	}
	if err := look("store", func() (string, error) { return d.describeStore(), nil }); err != nil {
		return err
	}
	if err := look("mails", func() (string, error) { return d.verifyMails(ctx) }); err != nil {
		return err
	}
	if err := look("mailbox", func() (string, error) {
		return "will be read from the beginning at the next start; nothing is acted on twice", d.Store.ForgetCursors(ctx)
	}); err != nil {
		return err
	}
	d.keeper.RefreshGames(true)
	for _, dir := range slices.Sorted(maps.Keys(d.keeper.Games.Trouble)) {
		if err := look("game "+dir, func() (string, error) { return "", d.keeper.Games.Trouble[dir] }); err != nil {
			return err
		}
	}
	for _, g := range d.keeper.Games.Games {
		if err := look("game "+g.Vault.Dir(), func() (string, error) { return d.repairGame(ctx, g) }); err != nil {
			return err
		}
	}
	return nil
}

// describeStore says in what state the store was opened.
func (d *Daemon) describeStore() string {
	r, lost := process.WasLost(d.Store)
	words := []string{"whole"}
	switch {
	case r.Restored:
		words = []string{"restored from its copy"}
	case lost || r.New:
		words = []string{"new"}
	}
	if r.Aside != "" {
		words = append(words, "the damaged file is now "+r.Aside)
	}
	return strings.Join(words, ", ")
}

// verifyMails checks the stored bytes of all incoming mails.
func (d *Daemon) verifyMails(ctx context.Context) (string, error) {
	whole, damaged, err := d.Store.VerifyRaws(ctx)
	if err != nil {
		return "", err
	}
	found := fmt.Sprintf("%d mails, all intact", whole)
	if whole == 1 {
		found = "1 mail, intact"
	}
	if len(damaged) > 0 {
		found = fmt.Sprintf("%d mails intact; damaged, and fetched again if they are still in the inbox: %s", whole, strings.Join(damaged, ", "))
	}
	return found, nil
}

// repairGame takes the game's lock, which clears what a crash left, and queues reports of turns
// that the store does not have.
func (d *Daemon) repairGame(ctx context.Context, g *games.Game) (string, error) {
	at, err := d.keeper.WorkerFor(g.Vault)
	if err != nil {
		return "", err
	}
	g.Worker = at
	if err := errors.Join(g.Vault.Lock(), g.Vault.Unlock()); err != nil {
		return "", err
	}
	if err := d.keeper.Steps.QueueTurns(ctx, g); err != nil {
		return "", err
	}
	waiting := 0
	messages, err := d.Store.Outbox(ctx, g.Key)
	if err != nil {
		return "", err
	}
	for _, l := range messages {
		if l.State == store.Queued || l.State == store.Ambiguous {
			waiting++
		}
	}
	return fmt.Sprintf("%s, %s played; waiting mails: %d", g.Vault.ID(), g.Vault.Newest(), waiting), nil
}

// Bounces returns the captains of a game whose mails bounced. It finds none if there is no store
// yet.
func Bounces(ctx context.Context, c *config.Config, settings vault.Settings) (map[engine.CaptainName]store.Bouncing, error) {
	o, err := hosted.Inspect(ctx, c)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := map[engine.CaptainName]store.Bouncing{}
	for _, b := range o.Bouncing {
		for _, captain := range settings.Captains {
			if auth.HasAddress(captain.Addresses(), b.Address) {
				found[captain.Name] = b
			}
		}
	}
	return found, nil
}
