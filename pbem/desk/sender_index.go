package desk

import (
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// SenderIndex knows the games by name, and their captains and referees by address, so that the
// sender of a mail is not held against everyone there is. It may be used by one goroutine at
// a time, and remembers from mail to mail: of very many games those alone are read
// again that changed. The zero value is ready.
type SenderIndex struct {
	last     []*vault.Settings            // what was read last
	names    map[string][]*vault.Settings // by id in lower case
	seats    map[string][]seat            // by canonical address, in order of games and captains
	referees map[string][]refereeSeat     // likewise
}

// update reads the games that came, went or have other settings: neither the list of games
// nor settings are ever changed, only replaced.
func (r *SenderIndex) update(all []*vault.Settings) {
	if len(all) > 0 && len(all) == len(r.last) && &all[0] == &r.last[0] {
		return
	}
	if r.names == nil {
		r.names, r.seats, r.referees = map[string][]*vault.Settings{}, map[string][]seat{}, map[string][]refereeSeat{}
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

// drop forgets a game.
func (r *SenderIndex) drop(s *vault.Settings) {
	id := strings.ToLower(s.ID)
	r.names[id] = slices.DeleteFunc(r.names[id], func(o *vault.Settings) bool { return o == s })
	for at := range seatsOf(s) {
		r.seats[at] = slices.DeleteFunc(r.seats[at], func(o seat) bool { return o.game == s.ID })
	}
	for _, o := range s.Referees {
		at := auth.Canonical(o.Address)
		r.referees[at] = slices.DeleteFunc(r.referees[at], func(o refereeSeat) bool { return o.game == s.ID })
	}
}

// add reads a game.
func (r *SenderIndex) add(s *vault.Settings) {
	id := strings.ToLower(s.ID)
	r.names[id] = append(r.names[id], s)
	for at, mine := range seatsOf(s) {
		r.seats[at] = append(r.seats[at], mine...)
		slices.SortStableFunc(r.seats[at], func(a, b seat) int { return strings.Compare(a.game, b.game) })
	}
	for _, o := range s.Referees {
		at := auth.Canonical(o.Address)
		r.referees[at] = append(r.referees[at], refereeSeat{s.ID, o})
		slices.SortStableFunc(r.referees[at], func(a, b refereeSeat) int { return strings.Compare(a.game, b.game) })
	}
}

// seatsOf are a game's captains by canonical address.
func seatsOf(s *vault.Settings) map[string][]seat {
	out := map[string][]seat{}
	for _, c := range s.Captains {
		var mine []string // two forms of one address are one seat
		for _, a := range c.Addresses() {
			if at := auth.Canonical(a); at != "" && !slices.Contains(mine, at) {
				mine = append(mine, at)
				out[at] = append(out[at], seat{s.ID, c, a})
			}
		}
	}
	return out
}

// find gives every captain with that address.
func (r *SenderIndex) find(sender string, all []*vault.Settings) []seat {
	r.update(all)
	return known(r.seats, sender)
}

// findReferees gives every referee with that address.
func (r *SenderIndex) findReferees(sender string, all []*vault.Settings) []refereeSeat {
	r.update(all)
	return known(r.referees, sender)
}

// known is a copy of what is known of an address; nil if that is nothing.
func known[T any](all map[string][]T, sender string) []T {
	canonical := auth.Canonical(sender)
	if canonical == "" || len(all[canonical]) == 0 {
		return nil
	}
	return slices.Clone(all[canonical])
}

// named are the games of that name.
func (r *SenderIndex) named(name string, all []*vault.Settings) []*vault.Settings {
	r.update(all)
	return r.names[strings.ToLower(name)]
}
