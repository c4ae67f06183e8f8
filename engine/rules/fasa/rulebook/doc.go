// Package rulebook says what a rule book of the family is: [Book], a value whose fields are
// the rules that books differ in, and [Rules], a book with the printed tables, made ready for
// play. It answers what the rules say when they are asked, without a turn under way, and reads
// an order set into a [Plan]; what single verbs mean to a plan stands in package verbs.
//
// Functions of the packages above fill the fields: what a book calls is looked up in its row.
package rulebook
