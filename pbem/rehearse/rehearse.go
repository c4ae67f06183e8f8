// Package rehearse brings captains' order sets and wishes to package rehearsal, for the command line and the mail.
//
// It plays nothing, and changes nothing of a game. What a captain may know stands in his view: the game itself is asked
// for no more than that, and for his own order sets.
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

// InForce are the sets that are in force for a captain.
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

// Other reads SHIP=robot or SHIP=keep; what else stands behind the sign comes back as it is, to be orders or the name of
// a file with some.
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

// Text is what came of a rehearsal as plain text.
func Text(b *rehearsal.Bands) string { return report.PanelsText(b.Panels()) }
