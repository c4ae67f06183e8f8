// Package composer draws the page on which captains compose their orders: the order set as text beside
// the map. It holds the page's text, style and script. The rules decide what can be chosen and what is
// wrong with orders: they are the host's own Go code, compiled to WebAssembly.
//
// Invariants:
//
//   - The text is the only source of truth: a click changes it, and everything shown follows from it.
//   - The page fetches nothing except its own program, stores nothing, and has no script or style from
//     elsewhere; its policy tells the browser so.
//   - What came with a view is never read as markup.
package composer
