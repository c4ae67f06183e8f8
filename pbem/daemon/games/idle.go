package games

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// Most games of many wait for orders, for days. To see that, each is read, with its state: that takes a
// start far longer than all else together. So how a game stands in which there is nothing
// to do is noted in the store, with marks of its files. A start looks into those alone that changed, or whose time
// has come. Without the note, as after the store was lost, a game is looked at as ever.

// idleDetail is what is noted of an idle game beside what its files were.
type idleDetail struct {
	Next   time.Time  `json:"next,omitzero"` // when it must be looked at anyway
	Sets   []string   `json:"sets,omitempty"`
	Status GameStatus `json:"status"`
}

// idleNote is what to note of a game whose files are as they were when it was looked at; false
// if there may be something to do in it, or that is noted. d.mu and g.mu are held.
func (d *Keeper) idleNote(g *Game, now time.Time) (n store.IdleGame, idle bool) {
	if g.noted || !g.atRest || g.place > 0 && !g.next.After(now) {
		return n, false
	}
	detail := idleDetail{Sets: g.Vault.Orders.Watched(), Status: g.status}
	if g.place > 0 {
		detail.Next = g.next
	}
	text, err := json.Marshal(detail)
	if err != nil {
		return n, false
	}
	g.noted = true
	return store.IdleGame{Game: g.Key, Seen: d.seen(g, g.mark, g.rest), Detail: string(text)}, true
}

// recordIdle notes idle games. Without the notes the next start takes longer, and nothing else.
func (d *Keeper) recordIdle(games []store.IdleGame) {
	const together = 5000
	for part := range slices.Chunk(games, together) {
		if err := d.Store.RecordIdle(context.Background(), part...); err != nil {
			d.Log.Warn("recording idle games failed", "err", err)
			return
		}
	}
}

// recallIdle takes games that were opened off the agenda of which it is noted that there is nothing to do in
// them, unless anything is another on which that rests. Without a note, or if the store was
// lost, and what it has may be of another time than the games, they are looked at.
func (s *GameSet) recallIdle(opened []*Game) {
	if _, lost := process.WasLost(s.d.Store); lost {
		return
	}
	if s.noted == nil {
		noted, err := s.d.Store.IdleGames(context.Background())
		if err != nil {
			s.d.Log.Warn("looking up idle games failed, checking all games", "err", err)
		}
		s.noted = make(map[string]store.IdleGame, len(noted))
		for _, n := range noted {
			s.noted[n.Game] = n
		}
	}
	var w vault.Watcher
	defer s.unwatch(&w)
	for _, g := range opened {
		if n, ok := s.noted[g.Key]; ok {
			s.d.recall(g, &w, n)
			delete(s.noted, g.Key)
		}
	}
	if len(s.untried) == 0 {
		s.noted = nil
	}
}

// recall does that for one game.
func (d *Keeper) recall(g *Game, w *vault.Watcher, n store.IdleGame) {
	var detail idleDetail
	if json.Unmarshal([]byte(n.Detail), &detail) != nil {
		return
	}
	g.Vault.Orders.Watch(detail.Sets)
	mark, err := w.Look(g.Vault)
	rest := w.Thorough(g.Vault)
	if err != nil || n.Seen != d.seen(g, mark, rest) {
		return
	}
	g.mark, g.rest, g.settled, g.atRest, g.noted = mark, rest, true, true, true
	g.status = detail.Status
	d.Board.show(g, g.status)
	g.Worker.Agenda.drop(g)
	g.Worker.Agenda.at(g, detail.Next)
}

// seen sums up all on which it rests that there is nothing to do in a game: where it lies and
// its files, the rules, the configuration, and the program itself, another build of which may
// find something to do.
func (d *Keeper) seen(g *Game, mark, rest vault.Mark) string {
	r := g.Vault.Rules()
	return vault.Hash(fmt.Append(nil, mark, rest, d.conditions(), g.Vault.Dir(), r.Name, r.Version, g.Worker.Box.Address))[:32]
}

// conditions sum up the configuration and the program.
func (d *Keeper) conditions() string {
	if d.conditionsSum == "" {
		cfg, err := json.Marshal(d.Config)
		program := time.Time{}
		if path, perr := os.Executable(); perr == nil {
			if info, serr := os.Stat(path); serr == nil {
				program = info.ModTime()
			}
		}
		d.conditionsSum = vault.Hash(fmt.Append(cfg, err, d.Options.Version, program))
	}
	return d.conditionsSum
}

// unwatch ends a look for changes.
func (s *GameSet) unwatch(w *vault.Watcher) {
	if err := w.Close(); err != nil {
		s.d.Log.Debug("checking for changed files failed", "err", err)
	}
}
