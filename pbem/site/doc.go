// Package site writes the pages of a host's games into a folder for a web server: a list of
// games, a page and a replay for each, results and a feed. It is no web server itself, and
// what it writes needs none: no page has a script from elsewhere or asks anything of anyone.
//
// What it holds true:
//
//   - Pages hold what an observer may know, by the views of the engine, and no address of a
//     person. Of a battle in the dark nothing is told before its end but that it is played, and
//     how many turns.
//   - It writes into a folder of its own, which a file there marks, and nowhere else. Into
//     any other it writes nothing.
//   - A page is there whole or as it was before. Pages of games in which nothing changed
//     are left alone.
package site
