package doctor

import (
	"context"
	"fmt"
	"time"

	"starpost/pbem/beacon"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/config"
	"starpost/pbem/publicdice"
	"starpost/pbem/report"
	"starpost/pbem/store/hosted"
	"starpost/pbem/vault"
)

// relayPatience is how long a relay may take to answer.
const relayPatience = 15 * time.Second

// tryRelays asks each relay for a round of each beacon that games use, or of drand's quicknet if there are none, and
// compares the clock with theirs.
func tryRelays(ctx context.Context, c *config.Config, cat vault.Catalogue, look func(what string, f func() (string, error)) bool) {
	chains, waiting := map[string]beacon.Chain{}, 0
	trees, end, err := hosted.Trees(ctx, c)
	defer func() { _ = end() }() // other checks report this, and the next error
	if err != nil {
		return
	}
	for _, tree := range trees {
		g, err := vault.Open(tree, cat)
		if err != nil || !g.SharedSettings().PublicDice() {
			continue // the game's own check reports it
		}
		if chain, err := publicdice.ChainOf(g); err == nil {
			chains[chain.Hash] = chain
			waiting++
		}
	}
	if c.Beacon == nil {
		if waiting > 0 {
			look("beacon relays", func() (string, error) {
				return fmt.Sprintf("none: for %s with public dice, someone has to supply each beacon", report.Count(waiting, "game")), nil
			})
		}
		return
	}
	if len(chains) == 0 {
		chains[beacon.Quicknet().Hash] = beacon.Quicknet()
	}
	ctx, cancel := context.WithTimeout(ctx, relayPatience)
	defer cancel()
	for _, chain := range chains {
		for _, url := range c.Beacon.Relays {
			look("beacon relay "+url, func() (string, error) {
				round := max(chain.FirstRound(time.Now()), 3) - 2
				return fmt.Sprintf("round %d of %.8s", round, chain.Hash), relay.Try(ctx, chain, url, round)
			})
		}
		look(fmt.Sprintf("clock against the relays of %.8s", chain.Hash), func() (string, error) {
			return "right", relay.Relays(c.Beacon.Relays).CheckClock(ctx, chain, time.Now)
		})
	}
}
