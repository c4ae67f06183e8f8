package command

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/pbem/beacon"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/publicdice"
	"starpost/pbem/vault"
)

// beaconStep stores the beacon round that a game waits for.
type beaconStep struct {
	Game   *vault.Game
	At     vault.Stage
	Beacon beacon.Beacon
}

// Do makes the change.
func (s beaconStep) Do() error { return publicdice.Bring(s.Game, s.At, s.Beacon) }

// bringBeacon accepts the beacon round that a game waits for. Anyone may send it, because only one signature is
// valid.
func bringBeacon(c *Task, d *Result) error {
	var b beacon.Beacon
	chain, err := publicdice.ChainOf(d.Game)
	if err == nil {
		var round uint64
		if round, err = strconv.ParseUint(d.Cmd.Words[0], 10, 64); err == nil {
			b, err = beacon.Parse(chain.Hash, round, d.Cmd.Words[1])
		}
	}
	if err == nil {
		err = publicdice.Wanted(d.Game, b)
	}
	if err != nil {
		d.Refuse(codes.BadBeacon, err.Error(), "the mail that says that the orders are closed names the round; copy its whole signature, 96 hexadecimal digits")
		return nil //nolint:nilerr // the sender is told
	}
	at := d.Game.DueStage()
	c.Steps = append(c.Steps, beaconStep{d.Game, at, b})
	d.Subject = "Beacon taken"
	d.Say("Round %d of the beacon is right: %s is played with its dice.", b.Round, at)
	return nil
}

// beacon reads a round and its signature, which a mail program may have split into several words.
func (r *commandReader) beacon() {
	r.game()
	w, _ := r.next()
	round, err := strconv.ParseUint(w.Text, 10, 64)
	if err != nil || round == 0 {
		r.fail(w, fmt.Sprintf("%q is not a beacon round", effect.Shortened(w.Text)))
		return
	}
	var sig strings.Builder
	for _, w := range r.rest {
		sig.WriteString(w.Text)
	}
	r.cmd.Words, r.rest = []string{strconv.FormatUint(round, 10), strings.ToLower(sig.String())}, nil
}
