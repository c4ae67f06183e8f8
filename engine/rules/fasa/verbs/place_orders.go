package verbs

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// PlaceOrder is an order of where to begin the battle.
type PlaceOrder struct {
	Line int
	Text string
	At   engine.Place
}

// Headings returns the words of all headings.
func Headings() []string {
	out := make([]string, 6)
	for i := range out {
		out[i] = hex.Heading(i).String()
	}
	return out
}

// Choice takes one of some words from the state; "" if it is not given.
func Choice(k *rulebook.Commissioning, key string, words ...string) string {
	k.Known = append(k.Known, key)
	value, given := k.State[key]
	if !given {
		return ""
	}
	for _, w := range words {
		if value == w {
			return w
		}
	}
	k.Bad(key, "", "%s must be one of: %s", key, strings.Join(words, ", "))
	return ""
}

// CompilePlace reads an order of where to begin.
func CompilePlace(c *rulebook.Compiler, _ int, st orders.Statement) {
	a, ok := st.Arg("HEX")
	to, named := st.Arg("HEADING")
	if !ok || !named {
		return
	}
	h, err := hex.ParseLabel(a.Text)
	if err != nil {
		c.Fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	}
	if c.Sys.Free() == "" {
		c.Fail(st.Pos, "E172", "leave it out", "the scenario fixes where this ship starts")
		return
	}
	heading, err := hex.ParseHeading(to.Text)
	if err != nil {
		c.Fail(to.Pos, "E122", "A to F", "%v", err)
		return
	}
	o := PlaceOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), At: engine.Place{Hex: h, Heading: heading}}
	*ship.Edit[PlaceOrder](&c.Plan.Parts) = o
	c.Effect(st.Pos.Line, "starts the battle at %s", PlaceWords(o.At))
}

// FreeWords returns in words where a ship may begin.
func FreeWords(free string) string {
	if free == ship.FreeEdge {
		return "anywhere on the border of the map"
	}
	return "anywhere on the map"
}

// PlaceWords returns a place in words.
func PlaceWords(at engine.Place) string { return at.Hex.Label() + ", heading " + at.Heading.String() }

// LayVerb returns the order to lay mines.
func LayVerb() rulebook.Verb {
	return rulebook.Verb{Compile: compileLay, Verb: orders.Verb{
		Name: "lay", Forms: []orders.Form{"lay mines HEX...", "lay dummies HEX..."}, Post: ship.PostHelm,
		Doc:      "Lay mines or dummies of your side's minefield in these of its hexes, one a hex, before anything else happens in the first turn. Dice place the rest (" + cites.MineLaying.Ref() + ").",
		Examples: []string{"lay mines 0714 0815", "lay dummies 0915"},
	}}
}

func compileLay(c *rulebook.Compiler, _ int, st orders.Statement) {
	o := LayOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), Dummy: st.Form == 1}
	for _, a := range st.All("HEX") {
		h, err := hex.ParseLabel(a.Text)
		if err != nil {
			c.Fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
			continue
		}
		o.Hexes = append(o.Hexes, h)
	}
	lays := ship.Edit[[]LayOrder](&c.Plan.Parts)
	*lays = append(*lays, o)
	c.Effect(st.Pos.Line, "lays %s, in the first turn only", mineWords(len(o.Hexes), o.Dummy))
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

// LayOrder is an order to lay mines or dummies before the first turn.
type LayOrder struct {
	Line  int
	Text  string
	Dummy bool
	Hexes []hex.Hex
}
