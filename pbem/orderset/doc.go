// Package orderset parses order sets and checks each by what its captain may know: it gives the same diagnostics,
// effects and plotted courses to acknowledgements, starpost check, the resolution of turns and the composer.
//
// It knows no mail, no file and no clock: the state of the game is passed to it as a [Game], by package turn from
// a game directory, or by [OfView] from what a captain was told.
//
// Invariants: the same text in the same game gives the same reading; a set is checked with the view of its author,
// so no diagnostic reveals more.
package orderset
