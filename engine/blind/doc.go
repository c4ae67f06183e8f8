// Package blind has the basics of hidden play: how far sensors reach, what they show at which range, and the list
// of contacts that a captain keeps (house 9.7 to 9.8). It works with any rule set that describes how its ships look
// from outside.
//
// It knows no game, rule set or orders; the engine decides who owns a list and who is told what of it. Nothing in
// it is random: the same ships in the same places are always seen alike (F1).
package blind
