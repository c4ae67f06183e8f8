package games

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
)

// SameRobot returns an error unless the game's robot is one of the daemon's addresses, if its captains have
// addresses: answers go to the address in the game's settings.
func SameRobot(v *vault.Game, addresses ...string) error {
	s := v.Settings()
	ours := func(a string) bool { return strings.EqualFold(s.Mail.Robot, a) }
	if slices.ContainsFunc(addresses, ours) || !slices.ContainsFunc(s.Captains, func(c vault.Captain) bool { return c.Address != "" }) {
		return nil
	}
	return fault.New(fmt.Sprintf("before the first turn, remove %s and create the game again with --robot %s; after it, set robot = %q in %s",
		v.Dir(), addresses[0], addresses[0], v.Place("game.toml")),
		"the robot address of game %s is %s, the daemon's is %s; no mail of the game is sent", s.ID, s.Mail.Robot, strings.Join(addresses, " or "))
}

// waking schedules a game for the next tick. No lock of a game may be held when it is called.
func (d *Keeper) waking(g *Game) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	g.Worker.Agenda.Now(g)
	process.Nudge(g.Worker.Wake)
}

// WorkerOf returns the account with an address, or the first one if there is none.
func (d *Keeper) WorkerOf(address string) *Account {
	for _, s := range d.Accounts {
		if strings.EqualFold(s.Box.Address, address) {
			return s
		}
	}
	return d.Accounts[0]
}

// Addresses returns those of all accounts.
func (d *Keeper) Addresses() []string {
	out := make([]string, len(d.Accounts))
	for i, s := range d.Accounts {
		out[i] = s.Box.Address
	}
	return out
}

// WorkerFor returns the account that a game belongs to. A game whose captains have addresses must name one.
func (d *Keeper) WorkerFor(v *vault.Game) (*Account, error) {
	if err := SameRobot(v, d.Addresses()...); err != nil {
		return nil, err
	}
	return d.WorkerOf(v.Settings().Mail.Robot), nil
}

// listPaths updates the paths that mails must not reveal. Called with d.Mu held, when the set of games has changed.
func (d *Keeper) listPaths() {
	dirs := make([]string, len(d.Games.Games))
	for i, g := range d.Games.Games {
		dirs[i] = g.Vault.Dir()
	}
	d.Shortened.Store(process.NewShortener(d.Config, dirs))
}

// show replaces the displayed state of a game.
func (b *board) show(g *Game, s GameStatus) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if old, known := b.Games[g]; known {
		b.Counts.add(old, -1)
	}
	if b.Games == nil {
		b.Games = map[*Game]GameStatus{}
	}
	b.Games[g] = s
	b.Counts.add(s, 1)
}

// close sets how many game directories cannot be opened.
func (b *board) close(n int) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Closed = n
}

// clear removes all games from the board.
func (b *board) clear() {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Games, b.Counts = nil, GameCounts{}
}

// remove removes a game from the board.
func (b *board) remove(g *Game) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if old, known := b.Games[g]; known {
		b.Counts.add(old, -1)
		delete(b.Games, g)
	}
}

// publish updates the board with the current state of a game.
func (d *Keeper) publish(g *Game) {
	s := g.status
	s.ID, s.Mailbox, s.Trouble = g.Vault.ID(), g.Worker.Box.Address, g.Problem != nil || g.brokenAt != ""
	d.Board.show(g, s)
}

// treeAt returns the record at a place: a URL of the shared database, or a directory.
func (d *Keeper) treeAt(place string) record.Tree {
	if d.shared != nil {
		if t, ok := d.shared.Tree(place); ok {
			return t
		}
	}
	return directory.At(place)
}

// NewGame returns the record for a game made by mail: a directory in the folder for new games or, if none is
// configured, a record in the shared database.
func (d *Keeper) NewGame(id string) (record.Tree, error) {
	folder, ok := d.Config.NewGames()
	switch {
	case ok:
		return directory.At(filepath.Join(folder, id)), nil
	case d.shared != nil:
		return d.shared.At(id)
	}
	return nil, errors.New("there is no folder for games made by mail")
}
