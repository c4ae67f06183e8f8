package docs

import "embed"

// Handbook is the captain's handbook, which captains may also read by mail.
//
//go:embed handbook.md
var Handbook string

// Rules are the rules in short, rules-SET.md for each rule set that has them.
//
//go:embed rules-*.md
var Rules embed.FS
