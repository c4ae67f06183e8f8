package docs

import "embed"

// Texts are the documents that captains can also get by mail: the pages for captains, reference/rules-SET.md for each
// rule set that has a summary (the index of rules is for programmers), and the reference of codes.
//
//go:embed captains.md mail-commands.md reports.md play-*.md reference/rules-[^i]*.md reference/codes.md
var Texts embed.FS
