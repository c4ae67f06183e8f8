package manual

import "starpost/engine"

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

// why says of what the referee filed that he did.
func why(s *engine.Story, i int) []string {
	if s.Events[i].Step != "filing" {
		return nil
	}
	return []string{"the referee filed it, having read the orders"}
}
