// Package cases embeds the conformance cases of the rule sets, a folder for each, for programs that print or play
// them. docs/cases.md describes them; package conformance reads them.
package cases

import "embed"

// Files are the cases, RULE-SET/NAME.txt, and the ship classes that only they have, RULE-SET/ships/CLASS.toml.
//
//go:embed book-one sfb-cadet sfb-house stcs-advanced stcs-basic stcs-command stcs-graduate
var Files embed.FS
