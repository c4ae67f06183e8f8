package orderset

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/rehearsal"
	"starpost/orders"
)

// Game is the part of a game that determines how order sets are checked.
type Game struct {
	Rules    *engine.Rules
	ID       string
	Turn     int // the due turn, or the one that would be due if the game were not over
	Round    int // the due round; 0 in games without rounds
	Rounds   int // number of rounds in a turn; 0 likewise
	Over     int // the turn in which it ended; 0 while it runs
	Captains []engine.CaptainName
	Ships    []*engine.Ship // ships with captains
	// Owes reports whether orders are due from a seat.
	Owes func(engine.Seat) bool
	// View returns the state as seen by the author of the orders of a seat on a ship, without events.
	View func(*engine.Ship, engine.Seat) (*engine.View, error)
	// Unheard says why no one hears the words in an order of a ship; "" if they are heard.
	Unheard func(*engine.Ship, orders.Statement) string
	// Luckless reports whether a captain may not use words for luck; nil: all may.
	Luckless func(engine.CaptainName) bool
	// Closed says why orders for the due stage are no longer accepted, with a code and a hint; nil while they are.
	Closed func() (code, why, way string)
	// Breaks returns a captain's present breaks; nil in games that ask at fixed times.
	Breaks func(engine.CaptainName) Breaks

	unsaid bool // unknown whether it asks at fixed times
}

// OfView returns a game as known to the viewer of a view, who must have a ship. What a view does not contain has its
// usual value: orders are still due, the captain is not a referee, and in a blind game the own side hears the captain
// at any distance.
func OfView(r *engine.Rules, v *engine.View) *Game {
	g := &Game{Rules: r, ID: v.Game, Turn: v.Turn + 1, Rounds: v.Rounds, Captains: []engine.CaptainName{v.Viewer.Captain}, unsaid: v.Rounds > 0}
	if v.Round > 0 {
		g.Turn = v.Turn
	}
	if v.Rounds > 0 {
		g.Round = v.Round + 1
	}
	if v.Result != nil {
		g.Over = v.Result.Turn
	}
	for _, s := range v.Ships {
		if s.Own && !s.Kind.Small() {
			g.Ships = append(g.Ships, &engine.Ship{
				ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Captain: s.Captain, Crew: s.Crew, Relieved: s.Relieved,
				Class: s.Class, Kind: s.Kind, Status: s.Status, Arrives: s.Arrives,
			})
		}
	}
	g.Owes = func(seat engine.Seat) bool {
		s, ok := v.Ship(seat.Ship)
		return ok && slices.Contains(v.Owed(s), seat)
	}
	g.View = func(s *engine.Ship, seat engine.Seat) (*engine.View, error) {
		return v.Settled(engine.Seat{Ship: s.ID, Post: seat.Post})
	}
	known := &engine.Game{Sides: v.Sides}
	switch {
	case v.Dark && v.Mute:
		known.Blind = &blind.State{Settings: blind.Settings{Talk: blind.TalkNone}}
	case v.Dark:
		known.Blind = &blind.State{Settings: blind.Settings{Talk: blind.TalkSide}}
	}
	g.Unheard = func(from *engine.Ship, st orders.Statement) string { return r.Unheard(known, from, st) }
	return g
}

// due returns the due turn; 0 when the game is over.
func (g *Game) due() int {
	if g.Over > 0 {
		return 0
	}
	return g.Turn
}

// HeadWords returns the due stage in the form of an order set's head.
func (g *Game) HeadWords() string {
	if g.Round == 0 {
		return fmt.Sprintf("turn %d", g.Turn)
	}
	return fmt.Sprintf("turn %d phase %d", g.Turn, g.Round)
}

// roundOf returns the round that a set is for: the first, if the head names none.
func (g *Game) roundOf(h orders.Head) int {
	if g.Rounds == 0 {
		return 0
	}
	return max(h.Phase, 1)
}

// Ahead reports whether a set is for a later turn or round than the due one.
func (g *Game) Ahead(s Set) bool {
	due := g.due()
	return s.Turn > due || s.Turn == due && s.Round > g.Round
}

// ship returns one of the ships that have captains; nil for none.
func (g *Game) ship(id engine.ShipID) *engine.Ship {
	i := slices.IndexFunc(g.Ships, func(s *engine.Ship) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return g.Ships[i]
}

// Set is one order set found in a text, parsed and checked.
type Set struct {
	Raw         orders.Raw
	Block       orders.Block
	Name        string             // as in vault.Orders.Put: "Hood" or "@Kirk"; "" without an owner
	Ship        engine.ShipID      // "" for a captain's set
	Post        string             // on the ship; "" for the ship's captain
	Captain     engine.CaptainName // the owner; "" without one
	Turn        int
	Round       int          // 0 in games without rounds
	Key         string       // as given; "" for none
	Text        string       // canonical, without the key, as stored
	View        *engine.View // the state as the captain sees it, without events; nil without an owner
	Checked     engine.Checked
	Diagnostics []orders.Diagnostic // in the order of the text
}

// OK reports whether the set may be accepted.
func (s Set) OK() bool { return s.Name != "" && !orders.HasErrors(s.Diagnostics) }

// Seat returns the seat of the set; for a captain's set it is empty.
func (s Set) Seat() engine.Seat { return engine.Seat{Ship: s.Ship, Post: s.Post} }

// Final reports whether the set has the word final.
func (s Set) Final() bool { return says(&s.Block, "final") }

// Wait reports whether the set asks to wait for the deadline.
func (s Set) Wait() bool { return says(&s.Block, "wait") }

// Reading is everything found in a text.
type Reading struct {
	Sets []Set
	// Diagnostics are those of all sets and those that belong to none, in the order of the text.
	Diagnostics []orders.Diagnostic
}

// Rehearsed returns the order sets of ships that a rehearsal can play: the valid ones.
func (r Reading) Rehearsed() (out []rehearsal.Set) {
	for _, s := range r.Sets {
		if s.OK() && s.Ship != "" {
			out = append(out, rehearsal.Set{Seat: s.Seat(), Block: s.Block})
		}
	}
	return out
}

func says(b *orders.Block, verb string) bool { return len(engine.TurnLevelStatements(b, verb)) > 0 }
