package games

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// A poll asks the file system for the files of each game, which with very many games is most of what an idle daemon
// does. Where the system tells of changes it asks for those of which something was heard, and for each game
// now and then (see thoroughEvery). What is heard decides nothing: a game of which it is, is asked for, twice.
//
// Where nothing can be heard, as on NFS, for games past the system's limit, or after more changes than it keeps, all
// are asked for as before.

// hear has the games asked for of which something is heard. d.mu is held.
func (l *listening) hear(games []*Game) {
	l.full = false
	if l.ears == nil {
		return
	}
	missed, err := l.ears.Changes(func(folder int32, name string) {
		if g := l.of[folder]; g != nil && (folder != g.folders[0] || vault.ByHand(name)) {
			g.heard = unheard
		}
	})
	if err != nil {
		l.tell(err)
	}
	for _, g := range games {
		if missed && g.heard == quiet {
			g.heard = listened
		}
	}
}

// to listens to a game that was asked for and has not changed. d.mu and g.mu are held.
func (l *listening) to(g *Game) {
	switch {
	case g.heard == listened:
		g.heard = quiet
	case g.heard == unheard && g.settled && !l.full && !g.shared:
		switch err := l.add(g); {
		case err == nil:
			g.heard = listened
		case errors.Is(err, fs.ErrNotExist): // of a game that is gone the next poll tells
		default: // one game that cannot be listened to keeps no other from it, but at the system's limit
			g.heard = inaudible
			if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
				g.heard, l.full = unheard, true
			}
			l.tell(err)
		}
	}
}

func (l *listening) add(g *Game) (err error) {
	if l.ears == nil {
		if l.ears, err = disk.Listen(); err != nil {
			l.ears = nil
			return err
		}
		l.of = map[int32]*Game{}
	}
	was := g.folders
	g.folders, err = vault.Listen(l.ears, g.Vault)
	for _, f := range g.folders {
		if other := l.of[f]; other != nil && other != g {
			err = disk.ErrUnheard // a folder that two games share, by a link
		} else {
			l.of[f] = g
		}
	}
	l.remove(g, slices.DeleteFunc(was, func(f int32) bool { return slices.Contains(g.folders, f) }))
	if err != nil {
		l.forget(g)
	}
	return err
}

// forget no longer listens to a game.
func (l *listening) forget(g *Game) {
	l.remove(g, g.folders)
	g.folders, g.heard = nil, unheard
}

func (l *listening) remove(g *Game, folders []int32) {
	for _, f := range folders {
		if l.of[f] == g {
			delete(l.of, f)
			if err := l.ears.Remove(f); err != nil {
				l.tell(err)
			}
		}
	}
}

// tell logs, once, why games must be asked for.
func (l *listening) tell(err error) {
	if l.told[err.Error()] {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[err.Error()] = true
	l.log.Warn("some games cannot be watched for changes, checking them at each poll", "err", err, "hint", fault.Hint(err))
}

// close ends it.
func (l *listening) close() error {
	if l.ears == nil {
		return nil
	}
	ears := l.ears
	l.ears, l.of = nil, nil
	return ears.Close()
}
