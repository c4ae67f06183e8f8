package family_test

import (
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
)

type (
	ping struct {
		Ship engine.ShipID `json:"ship" see:"all"`
	}
	pong   struct{}
	report struct{ lines []string }
	book   struct{ word string }

	told[T any] = family.Told[*report, book, *T]
)

// rows returns the events of a small family: two types of its own, two more rows for one of them and for rolls.
func rows() family.Events[*report, book] {
	return family.ListEvents(
		family.Own("ping", told[ping]{
			Tell:  func(n *report, b *ping, cite string) { n.lines = append(n.lines, string(b.Ship)+" pings "+cite) },
			Alone: func(l book, _ *engine.View, b *ping) string { return l.word + " " + string(b.Ship) },
			Posts: []string{"science"},
		}),
		family.Own("pong", told[pong]{Sees: func(_ *pong, ship engine.ShipID, post string) bool { return ship == "hood" && post == "helm" }}, engine.InPlace),
		family.Also(told[ping]{Alone: func(l book, _ *engine.View, b *ping) string { return string(b.Ship) + ", " + l.word }}),
		family.Also(told[engine.Roll]{
			Unknown: func(l book, _ *engine.Roll, _ *dark.Observer) (engine.Body, []string) { return nil, []string{l.word} },
			Posts:   []string{"helm"},
		}),
	)
}

// TestRowsSayWhatIsSaidOfAnEvent: each question about an event is answered by its row. A later row for the same
// events replaces only what it sets, and nothing is said about events without a row.
func TestRowsSayWhatIsSaidOfAnEvent(t *testing.T) {
	all, l, n := rows(), book{"heard"}, new(report)
	if !all.Tell(n, &ping{Ship: "hood"}, "D1") || all.Tell(n, &pong{}, "D1") || all.Tell(n, &engine.Roll{}, "D1") || !slices.Equal(n.lines, []string{"hood pings D1"}) {
		t.Errorf("told are %q", n.lines)
	}
	if text, ok := all.Alone(l, nil, &ping{Ship: "hood"}); !ok || text != "hood, heard" {
		t.Errorf("by itself it is %q", text)
	}
	if text, ok := all.Alone(l, nil, &pong{}); ok {
		t.Errorf("of what has no such sentence %q is said", text)
	}
	if _, cite := all.Unknown(l)(&engine.Roll{}, nil); !slices.Equal(cite, []string{"heard"}) {
		t.Errorf("a roll looks like %q", cite)
	}
	if b, _ := all.Unknown(l)(&ping{}, nil); b != nil {
		t.Errorf("who does not know the ships is told %+v", b)
	}
	for _, c := range []struct {
		b          engine.Body
		ship, post string
		want       bool
	}{
		{&ping{}, "hood", "science", true},
		{&ping{}, "hood", "helm", false},
		{&pong{}, "hood", "helm", true},
		{&pong{}, "kor", "helm", false},
		{&engine.Roll{}, "kor", "helm", true},
		{&engine.Move{}, "hood", "helm", false},
	} {
		if got := all.SeenAt(c.b, engine.ShipID(c.ship), c.post); got != c.want {
			t.Errorf("%T is seen by the %s of %s: %v", c.b, c.post, c.ship, got)
		}
	}
	if names := all.Types().Names(); !slices.Equal(names, []string{"ping", "pong"}) { // rolls are the core's
		t.Errorf("its own events are %q", names)
	}
	r := &engine.Rules{Events: all.Types()}
	if of := r.TypeOf(&pong{}); of == nil || of.Name != "pong" || !of.Has(engine.InPlace) || r.TypeOf(pong{}) != nil || r.TypeOf(nil) != nil {
		t.Errorf("a pong is of type %+v", of)
	}
}
