// Package rehearse passes captains' order sets and requests to package rehearsal, for the command line and the
// mail.
//
// It resolves nothing, and changes nothing in a game. The captain's view says what the captain may know: of the
// game itself it reads only that, and the captain's own order sets.
package rehearse

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rehearsal"
	"starpost/pbem/fault"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// InForce returns the sets that are in force for a captain.
func InForce(g *vault.Game, p *turn.Position, captain engine.CaptainName) (out []rehearsal.Set, err error) {
	c, ok := g.SharedSettings().Captain(captain)
	if !ok {
		return nil, fmt.Errorf("game %s has no captain %q", g.ID(), captain)
	}
	files, err := g.Orders.For(p.DueStage())
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if slices.ContainsFunc(p.SetNames(c), func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			out = append(out, p.CheckFile(f).Rehearsed()...)
		}
	}
	return out, nil
}

// Other parses SHIP=robot or SHIP=keep; any other value is returned in rest, as orders or the name of
// a file with orders.
func Other(word string) (other rehearsal.Other, rest string, err error) {
	ship, by, ok := strings.Cut(word, "=")
	if !ok || ship == "" || by == "" {
		return other, "", fault.New("such as riskadh=keep", "%.40q does not say how a ship acts", word)
	}
	other = rehearsal.Other{Ship: engine.ShipID(ship), By: strings.ToLower(by)}
	if other.By != rehearsal.ByRobot && other.By != rehearsal.ByKeep {
		other.By, rest = rehearsal.ByOrders, by
	}
	return other, rest, nil
}

// Text returns the result of a rehearsal as plain text.
func Text(b *rehearsal.Bands) string { return report.PanelsText(b.Panels()) }
