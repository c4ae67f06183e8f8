package rulebook

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// generatorEngine is the name of an outpost's matter/antimatter generator among her engines;
// the charts count it as a warp engine.
const generatorEngine = "generator"

// StandsStill reports whether a ship of a view is known to be an outpost.
func StandsStill(s *engine.ShipView) bool {
	switch k := s.System.(type) {
	case *ship.State:
		return k.Outpost()
	case *ship.Public:
		return k.Outpost
	}
	return false
}

// Moor removes the helm of an outpost.
func Moor(k *Commissioning) {
	if !k.Design.Outpost {
		return
	}
	k.outposts = true
	k.Sys.Shares().Drop(ship.NameHelm)
	for i, e := range k.Sys.Engines() {
		if e.Warp {
			k.Sys.Engines()[i].Name = generatorEngine
		}
	}
}

// Moored forbids an outpost every movement word, tactical heading change and evasive turn
// (stcs 17.3).
func Moored(_ *Rules, _ *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if ship.Of(s).Outpost() && word != "H" {
		return "an outpost neither moves nor turns", []cites.Topic{cites.OutpostLimits}
	}
	return "", nil
}

// OutpostArc returns the number of an arc of outposts from its short name (stcs 17.1).
func OutpostArc(name string) (number int, ok bool) {
	if len(name) < 2 || name[0] != 'o' {
		return 0, false
	}
	n, err := strconv.Atoi(name[1:])
	return n, err == nil
}

// ArcWords returns the arcs of a bank as reports print them.
func ArcWords(b *ship.Bank) []string {
	out := slices.Clone(b.Arcs)
	for i, name := range out {
		if n, ok := OutpostArc(name); ok {
			out[i] = "arc " + strconv.Itoa(n)
		}
	}
	return out
}

// LocationWords returns the location of a hit, in words that suit an outpost or a ship.
func LocationWords(b *ship.Damage) string {
	if b.Table != "chart "+tables.OutpostChart {
		return b.Location
	}
	switch b.Location {
	case tables.AtWarp:
		return "matter/antimatter generator"
	case tables.AtSplit:
		return "matter/antimatter generator and superstructure"
	case tables.AtImpulse:
		return "impulse power generator"
	}
	return b.Location
}

// EngineTitle returns an engine's name in words.
func EngineTitle(name string) string {
	if name == generatorEngine {
		return name
	}
	return name + " engine"
}
