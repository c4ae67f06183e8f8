// Package composer draws the page on which a captain composes his orders: the order set as text beside
// the map. It holds the page's text, style and script; what can be chosen and what is wrong with orders
// the rules tell, which are the same Go as the host's, made into WebAssembly.
//
// What it holds true:
//
//   - The text is the only truth: a click changes it, and everything that is shown follows from it.
//   - The page asks nothing of anyone but for its own program, stores nothing, and has no script or
//     style from elsewhere, which its policy says to the browser.
//   - What came with a view is never read as markup.
package composer
