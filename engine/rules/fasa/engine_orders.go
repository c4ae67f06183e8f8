package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// enginesPart gives ships engines one by one, of which the Basic Course knows only
// the sum, and lets captains say which of them a hit goes to first.
func enginesPart(book *Book) part {
	lose := standingVerb(book, "lose")
	lose.Forms = append(slices.Clone(lose.Forms), "lose engines ENGINE...")
	lose.Doc += " Engines lose power in the order you name; those you do not name come after, the one with most power left first."
	lose.Examples = append(slices.Clone(lose.Examples), "lose engines impulse port")
	return part{
		verbs: []verb{{Verb: lose, section: "standing", compile: func(c *compiler, _ int, st orders.Statement) {
			if st.Form != 2 {
				c.lose(st)
				return
			}
			var known []string
			for _, e := range c.sys.Engines() {
				known = append(known, e.Name)
			}
			c.p.standing.SetList("engines", c.named(st.All("ENGINE"), known, "engine")...)
		}}},
		params:     map[string]orders.Param{"ENGINE": {Class: orders.Name, Doc: "an engine as the report prints it"}},
		keeps:      []ship.Share{&ship.EngineList{}},
		commission: func(k *commissioning) { k.sys.FitEngines(&k.design) },
		orders:     []string{"engines"},
		standing: func(s ship.Standing) []string {
			if len(s.List("engines")) == 0 {
				return nil
			}
			return []string{"lose engines " + strings.Join(s.List("engines"), " ")}
		},
		bodies: []func() engine.Body{func() engine.Body { return new(ship.Strain) }},
		tell:   map[string]func(*narrator, engine.Body, string){"strain": tellStrain},
		panels: func(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
			p := engine.Panel{Key: "engines-" + string(s.ID), Title: s.Name + ": engines"}
			for _, e := range sys.Engines() {
				p.Notes = append(p.Notes, fmt.Sprintf("%s: %d of %d power", e.Name, e.Now, e.Max))
			}
			if mark := sys.Design.Doubt("engines"); mark != "" {
				p.Notes = append(p.Notes, "split of the power over the engines"+mark)
			}
			return []engine.Panel{p}
		},
	}
}
