// Package hex is the geometry of the map: flat-topped hexes in columns,
// headings, bearings, arcs, hex sides and lines of sight.
//
// Hexes are written CCRR (column, row, both from 01); even columns sit half a
// hex lower than odd ones; the six directions are A to F, clockwise from up
// (ruling D4). Inside, a hex is a pair of axial coordinates.
//
// Everything is exact integer arithmetic (D5): a target is either on the line
// between two arcs, and then in both, or it is not. There are no angles in
// floating point and no tolerance anywhere.
//
// It is not a map: it knows no ships, planets or terrain, and the plane has no edge unless a caller uses Bounds
// (D8). The arcs of weapons and the numbers of shields are data of the rule sets.
//
// Invariants: all functions are pure; every label that ParseLabel accepts has
// a column and a row within maxCoord, so that no sum or product here can
// overflow and no line of sight grows without bound.
package hex
