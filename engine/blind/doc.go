// Package blind is what hidden play is made of: how far sensors reach, what they show at
// which range, and the list of contacts that a captain keeps (house 9.7 to 9.8). It lies
// over any rule set that tells it what its ships look like from outside.
//
// It knows no game, no rule set and no orders; whose contacts these are and who is told
// what of them is the engine's to say. There is no chance in it: the same ships at the
// same places are always seen alike (F1).
package blind
