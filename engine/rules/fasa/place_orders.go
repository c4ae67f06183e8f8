package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// placeOrder is where a captain begins the battle.
type placeOrder struct {
	line int
	text string
	at   engine.Place
}

// headings are the words of all headings.
func headings() []string {
	out := make([]string, 6)
	for i := range out {
		out[i] = hex.Heading(i).String()
	}
	return out
}

// choice takes one of some words of the state; blank if it is not given.
func (k *commissioning) choice(key string, words ...string) string {
	k.known = append(k.known, key)
	value, given := k.state[key]
	if !given {
		return ""
	}
	for _, w := range words {
		if value == w {
			return w
		}
	}
	k.bad(key, "", "%s must be one of: %s", key, strings.Join(words, ", "))
	return ""
}

func compilePlace(c *compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("HEX")
	to, named := st.Arg("HEADING")
	if !ok || !named {
		return
	}
	h, err := hex.ParseLabel(a.Text)
	if err != nil {
		c.fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	}
	if c.sys.Free() == "" {
		c.fail(st.Pos, "E172", "leave it out", "the scenario says where this ship begins")
		return
	}
	heading, err := hex.ParseHeading(to.Text)
	if err != nil {
		c.fail(to.Pos, "E122", "A to F", "%v", err)
		return
	}
	o := placeOrder{line: st.Pos.Line, text: orders.FormatStatement(st), at: engine.Place{Hex: h, Heading: heading}}
	*ship.Edit[placeOrder](&c.p.parts) = o
	c.effect(st.Pos.Line, "begins the battle at %s", placeWords(o.at))
}

// freeWords says where a ship may begin.
func freeWords(free string) string {
	if free == ship.FreeEdge {
		return "anywhere on the border of the map"
	}
	return "anywhere on the map"
}

func placeWords(at engine.Place) string { return at.Hex.Label() + ", heading " + at.Heading.String() }

func layVerb() verb {
	return verb{compile: compileLay, Verb: orders.Verb{
		Name: "lay", Forms: []orders.Form{"lay mines HEX...", "lay dummies HEX..."},
		Doc:      "Lay mines or dummies of a minefield of your side in these hexes of it, one a hex, before anything else happens in the first turn. Those that nobody lays are laid by dice (" + cites.MineLaying.Ref() + ").",
		Examples: []string{"lay mines 0714 0815", "lay dummies 0915"},
	}}
}

func compileLay(c *compiler, _ int, st orders.Statement) {
	o := layOrder{line: st.Pos.Line, text: orders.FormatStatement(st), dummy: st.Form == 1}
	for _, a := range st.All("HEX") {
		h, err := hex.ParseLabel(a.Text)
		if err != nil {
			c.fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
			continue
		}
		o.hexes = append(o.hexes, h)
	}
	lays := ship.Edit[[]layOrder](&c.p.parts)
	*lays = append(*lays, o)
	c.effect(st.Pos.Line, "lays %s, in the first turn only", mineWords(len(o.hexes), o.dummy))
}

func mineWords(n int, dummy bool) string {
	switch {
	case dummy && n == 1:
		return "1 dummy"
	case dummy:
		return fmt.Sprintf("%d dummies", n)
	case n == 1:
		return "1 mine"
	}
	return fmt.Sprintf("%d mines", n)
}

// layOrder is mines or dummies that a captain lays before the first turn.
type layOrder struct {
	line  int
	text  string
	dummy bool
	hexes []hex.Hex
}
