// Package keeper keeps up to date, while games are served, what is made of them for others: pages, ratings, cups. Games
// go on without it, and wait for none of it.
package keeper

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/cup"
	"starpost/pbem/cup/play"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/notify"
	"starpost/pbem/rating"
	"starpost/pbem/site"
)

// Work is what a keeper does, each time that something happened in a game.
type Work struct {
	// Write writes the pages, or looks through the games for ratings alone.
	Write func(ctx context.Context, now time.Time) (site.Summary, error)
	// Cups gives where cups are played; false where the configuration has no place for their games.
	Cups func(now time.Time) (play.Host, bool)
	// Notices sends what the pages tell to webhooks; nil if none is configured.
	Notices *notify.Notifier
	Log     *slog.Logger
}

// Keeper is at work. The nil one has nothing to keep.
type Keeper struct {
	work   Work
	book   atomic.Pointer[rating.Book]
	paired func()        // a round was paired, and has games; may be nil
	played chan struct{} // something happened in a game or a cup
}

// every is how often pages and cups are looked at though no turn was played: seats and deadlines change, too.
const every = 5 * time.Minute

// New makes a keeper.
func New(w Work) *Keeper { return &Keeper{work: w, played: make(chan struct{}, 1)} }

// Known is what captains have played, as far as games were looked through; nil for not yet.
func (k *Keeper) Known() *rating.Book {
	if k == nil {
		return nil
	}
	return k.book.Load()
}

// WhenPaired has a function called after rounds were paired. It must be set before Keep.
func (k *Keeper) WhenPaired(f func()) {
	if k != nil {
		k.paired = f
	}
}

// Watching is what hears of turns and cups, and passes on what it hears. It never waits.
func (k *Keeper) Watching(next func(process.Event)) func(process.Event) {
	if k == nil {
		return next
	}
	return func(e process.Event) {
		if slices.Contains([]string{process.Resolved, process.Over, process.Entered}, e.Kind) {
			select {
			case k.played <- struct{}{}:
			default: // it is due to be written already
			}
		}
		if next != nil {
			next(e)
		}
	}
}

// Write brings all up to date. Trouble is logged: games go on without pages.
func (k *Keeper) Write(ctx context.Context) {
	if k == nil {
		return
	}
	now := time.Now()
	sum, err := k.work.Write(ctx, now)
	if err == nil && k.pair(ctx, now, sum.Played) {
		if k.paired != nil {
			k.paired()
		}
		sum, err = k.work.Write(ctx, now) // with the results and the new games
	}
	if err != nil {
		if ctx.Err() == nil {
			k.work.Log.Error("writing the site failed, will retry", "err", err, "hint", fault.Hint(err))
		}
		return
	}
	k.book.Store(sum.Book)
	if k.work.Notices != nil {
		k.work.Notices.Offer(sum.Public)
	}
	for _, p := range sum.Problems {
		k.work.Log.Warn("game has no page or an old one", "err", p)
	}
	if sum.Written+sum.Removed > 0 {
		k.work.Log.Info("site written", "pages", sum.Written+sum.Removed)
	}
}

// pair notes the results of games of cups, pairs the rounds that are due of cups that leave it to the daemon, and makes
// games that are missing. It tells whether something changed.
func (k *Keeper) pair(ctx context.Context, now time.Time, played []rating.Game) (changed bool) {
	host, ok := k.work.Cups(now)
	if !ok {
		return false
	}
	names, err := host.Cups.Names()
	if err != nil {
		k.work.Log.Error("looking at the cups failed, will retry", "err", err)
		return false
	}
	var strengths play.Ratings
	for _, name := range names {
		before, err := host.Cups.Read(name)
		if err == nil && before.Over() {
			continue
		}
		after := before
		if err == nil && before.Due() {
			if strengths == nil {
				strengths = rating.Strengths(played, now)
			}
			after, err = host.Pair(ctx, name, cup.Source{By: cup.ByDaemon, Now: now}, strengths)
		} else if err == nil {
			after, err = host.Results(ctx, name)
		}
		if err != nil && !errors.Is(err, cup.ErrUnfinished) && !errors.Is(err, cup.ErrOver) {
			k.work.Log.Error("the cup cannot go on, will retry", "cup", name, "err", err, "hint", fault.Hint(err))
			continue
		}
		if after != nil && (after.Paired != before.Paired || len(after.Open()) != len(before.Open()) || after.Over()) {
			changed = true
			k.work.Log.Info("cup", "cup", name, "state", after.State())
		}
	}
	return changed
}

// Once writes the pages and sends notices, for a daemon that does not stay.
func (k *Keeper) Once(ctx context.Context) {
	k.Write(ctx)
	if k != nil && k.work.Notices != nil {
		k.work.Notices.Once(ctx)
	}
}

// Keep writes the pages now and after each turn, until ctx ends. To wait for the end of that
// call end.
func (k *Keeper) Keep(ctx context.Context) (end func()) {
	if k == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if k.work.Notices != nil {
			var group sync.WaitGroup
			defer group.Wait()
			group.Go(func() { k.work.Notices.Keep(ctx) })
		}
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			k.Write(ctx)
			select {
			case <-ctx.Done():
				return
			case <-k.played:
			case <-ticker.C:
			}
		}
	}()
	return func() { stop(); <-done }
}
