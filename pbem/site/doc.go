// Package site writes the pages of a host's games into a folder for a web server: a list of
// games, a page and a replay for each, results and a feed. It is not a web server itself, and
// the pages work without one: they load no scripts and make no requests.
//
// It guarantees:
//
//   - Pages show what an observer may know, by the views of the engine, and no
//     address. Until a blind battle ends, they show only that it is being played and for how
//     many turns.
//   - It writes only into a folder of its own, which a file there marks.
//   - Pages are replaced atomically. Pages of unchanged games are left alone.
package site
