// Package orderset reads order sets and looks at each by what its captain may know: the diagnostics, effects and plotted
// ways that acknowledgements, starpost check, the resolution of turns and the composer all give alike.
//
// It knows no mail, no file and no clock: how the game stands is handed to it as a [Game], by package turn from a game
// directory, or by [OfView] from what a captain was told.
//
// Invariants: the same text in the same game gives the same reading; what a set is looked at by is the view of who gives
// it, so no diagnostic tells more than that.
package orderset
