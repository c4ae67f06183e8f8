// Package rulebook says what a rule book of the family is: [Book], a value of numbers, charts and
// citations, and [Rules], a book made ready for play. It holds the language of the orders and
// reads an order set into a [Plan], those of parts included (compile_parts.go).
package rulebook
