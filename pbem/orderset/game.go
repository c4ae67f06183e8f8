package orderset

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/rehearsal"
	"starpost/orders"
)

// Game is what of a game decides how order sets are looked at.
type Game struct {
	Rules    *engine.Rules
	ID       string
	Turn     int // that is due, or would be if the game were not over
	Round    int // of it that is due; 0 in games whose turns are not cut into rounds
	Rounds   int // that a turn has orders for; 0 likewise
	Over     int // the turn in which it ended; 0 while it goes on
	Captains []engine.CaptainName
	Ships    []*engine.Ship // those that have captains
	// Owes tells whether orders are wanted from a seat.
	Owes func(engine.Seat) bool
	// View is how things stand for who gives the orders of a seat on a ship, without what happened.
	View func(*engine.Ship, engine.Seat) (*engine.View, error)
	// Unheard is why no one hears what an order of a ship says; "" for what is said.
	Unheard func(*engine.Ship, orders.Statement) string
	// Luckless tells of a captain who has no words for luck; nil: all have.
	Luckless func(engine.CaptainName) bool
	// Closed says why no more orders are taken for what is due, with the code of it and a way out; nil while they are.
	Closed func() (code, why, way string)
	// Breaks are what a captain is asked at so far; nil in games that ask at fixed times.
	Breaks func(engine.CaptainName) Breaks

	unsaid bool // whether it asks at fixed times is not known
}

// OfView is a game as the viewer of a view knows it, who is to have an own ship. What a view does not hold is taken as it
// usually is: orders are still wanted, the captain is no referee, and in the dark his side hears him at any
// distance.
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

// due is the turn that orders are wanted for; 0 when the game is over.
func (g *Game) due() int {
	if g.Over > 0 {
		return 0
	}
	return g.Turn
}

// HeadWords is how the head of an order set names what is due.
func (g *Game) HeadWords() string {
	if g.Round == 0 {
		return fmt.Sprintf("turn %d", g.Turn)
	}
	return fmt.Sprintf("turn %d phase %d", g.Turn, g.Round)
}

// roundOf is the round that a set is for: its first, if the head names none.
func (g *Game) roundOf(h orders.Head) int {
	if g.Rounds == 0 {
		return 0
	}
	return max(h.Phase, 1)
}

// Ahead tells whether a set is for a later turn or round than what is due.
func (g *Game) Ahead(s Set) bool {
	due := g.due()
	return s.Turn > due || s.Turn == due && s.Round > g.Round
}

// ship is one of the ships that have captains; nil for none.
func (g *Game) ship(id engine.ShipID) *engine.Ship {
	i := slices.IndexFunc(g.Ships, func(s *engine.Ship) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return g.Ships[i]
}

// Set is one order set found in a text, read and looked at.
type Set struct {
	Raw         orders.Raw
	Block       orders.Block
	Name        string             // as vault.PutOrders wants it, "Hood" or "@Kirk"; "" when it has no owner
	Ship        engine.ShipID      // id; "" for a captain's set
	Post        string             // on it; "" for the ship's captain
	Captain     engine.CaptainName // whose set it is; "" when it has no owner
	Turn        int
	Round       int          // of it; 0 in games whose turns are not cut into rounds
	Key         string       // as given; "" for none
	Text        string       // canonical, without the key: what is stored
	View        *engine.View // how things stand for the captain, without events; nil when it has no owner
	Checked     engine.Checked
	Diagnostics []orders.Diagnostic // in order of the text
}

// OK reports whether the set may be taken.
func (s Set) OK() bool { return s.Name != "" && !orders.HasErrors(s.Diagnostics) }

// Seat is where the set comes from; of a captain's set it is empty.
func (s Set) Seat() engine.Seat { return engine.Seat{Ship: s.Ship, Post: s.Post} }

// Final and Wait report whether the set says so.
func (s Set) Final() bool { return says(&s.Block, "final") }

// Wait reports whether the set asks to wait for the deadline.
func (s Set) Wait() bool { return says(&s.Block, "wait") }

// Reading is all that was found in a text.
type Reading struct {
	Sets []Set
	// Diagnostics are those of all sets and those that belong to none, in order
	// of the text.
	Diagnostics []orders.Diagnostic
}

// Rehearsed are the order sets of ships that a rehearsal can play: those that may be given.
func (r Reading) Rehearsed() (out []rehearsal.Set) {
	for _, s := range r.Sets {
		if s.OK() && s.Ship != "" {
			out = append(out, rehearsal.Set{Seat: s.Seat(), Block: s.Block})
		}
	}
	return out
}

func says(b *orders.Block, verb string) bool { return len(engine.TurnLevelStatements(b, verb)) > 0 }
