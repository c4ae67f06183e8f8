package games

import (
	"container/heap"
	"time"
)

// at schedules a game for the given time, unless it is scheduled earlier. Zero means never.
func (a *Agenda) at(g *Game, when time.Time) {
	switch {
	case when.IsZero() || g.place > 0 && !when.Before(g.next):
	case g.place > 0:
		g.next = when
		heap.Fix(&a.games, g.place-1)
	default:
		g.next = when
		heap.Push(&a.games, g)
	}
}

// Now schedules a game for the next tick.
func (a *Agenda) Now(g *Game) { a.at(g, time.Unix(0, 0)) }

// drop removes a game.
func (a *Agenda) drop(g *Game) {
	if g.place > 0 {
		heap.Remove(&a.games, g.place-1)
	}
}

// first returns when the next game is due; zero for never.
func (a *Agenda) first() time.Time {
	if len(a.games) == 0 {
		return time.Time{}
	}
	return a.games[0].next
}

// Due returns the games that are due, without removing them.
func (a *Agenda) Due(now time.Time) []*Game {
	var out []*Game
	var walk func(i int)
	walk = func(i int) {
		if i >= len(a.games) || a.games[i].next.After(now) {
			return
		}
		out = append(out, a.games[i])
		walk(2*i + 1)
		walk(2*i + 2)
	}
	walk(0)
	return out
}

func (h byTime) Len() int           { return len(h) }
func (h byTime) Less(i, j int) bool { return h[i].next.Before(h[j].next) }

func (h byTime) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (h *byTime) Push(x any) {
	g := x.(*Game) //nolint:forcetypeassert // agenda pushes nothing else
	*h = append(*h, g)
	g.place = len(*h)
}

// Pop implements heap.Interface.
func (h *byTime) Pop() any {
	old := *h
	g := old[len(old)-1]
	*h, g.place = old[:len(old)-1], 0
	return g
}
