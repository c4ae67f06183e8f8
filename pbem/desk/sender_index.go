package desk

import (
	"slices"

	"starpost/pbem/auth"
	"starpost/pbem/vault"
)

// SenderIndex knows the captains of all games by address, so that the sender of a mail
// is not held against every captain there is. It may be used by one goroutine at
// a time, and remembers from mail to mail; the zero value is ready.
type SenderIndex struct {
	last  []vault.Settings          // what was read last
	games map[string]*vault.Captain // by id: the first captain of the list that was read
	seats map[string][]seat         // by canonical address, in order of games and captains
}

// update reads the games again if one came, went or has another list of captains:
// neither the list of games nor one of captains is ever changed, only replaced.
func (r *SenderIndex) update(all []vault.Settings) {
	if len(all) > 0 && len(all) == len(r.last) && &all[0] == &r.last[0] {
		return
	}
	r.last = all
	same := len(all) == len(r.games)
	for i := 0; same && i < len(all); i++ {
		first, known := r.games[all[i].ID]
		same = known && first == firstOf(all[i])
	}
	if same {
		return
	}
	r.games, r.seats = make(map[string]*vault.Captain, len(all)), map[string][]seat{}
	for _, s := range all {
		r.games[s.ID] = firstOf(s)
		for _, c := range s.Captains {
			var mine []string // two forms of one address are one seat
			for _, a := range c.Addresses() {
				canonical := auth.Canonical(a)
				if canonical == "" || slices.Contains(mine, canonical) {
					continue
				}
				mine = append(mine, canonical)
				r.seats[canonical] = append(r.seats[canonical], seat{s.ID, c, a})
			}
		}
	}
}

func firstOf(s vault.Settings) *vault.Captain {
	if len(s.Captains) == 0 {
		return nil
	}
	return &s.Captains[0]
}

// find gives every captain with that address.
func (r *SenderIndex) find(sender string, all []vault.Settings) []seat {
	r.update(all)
	canonical := auth.Canonical(sender)
	if canonical == "" {
		return nil
	}
	return slices.Clone(r.seats[canonical])
}
