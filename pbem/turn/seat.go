package turn

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// UnknownShipError is returned for a name that no ship of the game has, or for a post that its ships do not have.
type UnknownShipError struct {
	Game, Name string
	Post       bool
	Near       string   // the nearest name, or ""
	Known      []string // all names
}

// Error names the game and the ship or post.
func (e *UnknownShipError) Error() string {
	if e.Post {
		return fmt.Sprintf("the ships of game %s have no post %q", e.Game, e.Name)
	}
	return fmt.Sprintf("game %s has no ship %q", e.Game, e.Name)
}

// Hint returns the nearest name, or all.
func (e *UnknownShipError) Hint() string {
	if e.Near != "" {
		return fmt.Sprintf("did you mean %q?", e.Near)
	}
	if e.Post {
		return "the posts: " + strings.Join(e.Known, ", ")
	}
	return "its ships: " + strings.Join(e.Known, ", ")
}

// SeatOf returns the ship that a head names, and the post on it that gives the orders. ok is false for the head of a
// captain's set, and for one that is for no seat.
func (p *Position) SeatOf(h orders.Head) (ship *engine.Ship, post string, ok bool) {
	if post = strings.ToLower(h.Kind); post == "ship" {
		post = ""
	}
	ship, _, ok = engine.FindShip(p.state.Ships, h.Name)
	return ship, post, ok && (post == "" || slices.Contains(p.rules.Language.Posts, post))
}

// SetNames returns the names of the order sets that a captain gives: for the captain's seats, and for posts on their
// ships that are vacant or whose officers are relieved.
func (p *Position) SetNames(c vault.Captain) []string {
	if len(p.rules.Posts()) == 0 {
		return c.SetNames()
	}
	var out []string
	for _, s := range engine.Captained(p.state.Ships) {
		for _, seat := range p.rules.Seats(s) {
			if s.Holder(seat.Post) == c.Name {
				out = append(out, engine.OrderSetName(s.Name, seat.Post))
			}
		}
	}
	return out
}

// FindShip finds a ship by name, ID or short name.
func (p *Position) FindShip(name string) (*engine.Ship, error) {
	ships := engine.Captained(p.state.Ships) // the others have no report
	s, near, ok := engine.FindShip(ships, name)
	if ok {
		return s, nil
	}
	e := &UnknownShipError{Game: p.state.ID, Name: name, Near: near}
	for _, s := range ships {
		e.Known = append(e.Known, s.Name)
	}
	return nil, e
}

// FindSeat finds a seat by the name, ID or short name of its ship, followed by a slash or point and the post: "Hood",
// "Hood/engineer", "hood.engineer". The captain may also be named as a post. The error is an *UnknownShipError.
func (p *Position) FindSeat(name string) (engine.Seat, error) {
	at := strings.LastIndexAny(name, "/.")
	if at < 0 || len(p.rules.Posts()) == 0 {
		s, err := p.FindShip(name)
		if err != nil {
			return engine.Seat{}, err
		}
		return engine.Seat{Ship: s.ID}, nil
	}
	s, err := p.FindShip(name[:at])
	if err != nil {
		return engine.Seat{}, err
	}
	post, ok := p.rules.PostOf(name[at+1:])
	if !ok {
		known := append([]string{engine.AllPosts}, p.rules.Posts()...)
		return engine.Seat{}, &UnknownShipError{Game: p.state.ID, Name: name[at+1:], Post: true, Near: orders.Suggest(post, known), Known: known}
	}
	return engine.Seat{Ship: s.ID, Post: post}, nil
}

// Key returns the key of a captain for the due turn.
func (p *Position) Key(captain engine.CaptainName) string { return Key(p.vault, p.next(), captain) }

// Key returns the key of a captain for all rounds of a turn. It depends on how often the seat has changed hands, so
// that a former holder does not know the keys of the current one.
func Key(g *vault.Game, turn int, captain engine.CaptainName) string {
	return KeyOf(g, turn, captain, g.Changes(captain))
}

// KeyOf is Key for a seat that has changed hands the given number of times.
func KeyOf(g *vault.Game, turn int, captain engine.CaptainName, changes int) string {
	return auth.TurnKey(g.Secret(), g.ID(), turn, captain, changes)
}

// Template returns the order template of a captain for the due turn, as in their last report; withKey includes the
// key. It is "" if the captain owes nothing.
func (p *Position) Template(captain engine.CaptainName, withKey bool) (string, error) {
	for _, c := range p.state.Captains() {
		if c.Name != captain {
			continue
		}
		v, err := p.settledView(Flagship(p.state, c))
		if err != nil {
			return "", err
		}
		key := ""
		if withKey {
			key = p.Key(captain)
		}
		return report.Template(p.rules, v, key, p.settings.Mail.Teach), nil
	}
	return "", fmt.Errorf("game %s has no captain %q", p.state.ID, captain)
}

// SeatTemplate returns the order template of one seat for the due turn, without a key; "" if it owes nothing.
func (p *Position) SeatTemplate(seat engine.Seat) (string, error) {
	s, ok := p.state.Ship(seat.Ship)
	if !ok || !p.rules.Commands(s) || p.Due() == 0 || !slices.Contains(p.rules.Owed(p.state), seat) {
		return "", nil
	}
	v, err := p.ordersView(s, seat)
	if err != nil {
		return "", err
	}
	own, _ := v.Ship(seat.Ship)
	return report.OrderBlock(v, own, seat.Post, "", report.Offered(p.rules, v, seat.Ship, p.settings.Mail.Teach)), nil
}

// ordersView returns the view of the person who gives the orders of a seat.
func (p *Position) ordersView(s *engine.Ship, seat engine.Seat) (*engine.View, error) {
	if s.Holder(seat.Post) == s.Officer(seat.Post) {
		return p.settledView(seat)
	}
	v, err := p.settledView(engine.Seat{Ship: s.ID})
	if err != nil {
		return nil, err
	}
	return v.From(seat), nil
}

// Flagship returns the seat whose ship is in focus in a captain's mail: the first on a ship that still fights, or the
// first.
func Flagship(state *engine.Game, c engine.Captain) engine.Seat {
	for _, seat := range c.Seats {
		if s, ok := state.Ship(seat.Ship); ok && s.Status == engine.Active {
			return seat
		}
	}
	return c.Seats[0]
}

// ViewAt returns what the officer of a seat, in FindSeat's notation, knew after a stage.
func ViewAt(g *vault.Game, at vault.Stage, seat string) (*engine.View, error) {
	p, err := loadAt(g, at)
	if err != nil {
		return nil, err
	}
	found, err := p.FindSeat(seat)
	if err != nil {
		return nil, err
	}
	return p.View(found)
}

// ViewOf returns what the officer of a seat, in FindSeat's notation, was told of a turn as a revision resolved it,
// whether or not it is the current one.
func ViewOf(g *vault.Game, turn, revision int, seat string) (*engine.View, error) {
	state, err := g.Stages.State(vault.Stage{Turn: turn, Revision: revision})
	if err != nil {
		return nil, err
	}
	events, err := g.Stages.Events(vault.Stage{Turn: turn, Revision: revision})
	if err != nil {
		return nil, err
	}
	p := Position{vault: g, rules: g.Rules(), state: state, told: newViewCache(g.Rules(), state, events, g.Rounds())}
	found, err := p.FindSeat(seat)
	if err != nil {
		return nil, err
	}
	return p.View(found)
}
