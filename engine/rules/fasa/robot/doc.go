// Package robot writes the orders of captains that are robots, as text that any captain
// could have sent: the plain captain for books without sensors and repair, the seasoned
// one for those with them.
//
// A robot knows the view of its ship and nothing else, what its rule book answers
// through [Book], and the figures of [Rules]. It plays no phase and checks no order; what
// parts of a book add to its orders they bring themselves.
//
// Invariants: the same view gives the same text; orders are in order, or the robot is
// wrong; nothing here asks which book is played.
package robot
