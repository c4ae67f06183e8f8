// Package archive makes one file of a game that is over, with all that someone
// who had no part in it needs to play it again, and verifies such a file.
//
// An archive is a ZIP file. Below game/ it holds the game's directory in the public
// form that package chain makes: settings without addresses, scenario, own tables,
// secret, journal, and all resolutions of all turns, those that were set aside
// included. Unpacked, that is a game directory. Beside it lie a list of what is in
// it, the order mails as far as they can be shown, the hashes of all of it, and a
// text for people.
//
// It is not a backup: a game cannot go on from it, for addresses, reports and mails
// out are missing.
//
// Invariants:
//   - The same game makes the same bytes, wherever and whenever.
//   - A file is there whole under its name, and verifies, or it is not there.
//   - What is read may be hostile: it is bounded before it is believed, and nothing
//     is written outside of a directory of its own.
package archive
