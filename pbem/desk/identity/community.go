package identity

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/vault"
)

// Community keeps the games of some robots apart from those of others, which it hides. Like Index it remembers from
// mail to mail, and may be used by one goroutine at a time.
type Community struct {
	holds func(robot string) bool
	all   []*vault.Settings // as they were last
	own   []*vault.Settings
}

// NewCommunity makes one for the games of whose robots that holds; nil: of all.
func NewCommunity(holds func(robot string) bool) *Community { return &Community{holds: holds} }

// Of are the community's games among others.
func (c *Community) Of(games Games) Games {
	if c.holds == nil {
		return games
	}
	return communityGames{c, games}
}

// communityGames are the games of a community.
type communityGames struct {
	*Community
	games Games
}

// Settings implements Games: the list is the same one until a game changes.
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

// hides tells of a game that is not the community's what is told of one that there is not.
func (c communityGames) hides(id string) error {
	for _, s := range c.games.Settings() {
		if strings.EqualFold(s.ID, id) && !c.holds(s.Mail.Robot) {
			return fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
		}
	}
	return nil
}
