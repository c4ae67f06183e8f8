// Package robot writes the orders of robot captains, as text that any captain could have
// sent: the plain captain for books without sensors and repair, the seasoned captain for
// books with them.
//
// A robot knows only the view of its ship, the answers of its rule book through [Book], and
// the figures of [Rules]. It plays no phase and checks no order; the parts of a book add
// their own share to its orders.
//
// Invariants: the same view gives the same text; an order with a mistake is a bug of the
// robot; nothing here asks which book is played.
package robot
