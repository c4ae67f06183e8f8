// Package enginetest has the tests that every rule set must pass: the cases of the suite (package conformance), and
// invariants that hold for every battle under any rules. It knows no rule set.
//
// [Run] plays all cases of a folder and checks each of their turns with [CheckTurn]; the other checks are for tests that
// make up battles.
package enginetest
