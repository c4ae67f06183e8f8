package fasa

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// generatorEngine is what the matter/anti-matter generator of an outpost is called
// among her engines; the charts count it as a warp engine.
const generatorEngine = "generator"

// standsStill tells whether a ship of a view is known to be an outpost.
func standsStill(s *engine.ShipView) bool {
	switch k := s.System.(type) {
	case *ship.State:
		return k.Outpost()
	case *ship.Public:
		return k.Outpost
	}
	return false
}

// moor takes the helm from an outpost.
func moor(k *commissioning) {
	if !k.design.Outpost {
		return
	}
	k.outposts = true
	k.sys.Drop(ship.NameHelm)
	for i, e := range k.sys.Engines() {
		if e.Warp {
			k.sys.Engines()[i].Name = generatorEngine
		}
	}
}

// moored keeps an outpost where and as it is: no movement word, no tactical heading
// change, no evasive turn (stcs 17.3).
func moored(_ *rulebook, _ *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if ship.Of(s).Outpost() && word != "H" {
		return "an outpost neither moves nor turns", []cites.Topic{cites.OutpostLimits}
	}
	return "", nil
}

// outpostArc is the number of an arc of outposts, by its short name (stcs 17.1).
func outpostArc(name string) (number int, ok bool) {
	if len(name) < 2 || name[0] != 'o' {
		return 0, false
	}
	n, err := strconv.Atoi(name[1:])
	return n, err == nil
}

// arcWords are the arcs of a bank as reports print them.
func arcWords(b *ship.Bank) []string {
	out := slices.Clone(b.Arcs)
	for i, name := range out {
		if n, ok := outpostArc(name); ok {
			out[i] = "arc " + strconv.Itoa(n)
		}
	}
	return out
}

// locationWords is where a hit went, in words that fit what was hit.
func locationWords(b *ship.Damage) string {
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

// engineTitle is an engine's name in words.
func engineTitle(name string) string {
	if name == generatorEngine {
		return name
	}
	return name + " engine"
}
