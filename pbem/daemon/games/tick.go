package games

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"starpost/pbem/beacon/relay"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
)

// maxSteps limits the work on one game before the next: a game whose captains sent all orders ahead could
// play to its end.
const maxSteps = 100

// Tick does what is due in the games of a mailbox: in all of them, or in those that are scheduled. No turn
// is resolved unless fresh says that the mailbox was just read. Tick returns when to look again; zero for
// never.
func (d *Keeper) Tick(ctx context.Context, s *Account, all, fresh bool) (next time.Time, err error) {
	due, err := d.due(ctx, s, all)
	if err != nil {
		return next, err
	}
	errs := make([]error, len(due))
	var failed atomic.Bool
	d.SideBySide(len(due), func(n int) {
		if failed.Load() {
			return
		}
		if errs[n] = d.look(ctx, s, due[n], fresh); errs[n] != nil {
			failed.Store(true)
		}
	})
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if failed.Load() {
		for _, g := range due { // a host that loses the mailbox meanwhile may get it back
			g.Worker.Agenda.Now(g)
		}
		return next, errors.Join(errs...)
	}
	return s.Agenda.first(), nil
}

// due removes the games that are due, or all, from the agenda and returns them.
func (d *Keeper) due(ctx context.Context, s *Account, all bool) ([]*Game, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if err := d.WatchClock(ctx); err != nil {
		return nil, err
	}
	if err := d.applyInterruptions(ctx); err != nil {
		return nil, err
	}
	if all {
		for _, g := range d.Games.Games {
			g.Worker.Agenda.Now(g)
		}
	}
	due := s.Agenda.Due(d.Clock.Now())
	slices.SortFunc(due, func(a, b *Game) int { return strings.Compare(a.ID, b.ID) })
	for _, g := range due {
		s.Agenda.drop(g)
		g.atRest, g.noted, g.heard = false, false, unheard
		g.Set.suspect(g)
	}
	return due, nil
}

// look looks at one game. Its error is fatal.
func (d *Keeper) look(ctx context.Context, s *Account, g *Game, fresh bool) error {
	next, at, err := d.lookAlone(ctx, s, g, fresh)
	if err != nil {
		return err
	}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for _, o := range g.Waiting {
		process.Nudge(o.Wake)
	}
	g.Waiting = nil
	if at == s {
		s.Agenda.at(g, next)
		g.atRest = g.Problem == nil && g.brokenAt == "" && g.pause.pending == ""
		return nil
	}
	s.Agenda.drop(g)
	g.Worker = at // its robot has a new address
	at.Agenda.Now(g)
	process.Nudge(at.Wake)
	return nil
}

// lookAlone looks at one game while holding its mutex. It returns when to look again, and the account that
// the game belongs to. Its error is fatal.
func (d *Keeper) lookAlone(ctx context.Context, s *Account, g *Game, fresh bool) (next time.Time, at *Account, err error) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	defer g.Used()
	now := d.Clock.Now()
	next, at, err = d.tickGame(ctx, s, g, fresh && !g.Awaited.Load())
	switch {
	case err != nil && process.Fatal(ctx, err):
		return next, s, err
	case err != nil:
		next = now.Add(d.Config.Poll.Duration())
		if disk.IsUnwritable(err) {
			next = process.Earlier(next, now.Add(watch.OwnTroublePause))
		}
		if g.Problem == nil || g.Problem.Error() != err.Error() {
			s.Log.Error("game check failed, will retry", "game", g.ID, "err", err, "hint", fault.Hint(err))
			d.Emit(process.Event{Kind: process.Trouble, Game: g.ID, Detail: err.Error()})
		}
	}
	g.Problem = err
	d.publish(g)
	return next, at, nil
}

// tickGame steps one game until there is nothing more to do now, and returns the account that it belongs
// to.
func (d *Keeper) tickGame(ctx context.Context, s *Account, g *Game, fresh bool) (next time.Time, at *Account, err error) {
	at = s
	defer process.Recovered("game "+g.ID, &err)
	err = g.Vault.InOneMoment(func() error {
		if err := g.Vault.Refresh(); err != nil {
			return err
		}
		if at, err = d.WorkerFor(g.Vault); err != nil || at != s {
			return err
		}
		if err := d.Steps.QueueTurns(ctx, g); err != nil {
			return err
		}
		if g.pause.pending != "" {
			next = d.Clock.Now().Add(RetryLocked)
			return nil
		}
		next, err = d.step(ctx, g, fresh)
		return err
	})
	if err != nil {
		at = s
	}
	return next, at, err
}

// step steps a game until there is nothing more to do now.
func (d *Keeper) step(ctx context.Context, g *Game, fresh bool) (next time.Time, err error) {
	for range maxSteps {
		var again bool
		if again, next, err = d.Steps.stepGame(ctx, g, fresh); err != nil || !again {
			return next, err
		}
	}
	return d.Clock.Now(), nil
}

// TreeOf returns the current location of a game by its key in the store.
func (d *Keeper) TreeOf(key string) (tree record.Tree, known bool) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if g := d.Games.WithKey(key); g != nil {
		return d.treeAt(g.Vault.Dir()), true
	}
	return nil, false
}

// RefreshGames searches for games and changed files, unless always is false and that was done within the
// last poll. It returns how long ago that was. Without always, it may open only some of the games: if more
// is true, call it again before acting on any mail.
func (d *Keeper) RefreshGames(always bool) (ago time.Duration, more bool) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	now := d.Clock.Now()
	if ago = now.Sub(d.Games.looked); !always && len(d.Games.untried) == 0 && 0 <= ago && ago < d.Config.Poll.Duration() {
		return ago, false
	}
	d.Games.looked = now
	for more = d.Games.refresh(); more && always; {
		more = d.Games.refresh()
	}
	return 0, more
}

// NewKeeper returns a keeper for the configured games, and for those in a shared database; nil for none.
func NewKeeper(p *process.Process, w *watch.Guard, holder string, shared *postgres.Games) *Keeper {
	k := &Keeper{Process: p, guard: w, holder: holder, shared: shared}
	k.Steps = &stepper{teller: &teller{p}, Relays: relay.NewAsker(p.Options.Beacons, p.Clock.Now), waking: k.waking}
	k.Games = newGameSet(k)
	return k
}

// Forget drops everything remembered about games, which may depend on a store that was lost.
func (d *Keeper) Forget() {
	if err := d.Games.listen.close(); err != nil {
		d.Log.Warn("stopping the watch for changed files failed", "err", err)
	}
	d.Games = newGameSet(d)
	for _, s := range d.Accounts {
		s.Agenda = Agenda{}
	}
	d.Board.clear()
}

// StoreKey returns the key of a game in the store, or id if there is no such game.
func (d *Keeper) StoreKey(id string) string {
	if g := d.Games.WithID(id); g != nil {
		return g.Key
	}
	return id
}

// NoteRest records which games are idle when the daemon ends.
func (d *Keeper) NoteRest() {
	if d.Stopped.Load() == nil { // after a simulated kill, do nothing
		d.Mu.Lock()
		defer d.Mu.Unlock()
		d.Games.lookForChanges(d.Clock.Now())
	}
}
