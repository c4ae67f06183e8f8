// Package rulebook defines a rule book of the family: [Book], a value whose fields are the
// rules in which books differ, and [Rules], a book with the printed tables, ready for play.
// It answers questions about the rules that need no turn under way, and compiles an order
// set into a [Plan]; package verbs holds what each verb adds to a plan.
//
// Functions of the packages that import this one fill the fields.
package rulebook
