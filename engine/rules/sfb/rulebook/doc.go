// Package rulebook has the type of a rule book: [Book], a value of numbers, charts and citations, and [Rules], a book
// ready for play. It has the language of orders, and turns an order set into a [Plan], including the orders of parts
// (compile_parts.go).
package rulebook
