package manual

import (
	"starpost/engine"
	"starpost/orders"
)

// words puts the i-th event of a view into sentences by itself.
func words(v *engine.View, i int) []engine.Line {
	switch v.Events[i].Body.(type) {
	case *engine.Roll, *engine.Move, *engine.Talk:
		return nil // the core has words for them
	case *Part:
		return []engine.Line{{Text: "Another part of the report: " + v.Events[i].Body.(*Part).Title, Cite: engine.Cite(v.Events[i].Rule)}}
	}
	n := &narrator{v: v}
	n.entry(v.Events[i])
	var out []engine.Line
	for _, c := range n.chapters {
		out = append(out, c.Lines...)
	}
	return out
}

// account tells how an event came about: a captain's own words, or what the
// referee filed after he had read them.
func account(s *engine.Story, i int) (engine.Account, bool) {
	e := s.Events[i]
	free := func(_ orders.Group, st orders.Statement) bool { return st.Verb == "do" }
	ship := ""
	switch b := e.Body.(type) {
	case *Ordered:
		return s.Asked(i, b.Ship, free), true
	case *engine.Move:
		ship = b.Ship
	case *Shot:
		ship = b.Ship
	}
	if e.Step != "filing" {
		return engine.Account{}, false
	}
	a := engine.Account{}
	if ship != "" {
		a = s.Asked(i, ship, free)
	}
	a.Why = append(a.Why, "the referee filed it, having read the orders")
	return a, true
}
