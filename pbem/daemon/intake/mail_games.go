package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/lobby"
	"starpost/pbem/vault"
)

// mailGames is the game set as the desk sees it while one mail is judged: games that
// are asked for stay locked until the mail is dealt with, or all that are acted on
// together with it.
type mailGames struct {
	games *games.GameSet
	ctx   context.Context //nolint:containedctx // a book lives as long as one call of handle
	at    *Intake         // where the mail came in
	mail  string          // see judging
	held  []*games.Game
	// replayed are the games that stand as if the mail had brought nothing about.
	replayed []*games.Game
}

// startReplay has all games stand as if the mail with that name had brought nothing
// about yet, until release. A mail that is judged a second time, after a crash in
// the middle, is judged as it was the first time.
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

// disregard has a game stand so, whatever the mail is yet to bring about.
func (b *mailGames) disregard(g *games.Game) {
	g.Wake()
	if b.mail == "" || slices.Contains(b.replayed, g) {
		return
	}
	g.Vault.Disregard(b.mail)
	b.replayed = append(b.replayed, g)
}

// Settings are those of all open games.
func (b *mailGames) Settings() []*vault.Settings { return b.games.Settings() }

// Look gives a game without locking it.
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

// Keep implements desk.Games. The game is taken.
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
	// A later mail must not go before one that waits for the game: the set that
	// came last counts.
	if err := b.at.blocked[g]; err != nil {
		return nil, err
	}
	if err := b.at.take(g); err != nil {
		return nil, err
	}
	b.disregard(g)
	if err := b.at.lockGame(g); err != nil {
		if errors.Is(err, vault.ErrLocked) {
			b.at.blocked[g] = err
			g.Awaited.Store(true)
		}
		return nil, err
	}
	b.held = append(b.held, g)
	g.Worker.Agenda.Now(g)
	if g.Worker != b.at.Account {
		process.Nudge(g.Worker.Wake) // it looks when the mail is dealt with
	}
	return g.Vault, nil
}

// release ends the judging of the mail.
func (b *mailGames) release() error {
	for _, g := range b.replayed {
		g.Vault.Disregard("")
	}
	b.replayed = nil
	held := b.held
	b.held = nil
	if b.at.group != nil {
		return nil // see letGo
	}
	var all []error
	for _, g := range held {
		all = append(all, g.Vault.Unlock())
	}
	b.at.giveBack()
	return errors.Join(all...)
}

// take has a game to oneself until giveBack. Who commits mails together has the store
// meanwhile, for which one who looks at the game may wait: he does not wait for the game
// in turn, and its mails come later. s.mu is held.
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

// giveBack lets others have the games that were taken. s.keeper.mu is held.
func (s *Intake) giveBack() {
	for _, g := range s.taken {
		g.Within = nil
		g.Mu.Unlock()
	}
	s.taken = nil
}

// lockGame locks a game: until release, or until unlockGames where what
// is done is committed together, so that mails for one game share its lock.
func (s *Intake) lockGame(g *games.Game) error {
	if slices.Contains(s.locked, g) {
		return nil
	}
	if err := g.Vault.Refresh(); err != nil {
		return err
	}
	if err := g.Vault.Lock(); err != nil {
		return err
	}
	if s.group != nil {
		g.Vault.Orders.Defer(&s.unsynced)
		s.locked = append(s.locked, g)
	}
	return nil
}

// unlockGames ends the locks of the games that mails which are acted on together have
// touched.
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
