package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// labPlan is what a set says of laboratories so far, by what they work on.
type labPlan struct {
	works []string
	boxes int
}

// hasLabs tells whether a ship has laboratories, and says so if not.
func (c *compiler) hasLabs(st orders.Statement) bool {
	fitted := c.sys.Has(ship.NameLabs)
	if !fitted {
		c.fail(st.Pos, "E262", "leave it out: they are as a game in the dark is set up, but in those begun before ships had laboratories", "by these rules %s is for ships fitted out for the dark", st.Verb)
	}
	return fitted
}

func compileLit(c *compiler, _ int, st orders.Statement) {
	if !c.hasLabs(st) {
		return
	}
	n, _ := st.Arg("POWER")
	if most := c.sys.Labs().Boxes; n.Num > most {
		c.fail(n.Pos, "E254", fmt.Sprintf("%s %d at most", verbLabs, most), "labs %d: she has only %s to light", n.Num, laboratories(most))
		return
	}
	c.p.power.Labs = n.Num
	c.spend(st.Pos, n.Num)
	c.effect(st.Pos.Line, "%s lit: the sensors reach %d %% farther", laboratories(n.Num), 10*n.Num)
}

// compileLabs reads an order for laboratories, codes or files, which is carried out as the turn ends.
func compileLabs(c *compiler, _ int, st orders.Statement) {
	if !c.hasLabs(st) || st.Verb == dark.VerbNew {
		return
	}
	file, _ := st.Arg("FILE")
	of, coded := st.Arg("SIDE")
	a, named := st.Arg("SHIP")
	if named {
		id, ok := c.target(a, false)
		if !ok {
			return
		}
		other, _, known := c.names.find(string(id))
		if mine := known && other.side == c.side; mine != (st.Verb == engine.VerbSend) || !known {
			hint, wrong := "name an enemy, or a contact", "laboratories study what is not of one's own side"
			if st.Verb == engine.VerbSend {
				hint, wrong = "name a ship of your side", "a file is sent to ships of one's own side"
			}
			c.fail(a.Pos, "E256", hint, "%s", wrong)
			return
		}
	}
	if st.Verb == engine.VerbSend {
		c.effect(st.Pos.Line, "as the turn ends; %s must receive it, and enemies may steal it", a.Text)
		return
	}
	if coded && c.ownCode(of) {
		c.fail(of.Pos, "E256", "name another side, a contact that speaks in code, or any", "laboratories break the codes of others")
		return
	}
	p := ship.Edit[labPlan](&c.p.parts)
	n, _ := st.Arg("COUNT")
	word := file.Text + a.Text + of.Text
	what, free := st.Verb+" "+strings.ToLower(word), c.sys.Labs().Boxes-c.p.power.Labs-p.boxes
	switch {
	case slices.Contains(p.works, what):
		c.fail(st.Pos, "E126", "name it once, with all boxes", "laboratories work on %s by another line", word)
		return
	case n.Num < 1 || n.Num > free:
		c.fail(n.Pos, "E258", "light fewer under power, or take fewer: a box does one job a turn", "%s asked for, and %d free", laboratories(n.Num), free)
		return
	}
	p.works, p.boxes = append(p.works, what), p.boxes+n.Num
	c.effect(st.Pos.Line, "%s: as the turn ends, 11 less a die and the closest range for each", laboratories(n.Num))
}

// ownCode tells whether the code that an order wants broken is that of the ship's own side.
func (c *compiler) ownCode(of orders.Arg) bool {
	for _, side := range c.sides {
		if side.ID == c.side && (strings.EqualFold(of.Text, side.ID) || strings.EqualFold(of.Text, side.Name)) {
			return true
		}
	}
	n, _, known := c.names.find(of.Text)
	return known && n.side == c.side
}

// checkLabs looks at orders for files and codes by what a captain's view tells of them.
func checkLabs(v *engine.View, s *engine.ShipView, sys *ship.State, b *orders.Block) (out []orders.Diagnostic) {
	if !sys.Has(ship.NameLabs) {
		return nil
	}
	for _, st := range engine.TurnLevelStatements(b, engine.VerbSend) {
		a, _ := st.Arg("FILE")
		if slices.ContainsFunc(s.Files, func(f string) bool { return strings.EqualFold(f, a.Text) }) {
			continue
		}
		hint := "leave it out: there is no file aboard"
		if len(s.Files) > 0 {
			hint = orders.DidYouMean("%s", a.Text, s.Files, "aboard: "+strings.Join(s.Files, ", "))
		}
		out = append(out, orders.Diagnostic{Pos: a.Pos, Code: "E257", Hint: hint, Message: fmt.Sprintf("no file %q is aboard", a.Text)})
	}
	for _, st := range engine.TurnLevelStatements(b, dark.VerbNew) {
		if c := v.Code; c != nil && c.Book == c.Books {
			out = append(out, orders.Diagnostic{Pos: st.Pos, Code: "E261", Hint: "leave it out", Message: fmt.Sprintf("your side has no code book left: it speaks by the last of %d", c.Books)})
		}
	}
	return out
}

// labsFigure is the same in a list of figures.
func labsFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("laboratories %d, ", power)
}

// laboratories is a number of them in words.
func laboratories(n int) string {
	if n == 1 {
		return "1 laboratory"
	}
	return strconv.Itoa(n) + " laboratories"
}
