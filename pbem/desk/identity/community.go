package identity

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/vault"
)

// Community separates the games of some robots from those of others, which it hides. Like Index it
// keeps a cache between mails, and is for one goroutine at a time.
type Community struct {
	holds func(robot string) bool
	all   []*vault.Settings // as of the last call
	own   []*vault.Settings
}

// NewCommunity returns a community of the games of the robots that holds accepts; nil accepts all.
func NewCommunity(holds func(robot string) bool) *Community { return &Community{holds: holds} }

// Of returns the community's games among games.
func (c *Community) Of(games Games) Games {
	if c.holds == nil {
		return games
	}
	return communityGames{c, games}
}

// communityGames implements Games for a community.
type communityGames struct {
	*Community
	games Games
}

// Settings implements Games: it returns the same list until a game changes.
func (c communityGames) Settings() []*vault.Settings {
	all := c.games.Settings()
	if len(all) == 0 || len(all) != len(c.all) || &all[0] != &c.all[0] {
		c.all, c.own = all, slices.DeleteFunc(slices.Clone(all), func(s *vault.Settings) bool { return !c.holds(s.Mail.Robot) })
	}
	return c.own
}

// Game implements Games.
func (c communityGames) Game(id string) (*vault.Game, error) {
	if err := c.hides(id); err != nil {
		return nil, err
	}
	return c.games.Game(id)
}

// Look implements Games.
func (c communityGames) Look(id string) (*vault.Game, error) {
	if err := c.hides(id); err != nil {
		return nil, err
	}
	return c.games.Look(id)
}

// hides returns, for a game outside the community, the same error as for a game that does not
// exist.
func (c communityGames) hides(id string) error {
	for _, s := range c.games.Settings() {
		if strings.EqualFold(s.ID, id) && !c.holds(s.Mail.Robot) {
			return fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
		}
	}
	return nil
}
