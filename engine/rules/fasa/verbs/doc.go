// Package verbs holds the orders that captains may write: the language of a book, what each
// verb adds to a [rulebook.Plan] and its possible mistakes, and the order sets that are offered
// or made of plain commands.
package verbs
