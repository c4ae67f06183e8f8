package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// panels is a system with a part for each post.
type panels map[string]string

func (p panels) Clone() engine.System { return p }

// crewed returns a rule set in which a ship has the posts helm and cook, and a game of it: Ann is captain of Ada
// with Eve as cook, and Bob is alone on Bea.
func crewed() (*engine.Rules, *engine.Game) {
	r := &engine.Rules{
		Language: &orders.Language{Posts: []string{"cook", "helm"}},
		Seeing: engine.Seeing{
			Public: func(*engine.Ship) any { return nil },
			Mates: &engine.Mates{
				Station: func(_ *engine.Ship, posts []string) any { return "panels of " + strings.Join(posts, ", ") },
				Aboard:  func(*engine.Game, *engine.Event, engine.ShipID, []string) ([]string, bool) { return nil, true },
			},
		},
		Ordering: engine.Ordering{Due: func(g *engine.Game) (due []engine.Seat) {
			for _, id := range g.InFight() {
				due = append(due, engine.Seat{Ship: id}, engine.Seat{Ship: id, Post: "cook"}, engine.Seat{Ship: id, Post: "helm"})
			}
			return due
		}},
	}
	g := &engine.Game{
		ID: "duel", Turn: 1, Sides: []engine.Side{{ID: "a"}, {ID: "b"}},
		Ships: []*engine.Ship{
			{ID: "ada", Side: "a", Status: engine.Active, Captain: "Ann", Crew: map[string]engine.CaptainName{"cook": "Eve"}, Hex: hex.At(5, 5), System: panels{"all": "all"}},
			{ID: "bea", Side: "b", Status: engine.Active, Captain: "Bob", Hex: hex.At(7, 7), System: panels{"all": "all"}},
		},
	}
	return r, g
}

// TestSeatsSeeTheirOwn: each seat sees its own panel, and those events aboard that are for its post; the captain
// sees events for any post. The captain has vacant posts, and gives the orders of a relieved officer, who sees the
// same as before.
func TestSeatsSeeTheirOwn(t *testing.T) {
	r, g := crewed()
	seen := func(see ...engine.See) (events []engine.Event) {
		for i, s := range see {
			events = append(events, engine.Event{Seq: i + 1, Turn: 1, See: s, Type: r.TypeOf(&engine.Skip{}), Body: &engine.Skip{Line: i + 1}})
		}
		return events
	}(
		engine.SeeOnly("ada"),
		engine.SeeSeats(engine.Seat{Ship: "ada", Post: "cook"}),
		engine.SeeSeats(engine.Seat{Ship: "ada", Post: "helm"}),
		engine.SeeSeats(engine.Seat{Ship: "ada", Post: engine.AllPosts}),
		engine.SeeSeats(engine.Seat{Ship: "bea", Post: "cook"}),
	)
	look := func(seat engine.Seat) string {
		t.Helper()
		who, err := r.SeatViewer(g, seat)
		if err != nil {
			t.Fatal(err)
		}
		v, err := engine.BuildView(r, g, seen, who)
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, e := range v.Events {
			lines = append(lines, e.Body.(*engine.Skip).Line)
		}
		s, _ := v.Ship(seat.Ship)
		return fmt.Sprint(who.Captain, " ", who.Seats, " sees ", lines, ", ", s.System, "; owes ", v.Owed(s))
	}
	ada := func(post string) engine.Seat { return engine.Seat{Ship: "ada", Post: post} }
	check := func(when string, want map[engine.Seat]string) {
		t.Helper()
		for seat, w := range want {
			if got := look(seat); got != w {
				t.Errorf("%s, %s: got %s\nwant %s", when, seat, got, w)
			}
		}
	}
	check("with a cook", map[engine.Seat]string{
		ada(""):       "Ann [ada ada/helm] sees [1 2 3 4], map[all:all]; owes [ada ada/helm]",
		ada("cook"):   "Eve [ada/cook] sees [1 2], panels of cook; owes [ada/cook]",
		{Ship: "bea"}: "Bob [bea bea/cook bea/helm] sees [5], map[all:all]; owes [bea bea/cook bea/helm]",
	})
	if err := (&engine.Relieved{Ship: "ada", Post: "cook"}).Apply(g); err != nil {
		t.Fatal(err)
	}
	check("with the cook relieved", map[engine.Seat]string{
		ada(""):     "Ann [ada ada/cook ada/helm] sees [1 2 3 4], map[all:all]; owes [ada ada/cook ada/helm]",
		ada("cook"): "Eve [ada/cook] sees [1 2], panels of cook; owes []",
	})
	if err := (&engine.Relieved{Ship: "ada", Post: "cook", Back: true}).Apply(g); err != nil {
		t.Fatal(err)
	}
	if s := g.Ships[0]; s.Relieved != nil || s.Holder("cook") != "Eve" {
		t.Errorf("the cook is back, and %s gives the orders; relieved are %v", s.Holder("cook"), s.Relieved)
	}
}

// TestSilence: turns in a row without orders from a post are counted, each once.
func TestSilence(t *testing.T) {
	_, g := crewed()
	ada := g.Ships[0]
	var got []engine.Silence
	for turn, absent := range [][]string{{"cook"}, {"cook", "cook"}, {}, {"cook"}, {""}} {
		g.Turn = turn + 1 // as Apply sets it
		for _, post := range absent {
			if err := (&engine.Absent{Ship: "ada", Post: post, Policy: engine.PolicyStanding}).Apply(g); err != nil {
				t.Fatal(err)
			}
		}
		got = append(got, ada.Silent["cook"])
	}
	if want := []engine.Silence{{Last: 1, Turns: 1}, {Last: 2, Turns: 2}, {Last: 2, Turns: 2}, {Last: 4, Turns: 1}, {Last: 4, Turns: 1}}; !slices.Equal(got, want) || len(ada.Silent) != 1 {
		t.Errorf("silent are %v, want %v; kept is %v", got, want, ada.Silent)
	}
}
