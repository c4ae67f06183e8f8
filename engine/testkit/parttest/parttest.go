// Package parttest has a part that no book has, flares, for any family of rules: the order, a ship's share, the event
// and the words about it. Tests in each family add it to a book, to see that a part for several families is one
// package, and what else a family needs for it.
//
// Invariants: a ship launches at most [Aboard] flares in a battle; everyone is told of each.
package parttest

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
)

// Verb is the order to launch a flare.
const Verb = "flare"

// Code is that of the mistake to order a flare when none is left.
const Code = "E250"

// Aboard is how many flares a ship has as a battle begins.
const Aboard = 1

// Flares is the share of a ship.
type Flares struct {
	Launched int `json:"launched"`
}

// Key implements family.Share.
func (*Flares) Key() string { return "flares" }

// Clone implements family.Share.
func (f *Flares) Clone() family.Share { c := *f; return &c }

// Left is the line of a panel of an own ship.
func (f *Flares) Left() string { return fmt.Sprintf("flares left: %d", Aboard-f.Launched) }

// Refusal returns why the ship cannot launch one more flare; "" if she can.
func (f *Flares) Refusal() string {
	if f.Launched < Aboard {
		return ""
	}
	return "no flare is left"
}

// Launched is the event of a launch.
type Launched struct {
	Ship engine.ShipID `json:"ship" see:"all"`
}

// Apply counts the flare.
func (b *Launched) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("launch a flare: there is no ship %s", b.Ship)
	}
	flares := family.ShareIn[Flares](s.System)
	if why := flares.Refusal(); why != "" {
		return fmt.Errorf("launch a flare of %s: %s", b.Ship, why)
	}
	flares.Launched++
	return nil
}

// Words is the event's sentence.
func (b *Launched) Words(v *engine.View) string { return v.Name(b.Ship) + " launches a flare" }

// Event returns the row of the event; tell adds its Words to a report of the family.
func Event[L, N any](tell func(n N, b *Launched, cite string)) family.Event[N, L] {
	return family.Own(Verb, family.Told[N, L, *Launched]{Tell: tell, Hers: true})
}

// Order returns the order for a phase; more is what its form has after the verb.
func Order(more orders.Form) orders.Verb {
	return orders.Verb{Name: Verb, Forms: []orders.Form{Verb + more}, Examples: []string{Verb}, Doc: fmt.Sprintf("Launch a flare: a ship has %d in a battle.", Aboard)}
}

// Launch launches a flare and tells everyone, or returns why the ship cannot.
func Launch(t *engine.Turn, s *engine.Ship, rule string) (why string) {
	if why = family.ShareIn[Flares](s.System).Refusal(); why == "" {
		t.Emit(&Launched{Ship: s.ID}, engine.SeeAll(), rule)
	}
	return why
}
