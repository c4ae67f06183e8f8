// Package keeper keeps pages, ratings and cups up to date while games are served. Games neither need it nor wait for
// it.
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

// Work is what a keeper does each time something happened in a game.
type Work struct {
	// Write writes the pages, or only reads the games for ratings.
	Write func(ctx context.Context, now time.Time) (site.Summary, error)
	// Cups returns where cups are played, or false if the configuration has no place for their games.
	Cups func(now time.Time) (play.Host, bool)
	// Notices sends what the pages show to webhooks; nil if none is configured.
	Notices *notify.Notifier
	Log     *slog.Logger
}

// Keeper does the work. A nil Keeper has nothing to keep.
type Keeper struct {
	work   Work
	book   atomic.Pointer[rating.Book]
	paired func()        // called when a round was paired and has games; may be nil
	played chan struct{} // something happened in a game or a cup
}

// every is how often pages and cups are updated when no turn was played: seats and deadlines change too.
const every = 5 * time.Minute

// New returns a keeper.
func New(w Work) *Keeper { return &Keeper{work: w, played: make(chan struct{}, 1)} }

// Known returns what captains have played, as of the last look through the games; nil before the first.
func (k *Keeper) Known() *rating.Book {
	if k == nil {
		return nil
	}
	return k.book.Load()
}

// WhenPaired sets the function to call after rounds were paired. Call it before Keep.
func (k *Keeper) WhenPaired(f func()) {
	if k != nil {
		k.paired = f
	}
}

// Watching returns an event handler that notes turns and cup entries, and calls next. It never blocks.
func (k *Keeper) Watching(next func(process.Event)) func(process.Event) {
	if k == nil {
		return next
	}
	return func(e process.Event) {
		if slices.Contains([]string{process.Resolved, process.Over, process.Entered}, e.Kind) {
			select {
			case k.played <- struct{}{}:
			default: // a write is due already
			}
		}
		if next != nil {
			next(e)
		}
	}
}

// Write brings everything up to date. Errors are logged: games go on without pages.
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

// pair records the results of cup games, pairs the rounds that are due in cups paired by the daemon, and makes missing
// games. It reports whether something changed.
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

// Keep writes the pages now, after each turn, and regularly, until ctx ends. Call end to stop and wait.
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
