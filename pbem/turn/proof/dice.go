package proof

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/beacon"
	"starpost/pbem/publicdice"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// publicDice checks the source of a stage's dice in a game with public dice: the beacon is from the game's chain and
// from the round named at the closing, which did not exist then, and the stage was played with what was closed.
func (c *stageCheck) publicDice() {
	if c.at.Turn == 0 {
		if _, err := publicdice.ChainOf(c.game); c.game.SharedSettings().PublicDice() != (c.audit.Manifest.Beacon != nil) || c.audit.Manifest.Beacon != nil && err != nil {
			c.found = append(c.found, Finding{File: "game.toml", Problem: "dice and [beacon] are not what the game was made with"})
		}
		return
	}
	chain, err := publicdice.ChainOf(c.game)
	if err != nil || len(c.audit.Manifest.Draw) > 0 {
		return // the host's own dice, or none; turn 0 has reported what was altered
	}
	if again, was := c.remade(); again {
		c.sameBeacons(was)
		return
	}
	round := max(c.at.Round, len(c.audit.Manifest.Rounds)+1)
	stage := vault.Stage{Turn: c.at.Turn, Round: round}
	closed, own, err := vault.ClosedBefore(c.game, stage, c.audit.Manifest.Journal)
	switch {
	case err != nil || c.torn: // already reported
		return
	case closed.Times == 0:
		c.found = append(c.found, Finding{Turn: c.at.Turn, File: vault.JournalFile, Problem: fmt.Sprintf("no entry closes %s, whose dice are public", stage)})
		return
	case closed.Times > 1:
		c.found = append(c.found, Finding{Turn: c.at.Turn, File: vault.JournalFile, Problem: fmt.Sprintf("%s was closed %d times: who does that may choose among dice", stage, closed.Times)})
	}
	name := publicdice.NameOf(round)
	data := c.audit.Files[name]
	switch {
	case data == nil:
		c.say(name, "the file is missing, and the dice come from it")
		return
	case publicdice.IsOwn(data):
		if !own || c.game.SharedSettings().Beacon.Else != vault.ElseOwn {
			c.say(name, "the host's own dice count, and the journal and the settings of the game do not have it so")
		}
	default:
		c.beacon(name, data, chain, closed)
	}
	if c.altered {
		return // already reported
	}
	if sum, err := turn.SetsHash(c.game, stage, c.audit); err == nil && sum != closed.Sets {
		c.say(vault.OrdersDir, "these are not the orders that were closed: their hash is %s, and the captains were told %s", sum, closed.Sets)
	}
}

// beacon checks the beacon of a stage.
func (c *stageCheck) beacon(name string, data []byte, chain beacon.Chain, closed vault.Closed) {
	b, err := beacon.Decode(data)
	if err == nil {
		err = chain.Verify(b, b.Round)
	}
	switch {
	case err != nil:
		c.say(name, "%v", err)
	case b.Round != closed.Round || b.Chain != closed.Chain:
		c.say(name, "the dice come from round %d of %s, and the captains were told round %d of %s", b.Round, b.Chain, closed.Round, closed.Chain)
	case !chain.TimeOf(b.Round).After(closed.At):
		c.say(name, "round %d is of %s, before the orders were closed (%s)", b.Round, chain.TimeOf(b.Round).UTC().Format(time.RFC3339), closed.At.UTC().Format(time.RFC3339))
	}
}

// remade reports whether a referee resolved the stage again, so that it has the beacon of the previous resolution,
// and returns that resolution's files.
func (c *stageCheck) remade() (bool, map[string][]byte) {
	if c.at.Revision < 2 {
		return false, nil
	}
	for _, r := range c.game.Stages.Revisions() {
		if r.Turn == c.at.Turn && r.Revision == c.at.Revision && r.Played {
			return false, nil
		}
	}
	before, err := c.game.Stages.Audit(vault.Stage{Turn: c.at.Turn, Revision: c.at.Revision - 1})
	if err != nil {
		return false, nil
	}
	return true, before.Files
}

// sameBeacons compares the beacons of a stage with those of the previous resolution.
func (c *stageCheck) sameBeacons(was map[string][]byte) {
	for name, data := range c.audit.Files {
		if strings.HasPrefix(name, "beacon.") && !bytes.Equal(was[name], data) {
			c.say(name, "the turn was resolved again with another beacon than before")
		}
	}
}
