package engine_test

import (
	"encoding/json"
	"sync"
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
)

// TestViewBuilder: the views of one builder equal those made one by one, share common parts, and leave the events
// unchanged.
func TestViewBuilder(t *testing.T) {
	game := &engine.Game{
		ID: "duel", Turn: 1, Sides: []engine.Side{{ID: "a"}, {ID: "b"}},
		Ships: []*engine.Ship{
			{ID: "ada", Side: "a", Status: engine.Active, Hex: hex.At(5, 5)},
			{ID: "bea", Side: "b", Status: engine.Active, Hex: hex.At(7, 7)},
			{ID: "eve", Side: "b", Status: engine.Waiting, Arrives: 3},
		},
	}
	at := func(row int) engine.Place { return engine.Place{Hex: hex.At(5, row)} }
	events := []engine.Event{
		{Seq: 1, Turn: 1, See: engine.SeeAll(), Body: &engine.Move{Ship: "ada", Word: "F", From: at(7), To: at(6)}},
		{Seq: 2, Turn: 1, Phase: 1, See: engine.SeeAll("ada"), Body: &engine.Move{Ship: "ada", Word: "F", From: at(6), To: at(5), Reactive: "follow bea"}},
		{Seq: 3, Turn: 1, See: engine.SeeOnly("bea"), Body: &engine.Luck{Ship: "bea", Words: "owl"}},
		{Seq: 4, Turn: 1, See: engine.See{Whole: engine.CaptainSeats("ada"), Rest: true, Also: []string{"sender"}, Among: []engine.ShipID{"eve"}}, Body: &engine.Talk{Ship: "ada", To: "eve", Text: []string{"hen"}}},
	}
	rules := &engine.Rules{Seeing: engine.Seeing{Public: func(s *engine.Ship) any { return map[string]engine.ShipID{"of": s.ID} }}}
	for i := range events {
		events[i].Type = rules.TypeOf(events[i].Body)
	}
	builder := engine.NewViewBuilder(rules, game, events)
	viewers := []engine.Viewer{
		{Ships: []engine.ShipID{"ada"}, Focus: "ada"},
		{Ships: []engine.ShipID{"bea"}, Focus: "bea"},
		{Ships: []engine.ShipID{"eve"}},
		{All: true},
		{},
	}
	views := make([]*engine.View, len(viewers))
	var wait sync.WaitGroup
	for i, who := range viewers {
		wait.Go(func() {
			var err error
			if views[i], err = builder.View(who); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for i, want := range []struct{ ships, events int }{{2, 3}, {2, 3}, {3, 3}, {3, 4}, {2, 2}} {
		v := views[i]
		if len(v.Ships) != want.ships || len(v.Events) != want.events || len(v.Ships[0].Trail) != 3 {
			t.Errorf("viewer %d: %d ships, %d events, trail %v", i, len(v.Ships), len(v.Events), v.Ships[0].Trail)
		}
		one, err := engine.BuildView(rules, game, events, viewers[i])
		if err != nil {
			t.Fatal(err)
		}
		a, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(one); err != nil || string(a) != string(b) {
			t.Errorf("%s\nalone %s, %v", a, b, err)
		}
	}
	order := func(v *engine.View) string { return v.Events[1].Body.(*engine.Move).Reactive }
	if order(views[0]) != "follow bea" || order(views[1]) != "" || order(views[3]) != "follow bea" {
		t.Error("a field that is not open to others is not what they do not see")
	}
	said := func(v *engine.View) *engine.Talk { return v.Events[len(v.Events)-1].Body.(*engine.Talk) }
	if len(said(views[0]).Text) != 1 || said(views[2]).Text != nil || said(views[2]).Ship != "ada" {
		t.Error("what is open under a word is not what they see where the event has that word")
	}
	if views[1].Events[1].Body != views[2].Events[1].Body || views[0].Events[1].Body != events[1].Body {
		t.Error("bodies are not shared")
	}
	if events[1].Body.(*engine.Move).Reactive == "" {
		t.Error("an event was changed")
	}
	for _, who := range []engine.Viewer{{Ships: []engine.ShipID{"nobody"}}, {Focus: "nobody"}} {
		if _, err := builder.View(who); err == nil {
			t.Errorf("%+v sees", who)
		}
	}
}
