package desk

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"starpost/pbem/beacon"
	"starpost/pbem/desk/codes"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// BeaconStep keeps the round of a beacon that a game waits for.
type BeaconStep struct {
	Game   *vault.Game
	At     vault.Stage
	Beacon *beacon.Beacon
}

// Do makes the change.
func (s BeaconStep) Do() error {
	if s.Game.DueStage() != s.At { // it was played meanwhile
		return nil
	}
	return s.Game.PutBeacon(s.Beacon.Encode())
}

// beacon takes the round of the beacon that a game waits for. Who brings it does not matter: only one signature
// fits.
func (c *Decision) beacon(d *commandResult) error {
	closing, err := d.game.Closing()
	if err != nil {
		return err
	}
	if closing == nil {
		d.refuse(codes.BadBeacon, "the game waits for no beacon", "nothing need be done; the robot closes the orders and says which round it needs")
		return nil
	}
	chain, err := turn.ChainOf(d.game)
	if err != nil {
		return err
	}
	way := fmt.Sprintf("the game waits for round %d of %s", closing.CloseData.Round, chain.Hash)
	round, err := strconv.ParseUint(d.cmd.Words[0], 10, 64)
	if err != nil || round != closing.CloseData.Round {
		d.refuse(codes.BadBeacon, fmt.Sprintf("round %s is another one", d.cmd.Words[0]), way)
		return nil
	}
	sig, err := hex.DecodeString(d.cmd.Words[1])
	if err != nil {
		d.refuse(codes.BadBeacon, "the signature is no hexadecimal number", "copy it whole, 96 digits")
		return nil
	}
	b := &beacon.Beacon{Chain: chain.Hash, Round: round, Signature: sig}
	if err := chain.Verify(b); err != nil {
		d.refuse(codes.BadBeacon, err.Error(), way)
		return nil
	}
	c.Steps = append(c.Steps, BeaconStep{d.game, d.game.DueStage(), b})
	d.subject = "Beacon taken"
	d.say("Round %d of the beacon fits: %s is played with its dice.", round, d.game.DueStage())
	return nil
}
