// Package archive makes a single file of a finished game, with everything that an outsider
// needs to replay it, and verifies such files.
//
// An archive is a ZIP file. Below game/ it has the game's directory in the public
// form of package chain: settings without addresses, scenario, own tables,
// secret, journal, and all resolutions of all turns, including those that were set
// aside. Unpacked, this is a game directory. The archive also has a list of its
// contents, the order mails as far as they can be shown, the hashes of everything, and a
// readme.
//
// It is not a backup: a game cannot continue from it, because addresses, reports and
// outgoing mails are missing.
//
// Invariants:
//   - The same game always gives the same bytes.
//   - A file exists under its name only if it is complete and verified.
//   - Input may be hostile: its size is limited before it is read, and nothing
//     is written outside a separate directory.
package archive
