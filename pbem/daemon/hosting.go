package daemon

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"starpost/pbem/fault"
	"starpost/pbem/lobby"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// openHosting has the desks make games for people, where the configuration lets them, and let
// people watch. What the host offers must be playable.
func (d *Daemon) openHosting() error {
	h, err := newHosting(d.o, d.cfg.State)
	if err != nil || h == nil {
		return err
	}
	for _, s := range d.workers {
		own := *h
		own.Make, s.desk.Hosting = s.intake.makeGame, &own
	}
	for i, w := range h.Offers {
		if err := h.CheckOffer(d.o.Library, d.workers[0].box.Address, w); err != nil {
			return fault.New(fault.Hint(err), "lobby.offer %q: %s", d.cfg.Lobby.Offer[i], err)
		}
	}
	return nil
}

// newHosting is how games are made for people, with the requests of a state directory, but for Make;
// nil where the configuration lets no one ask.
func newHosting(o Options, state string) (*lobby.Hosting, error) {
	cfg := o.Config
	if cfg.Lobby == nil || o.Library == nil {
		return nil, nil
	}
	requests, err := lobby.OpenRequests(state)
	if err != nil {
		return nil, err
	}
	h := &lobby.Hosting{
		Requests: requests, Create: cfg.Lobby.Create, Practice: cfg.Lobby.Practice, Games: cfg.Lobby.Games,
		Check: func(s turn.Setup) error { return turn.CheckSetup(o.Catalogue, s) },
	}
	for _, line := range cfg.Lobby.Offer {
		w, err := lobby.ReadWish(strings.Fields(line))
		if err == nil && (w.Scenario == "" || len(w.Invite) > 0) {
			err = errors.New("it names no scenario, or people")
		}
		if err != nil {
			return nil, fault.New(`such as offer = ["big-bad-wolf", "convoy rules=SET deadline=2d"]`, "lobby.offer %q: %s", line, err)
		}
		h.Offers = append(h.Offers, w)
	}
	return h, nil
}

// makeGame makes a game for people who asked for it by mail, and opens it. One that is there
// already stays as it is. w.mu is held.
func (w *intake) makeGame(s turn.Setup, invite []string, mail string) error {
	folder, ok := w.cfg.NewGames()
	if !ok {
		return errors.New("there is no folder for games that are made by mail")
	}
	dir := filepath.Join(folder, s.ID)
	s.Options.Templates = w.cfg.Templates
	g := w.keeper.games.withID(s.ID)
	if g == nil {
		if there, err := w.cfg.HoldsGame(dir); err != nil {
			return err
		} else if !there {
			if _, err := turn.Create(dir, w.o.Catalogue, s); err != nil {
				return fmt.Errorf("make game %s: %w", s.ID, err)
			}
			w.log.Info("game made by mail", "game", s.ID, "dir", dir)
		}
		var err error
		if g, err = w.keeper.games.admit(dir); err != nil {
			return err
		}
	}
	return w.inviteTo(g, invite, mail, s)
}

// inviteTo has people asked whether they take the free seats of a game.
func (w *intake) inviteTo(g *game, invite []string, mail string, s turn.Setup) error {
	if len(invite) == 0 {
		return nil
	}
	if err := w.take(g); err != nil { // until what the mail brought about is done
		return err
	}
	free := slices.DeleteFunc(slices.Clone(g.vault.Settings().Captains), func(c vault.Captain) bool { return c.Address != "" })
	for i, address := range invite {
		if i == len(free) {
			w.log.Warn("invitation not sent, the game has no more seats", "game", g.id)
			return nil
		}
		a := referee.Act{By: referee.ByDaemon, Why: "who had the game made asked for it", Cause: fmt.Sprintf("%s#invite-%d", mail, i), Now: s.Options.Now}
		if _, err := referee.Invite(g.vault, a, string(free[i].Name), address); err != nil {
			return err
		}
	}
	return nil
}

// admit opens a game that was made just now. d.mu is held.
func (s *gameSet) admit(dir string) (*game, error) {
	v, err := s.read(dir)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("%s: %w", dir, vault.ErrNotAGame)
	}
	if err := s.add(v); err != nil {
		return nil, err
	}
	s.closed = slices.DeleteFunc(s.closed, func(c string) bool { return c == dir })
	slices.SortFunc(s.games, func(a, b *game) int { return strings.Compare(a.id, b.id) })
	s.d.listPaths()
	return s.byDir[dir], nil
}
