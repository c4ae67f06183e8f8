// Package docs keeps the rules of the source tree that no compiler keeps: which
// room may import which, which library stays in which adapter, that every
// dependency is explained, that no file names the machine it was written on.
//
// These rules are its tests. Else it holds the documents that the program can send,
// and no code. The linter's depguard section says the direction of imports a second time, for an
// editor to show while one types; these tests follow imports through other
// packages as well, and need no tool but go.
package docs
