package fasa

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// generatorEngine is what the matter/anti-matter generator of an outpost is called
// among her engines; the charts count it as a warp engine.
const generatorEngine = "generator"

// outpostsPart lets defence outposts take part (stcs 17): they neither move nor turn,
// and have no warp drive. All else that ships have they have too.
func outpostsPart() part {
	return part{commission: moor, bars: unmoved}
}

// outpost tells whether this is a defence outpost and no ship.
func (s *System) outpost() bool {
	h, detailed := find[*Hull](s.parts)
	return detailed && h.Chart == tables.OutpostChart
}

// standsStill tells whether a ship of a view is known to be an outpost.
func standsStill(s *engine.ShipView) bool {
	switch k := s.System.(type) {
	case *System:
		return k.outpost()
	case *Public:
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
	k.sys.Drop(sysHelm)
	for i, e := range k.sys.Engines() {
		if e.Warp {
			k.sys.Engines()[i].Name = generatorEngine
		}
	}
}

// moored keeps an outpost where and as it is: no movement word, no tactical heading
// change, no evasive turn (stcs 17.3).
func moored(_ *rulebook, _ *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic) {
	if of(s).outpost() && word != "H" {
		return "an outpost neither moves nor turns", []Topic{OutpostLimits}
	}
	return "", nil
}

// unmoved tells why an outpost cannot be given an order (stcs 17.3); blank when it can.
func unmoved(sys *System, section string, st orders.Statement) string {
	if !sys.outpost() {
		return ""
	}
	switch st.Verb {
	case "move":
		if a := slices.Concat(st.All("POWER"), st.All("POINTS")); section == "power" && len(a) == 1 && a[0].Num == 0 {
			return "" // says on purpose that nothing is done
		}
		return "an outpost does not move"
	case "pursue", "flee", "circle", "course":
		return "an outpost does not move"
	case "face", "tactical":
		return "an outpost does not turn: her three arcs look all round"
	case "evade":
		if _, turns := st.Arg("HAND"); turns {
			return "an outpost cannot evade"
		}
	case "warp":
		return "an outpost has no warp drive"
	case "follow":
		if a, named := st.Arg("SHIP"); named && a.Text != followNone {
			return "an outpost has no warp drive and follows nobody"
		}
	case "bonus":
		if section == "power" && st.Form == bonusToMovement {
			return "an outpost has no use for power to movement"
		}
	}
	return ""
}

// permitted is an order set without what a part of the course bars for this ship;
// each of that is told.
func (c *compiler) permitted(b *orders.Block) *orders.Block {
	out := *b
	for i, g := range b.Groups {
		barred := func(st orders.Statement) string {
			for _, p := range c.l.parts {
				if why := p.bars(c.sys, g.Name, st); why != "" {
					return why
				}
			}
			return ""
		}
		if !slices.ContainsFunc(g.Statements, func(st orders.Statement) bool { return barred(st) != "" }) {
			continue
		}
		if &out.Groups[0] == &b.Groups[0] {
			out.Groups = slices.Clone(b.Groups)
		}
		out.Groups[i].Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			why := barred(st)
			if why != "" {
				c.fail(st.Pos, "E175", "leave it out", "%s", why)
			}
			return why != ""
		})
	}
	return &out
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
func arcWords(b *Bank) []string {
	out := slices.Clone(b.Arcs)
	for i, name := range out {
		if n, ok := outpostArc(name); ok {
			out[i] = "arc " + strconv.Itoa(n)
		}
	}
	return out
}

// locationWords is where a hit went, in words that fit what was hit.
func locationWords(b *Damage) string {
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
