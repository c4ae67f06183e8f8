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

// A poll checks the files of each game, which with very many games is most of an idle daemon's work. If the system
// notifies of changes, a poll checks only the games with notifications, and every game now and then (see
// thoroughEvery). A notification decides nothing by itself: its game is checked, twice.
//
// Games without notifications are checked at every poll: on NFS, beyond the system's limit of watches, or after more
// changes than the system queues.

// suspect has games checked for changes at each poll, until notifications can be trusted and the store has their idle
// state.
func (s *GameSet) suspect(games ...*Game) {
	for _, g := range games {
		if !g.suspect {
			g.suspect, s.suspects = true, append(s.suspects, g)
		}
	}
}

// hear marks the games with notifications to be checked. d.Mu is held.
func (l *listening) hear(games []*Game) {
	l.full = false
	if l.ears == nil {
		return
	}
	missed, err := l.ears.Changes(func(folder int32, name string) {
		if g := l.of[folder]; g != nil && (folder != g.folders[0] || vault.ByHand(name)) {
			g.heard = unheard
			g.Set.suspect(g)
		}
	})
	if err != nil {
		l.tell(err)
	}
	if !missed {
		return
	}
	for _, g := range games {
		if g.heard == quiet {
			g.heard = listened
			g.Set.suspect(g)
		}
	}
}

// to starts to watch a game that was checked and has not changed. d.Mu and g.Mu are held.
func (l *listening) to(g *Game) {
	switch {
	case g.heard == listened, g.heard == unheard && g.settled && g.shared: // the database tells of each change
		g.heard = quiet
	case g.heard == unheard && g.settled && !l.full && !g.shared:
		switch err := l.add(g); {
		case err == nil:
			g.heard = listened
		case errors.Is(err, fs.ErrNotExist): // the next poll reports a game that is gone
		default: // a game that cannot be watched does not keep others from it, except at the system's limit
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
			err = disk.ErrUnheard // two games share a folder, through a link
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

// forget stops watching a game.
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

// tell logs, once, why games cannot be watched.
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

// close ends the watching.
func (l *listening) close() error {
	if l.ears == nil {
		return nil
	}
	ears := l.ears
	l.ears, l.of = nil, nil
	return ears.Close()
}
