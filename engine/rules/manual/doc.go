// Package manual is the rule set of a table that plays by its own rules: captains write orders in their own words, a
// referee reads them and files the results, and the program handles time, maps, ship sheets, dice and secrets.
//
// A filing is a text of sections: words for everyone, for a side or for one ship's captain, and rulings that
// move ships, set their tracks, roll dice and say who sees whom. [Rules] returns the rule set; its Filing reads
// and plays one.
//
// Nothing here judges whether an order can be carried out or a ruling is fair. The package ensures that a
// filing names only what exists, that every change is an event, and that captains learn only what they may
// know: words by their section, ships by the rulings on sight.
//
// Invariants: a filing is checked by playing it on a copy of the game with the steps of the actual turn, so a
// filing that passes cannot fail later; and a filing does not depend on the values of its dice.
package manual
