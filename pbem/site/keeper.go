package site

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
)

// Keeper keeps the pages and the ratings up to date while games are served. The nil one
// has nothing to keep.
type Keeper struct {
	book   atomic.Pointer[rating.Book]
	write  func(context.Context) (Summary, error)
	log    *slog.Logger
	played chan struct{} // something happened in a game
}

// siteEvery is how often the pages are looked at though no turn was played: seats and
// deadlines change, too.
const siteEvery = 5 * time.Minute

// NewKeeper keeps what write brings up to date.
func NewKeeper(log *slog.Logger, write func(context.Context) (Summary, error)) *Keeper {
	return &Keeper{write: write, log: log, played: make(chan struct{}, 1)}
}

// Known is what captains have played, as far as games were looked through; nil for not yet.
func (k *Keeper) Known() *rating.Book {
	if k == nil {
		return nil
	}
	return k.book.Load()
}

// Watching is what hears of turns, and passes on what it hears.
func (k *Keeper) Watching(next func(process.Event)) func(process.Event) {
	if k == nil {
		return next
	}
	return func(e process.Event) {
		if e.Kind == process.Resolved || e.Kind == process.Over {
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

// Write brings the pages up to date. Trouble is logged: games go on without pages.
func (k *Keeper) Write(ctx context.Context) {
	if k == nil {
		return
	}
	sum, err := k.write(ctx)
	if err != nil && ctx.Err() == nil {
		k.log.Error("writing the site failed, will retry", "err", err, "hint", fault.Hint(err))
		return
	}
	k.book.Store(sum.Book)
	for _, p := range sum.Problems {
		k.log.Warn("game has no page or an old one", "err", p)
	}
	if sum.Written+sum.Removed > 0 {
		k.log.Info("site written", "pages", sum.Written+sum.Removed)
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
		ticker := time.NewTicker(siteEvery)
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
