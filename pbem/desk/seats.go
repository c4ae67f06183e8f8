package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// seat is a captain of a game who is registered under the sender's address.
type seat struct {
	game    string // id
	captain vault.Captain
	address string // as it is registered
}

// seats finds every captain with that address.
func (d *Registry) seats(sender string) []seat { return d.senders().find(sender, d.Games.Settings()) }

// named are the games of that name.
func (d *Registry) named(name string) []*vault.Settings {
	return d.senders().named(name, d.Games.Settings())
}

// senders is the index of those who may write; it is made where none is kept.
func (d *Registry) senders() *SenderIndex {
	if d.Senders == nil {
		d.Senders = new(SenderIndex)
	}
	return d.Senders
}

// gameBlocks is the blocks of a mail that speak of one game.
type gameBlocks struct {
	game   *vault.Game
	seats  []seat // the sender's in this game, at least one
	raws   []orders.Raw
	marked []orders.Raw // behind quote marks
}

// sort puts blocks together by game. What belongs to no game of the sender
// becomes a result of its own.
func (c *submissions) sort(seats []seat, raws []orders.Raw, diags []orders.Diagnostic) ([]*gameBlocks, error) {
	var byGame []*gameBlocks
	blocksOf := func(id string) (*gameBlocks, error) {
		if at := slices.IndexFunc(byGame, func(p *gameBlocks) bool { return p.game.ID() == id }); at >= 0 {
			return byGame[at], nil
		}
		g, err := c.people.Games.Game(id)
		if err != nil {
			return nil, fmt.Errorf("open game %s: %w", id, err)
		}
		p := &gameBlocks{game: g}
		for _, s := range seats {
			if s.game == id {
				p.seats = append(p.seats, s)
			}
		}
		byGame = append(byGame, p)
		return p, nil
	}
	for _, raw := range raws {
		id, d := c.gameOf(raw, seats)
		if id == "" && (raw.Head.Turn == 0 || raw.Head.Name == "") && c.body.Below(raw) {
			continue // a sentence of ours that speaks of orders, broken there
		}
		if id == "" {
			found := blocks.Within(raw, diags, d...)
			if at, t, err := c.dueSeat(seats); err != nil {
				return nil, err
			} else if t.game != nil {
				t.pos.NameHead(found, raw.Head, at.captain.Name)
			}
			c.orderResults = append(c.orderResults, orderResult{set: orderset.Set{Raw: raw, Turn: raw.Head.Turn, Diagnostics: found}})
			continue
		}
		p, err := blocksOf(id)
		if err != nil {
			return nil, err
		}
		p.raws = append(p.raws, raw)
	}
	for _, raw := range c.body.Marked {
		at := slices.IndexFunc(seats, func(s seat) bool { return strings.EqualFold(s.game, raw.Head.Game) })
		if at < 0 {
			continue // what somebody else quotes to the sender is not his
		}
		p, err := blocksOf(seats[at].game)
		if err != nil {
			return nil, err
		}
		p.marked = append(p.marked, raw)
	}
	return byGame, nil
}

// gameOf is the id of the game that a block names, if the sender plays in it.
func (c *mailIn) gameOf(raw orders.Raw, seats []seat) (string, []orders.Diagnostic) {
	h := raw.Head
	if h.Game == "" {
		return "", nil // the scanner has said so
	}
	var mine []string
	for _, s := range seats {
		if strings.EqualFold(s.game, h.Game) {
			return s.game, nil
		}
		if !slices.Contains(mine, s.game) {
			mine = append(mine, s.game)
		}
	}
	c.Unknown = c.Unknown || !slices.ContainsFunc(c.people.Games.Settings(), func(s *vault.Settings) bool { return strings.EqualFold(s.ID, h.Game) })
	// Whether others play a game of that name is not told.
	hint := orders.DidYouMean("%s", h.Game, mine, "send from the address to which its reports go; your games: "+strings.Join(mine, ", "))
	return "", []orders.Diagnostic{{Pos: h.GamePos, Code: codes.UnknownGame, Message: fmt.Sprintf("you play in no game %q under this address", h.Game), Hint: hint}}
}

// captainOf is which of the sender's captains a block is for: the one whose
// ship or self it names, else the first.
func (p *gameBlocks) captainOf(raw orders.Raw, pos *turn.Position) vault.Captain {
	var owner engine.CaptainName
	if h := raw.Head; h.Kind == "captain" {
		c, _ := p.game.Settings().CaptainOf("@" + h.Name)
		owner = c.Name
	} else if ship, err := pos.FindShip(h.Name); err == nil {
		_, post, _ := pos.SeatOf(h)
		owner = ship.Holder(post)
	}
	for _, s := range p.seats {
		if s.captain.Name.Is(owner) {
			return s.captain
		}
	}
	return p.seats[0].captain
}

// foreign tells whether a block is for a ship or captain of the game that is none of
// the sender's.
func (p *gameBlocks) foreign(raw orders.Raw, pos *turn.Position) bool {
	var owner engine.CaptainName
	if h := raw.Head; h.Kind == "captain" {
		c, _ := p.game.Settings().CaptainOf("@" + h.Name)
		owner = c.Name
	} else if ship, post, ok := pos.SeatOf(h); ok {
		owner = ship.Holder(post)
	}
	return owner != "" && !slices.ContainsFunc(p.seats, func(s seat) bool { return s.captain.Name.Is(owner) })
}
