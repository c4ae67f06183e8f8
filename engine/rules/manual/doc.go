// Package manual is the rule set of a table that plays by its own rules: the
// captains write orders in their own words, a referee reads them and files what
// came of them, and the program keeps time, maps, ship sheets, dice and secrets.
//
// A filing is a text of sections: words for everybody, for a side or for one
// ship's captain, and rulings that move ships, set their tracks, roll dice and
// say who sees whom. [Rules] is the rule set; its Filing reads and plays one.
//
// It is not a place for rules: nothing here judges whether an order can be
// carried out or a ruling is fair. What it holds to is that a filing names only
// what there is, that every change is an event, and that a captain is told what
// is his to know: words by their section, ships by the rulings on sight.
//
// Invariants: a filing is looked at by playing it on a copy of the game, with
// the same steps that the turn takes, so what passes the look cannot fail later;
// and nothing of it depends on the values of its dice.
package manual
