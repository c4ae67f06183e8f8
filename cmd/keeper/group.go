package keeper

import (
	"context"

	"starpost/pbem/daemon/process"
	"starpost/pbem/rating"
)

// Group is keepers of several communities: of the host and of each of its clubs. They share nothing.
type Group struct {
	all []*Keeper
	of  map[string]*Keeper
}

// Add takes a keeper in, nil for a community that has nothing to keep.
func (g *Group) Add(community string, k *Keeper) {
	if g.of == nil {
		g.of = map[string]*Keeper{}
	}
	g.of[community] = k
	if k != nil {
		g.all = append(g.all, k)
	}
}

// Known is what the captains of a community have played, see [Keeper.Known].
func (g *Group) Known(community string) func() *rating.Book { return g.of[community].Known }

// WhenPaired has a function called when a round of a cup was paired and has games.
func (g *Group) WhenPaired(f func()) {
	for _, k := range g.all {
		k.WhenPaired(f)
	}
}

// Watching is what hears of turns, and passes on what it hears. It never waits.
func (g *Group) Watching(next func(process.Event)) func(process.Event) {
	for _, k := range g.all {
		next = k.Watching(next)
	}
	return next
}

// Write brings all up to date.
func (g *Group) Write(ctx context.Context) {
	for _, k := range g.all {
		k.Write(ctx)
	}
}

// Once writes the pages and sends notices, for a daemon that does not stay.
func (g *Group) Once(ctx context.Context) {
	for _, k := range g.all {
		k.Once(ctx)
	}
}

// Keep has all keep theirs until ctx ends. To wait for their end call end.
func (g *Group) Keep(ctx context.Context) (end func()) {
	ends := make([]func(), len(g.all))
	for i, k := range g.all {
		ends[i] = k.Keep(ctx)
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}
