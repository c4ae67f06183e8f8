package docs

import "embed"

// Texts are the documents that captains may also read by mail: the pages for them, the rules in short,
// rules-SET.md for each rule set that has them, and the references that explain orders and codes.
//
//go:embed captains.md mail-commands.md reports.md play-*.md rules-*.md reference/codes.md
var Texts embed.FS
