// Package config reads the daemon's configuration: one strict TOML file, and the passwords that it
// refers to but never contains.
//
// It is not the configuration of a game (that is in the game directory), opens no connection and
// starts nothing.
//
// Invariants: a configuration with any problem is not returned, and all its problems are reported
// at once, each with its place. An unknown key is a problem. No secret is ever part of a text that
// this package creates.
package config
