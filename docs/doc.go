// Package docs checks the rules of the source tree that no compiler checks: which packages may import which, which
// library stays in which adapter, that every dependency is explained, and that no file names the machine it was
// written on.
//
// These rules are its tests. Apart from them it only embeds the documents that the program can send. The linter's
// depguard section repeats the direction of imports, so that editors show violations; these tests also follow indirect
// imports, and need only the go command.
package docs
