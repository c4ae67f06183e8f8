package lobby

import (
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
)

// Observer is a person who watches a game, and has confirmed it.
type Observer struct {
	Address string    `json:"address"`
	Game    string    `json:"game"` // by id
	Since   time.Time `json:"since"`
	Cause   string    `json:"cause"` // SHA-256 of the mail that confirmed it
	// Ended is when the observer stopped, and EndedBy the mail that said so. The entry is kept: an
	// observer of a game that shows everything has seen what its captains may not know.
	Ended   time.Time `json:"ended,omitzero"`
	EndedBy string    `json:"ended_by,omitempty"`
}

// SeatOffers stands in for a game, for people who want to hear about free seats. No game has this
// name.
const SeatOffers = "#seats"

// Watches reports whether the observer gets mails.
func (o Observer) Watches() bool { return o.Ended.IsZero() }

// Limits of observers.
const (
	ObserversOf  = 50  // of a game
	WatchedBy    = 10  // games that an address watches
	OfferedTo    = 500 // people who are told about free seats
	observersAll = 5000
)

// ObserversAs returns all observers, including former ones, as they were before a mail.
func (r *Requests) ObserversAs(mail string) []Observer {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Observer, 0, len(r.observers))
	for _, o := range r.observers {
		if mail != "" && o.Cause == mail {
			continue
		}
		if mail != "" && o.EndedBy == mail {
			o.Ended, o.EndedBy = time.Time{}, ""
		}
		out = append(out, o)
	}
	return out
}

// Observe records an observer, unless they already watch. If there are too many, it removes those
// who ended first.
func (r *Requests) Observe(o Observer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.observers, func(k Observer) bool { return k.Watches() && k.of(o.Address, o.Game) }) {
		return nil
	}
	o.Since = o.Since.UTC()
	r.observers = append(slices.Clone(r.observers), o)
	for len(r.observers) > observersAll {
		at := max(0, slices.IndexFunc(r.observers, func(k Observer) bool { return !k.Watches() }))
		r.observers = slices.Delete(r.observers, at, at+1)
	}
	return r.write()
}

// unobserve ends the watching of an address because of a mail: of a game, or of all games for "".
func (r *Requests) unobserve(address, game, mail string, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, changed := slices.Clone(r.observers), false
	for i := range list {
		if o := &list[i]; o.Watches() && (game == "" && o.Game != SeatOffers && auth.SameAddress(o.Address, address) || o.of(address, game)) {
			o.Ended, o.EndedBy, changed = at.UTC(), mail, true
		}
	}
	if !changed {
		return nil
	}
	r.observers = list
	return r.write()
}

func (o Observer) of(address, game string) bool {
	return strings.EqualFold(o.Game, game) && auth.SameAddress(o.Address, address)
}
