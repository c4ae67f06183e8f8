package verbs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// labPlan is what a set has ordered of laboratories so far: their jobs, and the boxes used.
type labPlan struct {
	works []string
	boxes int
}

// hasLabs reports whether a ship has laboratories, and refuses the order if not.
func hasLabs(c *rulebook.Compiler, st orders.Statement) bool {
	fitted := c.Sys.Has(ship.NameLabs)
	if !fitted {
		c.Fail(st.Pos, "E262", "leave it out: only ships set up for a game in the dark have them, and not in games begun before ships had laboratories", "under these rules %s is for ships fitted out for the dark", st.Verb)
	}
	return fitted
}

// CompileLit reads an order to light laboratories.
func CompileLit(c *rulebook.Compiler, _ int, st orders.Statement) {
	if !hasLabs(c, st) {
		return
	}
	n, _ := st.Arg("POWER")
	if most := c.Sys.Labs().Boxes; n.Num > most {
		c.Fail(n.Pos, "E254", fmt.Sprintf("%s %d at most", rulebook.VerbLabs, most), "labs %d: she has only %s to light", n.Num, Laboratories(most))
		return
	}
	c.Plan.Power.Labs = n.Num
	c.Spend(st.Pos, n.Num)
	c.Effect(st.Pos.Line, "%s lit: sensor range +%d %%", Laboratories(n.Num), 10*n.Num)
}

// CompileLabs reads an order for laboratories, codes or files, which is carried out at the end of the turn.
func CompileLabs(c *rulebook.Compiler, _ int, st orders.Statement) {
	if !hasLabs(c, st) || st.Verb == dark.VerbNew {
		return
	}
	file, _ := st.Arg("FILE")
	of, coded := st.Arg("SIDE")
	a, named := st.Arg("SHIP")
	if named {
		id, ok := c.Target(a, false)
		if !ok {
			return
		}
		other, _, known := c.Names.Find(string(id))
		if mine := known && other.Side == c.Side; mine != (st.Verb == engine.VerbSend) || !known {
			hint, wrong := "name an enemy, or a contact", "laboratories study what is not on your own side"
			if st.Verb == engine.VerbSend {
				hint, wrong = "name a ship of your side", "a file can be sent only to ships of your own side"
			}
			c.Fail(a.Pos, "E256", hint, "%s", wrong)
			return
		}
	}
	if st.Verb == engine.VerbSend {
		c.Effect(st.Pos.Line, "at the end of the turn; %s must receive it, and enemies may steal it", a.Text)
		return
	}
	if coded && ownCode(c, of) {
		c.Fail(of.Pos, "E256", "name another side, a contact that speaks in code, or any", "laboratories break only the codes of others")
		return
	}
	p := ship.Edit[labPlan](&c.Plan.Parts)
	n, _ := st.Arg("COUNT")
	word := file.Text + a.Text + of.Text
	what, free := st.Verb+" "+strings.ToLower(word), c.Sys.Labs().Boxes-c.Plan.Power.Labs-p.boxes
	switch {
	case slices.Contains(p.works, what):
		c.Fail(st.Pos, "E126", "name it once, with all boxes", "another line already has laboratories work on %s", word)
		return
	case n.Num < 1 || n.Num > free:
		c.Fail(n.Pos, "E258", "light fewer under power, or use fewer: a box does one job a turn", "%s asked for, and %d free", Laboratories(n.Num), free)
		return
	}
	p.works, p.boxes = append(p.works, what), p.boxes+n.Num
	c.Effect(st.Pos.Line, "%s: at the end of the turn, 11 less a die and the closest range for each", Laboratories(n.Num))
}

// ownCode reports whether an order wants the code of the ship's own side broken.
func ownCode(c *rulebook.Compiler, of orders.Arg) bool {
	for _, side := range c.Sides {
		if side.ID == c.Side && (strings.EqualFold(of.Text, side.ID) || strings.EqualFold(of.Text, side.Name)) {
			return true
		}
	}
	n, _, known := c.Names.Find(of.Text)
	return known && n.Side == c.Side
}

// CheckLabs checks orders for files and codes against a captain's view.
func CheckLabs(v *engine.View, s *engine.ShipView, sys *ship.State, b *orders.Block) (out []orders.Diagnostic) {
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

// LabsFigure returns the power of laboratories as an item in a list; "" for 0.
func LabsFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("laboratories %d, ", power)
}

// Laboratories returns a number of laboratories in words.
func Laboratories(n int) string {
	if n == 1 {
		return "1 laboratory"
	}
	return strconv.Itoa(n) + " laboratories"
}
