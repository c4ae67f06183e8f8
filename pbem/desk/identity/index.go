package identity

import (
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// Games looks up the games of a robot.
type Games interface {
	// Settings returns the settings of every open game, in order of ID. Neither the list nor its
	// elements change afterwards.
	Settings() []*vault.Settings
	// Game returns an open game by its ID. It stays locked until the mail has been handled.
	Game(id string) (*vault.Game, error)
	// Look returns an open game for reading only; others may write to it.
	Look(id string) (*vault.Game, error)
}

// Registry determines who may write to a robot, and how they prove their identity.
type Registry struct {
	Games Games
	// Senders caches the captains of the games between mails; nil for no cache.
	Senders *Index
	// Border determines which statements about senders are trusted; by default none.
	Border auth.TrustBoundary
	// Signatures checks OpenPGP signatures; if nil, they are ignored.
	Signatures Signatures
}

// RefereeSeat is a referee of a game who is registered under the sender's address.
type RefereeSeat struct {
	Game    string // game ID
	Referee vault.Referee
}

// RefereeSeats returns every referee with that address.
func (d *Registry) RefereeSeats(sender string) []RefereeSeat {
	return d.senders().findReferees(sender, d.Games.Settings())
}

// Seat is a captain of a game who is registered under the sender's address.
type Seat struct {
	Game    string // game ID
	Captain vault.Captain
	Address string // as registered
}

// Seats returns every captain with that address, or with a stand-in at that address at the given
// time.
func (d *Registry) Seats(sender string, at time.Time) []Seat {
	return slices.DeleteFunc(d.senders().find(sender, d.Games.Settings()), func(s Seat) bool {
		return len(s.Captain.StandIns) > 0 && !auth.HasAddress(s.Captain.AddressesAt(at), s.Address)
	})
}

// Named returns the games of that name.
func (d *Registry) Named(name string) []*vault.Settings {
	return d.senders().named(name, d.Games.Settings())
}

// senders returns the index of captains and referees, and creates it if there is none.
func (d *Registry) senders() *Index {
	if d.Senders == nil {
		d.Senders = new(Index)
	}
	return d.Senders
}

// Index finds games by name, and captains and referees by address, so that a sender is not compared
// with everyone. It is for one goroutine at a time, and keeps its content between mails: only games
// that changed are read again. The zero value is ready.
type Index struct {
	last     []*vault.Settings            // as of the last update
	names    map[string][]*vault.Settings // by ID in lower case
	seats    map[string][]Seat            // by canonical address, in order of games and captains
	referees map[string][]RefereeSeat     // likewise
}

// update reads the games that were added, removed or changed: lists of games and settings are never
// modified, only replaced.
func (r *Index) update(all []*vault.Settings) {
	if len(all) > 0 && len(all) == len(r.last) && &all[0] == &r.last[0] {
		return
	}
	if r.names == nil {
		r.names, r.seats, r.referees = map[string][]*vault.Settings{}, map[string][]Seat{}, map[string][]RefereeSeat{}
	}
	var gone, come []*vault.Settings
	old, now := r.last, all
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(old) > 0 && len(now) > 0 && old[0] == now[0]:
			old, now = old[1:], now[1:]
		case len(now) == 0 || len(old) > 0 && old[0].ID <= now[0].ID:
			gone, old = append(gone, old[0]), old[1:]
		default:
			come, now = append(come, now[0]), now[1:]
		}
	}
	for _, s := range gone {
		r.drop(s)
	}
	for _, s := range come {
		r.add(s)
	}
	r.last = all
}

// drop removes a game.
func (r *Index) drop(s *vault.Settings) {
	id := strings.ToLower(s.ID)
	r.names[id] = slices.DeleteFunc(r.names[id], func(o *vault.Settings) bool { return o == s })
	for at := range seatsOf(s) {
		r.seats[at] = slices.DeleteFunc(r.seats[at], func(o Seat) bool { return o.Game == s.ID })
	}
	for _, o := range s.Referees {
		at := auth.Canonical(o.Address)
		r.referees[at] = slices.DeleteFunc(r.referees[at], func(o RefereeSeat) bool { return o.Game == s.ID })
	}
}

// add adds a game.
func (r *Index) add(s *vault.Settings) {
	id := strings.ToLower(s.ID)
	r.names[id] = append(r.names[id], s)
	for at, mine := range seatsOf(s) {
		r.seats[at] = append(r.seats[at], mine...)
		slices.SortStableFunc(r.seats[at], func(a, b Seat) int { return strings.Compare(a.Game, b.Game) })
	}
	for _, o := range s.Referees {
		at := auth.Canonical(o.Address)
		r.referees[at] = append(r.referees[at], RefereeSeat{s.ID, o})
		slices.SortStableFunc(r.referees[at], func(a, b RefereeSeat) int { return strings.Compare(a.Game, b.Game) })
	}
}

// seatsOf returns a game's captains by canonical address.
func seatsOf(s *vault.Settings) map[string][]Seat {
	out := map[string][]Seat{}
	for _, c := range s.Captains {
		var mine []string // two forms of one address are one seat
		addresses := c.Addresses()
		for _, s := range c.StandIns {
			addresses = append(slices.Clip(addresses), s.Address)
		}
		for _, a := range addresses {
			if at := auth.Canonical(a); at != "" && !slices.Contains(mine, at) {
				mine = append(mine, at)
				out[at] = append(out[at], Seat{s.ID, c, a})
			}
		}
	}
	return out
}

// find returns every captain with that address.
func (r *Index) find(sender string, all []*vault.Settings) []Seat {
	r.update(all)
	return known(r.seats, sender)
}

// findReferees returns every referee with that address.
func (r *Index) findReferees(sender string, all []*vault.Settings) []RefereeSeat {
	r.update(all)
	return known(r.referees, sender)
}

// known returns a copy of the entries for an address, or nil.
func known[T any](all map[string][]T, sender string) []T {
	canonical := auth.Canonical(sender)
	if canonical == "" || len(all[canonical]) == 0 {
		return nil
	}
	return slices.Clone(all[canonical])
}

// named returns the games of that name.
func (r *Index) named(name string, all []*vault.Settings) []*vault.Settings {
	r.update(all)
	return r.names[strings.ToLower(name)]
}
