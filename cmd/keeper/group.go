package keeper

import (
	"context"

	"starpost/pbem/daemon/process"
	"starpost/pbem/rating"
)

// Group holds the keepers of several communities: the host's and those of its clubs. They share nothing.
type Group struct {
	all []*Keeper
	of  map[string]*Keeper
}

// Add adds the keeper of a community, nil if it has nothing to keep.
func (g *Group) Add(community string, k *Keeper) {
	if g.of == nil {
		g.of = map[string]*Keeper{}
	}
	g.of[community] = k
	if k != nil {
		g.all = append(g.all, k)
	}
}

// Known returns the [Keeper.Known] of a community.
func (g *Group) Known(community string) func() *rating.Book { return g.of[community].Known }

// WhenPaired sets the function to call after a round of a cup was paired and has games.
func (g *Group) WhenPaired(f func()) {
	for _, k := range g.all {
		k.WhenPaired(f)
	}
}

// Watching returns an event handler that tells all keepers of turns and calls next. It never blocks.
func (g *Group) Watching(next func(process.Event)) func(process.Event) {
	for _, k := range g.all {
		next = k.Watching(next)
	}
	return next
}

// Write brings everything up to date.
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

// Keep runs all keepers until ctx ends. Call end to wait for them to finish.
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
