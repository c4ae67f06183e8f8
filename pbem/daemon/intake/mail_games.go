package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/lobby"
	"starpost/pbem/record"
	"starpost/pbem/vault"
)

// mailGames is the game set as the desk sees it while one mail is judged. Games that it returns
// stay locked until the mail, or all mails of its group, are handled.
type mailGames struct {
	games *games.GameSet
	ctx   context.Context //nolint:containedctx // a book lives as long as one call of handle
	at    *Intake         // where the mail came in
	mail  string          // see startReplay
	held  []*games.Game
	// replayed are the games that disregard what the mail has already done in them.
	replayed []*games.Game
}

// startReplay makes all games disregard what the mail with that hash has already done in them,
// until release. So a mail that is judged again, after a crash in the middle, is judged like the
// first time.
func (b *mailGames) startReplay(mail string) error {
	b.mail = mail
	b.games.Mu.Lock()
	of := slices.Clone(b.games.Caused[mail])
	b.games.Mu.Unlock()
	for _, g := range of {
		if err := b.at.take(g); err != nil {
			return err
		}
		b.disregard(g)
	}
	return nil
}

// disregard does that for one game, even if the mail has not done anything in it yet.
func (b *mailGames) disregard(g *games.Game) {
	g.Wake()
	if b.mail == "" || slices.Contains(b.replayed, g) {
		return
	}
	g.Vault.Disregard(b.mail)
	b.replayed = append(b.replayed, g)
}

// Settings returns those of all open games.
func (b *mailGames) Settings() []*vault.Settings { return b.games.Settings() }

// Look returns a game without locking it.
func (b *mailGames) Look(id string) (*vault.Game, error) {
	g := b.games.WithID(id)
	if g == nil {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	if err := b.at.take(g); err != nil {
		return nil, err
	}
	b.disregard(g)
	return g.Vault, nil
}

// Known implements desk.Games.
func (b *mailGames) Known(id string) *lobby.Listing {
	if g := b.games.WithID(id); g != nil {
		return g.Listing.Load()
	}
	return nil
}

// Keep implements desk.Games. The game must be taken.
func (b *mailGames) Keep(id string, l *lobby.Listing) {
	if g := b.games.WithID(id); g != nil && slices.Contains(b.at.taken, g) {
		g.Listing.Store(l)
	}
}

// Game locks a game for the mail.
func (b *mailGames) Game(id string) (*vault.Game, error) {
	g := b.games.WithID(id)
	if g == nil {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	if slices.Contains(b.held, g) {
		return g.Vault, nil
	}
	// A later mail must not overtake one that waits for the game, because the last order set
	// counts.
	if err := b.at.blocked[g]; err != nil {
		return nil, err
	}
	if err := b.at.take(g); err != nil {
		return nil, err
	}
	b.disregard(g)
	if err := b.at.lockGame(g); err != nil {
		b.block(g, err)
		return nil, err
	}
	b.held = append(b.held, g)
	g.Worker.Agenda.Now(g)
	if g.Worker != b.at.Account {
		process.Nudge(g.Worker.Wake) // it looks once the mail is handled
	}
	return g.Vault, nil
}

// block makes later mails for a game wait, if the mail failed because of the game's lock, the disk or the store.
func (b *mailGames) block(g *games.Game, err error) {
	locked := errors.Is(err, vault.ErrLocked)
	if locked || errors.Is(err, record.ErrFenced) || watch.IsOwn(err) {
		b.at.blocked[g] = err
	}
	if locked {
		g.Awaited.Store(true)
	}
}

// release ends the judging of the mail, which failed with err if that is not nil.
func (b *mailGames) release(err error) error {
	for _, g := range b.held {
		b.block(g, err)
	}
	for _, g := range b.replayed {
		g.Vault.Disregard("")
	}
	b.replayed = nil
	held := b.held
	b.held = nil
	if b.at.group != nil {
		return nil // see unlockGames
	}
	var all []error
	for _, g := range held {
		all = append(all, g.Vault.Unlock())
	}
	b.at.giveBack()
	return errors.Join(all...)
}

// blockOnly replaces the blocked games. The turn of a game that is no longer blocked need not wait for its mails.
func (s *Intake) blockOnly(these map[*games.Game]error) {
	for g := range s.blocked {
		if these[g] == nil {
			g.Awaited.Store(false)
		}
	}
	s.blocked = these
}

// take locks a game's mutex until giveBack. Within a group the store is held, and a goroutine that
// holds the game may be waiting for the store. So take does not wait then, and the mails for the
// game are handled later. s.keeper.Mu is held.
func (s *Intake) take(g *games.Game) error {
	switch {
	case slices.Contains(s.taken, g):
		return nil
	case s.group == nil:
		g.Mu.Lock()
	case !g.Mu.TryLock():
		if !slices.Contains(g.Waiting, s.Account) {
			g.Waiting = append(g.Waiting, s.Account)
		}
		s.blocked[g] = fmt.Errorf("game %s: %w", g.ID, games.ErrTaken)
		return s.blocked[g]
	}
	s.taken = append(s.taken, g)
	g.Within = s.group
	return nil
}

// giveBack releases the taken games. s.keeper.Mu is held.
func (s *Intake) giveBack() {
	for _, g := range s.taken {
		g.Within = nil
		g.Mu.Unlock()
	}
	s.taken = nil
}

// lockGame locks a game until release or, within a group, until unlockGames, so that mails for one
// game share its lock.
func (s *Intake) lockGame(g *games.Game) error {
	if slices.Contains(s.locked, g) {
		return nil
	}
	if err := g.Vault.LockFresh(); err != nil {
		return err
	}
	if s.group != nil {
		g.Vault.Orders.Defer(&s.unsynced)
		s.locked = append(s.locked, g)
	}
	return nil
}

// unlockGames unlocks the games that the mails of a group have touched.
func (s *Intake) unlockGames() error {
	var all []error
	for _, g := range s.locked {
		g.Vault.Orders.Defer(nil)
		all = append(all, g.Vault.Unlock())
	}
	s.locked = nil
	s.giveBack()
	return errors.Join(all...)
}
