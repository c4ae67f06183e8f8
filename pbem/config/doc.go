// Package config reads the daemon's configuration: one strict TOML file, and
// the passwords that it points at but never holds.
//
// It is not the configuration of a game (that is the game directory's), opens
// no connection and starts nothing.
//
// Invariants: a configuration with any problem is not returned, and all its
// problems are reported at once, each with its place; an unknown key is a
// problem; no secret is ever part of a text that this package makes.
package config
