// Package enginetest is the examination that every rule set sits: the cases of the suite (package
// conformance), and laws that hold for every battle whatever the rules are.
//
// It knows no rule set. [Run] plays all cases of a folder and examines each of their turns by [CheckTurn] too;
// [Battle] and the laws on it are for tests that make battles up.
package enginetest
