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

// Most games wait for orders, for days. Reading each one to see that would take far longer than the rest of a
// start. So the state of an idle game is recorded in the store, with marks of its files. A start looks only at
// games that have changed, or that are due. Games without a record, for example because the store was lost, are
// looked at as usual.

// idleDetail is what is recorded of an idle game in addition to marks of its files.
type idleDetail struct {
	Next   time.Time  `json:"next,omitzero"` // when it must be looked at next
	Sets   []string   `json:"sets,omitempty"`
	Status GameStatus `json:"status"`
}

// idleNote returns the record of an idle game whose files have not changed since the last look. It returns false
// if there may be something to do in it, or if it is already recorded. d.Mu and g.Mu are held.
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

// recordIdle records idle games. If it fails, the next start only takes longer.
func (d *Keeper) recordIdle(games []store.IdleGame) {
	const together = 5000
	for part := range slices.Chunk(games, together) {
		if err := d.Store.RecordIdle(context.Background(), part...); err != nil {
			d.Log.Warn("recording idle games failed", "err", err)
			return
		}
	}
}

// recallIdle removes opened games from the agenda that are recorded as idle, if nothing has changed that this
// depends on. It does nothing if the store was lost, because its records may then be older than the games.
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

// seen is a hash of all that the idleness of a game depends on: its place and files, the rules, the configuration,
// and the program itself, because another build may find something to do.
func (d *Keeper) seen(g *Game, mark, rest vault.Mark) string {
	r := g.Vault.Rules()
	return vault.Hash(fmt.Append(nil, mark, rest, d.conditions(), g.Vault.Dir(), r.Name, r.Version, g.Worker.Box.Address))[:32]
}

// conditions returns a hash of the configuration and the program.
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

// unwatch closes a watcher.
func (s *GameSet) unwatch(w *vault.Watcher) {
	if err := w.Close(); err != nil {
		s.d.Log.Debug("checking for changed files failed", "err", err)
	}
}
