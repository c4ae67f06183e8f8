package manual

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/orders"
)

func itoa(n int) string { return strconv.Itoa(n) }

// check checks a captain's orders. Their meaning is the referee's business; it can only warn of a line that looks
// like a misspelt shared order.
func check(v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
	var out engine.Checked
	s, ok := v.Ship(id)
	if !ok || s.Status != engine.Active {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{Pos: b.Start, Code: "E320", Message: "this ship takes no orders now"}}}
	}
	g, _ := b.Group("", 0)
	if len(g.Statements) == 0 {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{
			Pos: b.End, Code: "E321", Message: "there are no orders in this set", Hint: "to do nothing on purpose, write: nothing",
		}}}
	}
	n := 0
	for _, st := range g.Statements {
		a, free := st.Arg("LINE")
		if !free && !v.Dark && instrumental(st) {
			a = orders.Arg{Text: orders.FormatStatement(st)}
			free = true
		}
		if !free {
			continue
		}
		n++
		out.Effects = append(out.Effects, engine.Effect{Line: st.Pos.Line, Text: "the referee reads: " + a.Text})
		if near := nearVerb(a.Text); near != "" && st.Pos == a.Pos {
			out.Diagnostics = append(out.Diagnostics, orders.Diagnostic{
				Pos: a.Pos, Severity: orders.Warning, Code: "W321",
				Message: "the referee will read this line as an order in your own words",
				Hint:    fmt.Sprintf("did you mean %s?", near),
			})
		}
	}
	wrong, effects := instruments(v, s, b)
	out.Diagnostics, out.Effects = append(out.Diagnostics, wrong...), append(out.Effects, effects...)
	switch n {
	case 0:
		out.Summary = append(out.Summary, "no order for the referee to read")
	case 1:
		out.Summary = append(out.Summary, "1 order, as you wrote it: the referee reads it and reports the outcome")
	default:
		out.Summary = append(out.Summary, fmt.Sprintf("%d orders, as you wrote them: the referee reads them and reports the outcome", n))
	}
	return out
}

// nearVerb returns the shared order that a line's first word may be a misspelling of.
func nearVerb(line string) string {
	word := line
	for i, r := range line {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			word = line[:i]
			break
		}
	}
	if len(word) < 4 {
		return ""
	}
	return orders.Suggest(word, []string{"final", "message"})
}

// template returns the order set offered to a captain.
func template(v *engine.View, id engine.ShipID) orders.Set {
	s, ok := v.Ship(id)
	if !ok {
		return nil
	}
	at := ""
	if s.Hex != nil {
		at = " at " + s.Hex.Label() + " heading " + s.Heading.String()
	}
	return orders.Set{{Orders: []orders.Order{
		{Note: s.Name + at + ". Write below what she is to do, in your own words,"},
		{Note: "an order a line: the referee reads it. Lines like this one are remarks."},
	}}}
}
