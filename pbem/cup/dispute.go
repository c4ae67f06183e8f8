package cup

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Dispute is an entrant's objection to the result of a game, or to one that does not end. It is open until a
// referee decides the game.
type Dispute struct {
	By  int    // the entrant
	Why string // the entrant's words
}

type disputeData struct {
	Game    string `json:"game"`
	Entrant int    `json:"entrant"`
}

// Dispute asks the referee to decide a game of an entrant; the source has the entrant's words.
func (c *Cup) Dispute(s Source, n int, game string) (Entry, error) {
	o, ok := c.Game(game)
	switch {
	case !ok:
		return Entry{}, fail("cup status "+c.Settings.Name+" lists the games", "%s has no game %q", c.Settings.Title, game)
	case n == 0 || o.Match.First != n && o.Match.Second != n:
		return Entry{}, fail("", "%s is not your game", o.Game.ID)
	case o.Game.Dispute != nil:
		return Entry{}, fail("wait for the referee's decision", "the result of %s is already disputed", o.Game.ID)
	case o.Game.Result != nil && o.Game.Result.Ruled:
		return Entry{}, fail("", "%s was already decided: %s", o.Game.ID, o.Game.Result.Why)
	case strings.TrimSpace(s.Why) == "":
		return Entry{}, fail(fmt.Sprintf("write: cup dispute %s %s YOUR REASON", c.Settings.Name, o.Game.ID), "the reason is missing")
	}
	return s.entry(kindDispute, disputeData{o.Game.ID, n})
}

func (c applier) applyDispute(e Entry) error {
	var d disputeData
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return err
	}
	o, ok := c.Game(d.Game)
	if !ok {
		return fmt.Errorf("there is no game %q", d.Game)
	}
	if err := c.known(d.Entrant); err != nil {
		return err
	}
	o.Game.Dispute = &Dispute{d.Entrant, e.Why}
	c.times.moments = append(c.times.moments, moment{kind: e.Kind, seq: e.Seq, at: e.Time, game: d.Game, who: d.Entrant})
	return nil
}

// disputed returns the games with disputed results.
func (c *Cup) disputed() (out []OpenGame) {
	for i := range c.Matches {
		for k := range c.Matches[i].Games {
			if g := &c.Matches[i].Games[k]; g.Dispute != nil {
				out = append(out, OpenGame{&c.Matches[i], g})
			}
		}
	}
	return out
}
