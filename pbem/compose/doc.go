// Package compose answers what a page asks on which a captain writes his orders by clicking: each request is JSON, and so is
// its answer.
//
// All it has of a game is the view that was mailed to the captain, so it can show no more than that. The orders are the
// text that a person would write: each change gives a whole new text, and it is looked at by the very code that looks at
// orders which come by mail, package orderset.
//
// Invariants: a request that is not understood, a view of another program or a text that cannot be read is an answer with
// an error and a way out; nothing is kept between requests but the view that is open.
package compose
