// Package templates renders reports, mails and maps: it turns values that its caller
// has filled in into plain text, HTML, ASCII maps and SVG maps.
//
// It is a leaf. It imports nothing but the standard library, knows no rule,
// computes no range, arc or chance, and never sees more than it is handed:
// what a captain may not know must already be absent from the value.
//
// Invariants, all of them checked by tests:
//
//   - Every string handed in is untrusted. Control characters never reach the
//     output; HTML and SVG are escaped.
//   - No line of a map or of a text mail is longer than 78 columns, with two
//     exceptions that are printed verbatim: the order template and links.
//   - ASCII maps, HTML and SVG are pure ASCII, and their lines fit a mail unless
//     a captain's text is longer, so that mails carry them without encoding.
//   - The same value gives the same bytes.
//   - No value, however odd, makes a rendering panic, hang or fill memory:
//     coordinates may lie any distance apart and lists may have any length.
//
// Hexes are flat-topped and stand in columns; even columns sit half a hex
// lower. Headings and hex sides are 0..5 clockwise from up (A..F); angles are
// degrees clockwise from the bow.
package templates
