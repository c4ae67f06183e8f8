package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/orders"
)

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
	lays := edit[[]layOrder](&c.p.parts)
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

// warnLay remarks on mines that surely cannot be laid.
func (f *forecast) warnLay(side string) {
	for _, o := range read[[]layOrder](f.p.parts) {
		why := ""
		if f.v.Due != 1 {
			why = "mines are laid before the first turn only"
		}
		for _, h := range o.hexes {
			inField := slices.ContainsFunc(f.v.Terrain, func(f *engine.Feature) bool {
				return f.Kind == board.Minefield && f.Side == side && slices.Contains(f.Hexes, h)
			})
			if why == "" && !inField {
				why = h.Label() + " is not in a minefield of your side"
			}
		}
		if why != "" {
			f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
				Pos: orders.Pos{Line: o.line, Col: 1}, Severity: orders.Warning, Code: "W172", Message: why, Hint: "what cannot be laid so is laid by dice",
			})
		}
	}
}
