// Package stcs is the Starship Tactical Combat Simulator as rule sets of the
// engine. It holds the Basic Course (stcs-basic): one allocation of power a
// turn, three phases of movement, fire and repowering, and simple damage
// location.
//
// Citations "stcs N.M" number the Basic Course by subject:
//
//	1 set-up      2 sequence of events (2.1 power, 2.2 advantage, 2.3 movement,
//	2.4 fire, 2.5 repowering, 2.6 end of turn, 2.7 end of game)
//	3 power and movement (3.1 total, 3.2 to movement, 3.3 to shields, 3.4 to
//	weapons, 3.5 valid movements, 3.6 movement per phase, 3.7 warp speeds)
//	4 fire (4.1 declaring, 4.2 arcs, 4.3 to hit, 4.4 banks, 4.5 shield struck,
//	4.6 shields and damage, 4.7 location, 4.8 shield generators, 4.9 weapons,
//	4.10 engines, 4.11 superstructure, 4.12 sensors, 4.13 damage from banks,
//	4.14 repowering)
//
// "D.." are the project's rulings where the text is silent.
package stcs
