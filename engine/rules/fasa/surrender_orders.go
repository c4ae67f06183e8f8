package fasa

import (
	"starpost/orders"
)

// A ship that has struck fights no more and counts as captured; her captain lives (ruling D57).

func surrenderVerb() orders.Verb {
	return orders.Verb{
		Name: "surrender", Forms: []orders.Form{"surrender"}, When: true,
		Doc:      "Strike: at the end of the first fire phase, or with a condition of the first in which it holds, the ship is the enemy's. Her fire of that phase still counts; then she fights no more, counts as captured and leaves the map, and those aboard live.",
		Examples: []string{"surrender", "surrender when shield 2 < 1 and damaged"},
	}
}

// surrender reads an order to strike.
func (c *compiler) surrender(st orders.Statement) {
	if !c.condition(st.When, false, false) {
		return
	}
	c.p.surrender = append(c.p.surrender, lastOrder{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When})
	if st.When == nil {
		c.effect(st.Pos.Line, "the ship strikes at the end of the fire of phase %d", c.round)
	} else {
		c.effect(st.Pos.Line, "the ship strikes at the end of the first fire phase in which the condition holds")
	}
	c.warn(st.Pos, "W129", "leave it out to fight on", "the ship is lost to the enemy if this is carried out")
}
