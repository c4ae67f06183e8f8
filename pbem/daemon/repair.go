package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// openStore opens the store, and tells when it had been lost.
func (d *Daemon) openStore() (err error) {
	d.store = nil
	l, err := d.o.Store()
	if err != nil {
		return err
	}
	d.store = l
	if r, lost := d.store.Recovered(); lost {
		d.log.Warn("store was lost", "restored", r.Restored, "aside", r.Aside, "err", r.Why)
	}
	return nil
}

// removePartial removes what was being written when a process was killed: files
// whose names begin so.
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

// reopen closes a store that was lost and opens it, which makes a new one; on
// a disk on which that cannot be, when it can. Nothing else may be using it. Lost
// again at once, it is given up: someone or something works against us.
func (d *Daemon) reopen(ctx context.Context, cause error) error {
	now := d.clock.Now()
	if since := now.Sub(d.reopened); !d.reopened.IsZero() && since >= 0 && since < time.Minute {
		return fmt.Errorf("lost again within a minute: %w", cause)
	}
	d.reopened = now
	d.log.Error("store lost, reopening", "err", cause)
	if err := d.condemnStore(cause); err != nil {
		return errors.Join(cause, err)
	}
	if err := d.store.Close(); err != nil {
		d.log.Warn("closing the lost store failed", "err", err)
	}
	pause := pauses(2*time.Second, ownTroublePause)
	for {
		if err := d.state.check(); err != nil {
			return err
		}
		err := d.openStore()
		if err == nil {
			break
		}
		if !disk.IsUnwritable(err) && !store.IsTrouble(err) || store.IsLost(err) {
			return err
		}
		d.log.Warn("opening the store failed, will retry", "err", err)
		select {
		case <-d.clock.After(pause.NextBackOff()):
		case <-ctx.Done():
			return nil
		}
	}
	for _, s := range d.workers {
		s.sender.unrecorded = nil // it goes by the mail's number in the lost store
	}
	// What is remembered of games may rest on what was lost.
	d.keeper.games = newGameSet(d.keeper)
	for _, s := range d.workers {
		s.agenda = agenda{}
	}
	d.keeper.board.clear()
	return nil
}

// condemnStore has a store that turned out to be damaged set aside when it is opened
// next, even if it looks whole then.
func (d *Daemon) condemnStore(cause error) error {
	if !store.IsLost(cause) || errors.Is(cause, store.ErrLost) {
		return nil
	}
	return d.store.MarkDamaged()
}

// Repair makes the daemon's own records whole from what lies on disk: the store
// from its copy and the game directories, the mails in it, and what a crash left in
// games. The mailbox is read from its beginning at the next start. It sends
// nothing, may be repeated, and refuses while a daemon runs. Tell is called for
// each thing that was looked at.
func Repair(ctx context.Context, o Options, tell func(Check)) error {
	d, err := Open(o)
	if err != nil {
		return err
	}
	for _, s := range d.workers {
		s.presence.assume() // nothing of a mailbox is touched
	}
	err = d.repair(ctx, tell)
	return errors.Join(err, d.Close())
}

func (d *Daemon) repair(ctx context.Context, tell func(Check)) error {
	look := func(what string, f func() (string, error)) error {
		found, err := f()
		if err != nil && fatal(ctx, err) {
			return err
		}
		tell(Checked(what, found, err))
		return nil
	}
	if err := look("store", func() (string, error) { return d.describeStore(), nil }); err != nil {
		return err
	}
	if err := look("mails", func() (string, error) { return d.verifyMails(ctx) }); err != nil {
		return err
	}
	if err := look("mailbox", func() (string, error) {
		return "is read from its beginning at the next start; what was acted on is not acted on again", d.store.ForgetCursors(ctx)
	}); err != nil {
		return err
	}
	d.keeper.refreshGames(true)
	for _, dir := range slices.Sorted(maps.Keys(d.keeper.games.trouble)) {
		if err := look("game "+dir, func() (string, error) { return "", d.keeper.games.trouble[dir] }); err != nil {
			return err
		}
	}
	for _, g := range d.keeper.games.games {
		if err := look("game "+g.vault.Dir(), func() (string, error) { return d.repairGame(ctx, g) }); err != nil {
			return err
		}
	}
	return nil
}

// describeStore tells what became of the store when it was opened.
func (d *Daemon) describeStore() string {
	r, lost := d.store.Recovered()
	words := []string{"whole"}
	switch {
	case r.Restored:
		words = []string{"restored from its copy"}
	case lost || r.New:
		words = []string{"new"}
	}
	if r.Aside != "" {
		words = append(words, "the damaged one is "+r.Aside)
	}
	return strings.Join(words, ", ")
}

// verifyMails reads the bytes of all mails that came.
func (d *Daemon) verifyMails(ctx context.Context) (string, error) {
	whole, damaged, err := d.store.VerifyRaws(ctx)
	if err != nil {
		return "", err
	}
	found := fmt.Sprintf("%d mails, each whole", whole)
	if whole == 1 {
		found = "1 mail, whole"
	}
	if len(damaged) > 0 {
		found = fmt.Sprintf("%d mails whole; not what came, and fetched again if they are in the inbox: %s", whole, strings.Join(damaged, ", "))
	}
	return found, nil
}

// repairGame takes the game's lock, which clears away what a crash left, and
// holds its turns against the store.
func (d *Daemon) repairGame(ctx context.Context, g *game) (string, error) {
	at, err := d.keeper.workerFor(g.vault)
	if err != nil {
		return "", err
	}
	g.worker = at
	if err := errors.Join(g.vault.Lock(), g.vault.Unlock()); err != nil {
		return "", err
	}
	if err := d.keeper.steps.queueTurns(ctx, g); err != nil {
		return "", err
	}
	waiting := 0
	messages, err := d.store.Outbox(ctx, g.key)
	if err != nil {
		return "", err
	}
	for _, l := range messages {
		if l.State == store.Queued || l.State == store.Ambiguous {
			waiting++
		}
	}
	return fmt.Sprintf("%s, %s played; waiting mails: %d", g.vault.ID(), g.vault.Newest(), waiting), nil
}
