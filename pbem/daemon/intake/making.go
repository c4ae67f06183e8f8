package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"starpost/pbem/daemon/games"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// MakeGame creates a game that people asked for by mail, and opens it. An existing game stays
// unchanged. Keeper.Mu is held.
func (s *Intake) MakeGame(of turn.Setup, invite []string, mail string) error {
	tree, err := s.keeper.NewGame(of.ID)
	if err != nil {
		return err
	}
	dir := tree.Place("")
	of.Options.Templates = s.Config.For(s.Box).Templates
	g := s.keeper.Games.WithID(of.ID)
	if g == nil {
		if _, err := tree.Stat("game.toml"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		} else if err != nil {
			if _, err := turn.CreateIn(tree, s.Options.Catalogue, of); err != nil {
				return fmt.Errorf("make game %s: %w", of.ID, err)
			}
			s.log.Info("game made by mail", "game", of.ID, "dir", dir)
		}
		if g, err = s.keeper.Games.Admit(dir); err != nil {
			return err
		}
	}
	return s.inviteTo(g, invite, mail, of)
}

// inviteTo invites people to the free seats of a game.
func (s *Intake) inviteTo(g *games.Game, invite []string, mail string, of turn.Setup) error {
	if len(invite) == 0 {
		return nil
	}
	if err := s.take(g); err != nil { // held until the mail is handled
		return err
	}
	free := slices.DeleteFunc(slices.Clone(g.Vault.Settings().Captains), func(c vault.Captain) bool { return c.Address != "" })
	for i, address := range invite {
		if i == len(free) {
			s.log.Warn("invitation not sent, the game has no more seats", "game", g.ID)
			return nil
		}
		a := referee.Act{By: referee.ByDaemon, Why: "asked for by the person who created the game", Cause: fmt.Sprintf("%s#invite-%d", mail, i), Now: of.Options.Now}
		if _, err := referee.Invite(g.Vault, a, string(free[i].Name), address); err != nil {
			return err
		}
	}
	return nil
}
