// Package compose answers the requests of a page on which a captain writes orders by clicking: each request is
// JSON, and so is its answer.
//
// It knows of a game only the view that was mailed to the captain, so it cannot reveal more. The orders are the
// text that a person would write: each change gives a complete new text, which is checked by the same code as
// orders that come by mail, package orderset.
//
// Invariants: a request that is not understood, a view of another program or an unreadable text gives an answer
// with an error and a hint; only the open view is kept between requests.
package compose
